"""The die in play, leaps over pyramids (R5), and the two ways of rebirth (R6)."""

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.games.genesis.model.events import Declined, Leapt, Reborn, Thrown
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.play.loop import forced_orders
from tests.games.genesis.positions import choices, kinds, legal, play, position, refused, where, why

DEAD = "1 Ab2 Bx d3 | 2 Ad5 Bd4 p2 | P c4 d2 | D b4:1 | I a1"
LEAPER = "1 Aa2 Bb2 | 2 Ad5 Bb5 | P c2"


# --- throwing


def test_genesis_after_the_throw_the_same_seat_is_asked_again() -> None:
    done = play(position(DEAD), "throw", 1)
    assert done.events == (Thrown(seat="1", face=1, gift="rebirth", possible=True),)
    assert GENESIS.phase(done.state).due == ("1",)
    assert done.state.taken == 0


def test_genesis_the_throw_is_one_public_draw() -> None:
    state, chance = position(DEAD), ScriptedChance([4])
    GENESIS.adjudicate(state, {"1": GENESIS.parse(state, "1", "throw").orders}, chance)
    assert [(draw.stream, draw.label, draw.value) for draw in chance.draws] == [
        ("public", "throw", 4)
    ]


@pytest.mark.parametrize("face", [2, 4, 5])
@pytest.mark.parametrize("line", [DEAD, LEAPER])
def test_genesis_2_4_and_5_give_nothing_and_declining_is_forced(face: int, line: str) -> None:
    state = play(position(line), "throw", face).state
    assert choices(state) == ["decline"]
    forced = forced_orders(GENESIS, state, GENESIS.phase(state))
    assert forced is not None
    assert [str(order) for order in forced["1"]] == ["decline"]


def test_genesis_a_seat_that_could_use_the_face_may_decline() -> None:
    done = play(play(position(DEAD), "throw", 1).state, "decline")
    assert done.events[0] == Declined(seat="1", face=1, possible=True)
    assert (done.state.turn, done.state.die, done.state.side("1").turns) == ("2", None, 1)


USELESS = [
    (
        "1 Ab2 Bd4 | 2 Ad5 Bb5 | P c2 e5",
        (
            "No face could do anything: your Bastet lives, and no pyramid lies orthogonally next to"
            " her."
        ),
    ),
    ("1 Ab2 B+a1 | 2 Ad5 Bb5 | P c2 | tombs", "No face could do anything: your Bastet is buried."),
    (
        "1 Ab2 Bx | 2 Aa1 Bc2 | P c2 | I e1 a5 e5",
        "No face could do anything: no pyramid and no corner is free for Bastet to be reborn.",
    ),
]


@pytest.mark.parametrize(("line", "reason"), USELESS)
def test_genesis_a_throw_is_refused_where_no_face_could_do_anything(line: str, reason: str) -> None:
    assert why(position(line), "throw") == reason
    assert "throw" not in choices(position(line))


def test_genesis_orders_of_a_throw_are_refused_before_it_and_others_after_it() -> None:
    assert why(position(DEAD), "rebirth c4") == "You have not thrown the die in this turn."
    assert why(position(LEAPER), "decline") == "You have not thrown the die in this turn."
    assert (
        why(position(LEAPER + " | die 3"), "anubis a3")
        == "You threw a 3 in this turn: say what you do with it, or decline."
    )


def test_genesis_the_last_turn_shown_is_the_throw_and_what_was_done_with_it() -> None:
    thrown = play(position(LEAPER), "throw", 3).state
    assert kinds(play(thrown, "leap c2").state.last) == ["thrown", "leapt"]
    assert kinds(play(position(LEAPER), "anubis a3").state.last) == ["moved"]


# --- rebirth by a 1


def test_genesis_reborn_from_a_pyramid_its_owner_takes_it_into_the_hand() -> None:
    done = play(position(DEAD + " | die 1"), "rebirth c4")
    assert done.events == (Reborn(seat="1", square="c4", way="pyramid"),)
    assert (where(done.state), done.state.side("1").pyramids, done.state.pyramids) == (
        "b2 c4 d5 d4",
        1,
        ("d2",),
    )


def test_genesis_reborn_on_a_corner_she_does_not_enter_it() -> None:
    done = play(position(DEAD + " | die 1"), "rebirth e1")
    assert kinds(done.events) == ["reborn"]
    tombs = play(position(DEAD + " | die 1 | tombs"), "rebirth e1").state
    assert tombs.side("1").bastet.life == "alive", "she is not buried"


def test_genesis_rebirth_is_offered_on_free_pyramids_and_corners() -> None:
    state = position("1 Ab2 Bx | 2 Aa5 Bc4 | P c4 d2 | D b4:1 | I a1 | die 1")
    assert choices(state) == ["rebirth e1", "rebirth d2", "rebirth e5", "decline"]


NOT_THERE = [
    ("rebirth a1", "An idea lies on a1."),
    ("rebirth b4", "A deed lies on b4 and nobody is reborn from a deed."),
    ("rebirth d4", "Seat 2’s Bastet stands on d4."),
    ("rebirth c3", "No pyramid lies on c3; Bastet is reborn from a pyramid or on a corner."),
    ("rebirth a3", "No pyramid lies on a3; Bastet is reborn from a pyramid or on a corner."),
    ("leap c4", "Your Bastet is dead; a throw of 1 or returned deeds bring her back."),
]


@pytest.mark.parametrize(("text", "reason"), NOT_THERE)
def test_genesis_R6_nobody_is_reborn_from_deeds_nor_anywhere_else(text: str, reason: str) -> None:
    assert why(position(DEAD + " | die 1"), text) == reason


def test_genesis_no_rebirth_from_a_pyramid_on_which_a_piece_stands() -> None:
    state = position("1 Ab2 Bx | 2 Aa5 Bc4 | P c4 | die 1")
    assert why(state, "rebirth c4") == "Seat 2’s Bastet stands on c4."


def test_genesis_no_rebirth_with_another_face_nor_of_a_bastet_who_lives() -> None:
    assert (
        why(position(DEAD + " | die 3"), "rebirth c4")
        == "You threw a 3; only a 1 lets Bastet be reborn."
    )
    assert (
        why(position(LEAPER + " | die 1"), "rebirth c2") == "Your Bastet lives; she stands on b2."
    )
    assert (
        why(position(LEAPER + " | die 1"), "leap c2")
        == "You threw a 1; only a 3 or a 6 lets Bastet leap."
    )


# --- R5: leaps


@pytest.mark.parametrize("face", [3, 6])
def test_genesis_R5_she_stops_on_the_pyramid_or_goes_on_over_empty_squares(face: int) -> None:
    state = play(position(LEAPER), "throw", face).state
    assert choices(state) == ["leap c2", "leap d2", "leap e2", "decline"]
    assert play(state, "leap e2").events[0] == Leapt(seat="1", start="b2", over="c2", end="e2")


def test_genesis_R5_only_the_first_pyramid_is_leaped() -> None:
    state = position("1 Aa2 Bb2 | 2 Ad5 Bb5 | P c2 d2 | die 3")
    assert choices(state) == ["leap c2", "decline"]
    assert why(state, "leap e2") == "The way to e2 is blocked: a pyramid lies on d2."
    assert why(state, "leap d2") == "A pyramid lies on d2."


LEAPS = [
    ("leap b3", "No pyramid lies on b3 to leap over."),
    (
        "leap c3",
        (
            "A leap goes straight along a file or a rank, and c3 is not on one with b2, where your"
            " Bastet stands."
        ),
    ),
    ("leap a2", "A deed lies on a2; only pyramids are leaped."),
    (
        "leap b2",
        (
            "A leap goes straight along a file or a rank, and b2 is not on one with b2, where your"
            " Bastet stands."
        ),
    ),
]


@pytest.mark.parametrize(("text", "reason"), LEAPS)
def test_genesis_R5_deeds_are_never_leaped_and_the_line_is_orthogonal(
    text: str, reason: str
) -> None:
    assert why(position("1 Aa4 Bb2 | 2 Ad5 Bb5 | P c2 | D a2:1 | die 3"), text) == reason


def test_genesis_R5_a_leap_kills_as_a_move_does() -> None:
    done = play(position("1 Aa4 Bb2 | 2 Ad5 Be2 | P c2 | die 3"), "leap e2")
    assert kinds(done.events) == ["leapt", "killed", "sits still"]


def test_genesis_R5_a_leap_onto_a_corner_takes_its_idea_or_is_refused_while_it_sleeps() -> None:
    line = "1 Aa4 Bc1 | 2 Ad5 Be2 | P d1 | die 3"
    assert why(position(line), "leap e1").startswith("The corner e1 sleeps")
    assert kinds(play(position(line + " | awake e1"), "leap e1").events) == ["leapt"]
    assert kinds(play(position(line + " | I e1"), "leap e1").events) == ["leapt", "took idea"]


def test_genesis_R5_on_a_pyramids_cell_only_a_leap_of_the_other_bastet_kills_her() -> None:
    line = "1 Ab1 Bb2 | 2 Ad5 Bc2 | P c2"
    assert (
        why(position(line), "anubis c2")
        == "Seat 2’s Bastet stands on c2 with a pyramid, where only a leap reaches her."
    )
    assert (
        why(position(line), "bastet c2")
        == "Seat 2’s Bastet stands on c2 with a pyramid, where only a leap reaches her."
    )
    done = play(position(line + " | die 3"), "leap c2")
    assert (where(done.state), kinds(done.events)) == (
        "b1 c2 d5 x",
        ["leapt", "killed", "sits still"],
    )


def test_genesis_R5_over_a_pyramid_where_she_stands_the_leap_cannot_go_on() -> None:
    state = position("1 Ab1 Bb2 | 2 Ad5 Bc2 | P c2 | die 3")
    assert choices(state) == ["leap c2", "decline"]
    assert (
        why(state, "leap d2")
        == "Seat 2’s Bastet stands on c2 with the pyramid: the leap can only end there."
    )


def test_genesis_R5_she_leaves_a_pyramids_cell_by_an_ordinary_move() -> None:
    state = position("1 Ab1 Bc2 | 2 Ad5 Bb5 | P c2")
    assert where(play(state, "bastet c1").state) == "b1 c1 d5 b5"


def test_genesis_R5_a_leap_may_enter_the_centre_from_outside_over_a_pyramid() -> None:
    state = position("1 Ab1 Bc1 | 2 Ad5 Bb5 | P c2 | I e1 | die 6")
    assert "leap c3 idea a5" in choices(state) and "leap c3 destroy e1" in choices(state)
    assert legal(state, "leap c4")


# --- rebirth by deeds


def test_genesis_returned_deeds_fill_every_corner_without_an_idea_and_bastet_is_reborn_in_the_centre() -> (
    None
):
    done = play(position(DEAD), "return deeds")
    assert done.events[0] == Reborn(
        seat="1", square="c3", way="deeds", returned=("e1", "a5", "e5"), woke=("e1", "a5", "e5")
    )
    assert (done.state.ideas, done.state.side("1").deeds, done.state.outside) == (
        ("a1", "e1", "a5", "e5"),
        0,
        6,
    )


NO_RETURN = [
    (DEAD.replace("d3", "d2", 1), "3 corners are without an idea and you have 2 deeds in hand."),
    (
        DEAD.replace("Bd4", "Be1"),
        (
            "Seat 2’s Bastet stands on e1, so no deed can be returned there, and every corner has"
            " to be filled."
        ),
    ),
    (
        DEAD.replace("I a1", "I a1 e1 a5 e5"),
        "An idea lies on every corner already, so no deed can be returned.",
    ),
    (
        DEAD.replace("Bd4", "Bc3"),
        "Seat 2’s Bastet stands on c3, so Bastet cannot be reborn in the Centre.",
    ),
    (DEAD.replace("Bx", "Be3"), "Your Bastet lives; she stands on e3."),
]


@pytest.mark.parametrize(("line", "reason"), NO_RETURN)
def test_genesis_deeds_are_returned_only_where_all_corners_can_be_filled_and_the_centre_is_free(
    line: str, reason: str
) -> None:
    refusal = refused(position(line), "return deeds")
    assert (refusal.kind, refusal.reason) == ("illegal", reason)
