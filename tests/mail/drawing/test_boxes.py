"""Boxes of chunks: nothing is ever drawn outside them."""

import html

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.mail.drawing.boxes import measure_chunk, measure_hole
from adjudicator.mail.drawing.resvg import render
from tests.sampling import examples

SIDE = 240  # pixels of the canvas on which chunks are drawn, from -120 to 120
ROUNDING = 2  # pixels: smooth edges, and lines thinner than a pixel

numbers = st.floats(-60, 60).map(lambda value: round(value, 1))
lengths = st.floats(0.5, 50).map(lambda value: round(value, 1))
pairs = st.tuples(numbers, numbers).map(lambda pair: f"{pair[0]} {pair[1]}")
flags = st.sampled_from("01")


def joined(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(*parts).map(" ".join)


segments = st.one_of(
    joined(st.sampled_from("LlMm"), pairs),
    joined(st.sampled_from("HhVv"), numbers.map(str)),
    joined(st.sampled_from("Qq"), pairs, pairs),
    joined(st.sampled_from("Cc"), pairs, pairs, pairs),
    st.sampled_from("Zz"),
    joined(st.sampled_from("SsLl"), pairs, pairs),
    joined(st.sampled_from("Tt"), pairs),
    joined(st.sampled_from("Tt"), pairs, pairs),
    joined(
        st.sampled_from("Aa"),
        lengths.map(str),
        lengths.map(str),
        numbers.map(str),
        flags,
        flags,
        pairs,
    ),
)
paths = st.tuples(pairs, st.lists(segments, min_size=1, max_size=4)).map(
    lambda path: f'<path d="M{path[0]} {" ".join(path[1])}"'
)
words = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2AFF, exclude_categories=("Cs", "Cc")),
    min_size=1,
    max_size=12,
)
texts = st.builds(
    lambda at, *look: (
        '<text x="{}" y="{}" font-size="{}" text-anchor="{}" font-family="{}" font-weight="{}"'.format(
            *at, *look
        )
    ),
    st.tuples(numbers, numbers),
    st.integers(4, 40),
    st.sampled_from(["start", "middle", "end"]),
    st.sampled_from(["DejaVu Sans", "DejaVu Serif", "serif", "Nowhere"]),
    st.sampled_from(["normal", "bold", "400"]),
)
shapes = st.one_of(
    paths,
    st.builds(
        lambda x, y, w, h, r: f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{r}"',
        numbers,
        numbers,
        lengths,
        lengths,
        lengths,
    ),
    st.builds(lambda x, y, r: f'<circle cx="{x}" cy="{y}" r="{r}"', numbers, numbers, lengths),
    st.lists(pairs, min_size=2, max_size=5).map(
        lambda points: f'<polygon points="{" ".join(points)}"'
    ),
)
looks = st.builds(
    ' fill="{}" stroke="#000000" stroke-width="{}" stroke-linejoin="{}" stroke-linecap="{}"'.format,
    st.sampled_from(["none", "#9E2A2B"]),
    st.integers(1, 12),
    st.sampled_from(["miter", "round", "bevel"]),
    st.sampled_from(["butt", "square", "round"]),
)
plain = st.sampled_from(
    ["", ' fill-opacity="0.4"', ' stroke="none"', ' stroke="#000000" stroke-dasharray="3 4"']
)
elements = st.one_of(
    st.builds(lambda shape, look: f"{shape}{look}/>", shapes, st.one_of(looks, plain)),
    st.builds(
        lambda text, look, said: f"{text}{look}>{html.escape(said)}</text>",
        texts,
        st.one_of(looks, plain),
        words,
    ),
)
factors = st.floats(0.3, 1.7).map(lambda value: round(value, 2))
transforms = st.one_of(
    st.builds(lambda x, y: f"translate({x} {y})", numbers, numbers),
    st.builds(lambda x, y: f"translate({x},{y}) scale({x / 60:.2f})", numbers, numbers),
    st.builds(lambda a: f"scale({a})", factors),
    st.builds(lambda a: f"rotate({a})", numbers),
    st.builds(
        lambda a, b, c, d, e, f: f"matrix({a} {b / 60:.2f} {c / 60:.2f} {d} {e} {f})",
        factors,
        numbers,
        numbers,
        factors,
        numbers,
        numbers,
    ),
)
groups = st.one_of(
    transforms.map(lambda way: f'<g transform="{way}">'),
    st.sampled_from(["<g>", '<g opacity="0.5">', '<g stroke="#123456" stroke-width="5">']),
)
chunks = st.builds(
    lambda outer, inside: "".join(outer) + "".join(inside) + "</g>" * len(outer),
    st.lists(groups, max_size=3),
    st.lists(elements, min_size=1, max_size=3),
)


def drawn_box(chunk: str) -> tuple[int, int, int, int] | None:
    """Return the box around all drawn pixels, in pixels of the canvas."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}">'
    return (
        render(f'{head}<g transform="translate({SIDE // 2} {SIDE // 2})">{chunk}</g></svg>')
        .getchannel("A")
        .getbbox()
    )


@settings(max_examples=examples(150, 500))
@given(chunks)
def test_nothing_is_drawn_outside_the_box_of_a_chunk(chunk: str) -> None:
    drawn, box = drawn_box(chunk), measure_chunk(chunk)
    if drawn is None:
        return
    assert box is not None
    left, top, right, bottom = (each + SIDE // 2 for each in box)
    assert left - ROUNDING <= drawn[0] and top - ROUNDING <= drawn[1]
    assert drawn[2] <= right + ROUNDING and drawn[3] <= bottom + ROUNDING


@settings(max_examples=examples(80, 200))
@given(st.tuples(numbers, numbers, lengths, lengths, st.integers(0, 20), st.integers(1, 12)))
def test_nothing_is_drawn_in_the_hole_of_a_frame(look: tuple[float, ...]) -> None:
    frame = (
        '<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="none" stroke="#000000"'
        ' stroke-width="{}"/>'.format(*look)
    )
    hole = measure_hole(frame)
    if hole is None or min(hole[2] - hole[0], hole[3] - hole[1]) < 2 * ROUNDING + 1:
        return
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}">'
    whole = render(f'{head}<g transform="translate({SIDE // 2} {SIDE // 2})">{frame}</g></svg>')
    left, top, right, bottom = (round(each + SIDE // 2) for each in hole)
    inside = whole.crop((left + 1, top + 1, right - 1, bottom - 1))
    assert inside.getchannel("A").getbbox() is None


def test_only_a_frame_alone_has_a_hole() -> None:
    frame = (
        '<rect x="5" y="5" width="90" height="50" fill="none" stroke="#000000" stroke-width="4"/>'
    )
    assert measure_hole(frame) == (9, 9, 91, 51)
    assert measure_hole(frame.replace('"none"', '"#FFFFFF"')) is None
    assert measure_hole(f'<g transform="rotate(9)">{frame}</g>') is None
    assert measure_hole(frame.replace("/>", ' transform="rotate(9)"/>')) is None


def test_a_chunk_that_draws_nothing_has_no_box() -> None:
    assert measure_chunk('<g transform="translate(5 5)"></g>') is None
