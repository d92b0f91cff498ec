"""A picture as a PNG of few colours: those of its inks exactly, the blends at their edges
nearly.
"""

import io
import re

from PIL import Image

COLOURS = 192  # of a picture
# the most colours taken exactly: those that the SVG names, those of the largest areas
_INKS, _FLAT = 80, 32
_STEP = 6  # every sixth pixel in both directions is looked at,
_WIDE = 3  # for areas every third of these
_UPPER = 0xFC  # the bits that Pillow compares
_LEVEL = 3  # of zlib: 4 saves a tenth of the bytes and takes a third longer
_INK = re.compile(r'"#([0-9a-fA-F]{6})"')


def encode_png(image: Image.Image, svg: str) -> bytes:
    """Return an RGB image of `svg` as a PNG with a palette, without dithering. The bytes depend on
    the two arguments alone.
    """
    colours = choose_colours(image, svg)
    cells = Image.new("P", (1, 1))
    # Pillow compares the upper bits only: an ink is its own nearest
    cells.putpalette(bytes(part & _UPPER for part in b"".join(colours)))
    shown = image.quantize(palette=cells, dither=Image.Dither.NONE)
    shown.putpalette(b"".join(colours))
    out = io.BytesIO()
    shown.save(out, "PNG", compress_level=_LEVEL)
    return out.getvalue()


def choose_colours(image: Image.Image, svg: str) -> list[bytes]:
    """Return at most COLOURS colours for `image`: the SVG's inks, the largest areas' colours, then
    the most useful blends.

    No two are so near that Pillow takes one for the other.
    """
    sample = _every(_STEP, image)
    coarse = _every(_WIDE, sample)
    counted = sorted(coarse.getcolors(coarse.width * coarse.height) or (), reverse=True)
    inks = [bytes.fromhex(ink) for ink in dict.fromkeys(_INK.findall(svg))][:_INKS]
    areas = [bytes(colour) for _, colour in counted[:_FLAT] if isinstance(colour, tuple)]
    found = sample.quantize(COLOURS, Image.Quantize.FASTOCTREE).getpalette() or []
    blends = [bytes(found[at : at + 3]) for at in range(0, len(found), 3)]
    chosen: dict[bytes, bytes] = {}
    for colour in inks + areas + blends:
        chosen.setdefault(bytes(part & _UPPER for part in colour), colour)
    return list(chosen.values())[:COLOURS]


def _every(step: int, image: Image.Image) -> Image.Image:
    size = max(1, image.width // step), max(1, image.height // step)
    return image.resize(size, Image.Resampling.NEAREST)
