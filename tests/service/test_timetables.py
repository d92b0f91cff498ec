"""Matches with a timetable: what is refused, when their phases end, what is said of it, and their
days off.
"""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import select

from adjudicator import catalogue
from adjudicator.platform.net.outside import CannotFetch
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Letter
from adjudicator.service.calendars.calendars import DaysOff
from adjudicator.service.matches import creation, timetables
from adjudicator.service.matches.creation import Wish
from tests.harness import Harness

PARIS = ZoneInfo("Europe/Paris")
GAME = "pyramid"
NOW = datetime(2026, 11, 23, 19, tzinfo=UTC)
ABOUT = catalogue.game(GAME).about


def wish(timetable: str, *, game: str = GAME, calendar: str = "") -> Wish:
    return Wish(
        game, "Table", {}, timetable=timetable, calendar=calendar, house=2 if game == GAME else 6
    )


def deadline(harness: Harness, uid: str) -> str:
    owed = harness.page(uid).card.deadline
    assert owed is not None
    return f"{owed.astimezone(PARIS):%a %m-%d %H:%M}"


def no_calendar(url: str, first: date) -> DaysOff:
    raise AssertionError("no calendar is asked for")


def test_phases_end_at_the_fixed_hours_of_the_makers_zone(harness: Harness) -> None:
    harness.player("alice", zone="Europe/Paris")
    uid = harness.match("alice", wish=wish("Mon Thu 20:00"))
    assert deadline(harness, uid) == "Mon 11-02 20:00"


def test_a_phase_that_closes_early_leaves_the_next_at_its_hour(harness: Harness) -> None:
    uid = harness.match("alice", wish=wish("20:00 Europe/Paris; at least 12 hours"))
    assert deadline(harness, uid) == "Tue 11-03 20:00"
    harness.now = datetime(2026, 11, 3, 21, 0, tzinfo=PARIS)
    assert harness.close(uid)
    assert deadline(harness, uid) == "Wed 11-04 20:00"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("every 48 hours", "2 days for each phase"),
        ("every 48 hours; not on weekends", "2 days for each phase, never on Saturdays or Sundays"),
        (
            "Mon Thu 20:00 Europe/Paris; holidays FR",
            (
                "the time to the next deadline, Mon Thu 20:00 Europe/Paris, not on public holidays"
                " (FR)"
            ),
        ),
        (
            "every 24 h Europe/Paris; between 8:00 and 16:00",
            "24 hours for each phase, between 08:00 and 16:00 Europe/Paris",
        ),
    ],
)
def test_a_timetable_is_told_in_words(harness: Harness, text: str, said: str) -> None:
    uid = harness.match("alice", wish=wish(text))
    assert harness.page(uid).card.rhythm == said


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "20:00 Europe/Paris; not before 2099-12-31",
            "first deadline would be on Thu 31 Dec 2099, more than 366 days from now",
        ),
        ("every 60 days; not before 2027-11-25", "first deadline would be on Thu 25 Nov 2027"),
        (
            "every 1 d; not 2027-01-01 to 2027-12-31; not 2028-01-01 to 2028-12-30",
            "From 2027-01-01 to 2028-12-30 no day is left",
        ),
        (
            (
                "every 1 d; not on weekends; not 2027-01-01 to 2027-12-31; not 2028-01-03 to"
                " 2028-12-29"
            ),
            "no day is left for a deadline",
        ),
    ],
)
def test_a_rule_that_never_comes_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        timetables.check_timetable(text, "UTC", ABOUT, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "every 60 days; not before 2027-11-20",
        "every 1 d; not 2027-01-01 to 2027-12-31; not 2028-01-02 to 2028-12-30",
    ],
)
def test_a_rule_that_comes_late_is_taken(text: str) -> None:
    timetables.check_timetable(text, "UTC", ABOUT, NOW)


def test_everybody_is_told_that_a_match_follows_a_calendar(harness: Harness) -> None:
    uid = harness.prepare_match(
        wish("20:00 Europe/Paris", calendar="https://club.example/days.ics"), "alice"
    )
    assert harness.page(uid).card.rhythm.endswith(
        "20:00 Europe/Paris, not on the days off of a calendar"
    )


def test_short_phases_have_a_pace_of_their_own_where_the_game_has_any() -> None:
    text = "Mon Thu 20:00 Europe/Paris; short every 24 hours"
    table = timetables.check_timetable(text, "UTC", catalogue.game("diplomacy").about, NOW)
    said = (
        "the time to the next deadline, Mon Thu 20:00 Europe/Paris (retreats and builds: every 24"
        " hours)"
    )
    assert (
        timetables.describe_timetable(table, catalogue.game("diplomacy").about.short_phases) == said
    )
    with pytest.raises(Refused, match="has no short phases"):
        timetables.check_timetable(text, "UTC", ABOUT, NOW)


@pytest.mark.parametrize(
    ("bad", "field", "sentence"),
    [
        (wish("sometimes"), "timetable", "does not read as a part of a timetable"),
        (
            wish("every 2 days; holidays XX"),
            "timetable",
            "The public holidays of “XX” are not known",
        ),
        (
            wish("every 2 days; holidays US-QQ"),
            "timetable",
            "The public holidays of “US-QQ” are not known",
        ),
        (wish("", calendar="https://club.example/days.ics"), "calendar", "needs a timetable"),
        (wish("every 2 days " + "x" * 2000), "timetable", "at most 2000 characters"),
        (wish("every 2 days", calendar="http://club.example/"), "calendar", "begin with https://"),
    ],
)
def test_what_no_match_can_follow_is_refused(
    harness: Harness, bad: Wish, field: str, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence) as caught:
        harness.prepare_match(bad, "alice")
    assert caught.value.field == field


def test_public_holidays_have_no_deadline(harness: Harness) -> None:
    uid = harness.prepare_match(wish("20:00 Europe/Paris; holidays FR"), "alice")
    assert timetables.refresh_days_off(harness.database, uid, no_calendar, now=harness.now)
    harness.now = datetime(2026, 11, 10, 20, 30, tzinfo=PARIS)
    assert harness.start_match(uid)
    assert deadline(harness, uid) == "Thu 11-12 20:00"  # 11 November is one


def test_a_calendar_is_read_again_each_day_and_an_unreadable_one_changes_nothing(
    harness: Harness,
) -> None:
    uid = harness.prepare_match(
        wish("20:00 Europe/Paris", calendar="webcal://club.example/days.ics"), "alice"
    )
    asked: list[str] = []

    def first(url: str, day: date) -> DaysOff:
        asked.append(url)
        return DaysOff(frozenset({date(2026, 11, 2), date(2026, 11, 3)}))

    def gone(url: str, day: date) -> DaysOff:
        raise CannotFetch("gone")

    timetables.refresh_days_off(harness.database, uid, first, now=harness.now)
    timetables.refresh_days_off(harness.database, uid, no_calendar, now=harness.now)
    assert asked == ["https://club.example/days.ics"]
    with harness.database.read_tx() as session:
        assert timetables.to_refresh(session, harness.now) == []
    assert harness.start_match(uid)
    assert deadline(harness, uid) == "Wed 11-04 20:00"
    with harness.database.read_tx() as session:
        assert timetables.to_refresh(session, harness.later(days=1, minutes=1)) == [uid]
    timetables.refresh_days_off(harness.database, uid, gone, now=harness.now)
    with harness.database.read_tx() as session:
        assert timetables.to_refresh(session, harness.now) == []
        assert timetables.to_refresh(session, harness.later(hours=1)) == [uid]
    assert deadline(harness, uid) == "Wed 11-04 20:00"


@pytest.mark.parametrize("read_before", [True, False])
def test_the_master_is_told_once_of_a_calendar_that_cannot_be_read(
    harness: Harness, *, read_before: bool
) -> None:
    def gone(url: str, day: date) -> DaysOff:
        raise CannotFetch("club.example answered 404 instead of the page.")

    def refresh(fetch: timetables.FetchDays) -> int:
        timetables.refresh_days_off(harness.database, uid, fetch, now=harness.later(days=1))
        with harness.database.read_tx() as session:
            return len(session.exec(select(Letter).where(Letter.kind == "seat")).all())

    uid = harness.prepare_match(
        wish("20:00 Europe/Paris", calendar="https://club.example/days.ics"), "alice"
    )
    if read_before:
        assert refresh(lambda url, day: DaysOff(frozenset())) == 0
    told = [refresh(gone) for _ in range(30)]
    assert told == [int(at >= (23 if read_before else 0)) for at in range(30)]
    assert refresh(lambda url, day: DaysOff(frozenset())) == 1 and [
        refresh(gone) for _ in range(24)
    ][-2:] == [1, 2]


def test_the_master_is_told_at_the_first_reading_what_is_not_understood(harness: Harness) -> None:
    uid = harness.prepare_match(
        wish("20:00 Europe/Paris", calendar="https://club.example/days.ics"), "alice"
    )
    read = DaysOff(frozenset({date(2026, 11, 2)}), ("“School trip” (its dates cannot be read)",))
    for _ in range(3):
        timetables.refresh_days_off(
            harness.database, uid, lambda url, day: read, now=harness.later(days=1)
        )
    (told,) = [each.context for each in harness.claim_waiting() if each.kind == "seat"]
    assert told["title"] == "A part of the calendar is not understood"
    assert "“School trip” (its dates cannot be read)" in str(told["lines"])


def test_one_process_fetches_at_a_time_and_no_match_begins_before_its_days_off_are_known(
    harness: Harness,
) -> None:
    uid = creation.make_match(
        harness.database,
        harness.player("alice"),
        wish("20:00", calendar="https://club.example/"),
        now=harness.now,
    )

    def meanwhile(url: str, first: date) -> DaysOff:
        assert not timetables.refresh_days_off(harness.database, uid, no_calendar, now=harness.now)
        with harness.database.read_tx() as session:
            assert timetables.to_refresh(session, harness.now) == []
        return DaysOff(frozenset())

    assert timetables.refresh_days_off(harness.database, uid, meanwhile, now=harness.now)
    assert timetables.refresh_days_off(harness.database, uid, no_calendar, now=harness.now)


def test_a_fetch_that_was_cut_off_is_done_again_once_its_lease_is_over(harness: Harness) -> None:
    uid = creation.make_match(
        harness.database,
        harness.player("alice"),
        wish("20:00", calendar="https://club.example/"),
        now=harness.now,
    )

    def killed(url: str, first: date) -> DaysOff:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        timetables.refresh_days_off(harness.database, uid, killed, now=harness.now)
    assert not timetables.refresh_days_off(
        harness.database, uid, no_calendar, now=harness.later(minutes=1)
    )
    assert timetables.refresh_days_off(
        harness.database, uid, lambda url, first: DaysOff(frozenset()), now=harness.later(minutes=1)
    )


def test_a_zone_with_an_old_name_is_kept(harness: Harness) -> None:
    harness.player("alice", zone="CET")
    uid = harness.match("alice", wish=wish("20:00"))
    assert harness.page(uid).card.rhythm == "the time to the next deadline, 20:00 CET"


def test_the_next_five_deadlines_are_previewed(harness: Harness) -> None:
    about = catalogue.game(GAME).about
    found = timetables.preview_deadlines(
        "20:00; not on weekends; holidays FR",
        "Europe/Paris",
        about,
        datetime(2026, 12, 22, 21, tzinfo=PARIS),
    )
    assert [f"{each.astimezone(PARIS):%a %m-%d}" for each in found] == [
        "Wed 12-23",
        "Thu 12-24",
        "Mon 12-28",
        "Tue 12-29",
        "Wed 12-30",
    ]


def test_a_match_from_before_timetables_keeps_its_lengths(harness: Harness) -> None:
    uid = harness.match("alice", wish=Wish(GAME, "Table", {}, every_hours=36, house=2))
    assert deadline(harness, uid) == "Wed 11-04 01:00"
    assert harness.page(uid).card.rhythm == "36 hours for each phase"


# --- a file of days off


def calendar_of(*days: str) -> bytes:
    """Return an .ics file with an event on each of these days."""
    events = "".join(
        f"BEGIN:VEVENT\r\nUID:{day}\r\nDTSTART;VALUE=DATE:{day}\r\nEND:VEVENT\r\n" for day in days
    )
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n{events}END:VCALENDAR\r\n".encode()


def test_a_files_days_become_part_of_the_timetable_once(harness: Harness) -> None:
    file = calendar_of("20261125", "20261126", "20270501")
    once, left = timetables.with_days_of("20:00 Europe/Paris;", file, NOW)
    assert not left
    assert (
        (once, "")
        == ("20:00 Europe/Paris; not 2026-11-25 to 2026-11-26; not 2027-05-01", "")
        == timetables.with_days_of(once, file, NOW)
    )
    uid = harness.prepare_match(wish(once), "alice")
    harness.now = datetime(2026, 11, 24, 20, 30, tzinfo=PARIS)
    assert harness.start_match(uid)
    assert deadline(harness, uid) == "Fri 11-27 20:00"


MANY = [f"2027{month:02}{day:02}" for month in range(1, 12) for day in range(1, 28, 2)]


@pytest.mark.parametrize(
    ("text", "file", "why"),
    [
        ("", calendar_of("20261125"), "needs a timetable"),
        ("20:00", b"<html>", "could not be read"),
        ("20:00", calendar_of(), "names no whole day off"),
        ("20:00", calendar_of("20250101"), "names no whole day off"),
        ("20:00", calendar_of(*MANY), "more days off than a timetable can hold"),
    ],
)
def test_a_file_that_no_timetable_can_follow_is_refused(text: str, file: bytes, why: str) -> None:
    with pytest.raises(Refused, match=why) as caught:
        timetables.with_days_of(text, file, NOW)
    assert caught.value.field == "calendar_file"


def test_what_of_a_file_is_not_understood_is_listed_and_the_rest_of_it_counts() -> None:
    todos = "".join(
        f"BEGIN:VTODO\r\nUID:t{number}\r\nSUMMARY:Task {number}\r\nEND:VTODO\r\n"
        for number in range(10)
    )
    file = calendar_of("20261125").replace(b"END:VCALENDAR", f"{todos}END:VCALENDAR".encode())
    text, left = timetables.with_days_of("20:00", file, NOW)
    assert (
        text == "20:00; not 2026-11-25"
        and "“Task 7” (only events have days off)" in left
        and left.endswith("and 2 entries more.")
    )
    with pytest.raises(
        Refused,
        match=(
            r"names no whole day off in the year ahead\. Of that calendar this was not understood"
        ),
    ):
        timetables.with_days_of("20:00", file.replace(b"20261125", b"20250101"), NOW)


def test_of_many_breaks_a_rhythm_tells_the_first() -> None:
    table = timetables.check_timetable(
        "; ".join(["20:00", *(f"not 2027-0{month}-01" for month in range(1, 8))]), "UTC", ABOUT, NOW
    )
    told = timetables.describe_timetable(table, "")
    assert (
        told.endswith("not from 2027-04-01 to 2027-04-01, nor in 3 more breaks")
        and "2027-05" not in told
    )


@pytest.mark.parametrize("begins", ["2026-11-06", "2027-03-26", "2026-10-23"])
def test_a_day_by_the_clock_lasts_a_day_whatever_summer_time_does(begins: str) -> None:
    now = datetime.fromisoformat(f"{begins} 12:00+00:00")
    for text in ("02:30 Europe/Paris", "20:00 Europe/Paris"):
        table = timetables.check_timetable(text, "UTC", catalogue.about("pyramid"), now)
        assert timetables.usual_length(table, now) == timedelta(days=1), text
