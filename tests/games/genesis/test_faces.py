"""The picture of Genesis."""

from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from adjudicator.core.game import Seat
from adjudicator.games.genesis.drawing.draw import draw
from adjudicator.games.genesis.drawing.squares import Chart
from adjudicator.games.genesis.model import events
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.view import look
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, SQUARES
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.games.kit.shapes import AMBER, MOSS, WAX, Spot
from tests.games.contract import faults_of_picture
from tests.games.genesis.scenes import LIFE, OPENING, TOMBS, after, born, building, piece, thrown

SVG = "{http://www.w3.org/2000/svg}"
SCENES = {
    "opening": OPENING,
    "born": born(),
    "life": LIFE,
    "thrown": thrown(3),
    "tombs": TOMBS,
    "building": building(),
}
every_scene = pytest.mark.parametrize("state", SCENES.values(), ids=SCENES.keys())


def picture(state: State, seat: Seat | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(draw(look(state, seat)))


def named(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    """Return the elements that have an id."""
    return {element.get("id", ""): element for element in root.iter() if element.get("id")}


def title(state: State, name: str) -> str:
    """Return the title of an element of the picture."""
    return named(picture(state))[name].findtext(f"{SVG}title") or ""


def words(root: ElementTree.Element) -> list[str]:
    """Return the texts in a picture."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


# --- what can be clicked


@every_scene
@pytest.mark.parametrize("seat", ["1", "2", None])
def test_every_picture_is_clean_and_has_all_there_is_to_click(
    state: State, seat: Seat | None
) -> None:
    svg = draw(look(state, seat))
    assert list(faults_of_picture(GENESIS, svg, set())) == []
    own = [
        f"genesis-{seat}-{what}"
        for seat in "12"
        for what in ("anubis", "bastet", "pyramids", "deeds")
    ]
    assert sorted(named(ElementTree.fromstring(svg))) == sorted(
        [f"genesis-{square}" for square in SQUARES] + own + ["genesis-ideas", "genesis-die"]
    )


@every_scene
def test_every_element_that_can_be_clicked_has_a_title(state: State) -> None:
    for name, element in named(picture(state)).items():
        assert element.get("class") == (
            "square" if name.removeprefix("genesis-") in SQUARES else "piece"
        )
        assert element.findtext(f"{SVG}title")


@every_scene
def test_what_can_be_clicked_is_large_enough_for_a_finger(state: State) -> None:
    for element in named(picture(state)).values():
        width, height = size(element)
        assert width >= 40 and height >= 40, element.get("id")


def size(element: ElementTree.Element) -> tuple[float, float]:
    """Return the largest width and the largest height of the surfaces of an element."""
    sizes = [
        (float(each.get("width", 0)), float(each.get("height", 0)))
        for each in element.iter(f"{SVG}rect")
    ]
    sizes += [(2 * float(each.get("r", 0)),) * 2 for each in element.iter(f"{SVG}circle")]
    for polygon in element.iter(f"{SVG}polygon"):
        corners = [tuple(map(float, pair.split(","))) for pair in polygon.get("points", "").split()]
        sizes.append(
            (
                max(x for x, _ in corners) - min(x for x, _ in corners),
                max(y for _, y in corners) - min(y for _, y in corners),
            )
        )
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def test_what_is_drawn_over_the_squares_lets_clicks_through_but_for_the_pieces() -> None:
    root = list(picture(TOMBS))
    last = max(at for at, child in enumerate(root) if child.get("class") == "square")
    pieces = [f"genesis-{seat}-{who}" for seat in "12" for who in ("anubis", "bastet")]
    above = [child.get("id") or child.get("pointer-events") for child in root[last + 1 : last + 8]]
    assert above == [
        "none",
        "none",
        *pieces,
        "none",
    ], "lines and names, what stands there, pieces, badges"


@pytest.mark.parametrize(
    ("state", "name", "said"),
    [
        (LIFE, "genesis-a1", "a1, a Place of Ideas: empty"),
        (LIFE, "genesis-a5", "a5, a Place of Ideas: an idea"),
        (LIFE, "genesis-c3", "c3, the Centre: seat 1’s Bastet"),
        (LIFE, "genesis-b4", "b4: a pyramid"),
        (LIFE, "genesis-2-bastet", "Seat 2’s Bastet, dead"),
        (LIFE, "genesis-1-pyramids", "Seat 1’s hand: 3 pyramids"),
        (LIFE, "genesis-ideas", "Ideas outside the World: 6"),
        (TOMBS, "genesis-a1", "a1, a Place of Ideas: seat 1’s Anubis buried"),
        (TOMBS, "genesis-a4", "a4: a deed of seat 1, a tomb cell of seat 1"),
        (TOMBS, "genesis-d2", "d2: a pyramid, seat 2’s Bastet"),
        (TOMBS, "genesis-1-deeds", "Seat 1’s hand: 3 deeds, 5 in all"),
        (thrown(3), "genesis-die", "The die shows 3"),
        (OPENING, "genesis-2-anubis", "Seat 2’s Anubis, not yet born"),
    ],
)
def test_titles_say_what_is_there(state: State, name: str, said: str) -> None:
    assert title(state, name) == said


# --- the last order, tombs, seats


def marks(*last: events.Happened) -> Counter[str]:
    """Count the surfaces and lines of the board in the colours of marks, and the curved lines
    (`bow`).
    """
    board_only = [child for child in picture(after(*last)) if child.get("pointer-events") == "none"]
    found: Counter[str] = Counter()
    for element in (each for group in board_only for each in group.iter()):
        found[{MOSS: "came", WAX: "went", AMBER: "soon"}.get(element.get("fill", ""), "")] += 1
        found["way"] += element.get("stroke") == WAX and element.tag == f"{SVG}path"
        found["bow"] += "Q" in element.get("d", "")
    return found


def test_a_move_is_an_arrow_and_a_leap_a_bow() -> None:
    moved = marks(events.Moved(seat="1", piece="anubis", start="a2", end="b2"))
    assert (moved["way"], moved["bow"], moved["went"]) == (1, 0, 1), "a line with its head"
    leapt = marks(events.Leapt(seat="1", start="b1", over="b2", end="b4"))
    assert (leapt["way"], leapt["bow"], leapt["went"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("event", "came", "went"),
    [
        (events.Born(seat="1", anubis="b2", bastet="d2"), 2, 0),
        (events.Generated(seat="1", square="a5", outside=6), 1, 0),
        (events.Destroyed(seat="1", square="e1", outside=6), 0, 1),
        (events.Killed(seat="1", piece="anubis", of="2", square="d2"), 0, 1),
        (events.PlacedPyramid(seat="1", square="d2", left=1), 1, 0),
        (events.PlacedDeed(seat="1", square="d2", left=1), 1, 0),
        (events.Reborn(seat="1", square="c3", way="deeds", returned=("a1", "e5")), 3, 0),
        (events.Passed(seat="1"), 0, 0),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_what_came_has_a_plus_and_what_went_a_cross(
    event: events.Happened, came: int, went: int
) -> None:
    assert (marks(event)["came"], marks(event)["went"]) == (came, went)


def test_an_idea_that_became_a_deed_has_the_pebble_of_its_seat_beside_the_piece() -> None:
    before = words(picture(after())).count("2")
    taken = events.TookIdea(seat="2", piece="anubis", square="e1", deeds=1)
    assert words(picture(after(taken))).count("2") == before + 1


def outlines_of_tombs(state: State) -> tuple[int, int]:
    """Return the numbers of solid and of broken lines around tombs."""
    lines = [
        each
        for each in picture(state).iter(f"{SVG}polygon")
        if each.get("stroke-width") == "2.5" and each.get("fill") == "none"
    ]
    broken = [each for each in lines if each.get("stroke-dasharray")]
    return len(lines) - len(broken), len(broken)


def test_tombs_are_outlined_for_who_has_buried_both_pieces_and_doubly_when_complete() -> None:
    assert outlines_of_tombs(LIFE) == (0, 0)
    assert outlines_of_tombs(TOMBS) == (
        4,
        0,
    ), "two tombs, complete; seat 2 has buried one piece only"
    assert outlines_of_tombs(building()) == (
        4,
        2,
    ), "seat 2's are broken lines, and single while it builds"


def test_seats_differ_by_shape_and_number_not_by_colour_alone() -> None:
    shown = named(picture(building()))
    tags = {
        seat: {each.tag.removeprefix(SVG) for each in shown[f"genesis-{seat}-anubis"].iter()}
        for seat in "12"
    }
    assert "circle" in tags["1"] and "rect" not in tags["1"]
    assert "rect" in tags["2"] and "circle" not in tags["2"]
    assert [words(shown[f"genesis-{seat}-anubis"]) for seat in "12"] == [["1"], ["2"]]


def test_the_heading_says_whose_turn_it_is_and_what_the_die_gives() -> None:
    assert words(picture(LIFE))[:3] == ["Turn 18 of 150", "Seat 2 is to play.", "Before the tombs"]
    assert words(picture(thrown(1), "2"))[:2] == [
        "Turn 18, the throw",
        "You threw 1: Bastet may be reborn.",
    ]
    assert words(picture(replace(LIFE, turn_limit=0)))[0] == "Turn 18"


def test_the_label_tells_the_picture_to_who_does_not_see_it() -> None:
    assert (
        picture(LIFE).get("aria-label")
        == "Genesis. Turn 18 of 150. Before the tombs. Seat 1: Anubis on b2, Bastet on c3; 3"
        " pyramids and 1 deed in hand; sits still for 3 turns; must leave the Centre. Seat 2:"
        " Anubis on d4, Bastet dead; 4 pyramids and no deeds in hand; to play."
    )


def test_the_corners_are_cut_so_that_the_world_is_an_octagon() -> None:
    chart = Chart(left=0, top=0, cell=100)
    assert [chart.middle(square) for square in ("b1", CENTRE)] == [Spot(150, 450), Spot(250, 250)]
    assert [chart.middle(corner) for corner in CORNERS] == [
        Spot(70, 430),
        Spot(430, 430),
        Spot(70, 70),
        Spot(430, 70),
    ]
    outlines = [
        each for each in picture(LIFE).iter(f"{SVG}polygon") if each.get("stroke-width") == "3"
    ]
    assert [len(each.get("points", "").split()) for each in outlines] == [8]


def test_pieces_without_a_square_are_drawn_beside_the_board() -> None:
    gone = replace(
        LIFE, sides=(LIFE.sides[0], replace(LIFE.sides[1], bastet=piece("2", "bastet", "e5")))
    )
    assert "dead" in words(picture(LIFE)) and "dead" not in words(picture(gone))
    assert words(picture(OPENING)).count("unborn") == 4
