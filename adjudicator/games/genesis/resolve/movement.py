"""Why a move, a leap or an act of Bastet in the Centre is not possible on the board; a reason of ""
means that it is.
"""

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.orders import Leap, Move
from adjudicator.games.genesis.model.state import Piece, State
from adjudicator.games.genesis.model.terms import GIFTS, Name
from adjudicator.games.genesis.model.world import (
    CENTRE,
    CORNERS,
    PLACES,
    Square,
    neighbours,
    straight_line,
)
from adjudicator.games.kit.words import capital, whose


def _piece_name(piece: Piece, seat: Seat) -> str:
    """Return `your Bastet` or `seat 2’s Anubis`, as `seat` reads it."""
    return f"{whose(seat, piece.seat)} {piece.name.capitalize()}"


def what_lies_on(state: State, seat: Seat, square: Square) -> str:
    """Return what occupies a square: `a pyramid lies on b2`, `your Anubis stands on b2`."""
    piece = state.piece_on(square)
    if piece:
        return f"{_piece_name(piece, seat)} {'is buried' if piece.buried else 'stands'} on {square}"
    if square in state.pyramids:
        return f"a pyramid lies on {square}"
    return f"{'an idea' if square in state.ideas else 'a deed'} lies on {square}"


def why_lifeless(piece: Piece) -> str:
    """Return why a piece of the reader's own can do nothing, "" where it is alive."""
    name = piece.name.capitalize()
    if piece.buried:
        return f"Your {name} is buried on {piece.square}, for good."
    if piece.life == "dead":
        return "Your Bastet is dead; a throw of 1 or returned deeds bring her back."
    return "" if piece.square else f"Your {name} is not born yet."


# --- moves


def why_not_move(state: State, seat: Seat, order: Move) -> str:
    """Return why a piece cannot make this move on this board."""
    piece = state.side(seat).piece(order.piece)
    name = order.piece.capitalize()
    if piece.life != "alive" or piece.square is None:
        return why_lifeless(piece)
    if order.start and order.start != piece.square:
        return f"Your {name} stands on {piece.square}, not on {order.start}."
    if order.end == piece.square:
        return f"Your {name} stands on {piece.square} already."
    reach = _out_of_reach(piece.name, piece.square, order.end)
    return (
        reach
        or _blocked(state, seat, straight_line(piece.square, order.end))
        or _no_work(state, seat, order)
    )


def _out_of_reach(name: Name, start: Square, end: Square) -> str:
    if name == "bastet":
        return (
            ""
            if straight_line(start, end)
            else f"Bastet moves in a straight line, and none leads from {start} to {end}."
        )
    if end not in neighbours(start):
        return f"Anubis moves one square, and {end} is not next to {start}."
    return "Anubis never enters the Centre." if end == CENTRE else ""


def _blocked(state: State, seat: Seat, way: tuple[Square, ...]) -> str:
    """Return what blocks a path, or keeps the piece from entering its last square."""
    wall = next((square for square in way[:-1] if not state.bare(square)), None)
    if wall:
        return f"The way to {way[-1]} is blocked: {what_lies_on(state, seat, wall)}."
    return _no_entry(state, seat, way[-1])


def _no_entry(state: State, seat: Seat, end: Square) -> str:
    there = state.piece_on(end)
    if there:
        return _no_kill(state, seat, there)
    if end in state.blocks:
        return f"{capital(what_lies_on(state, seat, end))}."
    if state.sleeps(end):
        return (
            f"The corner {end} sleeps: nobody enters it until an idea has lain on it or the tombs"
            " have begun."
        )
    return ""


def _no_kill(state: State, seat: Seat, there: Piece) -> str:
    """Return why the piece `there` blocks its square, "" where it is a Bastet who can be killed."""
    here = capital(what_lies_on(state, seat, there.square or ""))
    if there.seat == seat or there.buried:
        return f"{here}."
    if there.name == "anubis":
        return f"{here}, and Anubis is never killed."
    if there.square in PLACES:
        return f"{here}, a place, where she is safe."
    if there.square in state.blocks:
        return f"{here} with a pyramid, where only a leap reaches her."
    return ""


# --- leaps


def why_not_leap(state: State, seat: Seat, order: Leap) -> str:
    """Return why Bastet cannot leap there (R5)."""
    bastet = state.side(seat).bastet
    if bastet.life != "alive" or bastet.square is None:
        return why_lifeless(bastet)
    if GIFTS[state.die or 2] != "leap":
        return f"You threw a {state.die}; only a 3 or a 6 lets Bastet leap."
    way = straight_line(bastet.square, order.end)
    if not way or (way[0][0] != bastet.square[0] and way[0][1] != bastet.square[1]):
        return (
            f"A leap goes straight along a file or a rank, and {order.end} is not on one with"
            f" {bastet.square}, where your Bastet stands."
        )
    if way[0] not in state.pyramids:
        deed = way[0] in state.blocks
        return (
            f"A deed lies on {way[0]}; only pyramids are leaped."
            if deed
            else f"No pyramid lies on {way[0]} to leap over."
        )
    if len(way) == 1:
        return _no_work(state, seat, order)
    if state.piece_on(way[0]):
        return (
            f"{capital(what_lies_on(state, seat, way[0]))} with the pyramid: the leap can only end"
            " there."
        )
    return _blocked(state, seat, way[1:]) or _no_work(state, seat, order)


# --- the Centre


def _no_work(state: State, seat: Seat, order: Move | Leap) -> str:
    """Return why Bastet cannot generate or destroy what the order says."""
    corner = order.idea or order.destroy
    if corner is None:
        return ""
    if order.end != CENTRE or (isinstance(order, Move) and order.piece == "anubis"):
        return "Ideas are generated and destroyed only by a Bastet who enters the Centre, c3."
    if state.part == "tombs":
        return "The tombs have begun: Bastet can neither generate nor destroy any more."
    if corner not in CORNERS:
        return f"{corner} is no Place of Ideas; these are a1, e1, a5 and e5."
    if order.destroy:
        return "" if corner in state.ideas else f"No idea lies on {corner} to destroy."
    left = state.side(seat).bastet.square == corner  # the corner she has just left counts as free
    return (
        ""
        if left or state.bare(corner)
        else f"{capital(what_lies_on(state, seat, corner))}, so no idea can be generated there."
    )
