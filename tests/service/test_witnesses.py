"""Witnesses: two installations cosign each other's checkpoints; one that forks is found out by the
other; requests that are refused.
"""

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import select

from adjudicator.seal import merkle, notes
from adjudicator.seal.checkpoints import AddCheckpoint, Checkpoint
from adjudicator.seal.merkle import EMPTY_ROOT, hash_children, hash_leaf
from adjudicator.seal.notes import COSIGNATURE, SIGNATURE, NoteSigner, SignedNote, VerifierKey
from adjudicator.service.base.tables import (
    LogCheckpoint,
    LogCosignature,
    LogPlace,
    LogTile,
    LogWitness,
    WitnessDispute,
    WitnessedLog,
    WitnessRequest,
)
from adjudicator.service.checkpoints import cosigning, growing, reading, witnessing
from adjudicator.service.checkpoints.cosigning import WitnessAnswer
from adjudicator.service.checkpoints.peers import PeersError, Witness, read_peers
from tests.service.logs import (
    Installation,
    append,
    checkpoint,
    grow,
    installation,
    match_with_log,
    public_log,
    rewrite_entry,
)
from tests.service.test_handover_kills import kill_at

LOG, OTHER = (
    NoteSigner("c.example/log", SIGNATURE, bytes(32)),
    NoteSigner("c.example/log", SIGNATURE, bytes([1]) * 32),
)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Installation, Installation]:
    """Two installations, each named in the other's WITNESSES."""
    one, other = installation(tmp_path, "a.example"), installation(tmp_path, "b.example")
    one.configure(witnesses=other.entry)
    other.configure(witnesses=one.entry)
    return one, other


def asks(other: Installation) -> Callable[[Witness, str], WitnessAnswer]:
    """Return what posts a request to another installation."""
    return lambda witness, body: other.answer(body)


def trouble(one: Installation) -> list[str]:
    with one.database.read_tx() as session:
        return list(session.exec(select(LogWitness.trouble)))


def cosigned(one: Installation) -> list[str]:
    """Return the names of the keys whose signatures on the newest checkpoint verify, of those that
    are known.
    """
    own = public_log(one)
    keys = [VerifierKey.read(own.log_key), *(witness.key for witness in one.peers.witnesses)]
    return [each.key.name for each in SignedNote.read(checkpoint(one).note.encode()).verify(keys)]


def test_one_setting_on_each_side_makes_two_installations_each_others_witness(
    two: tuple[Installation, Installation],
) -> None:
    for one, other in (two, two[::-1]):
        uid = match_with_log(one)
        for more in (1, 300, 2):
            grow(one)
            assert cosigned(one) == [f"{one.name}/log"]
            assert one.collect(asks(other)) == 1 and one.collect(asks(other)) == 0
            assert cosigned(one) == [f"{one.name}/log", f"{other.name}/witness"] and trouble(
                one
            ) == [""]
            append(one, uid, more)


@pytest.mark.parametrize("entries", [9, 12])  # with 8 the old root is not in the proof
def test_a_log_that_forks_is_refused_and_both_say_so(
    two: tuple[Installation, Installation], entries: int
) -> None:
    one, other = two
    uid = match_with_log(one, 1)
    hashes = append(one, uid, entries)
    kept = grow(one)
    assert one.collect(asks(other)) == 1
    rebuild_with(one, hashes[1])
    append(one, uid, 3)
    forked = grow(one)
    assert one.collect(asks(other)) == 0
    assert (
        "422" in trouble(one)[0]
        and "does not follow" in trouble(one)[0]
        and cosigned(one) == ["a.example/log"]
    )
    with one.database.read_tx() as session:
        (standing,) = cosigning.list_witnesses(session)
    assert standing.refuses and standing.name == "b.example/witness"
    (found,) = disputes(other)
    request = AddCheckpoint.read(found.request.encode())
    assert (found.origin, found.proven, found.known, str(request.note)) == (
        "a.example/log",
        True,
        kept.own,
        forked.own,
    )
    # both are signed, and the proof leads from another root: anybody can check it
    request.note.verify(other.peers.logs)
    SignedNote.read(found.known.encode()).verify(other.peers.logs)
    assert merkle.shows_fork(
        kept.head.size, kept.head.root, forked.head.size, forked.head.root, request.proof
    )


def test_another_tree_of_the_same_size_is_a_proven_fork(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    hashes = append(one, match_with_log(one, 1), 3)
    grow(one)
    one.collect(asks(other))
    rebuild_with(one, hashes[1])
    forked = grow(one)
    assert (
        one.collect(asks(other)) == 0
        and "409" in trouble(one)[0]
        and "another root" in trouble(one)[0]
    )
    assert [(each.proven, forked.own in each.request) for each in disputes(other)] == [(True, True)]


def test_the_first_proof_of_a_fork_is_kept(two: tuple[Installation, Installation]) -> None:
    one, other = two
    uid = match_with_log(one, 1)
    hashes = append(one, uid, 8)
    grow(one)
    one.collect(asks(other))
    rebuild_with(one, hashes[1])
    grow(one)
    one.collect(asks(other))
    first = disputes(other)
    append(one, uid, 4)
    grow(one)
    one.later(hours=2)
    assert one.collect(asks(other)) == 0 and disputes(other) == first


def test_a_stranger_cannot_make_an_honest_log_look_forked(
    two: tuple[Installation, Installation],
) -> None:
    """Checkpoints are public: anybody can send one with a wrong proof, or an older one, and with
    lines of other keys.
    """
    one, other = two
    uid, notes_seen = match_with_log(one, 3), []
    for _ in range(4):
        append(one, uid, 3)
        notes_seen.append(grow(one))
        if len(notes_seen) == 2:
            one.collect(asks(other))
    old, known, *newer = notes_seen
    junk = f"— x.example/w {b64encode(bytes(40)).decode()}\n"
    for head in (old, known, *newer):
        for proof in ((), (bytes(32),), (known.head.root,), (bytes(32),) * 63):
            note = SignedNote.read((head.own + junk).encode())
            for size in (0, known.head.size, head.head.size):
                other.answer(str(AddCheckpoint(size, proof, note)))
    assert [each.proven for each in disputes(other)] == [False]
    assert junk not in disputes(other)[0].request and len(disputes(other)[0].request) < 4000
    one.later(hours=2)
    assert one.collect(asks(other)) == 1 and trouble(one) == [""]


def rebuild_with(one: Installation, entry: str) -> None:
    """Change an entry and forget the tree, as one who writes the whole database and has the key
    file.
    """
    with one.database.write_tx() as session:
        for table in (LogPlace, LogTile, LogCheckpoint, LogCosignature):
            for row in session.exec(select(table)):
                session.delete(row)
        rewrite_entry(session, entry)
        log = reading.growing_log(session)
        assert log is not None
        log.size, log.looked_from = 0, None
        for witness in session.exec(select(LogWitness)):
            witness.size = 0
    one.later(hours=2)


def disputes(witness: Installation) -> list[WitnessDispute]:
    with witness.database.read_tx() as session:
        return witnessing.list_disputes(session)


def test_a_log_that_was_restored_without_saying_so_is_told(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    match_with_log(one, 5)
    grow(one)
    with one.database.read_tx() as session:
        kept = [row.model_dump() for row in session.exec(select(LogCheckpoint))]
    uid = match_with_log(one, 5)
    grow(one)
    one.collect(asks(other))
    with one.database.write_tx() as session:
        for table in (LogCheckpoint, LogCosignature):
            for row in session.exec(select(table)):
                session.delete(row)
        session.flush()
        session.add_all(LogCheckpoint(**row) for row in kept)
        for witness in session.exec(select(LogWitness)):
            witness.size = 0
            session.add(witness)
    assert one.collect(asks(other)) == 0 and "sealed restored" in trouble(one)[0] and uid


def test_only_the_named_witnesss_cosignature_is_kept(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    match_with_log(one)
    head = grow(one).head
    stranger = NoteSigner("x.example/w", COSIGNATURE, bytes([7]) * 32)
    impostor = NoteSigner("b.example/witness", COSIGNATURE, bytes([7]) * 32)
    of_another = one_line_of(other, Checkpoint(head.origin, 99, head.root))
    for answer in (
        stranger.cosign(head.text, 1),
        impostor.cosign(head.text, 1),
        "",
        "nonsense\n",
        of_another,
    ):
        assert one.collect(lambda *_, said=answer: WitnessAnswer(200, "", said.encode())) == 0
        assert "no cosignature of its key" in trouble(one)[0]
        one.later(hours=2)
    both = stranger.cosign(head.text, 1) + one_line_of(other, head)
    assert one.collect(lambda *_: WitnessAnswer(200, "", both.encode())) == 1
    assert "x.example" not in checkpoint(one).note and cosigned(one) == [
        "a.example/log",
        "b.example/witness",
    ]


def one_line_of(other: Installation, head: Checkpoint) -> str:
    return growing.witness_signer(other.keyring, public_log(other)).cosign(head.text, 1700000000)


def test_a_witness_that_does_not_answer_is_asked_later_and_again(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    match_with_log(one)
    grow(one)
    assert one.collect(lambda *_: WitnessAnswer(0, why="b.example took too long to answer.")) == 0
    assert trouble(one) == ["b.example took too long to answer."] and one.collect(asks(other)) == 0
    one.later(seconds=31)
    assert one.collect(asks(other)) == 1 and trouble(one) == [""]


def test_a_witness_that_is_no_longer_named_is_not_asked(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    one.configure(witness_for=str(LOG.verifier))
    match_with_log(one)
    grow(one)
    assert one.collect(asks(other)) == 0 and trouble(one) == []


# --- what a witness refuses (tlog-witness, add-checkpoint)


def tree(*leaves: bytes) -> bytes:
    """Return the root over one or two leaves."""
    hashes = [hash_leaf(each) for each in leaves]
    return hashes[0] if len(hashes) == 1 else hash_children(*hashes)


ONE, TWO, FORK = (
    Checkpoint("c.example/log", 1, tree(b"a")),
    Checkpoint("c.example/log", 2, tree(b"a", b"b")),
    tree(b"x", b"b"),
)
STEP = (hash_leaf(b"b"),)


def request(old: int, proof: tuple[bytes, ...], head: Checkpoint, signer: NoteSigner = LOG) -> str:
    return str(
        AddCheckpoint(
            old,
            proof,
            SignedNote.read(notes.write_note(head.text, [signer.sign(head.text)]).encode()),
        )
    )


@pytest.fixture
def witness(tmp_path: Path) -> Installation:
    """A witness of one log that has cosigned a tree of one leaf."""
    made = installation(tmp_path, "w.example")
    made.configure(witness_for=f"{LOG.verifier}, {SECOND.verifier}")
    assert made.answer(request(0, (), ONE)).status == 200
    return made


SECOND = NoteSigner("e.example/log", SIGNATURE, bytes([2]) * 32)
# the log's own private key, as a witness's
AS_WITNESS = NoteSigner("c.example/log", COSIGNATURE, bytes(32))
REFUSED = [
    (400, request(1, STEP * 64, TWO)),
    (422, request(1, STEP * 63, TWO)),
    (403, request(1, STEP, TWO, SECOND)),
    (403, request(1, STEP, Checkpoint("e.example/log", 2, TWO.root), LOG)),
    (403, request(1, STEP, TWO).replace(LOG.sign(TWO.text), AS_WITNESS.cosign(TWO.text, 1))),
    (403, request(1, STEP, TWO) + LOG.sign(ONE.text)),
    (400, request(1, STEP, TWO) + "\n"),
    (404, request(1, STEP, TWO).replace("c.example/log\n2", "C.example/log\n2")),
    (409, request(0, (), Checkpoint("c.example/log", 0, EMPTY_ROOT))),
    (409, request(0, (), Checkpoint("c.example/log", 0, FORK))),
    (400, "nonsense"),
    (400, request(3, (), TWO)),
    (
        404,
        request(
            1,
            STEP,
            Checkpoint("d.example/log", 2, TWO.root),
            NoteSigner("d.example/log", SIGNATURE, bytes(32)),
        ),
    ),
    (403, request(1, STEP, TWO, OTHER)),
    (403, request(1, STEP, TWO).replace("\n2\n", "\n3\n")),
    (409, request(0, (), TWO)),
    (409, request(2, (), TWO)),
    (409, request(1, (), Checkpoint("c.example/log", 1, tree(b"x")))),
    (422, request(1, (), TWO)),
    (422, request(1, (hash_leaf(b"c"),), TWO)),
    (422, request(1, STEP, Checkpoint("c.example/log", 2, FORK))),
]


@pytest.mark.parametrize(
    ("status", "body"),
    REFUSED,
    ids=[f"{number}-{status}" for number, (status, _) in enumerate(REFUSED)],
)
def test_a_request_is_refused_as_the_specification_says(
    witness: Installation, status: int, body: str
) -> None:
    answer = witness.answer(body)
    assert answer.status == status and answer.body.endswith(b"\n")
    assert (
        (answer.kind, answer.body) == ("text/x.tlog.size", b"1\n")
        or status != 409
        or "old 1\n" in body
    )
    assert witness.answer(request(1, STEP, TWO)).status == 200  # nothing of it was remembered


def test_the_same_checkpoint_is_cosigned_again(witness: Installation) -> None:
    assert witness.answer(request(1, (), ONE)).status == 200
    key = VerifierKey.read(public_log(witness).witness_key)
    answer = witness.answer(request(1, STEP, TWO))
    (found,) = SignedNote(TWO.text, tuple(notes.read_signatures(answer.body.decode()))).verify(
        [key]
    )
    assert found.seconds == int(witness.now.timestamp())


def test_a_size_known_here_is_never_rolled_back(witness: Installation) -> None:
    assert witness.answer(request(1, STEP, TWO)).status == 200
    assert (
        witness.answer(request(1, (), ONE)).status,
        witness.answer(request(1, (), ONE)).body,
    ) == (409, b"2\n")
    assert witness.answer(request(0, (), Checkpoint("c.example/log", 0, EMPTY_ROOT))).body == b"2\n"


def test_what_a_site_stores_is_judged_again_by_the_worker(witness: Installation) -> None:
    """A process that writes the database can store any request: the worker relies on none."""
    for status, body in REFUSED:
        with witness.database.write_tx() as session:
            session.add(
                WitnessRequest(
                    uid="forged", body=body.encode(), made_at=witness.now, answered=False
                )
            )
        assert not witnessing.answer_request(
            witness.database, witness.keyring, witness.peers, "forged", now=witness.now
        )
        answer = witnessing.fetch_answer(witness.database, "forged")
        assert answer is not None and answer.status == status


def test_a_request_that_nobody_waits_for_is_erased(witness: Installation) -> None:
    asked = witnessing.request_cosignature(
        witness.database, witness.peers, request(1, STEP, TWO).encode(), now=witness.now
    )
    assert isinstance(asked, str) and witnessing.fetch_answer(witness.database, asked) is None
    later = witness.later(minutes=2)
    witnessing.request_cosignature(
        witness.database, witness.peers, request(1, STEP, TWO).encode(), now=later
    )
    with witness.database.read_tx() as session:
        assert asked not in session.exec(select(WitnessRequest.uid)).all()
        assert len(witnessing.unanswered_requests(session, now=later)) == 1


@pytest.mark.parametrize("point", ["witness.before_commit", "witness.after_commit"])
def test_a_witness_killed_while_it_cosigns_has_stored_what_it_answered(
    witness: Installation, point: str
) -> None:
    asked = witnessing.request_cosignature(
        witness.database, witness.peers, request(1, STEP, TWO).encode(), now=witness.now
    )
    assert isinstance(asked, str)
    kill_at(
        witness,
        point,
        lambda database: witnessing.answer_request(
            database, witness.keyring, witness.peers, asked, now=witness.now
        ),
    )
    with witness.database.read_tx() as session:
        known = session.get_one(WitnessedLog, "c.example/log").size
    answer = witnessing.fetch_answer(witness.database, asked)
    assert (known, answer is not None) == (
        (2, True) if point == "witness.after_commit" else (1, False)
    )
    assert witnessing.answer_request(
        witness.database, witness.keyring, witness.peers, asked, now=witness.now
    ) == (answer is None)


def test_a_worker_killed_before_it_stored_a_cosignature_gets_it_again(
    two: tuple[Installation, Installation],
) -> None:
    one, other = two
    match_with_log(one)
    grow(one)
    with one.database.read_tx() as session:
        (due,) = cosigning.due_witnesses(session, one.now)
    kill_at(
        one,
        "cosign.before_store",
        lambda database: cosigning.ask_witness(
            database, one.peers, due, asks(other), lambda: one.now
        ),
    )
    assert cosigned(one) == ["a.example/log"]
    one.later(minutes=2)
    assert one.collect(asks(other)) == 1 and cosigned(one) == ["a.example/log", "b.example/witness"]


# --- settings

KEY, LOG_KEY = (
    str(NoteSigner("b.example/witness", COSIGNATURE, bytes(32)).verifier),
    str(LOG.verifier),
)
MANY = [
    NoteSigner(f"w{number}.example/w", COSIGNATURE, bytes([number]) * 32).verifier
    for number in range(17)
]
WRONG = [
    ("WITNESSES", "https://b.example/witness", "must read ADDRESS KEY"),
    ("WITNESSES", f"https://[::1 {KEY}", "cannot be read"),
    ("WITNESSES", f"https://b.example:99999/witness {KEY}", "cannot be read"),
    ("WITNESSES", f"https://me:secret@b.example/witness {KEY}", "names neither a password"),
    ("WITNESSES", f"https://b.example/witness?x= {KEY}", "nor anything after its path"),
    ("WITNESSES", f"https://b\u00fccher.example/witness {KEY}", "in ASCII"),
    ("WITNESSES", f"ftp://b.example/witness {KEY}", "begins with https://"),
    ("WITNESSES", f"https:///witness {KEY}", "begins with https://"),
    *(
        ("WITNESSES", f"https://{host}/witness {KEY}", "is not on the public internet")
        for host in (
            "127.0.0.1",
            "10.0.0.7",
            "169.254.169.254",
            "[::1]",
            "[fd00::1]",
            "localhost",
            "[::ffff:10.0.0.1]",
        )
    ),
    ("WITNESSES", ",".join(f"https://b.example/witness {key}" for key in MANY), "at most 16"),
    ("WITNESSES", f"http://b.example/witness {KEY}", "begins with https://"),
    (
        "WITNESSES",
        f"https://b.example/witness {LOG_KEY}",
        "is a log’s, and a witness’s is to stand there",
    ),
    (
        "WITNESSES",
        f"https://b.example/witness {KEY} {KEY}",
        "is a witness’s, and a log’s is to stand there",
    ),
    (
        "WITNESSES",
        f"https://b.example/witness {KEY}, https://c.example {KEY}",
        "names a witness twice",
    ),
    ("WITNESSES", f"https://b.example/witness {KEY[:-4]}", "cannot be read"),
    ("WITNESS_FOR", "c.example/log", "cannot be read"),
    ("WITNESS_FOR", KEY, "is a witness’s"),
]


@pytest.mark.parametrize(("name", "value", "sentence"), WRONG)
def test_a_wrong_setting_is_named_with_what_would_be_right(
    name: str, value: str, sentence: str
) -> None:
    with pytest.raises(PeersError) as told:
        read_peers(
            **{"witnesses": "", "witness_for": ""} | {name.lower(): value}, on_this_machine=False
        )
    assert (
        str(told.value).startswith(name)
        and sentence in str(told.value)
        and "\n" not in str(told.value)
    )


def test_the_settings_name_witnesses_and_logs() -> None:
    read = read_peers(
        f"https://b.example/witness/ {KEY} {LOG_KEY} ,",
        f"{LOG_KEY},{OTHER.verifier}",
        on_this_machine=False,
    )
    assert read.witnesses == (Witness("https://b.example/witness", VerifierKey.read(KEY)),)
    assert (
        read.logs == (LOG.verifier, OTHER.verifier) == read.keys_of("c.example/log")
        and read.keys_of("b.example/log") == ()
    )


def test_only_an_installation_on_this_machine_asks_a_witness_on_this_machine() -> None:
    entry = f"http://localhost:8123/witness {KEY}"
    assert read_peers(entry, "", on_this_machine=True).witnesses
    with pytest.raises(PeersError):
        read_peers(entry, "", on_this_machine=False)
