"""How many statements the hot path asks of the database: a submission, the signing of receipts, the
closing of a phase, the beginning of a match.

On PostgreSQL each is a round trip. A higher number here is a choice to make, and to tell in
docs/performance.md.
"""

import time
from collections.abc import Callable
from functools import partial

import pytest

from adjudicator.service.letters import outbox
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.phases import batches, beginning
from adjudicator.service.posting import claims
from tests.asked import asking
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness

# of a submission: it is read, and written by one statement, on SQLite by one for each row; more
# where all others are ready: the phase is due now
SUBMISSION = {"postgresql": (2, 0), "sqlite": (6, 1)}
SIGNING, CLOSING, START = 14, 30, 35  # with BEGIN, which SQLite is sent as a statement
TOGETHER = 14  # for the receipts of several matches, whatever their number
# for closings at one deadline that one transaction writes, whatever their number
BATCH = 35

CLAIM, MARK = 16, 2  # of letters, whatever their number


def count(harness: Harness, work: Callable[[], object]) -> int:
    """Return how many statements a piece of work asks."""
    with asking(harness.database) as asked:
        work()
    return len(asked)


@pytest.mark.both_databases
def test_the_hot_path_asks_few_statements(harness: Harness) -> None:
    submission, last = SUBMISSION[harness.database.engine.dialect.name]
    uid = harness.match(ALICE, BOB, CHARLIE)
    for name in (ALICE, BOB, CHARLIE):  # as the site, which knows the session that asks
        harness.keychain.hold(harness.player(name), harness.enter(name))
    harness.order(uid, ALICE, "W2")
    harness.later(minutes=1)
    assert count(harness, lambda: harness.order(uid, ALICE, "B3")) <= submission
    harness.order(uid, BOB, "W2")
    harness.order(uid, CHARLIE, "W2")
    harness.later(minutes=1)
    assert count(harness, lambda: harness.order(uid, BOB, "B3")) <= submission + last
    assert (
        count(harness, lambda: receipts.sign_receipts(harness.database, harness.keyring)) <= SIGNING
    )
    assert count(harness, lambda: harness.close(uid)) <= CLOSING


@pytest.mark.both_databases
def test_a_batch_of_eight_asks_no_more_statements_than_one_of_four(harness: Harness) -> None:
    uids = [harness.match(ALICE, BOB, CHARLIE) for _ in range(batches.FIRST_WRITTEN)]
    asked = list[int]()
    for some in (uids, uids[:4]):
        harness.later(days=30)
        asked.append(count(harness, partial(_close_together, harness, some)))
    assert asked[0] <= asked[1] <= BATCH, asked


def _close_together(harness: Harness, uids: list[str]) -> None:
    closed = batches.close_phases(
        harness.database, harness.keyring, uids, now=harness.now, monotonic=time.monotonic
    )
    assert sorted(closed) == sorted(uids)


@pytest.mark.both_databases
def test_a_match_begins_by_few_statements_whatever_the_number_of_its_seats(
    harness: Harness,
) -> None:
    wishes = (
        Wish("pyramid", "Table", {}, house=1),
        Wish("diplomacy", "Table", {}, house=5),
    )
    uids = [harness.prepare_match(wish, ALICE, BOB) for wish in wishes]
    started = list[bool]()
    asked = [count(harness, lambda uid=uid: started.append(_start(harness, uid))) for uid in uids]  # type: ignore[misc]
    assert started == [True, True] and max(asked) <= START, asked


def _start(harness: Harness, uid: str) -> bool:
    return beginning.start_match(harness.database, harness.keyring, uid, now=harness.now)


@pytest.mark.both_databases
def test_receipts_of_many_matches_are_signed_together_by_few_statements(harness: Harness) -> None:
    uids = [harness.match(ALICE, BOB, CHARLIE) for _ in range(4)]
    for uid in uids:
        harness.order(uid, ALICE, "W2")
        harness.order(uid, BOB, "W2")
    asked = count(harness, lambda: receipts.sign_receipts(harness.database, harness.keyring))
    with harness.database.read_tx() as session:
        assert not receipts.any_unsigned(session)
    assert asked <= TOGETHER


@pytest.mark.both_databases
def test_many_letters_are_claimed_and_marked_by_few_statements(harness: Harness) -> None:
    for _ in range(4):
        harness.match(ALICE, BOB, CHARLIE)
    with harness.database.read_tx() as session:
        waiting = outbox.waiting_letters(session, harness.now)
    assert len(waiting) == 12
    claimed = list[LetterToSend]()
    asked = count(
        harness,
        lambda: claimed.extend(
            claims.claim_letters(harness.database, harness.keyring, waiting, harness.now)
        ),
    )
    assert len(claimed) == 12 and asked <= CLAIM
    assert count(harness, lambda: outbox.mark_sent(harness.database, claimed, harness.now)) <= MARK
