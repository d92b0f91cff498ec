"""The duty deed of a seat with incomplete tombs while the other seat's tombs are complete."""

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.games.genesis.model.events import PlacedDeed
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.play.loop import forced_orders
from tests.games.genesis.positions import (
    after,
    choices,
    kinds,
    legal,
    play,
    position,
    refused,
    silent,
    why,
)

DONE = "1 A+a1 B+e1 complete | 2 Ad5 Bb5 p1 d2 | P b1 d1 a2 b2 | D d2:1 e2:1 | tombs | turn 2"
BUILDER = (
    "1 A+a1 B+e1 complete | 2 A+a5 B+e5 p1 d2 | P b1 d1 a2 b2 d5 | D d2:1 e2:1 | tombs | turn 2"
)


def opens(line: str, text: str) -> tuple[str, ...]:
    return GENESIS.parse(position(line), "2", text).open


@pytest.mark.parametrize("text", ["pass", "anubis d4", "anubis d4\nbastet b4", "pyramid c4"])
def test_genesis_duty_deed_is_one_more_line_with_every_turn(text: str) -> None:
    assert opens(DONE, text) == ("duty",)
    done = play(position(DONE), f"{text}\ndeed c1")
    assert done.events[-1] == PlacedDeed(seat="2", square="c1", left=1, duty=True)


def test_genesis_duty_deed_may_be_written_before_the_order_and_is_kept_after_it() -> None:
    read = GENESIS.parse(position(DONE), "2", "deed c1\npass")
    assert [str(order) for order in read.orders] == ["pass", "deed c1"]


def test_genesis_duty_deed_alone_leaves_the_turn_open() -> None:
    assert opens(DONE, "deed c1") == ("turn",)


def test_genesis_duty_begins_with_the_first_turn_after_the_others_completion() -> None:
    line = "1 A+a1 B+e1 | 2 Ad5 Bb5 p1 d2 | P b1 d1 a2 b2 | D d2:1 | tombs | turn 2"
    completing = play(position(line), "pyramid e2")
    assert kinds(completing.events) == ["placed pyramid", "tombs completed"]
    state = after(completing.state, "pass")
    assert GENESIS.parse(state, "2", "pass").open == ("duty",)


def test_genesis_duty_deed_is_owed_after_what_is_done_with_a_throw_not_after_the_throw() -> None:
    line = DONE.replace("Bb5", "Bx")
    assert opens(line, "throw") == ()
    assert (
        why(position(line), "throw\ndeed c1")
        == "The throw does not end your turn: the duty deed is laid after what you do with it."
    )
    thrown = play(position(line), "throw", 2).state
    assert GENESIS.parse(thrown, "2", "decline").open == ("duty",)
    assert kinds(play(thrown, "decline\ndeed c1").events) == ["declined", "placed deed"]


def test_genesis_duty_deed_is_owed_after_a_rebirth_and_judged_on_its_board() -> None:
    line = DONE.replace("Bb5", "Bx") + " | die 1"
    assert legal(position(line), "rebirth b2\ndeed c1")
    assert why(position(line), "rebirth b2\ndeed b2") == "Your Bastet stands on b2."


def test_genesis_duty_deed_is_owed_beside_a_deed_laid_in_the_own_tomb() -> None:
    done = play(position(BUILDER), "deed a4\ndeed c1")
    assert [
        (event.square, event.duty, event.tomb)
        for event in done.events
        if isinstance(event, PlacedDeed)
    ] == [
        ("a4", False, "2"),
        ("c1", True, None),
    ]


def test_genesis_duty_deed_goes_on_any_empty_cell_outside_the_own_tomb_cells() -> None:
    free = choices(position(BUILDER), "duty")
    assert free == [
        "deed c1",
        "deed c2",
        "deed a3",
        "deed b3",
        "deed d3",
        "deed e3",
        "deed c4",
        "deed c5",
    ]
    assert len(choices(position(DONE), "duty")) == 20 - 6, (
        "also where a piece of one's own stands, that may go first"
    )


def test_genesis_duty_deed_is_offered_on_every_cell_that_some_order_leaves_free_and_no_other() -> (
    None
):
    # c2 and d5 are left, where seat 2's pieces stand
    full = "a2 b2 d2 e2 a3 b3 d3 e3 a4 b4 c4 d4 e4 b1 c1 d1 b5 c5"
    line = f"1 A+a1 B+e1 complete | 2 Ac2 Bd5 d2 | P {full} | tombs | turn 2"
    assert choices(position(line), "duty") == ["deed d5"], "Anubis is shut in on c2"
    assert opens(line, "bastet e5") == ("duty",)
    assert kinds(play(position(line), "bastet e5\ndeed d5").events) == [
        "moved",
        "buried",
        "placed deed",
    ]
    assert why(position(line), "deed c2") == "Your Anubis stands on c2."


def test_genesis_duty_deed_is_offered_where_only_both_moves_together_take_an_idea() -> None:
    line = DONE.replace("Ad5 Bb5 p1 d2", "Ad4 Bc3") + " | I e5"
    assert opens(line, "anubis c4\nbastet e5") == ("duty",)
    assert "deed d4" in choices(position(line.replace("Ad4", "Ad4 p0")), "duty")
    assert GENESIS.parse(position(line), "2", "deed c1").refusals == ()


def test_genesis_duty_deed_is_not_offered_where_every_order_uses_up_the_last_deed() -> None:
    line = (
        "1 A+a1 B+e1 complete | 2 A+a5 B+e5 d1 | P b1 d1 a2 b2 a4 b4 d4 e4 | D d2:1 e2:1 | tombs |"
        " turn 2"
    )
    assert choices(position(line), "turn") == ["deed b5", "deed d5"]
    assert choices(position(line), "duty") == []
    assert (
        why(position(line), "deed c1")
        == "Whatever you order in this turn, no duty deed is owed there after it."
    )


def test_genesis_G7_the_last_deed_on_the_only_free_tomb_cell_is_forced_and_no_duty_deed_asked_for() -> (
    None
):
    line = (
        "1 A+a1 B+e1 complete | 2 A+a5 B+e5 d1 | P b1 d1 a2 b2 a4 b4 d4 e4 b5 | D d2:1 e2:1 | tombs"
        " | turn 2"
    )
    forced = forced_orders(GENESIS, position(line), GENESIS.phase(position(line)))
    assert forced is not None
    assert [str(order) for order in forced["2"]] == ["deed d5"]


def test_genesis_duty_deed_after_the_burial_of_the_second_piece_keeps_off_the_new_tomb_cells() -> (
    None
):
    line = "1 A+a1 B+e1 complete | 2 A+a5 Bd5 d2 | P b1 d1 a2 b2 | D d2:1 e2:1 | tombs | turn 2"
    assert (
        why(position(line), "bastet e5\ndeed d4")
        == "d4 is one of your own tomb cells; a duty deed is laid elsewhere."
    )
    assert legal(position(line), "bastet e5\ndeed c4")
    assert legal(position(line), "pass\ndeed d4")


def test_genesis_duty_deed_is_judged_on_the_board_after_the_order() -> None:
    assert why(position(DONE), "anubis d4\ndeed d4") == "Your Anubis stands on d4."
    assert legal(position(DONE), "anubis d4\ndeed d5")


def test_genesis_duty_a_deed_just_taken_by_the_order_is_owed() -> None:
    line = DONE.replace("d2 |", "|", 1) + " | I e5"
    assert opens(line, "pass") == ()
    assert opens(line, "anubis e5") == ("duty",)
    assert legal(position(line), "anubis e5\ndeed c1")
    assert why(position(line), "pass\ndeed c1") == "You have no deed in hand for a duty deed."


def test_genesis_duty_a_deed_used_up_by_the_order_is_not_owed() -> None:
    line = BUILDER.replace("d2 |", "d1 |", 1)
    assert opens(line, "deed a4") == ()
    assert opens(line, "pyramid a4") == ("duty",)


def test_genesis_duty_ends_with_the_order_that_completes_the_own_tombs() -> None:
    line = "1 A+a1 B+e1 complete | 2 A+a5 B+e5 p1 d2 | P a4 b4 d4 e4 b5 | D c2:1 | tombs | turn 2"
    done = play(position(line), "pyramid d5")
    assert kinds(done.events) == ["placed pyramid", "tombs completed"]
    assert (
        why(position(line), "pyramid d5\ndeed c1")
        == "Your tombs are complete with this order, so you owe no duty deed any more."
    )


def test_genesis_duty_is_none_where_no_cell_is_free() -> None:
    full = "a2 b2 c2 d2 e2 a3 b3 d3 e3 a4 b4 c4 d4 e4 b1 c1 d1 b5"
    line = f"1 A+a1 B+e1 complete | 2 Ad5 Bc5 d2 | P {full} | tombs | turn 2"
    assert opens(line, "pass") == ()
    refusal = refused(position(line), "pass\ndeed c1")
    assert (refusal.kind, refusal.reason) == ("illegal", "A pyramid lies on c1.")


def test_genesis_duty_deed_of_several_the_later_counts() -> None:
    read = GENESIS.parse(position(DONE), "2", "pass\ndeed c1\ndeed c2")
    assert [str(order) for order in read.orders] == ["pass", "deed c2"]
    assert read.remarks == (
        "“deed c1” and “deed c2” cannot both count: the later one, “deed c2”, does.",
    )


def test_genesis_duty_is_not_owed_before_the_other_has_completed() -> None:
    assert why(position(DONE.replace("complete ", "")), "deed c1").startswith(
        "Deeds are placed once both your pieces are buried"
    )


def test_genesis_duty_deed_is_forced_only_where_it_has_one_cell() -> None:
    full = "a2 b2 c2 d2 e2 a3 b3 d3 e3 a4 b4 c4 d4 e4 b1 d1 b5"  # c1 alone is free
    line = f"1 A+a1 B+e1 complete | 2 Ad5 Bc5 d2 | P {full} | tombs | turn 2 | die 2"
    state = position(line)
    forced = forced_orders(GENESIS, state, GENESIS.phase(state))
    assert forced is not None
    assert [str(order) for order in forced["2"]] == ["decline", "deed c1"]
    assert forced_orders(GENESIS, position(line.replace(" b5", "")), GENESIS.phase(state)) is None


# --- R14


def test_genesis_R14_the_duty_deed_of_a_silent_seat_goes_on_the_first_cell() -> None:
    done = silent(position(DONE))
    assert kinds(done.events) == ["passed", "placed deed"]
    assert [event.square for event in done.events if isinstance(event, PlacedDeed)] == ["c1"]


def test_genesis_R14_who_gives_the_order_and_forgets_the_deed_lays_it_on_the_first_cell() -> None:
    state = position(DONE)
    orders = GENESIS.parse(state, "2", "pyramid c1").orders
    done = GENESIS.adjudicate(state, {"2": orders}, ScriptedChance([]))
    assert [event.square for event in done.events if isinstance(event, PlacedDeed)] == ["c2"]
