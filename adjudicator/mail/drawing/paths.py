"""Points around an SVG path: its curves lie in the convex hull of what `path_points` returns."""

import re
from math import hypot

Point = tuple[float, float]
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
_COMMAND = re.compile(r"([MLHVCSQTAZmlhvcsqtaz])([^A-DF-Za-df-z]*)")
_ALL = re.compile(r"\s*(?:[MLHVCSQTAZmlhvcsqtaz][-+0-9.eE,\s]*)*")
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_SMOOTH = {"S": ("C", "S"), "T": ("Q", "T")}  # after which curves these are smooth


class UnknownDrawingError(Exception):
    """A picture has an element or attribute whose place cannot be told; it is drawn as a whole."""


def path_points(written: str) -> tuple[list[Point], bool]:
    """Return points in whose bounding box the path lies, and whether it may have corners.

    Raises UnknownDrawingError for commands that are not known here.
    """
    if not _ALL.fullmatch(written):
        raise UnknownDrawingError(written)
    points: list[Point] = []
    here = start = (0.0, 0.0)
    # lines and curves so far; the last curve's control point, and its kind
    lines, bend, curve = 0, here, ""
    for command, inner in _COMMAND.findall(written):
        values = [float(each) for each in NUMBER.findall(inner)]
        kind = command.upper()
        if kind == "Z":
            here, lines, curve = start, lines + 1, ""
            continue
        if not values or len(values) % _NUMBERS[kind]:
            raise UnknownDrawingError(written)
        for at in range(0, len(values), _NUMBERS[kind]):
            new = _segment(kind, values[at : at + _NUMBERS[kind]], here, relative=command != kind)
            if kind in "ST":  # a smooth curve begins as the last one of its kind ended
                new.insert(
                    0,
                    (
                        (2 * here[0] - bend[0], 2 * here[1] - bend[1])
                        if curve in _SMOOTH[kind]
                        else here
                    ),
                )
            bend, curve = new[-2:][0], kind
            points += new
            here, lines = new[-1], lines + 1
            if kind == "M" and at == 0:
                start = here
    if not points:
        raise UnknownDrawingError(written)
    return points, lines > 2  # the first is where it begins


def _segment(kind: str, values: list[float], here: Point, *, relative: bool) -> list[Point]:
    """Return points around one segment from `here`; the last is its end."""
    x, y = here if relative else (0.0, 0.0)
    if kind == "H":
        return [(values[0] + x, here[1])]
    if kind == "V":
        return [(here[0], values[0] + y)]
    if kind == "A":
        return _arc(values, here, (values[5] + x, values[6] + y))
    return [(values[at] + x, values[at + 1] + y) for at in range(0, len(values), 2)]


def _arc(values: list[float], here: Point, end: Point) -> list[Point]:
    """Return a square around an arc: no point of an ellipse is farther from another than twice its
    longer radius.
    """
    if not {values[3], values[4]} <= {0, 1}:
        raise UnknownDrawingError("flags of an arc")
    short, long = sorted((abs(values[0]), abs(values[1])))
    apart = hypot(end[0] - here[0], end[1] - here[1])
    if short == 0:
        return [end]
    reach = 2 * long * max(1, apart / 2 / short)  # radii that are too short for the distance grow
    return [(here[0] - reach, here[1] - reach), (here[0] + reach, here[1] + reach), end]
