"""The movement orders of the greedy house bot: the attacks of the highest gain first, with the
support or convoy they need.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt

from adjudicator.core.game import Pick, Slots
from adjudicator.games.diplomacy.bot.outlook import Outlook
from adjudicator.games.diplomacy.language.canonical import read_canonical
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Province,
    Spot,
    Unit,
    province_at,
    province_of,
    unit_at,
)
from adjudicator.games.diplomacy.model.orders import Convoy, Move, Support

MOST_SUPPORTS = 2
# share of the best gain above which raids are drawn from, so that the moves cannot be predicted
ALMOST = 0.9


@dataclass
class Menu:
    """The possible orders of one unit as texts, by what they do."""

    hold: str
    moves: dict[Spot, str] = field(default_factory=dict)
    carried: dict[Spot, str] = field(default_factory=dict)  # moves by convoy
    # by the supported unit and its destination
    supports: dict[tuple[Unit, Province], str] = field(default_factory=dict)
    convoys: dict[tuple[Unit, Province], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raid:
    """Orders that belong together: one unit moves, the others support or convoy it."""

    goal: Province
    texts: Mapping[Unit, str]
    mover: Unit
    gain: float  # for each of its units


def read_menus(slots: Slots) -> dict[Unit, Menu]:
    """Return the menu of each unit from the slots of a movement phase; optional slots and choices
    of other kinds are ignored.
    """
    found: dict[Unit, Menu] = {}
    for choice in (choice for slot in slots if not slot.optional for choice in slot.choices):
        order = read_canonical(choice.text)
        if order is None:
            continue
        menu = found.setdefault(order.unit, Menu(hold=""))
        if isinstance(order, Move):
            by_itself = not order.via and order.to in STANDARD.reach[order.unit]
            (menu.moves if by_itself else menu.carried)[order.to] = choice.text
        elif isinstance(order, Support):
            menu.supports[
                order.of, province_at(order.to) if order.to else province_of(order.of)
            ] = choice.text
        elif isinstance(order, Convoy):
            menu.convoys[order.of, order.to] = choice.text
        else:
            menu.hold = choice.text
    return found


def plan_moves(look: Outlook, of: Mapping[Unit, Menu], pick: Pick) -> dict[Unit, str]:
    """Return an order for every unit that has a menu.

    1. Choose raids one by one, among those of nearly the best gain, until none of the free ones has
       a gain.
    2. Let each remaining unit support one of these moves or a unit in danger, or hold.
    """
    raids = [raid for unit in of for raid in (*_marches(look, of, unit), *_voyages(look, of, unit))]
    texts: dict[Unit, str] = {}
    going: dict[Unit, Province] = {}
    while True:
        fit = [raid for raid in raids if raid.gain > 0 and _fits(look, raid, texts, going)]
        if not fit:
            break
        most = max(raid.gain for raid in fit)
        chosen = pick([raid for raid in fit if raid.gain >= ALMOST * most])
        texts |= chosen.texts
        going[chosen.mover] = chosen.goal
    return texts | {unit: _help(look, of[unit], going, texts) for unit in of if unit not in texts}


def _fits(
    look: Outlook, raid: Raid, texts: Mapping[Unit, str], going: Mapping[Unit, Province]
) -> bool:
    """Whether the units of a raid have no order yet, and no other own unit goes to its goal or
    stays there.
    """
    if any(unit in texts for unit in raid.texts) or raid.goal in going.values():
        return False
    holder = look.standing.get(raid.goal)
    return holder not in look.own or holder in going


def _marches(look: Outlook, of: Mapping[Unit, Menu], unit: Unit) -> Iterator[Raid]:
    """Yield the moves of a unit without a convoy, with none up to `MOST_SUPPORTS` supports."""
    for to, text in of[unit].moves.items():
        code = province_at(to)
        friends = [
            each
            for each in of
            if each != unit and (unit, code) in of[each].supports and province_of(each) != code
        ]
        friends.sort(key=look.worth)
        for number in range(min(len(friends), MOST_SUPPORTS) + 1):
            texts = {unit: text} | {
                each: of[each].supports[unit, code] for each in friends[:number]
            }
            yield Raid(code, texts, unit, _gain(look, unit, to, 1 + number))


def _voyages(look: Outlook, of: Mapping[Unit, Menu], unit: Unit) -> Iterator[Raid]:
    """Yield the moves of an army by the convoy of one own fleet."""
    for to, text in of[unit].carried.items():
        for fleet in (each for each in of if (unit, province_at(to)) in of[each].convoys):
            texts = {unit: text, fleet: of[fleet].convoys[unit, province_at(to)]}
            yield Raid(province_at(to), texts, unit, _gain(look, unit, to, 1) / 2)


def _gain(look: Outlook, unit: Unit, to: Spot, strength: int) -> float:
    """Return the expected gain of an attack over staying, divided by the square root of its
    strength.
    """
    better = look.worth(unit_at(unit, to)) - look.worth(unit)
    return better * look.chance(province_at(to), strength) / sqrt(strength)


def _help(
    look: Outlook, menu: Menu, going: Mapping[Unit, Province], texts: Mapping[Unit, str]
) -> str:
    """Return the order of a free unit: it supports an own move that may fail, else an own unit in
    danger, else it holds.
    """
    moves = [
        (unit, code)
        for unit, code in going.items()
        if (unit, code) in menu.supports and look.chance(code, 1) < 1
    ]
    stays = [
        (unit, province_of(unit))
        for unit in look.own
        if unit not in going and look.dangers.get(province_of(unit))
    ]
    for each in (*moves, *(stay for stay in stays if stay in menu.supports)):
        return menu.supports[each]
    return menu.hold
