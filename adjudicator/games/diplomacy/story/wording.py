"""The names of powers, provinces and units in sentences."""

from collections.abc import Iterable
from functools import cache

from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.map.geography import (
    KINDS,
    STANDARD,
    Power,
    Province,
    Spot,
    Unit,
    kind_of,
    place_name,
    spot_of,
    the_place,
)
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.kit.words import listing

_ADJECTIVES = {
    "AUSTRIA": "Austrian",
    "ENGLAND": "English",
    "FRANCE": "French",
    "GERMANY": "German",
    "ITALY": "Italian",
    "RUSSIA": "Russian",
    "TURKEY": "Turkish",
}


def power_name(power: Power | Seat) -> str:
    """Return `France`."""
    return power.title()


def province_name(code: Province) -> str:
    """Return `Paris`, `North Sea`."""
    return STANDARD.places[code].name


@cache
def spot_name(spot: Spot) -> str:
    """Return a place for use after a preposition: `Paris`, `the North Sea`, `St Petersburg (south
    coast)`.
    """
    return the_place(STANDARD, spot)


@cache
def unit_name(unit: Unit) -> str:
    """Return `army Paris`, `fleet North Sea`, `fleet St Petersburg (south coast)`."""
    return f"{kind_name(unit)} {place_name(STANDARD, spot_of(unit))}"


def kind_name(unit: Unit) -> str:
    """Return `army` or `fleet`."""
    return KINDS[kind_of(unit)]


def units_text(units: Iterable[Unit]) -> str:
    """Return `army Paris and fleet Brest`."""
    return listing([unit_name(unit) for unit in units])


def spots_text(spots: Iterable[Spot]) -> str:
    """Return `Tyrolia, Silesia or the Baltic Sea`."""
    return listing([spot_name(spot) for spot in spots], "or")


# --- owners: the reader's own powers are addressed as `you`


def is_own(view: BoardView, power: Power) -> bool:
    """Whether the reader's seat plays this power."""
    return any(realm.seat == view.seat and power in realm.powers for realm in view.realms)


def _plays_several(view: BoardView) -> bool:
    return any(realm.seat == view.seat and len(realm.powers) > 1 for realm in view.realms)


def who(view: BoardView, power: Power) -> str:
    """Return `you` or `France`; for a reader with several powers `your France`."""
    if not is_own(view, power):
        return power_name(power)
    return f"your {power_name(power)}" if _plays_several(view) else "you"


def acting(view: BoardView, power: Power) -> str:
    """Return the subject of a sentence on a power's deeds: `you`, `France`, or `as France you`."""
    return (
        f"as {power_name(power)} you"
        if is_own(view, power) and _plays_several(view)
        else who(view, power)
    )


def whose(view: BoardView, power: Power) -> str:
    """Return `your`, `France’s`, or `your French`."""
    if not is_own(view, power):
        return f"{power_name(power)}’s"
    return f"your {_ADJECTIVES[power]}" if _plays_several(view) else "your"


def seat_name(view: BoardView, seat: Seat) -> str:
    """Return `you`, or `France` for a seat."""
    return "you" if seat == view.seat else power_name(seat)
