"""Pictures in letters: SVG drawn as PNG with the shipped fonts, kept in the memory of the process
by its hash.
"""

import hashlib
import html
import re
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from adjudicator.mail.composing.mime import encode_base64
from adjudicator.mail.drawing.chunks import strip_unseen
from adjudicator.platform.byte_cache import ByteCache
from adjudicator.service.phases import reports

if TYPE_CHECKING:
    from adjudicator.mail.drawing.png import Drawer

WIDTH = 600  # pixels: the width of a letter's column
# pixels of the PNG for each of the page: for screens of high density; 2 would take more than twice
# the time
SCALES = (1.5, 1.25, 1)
LARGEST = 200_000  # bytes of a picture in a letter; a larger one is drawn at the next smaller scale
KEPT = 64_000_000  # bytes of PNGs in base64 that a process keeps; with what a painter keeps 136 MB
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_DIGESTS = 1_000_000  # bytes of what a process knows of views: which PNG shows each
_kept: ByteCache[str, bytes] = ByteCache(KEPT)  # PNGs as base64, by the hash of what is drawn
# the hash of what is drawn, and its title, by the hash of a view
_of_views: ByteCache[bytes, tuple[str, str]] = ByteCache(_DIGESTS)
_lock = Lock()


@dataclass(frozen=True)
class EncodedPicture:
    """A picture as a letter has it."""

    alt: str  # its alternative text
    encoded: bytes  # the PNG as base64 in lines


def draw_png(svg: str, width: int = WIDTH) -> bytes:
    """Return `svg` as a PNG to be shown `width` pixels wide, at the first of SCALES that gives at
    most LARGEST bytes.

    Equal pictures give equal bytes. Raises ValueError for what is no SVG.
    """
    drawn, stripped = b"", strip_unseen(svg)
    for scale in SCALES:
        drawn = _drawer().draw(svg, stripped, round(width * scale))
        if len(drawn) <= LARGEST:
            break
    return drawn


@cache
def _drawer() -> "Drawer":
    # Pillow and resvg, which a process needs once it draws
    from adjudicator.mail.drawing.png import Drawer

    return Drawer()


def show_view(game_key: str, view: str) -> EncodedPicture:
    """Return the picture of a game's view. Each PNG is kept by what it shows, each view by all that
    it contains.

    So what one seat's letter shows is taken for another's only if both know exactly the same, or if
    both pictures look alike.
    """
    with _lock:
        shown = _show(game_key, view, draws=True)
        assert shown is not None  # noqa: S101 it was drawn
        return shown


def show_kept(game_key: str, view: str) -> EncodedPicture | None:
    """Return `show_view(game_key, view)` if this process keeps it; None where it would be drawn."""
    with _lock:
        return _show(game_key, view, draws=False)


def _show(game_key: str, view: str, *, draws: bool) -> EncodedPicture | None:
    digest = _digest(game_key, view)
    shown = _find(digest)
    if shown is not None:
        return shown
    svg = reports.picture(game_key, view)
    hash_, alt = _hash(svg), picture_title(svg)
    if not draws and _kept.get(hash_) is None:
        return None
    _of_views.put(digest, (hash_, alt), len(digest) + len(hash_) + len(alt))
    return EncodedPicture(alt, _keep(hash_, svg))


def _digest(game_key: str, view: str) -> bytes:
    return hashlib.sha256(f"{game_key}\n{view}".encode()).digest()


def _find(digest: bytes) -> EncodedPicture | None:
    known = _of_views.get(digest)
    encoded = _kept.get(known[0]) if known else None
    return EncodedPicture(known[1], encoded) if known and encoded is not None else None


def _hash(svg: str) -> str:
    return hashlib.sha256(strip_unseen(svg).encode()).hexdigest()


def _keep(hash_: str, svg: str) -> bytes:
    known = _kept.get(hash_)
    if known is None:
        known = encode_base64(draw_png(svg))
        _kept.put(hash_, known, len(known))
    return known


def picture_title(svg: str) -> str:
    """Return a picture's title, its alternative text; "" where it has none."""
    found = _TITLE.search(svg)
    return html.unescape(found[1]).strip() if found else ""
