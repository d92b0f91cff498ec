"""Texts by themselves, which FreeType draws: they look as if resvg had drawn them."""

import pytest
from PIL import Image

from adjudicator.mail.drawing import texts
from adjudicator.mail.drawing.painter import Frame, draw_chunk
from adjudicator.mail.drawing.resvg import render
from adjudicator.mail.drawing.texts import draw_text
from tests.mail.drawing.boards import differing, on_white

FRAME, CELL, SIZE = Frame(0, 0, 1.2465, 700, 512), (50, 20, 650, 80), (600, 60)
TEXT = '<text fill="#1F2430" x="{}" y="45.3" {} font-family="DejaVu {}" font-size="19">{}</text>'
PLAIN = '<text fill="#1F2430" x="9" y="9" font-family="DejaVu Sans" font-size="9">{}</text>'


@pytest.mark.skipif(not texts.KERNS, reason="Pillow cannot kern here, so resvg draws all texts")
@pytest.mark.parametrize(
    ("x", "look", "family", "words"),
    [
        ("40.2", 'text-anchor="start"', "Sans", "Turn 44, AVATo: Wave of 5,3 &amp; fir"),
        ("520", 'text-anchor="end" font-weight="bold"', "Sans", "Seat 1’s rock “wins” – “Tie”"),
        ("300", 'text-anchor="middle"', "Serif", "’“”– and jumping (fox) {quiz} @ 100 %"),
        ("50", 'font-weight="bold"', "Serif", "’“”– Type 3, Austria to VIE #7"),
    ],
)
def test_a_text_by_itself_looks_as_if_resvg_had_drawn_it(
    x: str, look: str, family: str, words: str
) -> None:
    chunk = f"<g>{TEXT.format(x, look, family, words)}</g>"
    drawn = draw_text(chunk, FRAME.scale, FRAME.origin(CELL), SIZE)
    assert drawn is not None and len(draw_chunk(FRAME, chunk)) == 1
    whole = on_white(render(FRAME.wrap(chunk, CELL)))
    assert differing(whole, Image.new("RGB", SIZE, "white"), by=80) > 0.02
    assert differing(on_white(drawn), whole, by=40) < 0.02
    assert differing(on_white(drawn), whole, by=100) < 0.0005


def test_resvg_draws_all_else() -> None:
    words = ("two  spaces", "→", "ж", " first", "a<tspan>b</tspan>", "")
    changes = (
        ("<text", '<text transform="scale(2)"'),
        ("<text", '<text stroke="#FFFFFF"'),
        ("<text", '<g opacity=".5"><text'),
        ("DejaVu Sans", "Arial"),
        ("#1F2430", "red"),
        ("font-size", "font-weight"),
    )
    others = [PLAIN.format(each) for each in words]
    for chunk in (*others, *(PLAIN.format("a").replace(*change) for change in changes)):
        assert draw_text(chunk, 1, (0, 0), (90, 20)) is None, chunk
