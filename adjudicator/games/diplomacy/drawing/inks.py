"""The colours of the map: CSS classes, with the light theme's colours as attributes; the stylesheet
has both themes.
"""

from adjudicator.games.diplomacy.map.geography import Power
from adjudicator.games.kit.shapes import INK, SEA, SHEET, Spot, number

POWERS: dict[Power, str] = {
    "AUSTRIA": "#B5443C",
    "ENGLAND": "#5A4A9C",
    "FRANCE": "#3F83C4",
    "GERMANY": "#4A4A4A",
    "ITALY": "#3B8F57",
    "RUSSIA": "#E8E2D2",
    "TURKEY": "#C99A1E",
}
"""The colour of each power's marks, the same in both themes; each mark also has the power's letter
and an outline.
"""

LAND = "#F3EAD3"
_OWNED, _NEAR = 0.42, 0.2  # the share of the power's colour in a tint
_DARK_ON = ("RUSSIA", "TURKEY")  # the powers whose letter is dark


def mix_colours(colour: str, other: str, share: float) -> str:
    """Return `share` of one colour with the rest of another, as CSS mixes them in `srgb`."""
    pairs = ((int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02X}" for a, b in pairs)


_SNOW = {"russia-land": "#FCFAF5", "russia-near": "#F8F2E5"}
"""Russia's tints; a mix of its colour would be too similar to `LAND`."""

FILLS = (
    {power.lower(): colour for power, colour in POWERS.items()}
    | {
        f"{power.lower()}-land": mix_colours(colour, LAND, _OWNED)
        for power, colour in POWERS.items()
    }
    | {
        f"{power.lower()}-near": mix_colours(colour, LAND, _NEAR)
        for power, colour in POWERS.items()
    }
    | _SNOW
    | {
        "land": LAND,
        "still": "#E4DDCF",
        "land-name": "#2E2B26",
        "sea-name": "#3C5F6B",
        "sea": SEA,
        "sheet": SHEET,
        "ink": INK,
    }
)
LINES = {f"{power.lower()}-line": colour for power, colour in POWERS.items()} | {
    "coast": "#7B7262",
    "deep": "#96B4BF",
    "shallow": "#DBE8EA",
    "hatch": "#B4AB9A",
    "land-halo": LAND,
    "sea-halo": SEA,
    "ink-line": INK,
}


def fill(name: str) -> str:
    """Return the attributes of a surface in one of `FILLS`."""
    return f'class="{name}" fill="{FILLS[name]}"'


def line(name: str, width: float) -> str:
    """Return the attributes of a line in one of `LINES`."""
    return f'class="{name}" fill="none" stroke="{LINES[name]}" stroke-width="{number(width)}"'


def edged(name: str, edge: str, width: float) -> str:
    """Return the attributes of a surface with an outline."""
    return (
        f'class="{name} {edge}" fill="{FILLS[name]}" stroke="{LINES[edge]}"'
        f' stroke-width="{number(width)}"'
    )


LETTERS = 'font-family="DejaVu Sans" font-weight="bold" text-anchor="middle"'
"""The attributes of an element that contains letters."""


def letter(power: Power, at: Spot, size: float) -> str:
    """Return a power's letter for its own colour, with the baseline at `at`; the parent element
    needs the attributes `LETTERS`.
    """
    colour = INK if power in _DARK_ON else "#FFFFFF"
    return (
        f'<text x="{number(at.x)}" y="{number(at.y)}" font-size="{number(size)}"'
        f' fill="{colour}">{power[0]}</text>'
    )
