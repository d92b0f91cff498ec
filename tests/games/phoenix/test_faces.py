"""The picture and the text board of RPS Phoenix."""

from typing import Any
from xml.etree import ElementTree

import pytest

from adjudicator.games.kit.shapes import SHAPES
from adjudicator.games.phoenix.drawing.pieces import FORMS
from adjudicator.games.phoenix.drawing.rule_pictures import EXAMPLES, Example, rule_pictures
from adjudicator.games.phoenix.model.events import Eliminated, Met, Moved, Placed, Raised
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from tests.games.contract import faults_of_picture
from tests.games.phoenix.positions import birds_of, decide, position

SVG = "{http://www.w3.org/2000/svg}"


def picture(state: State, you: str | None = None) -> ElementTree.Element:
    """Return the picture of a state as a tree."""
    return ElementTree.fromstring(PHOENIX.draw(PHOENIX.view(state, you)))


def texts(tree: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in tree.iter(f"{SVG}text")]


def by_id(tree: ElementTree.Element, name: str) -> ElementTree.Element:
    (found,) = (element for element in tree.iter() if element.get("id") == name)
    return found


def played(example: Example) -> State:
    """Return the state after the turn of an example, as adjudicated."""
    turn = {"opening": 3, "main": 20, "escalation": 60}[example.part]
    rolled = example.turn.dice
    others = " Bp?" if example.part == "opening" else ""
    before = position(birds_of(*example.before) + others, turn=turn, dice=rolled)
    return decide(before, example.order, *([1, 2] if others else [])).state


# --- the text board


BOARD = """\
Turn 21, Red after the roll
Main game: Escalation in 34 turns, limit in 100 turns. The dice show
  3,3, doubles.

  6    .    .    .    .    .    *
  5    .    .    .    .   Rr*   .
  4    .    .    .    *    .    .
  3    .    .    *    .    .    .
  2    .    *    .    .    .   Bs
  1    *    .    .    .    .    .
       1    2    3    4    5    6

R Red, B Blue; r Rock, p Paper, s Scissors; * a gold square. x counts to
  the right, y upwards.

Red (you): Rock at 5,5, Paper in the Ashes, Scissors in the Ashes; 0
  points.
Blue: Rock in the Ashes, Paper in the Ashes, Scissors at 6,2; 0 points."""


def test_the_board_is_a_grid_and_a_sentence_for_each_seat() -> None:
    assert PHOENIX.text_board(PHOENIX.view(position("Rr55 Bs62", dice=(3, 3)), "Red")) == BOARD


def test_the_board_of_an_opening_names_what_is_not_placed() -> None:
    board = PHOENIX.text_board(PHOENIX.view(position("Rr? Rp11 Bs62", turn=3, dice=(3, 4)), None))
    assert (
        "Opening: Escalation in 51 turns, limit in 117 turns. The dice show 3,4."
        in board.replace("\n  ", " ")
    )
    assert "Red: Rock not placed yet, Paper at 1,1, Scissors in the Ashes" in board


def test_the_board_tells_teams_and_chips() -> None:
    board = PHOENIX.text_board(
        PHOENIX.view(position("Rr55 Bs62", seats=4, team=True, casino=True), "Pink")
    ).replace("\n  ", " ")
    assert "Red, with Pink (you): Rock at 5,5" in board
    assert "Pink (you), with Red: Rock in the Ashes" in board
    assert "0 points; 0 chips paid." in board
    assert board.endswith("The pot holds 0 chips.")


@pytest.mark.parametrize(
    ("turn", "options", "line"),
    [
        (53, {}, "Main game: Escalation in 1 turn, limit in 67 turns."),
        (54, {}, "Escalation: limit in 66 turns."),
        (54, {"turn_limit": 0}, "Escalation, without a limit."),
    ],
)
def test_the_board_counts_the_turns_ahead(turn: int, options: dict[str, Any], line: str) -> None:
    assert (
        PHOENIX.text_board(
            PHOENIX.view(position("Rr55 Bs62", turn=turn, **options), None)
        ).splitlines()[1]
        == line
    )


def test_an_opening_that_outlasts_the_counter_says_what_follows() -> None:
    board = PHOENIX.text_board(PHOENIX.view(position("Rr? Bs62", turn=60, dice=(3, 4)), None))
    assert board.splitlines()[1].startswith(
        "Opening: Escalation right after it, limit in 60 turns."
    )


# --- the picture: what can be clicked


def test_every_square_bird_and_the_dice_have_an_id_and_a_title() -> None:
    tree = picture(position("Rr55 Rp? Bs62", turn=3, dice=(3, 4)))
    squares = {f"phoenix-{x}-{y}" for x in range(1, 7) for y in range(1, 7)}
    birds = {
        f"phoenix-{seat}-{kind}"
        for seat in ("Red", "Blue")
        for kind in ("rock", "paper", "scissors")
    }
    found = {element.get("id"): element for element in tree.iter() if element.get("id")}
    assert set(found) == squares | birds | {"phoenix-dice"}
    assert all(element.find(f"{SVG}title") is not None for element in found.values())
    assert by_id(tree, "phoenix-5-5").findtext(f"{SVG}title") == "5,5, gold"
    assert by_id(tree, "phoenix-Red-paper").findtext(f"{SVG}title") == "Red’s Paper, not placed yet"
    assert by_id(tree, "phoenix-dice").findtext(f"{SVG}title") == "The dice, 3,4"
    assert {element.get("class") for name, element in found.items() if name in squares} == {
        "square"
    }
    assert {element.get("class") for name, element in found.items() if name not in squares} == {
        "piece"
    }


def test_the_marks_of_every_choice_are_in_the_picture() -> None:
    for state in (
        position("Rp16 Rs12 Br43 Bs52", turn=60),
        position("Rs12 Bs52", turn=60, dice=(4, 4)),
        position("Rr? Bs52", turn=3, dice=(4, 4)),
    ):
        ids = {element.get("id") for element in picture(state, "Red").iter()}
        assert {
            mark for choice in PHOENIX.slots(state, "Red")[0].choices for mark in choice.marks
        } <= ids


def test_what_is_drawn_over_squares_and_birds_takes_no_click() -> None:
    tree = picture(played(EXAMPLES["meetings"]))
    named = [
        place
        for place, element in enumerate(tree)
        if str(element.get("id", "")).startswith("phoenix-")
    ]
    over = [element for element in list(tree)[min(named) : max(named)] if not element.get("id")]
    covering = [
        element
        for element in over
        if element.tag in {f"{SVG}g", f"{SVG}rect", f"{SVG}circle"}
        and element.get("pointer-events") != "none"
    ]
    assert [element for element in covering if not _beside_the_grid(element)] == []


def _beside_the_grid(element: ElementTree.Element) -> bool:
    """Whether an element stands right of, left of, or below the grid, which is 588 wide from 66,112
    on.
    """
    shape = element if element.tag != f"{SVG}g" else next(element.iter(f"{SVG}circle"), element)
    x, y = (float(shape.get(name, shape.get("c" + name, "0"))) for name in ("x", "y"))
    return x < 66 or x > 654 or y > 700


# --- the picture: what it tells


def test_a_bird_is_distinguished_by_shape_and_letter_not_by_colour_alone() -> None:
    tree = picture(position("Rr11 Br22 Pr33 Gr44", seats=4))
    assert list(FORMS.values()) == list(SHAPES)
    for seat in FORMS:
        assert texts(by_id(tree, f"phoenix-{seat}-rock")) == [seat[0]]


def test_the_picture_tells_the_meetings_in_their_order() -> None:
    words = texts(picture(played(EXAMPLES["meetings"]), "Blue"))
    assert "Red moved its Rock from 2,1 to 3,2." in words
    assert "Red’s Rock beats your Scissors and takes 4,3." in words
    assert "Your Paper beats Red’s Rock and takes 4,3." in words
    assert "Red’s Scissors beat your Paper and take 4,3." in words
    # column, row, on the board, before the line
    assert [words.count(number) for number in ("1", "2", "3")] == [4, 4, 4]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "landing",
            ["Red rolled 4,3 and placed its Paper there.", "Blue’s Rock at 4,3 went to the Ashes."],
        ),
        (
            "phoenix",
            [
                "Red rolled 5,5 and raised its Rock from the Ashes.",
                "Blue’s Paper at 5,5 went to the Ashes.",
            ],
        ),
        (
            "bishop",
            [
                "Red moved its Paper from 1,6 to 4,3, on to 5,2 and on to 6,1.",
                "Blue’s Rock at 4,3 and Blue’s Scissors at 5,2 went to the Ashes.",
            ],
        ),
        (
            "mutual",
            [
                "Red moved its Scissors from 2,3 to 4,5.",
                "Red’s Scissors and Blue’s Scissors sent each other to the Ashes.",
            ],
        ),
    ],
)
def test_the_picture_tells_the_last_turn(name: str, lines: list[str]) -> None:
    words = texts(picture(played(EXAMPLES[name])))
    assert [line for line in lines if line not in words] == []


def test_a_long_line_is_broken() -> None:
    done = decide(position("Rs12 Bs61", turn=60, dice=(4, 4)), "phoenix rock and paper 3,5")
    words = texts(picture(done.state))
    first = words.index("Red rolled 4,4, raised its Rock from the Ashes and with it Paper")
    assert words[first + 1] == "onto 3,5."


def test_the_jump_of_a_roll_is_dashed_and_a_diagonal_is_not() -> None:
    assert "stroke-dasharray" in shaft(
        decide(position("Rr12 Bs61", dice=(5, 2)), "move rock").state
    )
    assert "stroke-dasharray" not in shaft(decide(position("Rr12 Bs61"), "rock NE").state)


def shaft(state: State) -> str:
    """Return the line of the move's arrow."""
    (line,) = (
        element
        for element in picture(state).iter(f"{SVG}path")
        if element.get("stroke-width") == "5" and "L" in element.get("d", "")
    )
    return str(line.attrib)


def test_the_square_of_the_dice_is_framed_while_they_wait() -> None:
    assert "13 8" in PHOENIX.draw(PHOENIX.view(position("Rr12 Bs61", dice=(3, 3)), None))
    assert "13 8" not in PHOENIX.draw(PHOENIX.view(position("Rr12 Bs61"), None))


def test_dice_that_are_not_rolled_show_no_number() -> None:
    assert texts(by_id(picture(position("Rr12 Bs61")), "phoenix-dice")) == ["?", "?"]
    assert texts(by_id(picture(position("Rr12 Bs61", dice=(3, 3))), "phoenix-dice")) == []


def test_the_panels_tell_who_you_are_and_what_lies_in_the_ashes() -> None:
    words = texts(picture(position("Rr12 Bs61"), "Red"))
    assert "Red (you)" in words and "Blue" in words
    assert words.count("Ashes") == 4
    assert "1,2" in words and "6,1" in words


def test_the_last_picture_names_the_winner() -> None:
    done = decide(position("Rr12 Bs23", dice=(2, 3)), "move rock").state
    assert "Red wins as the last on the grid." in texts(picture(done))
    assert "You win as the last on the grid." in texts(picture(done, "Red"))


# --- the rules page's pictures


@pytest.mark.parametrize("name", list(EXAMPLES))
def test_an_example_is_what_the_rules_make_of_it(name: str) -> None:
    example = EXAMPLES[name]
    state = played(example)
    assert state.last is not None
    told = tuple(
        event
        for event in state.last.events
        if isinstance(event, Placed | Moved | Raised | Eliminated | Met)
    )
    assert told == example.turn.events
    assert set(example.after) <= set(state.birds)


def test_the_rule_pictures_have_no_ids_and_no_faults() -> None:
    for svg in rule_pictures().values():
        assert list(faults_of_picture(PHOENIX, svg, set())) == []
        assert " id=" not in svg
    assert "Red’s Rock beats Blue’s Scissors and takes 4,3." in rule_pictures()["meetings"]
