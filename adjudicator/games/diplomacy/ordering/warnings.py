"""Remarks on valid orders that cannot have an effect, or that contradict other orders of the seat
(R1).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from adjudicator.games.diplomacy.map.geography import (
    Province,
    Unit,
    province_at,
    province_of,
    the_place,
)
from adjudicator.games.diplomacy.matching.unit_lookup import Field
from adjudicator.games.diplomacy.model.orders import (
    Convoy,
    Move,
    MovementOrder,
    Order,
    Retreat,
    Support,
)
from adjudicator.games.diplomacy.ordering.ways import Ways
from adjudicator.games.kit.words import listing


def find_warnings(field: Field, orders: Sequence[Order]) -> tuple[str, ...]:
    """Return a sentence for each order that has no effect on this board, or that another order of
    the seat contradicts.
    """
    if field.position.stage == "R":
        return tuple(_meetings(orders))
    if field.position.stage == "A":
        return ()
    given = {order.unit: order for order in orders if isinstance(order, MovementOrder)}
    return tuple(dict.fromkeys(_Warnings(field, given).all()))


def _meetings(orders: Sequence[Order]) -> Iterator[str]:
    """Yield a sentence for each province to which several own units retreat, which disbands them
    all (R2).
    """
    goals: dict[Province, list[Retreat]] = {}
    for order in orders:
        if isinstance(order, Retreat):
            goals.setdefault(province_at(order.to), []).append(order)
    for retreats in goals.values():
        if len(retreats) > 1:
            yield (
                f"{listing([str(order) for order in retreats])}: units that retreat to one province"
                " are all disbanded."
            )


@dataclass(frozen=True)
class _Warnings:
    field: Field
    given: Mapping[Unit, MovementOrder]  # of the seat's units, those that have an order

    def all(self) -> Iterator[str]:
        """Yield the remarks in the order of the orders, then those on several moves to one
        province.
        """
        for order in self.given.values():
            if isinstance(order, Move):
                yield from self._move(order)
            elif isinstance(order, Support):
                yield from self._support(order)
            elif isinstance(order, Convoy):
                yield from self._convoy(order)
        yield from self._crowds()

    # --- moves

    def _move(self, order: Move) -> Iterator[str]:
        by_land = order.to in self.field.world.reach[order.unit]
        if not by_land or order.via:
            yield from self._by_convoy(order, by_land=by_land)
        in_the_way = self.field.there.get(province_at(order.to))
        theirs = self.given.get(in_the_way) if in_the_way else None
        if (
            in_the_way is None
            or theirs is None
            or self.field.owner[order.unit] != self.field.owner[in_the_way]
        ):
            return
        if not isinstance(theirs, Move):
            yield (
                f"{order}: your own {in_the_way} is not ordered to leave, so this move cannot"
                " get in."
            )
        elif province_at(theirs.to) == province_of(order.unit) and not self._may_swap(
            order, theirs
        ):
            yield f"{order} and {theirs}: two units change places only if one of them is convoyed."

    def _by_convoy(self, order: Move, *, by_land: bool) -> Iterator[str]:
        chains = self._ways.routes.get(order.unit, {}).get(province_at(order.to), ())
        if by_land and self.field.edition.name == "1976":
            yield f"{order}: in this match’s edition, 1976, the words via convoy are ignored."
        elif not chains and by_land:
            yield f"{order}: no fleets on the board could convoy it there; VIA is of no use."
        elif not chains:
            yield (
                f"{order}: no fleets on the board could convoy it there, so this move cannot be"
                " made."
            )
        elif all(any(self._refuses(sea, order) for sea in chain) for chain in chains):
            fleets = listing(
                sorted(
                    {f"F {sea}" for chain in chains for sea in chain if self._refuses(sea, order)}
                ),
                "or",
            )
            yield f"{order}: to convoy it your own {fleets} is needed, which is ordered otherwise."

    def _refuses(self, sea: Province, move: Move) -> bool:
        """Whether the fleet in `sea` is the seat's own and has another order than to convoy this
        move.
        """
        order = self.given.get(f"F {sea}")
        return order is not None and not (
            isinstance(order, Convoy) and order.of == move.unit and order.to == province_at(move.to)
        )

    def _may_swap(self, one: Move, other: Move) -> bool:
        """Whether one of two units that change places may go by convoy."""
        world = self.field.world
        return any(
            move.via or move.to not in world.reach[move.unit] or self._convoyed(move)
            for move in (one, other)
        )

    def _convoyed(self, move: Move) -> bool:
        goal = province_at(move.to)
        return any(
            isinstance(order, Convoy) and order.of == move.unit and order.to == goal
            for order in self.given.values()
        )

    def _crowds(self) -> Iterator[str]:
        """Yield a sentence for each province to which several own units move, none of them
        supported (`standard`).
        """
        orders = [order for order in self.given.values() if isinstance(order, Move)]
        goals = [province_at(order.to) for order in orders]
        if self.field.rules.rule_set != "standard" or len(set(goals)) == len(goals):
            return
        for code in dict.fromkeys(goals):
            moves = [order for order, goal in zip(orders, goals, strict=True) if goal == code]
            if len(moves) > 1 and not any(self._supported(move) for move in moves):
                where = the_place(self.field.world, code)
                yield (
                    f"{listing([str(move) for move in moves])} keep each other out of {where},"
                    " unless one of them is supported."
                )

    def _supported(self, move: Move) -> bool:
        supports = (
            order
            for order in self.given.values()
            if isinstance(order, Support) and order.of == move.unit
        )
        return any(order.to and province_at(order.to) == province_at(move.to) for order in supports)

    # --- supports and convoys

    def _support(self, order: Support) -> Iterator[str]:
        goal = province_at(order.to) if order.to else None
        if goal and order.of not in self._ways.movers[goal]:
            yield (
                f"{order}: this support cannot succeed, no such move can be made: no fleets on the"
                " board could convoy it."
            )
            return
        theirs = self.given.get(order.of)
        if theirs is None:
            return
        if goal is None and isinstance(theirs, Move):
            yield (
                f"{order}: {order.of} is ordered {theirs}, and a unit that moves is not supported"
                " to hold."
            )
        elif order.to and not (isinstance(theirs, Move) and _agree(order.to, theirs.to)):
            yield f"{order}: {order.of} is ordered {theirs}, so there is no such move to support."

    def _convoy(self, order: Convoy) -> Iterator[str]:
        chains = self._ways.routes.get(order.of, {}).get(order.to, ())
        if not any(province_of(order.unit) in chain for chain in chains):
            yield (
                f"{order}: this convoy cannot succeed, other fleets that it needs are not on the"
                " board."
            )
        theirs = self.given.get(order.of)
        if theirs is not None and not (isinstance(theirs, Move) and theirs.to == order.to):
            yield f"{order}: {order.of} is ordered {theirs}, so there is no such move to convoy."

    # --- queries

    @cached_property
    def _ways(self) -> Ways:
        return Ways(self.field)


def _agree(supported: str, moved: str) -> bool:
    """Whether the destinations of a support and of a move agree; a support without a coast agrees
    with any coast.
    """
    return supported == moved or ("/" not in supported and supported == province_at(moved))
