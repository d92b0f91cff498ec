"""PNGs of few colours: exact inks, no dithering, the same bytes each time."""

import io
import re

import pytest
from PIL import Image

from adjudicator.mail.composing.pictures import draw_png
from adjudicator.mail.drawing import texts
from adjudicator.mail.drawing.chunks import cut_picture, strip_unseen
from adjudicator.mail.drawing.painter import Painter
from adjudicator.mail.drawing.palette import COLOURS, encode_png
from adjudicator.mail.drawing.png import Drawer
from tests.mail.drawing.boards import all_boards, differing, drawn_whole

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'


def decoded(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as image:
        assert image.mode == "P"
        return image.convert("RGB")


def test_boards_keep_their_colours_and_have_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "KERNS", False)
    drawer = Drawer()  # that of the process may keep texts by FreeType
    for svg in all_boards("a")[::4]:
        image = decoded(drawer.draw(svg, strip_unseen(svg), 900))
        whole = drawn_whole(svg, image.size)
        assert differing(image, whole, by=8) < 0.005 and differing(image, whole, by=32) < 0.0005
        assert len(image.getcolors(256) or ()) <= COLOURS


def test_large_areas_in_an_ink_have_exactly_its_colour() -> None:
    for svg in all_boards("a")[::5]:
        cut = cut_picture(strip_unseen(svg))
        assert cut is not None
        image = Painter().paint(cut, 900)
        encoded = decoded(encode_png(image, svg))
        inks = {tuple(bytes.fromhex(ink)) for ink in re.findall(r'"#([0-9A-Fa-f]{6})"', svg)}
        for count, colour in sorted(image.getcolors(1 << 24) or (), reverse=True)[:5]:  # type: ignore[type-var]  # three numbers
            at = image.tobytes().index(bytes(colour))  # type: ignore[arg-type]  # three numbers
            if colour in inks and count > 3000 and at % 3 == 0:
                assert encoded.getpixel((at // 3 % image.width, at // 3 // image.width)) == colour


def test_white_stays_white_beside_what_is_almost_white() -> None:
    body = (
        '<rect width="200" height="100" fill="#FFFFFF"/><circle cx="50" cy="50" r="40"'
        ' fill="#FBFBFB"/><text x="99" y="50">text</text>'
    )
    assert decoded(draw_png(f"{HEAD}{body}</svg>")).getpixel((2, 2)) == (255, 255, 255)


def test_a_picture_of_very_many_colours_is_drawn_too() -> None:
    tile = '<rect x="{}" y="{}" width="10" height="5" fill="#{:06x}"/>'
    many = "".join(tile.format(n % 20 * 10, n // 20 * 5, n * 36_343 % 0xFFFFFF) for n in range(400))
    image = decoded(draw_png(f"{HEAD}{many}</svg>"))
    assert len(image.getcolors(256) or ()) > 100


@pytest.mark.parametrize("width", [3, 1])
def test_a_tiny_picture_is_drawn_too(width: int) -> None:
    assert decoded(encode_png(Image.new("RGB", (width, 1), "#9E2A2B"), "")).size == (width, 1)
