"""The orders of one movement phase sorted by what they are, as the standard resolver works on them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from adjudicator.games.diplomacy.map.convoys import Chain
from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit, World, province_at, province_of
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import Convoy, Move, MovementOrder, Support
from adjudicator.games.diplomacy.model.outcomes import Fate


@dataclass(frozen=True)
class Tables:
    """What the resolver asks the map again and again."""

    province: Mapping[str, Province]  # of every unit and of every spot
    reach: Mapping[Unit, frozenset[Spot]]


@cache
def tables(world: World) -> Tables:
    """Return the tables of a map, made once."""
    province = {unit: province_of(unit) for unit in world.units} | {spot: province_at(spot) for spot in world.spots}
    return Tables(province, {unit: frozenset(spots) for unit, spots in world.reach.items()})


@dataclass(slots=True)
class Field:
    """One movement phase; filled step by step, each step reads what those before it wrote."""

    world: World
    edition: Edition
    owner: Mapping[Unit, Power]
    orders: Mapping[Unit, MovementOrder]
    province: Mapping[str, Province]  # of every unit and of every spot
    reach: Mapping[Unit, frozenset[Spot]]
    at: dict[Province, Unit]  # who stands where

    # by `sort`
    aims: dict[Unit, Province] = field(default_factory=dict)  # who was ordered where, by any move that is possible on this board
    rivals: dict[Province, list[Unit]] = field(default_factory=dict)  # whose moves arrive where, by land or by a convoy that stands
    doubtful: list[Move] = field(default_factory=list)  # of armies that need a convoy or ask for one
    supports: list[Support] = field(default_factory=list)
    convoys: list[Convoy] = field(default_factory=list)

    # by `carriage`
    sailing: dict[Unit, Chain] = field(default_factory=dict)  # armies that go by convoy, with all seas of their ordered routes
    stranded: dict[Unit, Fate] = field(default_factory=dict)  # armies whose convoy was not ordered or does not stand

    # by `supports`
    matched: dict[Unit, list[Support]] = field(default_factory=dict)  # the supports that agree with the order they support
    backers: dict[Unit, list[Unit]] = field(default_factory=dict)  # those of them that are not cut
    supported: dict[Unit, Fate] = field(default_factory=dict)  # what came of every support, dislodgement apart

    # by `strengths`
    taker: dict[Province, Unit | None] = field(default_factory=dict)  # who gets in, of all provinces somebody tried to enter


def sort(world: World, edition: Edition, owner: Mapping[Unit, Power], orders: Mapping[Unit, MovementOrder]) -> Field:
    """Return the field with every order on its heap; moves that can do without a convoy arrive already."""
    known = tables(world)
    province, reach = known.province, known.reach
    sorted_ = Field(world, edition, owner, orders, province, reach, {province[unit]: unit for unit in owner})
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
    assert isinstance(order, Move)  # noqa: S101 - it aims somewhere
    return order
