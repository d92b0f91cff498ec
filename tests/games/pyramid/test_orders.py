"""How orders of Rock Paper Pyramid are read: spellings, and the three ways of being wrong."""

import pytest

from adjudicator.core.game import Refusal
from adjudicator.games.pyramid.orders import Pick
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.pyramid.state import State
from tests.games.pyramid.positions import DEAL, after, opening

SPELLINGS = [
    # as written, the piece
    ("B3", "B3"),
    ("b3", "B3"),
    ("3b", "B3"),
    ("b l", "B3"),
    ("bl", "B3"),
    ("lb", "B3"),
    ("B-3", "B3"),
    ("black large", "B3"),
    ("large black", "B3"),
    ("LARGE  Black", "B3"),
    ("large b", "B3"),
    ("black 3", "B3"),
    ("black3", "B3"),
    ("blacklarge", "B3"),
    ("3 black", "B3"),
    ("black, large.", "B3"),
    ("  black ,  large . ", "B3"),
    ("\tB3\r", "B3"),
    ("play white small", "W1"),
    ("Play: white small.", "W1"),
    ("I show my white small piece", "W1"),
    ("w s", "W1"),
    ("medium white", "W2"),
    ("clear l", "C3"),
    ("clear m", "C2"),
    ("crystal 1", "C1"),
    ("c1", "C1"),
    ("large clear", "C3"),
    ("B3 black large", "B3"),
    ("black 3 pips", "B3"),
]


@pytest.mark.parametrize(("text", "piece"), SPELLINGS)
def test_every_spelling_of_a_piece_is_read(text: str, piece: str) -> None:
    read = PYRAMID.parse(opening(), "1", text)
    assert (read.orders, read.refusals, read.remarks) == ((Pick(piece),), (), ())


@pytest.mark.parametrize("text", ["red", "r", "R", "play red", "red small", "R1", "1r", "red s"])
def test_red_alone_means_the_red_piece_of_the_seat(text: str) -> None:
    assert PYRAMID.parse(opening(deal=DEAL), "1", text).orders == (Pick("R1"),)


@pytest.mark.parametrize("text", ["", "   ", "\n\n", " , . \n\t\n"])
def test_empty_lines_say_nothing(text: str) -> None:
    read = PYRAMID.parse(opening(), "1", text)
    assert (read.orders, read.refusals, read.remarks) == ((), (), ())


def refused(text: str, state: State | None = None) -> Refusal:
    """Return the one refusal that `text` gets."""
    read = PYRAMID.parse(state or opening(), "1", text)
    assert read.orders == ()
    assert len(read.refusals) == 1
    return read.refusals[0]


# --- ambiguous


def test_a_colour_alone_is_ambiguous_and_names_what_fits() -> None:
    refusal = refused("play black")
    assert (refusal.kind, refusal.piece, refusal.remedies) == (
        "ambiguous",
        "black",
        ("B3", "B2", "B1"),
    )
    assert (
        refusal.reason
        == "“black” names a piece without its size; you hold black large, black medium and black"
        " small."
    )


def test_a_size_alone_is_ambiguous_and_names_what_fits() -> None:
    assert refused("large").remedies == ("B3", "W3", "C3")
    assert refused("l").kind == "ambiguous"
    assert "without its colour" in refused("2").reason


def test_a_colour_alone_is_not_guessed_even_where_one_piece_of_it_is_left() -> None:
    state = after("B3 B3 B3", "B2 B2 B2")
    refusal = refused("black", state)
    assert (refusal.kind, refusal.remedies) == ("ambiguous", ("B1",))


def test_a_colour_of_which_nothing_is_left_says_so() -> None:
    state = after("B3 B3 B3", "B2 B2 B2", "B1 B1 B1")
    refusal = refused("black", state)
    assert refusal.kind == "ambiguous"
    assert refusal.reason == "“black” does not name one piece, and you hold none that fits it."
    assert refusal.remedies == ("W3", "W2", "W1", "C3", "C2", "C1")


def test_two_pieces_on_one_line_are_ambiguous() -> None:
    refusal = refused("B3 and W2")
    assert (refusal.kind, refusal.piece, refusal.remedies) == ("ambiguous", "B3 W2", ("B3", "W2"))
    assert "more than one piece" in refusal.reason


# --- illegal


def test_a_piece_played_before_is_illegal_and_the_nearest_are_named_first() -> None:
    state = after("W1 B3 B3", "B3 B2 B2")
    refusal = refused("play black large", state)
    assert (refusal.kind, refusal.understood, refusal.piece) == ("illegal", "B3", "black large")
    assert refusal.reason == "You played black large in round 2."
    assert refusal.remedies == ("B2", "B1", "W3", "C3", "W2", "C2", "C1")


@pytest.mark.parametrize(("text", "understood"), [("red", "R"), ("R2", "R2"), ("small red", "R1")])
def test_red_is_illegal_in_a_match_without_it(text: str, understood: str) -> None:
    refusal = refused(text)
    assert (refusal.kind, refusal.understood, refusal.reason) == (
        "illegal",
        understood,
        "This match has no red stack.",
    )


def test_a_red_piece_of_another_size_is_illegal() -> None:
    refusal = refused("red large", opening(deal=DEAL))
    assert (refusal.kind, refusal.understood, refusal.remedies[0]) == ("illegal", "R3", "R1")
    assert refusal.reason == "Your red piece is red small, not red large."


def test_red_alone_after_it_was_played_is_illegal() -> None:
    refusal = refused("red", after("R1 R2 R3", deal=DEAL))
    assert (refusal.kind, refusal.understood, refusal.reason) == (
        "illegal",
        "R1",
        "You played red small in round 1.",
    )


# --- invalid


@pytest.mark.parametrize(
    ("text", "piece", "remedies"),
    [
        ("blak large", "blak", ("B3",)),
        ("black larg", "larg", ("B3",)),
        ("crytsal", "crytsal", ("C3", "C2", "C1")),
        ("green small", "green", ("B1", "W1", "C1")),
        ("B4", "B4", ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2", "C1")),
        ("A PAR - BUR", "PAR", ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2", "C1")),
    ],
)
def test_rubbish_is_invalid_and_the_smallest_wrong_word_is_quoted(
    text: str, piece: str, remedies: tuple[str, ...]
) -> None:
    refusal = refused(text)
    assert (refusal.kind, refusal.piece, refusal.remedies, refusal.line) == (
        "invalid",
        piece,
        remedies,
        text,
    )
    assert refusal.reason == f"“{piece}” is neither a colour nor a size."


def test_words_that_name_no_piece_are_invalid() -> None:
    assert refused("play my piece").reason == "“play my piece” names no piece."


def test_a_long_word_is_cut() -> None:
    refusal = refused("x" * 5000)
    assert refusal.piece == "x" * 39 + "…"
    assert len(refusal.reason) < 100


def test_control_characters_are_quoted_visibly() -> None:
    assert refused("\x00\x1b[31m").piece == "\ufffd\ufffd[31m"


# --- several lines


def test_G2_a_bad_line_keeps_the_good_one() -> None:
    read = PYRAMID.parse(opening(), "1", "B3\nrubbish")
    assert read.orders == (Pick("B3"),)
    assert [refusal.line for refusal in read.refusals] == ["rubbish"]


def test_G8_of_two_good_orders_the_later_one_counts_and_a_remark_says_so() -> None:
    read = PYRAMID.parse(opening(), "1", "B3\nwhite small")
    assert read.orders == (Pick("W1"),)
    assert read.remarks == (
        (
            "You named more than one piece; the last one, white small, counts and black large does"
            " not."
        ),
    )


def test_G8_the_same_order_twice_needs_no_remark() -> None:
    assert PYRAMID.parse(opening(), "1", "B3\nblack large").remarks == ()
