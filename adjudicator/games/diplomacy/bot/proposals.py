"""Random sensible movement orders of one side: what the house bot expects of others, and where its
own search begins.
"""

from collections.abc import Iterator

from adjudicator.core.game import Pick
from adjudicator.games.diplomacy.bot.board import Board, Worths, reached
from adjudicator.games.diplomacy.map.geography import STANDARD, Province, Unit, province_at, unit_at
from adjudicator.games.diplomacy.model.orders import Hold, Move, MovementOrder, Support

Plan = dict[Unit, MovementOrder]
NOISE = 21  # the number of equally likely factors from 0.6 to 1.4
# the estimated chance of a move to an occupied and to a contested province
AGAINST_UNIT, AGAINST_RIVAL = 0.3, 0.6
HELP = 0.5  # the share of a supported move's gain that its supporter counts


def propose(worths: Worths, pick: Pick) -> Plan:
    """Return an order for each unit of a side, drawn unit by unit in random order.

    A unit takes its best choice by worth, chance and noise. One that would hold supports a move of
    its side that may fail.
    """
    waiting, plan = list(worths.units), Plan()
    going: dict[Province, Unit] = {}
    while waiting:
        unit = pick(waiting)
        waiting.remove(unit)
        plan[unit] = order = max(
            _choices(worths, unit, plan, going),
            key=lambda choice: (
                choice[0] * (0.6 + 0.04 * pick(range(NOISE))) if choice[0] > 0 else 0.0
            ),
        )[1]
        if isinstance(order, Move):
            going.setdefault(province_at(order.to), unit)
    return {unit: _revised(worths, unit, plan, going) for unit in plan}


def _choices(
    worths: Worths, unit: Unit, plan: Plan, going: dict[Province, Unit]
) -> Iterator[tuple[float, MovementOrder]]:
    """Yield the orders of a unit with their expected gains over holding."""
    board = worths.board
    here = worths.worth(unit)
    yield 0.0, Hold(unit)
    for to in STANDARD.reach[unit]:
        code = province_at(to)
        gain = worths.worth(unit_at(unit, to)) - here
        mover = going.get(code)
        holder = board.at.get(code)
        if mover:
            if board.rsp:
                yield HELP * gain, Move(unit, to)
            elif is_contested(worths, code):
                yield HELP * gain_of(worths, plan[mover]), Support(unit, mover, code)
        elif holder and board.owner[holder] in worths.side:
            if holder not in plan or isinstance(plan[holder], Move):
                yield gain * AGAINST_RIVAL, Move(unit, to)
            elif worths.dangers.get(code, 0) > 1 and not board.rsp:
                yield 2.0, Support(unit, holder)
        else:
            yield (
                gain
                * (AGAINST_UNIT if holder else AGAINST_RIVAL if worths.dangers.get(code) else 1.0),
                Move(unit, to),
            )


def gain_of(worths: Worths, order: MovementOrder) -> float:
    """Return what an order gains over holding if it succeeds."""
    return (
        worths.worth(unit_at(order.unit, order.to)) - worths.worth(order.unit)
        if isinstance(order, Move)
        else 0.0
    )


def is_contested(worths: Worths, code: Province) -> bool:
    """Whether a move of the side to a province may fail because of a foreign unit."""
    holder = worths.board.at.get(code)
    return bool(worths.dangers.get(code)) or (
        holder is not None and worths.board.owner[holder] not in worths.side
    )


def _revised(worths: Worths, unit: Unit, plan: Plan, going: dict[Province, Unit]) -> MovementOrder:
    """Return the order of a unit with all others known; one that can do nothing supports a doubtful
    move or a unit in danger.
    """
    order = plan[unit]
    if worths.board.rsp or not isinstance(order, Hold | Move):
        return order
    if isinstance(order, Move) and not _is_blocked(worths.board, order, plan):
        return order
    codes = reached(unit)
    for code in codes:
        if code in going and going[code] != unit and is_contested(worths, code):
            return Support(unit, going[code], code)
    for code in codes:
        other = worths.board.at.get(code)
        if other in plan and not isinstance(plan[other], Move) and worths.dangers.get(code):
            return Support(unit, other)
    return Hold(unit)


def _is_blocked(board: Board, order: Move, plan: Plan) -> bool:
    """Whether an own unit stays where another one is to go."""
    holder = board.at.get(province_at(order.to))
    return holder in plan and not isinstance(plan[holder], Move)


def with_matching_supports(plan: Plan) -> Plan:
    """Return the plan in which every support of an own order that has changed becomes a hold."""
    return {unit: order if _matches(order, plan) else Hold(unit) for unit, order in plan.items()}


def _matches(order: MovementOrder, plan: Plan) -> bool:
    if not isinstance(order, Support) or order.of not in plan:
        return True
    other = plan[order.of]
    goal = province_at(other.to) if isinstance(other, Move) else None
    return goal == (province_at(order.to) if order.to else None)
