"""Small positions with orders, crowded so that the orders meet: one line of text each, at random or
by hypothesis.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from hypothesis import strategies as st

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    World,
    kind_of,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import EDITIONS, Edition
from adjudicator.games.diplomacy.model.orders import (
    TRAITS,
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Trait,
)


@dataclass(frozen=True)
class Position:
    """Units, their orders and characteristics, and the edition they are judged by."""

    edition: Edition
    owner: Mapping[Unit, Power]
    orders: Mapping[Unit, MovementOrder]
    traits: Mapping[Unit, Trait]

    def __str__(self) -> str:
        lines = (
            f"{power} {self.traits[unit]} {self.orders[unit]}"
            for unit, power in sorted(self.owner.items())
        )
        return "; ".join((self.edition.name, *lines))


def read_position(text: str) -> Position:
    """Return the position that `str` writes: `1976; FRANCE Rock A PAR - BUR; ITALY Paper A BUR
    H`.
    """
    edition, *lines = text.split("; ")
    words = [line.split(" ", 2) for line in lines]
    orders = [_read_order(said) for _, _, said in words]
    return Position(
        EDITIONS[edition],
        {order.unit: power for order, (power, _, _) in zip(orders, words, strict=True)},
        {order.unit: order for order in orders},
        {order.unit: _trait(word) for order, (_, word, _) in zip(orders, words, strict=True)},
    )


def _trait(word: str) -> Trait:
    return next(trait for trait in TRAITS if trait == word)


def _read_order(said: str) -> MovementOrder:
    words = said.split()
    unit = " ".join(words[:2])
    match words[2:]:
        case ["-", to, *via]:
            return Move(unit, to, via=bool(via))
        case ["C", kind, at, "-", to]:
            return Convoy(unit, f"{kind} {at}", to)
        case _:
            return Hold(unit)


# --- chains of seas (rsp R7)


def seas_by(world: World, place: Province) -> frozenset[Province]:
    """Return the seas that touch a province."""
    return frozenset(near for near in world.touching[place] if world.places[near].kind == "sea")


def chain_stands(world: World, seas: frozenset[Province], frm: Province, to: Province) -> bool:
    """Return whether these seas join the two coasts."""
    reached, edge = set[Province](), seas_by(world, frm) & seas
    while edge:
        reached |= edge
        edge = frozenset(near for sea in edge for near in seas_by(world, sea) & seas) - reached
    return bool(reached & seas_by(world, to))


@cache
def chains(
    world: World, frm: Province, to: Province, longest: int = 5
) -> tuple[frozenset[Province], ...]:
    """Return the minimal chains of at most `longest` seas from coast to coast."""
    found: list[frozenset[Province]] = []

    def walk(chain: tuple[Province, ...]) -> None:
        if chain[-1] in seas_by(world, to):
            found.append(frozenset(chain))
            return
        for sea in sorted(seas_by(world, chain[-1]) - set(chain)):
            crowded = sea in seas_by(world, frm) or any(
                sea in seas_by(world, past) for past in chain[:-1]
            )
            if len(chain) < longest and not crowded:
                walk((*chain, sea))

    for first in sorted(seas_by(world, frm)):
        walk((first,))
    return tuple(found)


# --- at random


@dataclass(frozen=True)
class _Board:
    """The units of a board for which orders are drawn."""

    world: World
    units: tuple[Unit, ...]

    @property
    def seas(self) -> frozenset[Province]:
        return frozenset(
            province_of(unit)
            for unit in self.units
            if self.world.places[province_of(unit)].kind == "sea"
        )

    def steps(self, unit: Unit) -> list[str]:
        """Return the spots that a unit can move to, occupied ones twice, so that orders conflict
        more often.
        """
        taken = {province_of(other) for other in self.units}
        return [
            to for to in self.world.reach[unit] for _ in range(2 if province_at(to) in taken else 1)
        ]

    def crossings(self, unit: Unit) -> list[str]:
        """Return the provinces to which fleets at sea could carry an army, occupied ones twice."""
        here = province_of(unit)
        if kind_of(unit) == "F" or self.world.places[here].kind != "coast":
            return []
        coasts = [
            place.code
            for place in self.world.places.values()
            if place.kind == "coast" and place.code != here
        ]
        taken = {province_of(other) for other in self.units}
        ready = [
            to for to in coasts if any(chain <= self.seas for chain in chains(self.world, here, to))
        ]
        return [to for to in ready for _ in range(2 if to in taken else 1)]


def random_position(chance: Random, world: World = STANDARD) -> Position:
    """Return a position of three to nine units in a few neighbouring provinces, with legal
    orders.
    """
    region = _region(chance, world)
    places = chance.sample(region, min(len(region), chance.randint(3, 9)))
    board = _Board(world, tuple(sorted(_unit_in(chance, world, place) for place in sorted(places))))
    powers = chance.sample(world.powers, chance.choice((2, 3, 3, 4)))
    edition = EDITIONS[chance.choice(("1976", "1976", "2023", "via"))]
    orders = _orders(chance, board, region)
    return Position(
        edition,
        {unit: chance.choice(powers) for unit in board.units},
        shuffled(
            chance, _with_idle_words(chance, orders) if edition.neighbour == "swap" else orders
        ),
        {unit: chance.choice(TRAITS) for unit in board.units},
    )


def shuffled(chance: Random, orders: Mapping[Unit, MovementOrder]) -> dict[Unit, MovementOrder]:
    """Return the same orders, stored in a random order."""
    return {unit: orders[unit] for unit in chance.sample(sorted(orders), len(orders))}


def _region(chance: Random, world: World) -> list[Province]:
    """Return some neighbouring provinces; those with the most neighbours among the others are
    preferred.
    """
    seas = chance.random() < 0.6
    starts = [
        code
        for code, place in world.places.items()
        if (place.kind == "sea") == seas and world.touching[code]
    ]
    region = [chance.choice(starts)]
    size = chance.randint(5, 10)
    while len(region) < size:
        near = sorted({code for place in region for code in world.touching[place]} - set(region))
        weights = [len(world.touching[code] & set(region)) ** 2 for code in near]
        region += chance.choices(near, weights)
    return region


def _unit_in(chance: Random, world: World, place: Province) -> Unit:
    here = [unit for unit in world.units if province_of(unit) == place]
    armies = [unit for unit in here if kind_of(unit) == "A"]
    return chance.choice(armies if armies and chance.random() < 0.7 else here)


def _orders(chance: Random, board: _Board, region: list[Province]) -> dict[Unit, MovementOrder]:
    """Return an order for each unit: perhaps a ring first, then armies, then fleets that convoy
    them, then attacks on these fleets.
    """
    ring = _round(chance, board) if chance.random() < 0.5 else {}
    orders: dict[Unit, MovementOrder] = {**ring}
    targets = [
        chance.choice([province_at(move.to) for move in ring.values()] or region),
        chance.choice(region),
    ]
    for army in (
        unit
        for unit in board.units
        if kind_of(unit) == "A" and unit not in orders and chance.random() < 0.85
    ):
        orders |= _one_move(chance, board, unit=army, targets=targets)
    moves = [order for order in orders.values() if isinstance(order, Move)]
    for move in chance.sample(moves, len(moves)):
        orders = _carriers(chance, board, move) | orders
    carrying = [province_of(unit) for unit, order in orders.items() if isinstance(order, Convoy)]
    for unit in (
        unit
        for unit in board.units
        if kind_of(unit) == "F" and unit not in orders and chance.random() < 0.8
    ):
        orders |= _one_move(
            chance,
            board,
            unit=unit,
            targets=carrying if carrying and chance.random() < 0.7 else targets,
        )
    return {unit: orders.get(unit) or _stays(chance, board, unit, moves) for unit in board.units}


def _with_idle_words(
    chance: Random, orders: Mapping[Unit, MovementOrder]
) -> dict[Unit, MovementOrder]:
    """Return the orders with `via convoy` added to some moves, fleets' and inland ones too, which
    edition 1976 ignores (rsp R7).
    """
    moves = [order for order in orders.values() if isinstance(order, Move)]
    return {
        **orders,
        **{move.unit: replace(move, via=True) for move in moves if chance.random() < 0.2},
    }


def _carriers(chance: Random, board: _Board, move: Move) -> dict[Unit, MovementOrder]:
    """Return orders to convoy an army for some of the useful fleets, most often for all of a
    chain.
    """
    if kind_of(move.unit) == "F" or chance.random() < 0.2:
        return {}
    ready = [
        chain
        for chain in chains(board.world, province_of(move.unit), move.to)
        if chain <= board.seas
    ]
    needed = set[Province]().union(*(ready if chance.random() < 0.6 else ready[:1]))
    fleets = [
        unit for unit in board.units if province_of(unit) in needed and chance.random() < 0.95
    ]
    return {unit: Convoy(unit, move.unit, province_at(move.to)) for unit in fleets}


def _round(chance: Random, board: _Board) -> dict[Unit, Move]:
    """Return the moves of the longest ring of two or more units, by land, sea or convoy, that a few
    tries find; else none.
    """
    best: list[tuple[Unit, str]] = []
    for _ in range(6):
        walk = [(chance.choice(board.units), "")]
        while len(walk) <= len(board.units):
            unit = walk[-1][0]
            ways = [
                (other, to)
                for to in _goals(board, unit)
                for other in board.units
                if province_of(other) == province_at(to)
            ]
            if not ways:
                break
            step = chance.choice(ways)
            back = [n for n, (past, _) in enumerate(walk) if past == step[0]]
            walk[-1] = (unit, step[1])
            if back:
                best = max(best, walk[back[0] :], key=len)
                break
            walk.append((step[0], ""))
    return {unit: Move(unit, to, via=_via(chance, board, unit=unit, to=to)) for unit, to in best}


def _goals(board: _Board, unit: Unit) -> list[str]:
    return sorted({*board.world.reach[unit], *board.crossings(unit)})


def _one_move(
    chance: Random, board: _Board, *, unit: Unit, targets: list[Province]
) -> dict[Unit, Move]:
    aimed = [to for to in _goals(board, unit) if province_at(to) in targets]
    across = board.crossings(unit)
    options = (
        aimed
        if aimed and chance.random() < 0.5
        else across
        if across and chance.random() < 0.5
        else board.steps(unit)
    )
    if not options:
        return {}
    to = chance.choice(options)
    return {unit: Move(unit, to, via=_via(chance, board, unit=unit, to=to))}


def _via(chance: Random, board: _Board, *, unit: Unit, to: str) -> bool:
    """Return whether the order says `via convoy`; only if some chain of seas could carry the
    army.
    """
    possible = chains(board.world, province_of(unit), to) if kind_of(unit) == "A" else ()
    return bool(possible) and chance.random() < (
        0.4 if any(chain <= board.seas for chain in possible) else 0.05
    )


def _stays(chance: Random, board: _Board, unit: Unit, moves: Iterable[Move]) -> MovementOrder:
    """Return a convoy of a moving army for which this fleet could be needed, else a hold."""
    here = province_of(unit)
    armies = [move for move in moves if kind_of(move.unit) == "A"]
    useful = [
        move
        for move in armies
        if any(here in chain for chain in chains(board.world, province_of(move.unit), move.to))
    ]
    if here not in board.seas or not useful or chance.random() < 0.3:
        return Hold(unit)
    move = chance.choice(useful)
    return Convoy(unit, move.unit, province_at(move.to))


def positions() -> st.SearchStrategy[Position]:
    """Return a hypothesis strategy for such positions, which can shrink them."""
    return st.randoms(use_true_random=False).map(random_position)
