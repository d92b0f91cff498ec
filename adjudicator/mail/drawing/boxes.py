"""Where a chunk may draw: a box from its attributes that is never too small, and may be larger than
what is drawn.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import cos, radians, sin

from PIL import ImageFont

from adjudicator.mail.drawing.chunks import TAG
from adjudicator.mail.drawing.paths import NUMBER, Point, UnknownDrawingError, path_points
from adjudicator.mail.drawing.resvg import font_files

Box = tuple[float, float, float, float]  # left, top, right, bottom
Matrix = tuple[float, float, float, float, float, float]
_ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
_TRANSFORMS = re.compile(r"(?:\s*[a-z]+\([-+0-9.e,\s]*\)\s*)*")
_TRANSFORM = re.compile(r"([a-z]+)\(([^)]*)\)")
_FRAME = re.compile(r'<rect((?: (?:x|y|width|height|rx|fill|stroke|stroke-width)="[^"]*")*)/>')
_PLACES = {
    "g": (),
    "text": ("x", "y", "text-anchor"),
    "rect": ("x", "y", "width", "height", "rx", "ry"),
    "circle": ("cx", "cy", "r"),
    "polygon": ("points",),
    "path": ("d",),
}
_LOOKS = frozenset(
    {
        "fill",
        "fill-opacity",
        "fill-rule",
        "stroke",
        "stroke-width",
        "stroke-opacity",
        "stroke-dasharray",
        "stroke-linejoin",
        "stroke-linecap",
        "opacity",
        "transform",
        "font-family",
        "font-size",
        "font-weight",
        "text-anchor",
        "paint-order",
        "shape-rendering",
    }
)
# SVG's default limit: how far a corner of a line may reach, in halves of the line's width
_MITRE = 4.0
_CORNER = 1.5  # the same where corners are round or right angles: more than the root of 2
_EM = 1000  # pixels at which signs are measured
_SLACK = 0.1  # of the font's size, around a text
_BOLD = frozenset({"bold", "bolder", "600", "700", "800", "900"})


@dataclass(frozen=True)
class _State:
    """What an element inherits."""

    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    stroked: bool = False
    width: float = 1  # of the line
    join: str = "miter"
    size: float = 16  # of the font; resvg's default
    bold: bool = False
    serif: bool = False
    anchor: str = "start"


def measure_chunk(chunk: str) -> Box | None:
    """Return a box around all that `chunk` draws, in the picture's units; None where it draws
    nothing.

    Raises UnknownDrawingError for an element or attribute that is not known here.
    """
    if "url(" in chunk:
        raise UnknownDrawingError("url()")
    try:
        boxes = list(_boxes(chunk))
    except (ValueError, KeyError, IndexError, ZeroDivisionError) as fault:
        raise UnknownDrawingError(str(fault)) from fault
    if not boxes:
        return None
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def measure_hole(chunk: str) -> Box | None:
    """Return the inside of a chunk that is one upright rectangle of lines alone, where nothing is
    drawn; None for all else.
    """
    frame = _FRAME.fullmatch(chunk)
    attributes = dict(_ATTRIBUTE.findall(frame[1])) if frame else {}
    if attributes.get("fill") != "none":
        return None
    (left, top), (right, bottom) = _corners("rect", attributes)
    pad = float(attributes.get("stroke-width", 1)) + float(attributes.get("rx", 0))
    hole = left + pad, top + pad, right - pad, bottom - pad
    return hole if hole[0] < hole[2] and hole[1] < hole[3] else None


def _boxes(chunk: str) -> Iterator[Box]:
    states = [_State()]
    for tag in TAG.finditer(chunk):
        closing, name, written, empty = tag.groups()
        if closing:
            states.pop()
            continue
        attributes = dict(_ATTRIBUTE.findall(written))
        unknown = attributes.keys() - _LOOKS - set(_PLACES[name])
        if unknown:
            raise UnknownDrawingError(", ".join(unknown))
        state = _inherit(states[-1], attributes)
        if not empty:
            states.append(state)
        if name == "text" and not empty:
            yield _around(
                state,
                _text_corners(state, attributes, chunk[tag.end() : chunk.index("<", tag.end())]),
                sharp=True,
            )
        elif name == "path":
            points, corners = path_points(attributes["d"])
            yield _around(state, points, sharp=corners)
        elif name not in ("g", "text"):
            yield _around(state, _corners(name, attributes), sharp=name == "polygon")


def _inherit(state: _State, attributes: dict[str, str]) -> _State:
    return replace(
        state,
        matrix=(
            _multiply(state.matrix, _read_transform(attributes["transform"]))
            if "transform" in attributes
            else state.matrix
        ),
        stroked=attributes["stroke"] != "none" if "stroke" in attributes else state.stroked,
        width=float(attributes.get("stroke-width", state.width)),
        join=attributes.get("stroke-linejoin", state.join),
        size=float(attributes.get("font-size", state.size)),
        bold=attributes["font-weight"] in _BOLD if "font-weight" in attributes else state.bold,
        serif="Serif" in attributes["font-family"] if "font-family" in attributes else state.serif,
        anchor=attributes.get("text-anchor", state.anchor),
    )


def _around(state: _State, points: list[Point], *, sharp: bool) -> Box:
    """Return the box around a shape of these points, with its line, in the picture's units;
    `sharp`: it may have pointed corners.
    """
    mitred = sharp and state.join not in ("round", "bevel")
    pad = state.width / 2 * (_MITRE if mitred else _CORNER) if state.stroked else 0
    left, right = min(x for x, _ in points) - pad, max(x for x, _ in points) + pad
    top, bottom = min(y for _, y in points) - pad, max(y for _, y in points) + pad
    a, b, c, d, e, f = state.matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (left, right) for y in (top, bottom)]
    return (
        min(x for x, _ in corners),
        min(y for _, y in corners),
        max(x for x, _ in corners),
        max(y for _, y in corners),
    )


def _corners(name: str, attributes: dict[str, str]) -> list[Point]:
    def number(key: str) -> float:
        return float(attributes.get(key, 0))

    if name == "rect":
        return [
            (number("x"), number("y")),
            (number("x") + number("width"), number("y") + number("height")),
        ]
    if name == "circle":
        x, y, r = number("cx"), number("cy"), abs(number("r"))
        return [(x - r, y - r), (x + r, y + r)]
    values = [float(each) for each in NUMBER.findall(attributes["points"])]
    return list(zip(values[::2], values[1::2], strict=True))


# --- texts


def _text_corners(state: _State, attributes: dict[str, str], written: str) -> list[Point]:
    words = html.unescape(written)
    signs = [_measure_sign(sign, bold=state.bold, serif=state.serif) for sign in words] or [
        (0, 0, 0)
    ]
    marks = sum(unicodedata.combining(sign) != 0 for sign in words)  # they may stand one on another
    wide = state.size * 1.03 * sum(advance for advance, _, _ in signs)
    begin = (
        float(attributes.get("x", 0)) - {"start": 0, "middle": wide / 2, "end": wide}[state.anchor]
    )
    base, slack = float(attributes.get("y", 0)), state.size * _SLACK
    above, below = (state.size * (max(sign[at] for sign in signs) + marks) for at in (1, 2))
    return [
        (begin - 2 * slack, base - above - slack),
        (begin + wide + 2 * slack, base + below + slack),
    ]


@cache
def _faces() -> dict[str, ImageFont.FreeTypeFont]:
    return {
        path: ImageFont.truetype(path, _EM, layout_engine=ImageFont.Layout.BASIC)
        for path in font_files()
    }


@cache
def _measure_sign(sign: str, *, bold: bool, serif: bool) -> tuple[float, float, float]:
    """Return a sign's advance, and how far it reaches above and below the base line, as shares of
    the font's size.

    All faces have the signs of ASCII; another sign may come from any of them, so the largest
    counts.
    """
    faces = [
        face
        for path, face in _faces().items()
        if not sign.isascii() or (("Bold" in path) == bold and ("Serif" in path) == serif)
    ]
    inked = [face.getbbox(sign, anchor="ls") for face in faces]
    advance = max(face.getlength(sign) for face in faces)
    return advance / _EM, max(-box[1] for box in inked) / _EM, max(box[3] for box in inked) / _EM


# --- transforms


def _read_transform(written: str) -> Matrix:
    if not _TRANSFORMS.fullmatch(written):
        raise UnknownDrawingError(written)
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    for name, inner in _TRANSFORM.findall(written):
        matrix = _multiply(
            matrix, _one_transform(name, [float(each) for each in NUMBER.findall(inner)])
        )
    return matrix


def _one_transform(name: str, values: list[float]) -> Matrix:
    if name == "translate" and len(values) in (1, 2):
        return 1, 0, 0, 1, values[0], values[1] if len(values) == 2 else 0
    if name == "scale" and len(values) in (1, 2):
        return values[0], 0, 0, values[-1], 0, 0
    if name == "matrix" and len(values) == 6:
        a, b, c, d, e, f = values
        return a, b, c, d, e, f
    if name == "rotate" and len(values) == 1:
        turn = radians(values[0])
        return cos(turn), sin(turn), -sin(turn), cos(turn), 0, 0
    raise UnknownDrawingError(f"{name}({values})")


def _multiply(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that applies `second`, then `first`."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )
