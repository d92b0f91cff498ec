"""Orders of Rock Paper Pyramid: one piece, in many spellings; every other line is refused with a
reason and a remedy.
"""

import re
from dataclasses import dataclass

from adjudicator.core.game import Parsed, Refusal, Seat, Tagged
from adjudicator.core.near import nearest
from adjudicator.games.kit.parsing import last_counts
from adjudicator.games.kit.words import quote
from adjudicator.games.pyramid.pieces import COLOURS, SIZES, Piece, piece_name
from adjudicator.games.pyramid.state import Hand, State
from adjudicator.games.pyramid.view import pieces_text

COLOUR_WORDS = {
    word: letter for letter, full in COLOURS.items() for word in (letter.lower(), full)
} | {"clear": "C"}
SIZE_WORDS = {word: digit for digit, full in SIZES.items() for word in (digit, full[0], full)}
FILLERS = {"play", "show", "pick", "piece", "the", "a", "my", "i", "and", "pip", "pips"}
VOCABULARY = sorted(
    word for word in {*COLOUR_WORDS, *SIZE_WORDS, "play", "show", "pick"} if len(word) > 1
)

SLOT = "pick"  # the one choice of a phase
_SEPARATORS = re.compile(r"[\s,.;:]+")
_COLOUR, _SIZE = (
    "|".join(sorted(words, key=len, reverse=True)) for words in (COLOUR_WORDS, SIZE_WORDS)
)
_JOINED = re.compile(
    rf"(?:(?P<c1>{_COLOUR})[-/]?(?P<s1>{_SIZE})|(?P<s2>{_SIZE})[-/]?(?P<c2>{_COLOUR}))"
)


class Pick(Tagged, kind="pick"):
    """Show this piece in the coming round."""

    piece: Piece

    def __str__(self) -> str:
        return self.piece


@dataclass(frozen=True)
class _Words:
    """What a line's words name."""

    colours: tuple[str, ...]  # letters, each once
    sizes: tuple[str, ...]  # digits, each once
    pieces: tuple[Piece, ...] = ()  # those named by one word each: `B3`
    named: str = ""  # the words that name them, as written
    unknown: str = ""  # the first word that means nothing here


def parse(state: State, seat: Seat, text: str) -> Parsed[Pick]:
    """Read `text`; of two good orders the later one counts (ruling G8). Never raises."""
    lines = [line for line in text.splitlines() if _SEPARATORS.sub("", line)]
    read = [_read_line(state, state.hand(seat), line) for line in lines]
    owed = (SLOT,) if state.hand(seat).pool else ()
    return last_counts(
        read,
        owed,
        several="You named more than one piece",
        called=lambda pick: piece_name(pick.piece),
    )


# --- one line


def _read_line(state: State, hand: Hand, line: str) -> Pick | Refusal:
    words = _read_words(line)
    if words.unknown:
        return _not_understood(hand, line, words)
    if not words.colours and not words.sizes:
        return Refusal.invalid(line, quote(line), f"“{quote(line)}” names no piece.", hand.pool)
    if words.colours == ("R",) and not state.red:
        return _no_red(hand, line, words)
    if words.colours == ("R",) and not words.sizes:
        return _judge(hand, line, words.named, _own_red(hand))
    if len(words.colours) == 1 and len(words.sizes) == 1:
        return _judge(hand, line, words.named, words.colours[0] + words.sizes[0])
    return _ambiguous(hand, line, words)


def _read_words(line: str) -> _Words:
    colours, sizes, pieces, words, unknown = [], [], [], [], ""
    for word in filter(None, _SEPARATORS.split(line)):
        colour, size = _meaning(word.lower())
        colours += [colour] if colour else []
        sizes += [size] if size else []
        pieces += [colour + size] if colour and size else []
        words += [word] if colour or size else []
        if not colour and not size and word.lower() not in FILLERS:
            unknown = unknown or word
    return _Words(_once(colours), _once(sizes), _once(pieces), " ".join(words), unknown)


def _once(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _meaning(word: str) -> tuple[str | None, str | None]:
    """Return the colour letter and the size digit that one lower-case word names."""
    joined = _JOINED.fullmatch(word)
    if joined:
        colour, size = joined["c1"] or joined["c2"], joined["s1"] or joined["s2"]
        return COLOUR_WORDS[colour], SIZE_WORDS[size]
    return COLOUR_WORDS.get(word), SIZE_WORDS.get(word)


# --- what is wrong with it


def _judge(hand: Hand, line: str, words: str, piece: Piece) -> Pick | Refusal:
    if piece in hand.pool:
        return Pick(piece)
    if piece in hand.played:
        reason = f"You played {piece_name(piece)} in round {hand.played.index(piece) + 1}."
    else:
        reason = f"Your red piece is {piece_name(_own_red(hand))}, not {piece_name(piece)}."
    return Refusal.illegal(line, quote(words), reason, _nearest(hand, piece), understood=piece)


def _own_red(hand: Hand) -> Piece:
    return next(piece for piece in hand.pool + hand.played if piece[0] == "R")


def _no_red(hand: Hand, line: str, words: _Words) -> Refusal:
    remedies = _nearest(hand, "R" + "".join(words.sizes))
    return Refusal.illegal(
        line,
        quote(words.named),
        "This match has no red stack.",
        remedies,
        understood="R" + "".join(words.sizes[:1]),
    )


def _ambiguous(hand: Hand, line: str, words: _Words) -> Refusal:
    fitting = _fitting(hand, words)
    quoted = quote(words.named)
    if not fitting:
        return Refusal.ambiguous(
            line,
            quoted,
            f"“{quoted}” does not name one piece, and you hold none that fits it.",
            hand.pool,
        )
    if len(words.colours) < 2 and len(words.sizes) < 2:
        missing = "its size" if words.colours else "its colour"
        reason = f"“{quoted}” names a piece without {missing}; you hold {pieces_text(fitting)}."
    else:
        reason = f"“{quoted}” names more than one piece; show only one."
    return Refusal.ambiguous(line, quoted, reason, fitting)


def _not_understood(hand: Hand, line: str, words: _Words) -> Refusal:
    guess = _read_words(nearest(words.unknown, VOCABULARY))
    remedies = _fitting(
        hand, _Words(words.colours or guess.colours, words.sizes or guess.sizes, words.pieces)
    )
    return Refusal.invalid(
        line,
        quote(words.unknown),
        f"“{quote(words.unknown)}” is neither a colour nor a size.",
        remedies or hand.pool,
    )


# --- remedies


def _fitting(hand: Hand, words: _Words) -> tuple[Piece, ...]:
    """Return the pieces held that agree with what the words name."""
    if words.pieces:
        return tuple(piece for piece in hand.pool if piece in words.pieces)
    colours, sizes = words.colours or tuple(COLOURS), words.sizes or tuple(SIZES)
    return tuple(piece for piece in hand.pool if piece[0] in colours and piece[1] in sizes)


def _nearest(hand: Hand, piece: Piece) -> tuple[Piece, ...]:
    """Return the pieces held: those of the same colour first, then those of the same size."""
    return tuple(sorted(hand.pool, key=lambda held: (held[0] != piece[0], held[1:] != piece[1:])))
