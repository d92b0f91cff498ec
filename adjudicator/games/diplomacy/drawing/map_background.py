"""The map below the pieces: seas, provinces in their owners' tints, codes, and the marks of supply
centres.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from adjudicator.games.diplomacy.drawing import inks
from adjudicator.games.diplomacy.map import art
from adjudicator.games.diplomacy.map.geography import COASTS, STANDARD, Power, Province
from adjudicator.games.diplomacy.model.marks import spot_mark
from adjudicator.games.diplomacy.model.state import RuleSet
from adjudicator.games.kit.shapes import Spot, number

_DRAWN = art.load_art(STANDARD.name)
_SCRIPTS = (
    ("sea-name", "sea-halo", "DejaVu Serif", ("sea",)),
    ("land-name", "land-halo", "DejaVu Sans", ("coast", "inland")),
)
_COUNTRIES = {
    "AUSTRIA": "BOH GAL TYR",
    "ENGLAND": "CLY WAL YOR",
    "FRANCE": "BUR GAS PIC",
    "GERMANY": "PRU RUH SIL",
    "ITALY": "APU PIE TUS",
    "RUSSIA": "FIN LVN UKR",
    "TURKEY": "ARM SYR",
}
_COUNTRY = {code: power for power, codes in _COUNTRIES.items() for code in codes.split()}


def draw_provinces(rule_set: RuleSet, centres: Mapping[Power, tuple[Province, ...]]) -> str:
    """Return the provinces in their owners' tints; the ids are the marks of provinces and
    coasts.
    """
    below, lands, above = _unchanging(rule_set)
    owners = _owners(centres)
    tinted = "".join(
        f"{before}{inks.fill(_tint(code, owners))}{after}" for code, before, after in lands
    )
    return below + tinted + above


def draw_codes(
    centres: Mapping[Power, tuple[Province, ...]],
    codes: tuple[Province, ...] = tuple(STANDARD.places),
) -> str:
    """Return the codes of some provinces, and the marks of their supply centres with the owners'
    letters.
    """
    owners = _owners(centres)
    marks = "".join(
        _centre(code, owners.get(code)) for code in codes if STANDARD.places[code].centre
    )
    return f'<g pointer-events="none">{_codes(codes)}<g {inks.LETTERS}>{marks}</g></g>'


def _owners(centres: Mapping[Power, tuple[Province, ...]]) -> dict[Province, Power]:
    return {code: power for power, owned in sorted(centres.items()) for code in owned}


def _tint(code: Province, owners: Mapping[Province, Power]) -> str:
    """Return the CSS class of a province: tinted for an owned centre, pale where one power owns
    most of the neighbouring centres.
    """
    if STANDARD.places[code].centre:
        return f"{owners[code].lower()}-land" if code in owners else "land"
    near = [owners.get(each) for each in _centres_near(code)]
    held = [power for power in near if power]
    most = max(
        sorted(set(held)),
        key=lambda power: (held.count(power), power == _COUNTRY.get(code)),
        default=None,
    )
    enough = most is not None and 2 * held.count(most) + (most == _COUNTRY.get(code)) > len(near)
    return f"{most.lower()}-near" if most and enough else "land"


@cache
def _centres_near(code: Province) -> tuple[Province, ...]:
    return tuple(
        sorted(to for at, to in STANDARD.army_borders if at == code and STANDARD.places[to].centre)
    )


def _centre(code: Province, owner: Power | None) -> str:
    """Return the mark of a supply centre: with its owner's letter, else a ringed dot; home centres
    are square.
    """
    at = _DRAWN.shapes[code].centre or _DRAWN.shapes[code].unit
    x, y = number(at.x), number(at.y)
    look = inks.edged(owner.lower() if owner else "sheet", "ink-line", 1.2)
    square = (
        f'<rect x="{number(at.x - 7)}" y="{number(at.y - 7)}" width="14" height="14" rx="2"'
        f" {look}/>"
    )
    shape = square if STANDARD.places[code].home else f'<circle cx="{x}" cy="{y}" r="7.5" {look}/>'
    inside = (
        inks.letter(owner, Spot(at.x, at.y + 4), 11.5)
        if owner
        else f'<circle cx="{x}" cy="{y}" r="2.6" {inks.fill("ink")}/>'
    )
    return shape + inside


# --- the constant parts


@cache
def _unchanging(rule_set: RuleSet) -> tuple[str, tuple[tuple[Province, str, str], ...], str]:
    """Return the SVG below the lands, for each land its code and the SVG before and after its tint,
    and the SVG above the lands.
    """
    seas = [code for code in STANDARD.places if STANDARD.places[code].kind == "sea"]
    box = f'<rect width="{number(_DRAWN.size.width)}" height="{number(_DRAWN.size.height)}"/>'
    water = box + "".join(
        f"{_opening(rule_set, code)}{_title_element(STANDARD.places[code].name)}" for code in seas
    )
    shore = (
        f'<path d="{_DRAWN.shallows}" shape-rendering="crispEdges" stroke-linejoin="round"'
        f" {inks.line('shallow', 9)}/>"
    )
    coast = f'<g shape-rendering="crispEdges" stroke-linejoin="round" {inks.line("coast", 1)}>'
    below = (
        f'<g shape-rendering="crispEdges" {inks.edged("sea", "deep", 1)}>{water}</g><g'
        f' pointer-events="none">{shore}</g>{coast}'
    )
    lands = [
        (code, f"{_opening(rule_set, code)} ", _title_element(place.name))
        for code, place in STANDARD.places.items()
        if code not in seas
    ]
    still = (
        f'<path d="{_DRAWN.still}{_DRAWN.barred}" {inks.fill("still")}/><path d="{_DRAWN.hatch}"'
        f" {inks.line('hatch', 1)}/>"
    )
    above = f'<g pointer-events="none">{still}</g></g>{"".join(_coasts(rule_set))}'
    return below, tuple(lands), above


def _opening(rule_set: RuleSet, code: Province) -> str:
    return f'<path id="{spot_mark(rule_set, code)}" d="{_DRAWN.shapes[code].path}"'


def _title_element(name: str) -> str:
    return f"><title>{name}</title></path>"


def _coasts(rule_set: RuleSet) -> Iterator[str]:
    """Yield the invisible click areas of provinces with two coasts."""
    for code, shape in _DRAWN.shapes.items():
        for coast, at in shape.coasts.items():
            place = (
                f'id="{spot_mark(rule_set, f"{code}/{coast}")}" cx="{number(at.x)}"'
                f' cy="{number(at.y)}" r="20"'
            )
            name = f"{STANDARD.places[code].name}, {COASTS[coast]}"
            yield (
                f'<circle {place} class="at-coast" fill="none"'
                f' pointer-events="all"><title>{name}</title></circle>'
            )


@cache
def _codes(codes: tuple[Province, ...]) -> str:
    """Return the provinces' codes as text, those of seas slanted."""
    found = ""
    for surface, halo, font, kinds in _SCRIPTS:
        words = "".join(
            _code(code, slanting=surface == "sea-name")
            for code in codes
            if STANDARD.places[code].kind in kinds
        )
        look = f'{inks.edged(surface, halo, 2)} paint-order="stroke" stroke-linejoin="round"'
        found += (
            f'<g {look} font-family="{font}" font-size="14.5" font-weight="bold"'
            f' text-anchor="middle">{words}</g>'
        )
    return found


def _code(code: Province, *, slanting: bool) -> str:
    at = _DRAWN.shapes[code].code
    x, y = number(at.x), number(at.y + 5.2)
    place = f'transform="matrix(1 0 -.2 1 {x} {y})"' if slanting else f'x="{x}" y="{y}"'
    return f"<text {place}>{code}</text>"
