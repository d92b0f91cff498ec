"""Checkpoints and witnesses under concurrency, on SQLite and PostgreSQL: one worker extends the
tree, and a witness never cosigns two.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlmodel import col, func, select

from adjudicator.platform.db import Database
from adjudicator.seal import merkle, notes
from adjudicator.seal.checkpoints import AddCheckpoint, Checkpoint
from adjudicator.seal.notes import COSIGNATURE, SIGNATURE, NoteSigner, SignedNote
from adjudicator.service.base.tables import (
    LogCheckpoint,
    LogCosignature,
    LogEntry,
    LogPlace,
    LogWitness,
    PublicLog,
    WitnessedLog,
)
from adjudicator.service.checkpoints import cosigning, growing, reading, witnessing
from adjudicator.service.checkpoints.cosigning import WitnessAnswer
from adjudicator.service.checkpoints.peers import Peers, Witness
from tests.harness import Harness
from tests.service.logs import append, checkpoint, grow, match_with_log
from tests.service.test_checkpoints import check
from tests.service.test_handover_kills import kill_at
from tests.service.test_races import at_once

LOG = NoteSigner("c.example/log", SIGNATURE, bytes(32))
PEERS = Peers((), (LOG.verifier,))
LEAVES = [merkle.hash_leaf(bytes([number])) for number in range(40)]
OTHERS = [*LEAVES[:5], *[merkle.hash_leaf(b"x" + bytes([number])) for number in range(35)]]


@pytest.fixture
def logging(harness: Harness) -> Harness:
    """A harness whose worker has started once, on each database."""
    growing.begin_log(harness.database, harness.keyring, "play.example.org/log", now=harness.now)
    return harness


def on_its_own(harness: Harness, work: Callable[[Database], object]) -> Callable[[], object]:
    """Return the work as another process does it, with connections of its own."""

    def run() -> object:
        database = Database(harness.database.engine.url.render_as_string(hide_password=False))
        try:
            return work(database)
        finally:
            database.engine.dispose()

    return run


def test_many_workers_at_once_extend_the_tree_once(logging: Harness) -> None:
    uid = match_with_log(logging, 250)
    for more in (0, 20, 300):
        append(logging, uid, more)
        grown = at_once(
            *[
                on_its_own(
                    logging, lambda db: growing.grow_log(db, logging.keyring, now=logging.now)
                )
            ]
            * 5
        )
        assert sorted(grown) == [False] * 4 + [True]
        check(logging, checkpoint(logging))


def test_entries_that_are_written_meanwhile_get_their_place_once(logging: Harness) -> None:
    uids = [match_with_log(logging, 3) for _ in range(3)]
    works = [
        on_its_own(logging, lambda db: growing.grow_log(db, logging.keyring, now=logging.now))
    ] * 3
    at_once(*works, *[lambda uid=uid: append(logging, uid, 5) for uid in uids])
    check(logging, grow(logging))
    with logging.database.read_tx() as session:
        assert (
            session.exec(select(func.count()).select_from(LogPlace)).one()
            == session.exec(select(func.count(LogEntry.id))).one()
        )


@pytest.mark.both_databases
def test_all_processes_of_a_worker_begin_the_log_and_name_the_witnesses_at_once(
    harness: Harness,
) -> None:
    keys = [
        NoteSigner(f"w{number}.example/w", COSIGNATURE, bytes([number]) * 32).verifier
        for number in range(4)
    ]
    peers = Peers(
        tuple(Witness(f"https://w{number}.example/w", key) for number, key in enumerate(keys)), ()
    )

    def start(database: Database) -> None:
        growing.begin_log(database, harness.keyring, "play.example.org/log", now=harness.now)
        cosigning.name_witnesses(database, peers, now=harness.now)

    at_once(*[on_its_own(harness, start)] * 6)
    with harness.database.read_tx() as session:
        assert len(session.exec(select(PublicLog)).all()) == 1
        assert sorted(session.exec(select(LogWitness.witness))) == sorted(map(str, keys))


@pytest.mark.parametrize("point", ["checkpoint.before_commit", "checkpoint.after_commit"])
def test_a_worker_killed_between_the_tiles_and_the_checkpoint_leaves_neither_or_both(
    logging: Harness, point: str
) -> None:
    uid = match_with_log(logging, 255)
    grow(logging)
    append(logging, uid, 3)
    for _ in range(2):
        kill_at(logging, point, lambda db: growing.grow_log(db, logging.keyring, now=logging.now))
        with logging.database.read_tx() as session:
            size = session.exec(select(func.max(LogCheckpoint.size))).one()
            assert (
                session.exec(select(PublicLog.size)).one()
                == size
                == session.exec(select(func.count()).select_from(LogPlace)).one()
            )
            assert (
                sum(len(reading.read_tile(session, 1, 0, index)) for index in range(2)) == 32 * size
            )
        append(logging, uid, 1)
    check(logging, grow(logging))


# --- two requests to a witness at once


def tree(leaves: list[bytes]) -> merkle.ReadTile:
    tiles = merkle.add_leaves(lambda *_: b"", 0, leaves)
    return lambda level, index: tiles.get((level, index), b"")


def asked(leaves: list[bytes], old: int, size: int) -> bytes:
    """Return the request of the log for a cosignature of its first `size` leaves."""
    read = tree(leaves)
    text = Checkpoint(LOG.name, size, merkle.tree_root(read, size)).text
    note = SignedNote.read(notes.write_note(text, [LOG.sign(text)]).encode())
    return str(AddCheckpoint(old, tuple(merkle.prove_consistency(read, old, size)), note)).encode()


def answered(witness: Harness, body: bytes) -> Callable[[], object]:
    """Return what stores a request as the site does and has a worker answer it; its status and
    body.
    """

    def run(database: Database) -> tuple[int, str]:
        uid = witnessing.request_cosignature(database, PEERS, body, now=witness.now)
        assert isinstance(uid, str)
        witnessing.answer_request(database, witness.keyring, PEERS, uid, now=witness.now)
        answer = witnessing.fetch_answer(database, uid)
        assert answer is not None
        return answer.status, answer.body

    return on_its_own(witness, run)


@pytest.mark.parametrize("old", [0, 5])
def test_of_two_trees_that_fork_a_witness_cosigns_one_whatever_the_race(
    logging: Harness, old: int
) -> None:
    if old:
        assert answered(logging, asked(LEAVES, 0, old))()[0] == 200  # type: ignore[index]
    bodies = [asked(leaves, old, size) for leaves in (LEAVES, OTHERS) for size in (9, 9, 20, 33)]
    told = at_once(*[answered(logging, body) for body in bodies])
    assert sorted(status for status, _ in told)[0] == 200
    with logging.database.read_tx() as session:
        known = session.get_one(WitnessedLog, LOG.name)
    both = {merkle.tree_root(tree(leaves), known.size) for leaves in (LEAVES, OTHERS)}
    assert known.root in both and len(both) == 2
    won = LEAVES if known.root == merkle.tree_root(tree(LEAVES), known.size) else OTHERS
    cosigned = [body for body, (status, _) in zip(bodies, told, strict=True) if status == 200]
    assert all(body in {asked(won, old, size) for size in (9, 20, 33)} for body in cosigned), (
        "the other tree got no cosignature at all"
    )
    assert {status for status, _ in told} <= {200, 409}


def test_one_request_is_answered_once_by_two_workers(logging: Harness) -> None:
    uid = witnessing.request_cosignature(
        logging.database, PEERS, asked(LEAVES, 0, 9), now=logging.now
    )
    assert isinstance(uid, str)
    work = on_its_own(
        logging,
        lambda db: witnessing.answer_request(db, logging.keyring, PEERS, uid, now=logging.now),
    )
    assert sorted(at_once(*[work] * 4)) == [False, False, False, True]


def test_one_witness_is_asked_once_by_two_workers(logging: Harness) -> None:
    key = NoteSigner("w.example/w", COSIGNATURE, bytes(32))
    peers = Peers((Witness("https://w.example/w", key.verifier),), ())
    cosigning.name_witnesses(logging.database, peers, now=logging.now)
    match_with_log(logging, 9)
    head, posted = grow(logging).head, list[str]()

    def ask(_witness: Witness, body: str) -> WitnessAnswer:
        posted.append(body)
        return WitnessAnswer(200, body=key.cosign(head.text, 1).encode())

    with logging.database.read_tx() as session:
        (due,) = cosigning.due_witnesses(session, logging.now)
    work = on_its_own(
        logging,
        lambda db: cosigning.ask_witness(
            db, peers, due, ask, lambda: logging.now + timedelta(seconds=1)
        ),
    )
    assert sorted(at_once(*[work] * 4)) == [False, False, False, True] and len(posted) == 1
    with logging.database.read_tx() as session:
        assert (
            len(session.exec(select(LogCosignature).order_by(col(LogCosignature.size))).all()) == 1
        )
