"""Letters that come in: few may wait for each seat, seats are served in turn, and a closing waits
for those in time alone.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from sqlmodel import col, select, update

from adjudicator.service.base.tables import Incoming
from adjudicator.service.letters import incoming, receiving
from adjudicator.service.letters.incoming import UNSEATED_EACH
from adjudicator.service.letters.receiving import LARGEST, MOST_WAITING, Arrival, Full, Target
from adjudicator.service.matches.creation import Wish
from tests.harness import Harness

NAMES = ("Alice", "Bob", "Charlie")
RAW = b"Subject: x\r\n\r\nB3\r\n"


def begun(harness: Harness) -> tuple[str, list[Target]]:
    """Return a match whose last call is in an hour, and the targets of its seats."""
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_hours=1, grace_minutes=0))
    return uid, [
        Target("seat", seat.id, seat.match_id, tenure=seat.tenure) for seat in harness.seats(uid)
    ]


def store(harness: Harness, to: Target, raw: bytes = RAW, *, at: datetime | None = None) -> int:
    """Store a letter; return its id."""
    (uid,) = receiving.store_letters(
        harness.database, [Arrival(to, raw, at or harness.now, "smtp")]
    )
    with harness.database.read_tx() as session:
        return session.exec(select(Incoming.id).where(Incoming.uid == uid)).one() or 0


def read(harness: Harness, letter: int) -> None:
    """Note that a letter was read now."""
    with harness.database.write_tx() as session:
        session.exec(
            update(Incoming)
            .where(col(Incoming.id) == letter)
            .values(disposition="empty", read_at=harness.now)
        )


def served(harness: Harness, most: int = 100) -> Iterator[int]:
    """Read letters as they are listed, one of each list; yield their ids."""
    for _ in range(most):
        with harness.database.read_tx() as session:
            waiting = incoming.waiting_letters(session, harness.now)
        if not waiting:
            return
        harness.later(seconds=1)
        read(harness, waiting[0])
        yield waiting[0]


def test_few_letters_to_a_seat_may_wait_and_others_have_room_beside(harness: Harness) -> None:
    _, (one, other, _) = begun(harness)
    first, *_ = [store(harness, one) for _ in range(MOST_WAITING)]
    with pytest.raises(Full):
        store(harness, one)
    store(harness, other)
    store(harness, Target("service"))
    read(harness, first)
    store(harness, one)
    with pytest.raises(Full):
        store(harness, one)


def test_letters_to_a_seat_may_be_as_large_together_as_one(harness: Harness) -> None:
    _, (one, other, third) = begun(harness)
    store(harness, one, b"x" * LARGEST)
    with pytest.raises(Full):
        store(harness, one)
    store(harness, other, b"x" * (LARGEST - 100))
    store(harness, other, b"x" * 100)
    with pytest.raises(Full):
        store(harness, other, b"x")
    store(harness, third)
    with pytest.raises(Full):
        store(harness, third, b"x" * LARGEST)
    for _ in range(3):
        store(harness, Target("service"), b"x" * LARGEST)


def test_seats_are_served_in_turn_and_each_in_its_order(harness: Harness) -> None:
    _, (one, other, third) = begun(harness)
    many = [store(harness, one) for _ in range(4)]
    few = [store(harness, other) for _ in range(2)]
    late = store(harness, third)
    assert list(served(harness)) == [many[0], few[0], late, many[1], few[1], many[2], many[3]]


def test_a_seat_that_was_served_waits_for_one_whose_letters_are_newer(harness: Harness) -> None:
    _, (one, other, _) = begun(harness)
    old = [store(harness, one) for _ in range(2)]
    read(harness, old[0])
    new = store(harness, other)
    assert next(served(harness)) == new
    harness.later(minutes=2)
    newer = store(harness, other)
    assert list(served(harness)) == [
        old[1],
        newer,
    ], "by then it is the older letter that comes first"


def test_letters_to_no_match_are_mixed_in(harness: Harness) -> None:
    targets = [target for _ in range(2) for target in begun(harness)[1]]
    to_none = [store(harness, Target("service")) for _ in range(3)]
    to_seats = [store(harness, target) for target in targets]
    with harness.database.read_tx() as session:
        listed = incoming.waiting_letters(session, harness.now)
        assert listed == [
            *to_seats[:UNSEATED_EACH],
            to_none[0],
            *to_seats[UNSEATED_EACH:],
            *to_none[1:],
        ]
        assert incoming.waiting_letters(session, harness.now, most=5) == listed[:5]


def test_a_closing_reads_the_letters_that_were_in_time_alone(harness: Harness) -> None:
    uid, (one, other, third) = begun(harness)
    harness.later(minutes=59)
    in_time = [store(harness, one), store(harness, one)]
    harness.later(minutes=2)
    late = [store(harness, one), *(store(harness, other) for _ in range(3))]
    # fetched by IMAP, and came before
    in_time.append(store(harness, third, at=harness.now - timedelta(minutes=2)))
    seen = []
    while waiting := _of(harness, uid):
        assert not harness.close(uid), "the phase waits for each of them"
        seen += waiting
        for letter in waiting:
            read(harness, letter)
    assert seen == [in_time[0], in_time[2], in_time[1]] and harness.close(uid)
    with harness.database.read_tx() as session:
        assert set(
            session.exec(select(Incoming.id).where(col(Incoming.disposition).is_(None)))
        ) == set(late)


def test_a_letter_in_time_behind_a_late_one_is_read_in_its_place(harness: Harness) -> None:
    uid, (one, *_) = begun(harness)
    harness.later(minutes=61)
    late, in_time = store(harness, one), store(harness, one, at=harness.now - timedelta(minutes=2))
    assert _of(harness, uid) == [late]
    read(harness, late)
    assert _of(harness, uid) == [in_time] and not harness.close(uid)
    read(harness, in_time)
    assert _of(harness, uid) == [] and harness.close(uid)


def _of(harness: Harness, uid: str) -> list[int]:
    with harness.database.read_tx() as session:
        return incoming.waiting_of(session, uid, harness.now)
