"""Pictures: drawn once, with the shipped fonts only, sharp and small."""

from pathlib import Path

import pytest

from adjudicator.mail.composing import pictures
from adjudicator.service.base import picture_cache
from tests.mail.mail_harness import MailHarness

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><title>A &amp; B</title>{}</svg>'
TEXT = '<text x="5" y="40" font-size="30" font-family="{}" font-weight="{}">{}</text>'


def drawn(text: str, family: str = "DejaVu Sans", weight: str = "normal") -> bytes:
    return pictures.draw_png(SVG.format(TEXT.format(family, weight, text)), 200)


def test_text_is_there_in_every_shipped_face() -> None:
    faces = [drawn("Wax", family, weight) for family in ("DejaVu Sans", "DejaVu Serif") for weight in ("normal", "bold")]
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
    pictures.font_files.cache_clear()
    monkeypatch.setattr(pictures, "FONTS", tmp_path)
    try:
        with pytest.raises(ValueError, match="fonts"):
            pictures.draw_png(SVG)
    finally:
        pictures.font_files.cache_clear()


def test_a_picture_is_drawn_once_and_then_kept(post_harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    svg = SVG.format(TEXT.format("DejaVu Sans", "normal", "once"))
    first = pictures.kept_png(post_harness_on_both.database, post_harness_on_both.now, svg)
    monkeypatch.setattr(pictures, "draw_png", lambda svg, width: pytest.fail("drawn again"))
    assert pictures.kept_png(post_harness_on_both.database, post_harness_on_both.now, svg) == first


def test_pictures_are_erased_when_no_letter_can_need_them(post_harness_on_both: MailHarness) -> None:
    svg = SVG.format(TEXT.format("DejaVu Sans", "normal", "old"))
    pictures.kept_png(post_harness_on_both.database, post_harness_on_both.now, svg)
    assert picture_cache.erase_old(post_harness_on_both.database, post_harness_on_both.now + picture_cache.KEPT) == 0
    assert picture_cache.erase_old(post_harness_on_both.database, post_harness_on_both.now + picture_cache.KEPT * 1.01) == 1
