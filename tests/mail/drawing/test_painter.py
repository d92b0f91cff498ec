"""Painting from chunks: the same picture as resvg's, whatever was painted before, in bounded
memory.
"""

import itertools

import pytest
from PIL import Image

from adjudicator import catalogue
from adjudicator.core.game import AnyGame
from adjudicator.mail.drawing import painter, texts
from adjudicator.mail.drawing.chunks import Cut, cut_picture, strip_unseen
from adjudicator.mail.drawing.painter import Frame, Painter, draw_chunk
from adjudicator.mail.drawing.paths import UnknownDrawingError
from adjudicator.platform.byte_cache import ByteCache
from tests.mail.drawing.boards import all_boards, boards, differing, drawn_whole
from tests.sampling import EVERY_CASE

WIDTHS = (900, 750, 600)
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'


def cut(svg: str) -> Cut:
    found = cut_picture(strip_unseen(svg))
    assert found is not None
    return found


def painted(svg: str, width: int = 400, by: Painter | None = None) -> Image.Image:
    return (by or Painter()).paint(cut(svg), width)


@pytest.fixture
def _texts_by_resvg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "KERNS", False)


def is_like_resvgs(svg: str, image: Image.Image) -> bool:
    """Whether the picture is resvg's, up to rounding; lines without smooth edges may lie a pixel
    aside here and there.
    """
    whole = drawn_whole(svg, image.size)
    return differing(image, whole, by=3) < 0.001 and differing(image, whole, by=80) < 0.0001


@pytest.mark.usefixtures("_texts_by_resvg")
@pytest.mark.parametrize("game", catalogue.every_game(), ids=lambda game: game.about.key)
@pytest.mark.parametrize("seed", ["a", "b"] if EVERY_CASE else ["a"])
def test_boards_of_every_seat_look_as_if_resvg_had_drawn_them_at_once(
    game: AnyGame, seed: str
) -> None:
    by = Painter()
    for number, svg in enumerate(boards(game, seed)):
        assert is_like_resvgs(svg, painted(svg, WIDTHS[number % 3] if number % 2 else 900, by))


@pytest.mark.usefixtures("_texts_by_resvg")
@pytest.mark.parametrize("game", catalogue.every_game(), ids=lambda game: game.about.key)
def test_the_pictures_of_the_rules_look_as_if_resvg_had_drawn_them_at_once(game: AnyGame) -> None:
    for svg in itertools.islice(game.pictures().values(), 6):
        assert is_like_resvgs(svg, painted(svg, 400))


def test_what_was_painted_before_changes_no_pixel() -> None:
    svgs = all_boards("a")[:: 2 if EVERY_CASE else 4]
    busy, forgetful = Painter(), Painter(patches=0, grounds=0)
    for svg in (*svgs, *reversed(svgs)):
        painted(svg, 300, busy)
    for svg in svgs[:: 4 if EVERY_CASE else 2]:
        alone = painted(svg, 300).tobytes()
        assert painted(svg, 300, busy).tobytes() == alone
        assert painted(svg, 300, forgetful).tobytes() == alone


def test_only_what_is_new_is_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(
        painter, "draw_chunk", lambda frame, chunk: drawn.append(chunk) or draw_chunk(frame, chunk)
    )
    by = Painter()
    for at in (10, 20, 30):
        painted(
            f'{HEAD}<rect width="200" height="50" fill="#C9DDE3"/><circle cx="{at}" cy="50" r="5"'
            ' fill="#9E2A2B"/></svg>',
            400,
            by,
        )
    assert len(drawn) == 4


def test_pictures_of_other_heights_share_their_chunks() -> None:
    by, body = Painter(), '<circle cx="20" cy="20" r="5" fill="#9E2A2B"/></svg>'
    sizes = [
        painted(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 {height}">{body}', 400, by
        ).size
        for height in (100, 120.5)
    ]
    assert sizes == [(400, 200), (400, 241)]
    assert len(by.patches) == 1


def test_what_is_kept_is_bounded() -> None:
    by = Painter(patches=300_000, grounds=400_000)
    for svg in all_boards("a")[:: 1 if EVERY_CASE else 2]:
        painted(svg, 200, by)
        assert by.patches.size <= 300_000 and by.grounds.size <= 400_000
    assert len(by.patches) > 20


def test_the_value_not_used_for_the_longest_time_leaves_a_full_cache() -> None:
    cache: ByteCache[str, str] = ByteCache(100)
    cache.put("a", "A", 40)
    cache.put("b", "B", 40)
    cache.get("a")
    cache.put("c", "C", 40)
    cache.put("a", "A2", 50)
    cache.put("d", "D", 101)
    assert (cache.get("a"), cache.get("b"), cache.get("c"), cache.get("d"), cache.size) == (
        "A2",
        None,
        "C",
        None,
        90,
    )


def test_a_chunk_that_is_larger_than_its_box_is_drawn_on_the_whole_canvas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    svg = f'{HEAD}<circle cx="100" cy="50" r="40" fill="#9E2A2B"/></svg>'
    right = painted(svg).tobytes()
    monkeypatch.setattr(painter, "measure_chunk", lambda chunk: (90, 40, 110, 60))
    assert painted(svg).tobytes() == right


def test_a_line_of_less_than_a_pixel_takes_a_few_pixels_more_and_not_the_whole_canvas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cells: list[painter.Pixels] = []
    wrap = Frame.wrap
    monkeypatch.setattr(
        Frame, "wrap", lambda frame, chunk, cell: cells.append(cell) or wrap(frame, chunk, cell)
    )
    thin = (
        '<g><polygon points="117,587.8 126.8,594.8 128.2,583.4" stroke-linejoin="round"'
        ' fill="#3F83C4" stroke="#1F2430" stroke-width="1"/></g>'
    )
    assert len(draw_chunk(Frame(0, 0, 0.9, 900, 1024), thin)) == 1
    assert len(cells) == 2 and all(cell[2] - cell[0] < 30 for cell in cells)


def test_what_lies_outside_the_picture_is_left_out() -> None:
    inside = '<rect x="190" y="-5" width="90" height="20" fill="#2F6B4F"/>'
    assert is_like_resvgs(f"{HEAD}{inside}</svg>", painted(f"{HEAD}{inside}</svg>"))
    outside = (
        '<circle cx="-50" cy="50" r="40" fill="#9E2A2B"/><text x="10" y="400">far below</text>'
    )
    assert (
        painted(f"{HEAD}{inside}{outside}</svg>").tobytes()
        == painted(f"{HEAD}{inside}</svg>").tobytes()
    )


@pytest.mark.parametrize(
    "frame",
    [
        (
            '<rect x="20" y="10" width="160" height="80" rx="9" fill="none" stroke="#9E2A2B"'
            ' stroke-width="3"/>'
        ),
        '<rect x="-20" y="10" width="300" height="80" fill="none" stroke="#9E2A2B"/>',
        (
            '<g opacity="0.5"><rect width="200" height="100" fill="none" stroke="#9E2A2B"'
            ' stroke-width="6"/></g>'
        ),
    ],
)
def test_a_large_frame_is_drawn_by_its_sides_and_looks_the_same(frame: str) -> None:
    assert is_like_resvgs(f"{HEAD}{frame}</svg>", painted(f"{HEAD}{frame}</svg>", 1000))


def test_a_frame_takes_no_more_pixels_than_its_sides() -> None:
    frame = (
        '<rect x="20" y="10" width="160" height="80" fill="none" stroke="#9E2A2B"'
        ' stroke-width="2"/>'
    )
    patches = draw_chunk(Frame(0, 0, 5, 1000, 512), frame)
    assert len(patches) == 4
    assert sum(patch.colours.width * patch.colours.height for patch in patches) < 60_000


@pytest.mark.parametrize(
    "odd",
    [
        '<ellipse cx="9" cy="9" rx="4" ry="2"/>',
        '<rect width="9" height="9" filter="blur(2px)"/>',
        '<text x="5" y="9"><tspan>a</tspan></text>',
        '<path d="M0 0R9 9 20 5"/>',
        '<path d="M0 0Lx 9"/>',
        '<rect width="50%" height="9"/>',
        '<g transform="skewX(9)"><circle r="4"/></g>',
        '<polygon points="1,2 3"/>',
        '<path d="M0 0a5 5 0 0110 0"/>',
        '<path d=""/>',
    ],
)
def test_what_the_painter_does_not_know_it_refuses(odd: str) -> None:
    with pytest.raises(UnknownDrawingError):
        painted(f"{HEAD}{odd}</svg>")
