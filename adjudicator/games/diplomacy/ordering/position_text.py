"""Writes a position as the text that `position` reads."""

from collections.abc import Iterable, Iterator, Mapping

from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.orders import Trait
from adjudicator.games.diplomacy.model.state import Homeless, Seen
from adjudicator.games.diplomacy.phases.view import BoardView


def write_position(view: BoardView) -> str:
    """Return all of a view that a trial depends on, but its seats: `position.read_typed` reads it
    back.
    """
    return "\n".join(_lines(view))


def _lines(view: BoardView) -> Iterator[str]:
    yield f"units {calendar.phase_name(view.phase)}"
    yield from _rows(
        {
            power: [_with_trait(unit, view.traits.get(unit)) for unit in units]
            for power, units in view.units.items()
        }
    )
    yield "centres"
    yield from _rows(view.centres)
    if view.homeless:
        yield "dislodged"
        yield from _rows(
            {
                power: [_dislodged(each) for each in view.homeless if each.power == power]
                for power in STANDARD.powers
            }
        )
        if view.contested:
            yield f"standoffs: {', '.join(view.contested)}"
    yield from _seen(view.seen)
    yield (
        f"rules: {view.edition}, {view.victory_centres} centres, build"
        f" {'anywhere' if view.build_anywhere else 'at home'}"
    )


def _rows(by_power: Mapping[Power, Iterable[str]]) -> Iterator[str]:
    for power in STANDARD.powers:
        pieces = ", ".join(by_power.get(power, ()))
        if pieces:
            yield f"{power}: {pieces}"


def _with_trait(unit: Unit, trait: Trait | None) -> str:
    return f"{trait} {unit}" if trait else unit


def _dislodged(each: Homeless) -> str:
    return _with_trait(each.unit, each.trait) + (f" from {each.barred}" if each.barred else "")


def _seen(seen: Mapping[Unit, Seen]) -> Iterator[str]:
    for phase in dict.fromkeys(each.phase for each in seen.values()):
        shown = ", ".join(
            _with_trait(unit, each.trait) for unit, each in seen.items() if each.phase == phase
        )
        yield f"seen {calendar.phase_name(phase)}: {shown}"
