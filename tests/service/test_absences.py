"""Absences: a player's calendar, and what it does to the deadlines of the player's matches."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import col, select

from adjudicator.play.absences import Span
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import AbsenceUse, MasterNote, Match, PhaseRow, Seat
from adjudicator.service.letters.contents.match_content import ReportLetter
from adjudicator.service.matches import absences, masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import absence_calendar, accounts
from tests.harness import BEGIN, Harness

NAMES = ("Alice", "Bob", "Charlie")
PARIS = ZoneInfo("Europe/Paris")
DAILY = Wish("pyramid", "Table", {}, every_hours=24)


def day(text: str) -> date:
    return date.fromisoformat(text)


def add(harness: Harness, who: str, first: str, last: str = "") -> Span:
    return absence_calendar.add_absence(
        harness.database, harness.player(who), day(first), day(last or first), now=harness.now
    )


def cancel(harness: Harness, who: str, first: str) -> Span:
    return absence_calendar.cancel_absence(
        harness.database, harness.player(who), day(first), now=harness.now
    )


def listed(harness: Harness, who: str) -> list[str]:
    with harness.database.read_tx() as session:
        return [
            f"{first} to {last}"
            for first, last in absence_calendar.list_absences(
                session, harness.player(who), harness.now
            )
        ]


def deadline(harness: Harness, uid: str) -> str:
    owed = harness.page(uid).card.deadline
    assert owed is not None
    return f"{owed:%m-%d %H:%M}"


def used(harness: Harness) -> dict[tuple[str, int], int]:
    """Return the days used by player and year, of all phases and matches."""
    names = {number: who for who, number in harness.people.items()}
    found: dict[tuple[str, int], int] = {}
    with harness.database.read_tx() as session:
        for row in session.exec(select(AbsenceUse)):
            found[names[row.player_id], row.year] = (
                found.get((names[row.player_id], row.year), 0) + row.days
            )
    return found


def notes(harness: Harness) -> list[str]:
    with harness.database.read_tx() as session:
        return [
            f"{row.who} {row.what}"
            for row in session.exec(select(MasterNote).order_by(MasterNote.id))
        ]  # type: ignore[arg-type]


# --- the calendar


def test_an_absence_is_kept_and_adding_it_again_changes_nothing(harness: Harness) -> None:
    for _ in range(2):
        assert add(harness, "Alice", "2026-12-20", "2027-01-03") == (
            day("2026-12-20"),
            day("2027-01-03"),
        )
    assert listed(harness, "Alice") == ["2026-12-20 to 2027-01-03"]
    assert listed(harness, "Bob") == []


def test_absences_that_overlap_become_one_and_others_stay_apart(harness: Harness) -> None:
    add(harness, "Alice", "2026-12-01", "2026-12-05")
    add(harness, "Alice", "2026-12-10", "2026-12-12")
    add(harness, "Alice", "2026-12-13", "2026-12-14")
    assert listed(harness, "Alice") == [
        "2026-12-01 to 2026-12-05",
        "2026-12-10 to 2026-12-12",
        "2026-12-13 to 2026-12-14",
    ]
    assert add(harness, "Alice", "2026-12-04", "2026-12-11") == (
        day("2026-12-01"),
        day("2026-12-12"),
    )
    assert listed(harness, "Alice") == ["2026-12-01 to 2026-12-12", "2026-12-13 to 2026-12-14"]


def test_a_cancelled_absence_is_gone_and_is_named_by_its_first_day_or_one_inside(
    harness: Harness,
) -> None:
    add(harness, "Alice", "2026-12-01", "2026-12-05")
    add(harness, "Alice", "2026-12-10", "2026-12-12")
    assert cancel(harness, "Alice", "2026-12-11") == (day("2026-12-10"), day("2026-12-12"))
    assert cancel(harness, "Alice", "2026-12-01") == (day("2026-12-01"), day("2026-12-05"))
    with pytest.raises(Refused, match="You have no absence on 2026-12-01"):
        cancel(harness, "Alice", "2026-12-01")
    assert listed(harness, "Alice") == []


def test_nobody_cancels_anothers_absence(harness: Harness) -> None:
    add(harness, "Alice", "2026-12-01")
    with pytest.raises(Refused):
        cancel(harness, "Bob", "2026-12-01")


def test_days_before_today_are_left_out_and_today_is_the_players(harness: Harness) -> None:
    harness.player("Kiri", zone="Pacific/Kiritimati")
    assert add(harness, "Alice", "2026-10-01", "2026-11-04") == (
        day("2026-11-02"),
        day("2026-11-04"),
    )
    assert add(harness, "Kiri", "2026-11-01", "2026-11-04") == (
        day("2026-11-03"),
        day("2026-11-04"),
    )
    harness.later(days=1)
    assert add(harness, "Alice", "2026-11-04", "2026-11-06") == (
        day("2026-11-02"),
        day("2026-11-06"),
    )
    harness.later(days=4)
    assert listed(harness, "Alice") == []


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ("2026-12-05", "2026-12-01", "ends on 2026-12-01, before it begins"),
        ("2026-10-01", "2026-11-01", "Those days are over"),
        ("2026-12-01", "2027-01-30", "at most 60 days; 2026-12-01 to 2027-01-30 is 61"),
        ("2028-11-20", "2028-11-25", "two years ahead"),
        ("0001-01-01", "9999-12-31", "at most 60 days"),
        ("9999-12-30", "9999-12-31", "two years ahead"),
    ],
)
def test_absurd_absences_are_refused_with_a_sentence(
    harness: Harness, first: str, last: str, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        add(harness, "Alice", first, last)
    assert listed(harness, "Alice") == []


def test_joined_absences_are_limited_like_one_and_so_is_their_number(harness: Harness) -> None:
    add(harness, "Alice", "2026-12-01", "2027-01-20")
    with pytest.raises(
        Refused, match="overlaps it would last 67 days, from 2026-12-01 to 2027-02-05"
    ):
        add(harness, "Alice", "2027-01-15", "2027-02-05")
    for month in range(1, 20):
        add(harness, "Alice", f"{2027 + month // 12}-{month % 12 + 1:02}-25")
    with pytest.raises(Refused, match="You have 20 absences ahead already"):
        add(harness, "Alice", "2026-11-20")
    assert add(harness, "Alice", "2027-01-20", "2027-01-22")[1] == day("2027-01-22")


@pytest.mark.parametrize(
    "text", ["", "tomorrow", "2026-02-30", "20.12.2026", "2026-12-20x", "２０２６-12-20"]
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is no day; write it like 2026-12-20"):
        absence_calendar.read_day(text)


def test_past_absences_are_erased_after_a_while(harness: Harness) -> None:
    add(harness, "Alice", "2026-11-02")
    assert absence_calendar.erase_past(harness.database, harness.later(days=30)) == 0
    assert absence_calendar.erase_past(harness.database, harness.later(days=1)) == 1


# --- what a match honours


@pytest.mark.parametrize(
    ("wish", "days"),
    [
        (DAILY, 21),
        (Wish("pyramid", "Table", {}, every_hours=12), 0),
        (Wish("pyramid", "Table", {}, timetable="20:00 Europe/Paris"), 21),
        (Wish("pyramid", "Table", {}, timetable="every 15 minutes"), 0),
        (Wish("pyramid", "Table", {}, timetable="every 15 minutes", absence_days=1), 1),
        (Wish("pyramid", "Table", {}, absence_days=0), 0),
        (Wish("pyramid", "Table", {}, every_seconds=40), 0),
    ],
)
def test_matches_with_phases_of_a_day_or_longer_honour_days_unless_they_say_otherwise(
    harness: Harness, wish: Wish, days: int
) -> None:
    uid = harness.prepare_match(wish, "Alice")
    with harness.database.read_tx() as session:
        assert [
            each.days
            for each in absences.list_honoured(session, harness.player("Alice"))
            if each.uid == uid
        ] == [days]


@pytest.mark.parametrize("days", [-1, 61])
def test_a_match_cannot_honour_more_days_than_there_is_sense_in(
    harness: Harness, days: int
) -> None:
    with pytest.raises(Refused, match="honours 0 to 60 days"):
        harness.prepare_match(Wish("pyramid", "Table", {}, absence_days=days), "Alice")


# --- deadlines


def test_the_deadline_of_a_phase_that_opens_moves_past_an_absence(harness: Harness) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-07")
    uid = harness.match(*NAMES, wish=DAILY)
    assert deadline(harness, uid) == "11-08 12:00"
    assert used(harness) == {("Bob", 2026): 5}
    assert notes(harness) == [
        "the service moved the deadline of Round 1 to Sun 8 Nov 2026 12:00 (UTC), past an absence"
    ]


def test_it_still_closes_as_soon_as_all_are_ready_and_not_before_the_new_deadline_otherwise(
    harness: Harness,
) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-07")
    uid = harness.match(*NAMES, wish=DAILY)
    harness.later(days=5)
    assert not harness.close(uid)
    for who in NAMES:
        harness.order(uid, who, "B1")
    assert harness.close(uid)


def test_a_match_that_honours_none_keeps_its_deadline(harness: Harness) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-07")
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_hours=24, absence_days=0))
    assert (deadline(harness, uid), used(harness), notes(harness)) == ("11-03 12:00", {}, [])


def test_the_days_used_are_counted_over_phases_until_none_are_left(harness: Harness) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-04")
    add(harness, "Bob", "2026-11-08", "2026-11-20")
    uid = harness.match(
        *NAMES, wish=Wish("pyramid", "Table", {}, every_hours=24, absence_days=4, grace_minutes=0)
    )
    assert deadline(harness, uid) == "11-05 12:00"
    for expected in ("11-06 12:00", "11-07 12:00", "11-10 12:00", "11-11 12:00"):
        harness.now = harness.page(uid).card.deadline or harness.now
        assert harness.close(uid)
        assert deadline(harness, uid) == expected
    assert used(harness) == {("Bob", 2026): 4}


def test_an_absence_set_after_the_deadline_was_announced_counts_from_the_next_phase(
    harness: Harness,
) -> None:
    uid = harness.match(*NAMES, wish=DAILY)
    add(harness, "Bob", "2026-11-03", "2026-11-06")
    assert deadline(harness, uid) == "11-03 12:00"
    with harness.database.read_tx() as session:
        (honoured,) = absences.list_honoured(session, harness.people["Bob"])
        (others,) = absences.list_honoured(session, harness.people["Alice"])
    assert (honoured.phase, honoured.deadline, honoured.left(2026)) == (
        "Round 1",
        BEGIN + timedelta(days=1),
        21,
    )
    assert (others.phase, others.deadline) == ("", None)
    harness.later(days=1, minutes=10)
    assert harness.close(uid)
    assert deadline(harness, uid) == "11-07 12:10"


def test_a_cancelled_absence_moves_nothing_more_and_what_moved_stays(harness: Harness) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-20")
    uid = harness.match(*NAMES, wish=DAILY)
    cancel(harness, "Bob", "2026-11-03")
    assert deadline(harness, uid) == "11-21 12:00"
    for who in NAMES:
        harness.order(uid, who, "B1")
    assert harness.close(uid)
    assert deadline(harness, uid) == "11-03 12:00"
    assert used(harness) == {("Bob", 2026): 18}


def test_two_players_who_are_away_in_turns_do_not_hold_up_a_match_for_ever(
    harness: Harness,
) -> None:
    for month in ("2026-11", "2026-12", "2027-01", "2027-02"):
        add(harness, "Alice", f"{month}-02", f"{month}-14")
        add(harness, "Bob", f"{month}-15", f"{month}-28")
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_hours=24, absence_days=10))
    assert deadline(harness, uid) == "11-13 12:00"
    harness.now = datetime(2026, 11, 13, 13, tzinfo=PARIS) + timedelta(minutes=10)
    assert harness.close(uid)
    assert deadline(harness, uid) == "11-14 12:10"
    assert used(harness) == {("Alice", 2026): 10}


def test_a_match_whose_players_are_all_away_waits_once_for_all_of_them(harness: Harness) -> None:
    for who in NAMES:
        add(harness, who, "2026-11-03", "2026-11-07")
    uid = harness.match(*NAMES, wish=DAILY)
    assert deadline(harness, uid) == "11-08 12:00"
    assert used(harness) == {(who, 2026): 5 for who in NAMES}


def test_days_are_those_of_each_players_zone(harness: Harness) -> None:
    # 14 hours ahead: its 4 November begins at 10:00 of the 3rd
    harness.player("Kiri", zone="Pacific/Kiritimati")
    add(harness, "Kiri", "2026-11-04")
    uid = harness.match("Kiri", "Bob", "Charlie", wish=DAILY)
    assert deadline(harness, uid) == "11-04 12:00"
    with harness.database.write_tx() as session:
        accounts.set_zone(session, harness.people["Kiri"], "Pacific/Pago_Pago")
    uid = harness.match("Kiri", "Bob", "Charlie", wish=DAILY)
    assert deadline(harness, uid) == "11-03 12:00"


def test_fixed_hours_move_on_to_the_next_of_them_and_days_off_cost_nothing(
    harness: Harness,
) -> None:
    add(harness, "Bob", "2026-11-02", "2026-11-10")
    uid = harness.match(
        *NAMES,
        wish=Wish(
            "pyramid", "Table", {}, timetable="20:00 Europe/Paris; not on weekends; not 2026-11-04"
        ),
    )
    assert deadline(harness, uid) == "11-11 19:00"
    assert used(harness) == {("Bob", 2026): 6}


def test_a_pause_uses_no_days_and_gives_none_back(harness: Harness) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-07")
    uid = harness.match(*NAMES, wish=DAILY)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    masters.resume_match(harness.database, uid, None, now=harness.later(days=3))
    assert deadline(harness, uid) == "11-11 12:00"
    assert used(harness) == {("Bob", 2026): 5}


def test_only_players_whose_seats_are_due_move_a_deadline(harness: Harness) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-10")
    uid = harness.match(
        "Alice", "Bob", wish=Wish("phoenix", "Table", {}, players=2, every_hours=24)
    )
    first = harness.page(uid, "Alice").owed is not None
    assert (deadline(harness, uid) == "11-03 12:00") == first
    assert (used(harness) == {}) == first


def test_in_an_anonymous_match_whoever_is_away_counts_so_the_deadline_tells_no_bot_from_a_person(
    harness: Harness,
) -> None:
    moved = []
    for bot in (False, True):
        uid = harness.prepare_match(
            Wish(
                "diplomacy",
                "Table",
                {"anonymous": True},
                every_hours=24,
                house=5 if bot else 0,
                seating="preference",
            ),
            "Alice",
            "Bob",
            *(() if bot else ("C", "D", "E", "F", "G")),
        )
        if not moved:
            add(harness, "Bob", "2026-11-03", "2026-11-07")
        assert harness.start_match(uid)
        moved.append(deadline(harness, uid))
        with harness.database.write_tx() as session:
            phase = session.exec(select(PhaseRow).order_by(col(PhaseRow.id).desc())).first()
            assert phase is not None
            bobs = session.exec(
                select(Seat).where(
                    Seat.match_id == phase.match_id, Seat.player_id == harness.people["Bob"]
                )
            ).one()
            phase.due = [name for name in phase.due if name != bobs.name]
            assert bobs.name in absences._waited_for(
                session, session.get_one(Match, phase.match_id), phase
            )
    assert moved == ["11-08 12:00", "11-08 12:00"]
    assert not any("Bob" in note for note in notes(harness))


# --- what is told


def reports(harness: Harness) -> dict[str, list[str]]:
    """Return the notes of all waiting reports by reader."""
    written = [letter for letter in harness.claim_waiting() if letter.kind == ReportLetter.KIND]
    return {letter.address.partition("@")[0]: letter.context["notes"] for letter in written}


def test_reports_tell_the_others_only_that_the_deadline_moved_past_an_absence(
    harness: Harness,
) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-07")
    add(harness, "Bob", "2026-11-20", "2026-11-29")
    uid = harness.match(*NAMES, wish=DAILY)
    told = reports(harness)
    assert (
        told["alice"] == told["charlie"] == ["The deadline of Round 1 was moved past an absence."]
    )
    own = (
        "The deadline of Round 1 was moved past your absence. Of the days that this match honours,"
        " 16 of 21 are left for 2026."
    )
    assert told["bob"] == [own]
    page = str(vars(harness.page(uid, "Alice")))
    assert "16 of 21" not in page and "11-20" not in page


def test_a_phase_without_absences_is_told_as_before(harness: Harness) -> None:
    harness.match(*NAMES, wish=DAILY)
    assert set(map(tuple, reports(harness).values())) == {()}


@pytest.mark.parametrize(
    ("progress", "anonymous", "whose"),
    [
        ("seats", False, "the absence of France and Russia"),
        ("count", False, "an absence"),
        ("none", False, "an absence"),
        ("seats", True, "an absence"),
    ],
)
def test_seats_are_told_only_where_the_match_shows_who_has_handed_in(
    harness: Harness, progress: str, anonymous: bool, whose: str
) -> None:
    add(harness, "Bob", "2026-11-03", "2026-11-07")
    add(harness, "Charlie", "2026-11-05", "2026-11-08")
    options = {"anonymous": True} if anonymous else {}
    wish = Wish("diplomacy", "T", options, every_hours=24, players=3, progress=progress)  # type: ignore[arg-type]
    uid = harness.prepare_match(replace(wish, seating=None if anonymous else "order"), *NAMES)
    assert harness.start_match(uid)
    assert notes(harness)[0].endswith(f", past {whose}")
    assert f"The deadline of Spring 1901 was moved past {whose}." in reports(harness)["alice"]


@pytest.mark.parametrize(
    ("progress", "expected"),
    [("none", "11-08 12:00"), ("count", "11-03 12:00"), ("seats", "11-03 12:00")],
)
def test_a_plan_needs_no_waiting_unless_nobody_may_know_who_has_handed_in(
    harness: Harness, progress: str, expected: str
) -> None:
    uid = harness.match(
        *NAMES, wish=Wish("pyramid", "Table", {}, every_hours=24, progress=progress)
    )  # type: ignore[arg-type]
    add(harness, "Bob", "2026-11-03", "2026-11-07")
    harness.order(uid, "Bob", "B1\nTHEN\nB2")
    for who in ("Alice", "Charlie"):
        harness.order(uid, who, "B1")
    assert harness.close(uid)
    assert deadline(harness, uid) == expected
