"""What there is of a match of Genesis between two orders; all of it is public (genesis R15). What can happen is in events.py."""

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
    square: Square | None = None  # where it stands, or lies buried; None while it is unborn or dead

    @property
    def buried(self) -> bool:
        """Whether it is out of play for good (R9)."""
        return self.life == "buried"


@dataclass(frozen=True)
class Deed:
    """A deed on the board, and who placed it (R12)."""

    square: Square
    seat: Seat


@dataclass(frozen=True)
class Sitting:
    """A seat that sits still, and how many turns the other seat takes in a row from now on (R3)."""

    seat: Seat
    turns: int


@dataclass(frozen=True)
class Side:
    """What is a seat's own."""

    seat: Seat
    anubis: Piece
    bastet: Piece
    pyramids: int  # in hand
    deeds: int = 0  # in hand
    turns: int = 0  # taken so far; a throw and what is done with it is one
    must_leave: bool = False  # its Bastet came to the Centre before the tombs began (R7)
    completed: bool = False  # its tombs are complete, and stay it

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
        return in_order({cell for piece in self.pieces if piece.square for cell in neighbours(piece.square)})

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
    turn: Seat  # who gives birth or takes the turn
    outside: int  # ideas outside the World
    ideas: tuple[Square, ...] = ()  # corners with an idea; all squares of a state are in the order a1 b1 .. e5
    pyramids: tuple[Square, ...] = ()
    deeds: tuple[Deed, ...] = ()
    part: Part = "births"
    sitting: Sitting | None = None
    die: int | None = None  # the face thrown in this turn, while its seat has still to say what it does with it
    over: bool = False
    last: tuple[Happened, ...] = ()  # what the last order brought; in the opening, the draws of the set-up
    asleep: tuple[Square, ...] = ()  # corners on which no stone ever lay (R16); () in matches begun under rules 1

    def side(self, seat: Seat) -> Side:
        """Return what is `seat`'s own."""
        return self.sides[0] if self.sides[0].seat == seat else self.sides[1]

    def other(self, seat: Seat) -> Side:
        """Return what is the other seat's."""
        return self.sides[1] if self.sides[0].seat == seat else self.sides[0]

    def with_side(self, side: Side) -> "State":
        """Return the state with that side in place of the one its seat had."""
        first, second = self.sides
        return replace(self, sides=(side, second) if first.seat == side.seat else (first, side))

    @property
    def taken(self) -> int:
        """How many turns both seats have taken together."""
        return sum(side.turns for side in self.sides)

    @property
    def pieces(self) -> Iterator[Piece]:
        """All pieces that are on a square, the buried ones too."""
        return (piece for side in self.sides for piece in side.pieces if piece.square)

    def piece_on(self, square: Square) -> Piece | None:
        """Return the piece that stands or lies buried on a square."""
        return next((piece for piece in self.pieces if piece.square == square), None)

    @property
    def blocks(self) -> frozenset[Square]:
        """The cells with a pyramid or a deed."""
        return frozenset(self.pyramids) | {deed.square for deed in self.deeds}

    def bare(self, square: Square) -> bool:
        """Whether nothing at all is on a square: no piece, no pyramid, no deed, no idea."""
        return square not in self.blocks and square not in self.ideas and self.piece_on(square) is None

    def filled(self, seat: Seat) -> tuple[Square, ...]:
        """Return the tomb cells of a seat that hold a pyramid or deed and no live piece (R11)."""
        live = {piece.square for piece in self.pieces if not piece.buried}
        return tuple(cell for cell in self.side(seat).tomb_cells if cell in self.blocks and cell not in live)

    def counted(self, seat: Seat) -> int:
        """Return the deeds of a seat that count at the end: in hand and placed by it (R12)."""
        return self.side(seat).deeds + sum(deed.seat == seat for deed in self.deeds)

    def sleeps(self, square: Square) -> bool:
        """Whether nobody enters this corner now: it sleeps until a stone has lain on it or the tombs have begun (R16)."""
        return square in self.asleep and self.part != "tombs"

    def awoken(self, *squares: Square) -> "State":
        """Return the state in which these corners are awake for good."""
        return replace(self, asleep=tuple(corner for corner in self.asleep if corner not in squares))

    @property
    def open_corners(self) -> tuple[Square, ...]:
        """The corners with no idea and no piece."""
        return tuple(corner for corner in CORNERS if self.bare(corner))


def verdicts(state: State) -> Mapping[Seat, Verdict]:
    """Return how each seat stands if the match ended now."""
    return {side.seat: _verdict(state, side) for side in state.sides}


def _verdict(state: State, side: Side) -> Verdict:
    if side.bastet.square is None:
        return "lost sevenfold"
    if not side.buried:
        return "lost threefold"
    if not side.completed:
        return "lost"
    return "reborn as winner" if state.counted(side.seat) > state.counted(state.other(side.seat).seat) else "reborn"
