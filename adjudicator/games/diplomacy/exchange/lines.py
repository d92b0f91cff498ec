"""Reads and writes positions in the form of the exchange, with a sentence for each error (R8)."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Province, Unit, province_of
from adjudicator.games.diplomacy.model.orders import TRAITS, Trait
from adjudicator.games.diplomacy.model.state import Position, group_by_power
from adjudicator.games.diplomacy.resolve.resolve_retreats import homeless_on

PHASE = re.compile(r"[SF][0-9]{4}[MR]|W[0-9]{4}A")
LOST = "*"  # prefix of a dislodged unit, since another unit may now be in the same place

_UNITS = frozenset(STANDARD.units)


class LineFault(ValueError):
    """A line that cannot be adjudicated; the message is a sentence that says why."""

    value: int | None = None  # which value of a file it is about, from 1 on, where that is known


# --- reading


def read_position(phase: object, before: object) -> Position:
    """Return the position of a line; raises LineFault if it is not a possible one.

    Every key may be missing, except `centres` in a Winter.
    """
    if not isinstance(phase, str) or not PHASE.fullmatch(phase):
        raise LineFault(f"The phase is {_shown(phase)}; it would be like S1901M, F1901R or W1901A.")
    if not isinstance(before, Mapping):
        raise LineFault('“before” has to be an object with "units", "dislodged" and "centres".')
    owner, marked = _units(before, "units")
    lost = marked | _units(before, "dislodged")[0]
    if lost and phase[5] != "R":
        raise LineFault(
            f"There is a dislodged unit ({min(lost)}) in {phase}; they are only in a retreat phase."
        )
    _refuse_crowds(owner)
    _refuse_crowds(lost)
    if phase[5] == "A" and "centres" not in before:
        raise LineFault("A Winter needs “centres”: what is built and removed depends on them.")
    traits, lost_traits = _traits(before, owner, lost)
    centres, barred, contested = _centres(before), _barred(before), _contested(before)
    homeless = (
        homeless_on(owner, lost, contested=contested, barred=barred, traits=lost_traits)
        if lost
        else {}
    )
    return Position(phase, owner, homeless, centres, contested, traits)


def _units(before: Mapping[str, Any], key: str) -> tuple[dict[Unit, Power], dict[Unit, Power]]:
    """Return the owners of the listed units: of those without a mark, and of those marked as
    dislodged.
    """
    plain: dict[Unit, Power] = {}
    marked: dict[Unit, Power] = {}
    for power, units in _by_power(before, key):
        for unit in units:
            own, name = (marked, unit[1:]) if unit[:1] == LOST else (plain, unit)
            if name not in _UNITS:
                raise LineFault(
                    f"{power} has {_shown(unit)} in “{key}”, which no unit is called; one is called"
                    " A PAR, F BRE or F STP/SC."
                )
            if name in own:
                raise LineFault(f"{unit} is twice in “{key}”.")
            own[name] = power
    return plain, marked


def _by_power(before: Mapping[str, Any], key: str) -> Iterable[tuple[Power, list[str]]]:
    listed = before.get(key) or {}
    if not isinstance(listed, Mapping):
        raise LineFault(f"“{key}” has to be an object with a list for each power.")
    for power, names in listed.items():
        if power not in STANDARD.powers:
            raise LineFault(
                f"{_shown(power)} in “{key}” is no power; there are {', '.join(STANDARD.powers)}."
            )
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise LineFault(f"What {power} has in “{key}” has to be a list of texts.")
        yield power, names


def _refuse_crowds(owner: Mapping[Unit, Power]) -> None:
    if len({province_of(unit) for unit in owner}) < len(owner):
        first, second = next(
            (a, b)
            for a in sorted(owner)
            for b in sorted(owner)
            if a < b and province_of(a) == province_of(b)
        )
        raise LineFault(f"{first} and {second} are in the same province.")


def _centres(before: Mapping[str, Any]) -> dict[Province, Power]:
    found: dict[Province, Power] = {}
    for power, codes in _by_power(before, "centres"):
        for code in codes:
            if code not in STANDARD.places or not STANDARD.places[code].centre:
                raise LineFault(
                    f"{power} has {_shown(code)} in “centres”, which is no supply centre."
                )
            if found.setdefault(code, power) != power:
                raise LineFault(f"{code} is a centre of {found[code]} and of {power}.")
    return found


def _barred(before: Mapping[str, Any]) -> dict[Province, Province]:
    listed = before.get("attackers") or {}
    if not isinstance(listed, Mapping):
        raise LineFault('“attackers” has to be an object like {"SIL": "PRU"}.')
    for pair in listed.items():
        for code in pair:
            _province(code, "attackers")
    return {at[:3]: came_from[:3] for at, came_from in listed.items()}


def _contested(before: Mapping[str, Any]) -> frozenset[Province]:
    listed = before.get("contested") or []
    if not isinstance(listed, list):
        raise LineFault("“contested” has to be a list of provinces.")
    return frozenset(_province(code, "contested") for code in listed)


def _province(code: object, key: str) -> Province:
    if code not in STANDARD.spots or not isinstance(code, str):
        raise LineFault(f"{_shown(code)} in “{key}” is no province; one is called PAR.")
    return code[:3]


def _traits(
    before: Mapping[str, Any], owner: Mapping[Unit, Power], lost: Mapping[Unit, Power]
) -> tuple[dict[Unit, Trait], dict[Unit, Trait]]:
    """Return the characteristics of units on the board, and of dislodged units; those of other
    units are ignored.
    """
    listed = before.get("characteristics") or {}
    if not isinstance(listed, Mapping):
        raise LineFault('“characteristics” has to be an object like {"A PAR": "Rock"}.')
    for unit, trait in listed.items():
        if trait not in TRAITS:
            raise LineFault(
                f"The characteristic of {unit[:20]} is {_shown(trait)}; it would be Rock, Scissors"
                " or Paper."
            )
    standing = {unit: listed[unit] for unit in owner if unit in listed}
    gone = {
        unit: listed.get(LOST + unit, listed.get(unit))
        for unit in lost
        if LOST + unit in listed or (unit in listed and unit not in owner)
    }
    return standing, gone


def _shown(value: object) -> str:
    text = str(value)
    return f"“{text[:20]}…”" if len(text) > 20 else f"“{text}”"


# --- writing


def write_position(position: Position) -> dict[str, Any]:
    """Return a position as plain values: powers, units and centres in alphabetical order, without
    powers that have none.

    `attackers` and `contested` are present if units are dislodged, `characteristics` if the
    position has any.
    """
    written: dict[str, Any] = {
        "units": _grouped(position.owner.items()),
        "dislodged": _grouped((unit, each.power) for unit, each in position.homeless.items()),
        "centres": _grouped(position.centres.items()),
    }
    homeless = sorted(position.homeless.items())
    if homeless:
        written["attackers"] = dict(
            sorted((province_of(unit), each.barred) for unit, each in homeless if each.barred)
        )
        written["contested"] = sorted(position.contested)
    gone = {LOST + unit: each.trait for unit, each in homeless if each.trait}
    if position.traits or gone:
        written["characteristics"] = dict(sorted(position.traits.items())) | gone
    return written


def _grouped(pairs: Iterable[tuple[str, Power]]) -> dict[Power, list[str]]:
    return {power: list(names) for power, names in group_by_power(pairs).items()}
