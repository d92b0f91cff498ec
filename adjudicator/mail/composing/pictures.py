"""Pictures in letters: SVG rendered as PNG with the shipped fonts, cached by hash."""

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
WIDTH = 600  # pixels: the width of a letter's column
SCALES = (1.5, 1.25, 1)  # pixels of the PNG for each of the page: for screens of high density; 2 would take more than twice the time
LARGEST = 200_000  # bytes of a picture in a letter; a larger one is drawn at the next smaller scale
_VERSION = "3"  # incremented when the same SVG shall give another PNG
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


def draw_png(svg: str, width: int = WIDTH) -> bytes:
    """Return `svg` as a PNG to be shown `width` pixels wide, at the first of SCALES that gives at most LARGEST bytes.

    Raises ValueError for what is no SVG.
    """
    drawn = b""
    for scale in SCALES:
        drawn = bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                width=round(width * scale),
                skip_system_fonts=True,
                font_files=font_files(),
                font_family="DejaVu Sans",
                sans_serif_family="DejaVu Sans",
                serif_family="DejaVu Serif",
            )
        )
        if len(drawn) <= LARGEST:
            break
    return drawn


@cache
def font_files() -> list[str]:
    """Return the shipped fonts; raises ValueError where there are none, since texts would silently be left out."""
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
    """Return a picture's title, its alternative text; "" where it has none."""
    found = _TITLE.search(svg)
    return html.unescape(found[1]).strip() if found else ""
