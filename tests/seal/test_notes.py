"""Signed notes, checkpoints and requests to witnesses: the published examples, and what is
malformed.

The examples are those of C2SP: signed-note 1.0.0, tlog-checkpoint 1.0.0, and the texts of
tlog-cosignature (01194db1), tlog-tiles (0ad71eb1) and tlog-witness (055270b5). The key of the note
is that of golang.org/x/mod/sumdb/note.
"""

from base64 import b64decode, b64encode
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.seal import checkpoints, notes
from adjudicator.seal.checkpoints import AddCheckpoint, Checkpoint, TilePath, tile_of_tree
from adjudicator.seal.notes import (
    COSIGNATURE,
    SIGNATURE,
    NoteError,
    NoteSigner,
    SignedNote,
    VerifierKey,
)

PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETERS_SEED = b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
SAYING = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your"
    " problem is.\n"
)
PETER_SIGNED = (
    "— PeterNeumann"
    " x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)

POEM = """Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
"""
SOFA = """example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
"""
REQUEST = """old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
"""
ANSWER = """— witness.example/w1 CMp+6LWBU0anHGH5aNDTJkH/gj79sG+T6+iP2ThYN5krrDJbR1HDnucjL39QsZTSvVjyQLrdk3DXDqI5G2HgLatVs0pWh6Up69HVOw==
— witness.example/w1 I7rEps0pvK2UqkS2gSpVUDhrhVtQV9lgF6pRrWAvjJHjyWpW7VcE3SiOlVlbQNt64vWhO+DlkL0+UfzuOBMh9ChdMkP1vi/lCAsmlw==
— witness.example/w2 AWui8Sk55XjYLOijihBjhqEH6nS1ndDymE0a+6idX7pLcnoB+dhnz0854aLZgrrKbYKA7nC3HNJhm/kWl7oJlqU3rXXvpysAdyP3wQ==
"""
LOG, WITNESS = (
    NoteSigner("example.org/log", SIGNATURE, bytes(32)),
    NoteSigner("example.org/w", COSIGNATURE, bytes([1]) * 32),
)
HEAD = Checkpoint("example.org/log", 7, bytes(32))


def signed(*lines: str, text: str = HEAD.text) -> SignedNote:
    return SignedNote.read(notes.write_note(text, lines).encode())


def test_the_example_of_the_go_implementation_is_signed_and_verified_alike() -> None:
    key, signer = VerifierKey.read(PETER), NoteSigner("PeterNeumann", SIGNATURE, PETERS_SEED)
    assert str(key) == str(signer.verifier) == PETER and signer.sign(SAYING) == PETER_SIGNED
    note = SignedNote.read(notes.write_note(SAYING, [PETER_SIGNED]).encode())
    (found,) = note.verify([key])
    assert (note.text, found.key, found.line, found.seconds) == (SAYING, key, PETER_SIGNED, None)
    with pytest.raises(NoteError, match="PeterNeumann on that note is wrong"):
        replace(note, text=SAYING.replace("answer", "question")).verify([key])


def test_signed_note_format() -> None:
    """signed-note, Format: the text is separated by the last empty line and keeps those before
    it.
    """
    note = SignedNote.read(POEM.encode())
    assert note.text.endswith("\n\ned è subito sera.\n") and str(note) == POEM
    assert [(each.name, each.key_id.hex()) for each in note.signatures] == [
        ("quasimodo.example/salvatore", "367ba04b")
    ]


def test_tlog_checkpoint_note_text() -> None:
    note = SignedNote.read(SOFA.encode())
    head = Checkpoint.read(note.text)
    assert (head.origin, head.size, head.text) == (
        "example.com/behind-the-sofa",
        20852163,
        note.text,
    )


def test_tlog_cosignature_format() -> None:
    """The example's cosignature holds the time of the example's signed message, 1679315147."""
    *_, cosignature = SignedNote.read(SOFA.encode()).signatures
    assert (cosignature.name, len(cosignature.signature)) == ("witness.example.com/w1", 72)
    assert int.from_bytes(cosignature.signature[:8]) == 1679315147


def test_tlog_witness_add_checkpoint() -> None:
    request = AddCheckpoint.read(REQUEST.encode())
    assert (request.old, len(request.proof), Checkpoint.read(request.note.text).size) == (
        20852014,
        4,
        20852163,
    )
    assert str(request) == REQUEST
    assert [each.name for each in notes.read_signatures(ANSWER)] == ["witness.example/w1"] * 2 + [
        "witness.example/w2"
    ]


@pytest.mark.parametrize(
    ("path", "tile"),
    [
        ("0/x001/x234/067", TilePath(0, 1234067)),
        ("0/273.p/112", TilePath(0, 273, 112)),
        ("1/001.p/17", TilePath(1, 1, 17)),
        ("2/000.p/1", TilePath(2, 0, 1)),
        ("63/000", TilePath(63, 0)),
        ("entries/x001/000.p/255", TilePath(None, 1000, 255)),
    ],
)
def test_tlog_tiles_paths(path: str, tile: TilePath) -> None:
    assert str(tile) == path and TilePath.read(path) == tile


@pytest.mark.parametrize(
    "path",
    [
        "",
        "0/0",
        "00/000",
        "64/000",
        "0/x000/000",
        "0/000.p/0",
        "0/000.p/256",
        "0/000.p/07",
        "0/x001/067/",
        "0/001/067",
        "a/000",
        "-1/000",
        "0/000.p/",
        "0/٠٠٠",
        "0/" + "x001/" * 6 + "000",
        "entries/000\n",
    ],
)
def test_no_other_path_names_a_tile(path: str) -> None:
    with pytest.raises(NoteError):
        TilePath.read(path)


def test_a_tree_of_70_000_has_these_tiles_at_its_edge() -> None:
    found = [
        tile_of_tree(*place, 70_000)
        for place in ((0, 272), (0, 273), (0, 274), (1, 1), (1, 2), (2, 0), (3, 0))
    ]
    assert found == [
        TilePath(0, 272),
        TilePath(0, 273, 112),
        None,
        TilePath(1, 1, 17),
        None,
        TilePath(2, 0, 1),
        None,
    ]


@given(st.integers(0, 2**40), st.integers(1, 256), st.none() | st.integers(0, 63))
def test_every_path_of_a_tile_reads_back(index: int, width: int, level: int | None) -> None:
    assert TilePath.read(str(TilePath(level, index, width))) == TilePath(level, index, width)


# --- keys that sign and those that do not count


def test_a_cosignature_holds_its_time_and_counts_for_its_key_alone() -> None:
    note = signed(LOG.sign(HEAD.text), WITNESS.cosign(HEAD.text, 1679315147))
    assert [
        (each.key.name, each.seconds) for each in note.verify([WITNESS.verifier, LOG.verifier])
    ] == [
        ("example.org/log", None),
        ("example.org/w", 1679315147),
    ]
    other = NoteSigner(WITNESS.name, COSIGNATURE, bytes([2]) * 32)
    with pytest.raises(NoteError, match="No key"):
        note.verify([other.verifier])
    with pytest.raises(NoteError, match="No key"):  # the same key as one of another type
        note.verify([replace(WITNESS.verifier, kind=SIGNATURE)])


def test_a_wrong_signature_of_a_known_key_spoils_the_note() -> None:
    forged = NoteSigner(WITNESS.name, COSIGNATURE, WITNESS.private).cosign(HEAD.text + "more\n", 1)
    note = signed(LOG.sign(HEAD.text), forged)
    assert note.verify([LOG.verifier])
    with pytest.raises(NoteError, match=r"example\.org/w on that note is wrong"):
        note.verify([LOG.verifier, WITNESS.verifier])


def test_a_changed_time_spoils_a_cosignature() -> None:
    line = WITNESS.cosign(HEAD.text, 1000)
    blob = bytearray(b64decode(line.split(" ")[2]))
    blob[11] ^= 1
    moved = f"— {WITNESS.name} {b64encode(bytes(blob)).decode()}\n"
    with pytest.raises(NoteError, match="is wrong"):
        signed(moved).verify([WITNESS.verifier])


def test_a_key_does_only_its_own_kind_of_signature() -> None:
    for wrong in (lambda: WITNESS.sign("text\n"), lambda: LOG.cosign("text\n", 1)):
        with pytest.raises(ValueError, match="key"):
            wrong()


@pytest.mark.parametrize(
    "key",
    [
        "",
        "name",
        PETER[:-4],
        PETER.replace("c74f20a3", "c74f20a4"),
        PETER.replace("Peter", "Pieter"),
        PETER.replace("PeterNeumann", ""),
        PETER.replace("PeterNeumann", "Peter Neumann"),
        PETER.upper(),
        PETER + "\n",
        "ü",
    ],
)
def test_a_damaged_verifier_key_is_refused(key: str) -> None:
    with pytest.raises(NoteError):
        VerifierKey.read(key)


NO_NOTES = [
    b"",
    b"text\n",
    b"text\n\n",
    SOFA.encode()[:-1],
    SOFA.replace("—", "-").encode(),
    SOFA.replace("20852163", "2085\t2163").encode(),
    b"\xff" + SOFA.encode(),
    SOFA.replace("witness.example.com/w1 ", "witness.example.com/w1  ").encode(),
    (SOFA + "\n").encode(),
    SOFA.replace("witness.example.com/w1", "a+b").encode(),
    SOFA.replace("qnA==", "qnA=").encode(),
    SOFA.replace("qnA==", "qnB==").encode(),
    (SOFA + "— a AAAA\n").encode(),
    (SOFA + PETER_SIGNED * 70).encode(),
    b"a" * (notes.MOST_BYTES + 1),
]


@pytest.mark.parametrize("note", NO_NOTES, ids=range(len(NO_NOTES)))
def test_a_malformed_note_is_refused_with_a_sentence(note: bytes) -> None:
    with pytest.raises(NoteError) as told:
        SignedNote.read(note)
    assert str(told.value).endswith(".")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n1\n",
        "a\n01\nAAAA\n",
        f"a\n-1\n{b64encode(bytes(32)).decode()}\n",
        "a\n1\nAAAA\n",
        HEAD.text + "\n",
        HEAD.text.replace("7", str(2**63)),
        HEAD.text.replace("7", "٧"),
        "\n" + HEAD.text,
    ],
)
def test_a_malformed_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        Checkpoint.read(text)


NO_REQUESTS = [
    REQUEST.replace("old 20852014\n", ""),
    REQUEST.replace("old ", "old  "),
    REQUEST.replace("20852014", "020852014"),
    REQUEST.replace("old ", "size "),
    REQUEST.replace("PlRN", "PlR"),
    REQUEST.replace("old 20852014\n", "old 20852014\n" + "A" * 44 + "\n"),
    REQUEST.replace(
        "jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n",
        "jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n" * 61,
    ),
    "old 1\n\n",
    "",
    "ü" + REQUEST,
]


@pytest.mark.parametrize("body", NO_REQUESTS, ids=range(len(NO_REQUESTS)))
def test_a_malformed_request_is_refused(body: str) -> None:
    with pytest.raises(NoteError):
        AddCheckpoint.read(body.encode())


@settings(max_examples=300)
@given(
    st.binary(max_size=400)
    | st.text(alphabet="old 0123456789=\n—aA+/", max_size=200).map(str.encode)
)
def test_whatever_comes_is_read_or_refused(body: bytes) -> None:
    for read in (AddCheckpoint.read, SignedNote.read):
        try:
            assert str(read(body)).encode() == body
        except NoteError:
            continue


@given(
    st.integers(0, checkpoints.LARGEST), st.lists(st.binary(min_size=32, max_size=32), max_size=63)
)
def test_every_request_reads_back(old: int, proof: list[bytes]) -> None:
    request = AddCheckpoint(old, tuple(proof), signed(LOG.sign(HEAD.text)))
    assert AddCheckpoint.read(str(request).encode()) == request
