"""Why an order is not possible now; a reason of "" means that it is legal."""

from typing import assert_never

from adjudicator.core.game import Seat
from adjudicator.games.kit.words import count
from adjudicator.games.phoenix.model.grid import COMPASS, Bird, is_beside, on_grid, square_text
from adjudicator.games.phoenix.model.orders import (
    Diagonal,
    Move,
    Order,
    Phoenix,
    Place,
    Roll,
    Second,
    Stay,
)
from adjudicator.games.phoenix.model.position import Position
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.resolve.diagonal import (
    Way,
    can_capture,
    chain_squares,
    is_diagonal,
    way_of,
)
from adjudicator.games.phoenix.story.phrases import verb_form

FORCED = (
    "The dice show doubles and this match is give-away: a Bird of yours has to rise from the Ashes."
)


def why_not(state: State, seat: Seat, order: Order) -> str:
    """Return the reason why `seat` cannot order this now, "" where it can."""
    if state.ended:
        return "The match is over."
    if seat != state.on_turn:
        return f"It is not your turn: {state.on_turn} decides now."
    position = Position(state)
    order = as_meant(position, order)
    match order:
        case Place():
            return _why_not_place(position, order)
        case Roll():
            return _why_not_roll(position)
        case Diagonal():
            return _why_not_diagonal(position, order)
        case Move():
            return _why_not_move(position, order)
        case Phoenix():
            return _why_not_phoenix(position, order)
        case Stay():
            return _why_not_stay(position)
        case _:
            assert_never(order)


def as_meant(position: Position, order: Order) -> Order:
    """Return the order to carry out: after a roll, a diagonal to the square of the dice (`rock
    4,4`) is the move there.

    The order given keeps its spelling, because in a plan it may be a diagonal in another turn.
    """
    if isinstance(order, Diagonal) and order.way == position.dice and not order.chain:
        return Move(order.bird, order.meeting)
    return order


def is_forced_phoenix(position: Position) -> bool:
    """Whether the seat on turn has to raise a Bird: doubles, in give-away, a Bird in the Ashes, and
    room for it (ruling R13).
    """
    return (
        position.state.modes.give_away
        and not _no_phoenix(position)
        and any(bird.place == "ashes" for bird in position.all_own())
    )


def may_raise(position: Position) -> bool:
    """Whether the dice let the seat on turn raise a Bird, if it has one in the Ashes (rulings R2,
    R3).
    """
    return not _no_phoenix(position)


def default_order(state: State) -> Order:
    """Return the order of a seat that sends none; it is always legal (ruling R14)."""
    position = Position(state)
    if position.dice is None:
        return Roll()
    if is_forced_phoenix(position):
        return Phoenix(next(bird.kind for bird in position.all_own() if bird.place == "ashes"))
    able = able_birds(position)
    if not able or _blocked(position):
        return Stay()
    return Place(able[0].kind) if position.part == "opening" else Move(able[0].kind)


def is_free(position: Position) -> bool:
    """Whether no Bird of the seat's own side is on the square of the dice (ruling R3)."""
    return not _blocked(position)


def able_birds(position: Position) -> tuple[Bird, ...]:
    """Return the Birds that can use the dice: in the opening those not yet placed, then those on
    the grid.
    """
    opening = position.part == "opening"
    return tuple(
        bird
        for bird in position.all_own()
        if (bird.place == "unplaced" if opening else bird.stands)
    )


# --- the opening


def _why_not_place(position: Position, order: Place) -> str:
    if position.part != "opening":
        return "The opening is over, and every Bird has been placed."
    bird = position.own(order.bird)
    if bird.place != "unplaced":
        return f"{_whereabouts(bird)}; only a Bird that was never placed can be placed."
    if is_forced_phoenix(position):
        return FORCED
    return _blocked(position)


def _why_not_stay(position: Position) -> str:
    if position.dice is None:
        return "Before the roll you may roll or move a Bird diagonally, but not stay."
    if is_forced_phoenix(position):
        return FORCED
    free = able_birds(position)
    if not free or _blocked(position):
        return ""
    verb = "placed on" if position.part == "opening" else "moved to"
    return (
        f"Your {free[0].kind.capitalize()} can be {verb} {_rolled(position)}; you may stay only"
        " where none of your Birds can."
    )


# --- the main game, before the roll


def _why_not_roll(position: Position) -> str:
    if position.part == "opening":
        return f"In the opening the dice are rolled for you; they show {_rolled(position)}."
    return f"You have rolled already; the dice show {_rolled(position)}." if position.dice else ""


def _why_not_diagonal(position: Position, order: Diagonal) -> str:
    if position.part == "opening":
        return "In the opening no Bird moves; you place one on the square of the dice."
    if position.dice:
        return (
            "You have rolled, so no Bird moves diagonally this turn; the dice show"
            f" {_rolled(position)}."
        )
    bird = position.own(order.bird)
    if not bird.stands:
        return f"{_whereabouts(bird)}; only a Bird on the grid can move."
    if not is_diagonal(bird, order):
        return (
            f"{_place_named(order)} is not on a diagonal of your {bird.kind.capitalize()} at"
            f" {square_text(bird.square)}."
        )
    way = way_of(bird, order)
    return _why_not_way(position, bird, way) or _why_not_chain(position, bird, way, order)


def _place_named(order: Diagonal) -> str:
    return str(order).split()[1]


def _why_not_way(position: Position, bird: Bird, way: Way) -> str:
    if not on_grid(way.end):
        return (
            f"{count(len(way.squares), 'square')} {COMPASS[way.direction]} of"
            f" {square_text(bird.square)} is off the grid."
        )
    if position.part != "escalation" and len(way.squares) > 1:
        return (
            "A diagonal move is one square until the Escalation begins, which is after turn"
            f" {_escalation_at(position)}."
        )
    for square in way.squares[:-1]:
        if other := position.at(square):
            return f"{_stands(position, other)} in the way at {square_text(square)}."
    other = position.at(way.end)
    if other and not can_capture(position, bird, way.end):
        until = (
            ""
            if position.friend_at(way.end, bird.seat)
            else "; until the Escalation a diagonal move ends on an empty square"
        )
        return f"{_stands(position, other)} on {square_text(way.end)}{until}."
    return ""


def _why_not_chain(position: Position, bird: Bird, way: Way, order: Diagonal) -> str:
    if not order.chain:
        return ""
    if position.part != "escalation":
        return (
            "There is no chain reaction until the Escalation begins, which is after turn"
            f" {_escalation_at(position)}."
        )
    possible = len(chain_squares(position, bird, way))
    if order.chain == "all" or order.chain <= possible:
        return ""
    if not position.foe_at(way.end, bird.seat):
        return (
            f"No opponent’s Bird stands on {square_text(way.end)}, so there is no chain reaction to"
            " go on with."
        )
    return (
        f"After {square_text(way.end)} the chain reaction can go on for"
        f" {count(possible, 'square')}, not {order.chain}."
    )


# --- after the roll


def _why_not_move(position: Position, order: Move) -> str:
    if position.part == "opening":
        return "In the opening no Bird moves; you place one on the square of the dice."
    if not position.dice:
        return "You have not rolled, so there is no square to move to yet."
    bird = position.own(order.bird)
    if not bird.stands:
        return f"{_whereabouts(bird)}; only a Bird on the grid can move."
    return FORCED if is_forced_phoenix(position) else _blocked(position)


def _why_not_phoenix(position: Position, order: Phoenix) -> str:
    bird = position.own(order.bird)
    if reason := _no_phoenix(position):
        return reason
    if bird.place != "ashes":
        return f"{_whereabouts(bird)}; only a Bird in the Ashes can rise."
    if position.part == "opening" and order.meeting:
        return "In the opening nothing interacts, so a Bird meets nobody."
    return _why_not_second(position, order.second) if order.second else ""


def _no_phoenix(position: Position) -> str:
    """Return why no Bird at all can rise now, "" where one can."""
    if not position.dice:
        return "You have not rolled; a Phoenix needs doubles."
    if position.dice[0] != position.dice[1]:
        return f"The dice show {_rolled(position)}; a Phoenix needs doubles."
    return _blocked(position)


def _why_not_second(position: Position, second: Second) -> str:
    if position.part == "opening":
        return (
            "Two Birds rise only in the Escalation, which does not begin before the opening is"
            " over."
        )
    if position.part != "escalation":
        return (
            "Two Birds rise only in the Escalation, which begins after turn"
            f" {_escalation_at(position)}."
        )
    bird = position.own(second.bird)
    if bird.place != "ashes":
        return f"{_whereabouts(bird)}; only a Bird in the Ashes can rise."
    if position.dice and not is_beside(position.dice, second.to):
        return (
            f"{square_text(second.to)} is not next to {_rolled(position)}, where the first Bird"
            " rises."
        )
    if other := position.at(second.to):
        return (
            f"{_stands(position, other)} on {square_text(second.to)}; the second Bird needs an"
            " empty square."
        )
    return ""


# --- words


def _rolled(position: Position) -> str:
    return square_text(position.dice) if position.dice else ""


def _blocked(position: Position) -> str:
    """Return why no Bird of the seat can come to the square of the dice, "" where one can (rulings
    R3, R13).
    """
    own = position.friend_at(position.dice, position.seat) if position.dice else None
    return (
        f"{_stands(position, own)} on {_rolled(position)}, so no Bird of yours can come there."
        if own
        else ""
    )


def _whereabouts(bird: Bird) -> str:
    has, lies, stands = (
        verb_form(bird.kind, *pair)
        for pair in (("has", "have"), ("lies", "lie"), ("stands", "stand"))
    )
    where = {"unplaced": f"{has} not been placed yet", "ashes": f"{lies} in the Ashes"}
    place = (
        where[bird.place]
        if isinstance(bird.place, str)
        else f"{stands} on {square_text(bird.place)}"
    )
    return f"Your {bird.kind.capitalize()} {place}"


def _stands(position: Position, bird: Bird) -> str:
    """Return `Your own Rock stands`, `Blue’s Scissors stand`."""
    stands = f"{bird.kind.capitalize()} {verb_form(bird.kind, 'stands', 'stand')}"
    if bird.seat == position.seat:
        return f"Your own {stands}"
    partner = "Your partner " if position.friend_at(bird.square, position.seat) else ""
    return f"{partner}{bird.seat}’s {stands}"


def _escalation_at(position: Position) -> int:
    return position.state.modes.escalation * len(position.state.seats)
