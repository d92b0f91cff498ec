"""Whether a line looks like an order or a command: such a line is never taken for a greeting, a signature or a footer."""

import re

from adjudicator.mail.reading.wordlists import any_of

_MOST_WORDS, _LONGEST = 14, 120
_BULLET = r"(?:\d{1,2}[.)]\s*|[*•·–-]\s+)?"
_NOTE = re.compile(r"\s#")
_WORD = re.compile(rf"{_BULLET}{any_of('orders')}\b", re.IGNORECASE)
_ONLY = re.compile(rf"{_BULLET}(?:{any_of('commands')}\b(?:\s+\S+){{0,2}})\W*", re.IGNORECASE)
_PIECE = re.compile(rf"{_BULLET}(?:(?:play|show)\s+)?[bwcr][\s/-]?[123lms]\b.{{0,40}}", re.IGNORECASE)
_LETTER = re.compile(rf"{_BULLET}[bwcrps123](?:\s\d{{1,3}})?\W?", re.IGNORECASE)
_UNIT = re.compile(rf"{_BULLET}(?:(?:rock|paper|scissors|r:|p:|s:|build|b)\s+)?(?:[AF]|army|fleet)\s+\w{{3,}}.{{0,100}}", re.IGNORECASE)
_TYPED_MOVE = re.compile(rf"{_BULLET}(?:[AF]\s+)?[A-Za-z]{{3}}(?:[/(]\w\w\)?)?\s?(?:-|->)\s?[A-Za-z]{{3}}(?:[/(]\w\w\)?)?")
_ALTERNATIVES = re.compile(r"\S\s+(?:OR|THEN)\s+\S|\S\s+(?:OR|THEN)$|^(?:OR|THEN)\b")


def is_order(line: str) -> bool:
    """Whether this line may well be an order or a command of any game here."""
    line = _bare(line)
    if not line or len(line) > _LONGEST or len(line.split()) > _MOST_WORDS:
        return False
    whole = (_ONLY, _PIECE, _LETTER, _UNIT, _TYPED_MOVE)
    return bool(_begins(line) or any(each.fullmatch(line) for each in whole) or _ALTERNATIVES.search(line) or _direction(line))


def _bare(line: str) -> str:
    """Return a line without what people set around an order: `B3!!!`, `*B3*`, `B3 # note`, pictures."""
    kept = _NOTE.split(line.strip(), maxsplit=1)[0]
    start = 0
    while start < len(kept) and not kept[start].isalnum():
        start += 1
    end = len(kept)
    while end > start and not kept[end - 1].isalnum() and kept[end - 1] != ")":
        end -= 1
    return kept[start:end]


def _begins(line: str) -> bool:
    """A word of the games first, and few after it: no sentence of somebody's disclaimer."""
    return bool(_WORD.match(line)) and len(line.split()) <= 8


def _direction(line: str) -> bool:
    """`paper 3,4`, `d2-e3`: a place on a grid."""
    return bool(re.fullmatch(rf"{_BULLET}\w{{1,12}}\s+(?:\d,\d|[NS]?[EW]|[a-h]\d(?:-[a-h]\d)?)\b.{{0,40}}", line, re.IGNORECASE))
