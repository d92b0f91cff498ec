"""Finds the writer's own lines: without quotes, signatures, footers, greetings and good-byes."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.mail.reading import signatures
from adjudicator.mail.reading.bodies.drawn_rules import DRAWN, DrawnRules
from adjudicator.mail.reading.bodies.withdrawn import part_line
from adjudicator.mail.reading.headers import Correspondents
from adjudicator.mail.reading.orderlike import is_order
from adjudicator.mail.reading.reply_heads import announcement_length, is_between_marks, is_marked

MOST_LINES, LONGEST_LINE = 400, 1000
MOST_PASSED_OVER = 20
_MOST_READ = 4000  # lines parsed
_LONGEST_SHOWN = 200  # characters of a piece that is no line of its own
_NEAR = 80  # lines of lookahead
_WRAPPED_AT = 72  # characters: a word that did not fit on the line above
_MARKER = re.compile(r"[\s*_–—-]{0,12}answer\s+above\s+this\s+line\b", re.IGNORECASE)
_PRESS = re.compile(r"\W{0,3}press\b", re.IGNORECASE)  # begins text for other players
_GOES_ON = re.compile(r"[,;/]$|\b(?:OR|THEN)$")  # an order on the next line belongs to a list
_DRAWN = re.compile(r"[-–—*_=~#·. ]{3,80}")
_TO_US = re.compile(
    r"\w{1,20},? (?:Sealed(?: Orders)?|orders(?:\+[\w-]{1,60})?)[,!.:]", re.IGNORECASE
)
_SIGNATURE = re.compile(r"-- |--|—|–|-- ?_{2,}")
_INVISIBLE = {"Cf", "Cc", "Cs", "Co", "Cn"}


@dataclass
class OwnLines:
    """The writer's lines, what was left out or withdrawn, whether lines were cut, and whether a
    quote without marks ended them.
    """

    lines: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    struck: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    cut: bool = False
    ended: bool = False


def find_own_lines(text: str, name: str, known: Correspondents) -> OwnLines:
    """Return what the person of that name wrote to those correspondents."""
    read = text.split("\n", _MOST_READ)
    parted = [part_line(line) for line in read[:_MOST_READ]]
    lines = [_trimmed(each.kept) for each in parted]
    drawn = DrawnRules(lines, {at for at, each in enumerate(parted) if DRAWN in each.kept}, known)
    chunks, ended = _chunks(lines, known, drawn)
    found = OwnLines(cut=len(read) > _MOST_READ and not ended, ended=ended)
    for chunk in chunks:
        own = [line for at in chunk if not signatures.is_footer(line := lines[at])]
        kept, left = signatures.strip_greetings(
            [line for line in own if line], name, first=not found.lines
        )
        found.lines += _with_gaps(own, kept)
        found.passed_over += [one_line(line, _LONGEST_SHOWN) for line in left]
        found.struck += [
            one_line(piece, _LONGEST_SHOWN) for at in chunk for piece in parted[at].struck
        ]
        found.unseen += [
            one_line(piece, _LONGEST_SHOWN) for at in chunk for piece in parted[at].unseen
        ]
    return _within_limits(found)


def _within_limits(found: OwnLines) -> OwnLines:
    found.cut = (
        found.cut
        or len(found.lines) > MOST_LINES
        or any(len(line) > LONGEST_LINE for line in found.lines)
    )
    found.lines = [line[:LONGEST_LINE] for line in found.lines[:MOST_LINES]]
    found.passed_over = found.passed_over[:MOST_PASSED_OVER]
    found.struck, found.unseen = found.struck[:MOST_PASSED_OVER], found.unseen[:MOST_PASSED_OVER]
    return found


def _with_gaps(lines: Sequence[str], kept: list[str]) -> list[str]:
    """Return the lines that were kept; where they may be press, with the empty lines between them,
    which separate paragraphs.
    """
    if not kept or (any(map(is_order, kept)) and not any(_PRESS.match(line) for line in kept)):
        return kept
    places = [place for place, line in enumerate(lines) if line]
    texts = [line for line in lines if line]
    first = next(start for start in range(len(texts)) if texts[start : start + len(kept)] == kept)
    return list(lines[places[first] : places[first + len(kept) - 1] + 1])


def one_line(text: str, most: int) -> str:
    """Return text on one line of at most `most` characters: in NFC, with plain spaces, without
    invisible characters.
    """
    start = text[: most + 1]
    if start.isascii() and start.isprintable():
        return start.strip()[:most].strip()
    # cut first: normalising takes quadratic time in a run of combining marks
    plain = "".join(" " if letter.isspace() else letter for letter in text[: most * 2 + 1])
    plain = "".join(
        letter
        for letter in plain
        if letter == " " or unicodedata.category(letter) not in _INVISIBLE
    )
    return unicodedata.normalize("NFC", plain[: most + 1]).strip()[:most].strip()


def _trimmed(line: str) -> str:
    """Return a line trimmed, except `-- `, whose space marks a signature."""
    return "-- " if line.rstrip("\r") == "-- " else one_line(line, LONGEST_LINE + 1)


def _chunks(
    lines: list[str], known: Correspondents, drawn: DrawnRules
) -> tuple[list[list[int]], bool]:
    """Return the chunks of text between quotes, as places in `lines`, and whether they end before
    the text does.

    Text below an announcement without marked lines is the quoted letter: the chunks end there. Of a
    line with our marker only the text before it stays in `lines`.
    """
    chunks: list[list[int]] = [[]]
    at, skipping = 0, False
    while at < len(lines):
        line = lines[at]
        if is_marked(line) and not is_between_marks(line, known):
            chunks, at, skipping = [*chunks, []], at + 1, False
            continue
        if found := _MARKER.search(line):
            lines[at] = _beside(line[: found.start()], known)
            chunks[-1].append(at)
            break
        length = announcement_length(lines, at, known)
        if length:
            _drop_above(chunks[-1], lines)
        if length and not _quoted_after(lines, at + length):
            break
        if not length and not skipping:
            skipping = drawn.quotes_below(at) or _ends_here(lines, at, known)
        if not length and not skipping and not (line and _overflows(lines, at)):
            chunks[-1].append(at)
        at += length or 1
        skipping = skipping and not length
    return [chunk for chunk in chunks if chunk], at < len(lines)


def _drop_above(chunk: list[int], lines: Sequence[str]) -> None:
    """Remove the line that some programs draw above an announcement, and the greeting to us that
    The Bat! puts there.
    """
    kept = [at for at in chunk if not _TO_US.fullmatch(lines[at])]
    while chunk and (
        not lines[chunk[-1]]
        or _DRAWN.fullmatch(lines[chunk[-1]])
        or (any(lines[at] for at in kept) and chunk[-1] not in kept)
    ):
        chunk.pop()


def _beside(before: str, known: Correspondents) -> str:
    """Return the text before the marker on the same line, "" where that is an announcement or no
    word.
    """
    return (
        before.strip()
        if any(letter.isalnum() for letter in before)
        and not announcement_length([before], 0, known)
        else ""
    )


def _overflows(lines: Sequence[str], at: int) -> bool:
    """Whether a line is the rest of the quoted line above it, which a program wrapped without
    marking the rest.
    """
    above, below = lines[at - 1] if at else "", lines[at + 1] if at + 1 < len(lines) else ""
    if not (is_marked(above) and is_marked(below)):
        return False
    if is_order(lines[at]):
        return bool(_GOES_ON.search(above))
    return len(above) + 1 + len(lines[at].split()[0]) > _WRAPPED_AT


def _quoted_after(lines: Sequence[str], at: int) -> bool:
    return next((is_marked(line) for line in lines[at : at + _NEAR] if line), False)


def _ends_here(lines: Sequence[str], at: int, known: Correspondents) -> bool:
    """Whether a signature or a disclaimer begins here. Where orders follow, only `-- ` counts."""
    line = lines[at]
    if line == "-- ":
        return True
    if not (
        _SIGNATURE.fullmatch(line)
        or signatures.RULE.fullmatch(line)
        or signatures.begins_disclaimer(line)
    ):
        return False
    rest = []
    for each in lines[at + 1 : at + 1 + _NEAR]:
        if is_marked(each) or _MARKER.search(each) or announcement_length([each], 0, known):
            break
        rest.append(each)
    return not any(is_order(each) for each in rest)
