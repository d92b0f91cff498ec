"""A fast parser for movement orders in canonical spelling; `spelling` parses every other one."""

import re

from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, MovementOrder, Support

_UNIT = r"[AF] [A-Z]{3}(?:/[NSE]C)?"
_SPOT = r"[A-Z]{3}(?:/[NSE]C)?"
_ORDER = re.compile(
    rf"(?P<unit>{_UNIT}) "
    rf"(?:H|- (?P<to>{_SPOT})(?P<via> VIA)?|S (?P<of>{_UNIT})(?: - (?P<goal>{_SPOT}))?|C"
    rf" (?P<army>{_UNIT}) - (?P<end>[A-Z]{{3}}))"
)
_UNITS = frozenset(STANDARD.units)
_SPOTS = frozenset(STANDARD.spots)


def read_canonical(text: str) -> MovementOrder | None:
    """Return the order of which `text` is the `str`; None for any other text, and for units and
    places that are not on the map.
    """
    found = _ORDER.fullmatch(text)
    if found is None:
        return None
    unit, to, via, of, goal, army, end = found.groups()
    if not _UNITS.issuperset(filter(None, (unit, of, army))) or not _SPOTS.issuperset(
        filter(None, (to, goal, end))
    ):
        return None
    if to:
        return Move(unit, to, bool(via))
    if of:
        return Support(unit, of, goal)
    return Convoy(unit, army, end) if army else Hold(unit)
