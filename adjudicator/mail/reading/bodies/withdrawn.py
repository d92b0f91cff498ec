"""What a letter shows as withdrawn, or nobody can see in it: marked by the reader of HTML, told
apart from the rest of its line here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# around text that is struck through; private characters, which no line keeps
STRUCK = "\U0010fff0", "\U0010fff1"
UNSEEN = "\U0010fff2", "\U0010fff3"  # around text in the colour of its background
LONGEST = 4000  # characters of a line that are looked at
_PIECE = re.compile(
    f"[{STRUCK[0]}{UNSEEN[0]}]([^{STRUCK[0]}-{UNSEEN[1]}]*)[{STRUCK[1]}{UNSEEN[1]}]"
)
# within one piece
_SPLIT = re.compile(f"{STRUCK[1]}([ \t]*){STRUCK[0]}|{UNSEEN[1]}([ \t]*){UNSEEN[0]}")
# as in chats
_TILDES = re.compile(
    r"~~(?=[^\s~])([^~]{1,300})(?<=\S)~~|(?<![~\w])~(?=[^\s~])([^~]{1,300})(?<=\S)~(?![~\w])"
)
# letters with a stroke each, as telephones make them
_OVERLAID = re.compile("(?:[\\w\\s][\u0337\u0338]|.[\u0335\u0336])+")
_STROKES = re.compile("[\u0335-\u0338]")
_MARKS = re.compile(f"[{STRUCK[0]}-{UNSEEN[1]}]")
_NUMBER = re.compile(r"\W*(?:\d{1,3}[.)])?\W*")  # what is left of a list's line


@dataclass(frozen=True)
class Parted:
    """A line without what does not count in it, and the pieces that do not count."""

    kept: str
    struck: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()


def mark_text(text: str, marks: tuple[str, str]) -> str:
    """Return text with each of its lines between two marks."""
    return "\n".join(
        f"{marks[0]}{line}{marks[1]}" if line.strip() else line for line in text.split("\n")
    )


def part_line(line: str) -> Parted:
    """Return a line without the pieces that are marked, stand between tildes, or are made of
    letters with a stroke.
    """
    if line.isascii() and "~" not in line:
        return Parted(line)
    marked = _OVERLAID.sub(_of_strokes, _TILDES.sub(_of_tildes, line[:LONGEST]))
    marked = _SPLIT.sub(lambda found: found[1] or found[2] or "", marked)
    if not _MARKS.search(marked):
        return Parted(line)
    kept = _PIECE.sub("", marked)
    return Parted(
        "" if _NUMBER.fullmatch(kept) else kept, _pieces(marked, STRUCK), _pieces(marked, UNSEEN)
    )


def _of_tildes(found: re.Match[str]) -> str:
    return mark_text(_MARKS.sub("", found[1] or found[2]), STRUCK)


def _of_strokes(found: re.Match[str]) -> str:
    return mark_text(_MARKS.sub("", _STROKES.sub("", found[0])), STRUCK)


def _pieces(line: str, marks: tuple[str, str]) -> tuple[str, ...]:
    pieces: Sequence[str] = [
        found[1].strip() for found in _PIECE.finditer(line) if found[0].startswith(marks[0])
    ]
    return tuple(piece for piece in pieces if any(letter.isalnum() for letter in piece))
