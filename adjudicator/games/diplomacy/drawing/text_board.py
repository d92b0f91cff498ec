"""The position as plain text: power by power, the reader's own first, fit for a fixed-width font
and for a screen reader.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import wrap

from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.state import Homeless
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.story.wording import (
    is_own,
    power_name,
    province_name,
    spots_text,
    unit_name,
)
from adjudicator.games.kit.words import count, listing

WIDTH = 72
LABEL = 11  # columns
_TIE = "\N{NO-BREAK SPACE}"


def text_board(view: BoardView) -> str:
    """Return the board in lines of at most 72 columns: a block for each power in the match, then
    neutral centres and standoffs.
    """
    powers = [
        power
        for power in STANDARD.powers
        if view.units.get(power) or view.centres.get(power) or _homeless(view, power)
    ]
    powers.sort(key=lambda power: not is_own(view, power))
    blocks = ["\n".join(_heading(view)), *("\n".join(_power(view, power)) for power in powers)]
    rest = "\n".join(_rest(view))
    return "\n\n".join([*blocks, *([rest] if rest else [])])


def _heading(view: BoardView) -> Iterator[str]:
    yield view.title
    yield from wrap(
        f"{count(view.victory_centres, 'supply centre wins', 'supply centres win')} the match.",
        WIDTH,
    )
    if view.voted and not view.end:
        yield from wrap(
            f"For a draw: {listing([_vote(view, seat) for seat in view.voted])}.", WIDTH
        )
    if view.proposed and not view.end:
        yield from wrap(f"Proposed: {listing([_draw(each) for each in view.proposed])}.", WIDTH)
    if view.conceded:
        yield from wrap(
            f"Conceded: {listing([power_name(seat) for seat in view.conceded])}.", WIDTH
        )


def _draw(among: Sequence[Seat]) -> str:
    return (
        f"a draw of {listing([power_name(each) for each in among]) if among else 'all survivors'}"
    )


def _vote(view: BoardView, seat: Seat) -> str:
    among = view.among.get(seat)
    return (
        f"{power_name(seat)} (of {listing([power_name(each) for each in among])})"
        if among
        else power_name(seat)
    )


def _power(view: BoardView, power: Power) -> Iterator[str]:
    centres, units = view.centres.get(power, ()), view.units.get(power, ())
    yield (
        f"{power_name(power)}{_player(view, power)}: {count(len(centres), 'centre')},"
        f" {count(len(units), 'unit')}"
    )
    yield from _row("centres", [province_name(code) for code in centres])
    for kind, called in (("A", "armies"), ("F", "fleets")):
        yield from _row(called, [_unit(view, unit) for unit in units if unit[0] == kind])
    for each in _homeless(view, power):
        trait = f" ({each.trait})" if each.trait else ""
        yield from _wrapped(
            "homeless", f"{unit_name(each.unit)}{trait} may retreat to {spots_text(each.retreats)}"
        )


def _player(view: BoardView, power: Power) -> str:
    if is_own(view, power):
        return " (you)"
    seat = next((realm.seat for realm in view.realms if power in realm.powers), None)
    return (
        " (nobody plays it)"
        if seat is None
        else ""
        if seat == power
        else f" (played by {power_name(seat)})"
    )


def _homeless(view: BoardView, power: Power) -> list[Homeless]:
    return [each for each in view.homeless if each.power == power]


def _unit(view: BoardView, unit: Unit) -> str:
    """Return the place of a unit, under `rsp` with its characteristic as the reader knows it."""
    place = unit_name(unit).partition(" ")[2]
    known = _known(view, unit)
    if not known:
        return place
    return f"{place[:-1]}; {known})" if place.endswith(")") else f"{place} ({known})"


def _known(view: BoardView, unit: Unit) -> str:
    if unit in view.traits:
        return view.traits[unit]
    seen = view.seen.get(unit)
    return f"{seen.trait}, seen {calendar.phase_name(seen.phase)}" if seen else ""


def _row(called: str, parts: list[str]) -> Iterator[str]:
    """Yield a row under its name; lines break at commas only."""
    if parts:
        yield from _wrapped(called, ", ".join(part.replace(" ", _TIE) for part in parts))


@lru_cache(maxsize=4096)  # most rows are the same for every seat, and from phase to phase
def _wrapped(called: str, text: str) -> tuple[str, ...]:
    label = f"  {called}:".ljust(LABEL) + " "
    lines = wrap(
        text,
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_on_hyphens=False,
    )
    return tuple(line.replace(_TIE, " ") for line in lines)


def _rest(view: BoardView) -> Iterator[str]:
    owned = {code for codes in view.centres.values() for code in codes}
    neutral = [province_name(code) for code in STANDARD.centres if code not in owned]
    yield from _row("neutral", neutral)
    if view.contested:
        yield from _row(
            "barred",
            [f"{province_name(code)} (a standoff left it vacant)" for code in view.contested],
        )
