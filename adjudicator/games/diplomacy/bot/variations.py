"""Changes to a plan that are worth trying: attacks with supports or several characteristics,
convoys, guards.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from adjudicator.games.diplomacy.bot.board import Board, Worths, reached
from adjudicator.games.diplomacy.bot.proposals import Plan, gain_of, is_contested
from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Province,
    Unit,
    kind_of,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, MovementOrder, Support

MOST_SUPPORTS = 3
# the estimated chance of an attack on a unit, by the number of supports
OCCUPIED = (0.2, 0.65, 0.85, 0.95)
CONTESTED = (0.6, 0.8, 0.9, 0.95)
GUARDED = 2.0  # what a support of a unit in danger gains
EMBARKING = 0.7  # the share of its gain that a convoyed move counts


@dataclass(frozen=True)
class Variation:
    """Orders of some units that belong together."""

    score: float  # the estimated gain over holding
    orders: Plan


def list_variations(worths: Worths, plan: Plan) -> list[Variation]:
    """Return changes of a plan, the most promising first."""
    found = [
        each
        for unit in worths.units
        for to in STANDARD.reach[unit]
        for each in _attacks(worths, plan, Move(unit, to))
    ]
    found += _voyages(worths, plan)
    if not worths.board.rsp:
        found += _guards(worths, plan)
    return sorted(found, key=lambda each: -each.score)


def _attacks(worths: Worths, plan: Plan, move: Move) -> Iterator[Variation]:
    """Yield a move alone, and with the help of each number of neighbours that give up least."""
    board, code = worths.board, province_at(move.to)
    holder = board.at.get(code)
    gain = gain_of(worths, move)
    if gain <= 0 or (holder in plan and not isinstance(plan[holder], Move)):
        return
    contested = is_contested(worths, code)
    helpers = (
        [unit for unit in board.near[code] if unit in plan and unit != move.unit]
        if contested
        else []
    )
    helpers.sort(key=lambda unit: gain_of(worths, plan[unit]))
    chances = OCCUPIED if holder and holder not in plan else CONTESTED
    lost = 0.0
    for number in range(min(len(helpers), MOST_SUPPORTS) + 1):
        if number:
            lost += max(0.0, gain_of(worths, plan[helpers[number - 1]])) / 2
        orders: Plan = {
            move.unit: move,
            **{unit: _helping(board, unit, move) for unit in helpers[:number]},
        }
        yield Variation(gain * (chances[number] if contested else 1.0) - lost, orders)


def _helping(board: Board, unit: Unit, move: Move) -> MovementOrder:
    """Return a support of a move, or where nothing supports a move to the same province."""
    code = province_at(move.to)
    if not board.rsp:
        return Support(unit, move.unit, code)
    return Move(unit, next(to for to in STANDARD.reach[unit] if province_at(to) == code))


def _voyages(worths: Worths, plan: Plan) -> Iterator[Variation]:
    """Yield the moves of armies by convoys of own fleets to where they cannot go by land."""
    seas = {
        province_of(unit): unit
        for unit in worths.units
        if STANDARD.places[province_of(unit)].kind == "sea"
    }
    coasts = _landings(frozenset(seas)) if seas else ()
    for army in (
        unit for unit in worths.units if kind_of(unit) == "A" and province_of(unit) in coasts
    ):
        for code in coasts:
            move = Move(army, code)
            if (
                code in reached(army)
                or code in (province_of(unit) for unit in plan)
                or gain_of(worths, move) <= 0
            ):
                continue
            chains = [
                chain
                for chain in find_chains(STANDARD, province_of(army), code)
                if chain <= seas.keys()
            ]
            if chains:
                fleets = [seas[sea] for sea in min((sorted(chain) for chain in chains), key=len)]
                orders: Plan = {
                    army: move,
                    **{fleet: Convoy(fleet, army, code) for fleet in fleets},
                }
                lost = sum(max(0.0, gain_of(worths, plan[fleet])) for fleet in fleets) / 2
                yield Variation(gain_of(worths, move) * EMBARKING - lost, orders)


def _landings(seas: frozenset[Province]) -> tuple[Province, ...]:
    return tuple(
        code
        for code, place in STANDARD.places.items()
        if place.kind == "coast" and STANDARD.touching[code] & seas
    )


def _guards(worths: Worths, plan: Plan) -> Iterator[Variation]:
    """Yield supports of units in danger, by neighbours and by pairs of them."""
    for unit in (each for each in worths.units if worths.dangers.get(province_of(each), 0) > 1):
        friends = [
            each for each in worths.board.near[province_of(unit)] if each in plan and each != unit
        ]
        for friends_now in (*combinations(friends, 1), *combinations(friends[:3], 2)):
            lost = sum(max(0.0, gain_of(worths, plan[each])) for each in friends_now) / 2
            orders: Plan = {unit: Hold(unit), **{each: Support(each, unit) for each in friends_now}}
            yield Variation(GUARDED - lost, orders)
