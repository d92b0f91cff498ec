"""Pictures in letters: SVG to PNG with the fonts that are shipped, each drawn once and then kept by its hash."""

import hashlib
import html
import re
from datetime import datetime
from functools import cache
from pathlib import Path

import resvg_py

from adjudicator.platform.db import Database
from adjudicator.service.base import picture_cache

FONTS = Path(__file__).with_name("fonts")
WIDTH = 600  # pixels on a page, the letter's column
SCALES = (1.5, 1.25, 1)  # for fine screens: twice as many pixels would take more than twice as long
LARGEST = 200_000  # bytes of a picture in a letter: one with more of them has fewer pixels
_VERSION = "3"  # raised when the same SVG shall give another PNG
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


def draw_png(svg: str, width: int = WIDTH) -> bytes:
    """Return `svg` as a PNG that is sharp at `width` pixels, which means half as many more; raises ValueError for what is no SVG.

    One with very much on it is drawn with fewer, to stay below LARGEST.
    """
    drawn = b""
    for scale in SCALES:
        drawn = _drawn(svg, round(width * scale))
        if len(drawn) <= LARGEST:
            break
    return drawn


def _drawn(svg: str, pixels: int) -> bytes:
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=pixels,
            skip_system_fonts=True,
            font_files=font_files(),
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
            serif_family="DejaVu Serif",
        )
    )


@cache
def font_files() -> list[str]:
    """Return the shipped fonts; raises ValueError where they are gone, as every text would vanish without a word."""
    found = sorted(str(path) for path in FONTS.glob("*.ttf"))
    if not found:
        raise ValueError("the fonts of the mail room are missing")
    return found


def kept_png(database: Database, now: datetime, svg: str, width: int = WIDTH) -> bytes:
    """Return `draw_png(svg, width)`, drawn only the first time."""
    hash_ = hashlib.sha256(f"{_VERSION}\n{width}\n{svg}".encode()).hexdigest()
    with database.read_tx() as session:
        known = picture_cache.find_picture(session, hash_)
    if known is not None:
        return known
    drawn = draw_png(svg, width)
    picture_cache.keep_picture(database, hash_, drawn, now)
    return drawn


def picture_title(svg: str) -> str:
    """Return what a picture says of itself, for those who do not see it."""
    found = _TITLE.search(svg)
    return html.unescape(found[1]).strip() if found else ""
