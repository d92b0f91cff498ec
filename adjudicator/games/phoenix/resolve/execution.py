"""Carries out a legal order of the seat on turn on the grid."""

from typing import assert_never

from adjudicator.games.phoenix.model.events import Moved, Placed, Raised, Stayed
from adjudicator.games.phoenix.model.grid import Bird
from adjudicator.games.phoenix.model.orders import Diagonal, Move, Order, Phoenix, Place, Roll, Stay
from adjudicator.games.phoenix.model.position import Position
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.resolve.diagonal import chain_squares, way_of
from adjudicator.games.phoenix.resolve.landing import land_bird, resolve_meetings
from adjudicator.games.phoenix.resolve.legal import as_meant, is_forced_phoenix


def carry_out(state: State, order: Order) -> Position:
    """Return the position after a legal order other than `roll`, with its events."""
    position = Position(state)
    order = as_meant(position, order)
    landed = land_birds(position, order)
    meetings = order.meeting if isinstance(order, Diagonal | Move | Phoenix) else ()
    for place, bird in enumerate(landed):
        resolve_meetings(position, bird, meetings if place == 0 else ())
    return position


def land_birds(position: Position, order: Order) -> tuple[Bird, ...]:
    """Land the Birds of an order before any meeting is resolved, and return them in the order they
    landed.
    """
    match order:
        case Place():
            return (_place(position, order),)
        case Diagonal():
            return (_diagonal(position, order),)
        case Move():
            return (_move(position, order),)
        case Phoenix():
            return _raise(position, order)
        case Stay():
            position.events.append(_stayed(position))
            return ()
        case Roll():
            return ()
        case _:
            assert_never(order)


def _place(position: Position, order: Place) -> Bird:
    bird = position.own(order.bird)
    position.events.append(Placed(bird=bird, to=position.rolled))
    return land_bird(position, bird, position.rolled, "placed")


def _move(position: Position, order: Move) -> Bird:
    bird = position.own(order.bird)
    position.events.append(Moved(bird=bird, to=position.rolled, how="roll"))
    return land_bird(position, bird, position.rolled, "roll")


def _diagonal(position: Position, order: Diagonal) -> Bird:
    bird = position.own(order.bird)
    way = way_of(bird, order)
    chain = chain_squares(position, bird, way)
    position.events.append(Moved(bird=bird, to=way.end, how="diagonal"))
    bird = land_bird(position, bird, way.end, "diagonal")
    for square in chain if order.chain == "all" else chain[: order.chain]:
        position.events.append(Moved(bird=bird, to=square, how="chain"))
        bird = land_bird(position, bird, square, "chain")
    return bird


def _raise(position: Position, order: Phoenix) -> tuple[Bird, ...]:
    """Raise one or two Birds; the second lands before any meeting is resolved (ruling R10)."""
    bird = position.own(order.bird)
    forced = is_forced_phoenix(position)
    position.events.append(Raised(bird=bird, to=position.rolled, forced=forced))
    first = land_bird(position, bird, position.rolled, "phoenix")
    if order.second is None:
        return (first,)
    other, to = position.own(order.second.bird), order.second.to
    position.events.append(Raised(bird=other, to=to, second=True))
    return first, land_bird(position, other, to, "phoenix")


def _stayed(position: Position) -> Stayed:
    at = position.rolled
    waiting = any(bird.place == "unplaced" for bird in position.all_own())
    if position.part == "opening" and not waiting:
        return Stayed(seat=position.seat, why="none-to-place", at=at)
    if position.part != "opening" and not any(bird.stands for bird in position.all_own()):
        return Stayed(seat=position.seat, why="none-on-grid", at=at)
    return Stayed(
        seat=position.seat, why="blocked", at=at, blocker=position.friend_at(at, position.seat)
    )
