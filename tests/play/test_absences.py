"""Deadlines move past absences: how far, what they cost whom, and that it always comes to an
end.
"""

from datetime import date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.play.absences import Absentee, Moved, move_past_absences
from adjudicator.play.timetable import deadline_after, read_timetable

PARIS = "Europe/Paris"
PATIENT = settings(max_examples=60)
ANN, BOB = 1, 2


def paris(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(PARIS))


def day(text: str) -> date:
    return date.fromisoformat(text)


def away(
    player: int, *spans: str, zone: str = PARIS, days: int = 21, used: dict[int, int] | None = None
) -> Absentee:
    """Return a player with these absences, each written `2026-12-20 to 2027-01-03`."""
    found = [tuple(map(day, span.split(" to "))) for span in spans]
    return Absentee(player, [(span[0], span[-1]) for span in found], zone, days, used or {})


def moved(text: str, deadline: str, *absentees: Absentee) -> tuple[str, dict[tuple[int, int], int]]:
    """Return the deadline to which one in Paris moves, in Paris, and the days used."""
    found = move_past_absences(read_timetable(text, zone=PARIS), paris(deadline), absentees)
    return f"{found.deadline.astimezone(ZoneInfo(PARIS)):%a %Y-%m-%d %H:%M}", dict(found.days)


def test_a_deadline_in_nobodys_absence_stays() -> None:
    ann = away(ANN, "2026-12-20 to 2026-12-22", "2026-12-25")
    assert moved("every 2 days", "2026-12-23 20:00", ann) == ("Wed 2026-12-23 20:00", {})
    assert moved("every 2 days", "2026-12-23 20:00") == ("Wed 2026-12-23 20:00", {})


def test_a_deadline_moves_to_the_same_hour_of_the_day_after_an_absence() -> None:
    ann = away(ANN, "2026-12-20 to 2026-12-29")
    assert moved("every 2 days", "2026-12-20 20:00", ann) == (
        "Wed 2026-12-30 20:00",
        {(ANN, 2026): 10},
    )
    assert moved("every 2 days", "2026-12-29 20:00", ann) == (
        "Wed 2026-12-30 20:00",
        {(ANN, 2026): 1},
    )


def test_fixed_hours_move_to_the_next_of_them_and_cost_the_days_between() -> None:
    ann = away(ANN, "2026-12-20 to 2026-12-29")
    assert moved("Mon Thu 20:00", "2026-12-21 20:00", ann) == (
        "Thu 2026-12-31 20:00",
        {(ANN, 2026): 10},
    )


def test_the_matchs_own_days_off_cost_nothing() -> None:
    ann = away(ANN, "2026-12-20 to 2026-12-29")
    text = "20:00; not on weekends; not 2026-12-24 to 2026-12-28"
    assert moved(text, "2026-12-21 20:00", ann) == ("Wed 2026-12-30 20:00", {(ANN, 2026): 4})


def test_days_that_a_calendar_names_cost_nothing() -> None:
    off = {day("2026-12-25"), day("2026-12-26")}
    found = move_past_absences(
        read_timetable("20:00", zone=PARIS),
        paris("2026-12-24 20:00"),
        [away(ANN, "2026-12-24 to 2026-12-27")],
        not_on=off.__contains__,
    )
    assert found == Moved(paris("2026-12-28 20:00"), {(ANN, 2026): 2})


def test_the_days_of_a_year_limit_each_step() -> None:
    ann = away(ANN, "2026-12-01 to 2026-12-20", days=5)
    assert moved("every 2 days", "2026-12-03 20:00", ann) == (
        "Tue 2026-12-08 20:00",
        {(ANN, 2026): 5},
    )
    assert moved("Thu 20:00", "2026-12-03 20:00", ann) == ("Thu 2026-12-03 20:00", {})
    assert moved(
        "every 2 days",
        "2026-12-03 20:00",
        away(ANN, "2026-12-01 to 2026-12-20", days=5, used={2026: 4, 2027: 3}),
    ) == (
        "Fri 2026-12-04 20:00",
        {(ANN, 2026): 1},
    )


def test_each_year_has_days_of_its_own() -> None:
    ann = away(ANN, "2026-12-20 to 2027-01-20", days=7, used={2026: 4})
    assert moved("every 24 hours", "2026-12-29 20:00", ann) == (
        "Fri 2027-01-08 20:00",
        {(ANN, 2026): 3, (ANN, 2027): 7},
    )


def test_absences_that_follow_each_other_end_with_the_days_of_both() -> None:
    ann = away(
        ANN, *(f"2027-{month:02}-01 to 2027-{month:02}-14" for month in range(1, 13)), days=10
    )
    bob = away(
        BOB, *(f"2027-{month:02}-15 to 2027-{month:02}-28" for month in range(1, 13)), days=10
    )
    assert moved("every 24 hours", "2027-01-05 20:00", ann, bob) == (
        "Mon 2027-01-25 20:00",
        {(ANN, 2027): 10, (BOB, 2027): 10},
    )


def test_everybody_away_at_once_costs_everybody() -> None:
    all_away = [away(who, "2027-07-01 to 2027-08-15", days=21) for who in range(1, 8)]
    ends, used = moved("every 24 hours", "2027-07-01 20:00", *all_away)
    assert (ends, set(used.values())) == ("Thu 2027-07-22 20:00", {21})


def test_absences_that_overlap_cost_each_day_once() -> None:
    ann = away(ANN, "2026-12-01 to 2026-12-05", "2026-12-03 to 2026-12-07")
    assert moved("every 24 hours", "2026-12-02 20:00", ann) == (
        "Tue 2026-12-08 20:00",
        {(ANN, 2026): 6},
    )


def test_one_who_has_no_days_left_is_not_waited_for_while_another_is() -> None:
    ann, bob = away(ANN, "2026-12-01 to 2026-12-20", days=0), away(BOB, "2026-12-01 to 2026-12-05")
    assert moved("every 24 hours", "2026-12-02 20:00", ann, bob) == (
        "Sun 2026-12-06 20:00",
        {(BOB, 2026): 4},
    )


@pytest.mark.parametrize(
    ("zone", "natural", "ends"),
    [
        (PARIS, "2026-12-24 12:00", "Fri 2026-12-25 12:00"),
        # 01:00 of the 25th there
        ("Pacific/Kiritimati", "2026-12-24 12:00", "Thu 2026-12-24 12:00"),
        ("Pacific/Kiritimati", "2026-12-22 12:00", "Thu 2026-12-24 12:00"),
        ("Pacific/Pago_Pago", "2026-12-24 12:00", "Sat 2026-12-26 12:00"),  # midnight there
        ("Pacific/Pago_Pago", "2026-12-25 12:00", "Sat 2026-12-26 12:00"),
    ],
)
def test_days_are_those_of_the_players_zone(zone: str, natural: str, ends: str) -> None:
    assert moved("12:00", natural, away(ANN, "2026-12-23 to 2026-12-24", zone=zone))[0] == ends


def test_midnight_after_the_last_day_still_belongs_to_the_absence_and_midnight_before_the_first_does_not() -> (
    None
):
    ann = away(ANN, "2026-12-23 to 2026-12-24")
    assert moved("00:00", "2026-12-25 00:00", ann) == ("Sat 2026-12-26 00:00", {(ANN, 2026): 1})
    assert moved("00:00", "2026-12-23 00:00", ann) == ("Wed 2026-12-23 00:00", {})


def test_changes_of_clocks_keep_the_local_hour() -> None:
    ann = away(ANN, "2027-03-26 to 2027-03-28")
    assert moved("every 24 hours", "2027-03-27 02:30", ann) == (
        "Mon 2027-03-29 02:30",
        {(ANN, 2027): 2},
    )
    assert moved("02:30", "2027-03-27 02:30", away(ANN, "2027-03-27")) == (
        "Sun 2027-03-28 03:30",
        {(ANN, 2027): 1},
    )


def test_another_hour_of_the_same_day_costs_no_day() -> None:
    ann = away(ANN, "2026-12-23", zone="Pacific/Kiritimati")  # it ends at 11:00 in Paris
    assert moved("08:00, 20:00", "2026-12-23 08:00", ann) == (
        "Wed 2026-12-23 20:00",
        {(ANN, 2026): 0},
    )


# --- properties

TIMETABLES = (
    "every 24 hours",
    "every 2 days; not on weekends",
    "Mon Thu 20:00",
    "20:00; not 2026-12-24 to 2027-01-02",
    "08:00, 20:00",
)
BEGIN = datetime(2026, 11, 2, 12, tzinfo=ZoneInfo("UTC"))


@st.composite
def absentee(draw: st.DrawFn, player: int) -> Absentee:
    spans = []
    for start, length in draw(
        st.lists(st.tuples(st.integers(0, 500), st.integers(0, 59)), max_size=8)
    ):
        first = BEGIN.date() + timedelta(days=start)
        spans.append((first, first + timedelta(days=length)))
    zone = draw(
        st.sampled_from(
            ("UTC", PARIS, "Pacific/Kiritimati", "America/New_York", "Australia/Lord_Howe")
        )
    )
    used = draw(st.dictionaries(st.integers(2026, 2028), st.integers(0, 60), max_size=3))
    return Absentee(player, spans, zone, draw(st.integers(0, 60)), used)


@PATIENT
@given(
    st.sampled_from(TIMETABLES),
    st.integers(0, 24 * 400),
    st.tuples(*(absentee(player) for player in (1, 2, 3))),
)
def test_it_ends_at_a_moment_that_nobody_who_may_pay_is_away_and_nobody_uses_more_than_is_left(
    text: str, hours: int, absentees: tuple[Absentee, ...]
) -> None:
    table = read_timetable(text, zone=PARIS)
    natural = deadline_after(table, BEGIN + timedelta(hours=hours))
    found = move_past_absences(table, natural, absentees)
    assert found.deadline >= natural
    for each in absentees:
        for year in {year for player, year in found.days if player == each.player}:
            spent = found.days[each.player, year]
            assert spent == 0 or spent + each.used.get(year, 0) <= each.days
    passed = (found.deadline - natural).days
    # of a timetable with at most six days in a row without deadlines and one break
    assert passed <= sum(found.days.values()) * 7 + 14


@PATIENT
@given(st.sampled_from(TIMETABLES), st.integers(0, 24 * 400), absentee(1), st.integers(0, 59))
def test_more_days_never_bring_an_earlier_deadline(
    text: str, hours: int, one: Absentee, more: int
) -> None:
    table = read_timetable(text, zone=PARIS)
    natural = deadline_after(table, BEGIN + timedelta(hours=hours))
    ends = [
        move_past_absences(
            table, natural, [Absentee(1, one.spans, one.zone, days, one.used)]
        ).deadline
        for days in sorted((one.days, more))
    ]
    assert all(before <= after for before, after in pairwise(ends))
