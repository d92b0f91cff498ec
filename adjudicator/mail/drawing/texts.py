"""A text by itself, drawn by FreeType, which keeps its fonts: resvg opens a font's file for every
sign.
"""

import html
import re
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont, features

from adjudicator.mail.drawing.resvg import FONTS

_ALONE = re.compile(r'(?:<g>)*<text((?: [a-z-]+="[^"]*")*)>([^<]+)</text>(?:</g>)*')
_ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
_FACES = {"DejaVu Sans": "DejaVuSans", "DejaVu Serif": "DejaVuSerif"}
_WEIGHTS = {"normal": "", "bold": "-Bold"}
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}  # the share of a text before its x
_INK = re.compile(r"#[0-9A-Fa-f]{6}")
_SIGNS = frozenset("’“”–")  # beside ASCII; every shipped font has them
_FINER = 4  # FreeType's pixels for each, so that hints and rounding move nothing that one sees
# coverage in sixths: more colours at edges would make a PNG larger, by a twelfth for sixteenths
_STEPS = [round(part * 6 / 255) * 255 // 6 for part in range(256)]
_KEPT_FONTS = 64
# whether Pillow kerns as resvg does: not where the system lacks FriBidi
KERNS = features.check("raqm")


def draw_text(
    chunk: str, scale: float, origin: tuple[float, float], size: tuple[int, int]
) -> Image.Image | None:
    """Return in RGBA what `chunk` draws on `size` pixels, `scale` of them for each of its units,
    which begin at the pixel `origin`; None for what is no plain text by itself.
    """
    found = _ALONE.fullmatch(chunk)
    if not (KERNS and found):
        return None
    words, named = html.unescape(found[2]), dict(_ATTRIBUTE.findall(found[1]))
    try:
        ink, x, y = named.pop("fill"), float(named.pop("x")), float(named.pop("y"))
        anchor = _ANCHORS[named.pop("text-anchor", "start")]
        face = _FACES[named.pop("font-family")] + _WEIGHTS[named.pop("font-weight", "normal")]
        font = _font(face, float(named.pop("font-size")) * scale * _FINER)
    except (KeyError, ValueError):
        return None
    signs_known = all(sign in _SIGNS or (sign.isascii() and sign.isprintable()) for sign in words)
    if named or not _INK.fullmatch(ink) or not signs_known or words != " ".join(words.split()):
        return None
    begin = (x * scale + origin[0]) * _FINER - anchor * font.getlength(words)
    fine = Image.new("L", (size[0] * _FINER, size[1] * _FINER))
    base = (y * scale + origin[1]) * _FINER
    ImageDraw.Draw(fine).text((begin, base), words, fill=255, font=font, anchor="ls")
    image = Image.new("RGBA", size, ink)
    image.putalpha(fine.reduce(_FINER).point(_STEPS))
    return image


@lru_cache(_KEPT_FONTS)
def _font(face: str, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"{face}.ttf", size, layout_engine=ImageFont.Layout.RAQM)
