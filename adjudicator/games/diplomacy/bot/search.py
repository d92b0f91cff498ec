"""The movement orders of the strong house bot: the best it finds against samples of what the others
may order.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.core.game import Pick
from adjudicator.games.diplomacy.bot.board import Board, Worths, reached
from adjudicator.games.diplomacy.bot.proposals import Plan, propose, with_matching_supports
from adjudicator.games.diplomacy.bot.variations import Variation, list_variations
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Unit,
    province_at,
    province_of,
    unit_at,
)
from adjudicator.games.diplomacy.model.orders import (
    TRAITS,
    Hold,
    Move,
    MovementOrder,
    Support,
    Trait,
)
from adjudicator.games.diplomacy.resolve import contests, movement
from adjudicator.games.diplomacy.resolve.movement_orders import Field
from adjudicator.games.diplomacy.resolve.rsp_contest import RspField

SAMPLES = 4  # of what the others order
STARTS = 5  # random plans, the best of which is improved
BUDGET = 130  # adjudications in one choice
KEPT = 5  # in ten: how often a foreign unit is taken to be what it was last seen as
LOST = 5.0  # the price of a dislodged unit
DROVE = 3.0  # the worth of dislodging a foreign one
# the price of an own centre that a foreign unit enters in Fall, and in Spring
TAKEN_NOW, TAKEN_LATER = 12.0, 6.0


@dataclass(frozen=True)
class Sample:
    """What the others may order, with the characteristics that their units may have (rsp)."""

    orders: Plan
    traits: Mapping[Unit, Trait]


@dataclass(frozen=True)
class Draft:
    """Own orders, and under `rsp` own characteristics, with their mean value over the samples."""

    plan: Plan
    traits: Mapping[Unit, Trait]
    value: float = 0.0


@dataclass
class Search:
    """A search for the best plan of one side; `spent` counts adjudications, so that it never
    depends on a clock.
    """

    worths: Worths
    samples: tuple[Sample, ...]
    owner: Mapping[Unit, Power]  # of the own units and of those that can meet them
    spent: int = field(default=0)

    @property
    def board(self) -> Board:
        """The board."""
        return self.worths.board

    def value_of(self, plan: Plan, traits: Mapping[Unit, Trait]) -> float:
        """Return the mean value of a plan over the samples."""
        self.spent += len(self.samples)
        return sum(
            self._value(plan, self._settle(plan, traits, sample)) for sample in self.samples
        ) / len(self.samples)

    def _settle(self, plan: Plan, traits: Mapping[Unit, Trait], sample: Sample) -> Field | RspField:
        orders = {**sample.orders, **plan}
        if self.board.rsp:
            known = {**sample.traits, **traits}
            return contests.settle_field(
                STANDARD, self.board.edition, self.owner, orders=orders, traits=known
            )
        return movement.settle_field(STANDARD, self.board.edition, self.owner, orders)

    def _value(self, plan: Plan, field: Field | RspField) -> float:
        """Return the value of the board after a battle: the worth of own units, less what is lost,
        with what is driven out.
        """
        board, taker, aims, worth = self.board, field.taker, field.aims, self.worths.worth
        value = 0.0
        for unit, order in plan.items():
            if isinstance(order, Move) and unit in aims and taker.get(aims[unit]) == unit:
                value += worth(unit_at(unit, order.to))
            elif taker.get(province_of(unit)):
                value -= LOST
            else:
                value += worth(unit)
        for code, by in taker.items():
            other = board.at.get(code)
            if by in plan:
                stays = (
                    other
                    and other not in plan
                    and (other not in aims or taker.get(aims[other]) != other)
                )
                value += DROVE if stays else 0.0
            elif by and board.holder.get(code) in board.mine:
                value -= TAKEN_NOW if board.fall else TAKEN_LATER
        return value


def plan_orders(board: Board, pick: Pick) -> Draft:
    """Return the best orders found for the own side.

    1. Draw what the others may order, and what their units may be.
    2. Draw random sensible plans, and take the best of them.
    3. Try changes, the most promising first, and keep each that is better, until the budget is
       spent.
    """
    worths = Worths(board, board.mine)
    near = _meeting(board, worths)
    others = [Worths(board, side) for side in board.sides if side != board.mine]
    samples = tuple(_sample(board, others, near, pick) for _ in range(SAMPLES))
    search = Search(
        worths,
        samples,
        {unit: power for unit, power in board.owner.items() if unit in near or power in board.mine},
    )
    best = max((_draw(search, pick) for _ in range(STARTS)), key=lambda draft: draft.value)
    return _improve(search, best, pick)


def _draw(search: Search, pick: Pick) -> Draft:
    plan = propose(search.worths, pick)
    traits = {unit: pick(TRAITS) for unit in plan} if search.board.rsp else {}
    return Draft(plan, traits, search.value_of(plan, traits))


def _meeting(board: Board, worths: Worths) -> frozenset[Unit]:
    """Return the foreign units that can meet own ones in this phase."""
    codes = {code for unit in worths.units for code in (province_of(unit), *reached(unit))}
    return frozenset(
        unit
        for unit, power in board.owner.items()
        if power not in board.mine
        and (province_of(unit) in codes or not codes.isdisjoint(reached(unit)))
    )


def _sample(board: Board, others: list[Worths], near: frozenset[Unit], pick: Pick) -> Sample:
    orders: dict[Unit, MovementOrder] = {}
    for worths in others:
        if any(unit in near for unit in worths.units):
            idle = all(power in board.idle for power in worths.side)
            drawn = {unit: Hold(unit) for unit in worths.units} if idle else propose(worths, pick)
            orders |= {unit: order for unit, order in drawn.items() if unit in near}
    return Sample(
        orders, {unit: _guess(board, unit, pick) for unit in sorted(near)} if board.rsp else {}
    )


def _guess(board: Board, unit: Unit, pick: Pick) -> Trait:
    """Return what a foreign unit may be: what it was last seen as, or anything."""
    seen = board.view.seen.get(unit)
    if seen and (board.owner[unit] in board.idle or pick(range(10)) < KEPT):
        return seen.trait
    return pick(TRAITS)


# --- improving a plan


def _improve(search: Search, best: Draft, pick: Pick) -> Draft:
    while search.spent < BUDGET:
        before = best
        for each in list_variations(search.worths, best.plan):
            if search.spent >= BUDGET:
                break
            plan = _changed(best.plan, each, rsp=search.board.rsp)
            if plan != best.plan:
                best = _better(search, best, plan, _retraited(search, best, each, pick))
        if search.board.rsp:
            best = _with_better_traits(search, best, pick)
        if best is before:
            break
    return best


def _better(search: Search, best: Draft, plan: Plan, traits: Mapping[Unit, Trait]) -> Draft:
    value = search.value_of(plan, traits)
    return Draft(plan, traits, value) if value > best.value else best


def _changed(plan: Plan, change: Variation, *, rsp: bool) -> Plan:
    """Return a plan with a change; other units that went to the same province support its move, or
    hold where they cannot.
    """
    mover, order = next(iter(change.orders.items()))
    changed = {**plan, **change.orders}
    if not isinstance(order, Move) or rsp:
        return with_matching_supports(changed)
    goal = province_at(order.to)
    for unit, other in plan.items():
        if unit not in change.orders and isinstance(other, Move) and province_at(other.to) == goal:
            changed[unit] = Support(unit, mover, goal) if goal in reached(unit) else Hold(unit)
    return with_matching_supports(changed)


def _retraited(search: Search, best: Draft, change: Variation, pick: Pick) -> Mapping[Unit, Trait]:
    """Return the characteristics for a change: of several attackers of one province each is
    something else.
    """
    if not search.board.rsp:
        return {}
    together = [unit for unit, order in change.orders.items() if isinstance(order, Move)]
    first = TRAITS.index(pick(TRAITS))
    return {**best.traits, **{unit: TRAITS[(first + at) % 3] for at, unit in enumerate(together)}}


def _with_better_traits(search: Search, best: Draft, pick: Pick) -> Draft:
    """Try another characteristic of each unit, one by one."""
    for unit in best.plan:
        if search.spent >= BUDGET:
            break
        other = pick([trait for trait in TRAITS if trait != best.traits[unit]])
        best = _better(search, best, best.plan, {**best.traits, unit: other})
    return best
