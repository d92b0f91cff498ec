"""The tree of all matches: places, tiles, checkpoints and proofs; a worker that is killed on the
way has published nothing half.
"""

from datetime import timedelta

import pytest
from sqlmodel import func, select

import verify_match
from adjudicator.seal import merkle
from adjudicator.seal.checkpoints import TilePath, tile_of_tree
from adjudicator.seal.crypto import verify_signature
from adjudicator.seal.notes import SignedNote, VerifierKey
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import LogCheckpoint, LogEntry, LogPlace, LogTile
from adjudicator.service.checkpoints import growing, reading
from adjudicator.service.checkpoints.reading import PublishedCheckpoint
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.harness import Harness
from tests.service.logs import append, checkpoint, grow, match_with_log, public_log
from tests.service.test_handover_kills import kill_at

ORIGIN = "play.example.org/log"


@pytest.fixture
def logging(harness: Harness) -> Harness:
    """A harness whose worker has started once."""
    growing.begin_log(harness.database, harness.keyring, ORIGIN, now=harness.now)
    return harness


def leaves(harness: Harness) -> list[str]:
    """Return the hash at each place of the tree, as the data tiles have them."""
    with harness.database.read_tx() as session:
        size, found = reading.newest_checkpoint(session), []
        for position in range(0, size.head.size if size else 0, 256):
            tile = tile_of_tree(0, position // 256, size.head.size if size else 0)
            bundle = (
                reading.published_tile(session, 1, TilePath(None, tile.index, tile.width))
                if tile
                else None
            )
            assert bundle is not None
            found += [bundle[at + 2 : at + 34].hex() for at in range(0, len(bundle), 34)]
            assert all(bundle[at : at + 2] == b"\x00\x20" for at in range(0, len(bundle), 34))
    return found


def check(harness: Harness, head: PublishedCheckpoint) -> None:
    """Hold a checkpoint against its signature, against its tree from the definition, and against
    the entries there are.
    """
    SignedNote.read(head.note.encode()).verify([VerifierKey.read(public_log(harness).log_key)])
    own = leaves(harness)
    with harness.database.read_tx() as session:
        assert sorted(own) == sorted(session.exec(select(LogEntry.hash)))
        assert own == list(session.exec(select(LogPlace.hash).order_by(LogPlace.position)))
    kept: dict[tuple[int, int], bytes] = merkle.add_leaves(
        lambda *_: b"", 0, [merkle.hash_leaf(bytes.fromhex(each)) for each in own]
    )
    assert head.head.root == merkle.tree_root(
        lambda level, index: kept.get((level, index), b""), len(own)
    )
    with harness.database.read_tx() as session:
        for (level, index), hashes in kept.items():
            assert reading.read_tile(session, 1, level, index) == hashes


def test_every_entry_gets_one_place_and_the_tree_grows_at_its_end(logging: Harness) -> None:
    uid, before = match_with_log(logging, 300), []
    for more in (0, 1, 250, 7):
        append(logging, uid, more)
        check(logging, grow(logging))
        now = leaves(logging)
        assert now[: len(before)] == before and len(now) > len(before)
        before = now


def test_an_entry_that_was_committed_late_gets_the_next_place(logging: Harness) -> None:
    """Ids are given at the insert and commit out of order: a checkpoint must not pass over those of
    an open transaction.
    """
    uid = match_with_log(logging, 5)
    with logging.database.write_tx() as session:
        match_id = by_uid(session, uid).id
        late = session.exec(
            select(LogEntry).where(LogEntry.match_id == match_id).order_by(LogEntry.index)
        ).all()[2]
        late_hash, kept = late.hash, late.model_dump()
        session.delete(late)
    grow(logging)
    with logging.database.write_tx() as session:
        session.add(LogEntry(**kept))
    logging.later(minutes=50)
    check(logging, grow(logging))
    assert leaves(logging)[-1] == late_hash


def test_a_checkpoint_is_due_ten_minutes_after_the_last_and_only_with_new_entries(
    logging: Harness,
) -> None:
    def due() -> bool:
        with logging.database.read_tx() as session:
            return growing.is_due(session, logging.now)

    assert not due() or leaves(logging) == []
    uid = match_with_log(logging)
    assert due()
    grow(logging)
    logging.later(minutes=11)
    assert not due()
    append(logging, uid)
    assert due()
    grow(logging)
    append(logging, uid)
    assert not due()
    logging.later(minutes=10)
    assert due()


def test_no_checkpoint_is_signed_without_new_entries(logging: Harness) -> None:
    match_with_log(logging)
    first = grow(logging)
    assert not growing.grow_log(logging.database, logging.keyring, now=logging.later(hours=1))
    assert checkpoint(logging) == first


def test_nothing_is_computed_again_from_the_beginning(
    logging: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = match_with_log(logging, 600)
    grow(logging)
    append(logging, uid, 2)
    hashed = []
    real = merkle.hash_leaf
    monkeypatch.setattr(merkle, "hash_leaf", lambda data: hashed.append(data) or real(data))
    grow(logging)
    assert len(hashed) == 2


def test_entries_older_than_an_hour_are_not_looked_at_again(logging: Harness) -> None:
    match_with_log(logging)
    grow(logging)
    assert public_log(logging).looked_from == logging.now - timedelta(hours=1)


def test_a_matchs_head_is_proven_to_be_in_the_newest_checkpoint(logging: Harness) -> None:
    other, uid = match_with_log(logging, 20), match_with_log(logging, 7)
    append(logging, other, 20)
    head = grow(logging)
    with logging.database.read_tx() as session:
        for each in (uid, other):
            match = by_uid(session, each)
            told = reading.prove_head(session, match)
            newest = session.exec(
                select(LogEntry.hash)
                .where(LogEntry.match_id == match.id)
                .order_by(LogEntry.index.desc())
            ).first()
            assert told is not None and newest is not None and told["note"] == head.note
            proof, index = [bytes.fromhex(step) for step in told["proof"]], int(str(told["index"]))
            root = verify_match.proven_root(bytes.fromhex(newest), index, head.head.size, proof)
            assert root == head.head.root
    append(logging, uid)
    with logging.database.read_tx() as session:
        # until the next checkpoint
        assert reading.prove_head(session, by_uid(session, uid)) is None


def test_a_tile_that_the_tree_does_not_have_yet_is_not_served(logging: Harness) -> None:
    match_with_log(logging, 300)
    size = grow(logging).head.size
    with logging.database.read_tx() as session:

        def served(level: int | None, index: int, width: int = 256) -> bytes | None:
            return reading.published_tile(session, 1, TilePath(level, index, width))

        assert (
            len(served(0, 0) or b"") == 8192
            and len(served(0, 0, 17) or b"") == 17 * 32
            and len(served(1, 0, 1) or b"") == 32
        )
        assert len(served(None, 1, size - 256) or b"") == (size - 256) * 34
        assert [
            served(0, 1, size - 255),
            served(0, 1),
            served(0, 2, 1),
            served(1, 0, 2),
            served(5, 0, 1),
            served(None, 9),
        ] == [None] * 6
        assert reading.published_tile(session, 2, TilePath(0, 0)) is None


def test_the_logs_keys_are_signed_and_follow_from_the_key_file(logging: Harness) -> None:
    own = public_log(logging)
    verify_signature(logging.keyring.public.signing, growing.log_hash(own), own.signature)
    log_key, witness_key = VerifierKey.read(own.log_key), VerifierKey.read(own.witness_key)
    assert (log_key.name, witness_key.name) == (
        ORIGIN,
        "play.example.org/witness",
    ) and log_key.public != witness_key.public
    growing.begin_log(
        logging.database, logging.keyring, "elsewhere.example.org/log", now=logging.now
    )
    assert public_log(logging).model_dump() == own.model_dump()


def test_a_log_that_has_never_begun_has_no_checkpoint(harness: Harness) -> None:
    match_with_log(harness)
    with harness.database.read_tx() as session:
        assert (
            not growing.is_due(session, harness.now) and reading.newest_checkpoint(session) is None
        )
    assert not growing.grow_log(harness.database, harness.keyring, now=harness.now)


@pytest.mark.parametrize("point", ["checkpoint.before_commit", "checkpoint.after_commit"])
def test_a_worker_killed_at_a_checkpoint_leaves_all_of_it_or_nothing(
    logging: Harness, point: str
) -> None:
    uid = match_with_log(logging, 260)
    first = grow(logging)
    append(logging, uid, 5)
    kill_at(
        logging,
        point,
        lambda database: growing.grow_log(database, logging.keyring, now=logging.now),
    )
    with logging.database.read_tx() as session:
        sizes = session.exec(select(LogCheckpoint.size).order_by(LogCheckpoint.size)).all()
        places, tiles = (
            session.exec(select(func.count()).select_from(LogPlace)).one(),
            session.exec(select(LogTile)).all(),
        )
    done = point == "checkpoint.after_commit"
    assert len(sizes) == 1 + done and places == sizes[-1] == checkpoint(logging).head.size and tiles
    second = grow(logging)
    check(logging, second)
    assert second.head.size == first.head.size + 5


def test_the_bundle_has_the_proof_of_its_head(logging: Harness) -> None:
    uid = match_with_log(logging)
    grow(logging)
    with logging.database.read_tx() as session:
        bundle = export_bundle(session, uid)
        assert bundle["checkpoint"] is not None and bundle["checkpoint"] == reading.prove_head(
            session, by_uid(session, uid)
        )
