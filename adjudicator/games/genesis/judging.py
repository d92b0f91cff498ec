"""What a state of Genesis is worth to a house bot."""

from collections.abc import Callable

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.orders import Move
from adjudicator.games.genesis.model.state import Piece, Side, State
from adjudicator.games.genesis.model.world import (
    CENTRE,
    CORNERS,
    FILES,
    RANKS,
    Square,
    straight_line,
)
from adjudicator.games.genesis.resolve.movement import why_not_move

Value = Callable[[State, Seat], float]
"""Returns the worth of a state for a seat that has just moved."""

DEAD, EXPOSED, STILL = -25.0, -12.0, -3.0
DEED, PYRAMID, OUTSIDE = 4.0, 1.0, -6.0
BURIED, FILLED, COMPLETED = 20.0, 5.0, 60.0
AWAY = -0.8  # per square between a piece and its nearest goal
RIVAL = 0.6  # the weight of the other seat's value
MISSING, TOMB_CELLS = -4.0, 6
OFF_LINE = -4.0  # a Bastet with no open line to the Centre, where ideas are generated
CARE = 0.3  # the weight of the other seat's tombs, where both shall be reborn


def planned_value(state: State, seat: Seat) -> float:
    """Return the value of a state for `seat`: as for the greedy bot, but it gathers what its tombs
    need and seeks lines to the Centre.

    Once it is reborn as the winner, its own tombs complete and its deeds more, it helps the other
    seat to be reborn, too: that costs it nothing (ruling R12), and the purpose of the game is
    coexistence.
    """
    own, other = state.side(seat), state.other(seat)
    plan = MISSING * _missing(state, own) + (OFF_LINE if _off_line(state, own.bastet) else 0.0)
    if own.completed and state.counted(seat) > state.counted(other.seat):
        # RIVAL takes back what the greedy bot grudges
        plan += (RIVAL + CARE) * _tombs(state, other)
    return greedy_value(state, seat) + plan


def _missing(state: State, side: Side) -> int:
    """Return how many more pyramids and deeds a seat needs to complete its tombs."""
    return (
        0
        if side.completed
        else max(0, TOMB_CELLS - len(state.filled(side.seat)) - side.pyramids - side.deeds)
    )


def _off_line(state: State, bastet: Piece) -> bool:
    """Whether a Bastet who is to generate ideas is on no open line to the Centre."""
    if state.part == "tombs" or bastet.square in (None, CENTRE):
        return False
    line = straight_line(bastet.square or CENTRE, CENTRE)
    return not line or not all(map(state.bare, line[:-1]))


def greedy_value(state: State, seat: Seat) -> float:
    """Return the value of a state for `seat`: its side less a fraction of the other's."""
    own, other = (
        DEED * state.counted(side.seat) + _hand(side) + _tombs(state, side) + _ways(state, side)
        for side in (state.side(seat), state.other(seat))
    )
    return own - RIVAL * other + _moment(state, seat)


def _moment(state: State, seat: Seat) -> float:
    """Return the value of what concerns both: ideas that are still outside, and turns of sitting
    still.
    """
    still = 0.0
    if state.sitting:
        still = state.sitting.turns * (STILL if state.sitting.seat == seat else -STILL)
    return OUTSIDE * state.outside + still


def _hand(side: Side) -> float:
    return PYRAMID * side.pyramids + (DEAD if side.bastet.life == "dead" else 0.0)


def _tombs(state: State, side: Side) -> float:
    whole = FILLED * len(state.filled(side.seat)) + (COMPLETED if side.completed else 0.0)
    return whole + BURIED * sum(piece.buried for piece in side.pieces)


def _ways(state: State, side: Side) -> float:
    """Return the value, below 0, of the ways that a side's pieces still have to go, and of a Bastet
    who can be killed.
    """
    ways = sum(AWAY * _way_to_go(state, piece) for piece in side.pieces if not piece.buried)
    return ways + (EXPOSED if _exposed(state, side) else 0.0)


def _way_to_go(state: State, piece: Piece) -> int:
    """Return the steps to a piece's nearest goal: the Centre for Bastet before the tombs, else a
    corner to take an idea or be buried.
    """
    if piece.square is None:
        return 5
    goals = state.ideas if state.part != "tombs" else (*state.ideas, *state.open_corners)
    if piece.name == "bastet" and state.part != "tombs":
        goals = (CENTRE,)  # she generates ideas there; Anubis takes them
    if not goals:  # wait next to a corner: ideas are generated on empty corners only
        return max(1, min(steps_between(piece.square, corner) for corner in CORNERS))
    return min(steps_between(piece.square, goal) for goal in goals)


def steps_between(start: Square, end: Square) -> int:
    """Return the moves of Anubis between two squares of an empty board."""
    return max(
        abs(FILES.index(start[0]) - FILES.index(end[0])),
        abs(RANKS.index(start[1]) - RANKS.index(end[1])),
    )


def _exposed(state: State, side: Side) -> bool:
    """Whether the other seat, having the next turn, could kill this side's Bastet."""
    bastet = side.bastet
    if bastet.life != "alive" or bastet.square is None or state.turn == side.seat:
        return False
    return any(
        not why_not_move(state, state.turn, Move(piece.name, bastet.square))
        for piece in state.other(side.seat).pieces
    )
