"""The pieces on the map: armies as shields, fleets as ships, each with its power's letter; and what is said about one by a badge."""

from adjudicator.games.diplomacy import inks
from adjudicator.games.diplomacy.geography import STANDARD, Power, Unit, kind_of, province_of, spot_of
from adjudicator.games.diplomacy.ground import COASTS
from adjudicator.games.diplomacy.orders import Trait
from adjudicator.games.kit.glyphs import Kind, glyph
from adjudicator.games.kit.shapes import INK, SHEET, Spot, number

RADIUS = 17  # of the circle a unit needs
_SHIELD = "M-13-14H13V1C13 9 7 13.5 0 16.5C-7 13.5-13 9-13 1Z"
_SHIP = "M-2.5-5V-16.5L10.5-8.3L0-7.4V-5H18.5L14 8.6Q12.6 12.5 8.6 12.5H-8.6Q-12.6 12.5-14 8.6L-18.5-5Z"
_GLYPHS: dict[Trait, Kind] = {"Rock": "rock", "Scissors": "scissors", "Paper": "paper"}


def name_of(unit: Unit, power: Power) -> str:
    """Return a unit in words: `France's fleet on the north coast of St Petersburg`."""
    kind, place = "army" if kind_of(unit) == "A" else "fleet", STANDARD.places[province_of(unit)].name
    coast = COASTS.get(spot_of(unit)[4:])
    return f"{power.title()}'s {kind}, {place}{f', {coast}' if coast else ''}"


def token(mark: str, unit: Unit, power: Power, at: Spot) -> str:
    """Return a unit as an element that can be clicked, a little larger than it looks."""
    hit = f'<circle r="{RADIUS + 3}" fill="none" pointer-events="all"/>'
    return f'<g id="{mark}" class="piece" {_moved(at)}><title>{name_of(unit, power)}</title>{hit}{figure(unit, power)}</g>'


def figure(unit: Unit, power: Power) -> str:
    """Return a unit around the point 0,0."""
    shape, base = (_SHIELD, 6.4) if kind_of(unit) == "A" else (_SHIP, 9.2)
    look = inks.edged(power.lower(), "ink-line", 1.5)
    return f'<path d="{shape}" stroke-linejoin="round" {look}/>{inks.letter(power, Spot(0, base), 17.5 if kind_of(unit) == "A" else 15)}'


def shadow(unit: Unit, at: Spot) -> str:
    """Return the outline of a unit that is gone."""
    shape = _SHIELD if kind_of(unit) == "A" else _SHIP
    return f'<path d="{shape}" {_moved(at)} stroke-dasharray="3 2.5" {inks.line("ink-line", 1.3)}/>'


def trait_badge(trait: Trait, at: Spot, *, sure: bool) -> str:
    """Return the badge of a unit's characteristic; where it was only seen once, and may have been changed, it is faint and broken."""
    x, y = number(at.x + 12.5), number(at.y - 12.5)
    ring = f'fill="{SHEET}" stroke="{INK}" stroke-width="1.2"' + ("" if sure else ' stroke-dasharray="2.2 1.8"')
    sign = glyph(_GLYPHS[trait], Spot(at.x + 12.5, at.y - 12.5), 10.5, ink=INK, gap=SHEET)
    faint = "" if sure else ' opacity=".72"'
    return f'<g{faint}><circle cx="{x}" cy="{y}" r="8.5" {ring}/>{sign}</g>'


def _moved(at: Spot) -> str:
    return f'transform="translate({number(at.x)} {number(at.y)})"'
