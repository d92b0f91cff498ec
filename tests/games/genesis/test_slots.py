"""The slots of a seat, their labels, groups and paths of clicks, and forced orders (G7)."""

from adjudicator.core.game import Choice
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.play.loop import forced_orders
from tests.games.genesis.positions import choices, opening, position


def names(line: str) -> list[tuple[str, bool]]:
    state = position(line)
    return [(slot.name, slot.optional) for slot in GENESIS.slots(state, state.turn)]


def choice(line: str, text: str) -> Choice:
    """Return the choice of an order in a slot."""
    state = position(line)
    return next(
        each
        for slot in GENESIS.slots(state, state.turn)
        for each in slot.choices
        if each.text == text
    )


# --- which slots there are


def test_a_turn_has_a_slot_and_a_second_one_where_both_pieces_can_move() -> None:
    assert names("1 Ab2 Bd1 | 2 Ad5 Bb5") == [("turn", False), ("other", True)]
    assert names("1 Ab2 Bx | 2 Ad5 Bb5") == [("turn", False)]
    assert names("1 Ab2 Bc3 leave | 2 Ad5 Bb5") == [("turn", False)]


def test_a_birth_and_a_throw_have_slots_of_their_own() -> None:
    assert [slot.name for slot in GENESIS.slots(opening(), "1")] == ["birth"]
    assert names("1 Ab2 Bd1 | 2 Ad5 Bb5 | P c1 | die 3") == [("throw", False)]


def test_the_duty_deed_has_an_optional_slot_where_it_may_turn_out_not_to_be_owed() -> None:
    owing = "1 A+a1 B+e1 complete | 2 Ad5 Bb5 d1 | P b1 d1 a2 b2 | D d2:1 e2:1 | tombs | turn 2"
    assert names(owing) == [("turn", False), ("other", True), ("duty", False)]
    assert names(owing.replace("Bb5", "Bx")) == [
        ("turn", False),
        ("duty", True),
    ], "after a throw it is asked again"
    assert names(owing.replace("d1 | P", "| P", 1)) == [("turn", False), ("other", True)]


def test_a_seat_that_is_not_due_has_none() -> None:
    assert GENESIS.slots(position("1 Ab2 Bd1 | 2 Ad5 Bb5"), "2") == ()


def test_the_slots_of_a_quiet_turn_offer_every_order_once() -> None:
    # Anubis b2: 6 cells (not a1, which sleeps, nor the Centre c3); Bastet d1: b1 c1, d2 d3 d4, e2,
    # c2 b3 a4; pyramids on 16 cells; pass
    offered = choices(position("1 Ab2 Bd1 p2 | 2 Ad5 Bb5"))
    assert (
        " ".join(text[7:] for text in offered if text.startswith("anubis")) == "b1 c1 a2 c2 a3 b3"
    )
    assert (
        " ".join(text[7:] for text in offered if text.startswith("bastet"))
        == "b1 c1 c2 d2 e2 b3 d3 a4 d4"
    )
    assert len([text for text in offered if text.startswith("pyramid")]) == 16
    assert len(offered) == len(set(offered)) == 6 + 9 + 16 + 1


# --- what a choice says


QUIET = "1 Ab2 Bc1 p2 | 2 Ad5 Bc2 | I a1 e1 | P b1"


def test_labels_tell_what_a_move_meets() -> None:
    assert choice(QUIET, "anubis a1").label == "Anubis to a1, taking the idea"
    assert choice(QUIET, "anubis c2").label == "Anubis to c2, killing seat 2’s Bastet"
    assert (
        choice("1 Ab2 Bc1 | 2 Ad5 Bb5 | tombs", "anubis a1").label == "Anubis to a1, to be buried"
    )
    assert (
        choice("1 Ab2 Bc1 | 2 Ad5 Bb5", "bastet c3 idea a5").label
        == "Bastet to c3, generating an idea on a5"
    )
    assert (
        choice("1 Ab2 Bc1 | 2 Ad5 Bb5 | P c2 | I e1 | die 3", "leap c3 destroy e1").label
        == "Leap to c3, destroying the idea on e1"
    )
    assert (
        choice("1 Ab2 Bc3 leave | 2 Ad5 Bb5", "bastet c1, anubis b1").label
        == "Bastet to c1, then Anubis to b1"
    )


def test_marks_are_the_piece_or_the_hand_and_then_the_squares() -> None:
    assert choice(QUIET, "anubis a1").marks == ("genesis-1-anubis", "genesis-a1")
    assert choice(QUIET, "pyramid d2").marks == ("genesis-1-pyramids", "genesis-d2")
    assert choice("1 Ab2 Bc1 | 2 Ad5 Bb5", "bastet c3 idea a5").marks == (
        "genesis-1-bastet",
        "genesis-c3",
        "genesis-a5",
    )
    assert choice("1 Ab2 Bc1 | 2 Ad5 Bb5 | P c2 | die 3", "leap c4").marks == (
        "genesis-1-bastet",
        "genesis-c4",
    )
    assert choice("1 Ab2 Bc1 | 2 Ad5 Bb5 | P c2", "throw").marks == ("genesis-die",)
    assert choice("1 A+a1 B+e1 d1 | 2 Ad5 Bb5 | tombs", "deed b1").marks == (
        "genesis-1-deeds",
        "genesis-b1",
    )
    assert choice("1 Ab2 Bx d4 | 2 Ad5 Bb5", "return deeds").marks == (
        "genesis-1-deeds",
        "genesis-c3",
    )
    assert choice("1 Ab2 Bx | 2 Ad5 Bb5 | P c4 | die 1", "rebirth c4").marks == ("genesis-c4",)
    assert choice(QUIET, "pass").marks == ()
    assert GENESIS.slots(opening(), "1")[0].choices[0].marks == ("genesis-b1", "genesis-c1")


def test_choices_stand_under_headings() -> None:
    state = position("1 Ab2 Bc1 p1 | 2 Ad5 Bb5 | P c2")
    groups = [each.group for each in GENESIS.slots(state, "1")[0].choices]
    assert list(dict.fromkeys(groups)) == ["Anubis", "Bastet", "Pyramid", "Other"]


# --- G7


def test_G7_a_turn_in_which_a_seat_can_only_pass_is_forced() -> None:
    state = position("1 A+a1 B+e1 | 2 Ad5 Bb5 | tombs")
    forced = forced_orders(GENESIS, state, GENESIS.phase(state))
    assert forced is not None
    assert [str(order) for order in forced["1"]] == ["pass"]


def test_G7_nothing_is_forced_where_there_is_a_choice() -> None:
    state = position("1 Ab2 Bd1 | 2 Ad5 Bb5")
    assert forced_orders(GENESIS, state, GENESIS.phase(state)) is None
