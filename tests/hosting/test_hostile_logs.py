"""`sealed witness` against servers that mean harm: huge, slow, endless, garbled, redirecting; and a
log that signs nonsense.
"""

import itertools
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adjudicator.commands import witness
from adjudicator.hosting.watching import log_watch
from adjudicator.seal import merkle, notes
from adjudicator.seal.checkpoints import LARGEST, Checkpoint, TilePath
from adjudicator.seal.notes import SIGNATURE, NoteSigner
from tests.hostile_site import HostileSite, Pieces, hostile_site, response

LOG = NoteSigner("log.example/log", SIGNATURE, bytes(32))
KEYS = json.dumps({"public_log": {"log": str(LOG.verifier)}}).encode()
LEAVES = [merkle.hash_leaf(bytes([number])) for number in range(9)]
TILES = merkle.add_leaves(lambda *_: b"", 0, LEAVES)


def signed(size: int, root: bytes | None = None, *extensions: str) -> bytes:
    """Return a checkpoint that the log's key signed, by default the right one of the tree of
    LEAVES.
    """
    right = (
        merkle.tree_root(lambda level, index: TILES[level, index], size) if root is None else root
    )
    text = Checkpoint(LOG.name, size, right, extensions).text
    return notes.write_note(text, [LOG.sign(text)]).encode()


def tile(path: str) -> bytes:
    """Return a tile of the tree of LEAVES."""
    read = TilePath.read(path.rpartition("/tile/")[2])
    return TILES.get((read.level or 0, read.index), b"")[: read.width * 32]


def log_site(
    size: int, root: bytes | None = None, *extensions: str
) -> Callable[[str, bytes], Pieces]:
    """Return how a log answers that shows a checkpoint of this size."""

    def answer(path: str, _request: bytes) -> Pieces:
        if path.endswith("sealed-keys.json"):
            return [response(KEYS)]
        return [
            response(
                signed(size, root, *extensions) if path.endswith("/checkpoint") else tile(path)
            )
        ]

    return answer


def watch(site: HostileSite, folder: Path) -> Result:
    return CliRunner().invoke(
        witness.command, [f"http://127.0.0.1:{site.port}/log", "--state", str(folder / "seen.json")]
    )


def keep(folder: Path, size: int) -> None:
    """Have the command keep the right checkpoint of this size."""
    with hostile_site(log_site(size)) as honest:
        assert watch(honest, folder).exit_code == 0


def test_the_site_of_these_tests_can_be_an_honest_one(tmp_path: Path) -> None:
    for size, words in ((3, "Kept the first"), (9, "continues"), (9, "continues")):
        with hostile_site(log_site(size)) as honest:
            told = watch(honest, tmp_path)
        assert told.exit_code == 0 and words in told.output


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
BAD: dict[str, Callable[[], Iterable[bytes | float]]] = {
    "huge": lambda: [HEAD + b"\r\n", *itertools.repeat(b"a" * 65536, 200)],
    "endless": lambda: itertools.chain([HEAD + b"\r\n"], itertools.cycle([b"a", 0.02])),
    "says that it is huge": lambda: [HEAD + b"Content-Length: 99999999999999\r\n\r\n" + signed(9)],
    "silent": lambda: [30.0],
    "drips its headers": lambda: itertools.chain(
        [HEAD], itertools.cycle([b"X: y\r\n"[at : at + 1] for at in range(6)] + [0.3])
    ),
    "drips its body": lambda: itertools.chain(
        [HEAD + b"Content-Length: 5000\r\n\r\n"], itertools.cycle([b"a", 0.3])
    ),
    "garbage": lambda: [b"\x00\xff" * 5000],
    "nothing": lambda: [],
    "breaks off": lambda: [HEAD + b"Content-Length: 5000\r\n\r\nabc"],
    "endless headers": lambda: [HEAD, *itertools.repeat(b"X-Y: z\r\n", 5000)],
    "a page": lambda: [response(b"<!doctype html><p>Hello", kind="text/html")],
    "an error": lambda: [response(b"no", "500 Oh No")],
    "no UTF-8": lambda: [response(signed(9).replace(b"log", b"l\xffg"))],
    "control characters": lambda: [response(signed(9).replace(b"log", b"l\x1bg"))],
    "unsigned": lambda: [response(signed(9).rpartition(b"\n\n")[0] + b"\n\n")],
    "a number that is none": lambda: [
        response(signed(9).replace(b"\n9\n", b"\n" + b"9" * 4000 + b"\n"))
    ],
    "changed": lambda: [response(signed(9).replace(b"\n9\n", b"\n8\n"))],
    "many signatures": lambda: [response(signed(9) + LOG.sign("x\n").encode() * 100)],
    "gzip": lambda: [HEAD + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00"],
}


@pytest.mark.parametrize("what", BAD)
def test_a_checkpoint_that_cannot_be_read_is_one_sentence_and_changes_nothing(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, 3)
    before = (tmp_path / "seen.json").read_bytes()
    monkeypatch.setattr(log_watch.PageReader, "__init__", limited_reader(2.0))
    with hostile_site(lambda *_: BAD[what]()) as site:
        told = watch(site, tmp_path)
    assert told.exit_code == 2 and told.output.endswith(".\n") and told.output.count("\n") == 1, (
        told.output
    )
    assert len(told.output) < 600 and told.output[:-1].isprintable()
    assert (tmp_path / "seen.json").read_bytes() == before and [
        each.name for each in tmp_path.iterdir()
    ] == ["seen.json"]


def limited_reader(seconds: float) -> Callable[..., None]:
    """Return an initializer of page readers that are less patient, so that the test ends soon."""
    patient = log_watch.PageReader.__init__
    return lambda self, _seconds=0.0: patient(self, seconds)


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"]
)
def test_no_redirect_is_followed(status: str, tmp_path: Path) -> None:
    with hostile_site(log_site(9)) as inner:

        def lead_on(path: str, _request: bytes) -> Pieces:
            return [
                f"HTTP/1.1 {status}\r\nLocation:"
                f" http://127.0.0.1:{inner.port}{path}\r\nContent-Length: 0\r\n\r\n".encode()
            ]

        with hostile_site(lead_on) as site:
            told = watch(site, tmp_path)
        assert told.exit_code == 2 and f"answers {status[:3]}" in told.output and inner.asked == []


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "ftp://127.0.0.1/x",
        "http://169.254.169.254/",
        "//x",
        "http://[::1",
        "\u00e9",
        "",
    ],
)
def test_a_redirect_to_anything_is_a_sentence(location: str, tmp_path: Path) -> None:
    answer = f"HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode(
        "latin-1"
    )
    with hostile_site(lambda *_: [answer]) as site:
        told = watch(site, tmp_path)
    assert told.exit_code == 2 and "root:" not in told.output and told.output.endswith(".\n")


@pytest.mark.parametrize(
    "keys",
    [
        b"",
        b"[]",
        b"{}",
        b'{"public_log": null}',
        b'{"public_log": {"log": 7}}',
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_a_site_that_names_no_key_cannot_be_judged(keys: bytes, tmp_path: Path) -> None:
    with hostile_site(lambda *_: [response(keys)]) as site:
        told = watch(site, tmp_path)
    assert told.exit_code == 2 and told.output.count("\n") == 1 and not list(tmp_path.iterdir())


def test_the_largest_tree_costs_a_few_pages(tmp_path: Path) -> None:
    keep(tmp_path, 3)
    for size in (LARGEST, LARGEST - 1, 2**62, 2**40 + 255):
        with hostile_site(log_site(size, bytes(32))) as site:
            told = watch(site, tmp_path)
        assert told.exit_code in (1, 2) and len(site.asked) < 200


def test_tiles_of_other_lengths_and_contents_are_told(tmp_path: Path) -> None:
    keep(tmp_path, 3)

    def tiles(content: bytes) -> Callable[[str, bytes], Pieces]:
        return lambda path, _: [response(signed(9) if path.endswith("checkpoint") else content)]

    for content in (
        b"",
        b"short",
        bytes(9 * 32),
        tile("0/000.p/9")[::-1],
        b"a" * (notes.MOST_BYTES - 1),
    ):
        with hostile_site(tiles(content)) as site:
            told = watch(site, tmp_path)
        assert told.exit_code == 1 and "tiles are not those" in told.output, told.output
    with hostile_site(tiles(tile("0/000.p/9") + b"more, which nobody asked for")) as site:
        assert watch(site, tmp_path).exit_code == 0


def test_a_tile_that_breaks_off_accuses_nobody(tmp_path: Path) -> None:
    keep(tmp_path, 3)
    whole = response(tile("0/000.p/9"))
    with hostile_site(
        lambda path, _: [response(signed(9)) if path.endswith("checkpoint") else whole[:-40]]
    ) as site:
        told = watch(site, tmp_path)
    assert told.exit_code == 2 and "broke off" in told.output


def test_a_site_without_its_tiles_cannot_be_judged(tmp_path: Path) -> None:
    keep(tmp_path, 3)
    with hostile_site(
        lambda path, _: [
            response(signed(9)) if path.endswith("checkpoint") else response(b"", "404 No")
        ]
    ) as site:
        told = watch(site, tmp_path)
    assert told.exit_code == 2 and "answers 404" in told.output


def test_size_0_continues_into_any_tree_but_only_with_its_own_root(tmp_path: Path) -> None:
    keep(tmp_path, 0)
    with hostile_site(log_site(0, bytes(32))) as site:
        assert watch(site, tmp_path).exit_code == 1
    with hostile_site(log_site(9)) as site:
        assert watch(site, tmp_path).exit_code == 0
    with hostile_site(log_site(0, bytes(32))) as site:
        assert watch(site, tmp_path).exit_code == 1, "an empty tree has one root"


def test_what_a_log_signs_is_printed_without_commands_to_the_terminal(tmp_path: Path) -> None:
    keep(tmp_path, 3)
    with hostile_site(log_site(3, bytes(32), "\x9b31m\u202eevil")) as site:
        told = watch(site, tmp_path)
    assert (
        told.exit_code == 1
        and "\x9b" not in told.output
        and "\u202e" not in told.output
        and "evil" in told.output
    )


def test_a_checkpoint_of_another_log_is_not_taken(tmp_path: Path) -> None:
    """The log's key signed it, but under another origin."""
    text = Checkpoint("other.example/log", 9, bytes(32)).text
    with hostile_site(
        lambda path, _: [
            response(KEYS if "keys" in path else notes.write_note(text, [LOG.sign(text)]).encode())
        ]
    ) as site:
        told = watch(site, tmp_path)
    assert told.exit_code == 2 and "not of log.example/log" in told.output


@pytest.mark.parametrize(
    "url",
    [
        "",
        "log",
        "ftp://h/log",
        "http://",
        "http://[::1/log",
        "http://h:99999/log",
        "http://h/log?x=1",
        "http://h/a b",
        "http://h/\u00e9",
        "file:///etc/passwd",
        "http://h\n/log",
    ],
)
def test_what_is_no_address_is_one_sentence(url: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(witness.command, [url, "--state", str(tmp_path / "seen.json")])
    assert (
        told.exit_code == 2
        and "is no address of a log" in told.output
        and told.output.count("\n") == 1
    )


@pytest.mark.parametrize(
    "state", [b"{}", b"[]", b"\xff", b"[" * 100_000, b'{"key": 1, "checkpoint": 2}', b"a" * 500_000]
)
def test_a_damaged_state_is_one_sentence(state: bytes, tmp_path: Path) -> None:
    (tmp_path / "seen.json").write_bytes(state)
    with hostile_site(log_site(9)) as site:
        told = watch(site, tmp_path)
    assert (
        told.exit_code == 2
        and told.output.count("\n") == 1
        and (tmp_path / "seen.json").read_bytes() == state
    )


def test_a_state_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with hostile_site(log_site(9)) as site:
        for folder in (tmp_path / "none", Path("/dev/null")):
            told = CliRunner().invoke(
                witness.command,
                [f"http://127.0.0.1:{site.port}", "--state", str(folder / "seen.json")],
            )
            assert told.exit_code == 2 and told.output.count("\n") == 1, told.output
