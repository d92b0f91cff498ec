"""The state of a match of Genesis between two orders; all of it is public (genesis R15)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.events import Happened
from adjudicator.games.genesis.model.terms import Life, Name, Part, Verdict
from adjudicator.games.genesis.model.world import CORNERS, Square, in_order, neighbours


@dataclass(frozen=True)
class Piece:
    """One half of a dipole."""

    seat: Seat
    name: Name
    life: Life = "unborn"
    square: Square | None = None  # where it is, alive or buried; None while it is unborn or dead

    @property
    def buried(self) -> bool:
        """Whether it is buried, and so permanently out of play (R9)."""
        return self.life == "buried"


@dataclass(frozen=True)
class Deed:
    """A deed on the board, and who placed it (R12)."""

    square: Square
    seat: Seat


@dataclass(frozen=True)
class Sitting:
    """A seat that sits still, and how many turns in a row the other seat still has (R3)."""

    seat: Seat
    turns: int


@dataclass(frozen=True)
class Side:
    """One seat's pieces, hand and duties."""

    seat: Seat
    anubis: Piece
    bastet: Piece
    pyramids: int  # in hand
    deeds: int = 0  # in hand
    turns: int = 0  # taken so far; a throw and its use are one turn
    must_leave: bool = False  # its Bastet entered the Centre before the tombs began (R7)
    completed: bool = False  # its tombs are complete; stays True for the rest of the match

    @property
    def pieces(self) -> tuple[Piece, Piece]:
        """Anubis, then Bastet."""
        return (self.anubis, self.bastet)

    def piece(self, name: Name) -> Piece:
        """Return the half called `name`."""
        return self.anubis if name == "anubis" else self.bastet

    @property
    def buried(self) -> bool:
        """Whether both halves are buried."""
        return self.anubis.buried and self.bastet.buried

    @property
    def tomb_cells(self) -> tuple[Square, ...]:
        """The six cells next to its two tombs, () until both halves are buried."""
        if not self.buried:
            return ()
        return in_order(
            {cell for piece in self.pieces if piece.square for cell in neighbours(piece.square)}
        )

    @property
    def building(self) -> bool:
        """Whether both halves are buried and the tombs not complete."""
        return self.buried and not self.completed


@dataclass(frozen=True)
class State:
    """A match between two orders."""

    turn_limit: int  # for each seat; 0 for none (R13)
    first: Seat
    sides: tuple[Side, Side]  # in seat order
    turn: Seat  # the seat that gives birth or takes the turn
    outside: int  # ideas outside the World
    # corners with an idea; all squares of a state are in the order a1 b1 .. e5
    ideas: tuple[Square, ...] = ()
    pyramids: tuple[Square, ...] = ()
    deeds: tuple[Deed, ...] = ()
    part: Part = "births"
    sitting: Sitting | None = None
    die: int | None = None  # the face thrown in this turn, until its seat has used or declined it
    over: bool = False
    # the events of the last order; before the first, the draws of the set-up
    last: tuple[Happened, ...] = ()
    # corners on which no stone ever lay (R16); () in matches begun under rules 1
    asleep: tuple[Square, ...] = ()

    def side(self, seat: Seat) -> Side:
        """Return the side of `seat`."""
        return self.sides[0] if self.sides[0].seat == seat else self.sides[1]

    def other(self, seat: Seat) -> Side:
        """Return the side of the other seat."""
        return self.sides[1] if self.sides[0].seat == seat else self.sides[0]

    def with_side(self, side: Side) -> "State":
        """Return the state with `side` in place of its seat's present side."""
        first, second = self.sides
        return replace(self, sides=(side, second) if first.seat == side.seat else (first, side))

    @property
    def taken(self) -> int:
        """How many turns both seats have taken together."""
        return sum(side.turns for side in self.sides)

    @property
    def pieces(self) -> Iterator[Piece]:
        """All pieces that are on a square, including the buried ones."""
        return (piece for side in self.sides for piece in side.pieces if piece.square)

    def piece_on(self, square: Square) -> Piece | None:
        """Return the piece on a square, alive or buried, None if there is none."""
        return next((piece for piece in self.pieces if piece.square == square), None)

    @property
    def blocks(self) -> frozenset[Square]:
        """The cells with a pyramid or a deed."""
        return frozenset(self.pyramids) | {deed.square for deed in self.deeds}

    def bare(self, square: Square) -> bool:
        """Whether a square is empty: no piece, no pyramid, no deed, no idea."""
        return (
            square not in self.blocks and square not in self.ideas and self.piece_on(square) is None
        )

    def filled(self, seat: Seat) -> tuple[Square, ...]:
        """Return the tomb cells of a seat that hold a pyramid or deed and no live piece (R11)."""
        live = {piece.square for piece in self.pieces if not piece.buried}
        return tuple(
            cell for cell in self.side(seat).tomb_cells if cell in self.blocks and cell not in live
        )

    def counted(self, seat: Seat) -> int:
        """Return how many deeds of a seat count at the end: those in hand and those it placed
        (R12).
        """
        return self.side(seat).deeds + sum(deed.seat == seat for deed in self.deeds)

    def sleeps(self, square: Square) -> bool:
        """Whether no piece may enter this corner: it sleeps until a stone has lain on it or the
        tombs have begun (R16).
        """
        return square in self.asleep and self.part != "tombs"

    def awoken(self, *squares: Square) -> "State":
        """Return the state with these corners permanently awake."""
        return replace(
            self, asleep=tuple(corner for corner in self.asleep if corner not in squares)
        )

    @property
    def open_corners(self) -> tuple[Square, ...]:
        """The corners with no idea and no piece."""
        return tuple(corner for corner in CORNERS if self.bare(corner))


def verdicts(state: State) -> Mapping[Seat, Verdict]:
    """Return each seat's verdict if the match ended now."""
    return {side.seat: _verdict(state, side) for side in state.sides}


def _verdict(state: State, side: Side) -> Verdict:
    if side.bastet.square is None:
        return "lost sevenfold"
    if not side.buried:
        return "lost threefold"
    if not side.completed:
        return "lost"
    return (
        "reborn as winner"
        if state.counted(side.seat) > state.counted(state.other(side.seat).seat)
        else "reborn"
    )
