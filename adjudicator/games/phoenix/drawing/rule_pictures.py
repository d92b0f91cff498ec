"""The pictures of the rules page: each is a turn of Red, with its events and the Birds before and
after it.
"""

from dataclasses import dataclass, replace

from adjudicator.games.kit.glyphs import Kind
from adjudicator.games.kit.shapes import Size, frame
from adjudicator.games.phoenix.drawing.captions import caption_turn
from adjudicator.games.phoenix.drawing.draw import WIDTH
from adjudicator.games.phoenix.drawing.pieces import draw_lettered_bird
from adjudicator.games.phoenix.drawing.squares import Chart, draw_squares
from adjudicator.games.phoenix.drawing.trail import RADIUS, draw_trail
from adjudicator.games.phoenix.model.events import (
    Eliminated,
    Happened,
    Met,
    Moved,
    Part,
    Placed,
    Raised,
)
from adjudicator.games.phoenix.model.grid import Bird, Place, Square
from adjudicator.games.phoenix.model.state import Turn


@dataclass(frozen=True)
class Example:
    """One turn with its order; only Birds that matter to it are listed."""

    part: Part
    order: str
    before: tuple[Bird, ...]
    after: tuple[Bird, ...]
    turn: Turn


def _red(kind: Kind, place: Place = "ashes") -> Bird:
    return Bird("Red", kind, place)


def _blue(kind: Kind, place: Place = "ashes") -> Bird:
    return Bird("Blue", kind, place)


def _at(bird: Bird, square: Square) -> Bird:
    return replace(bird, place=square)


def _landing() -> Example:
    paper, rock, scissors = (
        _red("paper", "unplaced"),
        _blue("rock", (4, 3)),
        _blue("scissors", (5, 4)),
    )
    placed = _at(paper, (4, 3))
    events = (Placed(bird=paper, to=(4, 3)), Eliminated(bird=rock, by=placed, why="placed"))
    return Example(
        "opening",
        "place paper",
        (paper, rock, scissors),
        (placed, _blue("rock"), scissors),
        Turn(3, "Red", (4, 3), events),
    )


def _meetings() -> Example:
    rock, own = _red("rock", (2, 1)), _red("scissors", (3, 4))
    scissors, paper = _blue("scissors", (4, 3)), _blue("paper", (5, 2))
    events: tuple[Happened, ...] = (
        Moved(bird=rock, to=(3, 2), how="diagonal"),
        Met(bird=_at(rock, (3, 2)), other=scissors, direction="NE", outcome="won"),
        Met(bird=_at(rock, (4, 3)), other=paper, direction="SE", outcome="lost"),
        Met(bird=_at(paper, (4, 3)), other=own, direction="NW", outcome="lost"),
    )
    after = (_red("rock"), _at(own, (4, 3)), _blue("scissors"), _blue("paper"))
    return Example(
        "main", "rock NE", (rock, own, scissors, paper), after, Turn(12, "Red", None, events)
    )


def _phoenix() -> Example:
    rock, paper, scissors = _red("rock"), _blue("paper", (5, 5)), _blue("scissors", (6, 4))
    raised = _at(rock, (5, 5))
    events = (
        Raised(bird=rock, to=(5, 5)),
        Eliminated(bird=paper, by=raised, why="phoenix"),
        Met(bird=raised, other=scissors, direction="SE", outcome="won"),
    )
    after = (_at(rock, (6, 4)), _blue("paper"), _blue("scissors"))
    return Example(
        "main", "phoenix rock", (rock, paper, scissors), after, Turn(20, "Red", (5, 5), events)
    )


def _bishop() -> Example:
    paper, rock, scissors = _red("paper", (1, 6)), _blue("rock", (4, 3)), _blue("scissors", (5, 2))
    events = (
        Moved(bird=paper, to=(4, 3), how="diagonal"),
        Eliminated(bird=rock, by=_at(paper, (4, 3)), why="diagonal"),
        Moved(bird=_at(paper, (4, 3)), to=(5, 2), how="chain"),
        Eliminated(bird=scissors, by=_at(paper, (5, 2)), why="chain"),
        Moved(bird=_at(paper, (5, 2)), to=(6, 1), how="chain"),
    )
    after = (_at(paper, (6, 1)), _blue("rock"), _blue("scissors"))
    return Example(
        "escalation",
        "paper SE 3 chain",
        (paper, rock, scissors),
        after,
        Turn(60, "Red", None, events),
    )


def _mutual() -> Example:
    own, scissors, paper = (
        _red("scissors", (2, 3)),
        _blue("scissors", (5, 4)),
        _blue("paper", (3, 6)),
    )
    events = (
        Moved(bird=own, to=(4, 5), how="diagonal"),
        Met(bird=_at(own, (4, 5)), other=scissors, direction="SE", outcome="mutual"),
    )
    after = (_red("scissors"), _blue("scissors"), paper)
    return Example(
        "escalation", "scissors NE 2", (own, scissors, paper), after, Turn(62, "Red", None, events)
    )


EXAMPLES = {
    "landing": _landing(),
    "meetings": _meetings(),
    "phoenix": _phoenix(),
    "bishop": _bishop(),
    "mutual": _mutual(),
}


def rule_pictures() -> dict[str, str]:
    """Return a picture of each example, by its name."""
    return {name: _example(example) for name, example in EXAMPLES.items()}


def _example(example: Example) -> str:
    chart = Chart(left=60, top=16, cell=100)
    marks = draw_trail(chart, example.turn.events, {each.place for each in example.after})
    birds = "".join(
        draw_lettered_bird(each.seat, each.kind, chart.middle(each.square), chart.cell * RADIUS)
        for each in example.after
        if each.stands
    )
    label = " ".join(line.words for line in caption_turn(None, example.turn))
    content = draw_squares(chart, named=False) + marks.under + birds + marks.over
    return frame("phoenix", label, Size(WIDTH, chart.side + 60), content)
