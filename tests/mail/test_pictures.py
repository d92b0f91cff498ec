"""Pictures: drawn once, with the shipped fonts only, sharp and small."""

from pathlib import Path

import pytest

from adjudicator.mail.composing import pictures
from adjudicator.mail.composing.mime import encode_base64
from adjudicator.mail.drawing import resvg
from adjudicator.platform.byte_cache import ByteCache
from adjudicator.service.phases import reports
from tests.mail.drawing.boards import all_boards

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><title>A &amp; B</title>{}</svg>'
)
TEXT = '<text x="5" y="40" font-size="30" font-family="{}" font-weight="{}">{}</text>'


def kept(svg: str) -> bytes:
    """Return a picture as a letter has it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reports, "picture", lambda *_: svg)
        return pictures.show_view("a game", svg).encoded


def drawn(text: str, family: str = "DejaVu Sans", weight: str = "normal") -> bytes:
    return pictures.draw_png(SVG.format(TEXT.format(family, weight, text)), 200)


def test_text_is_there_in_every_shipped_face() -> None:
    faces = [
        drawn("Wax", family, weight)
        for family in ("DejaVu Sans", "DejaVu Serif")
        for weight in ("normal", "bold")
    ]
    assert len({drawn(""), *faces}) == 5


@pytest.mark.parametrize("family", ["sans-serif", "serif", "Nowhere Gothic"])
def test_text_in_a_family_that_is_not_shipped_is_not_lost(family: str) -> None:
    assert drawn("Wax", family) != drawn("")


@pytest.mark.parametrize("sign", list("éßŁĞΩжЯ’“…–→↔✓┼●■◆♞€−×"))
def test_every_script_that_pictures_need_is_in_the_fonts(sign: str) -> None:
    assert drawn(sign) not in (drawn(""), drawn("\ue000"))


def test_a_picture_has_more_pixels_than_its_width_on_the_page() -> None:
    assert int.from_bytes(drawn("")[16:20], "big") == 300


def test_a_picture_with_very_much_on_it_has_fewer_pixels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LARGEST", len(drawn("Wax")) - 1)
    assert int.from_bytes(drawn("Wax")[16:20], "big") == 250


def test_a_picture_says_what_it_shows() -> None:
    assert pictures.picture_title(SVG) == "A & B"
    assert pictures.picture_title("<svg/>") == ""


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match=r"."):
        pictures.draw_png("<svg")


def test_without_fonts_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    resvg.font_files.cache_clear()
    monkeypatch.setattr(resvg, "FONTS", tmp_path)
    pictures._drawer.cache_clear()
    try:
        with pytest.raises(ValueError, match="fonts"):
            pictures.draw_png(SVG.format('<circle r="9"/>'))
    finally:
        resvg.font_files.cache_clear()


def test_what_the_painter_does_not_know_is_drawn_as_a_whole() -> None:
    paint = (
        '<linearGradient id="a"><stop stop-color="#FF0000"/></linearGradient><rect width="200"'
        ' height="60" fill="url(#a)"/>'
    )
    plain = '<ellipse cx="100" cy="30" rx="300" ry="90" fill="#FF0000"/>'
    assert pictures.draw_png(SVG.format(paint)) == pictures.draw_png(SVG.format(plain)) != drawn("")


def test_styles_and_references_are_not_lost() -> None:
    styled = (
        '<style>.a {{ fill: #00FF00 }} .b {{ fill: #FF0000 }}</style><rect class="{}" width="200"'
        ' height="60"/>'
    )
    first, second = (
        kept(SVG.format(styled.format(name).replace("{{", "{").replace("}}", "}"))) for name in "ab"
    )
    assert first != second


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> ByteCache[str, bytes]:
    """Give the process an empty cache of PNGs, and a painter that drew nothing."""
    cache: ByteCache[str, bytes] = ByteCache(pictures.KEPT)
    monkeypatch.setattr(pictures, "_kept", cache)
    pictures._drawer.cache_clear()
    return cache


def test_a_picture_is_drawn_once_and_then_kept(
    empty_cache: ByteCache[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    svg = SVG.format(TEXT.format("DejaVu Sans", "normal", "once"))
    first = kept(svg)
    monkeypatch.setattr(pictures, "draw_png", lambda svg: pytest.fail("drawn again"))
    assert kept(svg) == first
    assert empty_cache.size == len(first)


def test_seats_that_see_the_same_share_a_picture(empty_cache: ByteCache[str, bytes]) -> None:
    seen = [
        kept(
            SVG.format(
                f'<g id="mark-{seat}" class="piece"><title>{seat}</title><circle r="9"/></g>'
            )
        )
        for seat in "abc"
    ]
    assert len(set(seen)) == len(empty_cache) == 1
    assert kept(SVG.format('<g id="mark-a"><circle r="8"/></g>')) != seen[0]


def test_a_picture_drawn_again_has_the_same_bytes(
    empty_cache: ByteCache[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    svgs = all_boards("a")[::6]
    first = [kept(svg) for svg in svgs]
    empty_cache.clear()
    assert [kept(svg) for svg in reversed(svgs)] == first[::-1]
    pictures._drawer.cache_clear()
    assert [encode_base64(pictures.draw_png(svg)) for svg in svgs] == first
