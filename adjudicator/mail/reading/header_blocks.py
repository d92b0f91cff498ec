"""The header of a quoted letter as mail programs write it above its text: `From:` and its like in any language, and separators."""

import re
from collections.abc import Sequence
from functools import lru_cache

from adjudicator.mail.reading.correspondents import Correspondents
from adjudicator.mail.reading.orderlike import is_order
from adjudicator.mail.reading.quote_marks import is_marked
from adjudicator.mail.reading.wordlists import any_of, compiled, lines_of

_MEANINGS = ("from", "sent", "to", "subject", "other")
_MEANING = {re.sub(r"\s", "", word): name for name in _MEANINGS for word in lines_of(f"field_{name}")}
_FIELD = re.compile(r"[\s*_•-]{0,4}([^\W\d_][^:：@<>\d\"]{0,29}?)[\s*_]{0,3}[:：](?!//)")
_MOST_WORDS = 4  # of a field's name
_BLOCK = 16  # lines a block of fields may take
_KEPT = 128  # lines that are looked at from each line above them
_MOST_FOLDED = 2  # lines of a field below its first
_LEAST = 3  # fields of a header
_TOLD = re.compile(r"@|\d{4}|\d:\d\d")
_DATED = re.compile(r"@|(?<!\d)20\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
_RULED = re.compile(r"[-_=*~—–]{2,}\s?([^\n]{3,200}?)\s?[-_=*~—–]{2,}")
_ORIGINAL = compiled(rf"[-_=*~]{{2,}}\s*{any_of('original')}\s*[-_=*~]{{2,}}")
_TITLE = compiled(any_of("original"))
_FORWARDED = compiled(rf"{any_of('forwarded')}\s*[:：]")


def separator(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return how many lines a separator (`--- Original Message ---`) and the fields below it take, 0 where none stands here."""
    first = lines[at].strip()
    if len(first) > 200:
        return 0
    if _ORIGINAL.fullmatch(first) or _FORWARDED.fullmatch(first):
        return 1 + _fields_below(lines, at + 1, known)
    ruled = _RULED.fullmatch(first)
    if ruled and known.named_in(ruled[1]):
        return 1 + _fields_below(lines, at + 1, known)
    if not (ruled or _TITLE.fullmatch(first.strip("*_ "))):
        return 0
    blank = next((count for count in range(3) if at + 1 + count < len(lines) and lines[at + 1 + count].strip()), None)
    length = block(lines, at + 1 + blank, known) if blank is not None else 0
    return 1 + blank + length if blank is not None and length else 0


def block(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return the length of a header that begins here, 0 where none does.

    It has three different fields, From among them and an address or a date in one of them; or two of these, From with an address
    of ours; or any three `word: value`, one of which names this service. What stands right above a header is no part of it, though
    it may look like a field.
    """
    length = _length(lines, at, known)
    if not length or _certain(lines[at]):
        return length
    below = next((place for place in range(at + 1, at + length) if _is_field(lines[place])), at)
    return length if below == at or not _length(lines, below, known) else 0


def _certain(line: str) -> bool:
    """Whether a line is a field by its own words: a header may begin with it."""
    return meaning(line) is not None or bool(_DATED.search(line) and not is_order(line) and not _name(line).startswith("press"))


def _length(lines: Sequence[str], at: int, known: Correspondents) -> int:
    if not _is_field(lines[at]):
        return 0
    names: set[str] = set()
    meanings: set[str] = set()
    length = folded = 0
    for number, line in enumerate(lines[at : at + _BLOCK], 1):
        if _is_field(line):
            names.add(_name(line))
            meanings |= {told} if (told := meaning(line)) else set()
            length, folded = number, 0
        elif line.strip():
            folded += 1
            if folded > _MOST_FOLDED or is_order(line) or is_marked(line) or not lines[at + number - 2].strip():
                break
    header = lines[at : at + length]
    if len(meanings) >= _LEAST and "from" in meanings and any(_TOLD.search(line) for line in header):
        return length + _rest(lines, at + length)
    if len(meanings) > 1 and any(meaning(line) == "from" and known.addressed_in(line) for line in header):
        return length + _rest(lines, at + length)
    if len(names) < _LEAST or not any(known.named_in(line) for line in header if _is_field(line) or len(line.split()) == 1):
        return 0
    return length + _rest(lines, at + length)


def _rest(lines: Sequence[str], at: int) -> int:
    """Return how many lines of the last field are folded: none where no empty line ends them soon."""
    for count, line in enumerate(lines[at : at + _MOST_FOLDED + 1]):
        if not line.strip():
            return count
        if is_marked(line) or is_order(line):
            return 0
    return 0


def _fields_below(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return how many lines after a separator are blank or fields of the quoted letter."""
    blank = next((count for count in range(3) if at + count < len(lines) and lines[at + count].strip()), 0)
    if at + blank < len(lines) and (length := block(lines, at + blank, known)):
        return blank + length
    count = 0
    while at + count < len(lines) and count < _BLOCK and (not lines[at + count].strip() or meaning(lines[at + count])):
        count += 1
    return count


@lru_cache(maxsize=_KEPT)
def meaning(line: str) -> str | None:
    """Return what a line is as a field of a header (from, sent, to, subject, other), None where its word is not known."""
    return _MEANING.get(re.sub(r"\s", "", _name(line)))


def _name(line: str) -> str:
    found = _FIELD.match(line)
    return found[1].strip().lower() if found and len(found[1].split()) <= _MOST_WORDS else ""


@lru_cache(maxsize=_KEPT)
def _is_field(line: str) -> bool:
    """Whether a line is `word: value`; an order below a power's name is none, unless the word is one of headers."""
    name = _name(line)
    return bool(name) and (meaning(line) is not None or not is_order(re.split("[:：]", line, maxsplit=1)[1]))
