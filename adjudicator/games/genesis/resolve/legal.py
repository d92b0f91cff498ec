"""Whether a seat can give an order now, and if not, why; combination.py judges the duty deed after
it.
"""

from dataclasses import dataclass

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.duties import has_to_place
from adjudicator.games.genesis.model.orders import (
    AFTER_THROW,
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
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.terms import GIFTS, Name
from adjudicator.games.genesis.model.view import current_moment
from adjudicator.games.genesis.model.world import (
    CELLS,
    CENTRE,
    CORNERS,
    ORTHOGONALS,
    SQUARES,
    Square,
    in_order,
    step_from,
)
from adjudicator.games.genesis.resolve.execution import carry_out
from adjudicator.games.genesis.resolve.movement import (
    what_lies_on,
    why_lifeless,
    why_not_leap,
    why_not_move,
)
from adjudicator.games.kit.words import capital, count, listing


@dataclass(frozen=True)
class Fault:
    """Why an order is not possible, and the square at fault ("" for the whole order)."""

    reason: str
    square: Square | str = ""


def why_not(state: State, seat: Seat, order: Order) -> Fault | None:
    """Return why `seat` cannot give this one order as the order of its turn, None where it can."""
    untimely = _out_of_time(state, seat, order)
    if untimely:
        return Fault(untimely)
    if isinstance(order, Birth):
        return _why_not_birth(state, seat, order)
    if isinstance(order, Move | Leap):
        reason = (
            why_not_move(state, seat, order)
            if isinstance(order, Move)
            else why_not_leap(state, seat, order)
        )
        return Fault(reason, order.idea or order.destroy or order.end) if reason else None
    if isinstance(order, Pyramid | Lay | Rebirth):
        reason = (
            _why_not_rebirth(state, seat, order.square)
            if isinstance(order, Rebirth)
            else _why_not_place(state, seat, order)
        )
        return Fault(reason, order.square) if reason else None
    reason = _why_not_bare(state, seat, order)
    return Fault(reason) if reason else None


# --- timing


def _out_of_time(state: State, seat: Seat, order: Order) -> str:
    """Return why an order of this kind cannot be given by `seat` at this point of the match."""
    moment = current_moment(state)
    if moment == "over":
        return "The match is over."
    if state.turn != seat:
        return _not_your_turn(state, seat)
    if moment == "birth":
        return (
            ""
            if isinstance(order, Birth)
            else "Your pieces are not born yet: say first on which two cells they are born."
        )
    if isinstance(order, Birth):
        return "Your pieces were born already."
    if moment == "turn" and isinstance(order, AFTER_THROW):
        return "You have not thrown the die in this turn."
    if moment == "thrown" and not isinstance(order, AFTER_THROW):
        return f"You threw a {state.die} in this turn: say what you do with it, or decline."
    if (
        state.side(seat).must_leave
        and moment == "turn"
        and not isinstance(order, Move)
        and leaving_orders(state, seat)
    ):
        return "Your Bastet came to the Centre, so she must leave it in this turn."
    return ""


def _not_your_turn(state: State, seat: Seat) -> str:
    sitting = state.sitting
    if sitting and sitting.seat == seat:
        return f"You sit still for {count(sitting.turns, 'more turn')} of seat {state.turn}."
    return f"It is seat {state.turn}’s turn, not yours."


def leaving_orders(state: State, seat: Seat) -> tuple[tuple[Move, ...], ...]:
    """Return the moves by which Bastet leaves the Centre (R7): hers alone or, if she has none, each
    after a move of Anubis.
    """
    alone = tuple((move,) for move in moves_of(state, seat, "bastet"))
    return alone or tuple(
        (move, second)
        for move in moves_of(state, seat, "anubis")
        for second in moves_after(state, seat, move)
    )


def moves_of(state: State, seat: Seat, name: Name) -> tuple[Move, ...]:
    """Return the moves of one piece that the board allows, whatever the turn requires; nothing is
    generated or destroyed.
    """
    return tuple(move for end in SQUARES if not why_not_move(state, seat, move := Move(name, end)))


def moves_after(state: State, seat: Seat, first: Move) -> tuple[Move, ...]:
    """Return the moves of the other piece after `first` (R8), as `moves_of` does."""
    return moves_of(
        carry_out(state, seat, (first,)).state,
        seat,
        "bastet" if first.piece == "anubis" else "anubis",
    )


# --- placing


def _why_not_place(state: State, seat: Seat, order: Pyramid | Lay) -> str:
    """Return why a pyramid or deed cannot be placed as the order of a turn."""
    side, square = state.side(seat), order.square
    if isinstance(order, Lay) and not side.buried:
        return (
            "Deeds are placed once both your pieces are buried; before that, only as a duty deed."
        )
    if not (side.pyramids if isinstance(order, Pyramid) else side.deeds):
        return f"You have no {'pyramid' if isinstance(order, Pyramid) else 'deed'} in hand."
    if square in CELLS and side.building and square not in side.tomb_cells:
        return (
            "While you build your tombs you place on your own tomb cells only:"
            f" {listing(side.tomb_cells)}."
        )
    return why_not_on(state, seat, square)


def why_not_on(state: State, seat: Seat, square: Square) -> str:
    """Return why nothing can be placed on a square, "" where it can."""
    if square not in CELLS:
        return (
            f"{square} is {'the Centre' if square == CENTRE else 'a Place of Ideas'}; pyramids and"
            " deeds are placed on cells."
        )
    return "" if state.bare(square) else f"{capital(what_lies_on(state, seat, square))}."


def _why_not_birth(state: State, seat: Seat, order: Birth) -> Fault | None:
    if order.anubis == order.bastet:
        return Fault("Anubis and Bastet are born on two different cells.", order.bastet)
    for square in (order.anubis, order.bastet):
        reason = why_not_on(state, seat, square)
        if reason:
            return Fault(reason, square)
    return None


# --- the die and rebirth


def useful_faces(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the faces that `seat` could use."""
    bastet = state.side(seat).bastet
    if bastet.life == "dead":
        return (1,) if rebirth_squares(state) else ()
    if bastet.life != "alive" or bastet.square is None:
        return ()
    near = {step_from(bastet.square, step) for step in ORTHOGONALS}
    return (3, 6) if near.intersection(state.pyramids) else ()


def rebirth_squares(state: State) -> tuple[Square, ...]:
    """Return where a dead Bastet may be reborn by a 1: pyramids with no piece on them, corners with
    no idea and no piece.
    """
    free = {pyramid for pyramid in state.pyramids if not state.piece_on(pyramid)}
    return in_order(free | set(state.open_corners))


def _why_not_rebirth(state: State, seat: Seat, square: Square) -> str:
    side = state.side(seat)
    if GIFTS[state.die or 2] != "rebirth":
        return f"You threw a {state.die}; only a 1 lets Bastet be reborn."
    if side.bastet.life != "dead":
        return (
            why_lifeless(side.bastet) or f"Your Bastet lives; she stands on {side.bastet.square}."
        )
    if square in rebirth_squares(state):
        return ""
    if square in state.pyramids or not state.bare(square):
        deed = (
            " and nobody is reborn from a deed"
            if square in state.blocks and square not in state.pyramids
            else ""
        )
        return f"{capital(what_lies_on(state, seat, square))}{deed}."
    return f"No pyramid lies on {square}; Bastet is reborn from a pyramid or on a corner."


def _why_not_bare(state: State, seat: Seat, order: Throw | Return | Pass | Decline) -> str:
    """Return why an order without a square is not possible."""
    if isinstance(order, Decline):
        return ""
    if isinstance(order, Pass):
        return (
            "You may not pass while you can place something." if has_to_place(state, seat) else ""
        )
    if state.side(seat).buried:
        return (
            "Both your pieces are buried: you place pyramids and deeds, and pass where you can"
            " place nothing."
        )
    return _why_not_throw(state, seat) if isinstance(order, Throw) else _why_not_return(state, seat)


def _why_not_throw(state: State, seat: Seat) -> str:
    bastet = state.side(seat).bastet
    if useful_faces(state, seat):
        return ""
    if bastet.life == "dead":
        return (
            "No face could do anything: no pyramid and no corner is free for Bastet to be reborn."
        )
    if bastet.buried:
        return "No face could do anything: your Bastet is buried."
    return (
        "No face could do anything: your Bastet lives, and no pyramid lies orthogonally next to"
        " her."
    )


def _why_not_return(state: State, seat: Seat) -> str:
    side, bare = state.side(seat), [corner for corner in CORNERS if corner not in state.ideas]
    if side.bastet.life != "dead":
        return (
            why_lifeless(side.bastet) or f"Your Bastet lives; she stands on {side.bastet.square}."
        )
    if not bare:
        return "An idea lies on every corner already, so no deed can be returned."
    taken = next((corner for corner in bare if state.piece_on(corner)), None)
    if taken:
        return (
            f"{capital(what_lies_on(state, seat, taken))}, so no deed can be returned there, and"
            " every corner has to be filled."
        )
    if side.deeds < len(bare):
        return (
            f"{count(len(bare), 'corner is', 'corners are')} without an idea and you have"
            f" {count(side.deeds, 'deed')} in hand."
        )
    if state.piece_on(CENTRE):
        return (
            f"{capital(what_lies_on(state, seat, CENTRE))}, so Bastet cannot be reborn in the"
            " Centre."
        )
    return ""
