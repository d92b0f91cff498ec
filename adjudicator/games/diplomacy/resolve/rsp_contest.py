"""The orders of one movement phase under `rsp`, and who gets into a province once it is known whether the unit there left it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit, World
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import BEATS, Convoy, Move, MovementOrder, Trait
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.resolve.movement_orders import tables

Orders = Mapping[Unit, MovementOrder]


@dataclass(slots=True)
class Fray:
    """One movement phase; filled step by step, each step reads what those before it wrote."""

    world: World
    edition: Edition
    owner: Mapping[Unit, Power]
    orders: Orders
    traits: Mapping[Unit, Trait]
    province: Mapping[str, Province]  # of every unit and of every spot
    reach: Mapping[Unit, frozenset[Spot]]
    at: dict[Province, Unit]  # who stands where

    # by `sort`
    aims: dict[Unit, Province] = field(default_factory=dict)  # whose move is not void, and where it goes
    rivals: dict[Province, list[Unit]] = field(default_factory=dict)  # the same by destination
    doubtful: list[Move] = field(default_factory=list)  # moves that need a convoy, ask for one or were offered one
    convoys: list[Convoy] = field(default_factory=list)

    # by `crossings`
    sailing: set[Unit] = field(default_factory=set)  # armies that go by a convoy that stands
    sea_fates: dict[Unit, Fate] = field(default_factory=dict)  # of convoying fleets, and of armies whose convoy does not stand

    # by `rings`
    taker: dict[Province, Unit | None] = field(default_factory=dict)  # who gets in, of all provinces somebody tried to enter


def sort(fray: Fray) -> None:
    """Find the convoys and the moves; moves that go by land whatever fleets are ordered arrive at once."""
    moves: list[Move] = []
    for order in fray.orders.values():
        if isinstance(order, Move):
            moves.append(order)
        elif isinstance(order, Convoy):
            fray.convoys.append(order)
    offered = {convoy.of for convoy in fray.convoys}
    for move in moves:
        if move.unit[0] == "A" and (move.via or move.unit in offered or move.to not in fray.reach[move.unit]):
            fray.doubtful.append(move)
        else:
            arrive(fray, move)


def arrive(fray: Fray, move: Move) -> None:
    """Enter a move that is not void among those for its destination."""
    to = fray.aims[move.unit] = fray.province[move.to]
    if to in fray.rivals:
        fray.rivals[to].append(move.unit)
    else:
        fray.rivals[to] = [move.unit]


def enter(world: World, edition: Edition, owner: Mapping[Unit, Power], *, orders: Orders, traits: Mapping[Unit, Trait]) -> Fray:
    """Return the fray with its orders sorted."""
    known = tables(world)
    province = known.province
    fray = Fray(world, edition, owner, orders, traits, province, known.reach, {province[unit]: unit for unit in owner})
    sort(fray)
    return fray


def winner(fray: Fray, code: Province, *, left: bool) -> Unit | None:
    """Return who gets into a province if the unit there leaves it, or stays; None where nobody does.

    Against a defender only those count that beat it, and exactly one has to; it may not be of the defender's own power.
    """
    holder = fray.at.get(code)
    if holder is None or left:
        return _strongest(contenders(fray, code, left=left), fray.traits)
    beating = beaters(fray, code, holder)
    return beating[0] if len(beating) == 1 and fray.owner[beating[0]] != fray.owner[holder] else None


def contenders(fray: Fray, code: Province, *, left: bool) -> list[Unit]:
    """Return who contends for a province: not a unit that its head-to-head opponent, which `left` the province, drives out."""
    rivals = fray.rivals[code]
    loser = head_to_head(fray, fray.at[code]) if left and code in fray.at else None
    return [unit for unit in rivals if unit != loser] if loser else rivals


def beaters(fray: Fray, code: Province, holder: Unit) -> list[Unit]:
    """Return the contenders for a province that beat the unit which stays there."""
    traits, prey = fray.traits, fray.traits[holder]
    return [unit for unit in fray.rivals[code] if BEATS[traits[unit]] == prey]


def head_to_head(fray: Fray, unit: Unit) -> Unit | None:
    """Return the unit that comes the other way while neither is convoyed, None where there is none."""
    aims = fray.aims
    to = aims.get(unit)
    other = fray.at.get(to) if to else None
    if other is None or aims.get(other) != fray.province[unit]:
        return None
    return None if unit in fray.sailing or other in fray.sailing else other


def _strongest(units: Sequence[Unit], traits: Mapping[Unit, Trait]) -> Unit | None:
    """Return who gets into an empty province: one alone, or the only one that beats anybody there.

    Of two characteristics only the stronger one beats anybody; where all three are present each does, so nobody gets in.
    """
    if len(units) == 1:
        return units[0]
    present = {traits[unit] for unit in units}
    strong = [unit for unit in units if BEATS[traits[unit]] in present]
    return strong[0] if len(strong) == 1 else None
