"""The timetable: its text, and the one function that says when a phase ends."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.play.timetable import (
    LONGEST,
    Hour,
    Pace,
    Timetable,
    TimetableError,
    deadline_after,
    known_zones,
    next_deadlines,
    past_days_off,
    read_timetable,
    write_breaks,
)

PARIS = ZoneInfo("Europe/Paris")
PATIENT = settings(max_examples=60)
ZONES = (
    "UTC",
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Africa/Casablanca",
)


def paris(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=PARIS)


def local(at: datetime, zone: str = "Europe/Paris") -> str:
    return f"{at.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M}"


def after(text: str, opened: str, *, short: bool = False) -> str:
    return local(
        deadline_after(read_timetable(text, zone="Europe/Paris"), paris(opened), short=short)
    )


# --- its text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("every 48 hours", "every 2 days"),
        ("EVERY 2 DAYS", "every 2 days"),
        ("every day", "every 24 hours"),
        ("every week", "every 7 days"),
        ("every 15 min", "every 15 minutes"),
        (
            "20:00 europe/paris, not on Saturday and Sunday",
            "20:00 Europe/Paris; not on Saturday and Sunday",
        ),
        (
            "20:00 Europe/Paris, not on Saturday, Sunday",
            "20:00 Europe/Paris; not on Saturday and Sunday",
        ),
        ("Mon, Wed, and Fri at 18:00 Europe/Paris", "Mon Wed Fri 18:00 Europe/Paris"),
        ("Mon 18:00; Thursday 20:00 Europe/Paris", "Mon 18:00, Thu 20:00 Europe/Paris"),
        ("weekdays 16:00 Europe/Paris", "Mon Tue Wed Thu Fri 16:00 Europe/Paris"),
        (
            "every 48 hours; short every 24 hours; at least 12 h",
            "every 2 days; short every 24 hours; at least 12 hours",
        ),
        (
            "every 1 d Europe/Paris; between 8:00 and 16:00",
            "every 24 hours Europe/Paris; between 08:00 and 16:00",
        ),
        (
            "every 3 d; not 2026-12-24 to 2027-01-02; holidays fr",
            "every 3 days; not 2026-12-24 to 2027-01-02; holidays FR",
        ),
        ("every 3 d; not 2026-12-24", "every 3 days; not 2026-12-24 to 2026-12-24"),
        ("at 20:00", "20:00 UTC"),
        ("every day 20.00", "20:00 UTC"),
        ("daily at 20:00 Asia/Tokyo", "20:00 Asia/Tokyo"),
        ("every Monday 20:00", "Mon 20:00 UTC"),
        (
            "Mon-Wed, Fri 8:00; not on Tue - Wed",
            "Mon Tue Wed Fri 08:00 UTC; not on Tuesday and Wednesday",
        ),
        ("Sat-Mon 8:00", "Mon Sat Sun 08:00 UTC"),
        ("20:00 cet", "20:00 CET"),
        ("every 3 d; not before 2026-12-01", "every 3 days; not before 2026-12-01 00:00"),
    ],
)
def test_a_timetable_is_read_as_people_write_it(text: str, canonical: str) -> None:
    assert str(read_timetable(text)) == canonical


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "needs a pace"),
        ("not on Sunday", "needs a pace"),
        ("sometimes", "“sometimes” does not read as a part of a timetable"),
        ("every 2 minutes", "from 5 minutes to 60 days; 2 minutes is outside"),
        ("every 61 days", "61 days is outside"),
        ("25:00", "“25:00” is no time of day"),
        ("Mon 18:00 Europe/Pariss", "“Europe/Pariss” is no time zone"),
        ("20:00 Tokyo", "“Tokyo” is no time zone; one is called like Asia/Tokyo"),
        ("Mon--Fri 18:00", "“mon--fri” is no day of the week"),
        ("Frob 18:00", "“frob” is no day of the week"),
        ("every 2 days; 20:00", "not both"),
        ("20:00; not on weekdays and weekends", "No day of the week is left"),
        ("Sat 20:00; not on weekends", "“Sat 20:00” never comes"),
        ("every 2 days; not 2026-13-01", "“2026-13-01” is no day"),
        ("every 2 days; not 2026-12-02 to 2026-12-01", "ends before it begins"),
        ("every 2 days; between 16:00 and 8:00", "has no hour in it"),
        ("20:00; between 8:00 and 16:00", "need no `between`"),
        ("every 2 days; not before 0999-01-01", "is not between 2000 and 2100"),
        ("every 2 days; not before 9999-12-31 23:59", "is not between 2000 and 2100"),
        ("every 2 days; not 2026-06-15 to 2027-07-10", "longer than 366 days; pause the match"),
        (
            "Mon 18:00 Europe/Paris; Thu 20:00 America/New_York",
            "has one time zone; this one names Europe/Paris and America/New_York",
        ),
        ("on 18:00", "“on” names no day of the week"),
        ("every 2 days soon", "“soon” is no time zone"),
        ("1:00;" * 401, "at most 2000 characters"),
    ],
)
def test_what_is_no_timetable_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TimetableError, match=sentence):
        read_timetable(text)


spans = st.integers(1, 24 * 60).map(lambda minutes: timedelta(minutes=5 * minutes))
times = st.times().map(lambda at: at.replace(second=0, microsecond=0))
weekdays = st.frozensets(st.integers(0, 6), min_size=1)
hours = st.lists(st.builds(Hour, times, weekdays), min_size=1, max_size=3).map(tuple)
paces = st.one_of(
    spans.map(lambda span: Pace(every=span)), hours.map(lambda each: Pace(hours=each))
)
days = st.dates(date(2026, 1, 1), date(2029, 1, 1))
betweens = (
    st.tuples(times, times)
    .map(lambda both: tuple(sorted(both)))
    .filter(lambda both: both[0] < both[1])
)
moments = st.builds(lambda day, at: datetime.combine(day, at, UTC), days, st.times())
local_moments = st.builds(datetime.combine, days, times)


breaks = st.lists(
    st.builds(lambda day, length: (day, day + timedelta(days=length)), days, st.integers(0, 100)),
    max_size=2,
).map(tuple)
timetables = st.builds(
    Timetable,
    usual=paces,
    short=st.none() | paces,
    zone=st.sampled_from(ZONES),
    not_on=st.frozensets(st.integers(0, 6), max_size=3),
    breaks=breaks,
    country=st.sampled_from([None, "FR", "US-CA"]),
    between=st.none() | betweens,
    least=st.just(timedelta(0)) | spans,
    not_before=st.none() | local_moments,
).filter(lambda table: _is_possible(table))


def _is_possible(table: Timetable) -> bool:
    paces = (table.usual, table.short or Pace())
    if table.between and not any(pace.every for pace in paces):
        return False
    return not any(each.days <= table.not_on for pace in paces for each in pace.hours)


@PATIENT
@given(timetables)
def test_a_timetable_reads_back_as_it_is_written(table: Timetable) -> None:
    assert read_timetable(str(table)) == table


# --- when a phase ends


@PATIENT
@given(timetables, moments, st.booleans(), st.frozensets(days, max_size=5))
def test_a_deadline_is_after_the_opening_and_on_a_day_that_has_deadlines(
    table: Timetable, opened: datetime, short: bool, away: frozenset[date]
) -> None:
    at = deadline_after(table, opened, short=short, not_on=away.__contains__)
    pace = table.pace(short=short)
    least = opened + max(table.least, pace.every or timedelta(0))
    assert at > opened
    assert at >= least
    assert at == deadline_after(table, opened, short=short, not_on=away.__contains__)
    there = at.astimezone(ZoneInfo(table.zone))
    assert there.weekday() not in table.not_on
    assert there.date() not in away
    assert not any(first <= there.date() <= last for first, last in table.breaks)


@PATIENT
@given(hours, st.sampled_from(ZONES), moments, st.floats(0, 1))
def test_a_phase_that_closes_early_never_drags_fixed_hours(
    each: tuple[Hour, ...], zone: str, opened: datetime, part: float
) -> None:
    table = Timetable(Pace(hours=each), zone=zone)
    first, second = next_deadlines(table, opened, 2)
    early = opened + (first - opened) * part * 0.999
    assert deadline_after(table, early) == first
    assert deadline_after(table, first) == second


@PATIENT
@given(moments, st.lists(spans, min_size=1, max_size=3))
def test_a_length_alone_is_added_to_the_opening(opened: datetime, lengths: list[timedelta]) -> None:
    for length in lengths:
        assert (
            deadline_after(Timetable(Pace(every=length), zone="Europe/Paris"), opened)
            == opened + length
        )


@pytest.mark.parametrize(
    ("text", "opened", "deadline"),
    [
        ("20:00", "2026-11-24 19:59", "Tue 2026-11-24 20:00"),
        ("20:00", "2026-11-24 20:00", "Wed 2026-11-25 20:00"),
        ("20:00; at least 12 hours", "2026-11-24 19:59", "Wed 2026-11-25 20:00"),
        ("20:00; not on weekends", "2026-11-27 20:00", "Mon 2026-11-30 20:00"),
        ("Mon Wed Fri 18:00", "2026-11-25 18:00", "Fri 2026-11-27 18:00"),
        ("Mon 18:00, Thu 20:00", "2026-11-25 18:00", "Thu 2026-11-26 20:00"),
        (
            "Mon Wed Fri 18:00; not 2026-12-24 to 2027-01-02",
            "2026-12-23 18:00",
            "Mon 2027-01-04 18:00",
        ),
        ("every 48 hours; not on weekends", "2026-11-26 21:30", "Mon 2026-11-30 21:30"),
        (
            "every 24 hours; between 8:00 and 16:00; not on weekends",
            "2026-11-26 21:30",
            "Mon 2026-11-30 08:00",
        ),
        ("every 24 hours; between 8:00 and 16:00", "2026-11-26 07:10", "Fri 2026-11-27 08:00"),
        ("every 24 hours; between 8:00 and 16:00", "2026-11-26 15:10", "Fri 2026-11-27 15:10"),
        ("20:00; not before 2026-12-24 21:00", "2026-11-26 15:10", "Fri 2026-12-25 20:00"),
        ("every 24 hours; not before 2026-12-24 21:00", "2026-11-26 15:10", "Thu 2026-12-24 21:00"),
    ],
)
def test_deadlines_follow_the_rule(text: str, opened: str, deadline: str) -> None:
    assert after(text, opened) == deadline


def test_short_phases_have_their_own_pace() -> None:
    text = "Mon Thu 20:00; short every 24 hours"
    assert after(text, "2026-11-23 20:00", short=True) == "Tue 2026-11-24 20:00"
    assert after(text, "2026-11-23 20:00") == "Thu 2026-11-26 20:00"


def test_an_hour_that_a_change_of_clocks_leaves_out_is_moved_by_the_change() -> None:
    # DEPENDENCIES of time zones: clocks in Paris go from 02:00 to 03:00 on 28 March 2027.
    found = next_deadlines(read_timetable("02:30 Europe/Paris"), paris("2027-03-26 12:00"), 3)
    assert [local(each) for each in found] == [
        "Sat 2027-03-27 02:30",
        "Sun 2027-03-28 03:30",
        "Mon 2027-03-29 02:30",
    ]


def test_an_hour_that_is_moved_behind_the_next_one_comes_after_it() -> None:
    table = read_timetable("2:30; 3:00 Europe/Paris")
    found = next_deadlines(table, paris("2027-03-27 12:00"), 3)
    assert [local(at) for at in found] == [
        "Sun 2027-03-28 03:00",
        "Sun 2027-03-28 03:30",
        "Mon 2027-03-29 02:30",
    ]


def test_of_an_hour_that_comes_twice_the_first_counts_once() -> None:
    # Clocks in Paris go from 03:00 back to 02:00 on 31 October 2027.
    found = next_deadlines(read_timetable("02:30 Europe/Paris"), paris("2027-10-30 12:00"), 2)
    assert [f"{each:%d %H:%M}" for each in found] == ["31 00:30", "01 01:30"]


def test_a_length_that_ends_in_the_second_of_two_equal_hours_keeps_its_length() -> None:
    opened = datetime(2027, 10, 30, 1, 30, tzinfo=UTC)
    assert deadline_after(
        read_timetable("every 24 hours Europe/Paris"), opened
    ) == opened + timedelta(days=1)


def test_a_day_passed_over_keeps_the_local_hour_across_a_change_of_clocks() -> None:
    assert after("every 24 hours; not on Sunday", "2027-03-27 21:00") == "Mon 2027-03-29 21:00"


def test_days_that_are_never_free_count_no_more_after_sixty() -> None:
    opened = paris("2026-11-26 12:00")
    for text in ("every 24 hours Europe/Paris", "20:00 Europe/Paris"):
        at = deadline_after(read_timetable(text), opened, not_on=lambda _: True)
        assert LONGEST < at - opened < LONGEST + timedelta(days=3)


def test_a_long_break_has_no_deadline_in_its_middle() -> None:
    assert (
        after("Mon 20:00; not 2026-06-15 to 2026-09-10", "2026-06-12 12:00")
        == "Mon 2026-09-14 20:00"
    )


def test_the_grace_of_each_phase_counts_where_the_next_begins() -> None:
    found = next_deadlines(
        read_timetable("20:00 Europe/Paris; at least 24 hours"),
        paris("2026-11-23 12:00"),
        2,
        grace=timedelta(minutes=10),
    )
    assert [local(each) for each in found] == ["Tue 2026-11-24 20:00", "Thu 2026-11-26 20:00"]


@PATIENT
@given(timetables, moments, spans, st.frozensets(days, max_size=5))
def test_a_deadline_moves_by_exactly_a_span_and_off_its_hour_and_only_days_off_are_passed_over(
    table: Timetable, deadline: datetime, span: timedelta, away: frozenset[date]
) -> None:
    def is_off(day: date) -> bool:
        return (
            day.weekday() in table.not_on
            or day in away
            or any(first <= day <= last for first, last in table.breaks)
        )

    zone, exact = ZoneInfo(table.zone), deadline + span
    there = exact.astimezone(zone)
    day, at = there.date(), past_days_off(table, exact, not_on=away.__contains__)
    while is_off(day):
        day += timedelta(days=1)
    same_time = datetime.combine(day, there.time(), zone).astimezone(UTC)
    assert at == (exact if day == there.date() else same_time)
    following = deadline_after(table, at, not_on=away.__contains__).astimezone(zone)
    assert following > at and not is_off(following.date()), (
        "the next phase returns to the timetable"
    )
    assert not table.usual.hours or _is_fixed(table, following)


def _is_fixed(table: Timetable, at: datetime) -> bool:
    """Whether a moment is a fixed hour of a timetable, perhaps one that a change of clocks
    moved.
    """
    hours = [
        datetime.combine(at.date(), each.at, at.tzinfo)
        for each in table.usual.hours
        if at.weekday() in each.days
    ]
    return at in [hour.astimezone(UTC).astimezone(at.tzinfo) for hour in hours]


@pytest.mark.parametrize(
    ("text", "moved", "deadline"),
    [
        ("weekdays 20:00", "2026-11-23 20:00:20", "Mon 2026-11-23 20:00:20"),
        ("every 24 hours; not on weekends", "2026-11-28 20:00", "Mon 2026-11-30 20:00:00"),
        (
            "20:00; not on weekends; not 2026-11-30 to 2026-12-01",
            "2026-11-28 19:30",
            "Wed 2026-12-02 19:30:00",
        ),
        ("every 24 hours; between 8:00 and 16:00", "2026-11-24 21:00", "Tue 2026-11-24 21:00:00"),
        ("Mon 20:00", "2026-11-24 21:00", "Tue 2026-11-24 21:00:00"),
        ("20:00; not on Saturday", "2027-03-27 02:30", "Sun 2027-03-28 03:30:00"),
        ("20:00; not on Saturday", "2027-10-30 02:30", "Sun 2027-10-31 02:30:00"),
    ],
)
def test_a_moved_deadline_leaves_its_hour_and_passes_over_days_off(
    text: str, moved: str, deadline: str
) -> None:
    at = past_days_off(read_timetable(text, zone="Europe/Paris"), paris(moved))
    assert f"{at.astimezone(PARIS):%a %Y-%m-%d %H:%M:%S}" == deadline


def test_every_zone_that_a_player_may_have_reads_back() -> None:
    for zone in (
        "CET",
        "GMT",
        "EST5EDT",
        "Japan",
        "posix/Europe/Paris",
        *sorted(known_zones().values()),
    ):
        table = read_timetable("20:00", zone=zone)
        assert read_timetable(str(table)) == table


def test_the_hours_of_one_day_come_in_order() -> None:
    found = next_deadlines(
        Timetable(Pace(hours=(Hour(time(20)), Hour(time(8)))), zone="UTC"),
        datetime(2026, 11, 26, tzinfo=UTC),
        3,
    )
    assert [each.hour for each in found] == [8, 20, 8]


def test_days_off_are_written_as_breaks_that_read_back() -> None:
    days = {date(2026, 12, 31), date(2027, 1, 1), date(2026, 12, 30), date(2027, 5, 1)}
    assert write_breaks(days) == ["not 2026-12-30 to 2027-01-01", "not 2027-05-01"]
    table = read_timetable("; ".join(["20:00", *write_breaks(days)]))
    assert table.breaks == (
        (date(2026, 12, 30), date(2027, 1, 1)),
        (date(2027, 5, 1), date(2027, 5, 1)),
    )
