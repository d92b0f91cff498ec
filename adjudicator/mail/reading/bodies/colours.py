"""Colours of CSS and HTML, as far as a letter's reader has to know whether text stands out from
what is behind it.
"""

import colorsys
import re

Colour = tuple[int, int, int]
CLEAR: Colour = (-1, -1, -1)  # transparent
WHITE: Colour = (255, 255, 255)
_FAINT = 0.1  # opacity below which nobody sees it
_NEAR = 16  # the most that a channel of two colours differs which look the same
_NAMES: dict[str, Colour] = {
    "white": WHITE,
    "black": (0, 0, 0),
    "transparent": CLEAR,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "floralwhite": (255, 250, 240),
    "window": WHITE,
    "windowtext": (0, 0, 0),
    "silver": (192, 192, 192),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "red": (255, 0, 0),
    "maroon": (128, 0, 0),
    "yellow": (255, 255, 0),
    "olive": (128, 128, 0),
    "lime": (0, 255, 0),
    "green": (0, 128, 0),
    "aqua": (0, 255, 255),
    "teal": (0, 128, 128),
    "blue": (0, 0, 255),
    "navy": (0, 0, 128),
    "fuchsia": (255, 0, 255),
    "purple": (128, 0, 128),
    "orange": (255, 165, 0),
}
_HEX = re.compile(r"#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_RGB = re.compile(
    r"rgba?\(\s*([\d.]{1,9})(%?)[\s,]+([\d.]{1,9})%?[\s,]+([\d.]{1,9})%?(?:[\s,/]+([\d.]{1,9})(%?))?\s*\)"
)


_HSL = re.compile(
    r"hsla?\(\s*([\d.]{1,9})(?:deg)?[\s,]+([\d.]{1,9})%[\s,]+([\d.]{1,9})%(?:[\s,/]+([\d.]{1,9})(%?))?\s*\)"
)


def read_colour(text: str) -> Colour | None:
    """Return a colour, CLEAR where it is hardly visible for its transparency, None where it is not
    understood.
    """
    text = text.strip().lower()
    if text in _NAMES:
        return _NAMES[text]
    if (found := _HEX.fullmatch(text)) is not None:
        return _of_hex(found[1])
    if (found := _HSL.fullmatch(text)) is not None:
        return _of_hsl(found)
    return _of_rgb(found) if (found := _RGB.fullmatch(text)) is not None else None


def look_same(one: Colour, other: Colour) -> bool:
    """Whether nobody can tell two colours apart."""
    return all(abs(ours - theirs) <= _NEAR for ours, theirs in zip(one, other, strict=True))


def _of_hex(digits: str) -> Colour:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) == 8 and int(digits[6:], 16) < _FAINT * 255:
        return CLEAR
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _of_rgb(found: re.Match[str]) -> Colour | None:
    try:
        alpha = float(found[5] or 1) / (100 if found[6] else 1)
        red, green, blue = (
            min(255, round(float(found[group]) * (2.55 if found[2] else 1))) for group in (1, 3, 4)
        )
    except ValueError:
        return None
    return CLEAR if alpha < _FAINT else (red, green, blue)


def _of_hsl(found: re.Match[str]) -> Colour | None:
    try:
        hue, full, light = float(found[1]) / 360, float(found[2]) / 100, float(found[3]) / 100
        alpha = float(found[4] or 1) / (100 if found[5] else 1)
    except ValueError:
        return None
    red, green, blue = colorsys.hls_to_rgb(hue, min(1, light), min(1, full))
    return CLEAR if alpha < _FAINT else (round(red * 255), round(green * 255), round(blue * 255))
