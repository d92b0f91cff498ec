"""The units on the map: armies as shields, fleets as ships, each with its power's letter and a
badge for its characteristic.
"""

from dataclasses import dataclass

from adjudicator.games.diplomacy.drawing import inks
from adjudicator.games.diplomacy.map.geography import (
    COASTS,
    KINDS,
    STANDARD,
    Power,
    Unit,
    kind_of,
    province_of,
    spot_of,
)
from adjudicator.games.diplomacy.model.orders import Trait
from adjudicator.games.kit.glyphs import Kind, glyph
from adjudicator.games.kit.shapes import INK, SHEET, Spot, number

RADIUS = 17  # of the circle that a unit fills
_SHIELD = "M-13-14H13V1C13 9 7 13.5 0 16.5C-7 13.5-13 9-13 1Z"
_SHIP = (
    "M-2.5-5V-16.5L10.5-8.3L0-7.4V-5H18.5L14 8.6Q12.6 12.5 8.6 12.5H-8.6Q-12.6 12.5-14 8.6L-18.5-5Z"
)
_GLYPHS: dict[Trait, Kind] = {"Rock": "rock", "Scissors": "scissors", "Paper": "paper"}


@dataclass(frozen=True)
class Known:
    """The characteristic of a unit as the reader knows it."""

    trait: Trait
    # "seen F1903M": the owner may have changed it since; "" if it is the present one
    when: str = ""


@dataclass(frozen=True)
class Piece:
    """A unit to be drawn."""

    unit: Unit
    power: Power
    at: Spot
    known: Known | None = None
    came: str = ""  # id of the same unit on the board before, if it moved in the last phase

    @property
    def words(self) -> str:
        """The unit in words: `Russia's fleet, St Petersburg, south coast; Paper, seen F1903M`."""
        kind, place = KINDS[kind_of(self.unit)], STANDARD.places[province_of(self.unit)].name
        coast = COASTS.get(spot_of(self.unit)[4:])
        words = f"{self.power.title()}’s {kind}, {place}{f', {coast}' if coast else ''}"
        return (
            f"{words}; {', '.join(filter(None, (self.known.trait, self.known.when)))}"
            if self.known
            else words
        )


def draw_unit(mark: str, piece: Piece) -> str:
    """Return a unit as an element whose click area is slightly larger than its figure."""
    hit = f'<circle r="{RADIUS + 3}" fill="none" pointer-events="all"/>'
    badge = _badge(piece.known) if piece.known else ""
    drawn = hit + draw_figure(piece.unit, piece.power) + badge
    came = f' data-from="{piece.came}"' if piece.came else ""
    return (
        f'<g id="{mark}" class="piece"{came}'
        f" {_moved(piece.at)}><title>{piece.words}</title>{drawn}</g>"
    )


def draw_figure(unit: Unit, power: Power) -> str:
    """Return the figure of a unit, centred at 0,0."""
    shape, base = (_SHIELD, 6.4) if kind_of(unit) == "A" else (_SHIP, 9.2)
    look = inks.edged(power.lower(), "ink-line", 1.5)
    return (
        f'<path d="{shape}" stroke-linejoin="round"'
        f" {look}/>{inks.letter(power, Spot(0, base), 17.5 if kind_of(unit) == 'A' else 15)}"
    )


def draw_outline(unit: Unit, at: Spot) -> str:
    """Return the outline of a unit that was disbanded or removed."""
    shape = _SHIELD if kind_of(unit) == "A" else _SHIP
    return f'<path d="{shape}" {_moved(at)} stroke-dasharray="3 2.5" {inks.line("ink-line", 1.3)}/>'


def _badge(known: Known) -> str:
    """Return the badge of a characteristic; one that may have changed is faint and has a dashed
    ring.
    """
    ring = f'fill="{SHEET}" stroke="{INK}" stroke-width="1.2"' + (
        ' stroke-dasharray="2.2 1.8"' if known.when else ""
    )
    sign = glyph(_GLYPHS[known.trait], Spot(15, -14), 13, ink=INK, gap=SHEET)
    faint = ' opacity=".75"' if known.when else ""
    return f'<g{faint}><circle cx="15" cy="-14" r="10" {ring}/>{sign}</g>'


def _moved(at: Spot) -> str:
    return f'transform="translate({number(at.x)} {number(at.y)})"'
