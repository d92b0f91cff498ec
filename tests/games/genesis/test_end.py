"""The end of a match, how each seat is judged, the turn limit (R12, R13), what a silent seat plays
(R14), and that all is public (R15).
"""

import pytest

from adjudicator.core.codec import dump
from adjudicator.core.game import Standing
from adjudicator.games.genesis.model.events import Ended
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.rules import GENESIS
from tests.games.genesis.positions import (
    after,
    choices,
    kinds,
    opening,
    play,
    position,
    silent,
    where,
)

COMPLETE_1, COMPLETE_2 = "P b1 d1 a2 b2 b4", "D d2:1 e2:1 a4:2 d4:2 e4:2 b5:2 d5:2"


def ended(line: str) -> Ended:
    """Return the end of a match in which seat 1 passes in this position as the last turn."""
    done = play(position(line + " | limit 10"), "pass")
    assert GENESIS.phase(done.state).due == ()
    event = done.events[-1]
    assert isinstance(event, Ended)
    return event


def judged(one: str, two: str, rest: str = "") -> str:
    """Return both verdicts at the limit: `lost / reborn`."""
    verdicts = ended(f"1 {one} t9 | 2 {two} t10 | {rest}tombs").verdicts
    return f"{verdicts['1']} / {verdicts['2']}"


# --- verdicts


def test_genesis_end_no_bastet_in_the_world_is_lost_sevenfold() -> None:
    assert judged("Ab2 Bx d9", "A+a1 Bd4") == "lost sevenfold / lost threefold"


def test_genesis_end_not_both_buried_is_lost_threefold_and_both_without_tombs_lost() -> None:
    assert judged("A+a5 Bd4 d9", "A+a1 B+e1") == "lost threefold / lost"


def test_genesis_end_completed_with_more_deeds_is_reborn_as_winner_and_with_fewer_reborn() -> None:
    tombs = f"{COMPLETE_1} | {COMPLETE_2} | "
    assert judged("A+a1 B+e1 complete", "A+a5 B+e5 complete", tombs) == "reborn / reborn as winner"
    assert judged("A+a1 B+e1 complete", "A+a5 B+e5", tombs.replace(" d5:2", "")) == "reborn / lost"


def test_genesis_end_both_completed_with_equal_deeds_are_reborn_and_it_is_a_draw() -> None:
    tombs = "P b1 d1 a2 b2 d2 a4 b4 d4 e4 b5 | D e2:1 d5:2 | "
    assert judged("A+a1 B+e1 complete", "A+a5 B+e5 complete", tombs) == "reborn / reborn"


def test_genesis_end_more_deeds_than_the_other_seat_win_whatever_became_of_the_other() -> None:
    tombs = "P b1 d1 a2 b2 d2 | D e2:1 | "
    assert judged("A+a1 B+e1 complete", "Ab4 Bd4", tombs) == "reborn as winner / lost threefold"
    assert judged("A+a1 B+e1 complete", "Ab4 Bd4 d1", tombs) == "reborn / lost threefold"


STANDINGS = [
    ("A+a1 B+e1 complete", "Ab4 Bd4", Standing(1, 1, "won"), Standing(2, -3, "lost")),
    ("A+a1 B+e1 complete", "Ab4 Bd4 d5", Standing(1, 0, "drew"), Standing(2, -3, "lost")),
    ("A+a5 Bd5", "Ab4 Bd4", Standing(1, -3, "lost"), Standing(1, -3, "lost")),
    ("A+a5 B+e5", "Ab4 Bx", Standing(1, -1, "lost"), Standing(2, -7, "lost")),
]


@pytest.mark.parametrize(("one", "two", "first", "second"), STANDINGS)
def test_genesis_end_places_follow_the_scores(
    one: str, two: str, first: Standing, second: Standing
) -> None:
    line = f"1 {one} t9 | 2 {two} t10 | P b1 d1 a2 b2 d2 | D e2:1 | tombs | limit 10"
    assert GENESIS.result(play(position(line), "pass").state) == {"1": first, "2": second}


def test_genesis_end_scores_are_shown_at_the_end_only() -> None:
    state = position("1 A+a5 B+e5 t9 | 2 Ab4 Bx t10 | tombs | limit 10")
    assert GENESIS.view(state, "1").scores == {}
    assert GENESIS.view(play(state, "pass").state, "1").scores == {"1": -1, "2": -7}
    assert GENESIS.result(state) is None


# --- R12


def test_genesis_R12_deeds_in_hand_and_placed_by_that_seat_count() -> None:
    assert ended(
        "1 A+a5 B+e5 complete t9 | 2 Ab4 Bd2 d2 t10 | D c1:1 c2:1 c4:2 e3:1 | P a4 b4 b5 d4 e4 d5 |"
        " tombs"
    ).deeds == {
        "1": 3,
        "2": 3,
    }


def test_genesis_R12_deeds_returned_to_corners_count_for_nobody() -> None:
    state = play(position("1 Ab2 Bx d5 t9 | 2 Ad2 Bd4 t10 | limit 10"), "return deeds").state
    assert [state.counted(seat) for seat in ("1", "2")] == [1, 0]


# --- when it is over


def test_genesis_end_the_match_ends_when_it_is_over_for_both_at_once() -> None:
    line = "1 A+a1 B+e1 p1 | 2 A+a5 B+e5 | P b1 d1 a2 b2 d2 | tombs"
    done = play(position(line), "pyramid e2")
    assert kinds(done.events) == ["placed pyramid", "tombs completed", "seat over", "ended"]
    assert isinstance(done.events[-1], Ended) and done.events[-1].why == "over for both"


def test_genesis_end_a_seat_for_which_it_is_over_passes_until_the_other_has_ended() -> None:
    state = position("1 A+a1 B+e1 | 2 A+a5 B+e5 p2 | P b1 d1 a2 b2 d2 | tombs")
    assert choices(state) == ["pass"]
    assert not after(state, "pass", "pyramid a4").over
    assert after(state, "pass", "pyramid a4", "pass", "pyramid b4").over


def test_genesis_end_a_deed_that_can_still_be_laid_keeps_the_match_going() -> None:
    line = "1 A+a1 B+e1 complete | 2 A+a5 B+e5 d3 | P b1 d1 a2 b2 d2 e2 | D b4:2 | tombs | turn 2"
    state = play(position(line), "deed a4\ndeed c1").state
    assert (state.side("2").deeds, state.over) == (1, False)
    done = play(after(state, "pass"), "deed d4")
    assert kinds(done.events) == ["placed deed", "seat over", "ended"]


def test_genesis_end_it_is_not_over_for_a_seat_with_a_live_piece() -> None:
    done = play(position("1 A+a1 B+e1 p1 | 2 A+a5 Bd4 | P b1 d1 a2 b2 d2 | tombs"), "pyramid e2")
    assert kinds(done.events) == ["placed pyramid", "tombs completed", "seat over"]


# --- R13


def test_genesis_R13_the_match_ends_when_both_together_have_taken_twice_the_limit() -> None:
    state = position("1 Ab2 Bd1 t1 | 2 Ab5 Bd5 t1 | limit 2")
    assert not play(state, "pass").state.over
    assert after(state, "pass", "pass").over


def test_genesis_R13_it_is_the_sum_that_counts_where_one_seat_sat_still() -> None:
    assert play(position("1 Ab2 Bd1 t0 | 2 Ab5 Bd5 t3 | limit 2"), "pass").state.over


def test_genesis_R13_a_throw_and_what_is_done_with_it_is_one_turn() -> None:
    thrown = play(position("1 Ab2 Bd1 t1 | 2 Ab5 Bd5 t2 | P c1 | limit 2"), "throw", 3)
    assert (kinds(thrown.events), thrown.state.over) == (["thrown"], False)
    assert play(thrown.state, "leap b1").state.over


def test_genesis_R13_0_is_no_limit() -> None:
    assert not play(position("1 Ab2 Bd1 t400 | 2 Ab5 Bd5 t400 | limit 0"), "pass").state.over
    assert opening(turn_limit=0).turn_limit == 0


def test_genesis_R13_the_default_is_75() -> None:
    assert opening().turn_limit == 75


# --- R14


def orders_of_silence(state: State) -> list[str]:
    return [str(order) for order in GENESIS.default(state, state.turn, None)]  # type: ignore[arg-type]


SILENT = [
    ("1 Ab2 Bd1 p2 | 2 Ab5 Bd5", ["pass"]),
    ("1 Ab2 Bd1 | 2 Ab5 Bd5 | P c1 | die 3", ["decline"]),
    ("1 A+a1 B+e1 p1 d1 | 2 Ab5 Bd5 | P b1 | tombs", ["pyramid d1"]),
    ("1 A+a1 B+e1 d1 | 2 Ab5 Bd5 | P b1 | tombs", ["deed d1"]),
    ("1 A+a1 B+e1 | 2 Ab5 Bd5 | P b1 | tombs", ["pass"]),
    ("1 A+a1 B+e1 p1 d2 | 2 A+a5 B+e5 complete | P b1 | tombs", ["pyramid d1", "deed c1"]),
]


@pytest.mark.parametrize(("line", "orders"), SILENT)
def test_genesis_R14_a_silent_seat_passes_declines_or_places(line: str, orders: list[str]) -> None:
    assert orders_of_silence(position(line)) == orders


def test_genesis_R14_a_silent_birth_is_on_the_first_two_free_cells() -> None:
    first = silent(opening()).state
    assert where(first) == "b1 c1 x x"
    assert where(silent(first).state) == "b1 c1 d1 a2"


# --- R15


def test_genesis_R15_everything_is_public() -> None:
    state = position("1 Ab2 Bd1 p2 d1 | 2 Ab5 Bx | P c1 | I a1 | D c4:2 | die 3")
    views = [dump(GENESIS.kinds.view, GENESIS.view(state, seat)) for seat in ("1", "2", None)]
    assert [view.pop("seat") for view in views] == ["1", "2", None]
    assert views[0] == views[1] == views[2]
    assert all(event.readers is None for event in play(state, "leap b1").events)


def test_G9_a_stopped_match_is_judged_as_at_the_turn_limit() -> None:
    stopped = GENESIS.standing(
        position(
            f"1 A+a1 B+e1 complete t4 | 2 A+a5 B+e5 complete t4 | {COMPLETE_1} | {COMPLETE_2} |"
            " tombs"
        )
    )
    assert stopped == {"1": Standing(2, 0, "drew"), "2": Standing(1, 1, "won")}
    assert {each.score for each in GENESIS.standing(opening()).values()} == {-7}
