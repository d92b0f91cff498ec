"""Checks the equations of strength of DATC chapter 5 against a finished battle, independently of
the resolver's method.

For edition 2023. An army in a paradox counts as not arriving (Szykman's rule); every other result
has to follow from the rest.
"""

from collections.abc import Iterator, Mapping

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.orders import Convoy, Move, MovementOrder, Support
from adjudicator.games.diplomacy.model.outcomes import Battle


class Oracle:
    """One battle, with the decisions of DATC 5.B as methods."""

    def __init__(
        self, owner: Mapping[Unit, Power], orders: Mapping[Unit, MovementOrder], battle: Battle
    ) -> None:
        self.owner, self.battle = owner, battle
        self.moves = {
            unit: order
            for unit, order in orders.items()
            if isinstance(order, Move) and self.possible(order)
        }
        self.supports = [order for order in orders.values() if isinstance(order, Support)]
        self.convoys = [order for order in orders.values() if isinstance(order, Convoy)]
        self.at = {province_of(unit): unit for unit in owner}

    def objections(self) -> Iterator[str]:
        """Yield every unit whose fate does not follow from those of the others."""
        for unit in self.owner:
            if (unit in self.battle.moved) != (
                unit in self.moves and self.succeeds(self.moves[unit])
            ):
                yield f"{unit} {self.battle.fates[unit]}"
            by = [
                move.unit
                for move in self.moves.values()
                if province_at(move.to) == province_of(unit) and move.unit in self.battle.moved
            ]
            gone = bool(by) and unit not in self.battle.moved
            if gone != (unit in self.battle.dislodged) or gone != (
                self.battle.fates[unit].result == "dislodged"
            ):
                yield f"{unit} dislodged by {by}"
        for order in self.supports:
            fate = self.battle.fates[order.unit]
            if (
                fate.result != "dislodged"
                and fate.why != "no convoy"
                and (fate.result == "supported") != self.given(order)
            ):
                yield f"{order} {fate}"

    # --- ways

    def possible(self, move: Move) -> bool:
        """4.E.1: without a convoy, or by fleets that are on the board."""
        return (move.to in STANDARD.reach[move.unit] and not move.via) or self._linked(
            move,
            {
                province_of(unit)
                for unit in self.owner
                if STANDARD.places[province_of(unit)].kind == "sea"
            },
        )

    def by_convoy(self, move: Move) -> bool:
        offered = [order for order in self.convoys if order.of == move.unit and order.to == move.to]
        own = any(self.owner[order.unit] == self.owner[move.unit] for order in offered)
        return move.to not in STANDARD.reach[move.unit] or move.via or own

    def path(self, move: Move) -> bool:
        if not self.by_convoy(move):
            return True
        fleets = {
            province_of(order.unit)
            for order in self.convoys
            if order.of == move.unit
            and order.to == move.to
            and order.unit not in self.battle.dislodged
        }
        return not self.in_paradox(move) and self._linked(move, fleets)

    def in_paradox(self, move: Move) -> bool:
        """Whether its convoy failed by Szykman's rule; if the army was dislodged too, only the
        results of its fleets show it.
        """
        party = [
            move.unit,
            *(
                order.unit
                for order in self.convoys
                if order.of == move.unit and order.to == move.to
            ),
        ]
        return any(self.battle.fates[unit].why == "paradox" for unit in party)

    def _linked(self, move: Move, seas: set[Province]) -> bool:
        reached, edge = {province_of(move.unit)}, {province_of(move.unit)}
        while edge:
            edge = {near for code in edge for near in STANDARD.touching[code] & seas} - reached
            reached |= edge
            if any(province_at(move.to) in STANDARD.touching[code] for code in edge):
                return True
        return False

    # --- supports

    def given(self, order: Support) -> bool:
        move = self.moves.get(order.of)
        if order.to is None:
            return move is None and not self.cut(order)
        if (
            move is None
            or province_at(move.to) != province_at(order.to)
            or (order.to != move.to and "/" in order.to)
        ):
            return False
        return not self.cut(order)

    def cut(self, order: Support) -> bool:
        here = province_of(order.unit)
        attackers = [
            move.unit
            for move in self.moves.values()
            if province_at(move.to) == here and self.path(move)
        ]
        target = province_at(order.to) if order.to else None
        foreign = [
            unit
            for unit in attackers
            if self.owner[unit] != self.owner[order.unit] and province_of(unit) != target
        ]
        return bool(foreign) or order.unit in self.battle.dislodged

    def backers(self, unit: Unit) -> list[Unit]:
        return [order.unit for order in self.supports if order.of == unit and self.given(order)]

    # --- strengths

    def hold(self, code: Province) -> int:
        unit = self.at.get(code)
        if unit is None or unit in self.battle.moved:
            return 0
        return 1 if unit in self.moves else 1 + len(self.backers(unit))

    def opponent(self, move: Move) -> Move | None:
        """Return its head-to-head opponent's move, if any."""
        other = self.moves.get(self.at.get(province_at(move.to), ""))
        if other is None or province_at(other.to) != province_of(move.unit):
            return None
        return None if self.by_convoy(move) or self.by_convoy(other) else other

    def attack(self, move: Move) -> int:
        if not self.path(move):
            return 0
        holder = self.at.get(province_at(move.to))
        if holder is None or (holder in self.battle.moved and not self.opponent(move)):
            return 1 + len(self.backers(move.unit))
        if self.owner[holder] == self.owner[move.unit]:
            return 0
        return 1 + sum(
            self.owner[backer] != self.owner[holder] for backer in self.backers(move.unit)
        )

    def prevent(self, move: Move) -> int:
        opponent = self.opponent(move)
        if not self.path(move) or (opponent and opponent.unit in self.battle.moved):
            return 0
        return 1 + len(self.backers(move.unit))

    def succeeds(self, move: Move) -> bool:
        opponent = self.opponent(move)
        against = (
            1 + len(self.backers(opponent.unit)) if opponent else self.hold(province_at(move.to))
        )
        rivals = [
            other
            for other in self.moves.values()
            if other != move and province_at(other.to) == province_at(move.to)
        ]
        return self.attack(move) > max([against, *(self.prevent(other) for other in rivals)])
