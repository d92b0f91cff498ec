"""The working data of the `rsp` resolver, and the contest for one province, given whether the unit
there leaves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit, World
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import BEATS, Convoy, Move, MovementOrder, Trait
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.resolve.movement_orders import tables_of

Orders = Mapping[Unit, MovementOrder]


@dataclass(slots=True)
class RspField:
    """One movement phase; each step fills some fields and reads those of the steps before."""

    world: World
    edition: Edition
    owner: Mapping[Unit, Power]
    orders: Orders
    traits: Mapping[Unit, Trait]
    province: Mapping[str, Province]  # of every unit and of every spot
    reach: Mapping[Unit, frozenset[Spot]]
    at: dict[Province, Unit]  # the unit in each occupied province

    # by `sort_orders`
    # the destination of every move that is not void
    aims: dict[Unit, Province] = field(default_factory=dict)
    # the same moves by destination
    rivals: dict[Province, list[Unit]] = field(default_factory=dict)
    # moves that need a convoy, ask for one or were offered one
    doubtful: list[Move] = field(default_factory=list)
    convoys: list[Convoy] = field(default_factory=list)

    # by `rsp_convoys`
    sailing: set[Unit] = field(default_factory=set)  # armies that go by a successful convoy
    # of convoying fleets, and of armies whose convoy failed
    sea_fates: dict[Unit, Fate] = field(default_factory=dict)

    # by `circular_movement`
    # the unit that enters, for every province with rivals
    taker: dict[Province, Unit | None] = field(default_factory=dict)


def sort_orders(
    world: World,
    edition: Edition,
    owner: Mapping[Unit, Power],
    *,
    orders: Orders,
    traits: Mapping[Unit, Trait],
) -> RspField:
    """Return the field with convoys and moves sorted; moves that surely go without a convoy are
    among the rivals already.
    """
    known = tables_of(world)
    province, reach = known.province, known.reach
    field = RspField(
        world,
        edition,
        owner,
        orders,
        traits,
        province,
        reach,
        {province[unit]: unit for unit in owner},
    )
    moves: list[Move] = []
    for order in orders.values():
        if isinstance(order, Move):
            moves.append(order)
        elif isinstance(order, Convoy):
            field.convoys.append(order)
    offered = {convoy.of for convoy in field.convoys}
    for move in moves:
        if move.unit[0] == "A" and (
            move.via or move.unit in offered or move.to not in reach[move.unit]
        ):
            field.doubtful.append(move)
        else:
            enter_move(field, move)
    return field


def enter_move(field: RspField, move: Move) -> None:
    """Enter a move that is not void among those for its destination."""
    to = field.aims[move.unit] = field.province[move.to]
    if to in field.rivals:
        field.rivals[to].append(move.unit)
    else:
        field.rivals[to] = [move.unit]


def winner(field: RspField, code: Province, *, left: bool) -> Unit | None:
    """Return the unit that enters a province if the unit there leaves (`left`) or stays; None if no
    unit does.

    Against a defender exactly one contender has to beat it, and that one may not be of the
    defender's power.
    """
    holder = field.at.get(code)
    if holder is None or left:
        return _strongest(contenders(field, code, left=left), field.traits)
    beating = beaters(field, code, holder)
    return (
        beating[0] if len(beating) == 1 and field.owner[beating[0]] != field.owner[holder] else None
    )


def contenders(field: RspField, code: Province, *, left: bool) -> list[Unit]:
    """Return the contenders for a province, without a unit that its head-to-head opponent dislodged
    by leaving (`left`).
    """
    rivals = field.rivals[code]
    loser = head_to_head(field, field.at[code]) if left and code in field.at else None
    return [unit for unit in rivals if unit != loser] if loser else rivals


def beaters(field: RspField, code: Province, holder: Unit) -> list[Unit]:
    """Return the contenders for a province that beat the unit staying there."""
    traits, prey = field.traits, field.traits[holder]
    return [unit for unit in field.rivals[code] if BEATS[traits[unit]] == prey]


def head_to_head(field: RspField, unit: Unit) -> Unit | None:
    """Return the unit that moves the other way if neither is convoyed, else None."""
    aims = field.aims
    to = aims.get(unit)
    other = field.at.get(to) if to else None
    if other is None or aims.get(other) != field.province[unit]:
        return None
    return None if unit in field.sailing or other in field.sailing else other


def _strongest(units: Sequence[Unit], traits: Mapping[Unit, Trait]) -> Unit | None:
    """Return the unit that enters an empty province: a single contender, or the only one that beats
    another.

    Of two characteristics only one beats the other. If all three are present each beats another, so
    no unit enters.
    """
    if len(units) == 1:
        return units[0]
    present = {traits[unit] for unit in units}
    strong = [unit for unit in units if BEATS[traits[unit]] in present]
    return strong[0] if len(strong) == 1 else None
