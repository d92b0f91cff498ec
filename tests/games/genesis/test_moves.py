"""Moves of Anubis and Bastet, what blocks them, kills, corners, and both in one order (R4, R6,
R8).
"""

import pytest

from adjudicator.games.genesis.model.events import Killed, Moved, TookIdea
from adjudicator.games.genesis.model.terms import Name
from tests.games.genesis.positions import after, choices, kinds, play, position, refused, where, why

QUIET = "1 Ab2 Bd1 p2 | 2 Ab5 Bd5 p2"


def ends(line: str, piece: str) -> str:
    """Return the squares a piece of seat 1 can move to: `a2 b1`."""
    return " ".join(
        dict.fromkeys(text.split()[1] for text in choices(position(line)) if text.startswith(piece))
    )


# --- how they go


def test_genesis_anubis_moves_one_square_in_any_of_the_eight_directions_but_not_into_the_centre() -> (
    None
):
    assert ends("1 Ac2 Ba4 | 2 Aa5 Be5", "anubis") == "b1 c1 d1 b2 d2 b3 d3"


def test_genesis_bastet_moves_any_number_of_squares_in_a_straight_line() -> None:
    assert ends("1 Aa4 Bc2 | 2 Aa5 Bd5", "bastet") == "b1 c1 d1 a2 b2 d2 e2 b3 c3 d3 c4 e4 c5"


def test_genesis_bastet_passes_over_the_empty_centre_without_entering_it() -> None:
    done = play(position("1 Aa4 Bb2 | 2 Aa5 Bd5"), "bastet d4")
    assert kinds(done.events) == ["moved"]
    assert not done.state.side("1").must_leave


def test_genesis_bastet_does_not_pass_over_a_centre_where_somebody_stands() -> None:
    assert (
        why(position("1 Aa4 Bb2 | 2 Aa5 Bc3"), "bastet d4")
        == "The way to d4 is blocked: seat 2’s Bastet stands on c3."
    )


REFUSED = [
    ("anubis b4", "b4", "Anubis moves one square, and b4 is not next to b2."),
    ("anubis c3", "c3", "Anubis never enters the Centre."),
    ("anubis b2", "b2", "Your Anubis stands on b2 already."),
    ("anubis a1-b3", "b3", "Your Anubis stands on b2, not on a1."),
    ("bastet b2", "b2", "Bastet moves in a straight line, and none leads from d1 to b2."),
    ("bastet c3", "c3", "Bastet moves in a straight line, and none leads from d1 to c3."),
]


@pytest.mark.parametrize(("text", "piece", "reason"), REFUSED)
def test_genesis_moves_out_of_reach_are_refused(text: str, piece: str, reason: str) -> None:
    refusal = refused(position(QUIET), text)
    assert (refusal.kind, refusal.piece, refusal.reason, refusal.understood) == (
        "illegal",
        piece,
        reason,
        text,
    )
    assert all(remedy.startswith(text.split()[0]) for remedy in refusal.remedies)


# --- what blocks


BLOCKED = [
    # position, order, reason
    (
        "1 Ab2 Bd1 | 2 Ac2 Bd5",
        "anubis c2",
        "Seat 2’s Anubis stands on c2, and Anubis is never killed.",
    ),
    (
        "1 Ab2 Bd1 | 2 Ad3 Bd5",
        "bastet d3",
        "Seat 2’s Anubis stands on d3, and Anubis is never killed.",
    ),
    (
        "1 Ab2 Bd1 | 2 Ad3 Bd5",
        "bastet d4",
        "The way to d4 is blocked: seat 2’s Anubis stands on d3.",
    ),
    ("1 Ab2 Bb1 | 2 Ad3 Bd5", "anubis b1", "Your Bastet stands on b1."),
    ("1 Ab2 Bb1 | 2 Ad3 Bd5", "bastet b2", "Your Anubis stands on b2."),
    ("1 Ab2 Bb1 | 2 Ad3 Bd5", "bastet b4", "The way to b4 is blocked: your Anubis stands on b2."),
    ("1 Ab2 Bb1 | 2 Ad3 Bd5 | P c2", "anubis c2", "A pyramid lies on c2."),
    (
        "1 Ab2 Bb1 | 2 Ad3 Bd5 | P c2",
        "bastet d3",
        "The way to d3 is blocked: a pyramid lies on c2.",
    ),
    (
        "1 Ab2 Bd4 | 2 Ac5 Bb4",
        "bastet a4",
        "The way to a4 is blocked: seat 2’s Bastet stands on b4.",
    ),
]


@pytest.mark.parametrize(("line", "text", "reason"), BLOCKED)
def test_genesis_a_piece_or_a_stone_in_the_way_blocks(line: str, text: str, reason: str) -> None:
    assert why(position(line), text) == reason


DEED_IN_THE_WAY = [
    ("anubis c2", "A deed lies on c2."),
    ("bastet c2", "A deed lies on c2."),
    ("bastet e2", "The way to e2 is blocked: a deed lies on c2."),
]


@pytest.mark.parametrize(("text", "reason"), DEED_IN_THE_WAY)
def test_genesis_R6_deeds_block_exactly_like_pyramids(text: str, reason: str) -> None:
    line = "1 Ab1 Bb2 | 2 Ad5 Bd4 | D c2:2"
    assert why(position(line), text) == reason
    assert why(position(line.replace("D c2:2", "P c2")), text) == reason.replace("deed", "pyramid")


# --- pyramids


def test_genesis_R4_a_pyramid_placed_leaves_the_hand_and_belongs_to_nobody() -> None:
    done = play(position("1 Ab2 Bd1 p2 | 2 Ab5 Bd5 p2"), "pyramid c2")
    assert (done.state.side("1").pyramids, done.state.pyramids) == (1, ("c2",))
    assert (
        play(position("1 Ab2 Bd1 | 2 Ab5 Bx | P c2 | die 1 | turn 2"), "rebirth c2")
        .state.side("2")
        .pyramids
        == 1
    )


def test_genesis_R4_a_pyramid_blocks_its_placer_as_it_does_the_other() -> None:
    state = after(position("1 Ab2 Bd1 p2 | 2 Ab5 Bd5 p2"), "pyramid d3")
    assert why(state, "bastet d2") == "The way to d2 is blocked: a pyramid lies on d3."
    assert (
        why(after(state, "pass"), "bastet d4") == "The way to d4 is blocked: a pyramid lies on d3."
    )


PLACED = [
    ("pyramid a1", "a1 is a Place of Ideas; pyramids and deeds are placed on cells."),
    ("pyramid c3", "c3 is the Centre; pyramids and deeds are placed on cells."),
    ("pyramid b2", "Your Anubis stands on b2."),
    ("pyramid d5", "Seat 2’s Bastet stands on d5."),
    ("pyramid c2", "A pyramid lies on c2."),
    ("pyramid c4", "A deed lies on c4."),
]


@pytest.mark.parametrize(("text", "reason"), PLACED)
def test_genesis_pyramids_are_placed_on_empty_cells_only(text: str, reason: str) -> None:
    assert why(position("1 Ab2 Bd1 p2 | 2 Ab5 Bd5 | P c2 | D c4:1"), text) == reason


def test_genesis_a_pyramid_that_is_not_in_hand_cannot_be_placed() -> None:
    assert why(position("1 Ab2 Bd1 | 2 Ab5 Bd5"), "pyramid c2") == "You have no pyramid in hand."


# --- kills


@pytest.mark.parametrize("piece", ["anubis", "bastet"])
def test_genesis_a_move_onto_the_other_bastet_kills_her(piece: Name) -> None:
    done = play(position("1 Ab2 Be3 | 2 Ad5 Bb3"), f"{piece} b3")
    assert Killed(seat="1", piece=piece, of="2", square="b3") in done.events
    assert (done.state.side("2").bastet.life, done.state.side("2").bastet.square) == ("dead", None)


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (
            "1 Ab2 Bc1 | 2 Ad5 Bc3",
            "bastet c3",
            "Seat 2’s Bastet stands on c3, a place, where she is safe.",
        ),
        (
            "1 Ab2 Bc1 | 2 Ad5 Ba1",
            "anubis a1",
            "Seat 2’s Bastet stands on a1, a place, where she is safe.",
        ),
        (
            "1 Ab2 Bc1 | 2 Ad5 Ba1",
            "bastet a1",
            "Seat 2’s Bastet stands on a1, a place, where she is safe.",
        ),
    ],
)
def test_genesis_on_the_five_places_bastet_is_safe_and_blocks(
    line: str, text: str, reason: str
) -> None:
    assert why(position(line), text) == reason


# --- the Places of Ideas before the tombs


def test_genesis_entering_a_corner_turns_its_idea_into_a_deed_of_that_seat() -> None:
    done = play(position("1 Ab2 Bd1 d1 | 2 Ab5 Bd5 | I a1 a5"), "anubis a1")
    assert done.events == (
        Moved(seat="1", piece="anubis", start="b2", end="a1"),
        TookIdea(seat="1", piece="anubis", square="a1", deeds=2),
    )
    assert (done.state.side("1").deeds, done.state.ideas, done.state.outside) == (2, ("a5",), 6)


def test_genesis_a_piece_stays_on_a_corner_and_leaves_it_freely() -> None:
    state = after(position("1 Ab2 Bd1 | 2 Ab5 Bd5 | I a1"), "anubis a1", "pass", "pass", "pass")
    assert where(state).startswith("a1 ")
    assert where(after(state, "anubis b1")).startswith("b1 ")


# --- R8: both pieces


def test_genesis_R8_the_first_move_is_made_and_the_second_judged_on_the_resulting_board() -> None:
    state = position("1 Ab2 Bb1 | 2 Ad5 Bd4")
    assert why(state, "bastet b4") == "The way to b4 is blocked: your Anubis stands on b2."
    assert where(play(state, "anubis a2\nbastet b4").state) == "a2 b4 d5 d4"


def test_genesis_R8_a_first_move_can_block_the_second() -> None:
    state = position("1 Ab2 Bb1 | 2 Ad5 Bd4")
    refusal = refused(state, "bastet c1\nanubis c1")
    assert (refusal.line, refusal.reason) == ("anubis c1", "Your Bastet stands on c1.")
    assert where(play(state, "bastet c1\nanubis b1").state) == "b1 c1 d5 d4"


def test_genesis_R8_the_moves_are_made_in_the_order_written() -> None:
    state = position("1 Ab2 Bb1 | 2 Ad5 Bd4")
    assert [
        event.piece
        for event in play(state, "bastet c1\nanubis b1").events
        if isinstance(event, Moved)
    ] == ["bastet", "anubis"]
    assert why(state, "anubis b1\nbastet c1") == "Your Bastet stands on b1."


def test_genesis_each_piece_moves_at_most_once_and_of_two_moves_of_one_the_later_counts() -> None:
    state = position("1 Ab2 Bb1 | 2 Ad5 Bd4")
    done = play(state, "anubis a2\nbastet c1\nanubis a3")
    assert where(done.state) == "a3 c1 d5 d4"


def test_genesis_a_turn_is_one_of_its_orders_and_of_several_the_later_counts() -> None:
    done = play(position("1 Ab2 Bb1 p2 | 2 Ad5 Bd4"), "anubis a2\nbastet c1\npyramid d2")
    assert (where(done.state), done.state.pyramids) == ("b2 b1 d5 d4", ("d2",))
