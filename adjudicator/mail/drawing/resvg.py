"""Rendering SVG by resvg, with the shipped fonts only."""

import io
from functools import cache
from pathlib import Path

import resvg_py
from PIL import Image

FONTS = Path(__file__).parent.parent / "composing" / "fonts"


@cache
def font_files() -> list[str]:
    """Return the shipped fonts; raises ValueError where there are none, since texts would silently
    be left out.
    """
    found = sorted(str(path) for path in FONTS.glob("*.ttf"))
    if not found:
        raise ValueError("the fonts of the mail room are missing")
    return found


def render(svg: str, width: int | None = None) -> Image.Image:
    """Return `svg` in RGBA, `width` pixels wide (None: one pixel for each of its units). Raises
    ValueError for what is no SVG.
    """
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=font_files(),
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
        serif_family="DejaVu Serif",
    )
    with Image.open(io.BytesIO(bytes(png))) as image:
        return image.convert("RGBA")
