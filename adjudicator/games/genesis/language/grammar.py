"""The grammar of a line: the orders it names, or why it names none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adjudicator.core.near import nearest
from adjudicator.games.genesis.language.wording import MEANINGS, Word, read_words
from adjudicator.games.genesis.model.orders import (
    Birth,
    Decline,
    Lay,
    Leap,
    Move,
    Order,
    Pass,
    Pyramid,
    Rebirth,
    Return,
    Throw,
)
from adjudicator.games.genesis.model.world import Square
from adjudicator.games.kit.parsing import Misread
from adjudicator.games.kit.words import quote

_BARE: dict[str, Order] = {
    "throw": Throw(),
    "return": Return(),
    "pass": Pass(),
    "decline": Decline(),
}
_ONE_SQUARE: dict[str, Callable[[Square], Order]] = {
    "pyramid": Pyramid,
    "deed": Lay,
    "rebirth": Rebirth,
}
_MEANT_BY_BASTET = ("leap", "rebirth")


@dataclass(frozen=True)
class Read:
    """One order of a line, or why it is none."""

    line: str
    written: str  # the words of the line that make it
    order: Order | Misread


def read_line(line: str) -> tuple[Read, ...]:
    """Return every order that a line names; a line with an unknown word is refused as a whole."""
    words = read_words(line)
    wrong = next((word for word in words if word.role in ("unknown", "off")), None)
    if wrong:
        return (Read(line, wrong.written, _not_understood(words, wrong)),)
    segments = _segments(words)
    if not segments:
        return (Read(line, line, Misread(line, f"“{quote(line)}” names no order.")),)
    return tuple(Read(line, _written(segment), _read(segment)) for segment in segments)


def _written(words: Sequence[Word]) -> str:
    """Return words as the player wrote them."""
    return " ".join(word.written for word in words)


def _not_understood(words: Sequence[Word], wrong: Word) -> Misread:
    if wrong.role == "off":
        files = "a to e" if wrong.written[0].isascii() else "the Latin letters a to e"
        reason = (
            f"“{quote(wrong.written)}” is no square of the World, whose files are {files} and ranks"
            " 1 to 5."
        )
        return Misread(wrong.written, reason, (f"{_beginning(words)} {wrong.meaning}",))
    near = nearest(wrong.written, MEANINGS)
    like = MEANINGS[near][1] if near else _beginning(words)
    return Misread(
        wrong.written, f"“{quote(wrong.written)}” is no word of an order of Genesis.", (like,)
    )


def _beginning(words: Sequence[Word]) -> str:
    return next((word.meaning for word in words if word.role == "head"), "")


# --- a line into segments, each with the words of one order


def _segments(words: Sequence[Word]) -> list[list[Word]]:
    segments: list[list[Word]] = []
    for word in _without_implied(words):
        if not segments or (word.role == "head" and not _continues_birth(segments[-1], word)):
            segments.append([])
        segments[-1].append(word)
    return segments


def _without_implied(words: Sequence[Word]) -> list[Word]:
    """Leave out words that a neighbour implies: `return deeds`, `bastet leap c4`, `destroy idea
    e1`.
    """
    kept: list[Word] = []
    for word, after in zip(words, (*words[1:], None), strict=False):
        if not _is_implied(kept[-1] if kept else None, word, after):
            kept.append(word)
    return kept


def _is_implied(before: Word | None, word: Word, after: Word | None) -> bool:
    last, coming = before.meaning if before else "", after.meaning if after else ""
    if word.meaning == "bastet":
        return last in _MEANT_BY_BASTET or coming in _MEANT_BY_BASTET
    return (word.meaning, last) in {
        ("deed", "return"),
        ("pyramid", "rebirth"),
        ("idea", "destroy"),
        ("idea", "idea"),
    }


def _continues_birth(segment: Sequence[Word], head: Word) -> bool:
    """Whether a head continues a birth: `birth anubis b2 bastet d2`."""
    heads = [word.meaning for word in segment if word.role == "head"]
    return (
        heads[:1] == ["birth"]
        and head.meaning in ("anubis", "bastet")
        and head.meaning not in heads
    )


# --- a segment into an order


def _read(segment: Sequence[Word]) -> Order | Misread:
    head, rest = segment[0], segment[1:]
    if head.role != "head":
        return _headless(segment)
    if head.meaning == "birth":
        return _read_birth(segment)
    if head.meaning in ("anubis", "bastet", "leap"):
        return _read_way(head, segment)
    squares = _squares(rest)
    if any(word.role == "work" for word in rest):
        return Misread(
            _written(segment),
            f"“{quote(head.written)}” does nothing with an idea.",
            (head.meaning,),
        )
    if head.meaning in _BARE:
        misread = Misread(
            _written(rest), f"“{quote(head.written)}” names no square.", (head.meaning,)
        )
        return misread if squares else _BARE[head.meaning]
    if len(squares) != 1:
        return _wrong_number(segment, squares)
    return _ONE_SQUARE[head.meaning](squares[0])


def _squares(words: Sequence[Word]) -> list[Square]:
    return [word.meaning for word in words if word.role == "square"]


def _wrong_number(segment: Sequence[Word], squares: Sequence[Square]) -> Misread:
    quoted = quote(_written(segment))
    reason = (
        f"“{quoted}” names more than one square."
        if squares
        else f"“{quoted}” does not say on which square."
    )
    return Misread(quoted, reason, (segment[0].meaning,), kind="ambiguous")


def _headless(segment: Sequence[Word]) -> Misread:
    quoted = quote(_written(segment))
    if any(word.role == "work" for word in segment):
        reason = (
            "Bastet generates and destroys as she enters the Centre, c3: name her move before it."
        )
        return Misread(quoted, reason, ("bastet c3",), kind="ambiguous")
    return Misread(quoted, f"“{quoted}” does not say what comes to that square.", kind="ambiguous")


def _read_birth(segment: Sequence[Word]) -> Order | Misread:
    parts = [word.meaning for word in segment[1:]]
    if (
        len(parts) == 4
        and (parts[0], parts[2]) in (("anubis", "bastet"), ("bastet", "anubis"))
        and len(_squares(segment)) == 2
    ):
        cells = {parts[0]: parts[1], parts[2]: parts[3]}
        return Birth(cells["anubis"], cells["bastet"])
    reason = "A birth names a cell for Anubis and one for Bastet."
    return Misread(quote(_written(segment)), reason, ("birth",), kind="ambiguous")


def _read_way(head: Word, segment: Sequence[Word]) -> Order | Misread:
    """Read `anubis a1-b2`, `bastet c3 idea a5`, `leap c3 destroy e1`."""
    works = [at for at, word in enumerate(segment) if word.role == "work"]
    way = _squares(segment[: works[0]] if works else segment)
    corners = _squares(segment[works[0] :]) if works else []
    if len(way) not in ((1,) if head.meaning == "leap" else (1, 2)):
        return _wrong_number(segment, way)
    if len(works) > 1:
        return Misread(
            quote(_written(segment)),
            "Bastet can generate one idea or destroy one, not both.",
            (head.meaning,),
            kind="ambiguous",
        )
    if works and len(corners) != 1:
        reason = f"“{quote(_written(segment[works[0] :]))}” does not name one corner."
        return Misread(
            quote(_written(segment)), reason, (f"{head.meaning} {way[-1]}",), kind="ambiguous"
        )
    work = segment[works[0]].meaning if works else ""
    idea, destroy = (corners[0] if work == each else None for each in ("idea", "destroy"))
    if head.meaning == "leap":
        return Leap(way[0], idea, destroy)
    return Move(
        "bastet" if head.meaning == "bastet" else "anubis",
        way[-1],
        idea,
        destroy,
        way[0] if len(way) == 2 else None,
    )
