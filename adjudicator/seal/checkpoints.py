"""What a log and its witnesses exchange (C2SP tlog-checkpoint, tlog-witness, tlog-tiles):
checkpoints, requests, paths of tiles.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.seal import notes
from adjudicator.seal.merkle import HASH_BYTES, TILE_HEIGHT, TILE_WIDTH
from adjudicator.seal.notes import NoteError, SignedNote

LARGEST = 2**63 - 1  # size of a tree
MOST_STEPS = 63  # of a consistency proof
ENTRIES = "entries"  # in the place of a level: the leaves' data
SIZE_TYPE = "text/x.tlog.size"  # of an answer that names the size which the witness knows
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_TILE = re.compile(
    r"(?P<level>entries|0|[1-9][0-9]?)/(?P<index>(?:x[0-9]{3}/)*[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?",
    re.ASCII,
)
_LEVELS, _ELEMENT, _MOST_ELEMENTS = 64, 1000, 6


@dataclass(frozen=True)
class Checkpoint:
    """A tree's head as its log signs it: the log's origin, the number of leaves and the root."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The note's text."""
        return "".join(
            f"{line}\n"
            for line in (self.origin, self.size, b64encode(self.root).decode(), *self.extensions)
        )

    @classmethod
    def read(cls, text: str) -> "Checkpoint":
        """Parse a note's text; raises NoteError."""
        lines = text.removesuffix("\n").split("\n")
        if not text.endswith("\n") or len(lines) < 3 or not all(lines):
            raise NoteError("That is no checkpoint: it has three lines, none of them empty.")
        origin, size, root, *extensions = lines
        return cls(origin, read_size(size), _read_hash(root), tuple(extensions))


def read_size(text: str) -> int:
    """Return the size of a tree, written in decimal without leading zeros; raises NoteError."""
    if not _NUMBER.fullmatch(text) or int(text) > LARGEST:
        raise NoteError("That is no size of a tree.")
    return int(text)


def _read_hash(text: str) -> bytes:
    found = notes.decode_base64(text)
    if len(found) != HASH_BYTES:
        raise NoteError("A hash has 32 bytes.")
    return found


@dataclass(frozen=True)
class AddCheckpoint:
    """The request of a log for a cosignature: the size that the witness knows, the proof from
    there, the signed checkpoint.
    """

    old: int
    proof: tuple[bytes, ...]
    note: SignedNote

    def __str__(self) -> str:
        """Write the request's body."""
        return "".join(
            (
                f"old {self.old}\n",
                *(f"{b64encode(step).decode()}\n" for step in self.proof),
                "\n",
                str(self.note),
            )
        )

    @classmethod
    def read(cls, body: bytes) -> "AddCheckpoint":
        """Parse a request's body; raises NoteError."""
        if len(body) > notes.MOST_BYTES:
            raise NoteError(f"That request is longer than {notes.MOST_BYTES} bytes.")
        head, blank, note = body.partition(b"\n\n")
        try:
            first, *steps = head.decode("ascii").split("\n")
        except UnicodeDecodeError as error:
            raise NoteError(
                "That request begins with something else than a size and a proof."
            ) from error
        word, _, size = first.partition(" ")
        if word != "old" or not blank:
            raise NoteError(
                "That request does not begin with “old” and a size, and an empty line after the"
                " proof."
            )
        if len(steps) > MOST_STEPS:
            raise NoteError(f"A consistency proof has at most {MOST_STEPS} hashes.")
        return cls(
            read_size(size), tuple(_read_hash(step) for step in steps), SignedNote.read(note)
        )


# --- paths of tiles


@dataclass(frozen=True)
class TilePath:
    """Which tile a path names: its level (None: the entries' data), its index, and the width of a
    partial one.
    """

    level: int | None
    index: int
    width: int = TILE_WIDTH

    def __str__(self) -> str:
        """Write the path below `tile/`, the index in groups of three digits."""
        groups, rest = [f"{self.index % _ELEMENT:03d}"], self.index // _ELEMENT
        while rest:
            groups.insert(0, f"x{rest % _ELEMENT:03d}")
            rest //= _ELEMENT
        partial = f".p/{self.width}" if self.width < TILE_WIDTH else ""
        return f"{ENTRIES if self.level is None else self.level}/{'/'.join(groups)}{partial}"

    @classmethod
    def read(cls, path: str) -> "TilePath":
        """Parse what `str` writes, and nothing else; raises NoteError."""
        found = _TILE.fullmatch(path)
        elements = found["index"].split("/") if found else []
        if found is None or len(elements) > _MOST_ELEMENTS:
            raise NoteError("That is no path of a tile.")
        level = None if found["level"] == ENTRIES else int(found["level"])
        index = int("".join(element.removeprefix("x") for element in elements))
        tile = cls(level, index, int(found["width"] or TILE_WIDTH))
        if str(tile) != path or (level or 0) >= _LEVELS:
            raise NoteError("That is no path of a tile.")
        return tile


def tile_of_tree(level: int, index: int, size: int) -> TilePath | None:
    """Return the tile that a tree of this size has there, a partial one at its edge; None where it
    has none.
    """
    width = min(TILE_WIDTH, (size >> (TILE_HEIGHT * level)) - index * TILE_WIDTH)
    return TilePath(level, index, width) if width > 0 else None


def write_entries(data: Sequence[bytes]) -> bytes:
    """Return an entry bundle: each entry after its length in two bytes, big-endian."""
    return b"".join(len(entry).to_bytes(2) + entry for entry in data)
