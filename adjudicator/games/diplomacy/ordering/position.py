"""Parses the position in the text of a trial: units by power under the heading `units`, and what
else stands on a board.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.core.game import Refusal
from adjudicator.games.diplomacy.language.lexing import lex
from adjudicator.games.diplomacy.language.spelling import LONGEST_LINE, read_line
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    province_at,
    province_of,
    spot_of,
)
from adjudicator.games.diplomacy.model.calendar import read_phase
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import Change, Trait
from adjudicator.games.diplomacy.model.state import Homeless, Seen, group_by_power
from adjudicator.games.diplomacy.resolve.resolve_retreats import homeless_on

# pieces of a position; what follows is not looked at, which one more refusal tells
MOST_REFUSED = 20
MOST_PIECES = 500  # a full board with its centres has 90
LONGEST_LAID = 2000  # characters of a line; a longer one is no part of a position
LIKE = "FRANCE: A PAR, F BRE"
_PHASES = "Fall 1903, Fall 1903 retreats, Winter 1903 builds"
_POWERS = {power.lower(): power for power in STANDARD.powers}
# These read lines whose blanks are single spaces (`_plain`), so that a run of blanks can be parted
# in one way only.
_HEADING = re.compile(rf"({'|'.join(_POWERS)}) ?(?:: ?(.*)|)", re.IGNORECASE)
_UNITS = re.compile(r"(?:units|position)\b ?:? ?(.*)", re.IGNORECASE)
_PART = re.compile(r"(centres|dislodged) ?:?", re.IGNORECASE)
_LIST = re.compile(r"(standoffs|seen|rules)\b ?:? ?(.*)", re.IGNORECASE)
_ORDERS = re.compile(r"(?:orders ?:?)?", re.IGNORECASE)
_FROM = re.compile(r" from ", re.IGNORECASE)
_BETWEEN = re.compile(r" ?[,;] ?")
_BUILDS = {"build anywhere": True, "build at home": False}
_CENTRES = re.compile(r"(\d{1,2}) centres", re.IGNORECASE)


@dataclass(frozen=True)
class TypedRules:
    """The rules that a position names; None: those of the board it is laid on."""

    edition: str | None = None
    victory_centres: int | None = None
    build_anywhere: bool | None = None


@dataclass(frozen=True)
class Typed:
    """The text of a trial, before its orders are parsed."""

    orders: tuple[str, ...]  # the other lines
    units: dict[Power, tuple[Unit, ...]] | None = None  # None: the board of the match
    traits: tuple[tuple[Unit, Trait], ...] = ()  # rsp: the characteristics of the units
    refusals: tuple[Refusal, ...] = ()
    phase: str = ""  # "F1903R"; "": the movement in the year of the match
    centres: dict[Power, tuple[Province, ...]] | None = None  # None: those of the match
    homeless: tuple[Homeless, ...] = ()
    contested: tuple[Province, ...] = ()
    seen: Mapping[Unit, Seen] = field(default_factory=dict)  # rsp
    rules: TypedRules | None = None  # None: those of the match


def read_typed(text: str) -> Typed:
    """Split a trial's text: a position from a line `units` to the first line that is no part of
    one, orders everywhere else.
    """
    lines = text.splitlines()
    plain = [_plain(line) for line in lines]
    start = next((at for at, line in enumerate(plain) if _UNITS.fullmatch(line)), None)
    if start is None:
        return Typed(_orders(lines))
    end = next((at for at in range(start + 1, len(plain)) if not _lays(plain[at])), len(plain))
    laying = _Laying()
    laying.begin(plain[start])
    for line in plain[start + 1 : end]:
        laying.line(line)
    return laying.finish(_orders([*lines[:start], *lines[end:]]))


def _plain(line: str) -> str:
    """Return a line with single spaces only; a line that is too long to lay anything is cut, with a
    mark that no position has.
    """
    return " ".join(line.split()) if len(line) <= LONGEST_LAID else "…"


def _lays(line: str) -> bool:
    """Whether a line under `units` belongs to the position: a heading, a list, or a power and
    something after it.
    """
    found = _HEADING.fullmatch(line)
    return bool((found and found[2]) or _PART.fullmatch(line) or _LIST.fullmatch(line))


def _orders(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line for line in lines if not _ORDERS.fullmatch(_plain(line)))


class _Laying:
    """A board to which the lines of a position are added; a refusal of one piece does not affect
    the others.
    """

    def __init__(self) -> None:
        self.units: dict[Power, list[Unit]] = {}
        self.traits: dict[Unit, Trait] = {}
        self.refusals: tuple[Refusal, ...] = ()
        self._taken: dict[str, Unit] = {}
        self._phase = ""
        self._centres: dict[Province, Power] | None = None
        self._lost: dict[Unit, Power] = {}
        self._lost_traits: dict[Unit, Trait] = {}
        self._barred: dict[Province, Province] = {}
        self._contested: dict[Province, None] = {}
        self._seen: dict[Unit, Seen] = {}
        self._rules: TypedRules | None = None
        self._lay: Callable[[Power, str], None] = self._lay_unit
        self._left = MOST_PIECES

    def begin(self, line: str) -> None:
        """Read the heading `units`, after which a phase may stand."""
        found = _UNITS.fullmatch(line)
        phase = found[1].removesuffix(":").rstrip() if found else ""
        if phase:
            self._phase = self._read_phase(phase)

    def line(self, line: str) -> None:
        """Add the pieces of a line."""
        part, listed, found = _PART.fullmatch(line), _LIST.fullmatch(line), _HEADING.fullmatch(line)
        if part:
            self._open(part[1].lower())
        elif listed:
            {"standoffs": self._stand_off, "seen": self._show, "rules": self._rule}[
                listed[1].lower()
            ](listed[2])
        elif found:
            for piece in self._pieces(found[2]):
                self._lay(_POWERS[found[1].lower()], piece)

    def finish(self, orders: tuple[str, ...]) -> Typed:
        """Return what was read; units that were dislodged get their retreats (R2), as far as the
        position shows them.
        """
        phase = self._phase
        if self._lost and phase[5:] != "R":
            self._refuse(
                "dislodged",
                "Only in a phase of retreats there are dislodged units: write “units"
                f" {_PHASES.split(', ')[1]}”.",
            )
            self._lost = {}
        owner = {unit: power for power, units in self.units.items() for unit in units}
        closed = frozenset(self._contested)
        homeless = homeless_on(
            owner, self._lost, contested=closed, barred=self._barred, traits=self._lost_traits
        )
        for unit in [unit for unit, each in homeless.items() if not each.retreats]:
            self._refuse(unit, f"{unit} has nowhere to retreat to, so it is off the board.")
        waiting = sorted(
            (each for each in homeless.values() if each.retreats),
            key=lambda each: (each.power, each.unit),
        )
        return Typed(
            orders=orders,
            units={power: tuple(sorted(units)) for power, units in self.units.items()},
            traits=tuple(self.traits.items()),
            refusals=self.refusals,
            phase=phase,
            centres=None if self._centres is None else group_by_power(self._centres.items()),
            homeless=tuple(waiting),
            contested=tuple(sorted(closed)) if waiting else (),
            seen={unit: each for unit, each in self._seen.items() if unit in owner},
            rules=self._rules,
        )

    # --- the parts of a position

    def _open(self, part: str) -> None:
        self._lay = self._own if part == "centres" else self._drive
        if part == "centres":
            self._centres = {} if self._centres is None else self._centres

    def _lay_unit(self, power: Power, piece: str) -> None:
        unit, trait = _read_unit(piece)
        if self._is_wrong(unit, piece, taken=self._taken):
            return
        self.units.setdefault(power, []).append(unit)
        self._taken[province_of(unit)] = unit
        if trait:
            self.traits[unit] = trait

    def _own(self, power: Power, piece: str) -> None:
        code = self._read_province(piece)
        if code and code not in STANDARD.centres:
            self._refuse(piece, f"{STANDARD.places[code].name} is no supply centre.")
        elif code and self._centres is not None:
            self._centres[code] = power

    def _drive(self, power: Power, piece: str) -> None:
        """Add a dislodged unit: `A BUR from MUN`, where its attacker came from Munich."""
        place, *origin = _FROM.split(piece, maxsplit=1)
        unit, trait = _read_unit(place)
        if self._is_wrong(unit, place, taken={province_of(each): each for each in self._lost}):
            return
        barred = self._read_province(origin[0]) if origin else ""
        self._lost[unit] = power
        if barred:
            self._barred[province_of(unit)] = barred
        if trait:
            self._lost_traits[unit] = trait

    def _stand_off(self, text: str) -> None:
        codes = [self._read_province(piece) for piece in self._pieces(text)]
        self._contested |= dict.fromkeys(code for code in codes if code)

    def _show(self, text: str) -> None:
        """Add what was revealed in a phase (rsp R5): `Fall 1903: Rock A PAR`."""
        name, _, rest = text.partition(":")
        phase = self._read_phase(name.strip())
        for piece in self._pieces(rest) if phase else ():
            unit, trait = _read_unit(piece)
            if unit and trait:
                self._seen[unit] = Seen(trait, phase)
            else:
                self._refuse(piece, "What was seen is written so: seen Fall 1903: Rock A PAR.")

    def _rule(self, text: str) -> None:
        edition, number, anywhere = None, None, None
        for piece in self._pieces(text):
            centres = _CENTRES.fullmatch(piece)
            if piece.lower() in EDITIONS:
                edition = piece.lower()
            elif centres and 1 <= int(centres[1]) <= len(STANDARD.centres):
                number = int(centres[1])
            elif piece.lower() in _BUILDS:
                anywhere = _BUILDS[piece.lower()]
            else:
                self._refuse(
                    piece,
                    "Rules are written so: rules: 2023, 18 centres, build anywhere; editions are"
                    f" {', '.join(EDITIONS)}, and “build at home” is the other rule of builds.",
                )
        self._rules = TypedRules(edition, number, anywhere)

    # --- pieces

    def _pieces(self, text: str | None) -> Iterator[str]:
        """Yield the pieces of a list, none after MOST_REFUSED refusals or MOST_PIECES."""
        for piece in filter(None, _BETWEEN.split(text or "")):
            if not self._left or len(self.refusals) > MOST_REFUSED:
                return
            self._left -= 1
            yield piece
            if not self._left:
                self._stop(
                    piece,
                    f"A position has {MOST_PIECES} pieces at most; what follows this one was not"
                    " looked at.",
                )

    def _read_phase(self, text: str) -> str:
        phase = read_phase(text)
        if not phase:
            self._refuse(text, f"“{text[:60]}” is no phase. Phases are written so: {_PHASES}.")
        return phase

    def _read_province(self, text: str) -> Province:
        """Return the province of a name, "" with a refusal."""
        words = lex(text[:LONGEST_LINE], STANDARD)
        if len(words) == 1 and words[0].kind == "P" and not words[0].others:
            return province_at(words[0].means)
        self._refuse(text, f"“{text[:60]}” names no province.")
        return ""

    def _is_wrong(self, unit: Unit, piece: str, *, taken: Mapping[Province, Unit]) -> bool:
        """Whether a unit cannot be placed, which is refused with suggestions."""
        if not unit:
            self._refuse(
                piece,
                f"“{piece[:60]}” names no unit and its place. Units are written so: {LIKE}.",
                (LIKE,),
            )
        elif unit not in STANDARD.units:
            name = STANDARD.places[province_of(unit)].name
            possible = STANDARD.units_in[province_of(unit)]
            reason = (
                f"{spot_of(unit)} is no place for that unit: in {name} there can be"
                f" {' or '.join(possible)}."
            )
            self._refuse(piece, reason, possible, understood=unit)
        elif province_at(spot_of(unit)) in taken:
            self._refuse(
                piece,
                f"{taken[province_of(unit)]} stands there already, and a province holds one unit.",
                understood=unit,
            )
        else:
            return False
        return True

    def _refuse(
        self, piece: str, why: str, remedies: tuple[str, ...] = (), *, understood: str = ""
    ) -> None:
        if len(self.refusals) == MOST_REFUSED:
            self._stop(
                piece,
                f"{MOST_REFUSED} pieces were refused before this one; from here on the position was"
                " not looked at.",
            )
        if len(self.refusals) > MOST_REFUSED:
            return
        illegal, invalid = Refusal.illegal, Refusal.invalid
        refusal = (
            illegal(piece, piece, why, remedies, understood=understood)
            if understood
            else invalid(piece, piece, why, remedies)
        )
        self.refusals += (refusal,)

    def _stop(self, piece: str, why: str) -> None:
        self.refusals += (Refusal.invalid(piece, piece, why),)


def _read_unit(piece: str) -> tuple[Unit, Trait | None]:
    """Return the unit that a piece names, "" for none, and its characteristic if the piece says
    it.
    """
    orders = getattr(read_line(f"{piece} H", STANDARD), "orders", ())
    units = {order.unit for order in orders if hasattr(order, "unit")}
    trait = next((order.trait for order in orders if isinstance(order, Change)), None)
    return (next(iter(units)) if len(units) == 1 else "", trait)
