"""Parses the position in the text of a trial: units by power under the heading `units`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.core.game import Refusal
from adjudicator.games.diplomacy.language.spelling import read_line
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit, province_at, province_of, spot_of
from adjudicator.games.diplomacy.model.orders import Change, Trait

_POWERS = {power.lower(): power for power in STANDARD.powers}
_HEADING = re.compile(rf"\s*({'|'.join(_POWERS)})\s*(?::\s*(.*?)|)\s*", re.IGNORECASE)
_UNITS = re.compile(r"\s*(?:units|position)\s*:?\s*", re.IGNORECASE)
_ORDERS = re.compile(r"\s*(?:orders\s*:?)?\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[,;]\s*")
LIKE = "FRANCE: A PAR, F BRE"


@dataclass(frozen=True)
class Typed:
    """The text of a trial, before its orders are parsed."""

    orders: tuple[str, ...]  # the other lines
    units: dict[Power, tuple[Unit, ...]] | None = None  # None: the board of the match
    traits: tuple[tuple[Unit, Trait], ...] = ()  # rsp: the characteristics of the units
    refusals: tuple[Refusal, ...] = ()


def read_typed(text: str) -> Typed:
    """Split a trial's text: a position from a line `units` to the first line without a power and units, orders everywhere else."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if _UNITS.fullmatch(line)), None)
    if start is None:
        return Typed(_orders(lines))
    end = next((at for at in range(start + 1, len(lines)) if not _lays(lines[at])), len(lines))
    laying = _Laying()
    for line in lines[start + 1 : end]:
        laying.line(line)
    left = [*lines[:start], *lines[end:]]
    return Typed(_orders(left), {power: tuple(sorted(units)) for power, units in laying.units.items()}, laying.traits, laying.refusals)


def _lays(line: str) -> bool:
    """Whether a line under `units` belongs to the position: it names a power and something after it."""
    found = _HEADING.fullmatch(line)
    return bool(found and found[2])


def _orders(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line for line in lines if not _ORDERS.fullmatch(line))


class _Laying:
    """A board to which units are added."""

    def __init__(self) -> None:
        self.units: dict[Power, list[Unit]] = {}
        self.traits: tuple[tuple[Unit, Trait], ...] = ()
        self.refusals: tuple[Refusal, ...] = ()
        self._taken: dict[str, Unit] = {}

    def line(self, line: str) -> None:
        """Add the units of `FRANCE: A PAR, F BRE`; a refusal of one does not affect the others."""
        found = _HEADING.fullmatch(line)
        assert found is not None  # noqa: S101 asked before
        power = _POWERS[found[1].lower()]
        for piece in filter(None, _BETWEEN.split(found[2])):
            self._lay(power, piece)

    def _lay(self, power: Power, piece: str) -> None:
        said = read_line(f"{piece} H", STANDARD)
        units = {order.unit for order in getattr(said, "orders", ()) if hasattr(order, "unit")}
        unit = next(iter(units)) if len(units) == 1 else ""
        why, remedies = self._fault(unit, piece)
        if why:
            refusal = (
                Refusal.illegal(piece, piece, why, remedies, understood=unit) if unit else Refusal.invalid(piece, piece, why, remedies)
            )
            self.refusals += (refusal,)
            return
        self.units.setdefault(power, []).append(unit)
        self._taken[province_of(unit)] = unit
        self.traits += tuple((unit, order.trait) for order in getattr(said, "orders", ()) if isinstance(order, Change))

    def _fault(self, unit: Unit, piece: str) -> tuple[str, tuple[str, ...]]:
        """Return why a unit cannot be placed, "" if it can, and suggestions."""
        if not unit:
            return f"“{piece[:60]}” names no unit and its place. Units are written so: {LIKE}.", (LIKE,)
        if unit not in STANDARD.units:
            name = STANDARD.places[province_of(unit)].name
            possible = tuple(each for each in STANDARD.units if province_of(each) == province_of(unit))
            named = " or ".join(possible)
            return (f"{spot_of(unit)} is no place for that unit: in {name} there can be {named}.", possible)
        if province_at(spot_of(unit)) in self._taken:
            return (f"{self._taken[province_of(unit)]} stands there already, and a province holds one unit.", ())
        return "", ()
