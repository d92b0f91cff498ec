"""Typical positions of Genesis for tests of texts and pictures; built by hand, not played."""

from dataclasses import replace

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.events import (
    Born,
    Generated,
    Happened,
    Leapt,
    Moved,
    PlacedDeed,
    Thrown,
)
from adjudicator.games.genesis.model.state import Deed, Piece, Side, Sitting, State
from adjudicator.games.genesis.model.terms import Life, Name
from adjudicator.games.genesis.model.world import Square


def piece(seat: Seat, name: Name, where: Square | None, life: Life = "alive") -> Piece:
    """Return a piece on a square, or a dead or unborn one."""
    return Piece(seat, name, life, where)


def unborn(seat: Seat, pyramids: int) -> Side:
    """Return a seat before its birth."""
    return Side(seat, Piece(seat, "anubis"), Piece(seat, "bastet"), pyramids)


OPENING = State(
    turn_limit=75, first="1", sides=(unborn("1", 4), unborn("2", 2)), turn="1", outside=10
)

# Seat 1 came to the Centre from e5 and generated an idea; seat 2, whose Bastet it killed before,
# has three turns in a row.
LIFE = State(
    turn_limit=75,
    first="1",
    sides=(
        Side(
            "1",
            piece("1", "anubis", "b2"),
            piece("1", "bastet", "c3"),
            3,
            1,
            turns=9,
            must_leave=True,
        ),
        Side("2", piece("2", "anubis", "d4"), piece("2", "bastet", None, "dead"), 4, 0, turns=8),
    ),
    turn="2",
    outside=6,
    part="ideas",
    ideas=("e1", "a5"),
    pyramids=("d2", "e3", "b4"),
    sitting=Sitting("1", 3),
    last=(
        Moved(seat="1", piece="anubis", start="a2", end="b2"),
        Moved(seat="1", piece="bastet", start="e5", end="c3"),
        Generated(seat="1", square="a5", outside=6),
    ),
)

# Seat 1 has completed its tombs on a1 and a5. Seat 2 has buried its Anubis on e1; its Bastet is on
# the pyramid on d2.
TOMBS = State(
    turn_limit=75,
    first="1",
    sides=(
        Side(
            "1",
            piece("1", "anubis", "a1", "buried"),
            piece("1", "bastet", "a5", "buried"),
            2,
            3,
            turns=40,
            completed=True,
        ),
        Side("2", piece("2", "anubis", "e1", "buried"), piece("2", "bastet", "d2"), 1, 2, turns=40),
    ),
    turn="1",
    outside=0,
    part="tombs",
    ideas=("e5",),
    pyramids=("b1", "a2", "b2", "d2", "b5"),
    deeds=(Deed("a4", "1"), Deed("b4", "1"), Deed("c4", "2")),
    last=(
        Leapt(seat="2", start="d1", over="d2", end="d2"),
        PlacedDeed(seat="2", square="c4", left=2, duty=True),
    ),
)


def building() -> State:
    """Return TOMBS with seat 2's Bastet buried on e5: its six cells are d1, d2, e2, d4, e4 and d5,
    of which d2 is filled.
    """
    one, two = TOMBS.sides
    return replace(
        TOMBS,
        ideas=(),
        turn="2",
        sides=(one, replace(two, bastet=piece("2", "bastet", "e5", "buried"))),
        last=(),
    )


def after(*last: Happened, state: State = LIFE) -> State:
    """Return a position in which these are the events of the last order."""
    return replace(state, last=last)


def thrown(face: int, *, seat: Seat = "2") -> State:
    """Return LIFE where `seat` has to decide what it does with a throw."""
    last = Thrown(seat=seat, face=face, gift="leap" if face in {3, 6} else "rebirth", possible=True)
    return replace(LIFE, turn=seat, die=face, last=(last,))


def born() -> State:
    """Return the opening after the first seat's birth on b2 and d2."""
    one, two = OPENING.sides
    first = replace(one, anubis=piece("1", "anubis", "b2"), bastet=piece("1", "bastet", "d2"))
    return replace(
        OPENING, sides=(first, two), turn="2", last=(Born(seat="1", anubis="b2", bastet="d2"),)
    )
