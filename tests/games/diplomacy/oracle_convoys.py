"""Convoys of Rock, Scissors, Paper Diplomacy by brute force, from the text of the rules alone (rsp
R7).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from adjudicator.games.diplomacy.map.geography import (
    Power,
    Province,
    Unit,
    World,
    kind_of,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import BEATS, Convoy, Move, MovementOrder, Trait
from tests.games.diplomacy.positions import chain_stands


@dataclass(frozen=True)
class Convoys:
    """The convoy of every army, as the orders and characteristics alone decide it."""

    world: World
    edition: Edition
    owner: Mapping[Unit, Power]
    orders: Mapping[Unit, MovementOrder]
    traits: Mapping[Unit, Trait]

    def fleets(self, army: Unit, to: Province) -> list[Unit]:
        """Return the fleets ordered to convoy that very move."""
        offers = {unit: order for unit, order in self.orders.items() if isinstance(order, Convoy)}
        return sorted(unit for unit, order in offers.items() if order.of == army and order.to == to)

    def routes(self, army: Unit, to: Province) -> list[tuple[Unit, ...]]:
        """Return the ordered routes: sets of fleets that join the two coasts and of which none can
        be left out.
        """
        fleets = self.fleets(army, to)
        found: list[tuple[Unit, ...]] = []
        for size in range(1, len(fleets) + 1):
            for chosen in combinations(fleets, size):
                if not any(set(less) < set(chosen) for less in found) and self._joined(
                    chosen, army, to
                ):
                    found.append(chosen)
        return found

    def _joined(self, fleets: Iterable[Unit], army: Unit, to: Province) -> bool:
        return chain_stands(self.world, frozenset(map(province_of, fleets)), province_of(army), to)

    def lost(self, fleet: Unit) -> bool:
        """Return whether a convoying fleet is dislodged; it holds, and only fleets attack it."""
        moves = {
            unit: province_at(order.to)
            for unit, order in self.orders.items()
            if isinstance(order, Move)
        }
        winners = [
            unit
            for unit, to in moves.items()
            if to == province_of(fleet) and BEATS[self.traits[unit]] == self.traits[fleet]
        ]
        return len(winners) == 1 and self.owner[winners[0]] != self.owner[fleet]

    def stands(self, army: Unit, to: Province) -> bool:
        """Return whether the army's convoy succeeds, by the edition's rule for several routes."""
        whole = [not any(map(self.lost, route)) for route in self.routes(army, to)]
        return bool(whole) and (all(whole) if self.edition.convoy == "all" else any(whole))

    def chosen(self, move: Move) -> bool:
        """Return whether this move goes by convoy, even by a void or broken one."""
        here, to = province_of(move.unit), province_at(move.to)
        if kind_of(move.unit) == "F":
            return False
        if (here, to) not in self.world.army_borders:
            return True
        if "inland" in (self.world.places[here].kind, self.world.places[to].kind):
            return False
        if self.edition.neighbour == "swap":
            return self._meets(here, to) and self.stands(move.unit, to)
        own = any(
            self.owner[fleet] == self.owner[move.unit] for fleet in self.fleets(move.unit, to)
        )
        return move.via or (self.edition.neighbour == "intent" and own)

    def serving(self, move: Move) -> frozenset[Unit]:
        """Return the fleets of the ordered routes of an army that goes by convoy, even if the
        convoy breaks.
        """
        here, to = province_of(move.unit), province_at(move.to)
        swaps = (
            self.edition.neighbour == "swap" and kind_of(move.unit) == "A" and self._meets(here, to)
        )
        routes = self.routes(move.unit, to) if swaps or self.chosen(move) else []
        return frozenset(fleet for route in routes for fleet in route)

    def _meets(self, here: Province, to: Province) -> bool:
        orders = [order for unit, order in self.orders.items() if province_of(unit) == to]
        return any(isinstance(order, Move) and province_at(order.to) == here for order in orders)
