"""Cutting a picture into chunks."""

import pytest

from adjudicator.mail.drawing.chunks import SMALL, cut_body, cut_picture, strip_unseen

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'
DOT = '<circle r="2"/>'


def test_what_nobody_sees_is_left_out() -> None:
    told = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 9 9" role="img"'
        ' aria-label="A &gt; B"><title>A</title>'
    )
    piece = (
        '<g id="unit-1" class="piece at-coast" data-from="PAR"'
        ' pointer-events="none"><title>It&#x27;s</title><circle r="2"/></g></svg>'
    )
    assert (
        strip_unseen(told + piece)
        == '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g><circle r="2"/></g></svg>'
    )


@pytest.mark.parametrize(
    "body",
    [
        '<text>He wrote id="1" here</text>',
        '<style>.a{fill:red}</style><circle class="a" r="2"/>',
        '<use href="#a"/>',
        '<circle id="a" fill="url(#b)"/>',
        '<g data-a="1>2"><title>"x"</title></g>',
    ],
)
def test_nothing_is_left_out_where_it_might_be_seen(body: str) -> None:
    svg = f"{HEAD}{body}</svg>"
    assert strip_unseen(svg) == svg and cut_picture(svg) is None


def test_a_long_group_is_cut_into_its_children_within_the_groups_around_them() -> None:
    many = DOT * (SMALL // len(DOT) + 1)
    body = (
        f'<g fill="#123456"><g opacity="0.5">{many}</g><g stroke="#FFFFFF">{many}</g><text'
        f' x="5">a</text></g>{DOT}'
    )
    chunks = cut_body(body, SMALL)
    assert chunks is not None
    assert chunks[0] == f'<g fill="#123456"><g opacity="0.5">{many}</g></g>'
    assert chunks[1] == f'<g fill="#123456"><g stroke="#FFFFFF">{DOT}</g></g>'
    assert chunks[-2:] == ['<g fill="#123456"><text x="5">a</text></g>', DOT]


def test_a_short_group_is_one_chunk() -> None:
    assert cut_body(f"<g><g>{DOT}</g>{DOT}</g>{DOT}", SMALL) == [f"<g><g>{DOT}</g>{DOT}</g>", DOT]


@pytest.mark.parametrize(
    "svg",
    [
        f"{HEAD}<g>{DOT}</svg>",
        f"{HEAD}<g>{DOT}</text></svg>",
        f"{HEAD}</g></svg>",
        f"{HEAD}<!-- a -->{DOT}</svg>",
        f"{HEAD}<circle r='2'/></svg>",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" opacity="0.5">{DOT}</svg>',
        f'<svg viewBox="0 0 9 9">{DOT}</svg>',
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 9">{DOT}</svg>',
        "<svg",
        "",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1.2.3 9">{DOT}</svg>',
    ],
)
def test_an_svg_in_another_form_is_not_cut(svg: str) -> None:
    assert cut_picture(svg) is None
