"""Finds how mail programs announce and mark a quoted letter, in any language: `On Friday ...
wrote:`, `From:` and the like, `> `.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from adjudicator.mail.reading.headers import Correspondents
from adjudicator.mail.reading.orderlike import any_of, compile_text, is_order, lines_of

# `> `, or initials as The Bat! sets them: `SO> `
_MARKED = re.compile(r"\s{0,3}(?:[A-Z]{2}(?=>(?:\s|>|$)))?>")
_STARTED = compile_text(
    rf"\W{{0,3}}{any_of('begins')}\b(?=.*[\d@]).{{3,300}}?\b{any_of('wrote')}(?!\w).{{0,120}}[:：]?"
)
_LOOSE = compile_text(
    rf".{{2,300}}?(?:\b{any_of('wrote')}(?!\w)|{any_of('wrote_anywhere')}).{{0,120}}[:：]"
)
_STEMS = lines_of("wrote_stems")
_DATED = re.compile(
    r"(?=.*\d{1,4}[-./年 ]).{0,300}<(?:mailto:)?[^<>\s]{1,64}@[^<>\s]{1,250}>.{0,40}[:：]"
)
_BETWEEN_DASHES = compile_text(rf"-{{3,}}.{{3,300}}?\b{any_of('wrote')}\s*[:：]?\s*-{{2,}}")
_QUOTING = compile_text(rf"\W{{0,3}}{any_of('quoting')}\s.{{2,200}}[:：]\W{{0,3}}")
_YOURS = compile_text(rf"\b{any_of('you_wrote')}(?!\w)")
_TAIL = compile_text(
    rf"(?:{any_of('wrote')}|\w{{1,4}}(?:\s\w{{1,4}}){{0,2}}\s\d{{1,2}}[:.]\d\d(?::\d\d)?)\s*[:：]\W{{0,3}}"
)
_BEGINS = compile_text(rf"\W{{0,3}}{any_of('begins')}\b")
_YEAR = r"(?:19|20)\d\d(?!\d)"
_DATE = "|".join(
    (
        rf"\d{{1,2}}[^\d@<]{{1,12}}\d{{1,2}}[^\d@<]{{1,4}}{_YEAR}",
        r"\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}",
        rf"(?<!\d){_YEAR}[^\d@<]{{1,12}}\d{{1,2}}",
        rf"\d{{1,2}}[^\d@<]{{1,25}}{_YEAR}",
    )
)
_FULL_DATE = re.compile(_DATE)
_NAMED = r"[^\d@<]{0,40}<[^\s<>@]{1,64}@[^\s<>]{1,250}>"
# the beginning of a complete announcement
_WHOLE = re.compile(rf"(?:{_NAMED})?[^\d@<]{{0,40}}(?:{_DATE})", re.DOTALL)
_BARE = re.compile(
    rf"\W{{0,3}}(?:{_DATE}).{{0,120}}<[^<>\s]{{1,64}}@[^<>\s]{{1,250}}>\W{{0,3}}", re.DOTALL
)
_ENDS = re.compile(r"[:：]\W{0,3}$")
_DASHES = re.compile(r"-{3,40}")
_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")
# GroupWise marks no lines below it
_BETWEEN_MARKS = re.compile(r"\s{0,3}>>>\s[^>].{3,300}>>>\s{0,3}")
_LETTERS = re.compile(r"[^\W\d_]+")
_MOST_BESIDE = 3  # further words in a line of our name, a date and a time
# begins with the date, as in many languages
_THEIRS = re.compile(rf"\W{{0,3}}(?:{_DATE})", re.DOTALL)
_PRESS = re.compile(r"\W{0,3}press\b", re.IGNORECASE)
_MORE = re.compile(r"\d{4}|\d{1,2}:\d\d|<|@")
_LONGEST = 420
_WRAPPED = 4  # lines of an announcement at most
_MEANINGS = ("from", "sent", "to", "subject", "other")
_MEANING = {
    re.sub(r"\s", "", word): name for name in _MEANINGS for word in lines_of(f"field_{name}")
}
_FIELD = re.compile(r"[\s*_•-]{0,4}([^\W\d_][^:：@<>\d\"]{0,29}?)[\s*_]{0,3}[:：](?!//)")
_MOST_WORDS = 4  # of a field's name
_BLOCK = 16  # lines of a header at most
_KEPT = 128  # lines whose result is cached: each is tested from every line above it
_MOST_FOLDED = 2  # continuation lines of a field
_LEAST = 3  # fields that make a header
_TOLD = re.compile(r"@|\d{4}|\d:\d\d")
_TELLS_DATE = re.compile(r"@|(?<!\d)20\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
_RULED = re.compile(r"[-_=*~—–]{2,}\s?([^\n]{3,200}?)\s?[-_=*~—–]{2,}")
_ORIGINAL = compile_text(rf"[-_=*~]{{2,}}\s*{any_of('original')}\s*[-_=*~]{{2,}}")
_TITLE = compile_text(any_of("original"))
_FORWARDED = compile_text(rf"{any_of('forwarded')}\s*[:：]")


def is_marked(line: str) -> bool:
    """Whether a line begins with a quote mark."""
    return _MARKED.match(line) is not None


def announcement_length(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return how many lines from `at` announce a quoted letter: `On Friday ... wrote:`, a
    separator, a header; 0 for none.
    """
    first = lines[at].strip()
    if not first:
        return 0
    if _BETWEEN_DASHES.fullmatch(first[:_LONGEST]):
        return 1
    known_by_fields = _separator_length(lines, at, known) or _block_length(lines, at, known)
    return (
        known_by_fields
        or _below_a_rule(lines, at, known)
        or _wrote(lines, at, known)
        or int(_is_label(first, known))
    )


def is_between_marks(line: str, known: Correspondents) -> bool:
    """Whether a line is an announcement that looks like a quote: `>>> Sealed Orders <...>
    11/22/2026 8:00 PM >>>`.
    """
    return bool(_BETWEEN_MARKS.fullmatch(line)) and _is_label(line, known)


def _is_label(line: str, known: Correspondents) -> bool:
    """Whether a line is our name or address with a date, a time and at most three further words
    (Notes, GroupWise, web.de).
    """
    return (
        len(line) <= _LONGEST
        and bool(_FULL_DATE.search(line) and _TIME.search(line))
        and _is_only_us(line, known)
    )


def _below_a_rule(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return the length of a dashed line, To and Subject, and an announcement, as Yandex's mobile
    program writes them.
    """
    if not _DASHES.fullmatch(lines[at].strip()):
        return 0
    below = at + 1
    while below < min(at + _WRAPPED + 1, len(lines)) and _field_meaning(lines[below]):
        below += 1
    length = _wrote(lines, below, known) if at + 1 < below < len(lines) else 0
    return below - at + length if length else 0


def _wrote(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return the length of an announcement of up to four lines that begins here: the shortest
    complete one.

    Text right above an announcement can look like part of it, such as `20:00,`.
    """
    for end in range(at, min(at + _WRAPPED, len(lines))):
        line = lines[end].strip()
        if not line or (end > at and (is_marked(line) or _is_own(line, known))):
            return 0
        if _announces(lines, at, end, known):
            first = _first_line(lines, end, known)
            first -= (
                first > 0
                and not is_marked(lines[first - 1])
                and _is_only_us(lines[first - 1], known)
            )
            return end - at + 1 if first == at else 0
        if end == at and not (_MORE.search(line) or _BEGINS.match(line) or known.named_in(line)):
            return 0
    return 0


def _is_only_us(line: str, known: Correspondents) -> bool:
    """Whether a line is our name or address with at most three words, as languages that name the
    writer first wrap it.
    """
    if len(line) > _LONGEST or not known.named_in(line) or _is_own(line, known):
        return False
    return len(_LETTERS.findall(known.without(line))) <= _MOST_BESIDE


def _first_line(lines: Sequence[str], end: int, known: Correspondents) -> int:
    """Return the last line at which a complete announcement that ends at `end` begins, else the
    last at which any begins, or -1.
    """
    shortest = -1
    for start in range(end, max(end - _WRAPPED, -1), -1):
        if not lines[start].strip() or (
            start < end and (is_marked(lines[start]) or _is_own(lines[start], known))
        ):
            break
        if not _announces(lines, start, end, known):
            continue
        if _WHOLE.match(_joined(lines, start, end)):
            return start
        shortest = start if shortest < 0 else shortest
    return shortest


def _is_own(line: str, known: Correspondents) -> bool:
    """Whether a line is the writer's, and not the end of an announcement that looks like an order:
    `a scris:`.
    """
    if _PRESS.match(line):
        return True
    return is_order(line) and not (
        _ENDS.search(line) and (_TAIL.fullmatch(line.strip()) or known.named_in(line))
    )


def _joined(lines: Sequence[str], start: int, end: int) -> str:
    return " ".join(line.strip() for line in lines[start : end + 1]).replace("< ", "<")


def _announces(lines: Sequence[str], start: int, end: int, known: Correspondents) -> bool:
    joined = _joined(lines, start, end)
    if len(joined) > _LONGEST or _PRESS.match(joined):
        return False
    quoted = _quote_follows(lines, end + 1)
    return _is_announcement(joined, known, wrapped=end > start, quoted=quoted)


def _is_announcement(joined: str, known: Correspondents, *, wrapped: bool, quoted: bool) -> bool:
    if _BARE.fullmatch(joined) and known.named_in(joined):
        return True  # `2026/11/22 Sealed Orders <...>`
    if not quoted and not _ENDS.search(joined):
        return False
    dated = bool(_FULL_DATE.search(joined))
    if _DATED.fullmatch(joined) or (dated and known.named_in(joined) and _ENDS.search(joined)):
        return True
    if dated and (
        (quoted and known.addressed_in(joined))
        or (_YOURS.search(joined) and _TIME.search(joined) and _ENDS.search(joined))
    ):
        return True
    if _QUOTING.fullmatch(joined) and (quoted or known.named_in(joined)):
        return True
    lowered = joined.lower()
    is_named = (quoted and bool(_ENDS.search(joined))) or "@" in joined or known.named_in(joined)
    if not any(stem in lowered for stem in _STEMS) or not (is_named or dated):
        return False  # somebody may well write "On Monday at 12:30 I wrote:"
    if _STARTED.fullmatch(joined) or (dated and _THEIRS.match(joined)):
        return True
    return bool(is_named and (not wrapped or _MORE.search(joined)) and _LOOSE.fullmatch(joined))


def _quote_follows(lines: Sequence[str], at: int) -> bool:
    return next((is_marked(line) for line in lines[at : at + 4] if line.strip()), False)


# --- the header of a quoted letter


def _separator_length(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return how many lines a separator (`--- Original Message ---`) and the fields below it take,
    0 where none is here.
    """
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
    blank = next(
        (
            count
            for count in range(3)
            if at + 1 + count < len(lines) and lines[at + 1 + count].strip()
        ),
        None,
    )
    length = _block_length(lines, at + 1 + blank, known) if blank is not None else 0
    return 1 + blank + length if blank is not None and length else 0


def _block_length(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return the length of a header that begins here, 0 where none does.

    A header has one of: three different known fields with From and an address or a date; two known
    fields, From with an address of ours; three fields `word: value`, one of which names this
    service. A line right above a header is not part of it, even if it looks like a field.
    """
    length = _header_length(lines, at, known)
    if not length or _certain(lines[at]):
        return length
    below = next((place for place in range(at + 1, at + length) if _is_field(lines[place])), at)
    return length if below == at or not _header_length(lines, below, known) else 0


def _certain(line: str) -> bool:
    """Whether a line is a field by itself, so that a header may begin with it."""
    return _field_meaning(line) is not None or bool(
        _TELLS_DATE.search(line) and not is_order(line) and not _name(line).startswith("press")
    )


def _header_length(lines: Sequence[str], at: int, known: Correspondents) -> int:
    if not _is_field(lines[at]):
        return 0
    names: set[str] = set()
    meanings: set[str] = set()
    length = folded = 0
    for number, line in enumerate(lines[at : at + _BLOCK], 1):
        if _is_field(line):
            names.add(_name(line))
            meanings |= {meaning} if (meaning := _field_meaning(line)) else set()
            length, folded = number, 0
        elif line.strip():
            folded += 1
            if (
                folded > _MOST_FOLDED
                or is_order(line)
                or is_marked(line)
                or not lines[at + number - 2].strip()
            ):
                break
    header = lines[at : at + length]
    if (
        len(meanings) >= _LEAST
        and "from" in meanings
        and any(_TOLD.search(line) for line in header)
    ):
        return length + _rest(lines, at + length)
    if len(meanings) > 1 and any(
        _field_meaning(line) == "from" and known.addressed_in(line) for line in header
    ):
        return length + _rest(lines, at + length)
    if len(names) < _LEAST or not any(
        known.named_in(line) for line in header if _is_field(line) or len(line.split()) == 1
    ):
        return 0
    return length + _rest(lines, at + length)


def _rest(lines: Sequence[str], at: int) -> int:
    """Return how many continuation lines the last field has: none unless an empty line follows
    them.
    """
    for count, line in enumerate(lines[at : at + _MOST_FOLDED + 1]):
        if not line.strip():
            return count
        if is_marked(line) or is_order(line):
            return 0
    return 0


def _fields_below(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return how many lines after a separator are blank or fields of the quoted letter."""
    blank = next(
        (count for count in range(3) if at + count < len(lines) and lines[at + count].strip()), 0
    )
    if at + blank < len(lines) and (length := _block_length(lines, at + blank, known)):
        return blank + length
    count = 0
    while (
        at + count < len(lines)
        and count < _BLOCK
        and (not lines[at + count].strip() or _field_meaning(lines[at + count]))
    ):
        count += 1
    return count


@lru_cache(maxsize=_KEPT)
def _field_meaning(line: str) -> str | None:
    """Return which field of a header a line is (from, sent, to, subject, other), None where its
    word is unknown.
    """
    return _MEANING.get(re.sub(r"\s", "", _name(line)))


def _name(line: str) -> str:
    found = _FIELD.match(line)
    return found[1].strip().lower() if found and len(found[1].split()) <= _MOST_WORDS else ""


@lru_cache(maxsize=_KEPT)
def _is_field(line: str) -> bool:
    """Whether a line is `word: value`; an order after a power's name is not, unless the word is a
    known field.
    """
    name = _name(line)
    return bool(name) and (
        _field_meaning(line) is not None or not is_order(re.split("[:：]", line, maxsplit=1)[1])
    )
