"""Moved deadlines: by exactly a pause or a span, off days without deadlines, and how much a pause
may give beyond its length.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from adjudicator.service.base.rows import by_uid, open_phase
from adjudicator.service.matches import masters, proposals, votes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import Ask
from adjudicator.service.phases import stamps
from tests.harness import Harness

PARIS = ZoneInfo("Europe/Paris")
PLAYERS = ("Alice", "Bob", "Charlie")
WEEKDAYS = "20:00 Europe/Paris; not on weekends"
OFFICE = "every 24 hours Europe/Paris; between 12:00 and 20:00; not on weekends"
HOUR = timedelta(hours=1)


def match(
    harness: Harness,
    timetable: str,
    at: str,
    *,
    vote_rule: str = "majority",
    extension: int | None = None,
) -> str:
    """Return a match of Alice, its master, and two others; `at` is its first moment, in Paris."""
    harness.now = datetime.fromisoformat(at).replace(tzinfo=PARIS)
    return harness.match(
        *PLAYERS,
        wish=Wish(
            "pyramid",
            "Table",
            {},
            timetable=timetable,
            vote_rule=vote_rule,
            extension_hours=extension,
        ),
    )


def deadline(harness: Harness, uid: str) -> datetime:
    found = harness.page(uid).card.deadline
    assert found is not None
    return found


def told(at: datetime) -> str:
    return f"{at.astimezone(PARIS):%a %m-%d %H:%M:%S}"


def propose(harness: Harness, uid: str, ask: Ask, *, voters: int) -> None:
    """Have the players agree, of whom the first `voters` vote yes."""
    answer = votes.propose(harness.database, uid, harness.people["Alice"], ask, now=harness.now)
    for who in PLAYERS[1:voters]:
        with harness.database.read_tx() as session:
            row = by_uid(session, uid)
            standing = proposals.standing_proposals(
                session, row, open_phase(session, row), harness.now
            )
        answer = votes.vote(
            harness.database,
            uid,
            harness.people[who],
            standing[0].id or 0,
            yes=True,
            now=harness.now,
        )
    assert answer.acted, answer.sentence


def pause(
    harness: Harness, uid: str, length: timedelta, *, by: str = "host", voters: int = 2
) -> None:
    """Pause a match for a while: by the host, by a player who runs it, or by the votes of so
    many.
    """
    who = None if by == "host" else harness.people.get(by)
    if by == "votes":
        propose(harness, uid, Ask("pause"), voters=voters)
    else:
        assert masters.pause_match(harness.database, uid, who, now=harness.now).acted
    harness.now += length
    masters.resume_match(harness.database, uid, None, now=harness.now)


def extend(harness: Harness, uid: str, span: timedelta) -> None:
    propose(harness, uid, Ask("extend", deadline(harness, uid) + span), voters=2)


def move(harness: Harness, uid: str, span: timedelta) -> None:
    masters.move_deadline(harness.database, uid, None, span, now=harness.now)


def fail(harness: Harness, uid: str, span: timedelta) -> None:
    """Have the service be down before the deadline for so long."""
    before = deadline(harness, uid)
    with harness.database.write_tx() as session:
        for minute in range(-121, 1, 1):
            at = before + timedelta(minutes=minute) - (span if minute < 0 else timedelta(0))
            for role in (*stamps.DOORS, stamps.WORKER):
                stamps.write_stamp(session, role, at)
    harness.now = before + timedelta(minutes=10)
    assert not harness.close(uid)


MOVES: dict[str, Callable[[Harness, str, timedelta], None]] = {
    "pause": pause,
    "vote": extend,
    "master": move,
    "outage": fail,
}


@pytest.mark.parametrize(
    ("timetable", "opened", "by", "wanted"),
    [
        (WEEKDAYS, "2026-11-02 13:00", timedelta(minutes=20), "Mon 11-02 20:20:00"),
        (WEEKDAYS, "2026-11-02 13:00", timedelta(hours=5), "Tue 11-03 01:00:00"),
        (WEEKDAYS, "2026-11-05 21:00", timedelta(hours=12), "Mon 11-09 08:00:00"),
        (OFFICE, "2026-11-02 18:00", timedelta(hours=4), "Tue 11-03 22:00:00"),
        ("every 24 hours", "2026-11-06 13:00", timedelta(hours=12), "Sun 11-08 01:00:00"),
    ],
)
def test_each_move_by_a_span_is_exact_and_passes_over_days_off(
    harness: Harness, timetable: str, opened: str, by: timedelta, wanted: str
) -> None:
    for name, act in MOVES.items():
        uid = match(harness, timetable, opened)
        act(harness, uid, by)
        assert told(deadline(harness, uid)) == wanted, name


def test_a_pause_of_seconds_moves_a_fixed_hour_by_seconds_and_the_next_phase_returns_to_it(
    harness: Harness,
) -> None:
    uid = match(harness, WEEKDAYS, "2026-11-02 13:00")
    for _ in range(3):
        pause(harness, uid, timedelta(seconds=20), by="votes")
    assert told(deadline(harness, uid)) == "Mon 11-02 20:01:00"
    harness.now = deadline(harness, uid) + timedelta(minutes=11)
    assert harness.close(uid) and told(deadline(harness, uid)) == "Tue 11-03 20:00:00"


def test_an_hour_is_left_after_a_pause_that_began_past_the_deadline(harness: Harness) -> None:
    uid = match(harness, WEEKDAYS, "2026-11-02 13:00")
    harness.now = deadline(harness, uid) + timedelta(minutes=3)
    pause(harness, uid, timedelta(minutes=2))
    assert deadline(harness, uid) == harness.now + HOUR


def test_a_day_of_more_time_from_a_friday_is_asked_for_once_and_uses_what_votes_may_give(
    harness: Harness,
) -> None:
    uid = match(harness, WEEKDAYS, "2026-11-06 13:00", extension=24)
    friday = deadline(harness, uid)
    extend(harness, uid, 24 * HOUR)
    assert told(deadline(harness, uid)) == "Mon 11-09 20:00:00"
    again = votes.propose(
        harness.database,
        uid,
        harness.people["Bob"],
        Ask("extend", friday + 24 * HOUR),
        now=harness.now,
    )
    assert "nothing was changed" in again.sentence
    with harness.database.read_tx() as session:
        row = by_uid(session, uid)
        phase = open_phase(session, row)
        assert phase is not None
        room = proposals.extension_room(session, row, phase)
    assert (room.start, room.end) == (friday, deadline(harness, uid))


def test_a_moment_that_a_master_names_stays_and_the_form_counts_from_the_deadline_it_shows(
    harness: Harness,
) -> None:
    uid = match(harness, WEEKDAYS, "2026-11-06 13:00")
    friday = deadline(harness, uid)
    for _ in range(2):
        masters.move_deadline(harness.database, uid, None, 24 * HOUR, now=harness.now, since=friday)
        assert told(deadline(harness, uid)) == "Mon 11-09 20:00:00"
    masters.move_deadline(harness.database, uid, None, friday + 24 * HOUR, now=harness.now)
    assert told(deadline(harness, uid)) == "Sat 11-07 20:00:00"


@pytest.mark.parametrize(
    ("by", "rule", "voters", "minutes"),
    [
        ("Alice", "majority", 0, 120),  # she plays
        ("votes", "majority", 2, 120),
        ("votes", "all", 3, 3 * 59),
        ("host", "majority", 0, 3 * 59),
    ],
)
def test_what_pauses_gain_counts_as_more_time_by_vote(
    harness: Harness, by: str, rule: str, voters: int, minutes: int
) -> None:
    uid = match(harness, "20:00 Europe/Paris", "2026-11-02 13:00", vote_rule=rule, extension=2)
    first = deadline(harness, uid)
    for _ in range(3):
        harness.now = deadline(harness, uid) - timedelta(seconds=60)
        pause(harness, uid, timedelta(seconds=60), by=by, voters=voters)
    gained = deadline(harness, uid) - first - timedelta(seconds=3 * 60)
    assert gained == timedelta(minutes=minutes), (
        "an hour is left each time, while votes could give it"
    )
    with harness.database.read_tx() as session:
        row = by_uid(session, uid)
        phase = open_phase(session, row)
        assert phase is not None
        left = proposals.extension_room(session, row, phase).end - deadline(harness, uid)
    assert left == (timedelta(0) if minutes == 120 else 2 * HOUR), (
        "what has no cap takes nothing from votes"
    )
