"""The working data of the `rsp` resolver, and the contest for one province, given whether the unit there leaves."""

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
    """One movement phase; each step fills some fields and reads those of the steps before."""

    world: World
    edition: Edition
    owner: Mapping[Unit, Power]
    orders: Orders
    traits: Mapping[Unit, Trait]
    province: Mapping[str, Province]  # of every unit and of every spot
    reach: Mapping[Unit, frozenset[Spot]]
    at: dict[Province, Unit]  # the unit in each occupied province

    # by `sort`
    aims: dict[Unit, Province] = field(default_factory=dict)  # the destination of every move that is not void
    rivals: dict[Province, list[Unit]] = field(default_factory=dict)  # the same moves by destination
    doubtful: list[Move] = field(default_factory=list)  # moves that need a convoy, ask for one or were offered one
    convoys: list[Convoy] = field(default_factory=list)

    # by `rsp_convoys`
    sailing: set[Unit] = field(default_factory=set)  # armies that go by a successful convoy
    sea_fates: dict[Unit, Fate] = field(default_factory=dict)  # of convoying fleets, and of armies whose convoy failed

    # by `circular_movement`
    taker: dict[Province, Unit | None] = field(default_factory=dict)  # the unit that enters, for every province with rivals


def sort(fray: Fray) -> None:
    """Sort convoys and moves; moves that surely go without a convoy are entered at once."""
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
    """Return the unit that enters a province if the unit there leaves (`left`) or stays; None if no unit does.

    Against a defender exactly one contender has to beat it, and that one may not be of the defender's power.
    """
    holder = fray.at.get(code)
    if holder is None or left:
        return _strongest(contenders(fray, code, left=left), fray.traits)
    beating = beaters(fray, code, holder)
    return beating[0] if len(beating) == 1 and fray.owner[beating[0]] != fray.owner[holder] else None


def contenders(fray: Fray, code: Province, *, left: bool) -> list[Unit]:
    """Return the contenders for a province, without a unit that its head-to-head opponent dislodged by leaving (`left`)."""
    rivals = fray.rivals[code]
    loser = head_to_head(fray, fray.at[code]) if left and code in fray.at else None
    return [unit for unit in rivals if unit != loser] if loser else rivals


def beaters(fray: Fray, code: Province, holder: Unit) -> list[Unit]:
    """Return the contenders for a province that beat the unit staying there."""
    traits, prey = fray.traits, fray.traits[holder]
    return [unit for unit in fray.rivals[code] if BEATS[traits[unit]] == prey]


def head_to_head(fray: Fray, unit: Unit) -> Unit | None:
    """Return the unit that moves the other way if neither is convoyed, else None."""
    aims = fray.aims
    to = aims.get(unit)
    other = fray.at.get(to) if to else None
    if other is None or aims.get(other) != fray.province[unit]:
        return None
    return None if unit in fray.sailing or other in fray.sailing else other


def _strongest(units: Sequence[Unit], traits: Mapping[Unit, Trait]) -> Unit | None:
    """Return the unit that enters an empty province: a single contender, or the only one that beats another.

    Of two characteristics only one beats the other. If all three are present each beats another, so no unit enters.
    """
    if len(units) == 1:
        return units[0]
    present = {traits[unit] for unit in units}
    strong = [unit for unit in units if BEATS[traits[unit]] in present]
    return strong[0] if len(strong) == 1 else None
