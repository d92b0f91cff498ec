"""Reminders: to those who owe and have handed in nothing, each once for a deadline, and found by an
index.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlmodel import col, select, update

from adjudicator.service.base import spans
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Match, PhaseRow, Player
from adjudicator.service.handover import leaving, substitutes
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders.readiness import say_readiness
from adjudicator.service.phases import closing, reminders
from tests.asked import asking
from tests.cast import address
from tests.harness import Harness
from tests.service.changing_hands import DAVE, lend, take
from tests.service.test_masters import context, open_phase, told

NAMES = ("Alice", "Bob", "Charlie")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match of three people in Round 1, due in two days, with the usual reminders."""
    return harness.match(*NAMES)


def remind(harness: Harness) -> int:
    """Send what is due, as the sweep does; return how many letters were written."""
    with harness.database.read_tx() as session:
        waiting = reminders.due_matches(session, harness.now)
    return sum(reminders.send_reminders(harness.database, uid, now=harness.now) for uid in waiting)


def test_they_come_a_day_and_three_hours_before_the_deadline_to_those_who_owe_only(
    harness: Harness, uid: str
) -> None:
    harness.order(uid, "Alice", "B3\nwait")
    harness.later(hours=24, seconds=-1)
    assert remind(harness) == 0
    harness.later(seconds=1)
    assert remind(harness) == 2 and told(harness, "reminder") == [
        address("Bob"),
        address("Charlie"),
    ]
    letter = context(harness, "reminder")
    assert letter["until"] is None if "until" in letter else True
    assert len(letter["owed"]["slots"]) == 1 and letter["owed"]["number"] == 1  # type: ignore[index, call-overload]
    harness.later(hours=1)
    assert remind(harness) == 0
    harness.order(uid, "Bob", "B3\nwait")
    harness.later(hours=20)
    assert remind(harness) == 1 and told(harness, "reminder").count(address("Charlie")) == 2
    harness.later(hours=2)
    assert remind(harness) == 0 and open_phase(harness, uid).remind_at is None


def test_one_that_would_fall_into_the_first_quarter_is_left_out(harness: Harness) -> None:
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_hours=31))
    deadline = open_phase(harness, uid).deadline
    assert deadline is not None and open_phase(harness, uid).remind_at == deadline - 3 * HOUR
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_hours=32))
    assert open_phase(harness, uid).remind_at == harness.now + 8 * HOUR, (
        "exactly at the end of the quarter"
    )
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_hours=3))
    assert open_phase(harness, uid).remind_at is None


def test_missed_ones_are_one_letter_and_none_comes_after_the_deadline(
    harness: Harness, uid: str
) -> None:
    harness.later(hours=46)
    assert remind(harness) == 3, "both were due, and no worker ran"
    assert remind(harness) == 0 and open_phase(harness, uid).remind_at is None
    other = harness.match(*NAMES)
    harness.later(hours=48)
    assert remind(harness) == 0 and open_phase(harness, other).remind_at is None


def test_they_follow_a_deadline_that_moves(harness: Harness, uid: str) -> None:
    harness.later(hours=24)
    assert remind(harness) == 3
    masters.move_deadline(harness.database, uid, None, DAY, now=harness.now)
    assert open_phase(harness, uid).remind_at == harness.now + DAY and remind(harness) == 0
    harness.later(hours=24)
    assert remind(harness) == 3, "once more, for the new deadline"
    masters.move_deadline(harness.database, uid, None, -20 * HOUR, now=harness.now)
    assert open_phase(harness, uid).remind_at == harness.now + HOUR


def test_a_pause_holds_them_and_a_match_that_goes_on_has_them_again(
    harness: Harness, uid: str
) -> None:
    harness.later(hours=20)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    harness.later(hours=10)
    assert remind(harness) == 0 and open_phase(harness, uid).remind_at is None
    masters.resume_match(harness.database, uid, None, now=harness.now)
    assert open_phase(harness, uid).remind_at == harness.now + 4 * HOUR
    closing.mark_stuck(harness.database, uid, "a fault", now=harness.now)
    harness.later(hours=20)
    assert remind(harness) == 0


def test_a_newcomer_is_reminded_until_handing_in_although_the_predecessors_orders_count(
    harness: Harness, uid: str
) -> None:
    harness.order(uid, "Charlie", "B3")
    leaving.resign(harness.database, uid, harness.people["Charlie"], now=harness.now)
    harness.later(hours=1)
    take(harness, uid, DAVE)
    harness.later(hours=24)
    assert remind(harness) == 3 and told(harness, "reminder")[-1] == address(DAVE)
    assert "The player before you handed in orders" in str(context(harness, "reminder")["note"])
    harness.order(uid, DAVE, "W2\nwait")
    harness.later(hours=21)
    assert remind(harness) == 2 and told(harness, "reminder").count(address(DAVE)) == 1


def test_who_has_the_seat_back_is_reminded_and_a_newcomer_who_is_content_is_not(
    harness: Harness, uid: str
) -> None:
    lend(harness, uid, "Charlie", DAVE, hours=10)
    harness.order(uid, DAVE, "B3\nwait")
    harness.later(hours=10)
    assert substitutes.return_seats(harness.database, uid, now=harness.now) == 1
    harness.later(hours=14)
    assert remind(harness) == 3 and address("Charlie") in told(harness, "reminder")
    say_readiness(harness.database, uid, harness.people["Charlie"], "ready", now=harness.now)
    harness.later(hours=21)
    assert remind(harness) == 2 and told(harness, "reminder").count(address("Charlie")) == 1


def test_no_overtime_begins_for_a_newcomer_whose_predecessors_orders_count(
    harness: Harness,
) -> None:
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, overtime_minutes=360))
    for who in NAMES:
        harness.order(uid, who, "B3\nwait")
    leaving.resign(harness.database, uid, harness.people["Charlie"], now=harness.now)
    take(harness, uid, DAVE)
    harness.later(hours=48, minutes=10)
    assert harness.close(uid)


def _no_letters(player: Player) -> None:
    player.letters = False


def _no_reminders(player: Player) -> None:
    player.reminders = False


def _bounces(player: Player) -> None:
    player.bounced_at = datetime.fromisoformat("2026-11-01T12:00:00+00:00")


def _guest(player: Player) -> None:
    player.address = None


@pytest.mark.parametrize("change", [_no_letters, _no_reminders, _bounces, _guest])
def test_who_wants_or_gets_no_letters_is_not_reminded(
    harness: Harness, uid: str, change: Callable[[Player], None]
) -> None:
    with harness.database.write_tx() as session:
        change(session.get_one(Player, harness.people["Bob"]))
    harness.later(hours=24)
    assert remind(harness) == 2 and told(harness, "reminder") == [
        address("Alice"),
        address("Charlie"),
    ]


def test_bots_and_those_who_said_ready_are_not_reminded(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", wish=Wish("pyramid", "Table", {}, house=1))
    say_readiness(harness.database, uid, harness.people["Alice"], "ready", now=harness.now)
    harness.later(hours=24)
    assert remind(harness) == 1 and told(harness, "reminder") == [address("Bob")]


def test_a_match_sets_its_own_or_none_and_one_from_before_has_none(harness: Harness) -> None:
    own = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, reminders=(600, 30)))
    assert open_phase(harness, own).remind_at == harness.now + 38 * HOUR
    none = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, reminders=()))
    assert open_phase(harness, none).remind_at is None
    with harness.database.write_tx() as session:
        session.exec(update(Match).values(reminders=[]))
    harness.order(own, "Alice", "B3\nwait")
    assert open_phase(harness, own).remind_at is None


def test_a_killed_task_and_two_at_once_remind_once(harness: Harness, uid: str) -> None:
    harness.later(hours=24)
    assert [reminders.send_reminders(harness.database, uid, now=harness.now) for _ in range(3)] == [
        3,
        0,
        0,
    ]


def test_a_clock_that_was_set_back_repeats_none(harness: Harness, uid: str) -> None:
    harness.later(hours=24, minutes=5)
    assert remind(harness) == 3
    harness.later(minutes=-10)
    harness.order(uid, "Alice", "B3\nwait")
    assert remind(harness) == 0
    harness.later(minutes=10)
    assert remind(harness) == 0


MATCHES = 3000


def test_many_matches_without_a_due_reminder_cost_one_look_into_an_index(
    harness: Harness, uid: str
) -> None:
    with harness.database.write_tx() as session:
        phase = session.exec(select(PhaseRow).where(col(PhaseRow.closed_at).is_(None))).one()
        match = session.exec(select(Match)).one()
        for number in range(MATCHES):
            session.add(
                copied := Match(**match.model_dump(exclude={"id", "uid"}), uid=f"m{number}")
            )
            session.flush()
            session.add(
                PhaseRow(**phase.model_dump(exclude={"id", "match_id"}), match_id=copied.id)
            )
    with asking(harness.database) as asked, harness.database.read_tx() as session:
        assert reminders.due_matches(session, harness.now) == []
    sql, values = next(each for each in asked if each[0].startswith("SELECT"))
    how = "EXPLAIN QUERY PLAN" if harness.database.engine.dialect.name == "sqlite" else "EXPLAIN"
    with harness.database.engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        plan = "\n".join(str(row[-1]) for row in connection.exec_driver_sql(f"{how} {sql}", values))  # type: ignore[arg-type]
    assert "ix_phase_remind_at" in plan, plan


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ("24 h, 3 h", (1440, 180)),
        ("3, 24", (1440, 180)),
        ("90 min", (90,)),
        ("1 day and 1 hour", (1440, 60)),
        ("", ()),
        ("none", ()),
    ],
)
def test_times_are_read_as_people_write_them(written: str, minutes: tuple[int, ...]) -> None:
    assert spans.read_reminders(spans.split_spans(written)) == minutes


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("soon", "“soon” does not read as a time"),
        ("2 min", "from 5 minutes to 14 days"),
        ("1,2,3,4,5,6", "at most 5"),
        ("99 d", "from"),
    ],
)
def test_times_that_are_none_are_refused(written: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        spans.read_reminders(spans.split_spans(written))
