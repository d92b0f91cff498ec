"""The World of Genesis as plain text."""

from dataclasses import replace

import pytest

from adjudicator.games.genesis.drawing.draw import draw
from adjudicator.games.genesis.drawing.text_board import text_board
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.view import look
from tests.games.genesis.scenes import LIFE, OPENING, TOMBS, building, thrown


def test_the_text_board_in_the_middle_of_a_match() -> None:
    assert (
        text_board(look(LIFE, "1"))
        == """\
Turn 18 of 150. Before the tombs.
Seat 2 is to play.

    a   b   c   d   e
 5  ID  ..  ..  ..  ()
 4  ..  PY  ..  2A  ..
 3  ..  ..  1B  ..  PY
 2  ..  1A  ..  PY  ..
 1  ()  ..  ..  ..  ID

  1A  seat 1’s Anubis
  1B  seat 1’s Bastet
  2A  seat 2’s Anubis
  ..  an empty cell
  ()  a place with nothing on it
  PY  a pyramid
  ID  an idea

Ideas outside the World: 6.

Seat 1 (you): Anubis on b2, Bastet on c3; 3 pyramids and 1 deed in hand.
  Sits still for 3 turns, must leave the Centre.

Seat 2: Anubis on d4, Bastet dead; 4 pyramids and no deeds in hand.
  To play."""
    )


def test_the_text_board_while_tombs_are_built() -> None:
    assert (
        text_board(look(building(), None))
        == """\
Turn 81 of 150. Tombs.
Seat 2 is to play.

    a   b   c   d   e
 5  1T  PY  ..  ..  2T
 4  1D  1D  2D  ..  ..
 3  ..  ..  ()  ..  ..
 2  PY  PY  ..  PY  ..
 1  1T  PY  ..  ..  2T

  1D  a deed of seat 1
  1T  a tomb of seat 1
  2D  a deed of seat 2
  2T  a tomb of seat 2
  ..  an empty cell
  ()  a place with nothing on it
  PY  a pyramid

Ideas outside the World: none.

Seat 1: Anubis buried on a1, Bastet buried on a5; 2 pyramids and 3 deeds
  in hand.
  5 deeds in all, those on the board too.
  Its tombs are complete.

Seat 2: Anubis buried on e1, Bastet buried on e5; 1 pyramid and 2 deeds
  in hand.
  3 deeds in all, those on the board too.
  Of its 6 tomb cells 1 is filled; d1, e2, d4, e4 and d5 to go.
  To play, owes a duty deed."""
    )


def test_the_text_board_shows_a_bastet_on_a_pyramid_and_a_throw() -> None:
    assert "  2P  seat 2’s Bastet on a pyramid" in text_board(look(TOMBS, None)).split("\n")
    assert "The die shows 6: Bastet may leap." in text_board(look(thrown(6), None)).split("\n")


@pytest.mark.parametrize(
    ("deeds", "completed", "line"),
    [
        ((3, 2), (True, True), "Seat 1 is reborn as winner."),
        ((0, 0), (True, True), "Both seats are reborn: a draw."),
        ((0, 0), (False, False), "Both seats have lost."),
        ((0, 2), (True, False), "One seat is reborn, and nobody as winner."),
    ],
)
def test_the_title_names_the_result_at_the_end(
    deeds: tuple[int, int], completed: tuple[bool, bool], line: str
) -> None:
    state = building()
    sides = tuple(
        replace(side, deeds=many, completed=done)
        for side, many, done in zip(state.sides, deeds, completed, strict=True)
    )
    over = replace(state, over=True, deeds=(), sides=(sides[0], sides[1]))
    assert text_board(look(over, None)).split("\n")[:2] == ["The end.", line]
    assert f">{line}</text>" in draw(look(over, None))


@pytest.mark.parametrize("state", [OPENING, LIFE, TOMBS, building()])
def test_the_text_board_explains_each_code_it_uses_and_no_other(state: State) -> None:
    _, grid, legend, *_ = text_board(look(state, "2")).split("\n\n")
    used = {code for line in grid.split("\n")[1:] for code in line.split()[1:]}
    assert {line.split()[0] for line in legend.split("\n")} == used
