"""How mail programs announce the letter they quote, in any language: `On Friday ... wrote:`, a separator, a block of fields."""

import re
from collections.abc import Sequence

from adjudicator.mail.reading import header_blocks
from adjudicator.mail.reading.correspondents import Correspondents
from adjudicator.mail.reading.orderlike import is_order
from adjudicator.mail.reading.quote_marks import is_marked
from adjudicator.mail.reading.wordlists import any_of, compiled

_STARTED = compiled(rf"\W{{0,3}}{any_of('begins')}\b(?=.*[\d@]).{{3,300}}?\b{any_of('wrote')}(?!\w).{{0,120}}[:：]?")
_LOOSE = compiled(rf".{{2,300}}?(?:\b{any_of('wrote')}(?!\w)|{any_of('wrote_anywhere')}).{{0,120}}[:：]")
_STEMS = (  # one of them is in every word for "wrote": looking for them is a hundred times as quick as the patterns
    "wrote", "writes", "schrieb", "crit", "escrib", "scritto", "schreef", "napisa", "pisze", "escreveu", "skrev", "kirjoitti", "napsal",
    "napísal", "rta", "scris", "scri", "yazd", "escriure", "escrigu", "skrifa", "kirjutas", "rakst", "rašė", "oseba", "menulis", "viết",
    "idatzi", "isinulat", "писа", "пісаў", "пише", "пишет", "написав", "γραψε", "写道", "寫道", "写到", "メール", "書き", "작성", "쓴",
    "께서", "כתב", "كتب", "كتاب", "نوشت", "เขียน", "लिखा",
)  # fmt: skip
_DATED = re.compile(r"(?=.*\d{1,4}[-./年 ]).{0,300}<(?:mailto:)?[^<>\s]{1,64}@[^<>\s]{1,250}>.{0,40}[:：]")
_BETWEEN_DASHES = compiled(rf"-{{3,}}.{{3,300}}?\b{any_of('wrote')}\s*[:：]?\s*-{{2,}}")
_QUOTING = compiled(rf"\W{{0,3}}{any_of('quoting')}\s.{{2,200}}[:：]\W{{0,3}}")
_BEGINS = compiled(rf"\W{{0,3}}{any_of('begins')}\b")
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
_WHOLE = re.compile(rf"(?:{_NAMED})?[^\d@<]{{0,40}}(?:{_DATE})", re.DOTALL)  # how one begins of which nothing is missing
_BARE = re.compile(rf"\W{{0,3}}(?:{_DATE}).{{0,120}}<[^<>\s]{{1,64}}@[^<>\s]{{1,250}}>\W{{0,3}}", re.DOTALL)
_ENDS = re.compile(r"[:：]\W{0,3}$")
_DASHES = re.compile(r"-{3,40}")
_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")
_BETWEEN_MARKS = re.compile(r"\s{0,3}>>>\s[^>].{3,300}>>>\s{0,3}")  # GroupWise sets no marks before the lines below it
_LETTERS = re.compile(r"[^\W\d_]+")
_MOST_BESIDE = 3  # words of a line that is hardly more than our name, a date and a time
_THEIRS = re.compile(rf"\W{{0,3}}(?:{_DATE})", re.DOTALL)  # it begins with the date, as in many languages
_PRESS = re.compile(r"\W{0,3}press\b", re.IGNORECASE)
_MORE = re.compile(r"\d{4}|\d{1,2}:\d\d|<|@")
_LONGEST = 420
_WRAPPED = 4  # lines an announcement may take


def announcement(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return how many lines from `at` announce a quoted letter (`On Friday ... wrote:`, a separator, From: and Sent:), 0 for none."""
    first = lines[at].strip()
    if not first:
        return 0
    if _BETWEEN_DASHES.fullmatch(first[:_LONGEST]):
        return 1
    known_by_fields = header_blocks.separator(lines, at, known) or header_blocks.block(lines, at, known)
    return known_by_fields or _below_a_rule(lines, at, known) or _wrote(lines, at, known) or int(_is_label(first, known))


def stands_between_marks(line: str, known: Correspondents) -> bool:
    """Whether a line is `>>> Sealed Orders <...> 11/22/2026 8:00 PM >>>`, which announces a quote though it looks like a part of one."""
    return bool(_BETWEEN_MARKS.fullmatch(line)) and _is_label(line, known)


def _is_label(line: str, known: Correspondents) -> bool:
    """Whether a line is our name or address with a date, a time and hardly a word more, as Notes, GroupWise and web.de set it."""
    if len(line) > _LONGEST or not (known.named_in(line) and _FULL_DATE.search(line) and _TIME.search(line)) or _is_own(line):
        return False
    return len(_LETTERS.findall(known.without(line))) <= _MOST_BESIDE


def _below_a_rule(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return the length of a rule of dashes, To and Subject, and an announcement, as Yandex's program for telephones sets them."""
    if not _DASHES.fullmatch(lines[at].strip()):
        return 0
    below = at + 1
    while below < min(at + _WRAPPED + 1, len(lines)) and header_blocks.meaning(lines[below]):
        below += 1
    length = _wrote(lines, below, known) if at + 1 < below < len(lines) else 0
    return below - at + length if length else 0


def _wrote(lines: Sequence[str], at: int, known: Correspondents) -> int:
    """Return the length of an announcement of up to four lines that begins here: the shortest that is whole.

    What somebody wrote on the lines right above it looks like a part of it, as `20:00,` does.
    """
    for end in range(at, min(at + _WRAPPED, len(lines))):
        line = lines[end].strip()
        if not line or (end > at and (is_marked(line) or _is_own(line))):
            return 0
        if _announces(lines, at, end, known):
            return end - at + 1 if _first_line(lines, end, known) == at else 0
        if end == at and not (_MORE.search(line) or _BEGINS.match(line)):
            return 0
    return 0


def _first_line(lines: Sequence[str], end: int, known: Correspondents) -> int:
    """Return where the announcement that ends there begins: as late as it is whole, date and all, else as late as it is one."""
    shortest = -1
    for start in range(end, max(end - _WRAPPED, -1), -1):
        if not lines[start].strip() or (start < end and (is_marked(lines[start]) or _is_own(lines[start]))):
            break
        if not _announces(lines, start, end, known):
            continue
        if _WHOLE.match(_joined(lines, start, end)):
            return start
        shortest = start if shortest < 0 else shortest
    return shortest


def _is_own(line: str) -> bool:
    return is_order(line) or _PRESS.match(line) is not None


def _joined(lines: Sequence[str], start: int, end: int) -> str:
    return " ".join(line.strip() for line in lines[start : end + 1])


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
    if dated and quoted and known.addressed_in(joined):
        return True
    if _QUOTING.fullmatch(joined) and (quoted or known.named_in(joined)):
        return True
    lowered = joined.lower()
    named = (quoted and bool(_ENDS.search(joined))) or "@" in joined or known.named_in(joined)
    if not any(stem in lowered for stem in _STEMS) or not (named or dated):
        return False  # somebody may well write "On Monday at 12:30 I wrote:"
    if _STARTED.fullmatch(joined) or (dated and _THEIRS.match(joined)):
        return True
    return bool(named and (not wrapped or _MORE.search(joined)) and _LOOSE.fullmatch(joined))


def _quote_follows(lines: Sequence[str], at: int) -> bool:
    return next((is_marked(line) for line in lines[at : at + 4] if line.strip()), False)
