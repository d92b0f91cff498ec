"""The pictures of the rules page: the World with its names, the pieces, and an example each for
moves, the Centre, a leap and tombs.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from adjudicator.core.game import Seat
from adjudicator.games.genesis.drawing.draw import NOT_CLICKED, draw_world
from adjudicator.games.genesis.drawing.pieces import draw_deed, draw_figure, draw_idea, draw_pyramid
from adjudicator.games.genesis.drawing.squares import Chart, draw_squares
from adjudicator.games.genesis.model.events import Generated, Moved
from adjudicator.games.genesis.model.state import Deed, Piece, Side, State
from adjudicator.games.genesis.model.terms import Name
from adjudicator.games.genesis.model.view import look
from adjudicator.games.genesis.model.world import SQUARES, Square
from adjudicator.games.kit.shapes import Size, Spot, die, fill, frame, number, stroke, text

CHART = Chart(left=95, top=22, cell=106)
SIZE = Size(720, CHART.bottom + 44)

LABELS = {
    "moves": ("What an Anubis and a Bastet reach.", "Куда могут пойти Анубис и Бастет."),
    "world": ("The World and the names of its squares.", "Мир и названия его полей."),
    "figures": (
        "Anubis, Bastet and a deed of each seat; a pyramid and an idea.",
        "Анубис, Бастет и деяние каждого игрока; пирамида и идея.",
    ),
    "centre": (
        "A Bastet enters the Centre, and an idea comes to a5.",
        "Бастет входит в Центр, и на a5 рождается идея.",
    ),
    "leap": (
        "Where a Bastet on b1 may leap after a 3.",
        "Куда может прыгнуть Бастет с b1, если выпало 3.",
    ),
    "tombs": (
        "Two tombs of seat 1, four of six cells filled.",
        "Две гробницы игрока 1: заполнены четыре клетки из шести.",
    ),
}


@dataclass(frozen=True)
class Example:
    """An example: a position, the squares that the pieces of seat 1 reach in it, and what the die
    shows.
    """

    state: State
    reach: Mapping[Name, tuple[Square, ...]] = field(default_factory=dict)
    face: int | None = None


def rule_pictures() -> dict[str, str]:
    """Return the pictures by name; those of the Russian page end in `_ru` and differ only in their
    descriptions.
    """
    drawn = {"moves": _drawn("moves"), "world": _world(), "figures": _figures()}
    drawn |= {name: _drawn(name) for name in ("centre", "leap", "tombs")}
    sizes = {"figures": Size(720, 264)}
    return {
        name + ending: frame("genesis", LABELS[name][language], sizes.get(name, SIZE), content)
        for language, ending in enumerate(("", "_ru"))
        for name, content in drawn.items()
    }


# --- positions


def _examples() -> dict[str, Example]:
    apart = _position(anubis="b2", bastet="c5", other="e3")
    to_centre = Moved(seat="1", piece="bastet", start="e3", end="c3")
    leaping = _position(anubis="d4", bastet="b1", other=None)
    buried = _position(anubis="a1", bastet="a5", other=None)
    return {
        "moves": Example(
            replace(apart, ideas=("e5",), pyramids=("b4",), asleep=("a1", "a5")),
            {
                "anubis": ("b1", "c1", "a2", "c2", "a3", "b3"),
                "bastet": ("c1", "c2", "c3", "e3", "c4", "d4", "b5", "d5", "e5"),
            },
        ),
        "centre": Example(
            replace(
                _position(anubis="b2", bastet="c3", other=None),
                ideas=("a5",),
                asleep=("a1", "e1", "e5"),
                last=(to_centre, Generated(seat="1", square="a5", outside=9)),
            )
        ),
        "leap": Example(
            replace(leaping, pyramids=("b2", "c2"), deeds=(Deed("b5", "2"),), die=3),
            {"bastet": ("b2", "b3", "b4")},
            face=3,
        ),
        "tombs": Example(
            replace(
                buried,
                part="tombs",
                outside=0,
                pyramids=("a2", "a4", "b5"),
                deeds=(Deed("b1", "1"),),
                sides=(_bury(buried.sides[0]), buried.sides[1]),
            )
        ),
    }


def _position(*, anubis: Square, bastet: Square, other: Square | None) -> State:
    """Return a position with the dipole of seat 1 and, if `other` is given, the Bastet of seat
    2.
    """
    first = Side("1", _alive("1", "anubis", anubis), _alive("1", "bastet", bastet), 2)
    second = Side(
        "2",
        Piece("2", "anubis"),
        _alive("2", "bastet", other) if other else Piece("2", "bastet"),
        2,
    )
    return State(turn_limit=75, first="1", sides=(first, second), turn="1", outside=9, part="ideas")


def _alive(seat: Seat, name: Name, square: Square) -> Piece:
    return Piece(seat, name, "alive", square)


def _bury(side: Side) -> Side:
    return replace(
        side, anubis=replace(side.anubis, life="buried"), bastet=replace(side.bastet, life="buried")
    )


EXAMPLES = _examples()


# --- pictures


def _drawn(name: str) -> str:
    example = EXAMPLES[name]
    marks = "".join(
        _reached(who, square, example)
        for who, reached in example.reach.items()
        for square in reached
    )
    shown = die(example.face, Spot(660, 62), 66) if example.face else ""
    return (
        f"{_unnamed(draw_world(look(example.state, None), CHART))}{NOT_CLICKED}{marks}{shown}</g>"
    )


def _unnamed(drawn: str) -> str:
    """Return a drawing without ids and titles: the rules page has several Worlds, and none takes
    clicks.
    """
    return re.sub(r' id="[^"]*"|<title>[^<]*</title>', "", drawn)


def _reached(name: Name, square: Square, example: Example) -> str:
    """Return the mark of a square that a piece reaches: a ring for Anubis, a dot for Bastet, side
    by side where both do.
    """
    both = all(square in reached for reached in example.reach.values()) and len(example.reach) > 1
    taken = square in example.state.ideas or example.state.piece_on(square)
    at = CHART.middle(square)
    x, y = at.x + (both and (-18 if name == "anubis" else 18)), at.y - (38 if taken else 0)
    circle = f'<circle cx="{number(x)}" cy="{number(y)}"'
    if name == "anubis":
        return f'{circle} r="11" {stroke("wax-line", 4)}/>'
    return f'{circle} r="15" {fill("sheet")}/>{circle} r="12" {fill("wax")}/>'


def _world() -> str:
    names = "".join(_name(square) for square in SQUARES)
    return f"{_unnamed(draw_squares(CHART, {}))}{names}"


def _name(square: Square) -> str:
    at = CHART.middle(square)
    return text(Spot(at.x, at.y + 9), square, 26, anchor="middle")


def _figures() -> str:
    rows = "".join(_row(seat, 72 + nth * 120) for nth, seat in enumerate(("1", "2")))
    return rows + draw_pyramid(Spot(510, 128), 104) + draw_idea(Spot(630, 132), 36)


def _row(seat: Seat, y: float) -> str:
    return (
        draw_figure("anubis", seat, Spot(80, y), 44)
        + draw_figure("bastet", seat, Spot(205, y), 44)
        + draw_deed(seat, Spot(335, y), 38)
    )
