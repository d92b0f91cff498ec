"""The working data of the standard resolver: one movement phase with its orders sorted by kind."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from adjudicator.games.diplomacy.map.convoys import Chain
from adjudicator.games.diplomacy.map.geography import (
    Power,
    Province,
    Spot,
    Unit,
    World,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import Convoy, Move, MovementOrder, Support
from adjudicator.games.diplomacy.model.outcomes import Fate


@dataclass(frozen=True)
class Tables:
    """Lookup tables of a map."""

    province: Mapping[str, Province]  # of every unit and of every spot
    reach: Mapping[Unit, frozenset[Spot]]


@cache
def tables_of(world: World) -> Tables:
    """Return the cached tables of a map."""
    province = {unit: province_of(unit) for unit in world.units} | {
        spot: province_at(spot) for spot in world.spots
    }
    return Tables(province, {unit: frozenset(spots) for unit, spots in world.reach.items()})


@dataclass(slots=True)
class Field:
    """One movement phase; each step fills some fields and reads those of the steps before."""

    world: World
    edition: Edition
    owner: Mapping[Unit, Power]
    orders: Mapping[Unit, MovementOrder]
    province: Mapping[str, Province]  # of every unit and of every spot
    reach: Mapping[Unit, frozenset[Spot]]
    at: dict[Province, Unit]  # the unit in each occupied province

    # by `sort_orders`
    # the destination of every move that is possible on this board
    aims: dict[Unit, Province] = field(default_factory=dict)
    # by destination: the moves by land or by a successful convoy
    rivals: dict[Province, list[Unit]] = field(default_factory=dict)
    # of armies that need a convoy or ask for one
    doubtful: list[Move] = field(default_factory=list)
    supports: list[Support] = field(default_factory=list)
    convoys: list[Convoy] = field(default_factory=list)

    # by `convoy_resolution`
    # armies that go by convoy, with all seas of their ordered routes
    sailing: dict[Unit, Chain] = field(default_factory=dict)
    # armies whose convoy was not ordered or failed
    stranded: dict[Unit, Fate] = field(default_factory=dict)

    # by `supports`
    # by supported unit: the supports that match its order
    matched: dict[Unit, list[Support]] = field(default_factory=dict)
    # by supported unit: the units whose support is not cut
    backers: dict[Unit, list[Unit]] = field(default_factory=dict)
    # the result of every support, without dislodgement
    supported: dict[Unit, Fate] = field(default_factory=dict)

    # by `strengths`
    # the unit that enters, for every province with rivals
    taker: dict[Province, Unit | None] = field(default_factory=dict)


def sort_orders(
    world: World,
    edition: Edition,
    owner: Mapping[Unit, Power],
    orders: Mapping[Unit, MovementOrder],
) -> Field:
    """Return the field with all orders sorted by kind; moves that need no convoy are among the
    rivals already.
    """
    known = tables_of(world)
    province, reach = known.province, known.reach
    sorted_ = Field(
        world, edition, owner, orders, province, reach, {province[unit]: unit for unit in owner}
    )
    aims, rivals = sorted_.aims, sorted_.rivals
    for unit, order in orders.items():
        if isinstance(order, Move):
            if order.to not in reach[unit] or (order.via and unit[0] == "A"):
                sorted_.doubtful.append(order)
                continue
            to = aims[unit] = province[order.to]
            if to in rivals:
                rivals[to].append(unit)
            else:
                rivals[to] = [unit]
        elif isinstance(order, Support):
            sorted_.supports.append(order)
        elif isinstance(order, Convoy):
            sorted_.convoys.append(order)
    return sorted_


def move_of(field: Field, unit: Unit) -> Move:
    """Return the order of a unit that is known to move."""
    order = field.orders[unit]
    assert isinstance(order, Move)  # noqa: S101 - it is in `aims`
    return order
