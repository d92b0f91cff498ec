"""The house bot of Genesis: it evaluates the board after each order, one turn deep; a throw counts as the mean of its faces."""

from collections.abc import Iterable
from dataclasses import fields, replace

from adjudicator.core.game import Pick, Seat, Slots
from adjudicator.games.genesis.model.orders import Birth, Lay, Move, Throw
from adjudicator.games.genesis.model.state import Piece, Side, Sitting, State
from adjudicator.games.genesis.model.view import SideView, TableView
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, FILES, RANKS, Square
from adjudicator.games.genesis.resolve.duty_cells import cells_owed
from adjudicator.games.genesis.resolve.legal import moves_after
from adjudicator.games.genesis.resolve.legal_orders import Turn, possible_turns
from adjudicator.games.genesis.resolve.movement import why_not_move
from adjudicator.games.genesis.resolve.turns import give_birth, take_turn

DEAD, EXPOSED, STILL = -25.0, -12.0, -3.0
DEED, PYRAMID, OUTSIDE = 4.0, 1.0, -6.0
BURIED, FILLED, COMPLETED = 20.0, 5.0, 60.0
AWAY = -0.8  # per square between a piece and its nearest goal
RIVAL = 0.6  # the weight of the other seat's value


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the highest-valued orders as text, ties picked at random.

    If the best order is a single move, each second move of the other piece is tried after it.
    """
    if not slots or view.seat is None:
        return ""
    state, seat = _state_of(view), view.seat
    turn = _best(state, seat, _to_weigh(possible_turns(state, seat), pick), pick)
    if isinstance(turn[0], Move) and len(turn) == 1:
        turn = _best(state, seat, [turn, *((turn[0], second) for second in moves_after(state, seat, turn[0]))], pick)
    return "\n".join(map(str, (*turn, *_duty(state, seat, turn, pick))))


def _to_weigh(turns: tuple[Turn, ...], pick: Pick) -> list[Turn]:
    """Return the turns to evaluate: single orders if there are any; births only with Anubis on one random cell next to a corner."""
    births = [turn[0] for turn in turns if isinstance(turn[0], Birth)]
    if births:
        anubis = pick([birth.anubis for birth in births if any(_steps(birth.anubis, corner) == 1 for corner in CORNERS)])
        return [(birth,) for birth in births if birth.anubis == anubis]
    return [turn for turn in turns if len(turn) == 1] or list(turns)


def _best(state: State, seat: Seat, turns: Iterable[Turn], pick: Pick) -> Turn:
    values = {turn: _turn_value(state, seat, turn) for turn in turns}
    highest = max(values.values())
    return pick([turn for turn, value in values.items() if value == highest])


def _duty(state: State, seat: Seat, turn: Turn, pick: Pick) -> tuple[Lay, ...]:
    """Return the highest-valued duty deed, () where none is owed."""
    cells = cells_owed(state, seat, turn)
    values = {cell: _state_value(take_turn(state, seat, turn, Lay(cell)).state, seat) for cell in cells}
    return (Lay(pick([cell for cell in cells if values[cell] == max(values.values())])),) if cells else ()


def _turn_value(state: State, seat: Seat, turn: Turn) -> float:
    if isinstance(turn[0], Birth):
        return _state_value(give_birth(state, seat, turn[0]).state, seat)
    if isinstance(turn[0], Throw):
        return sum(_throw_value(replace(state, die=face), seat) for face in range(1, 7)) / 6
    return _state_value(take_turn(state, seat, turn, None).state, seat)


def _throw_value(state: State, seat: Seat) -> float:
    return max(_turn_value(state, seat, turn) for turn in possible_turns(state, seat))


# --- the value of a state


def _state_value(state: State, seat: Seat) -> float:
    """Return the value of a state for `seat`: its side less a fraction of the other's, ideas outside, and turns of sitting still."""
    own, other = state.side(seat), state.other(seat)
    still = 0.0
    if state.sitting:
        still = state.sitting.turns * (STILL if state.sitting.seat == seat else -STILL)
    return _side_value(state, own) - RIVAL * _side_value(state, other) + OUTSIDE * state.outside + still


def _side_value(state: State, side: Side) -> float:
    whole = DEED * state.counted(side.seat) + PYRAMID * side.pyramids + (DEAD if side.bastet.life == "dead" else 0.0)
    whole += FILLED * len(state.filled(side.seat)) + (COMPLETED if side.completed else 0.0)
    whole += sum(BURIED if piece.buried else AWAY * _way_to_go(state, piece) for piece in side.pieces)
    return whole + (EXPOSED if _exposed(state, side) else 0.0)


def _way_to_go(state: State, piece: Piece) -> int:
    """Return the steps to a piece's nearest goal: the Centre for Bastet before the tombs, else a corner to take an idea or be buried."""
    if piece.square is None:
        return 5
    goals = state.ideas if state.part != "tombs" else (*state.ideas, *state.open_corners)
    if piece.name == "bastet" and state.part != "tombs":
        goals = (CENTRE,)  # she generates ideas there; Anubis takes them
    if not goals:  # wait next to a corner: ideas are generated on empty corners only
        return max(1, min(_steps(piece.square, corner) for corner in CORNERS))
    return min(_steps(piece.square, goal) for goal in goals)


def _steps(start: Square, end: Square) -> int:
    return max(abs(FILES.index(start[0]) - FILES.index(end[0])), abs(RANKS.index(start[1]) - RANKS.index(end[1])))


def _exposed(state: State, side: Side) -> bool:
    """Whether the other seat, having the next turn, could kill this side's Bastet."""
    bastet = side.bastet
    if bastet.life != "alive" or bastet.square is None or state.turn == side.seat:
        return False
    return any(not why_not_move(state, state.turn, Move(piece.name, bastet.square)) for piece in state.other(side.seat).pieces)


# --- the state behind a view


def _state_of(view: TableView) -> State:
    """Return the state a view was made from; nothing is hidden (R15)."""
    sitting = Sitting(view.sits, view.sits_for) if view.sits else None
    return State(
        turn_limit=view.turn_limit,
        first=view.first,
        sides=(_side_of(view.sides[0]), _side_of(view.sides[1])),
        turn=view.turn or view.first,
        outside=view.outside,
        ideas=view.ideas,
        pyramids=view.pyramids,
        deeds=view.deeds,
        part=view.part,
        sitting=sitting,
        die=view.die,
        over=view.moment == "over",
        last=view.last,
        asleep=view.asleep,
    )


def _side_of(view: SideView) -> Side:
    return Side(**{field.name: getattr(view, field.name) for field in fields(Side)})
