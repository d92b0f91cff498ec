"""The rulings of Rock Paper Pyramid, each by its number, and the worked examples of its rules."""

import pytest

from adjudicator import catalogue
from adjudicator.core import codec
from adjudicator.core.chance import ScriptedChance, Setting, first_element, of_phase
from adjudicator.core.game import Standing
from adjudicator.core.options import complete_options
from adjudicator.games.pyramid.orders import Pick
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.pyramid.state import (
    Captured,
    Dealt,
    DealtRed,
    Ended,
    RedsDealt,
    Scored,
    State,
    Took,
)
from adjudicator.play.loop import forced_orders
from tests.games.pyramid.positions import DEAL, MIRRORED, SEATS, after, opening, scores, show
from tests.games.watched import WatchedChance

EXAMPLES = [
    # pieces, take, pattern, taker, taken, points
    ("B3 W2 C1", "captured", "standoff", None, "", 0),
    ("B3 W1 C2", "captured", "washout", None, "", 0),
    ("B3 B2 B1", "captured", "standoff", None, "", 0),
    ("B3 B2 W2", "captured", "full sweep", "1", "B2 W2", 4),
    ("B2 W2 W3", "captured", "wishbone", None, "", 0),
    ("B3 W3 C1", "captured", "line sweep", "3", "B3 W3", 6),
    ("R1 W3 B2", "captured", "solo", "1", "W3", 3),
    ("R1 W3 B2", "all", "solo", "1", "W3", 4),
    ("R1 B3 W2", "captured", "line sweep", "1", "B3 W2", 5),
]


@pytest.mark.parametrize(("pieces", "take", "made", "taker", "taken", "points"), EXAMPLES)
def test_a_worked_example_has_the_result_of_the_rules(
    pieces: str, take: str, made: str, taker: str | None, taken: str, points: int
) -> None:
    done = show(opening(take=take, deal=DEAL if "R" in pieces else ()), pieces)
    last = done.state.last
    assert last is not None
    assert (last.pattern, last.taker, " ".join(last.taken)) == (made, taker, taken)
    assert [hand.score for hand in done.state.hands] == [
        points if seat == taker else 0 for seat in SEATS
    ]


# --- R1: what is kept


def test_R1_the_taker_keeps_what_it_captured_and_its_own_piece_is_discarded() -> None:
    state = after("B3 B2 W2")
    assert [hand.kept for hand in state.hands] == [("B2", "W2"), (), ()]
    assert all("B3" not in hand.kept for hand in state.hands)


def test_R1_take_all_keeps_the_takers_own_piece_too() -> None:
    state = after("B3 B2 W2", take="all")
    assert state.hand("1").kept == ("B2", "W2", "B3")


def test_R1_in_a_solo_the_third_piece_is_discarded_under_either_option() -> None:
    assert after("R1 W3 B2", deal=DEAL).hand("1").kept == ("W3",)
    assert after("R1 W3 B2", deal=DEAL, take="all").hand("1").kept == ("W3", "R1")


@pytest.mark.parametrize("take", ["captured", "all"])
@pytest.mark.parametrize("pieces", ["B2 W2 W3", "B3 B2 B1", "B3 W1 C2"])
def test_R1_pieces_nobody_took_are_discarded(pieces: str, take: str) -> None:
    state = after(pieces, take=take)
    assert all(hand.kept == () for hand in state.hands)
    assert all(len(hand.pool) == 8 for hand in state.hands)


# --- R2: the score


def test_R2_the_score_is_the_pips_kept_and_adds_up() -> None:
    assert scores(after("B3 B2 W2")) == "4 0 0"
    assert scores(after("B3 B2 W2", "C2 W3 B3")) == "4 0 5"


def test_R2_the_highest_total_wins_and_equal_totals_share_the_place() -> None:
    state = after("B3 B2 B3", "B2 B3 B2", *MIRRORED[2:])
    assert PYRAMID.result(state) == {
        "1": Standing(2, 0, "lost"),
        "2": Standing(1, 4, "won"),
        "3": Standing(2, 0, "lost"),
    }


def test_R2_two_that_share_the_first_place_leave_the_third_to_the_other() -> None:
    state = after("B3 B2 B3", "B2 B3 B2", "W2 W3 W3", "W3 W2 W2", MIRRORED[2], *MIRRORED[5:])
    assert PYRAMID.result(state) == {
        "1": Standing(1, 4, "shared"),
        "2": Standing(1, 4, "shared"),
        "3": Standing(3, 0, "lost"),
    }


def test_R2_when_all_are_equal_the_match_is_drawn() -> None:
    result = PYRAMID.result(after(*MIRRORED))
    assert result == {seat: Standing(1, 0, "drew") for seat in SEATS}


def test_R2_there_is_no_result_before_the_last_round() -> None:
    assert PYRAMID.result(after(*MIRRORED[:8])) is None


# --- R3: the red stack


def test_R3_without_red_the_match_lasts_nine_rounds() -> None:
    assert PYRAMID.phase(after(*MIRRORED[:8])).name == "Round 9"
    assert PYRAMID.phase(after(*MIRRORED)).due == ()


def test_R3_with_red_it_lasts_ten() -> None:
    assert PYRAMID.phase(after(*MIRRORED, deal=DEAL)).name == "Round 10"
    assert PYRAMID.phase(after(*MIRRORED, "R1 R2 R3", deal=DEAL)).due == ()


def test_R3_the_deal_is_one_shuffle_in_seat_order_and_red_is_last_in_the_pool() -> None:
    chance = ScriptedChance([["R2", "R3", "R1"]])
    state = PYRAMID.start(SEATS, {"take": "captured", "red": True}, chance)
    assert [hand.pool[-1] for hand in state.hands] == ["R2", "R3", "R1"]
    assert state.hands[0].pool[:9] == ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2", "C1")
    assert [(draw.stream, draw.label) for draw in chance.draws] == [("hidden", "deal")]


def test_R3_without_red_nothing_is_drawn() -> None:
    chance = ScriptedChance([])
    PYRAMID.start(SEATS, complete_options(PYRAMID.about, {}), chance)
    assert chance.draws == ()


def test_R3_two_reds_compare_by_size() -> None:
    assert after("R1 R3 B1", deal=("R1", "R3", "R2")).last.captures[0].why == "size"  # type: ignore[union-attr]


# --- R4: what is public


def test_R4_pools_and_revealed_pieces_are_public() -> None:
    state = after("B3 B2 W2")
    view = PYRAMID.view(state, None)
    assert (view.hands, view.last) == (state.hands, state.last)


@pytest.mark.parametrize(
    ("reader", "reds"), [(None, "R? R? R?"), ("1", "R1 R? R?"), ("3", "R? R? R3")]
)
def test_R4_a_red_pieces_size_is_known_to_its_seat_alone(reader: str | None, reds: str) -> None:
    hands = PYRAMID.view(after("B3 B2 W2", deal=DEAL), reader).hands
    assert " ".join(hand.pool[-1] for hand in hands) == reds


def test_R4_a_red_piece_that_was_shown_is_public_and_the_others_stay_hidden() -> None:
    view = PYRAMID.view(after("B3 R2 W2", deal=DEAL), "1")
    assert view.hands[1].played == ("R2",) and view.hands[1].pool[-1] == "C1"
    assert view.last is not None and view.last.picks["2"] == "R2"
    assert view.hands[2].pool[-1] == "R?"


def test_R4_only_its_seat_may_read_the_event_of_a_deal() -> None:
    public, *own = PYRAMID.opened(opening(deal=DEAL))
    assert public == RedsDealt()
    assert own == [
        DealtRed(seat=seat, piece=piece, readers=(seat,))
        for seat, piece in zip(SEATS, DEAL, strict=True)
    ]


def test_R4_the_end_opens_the_deal() -> None:
    state = after("B3 B2 W2", deal=DEAL)
    assert (
        PYRAMID.view(state, "1", reveal=True).hands
        == PYRAMID.view(state, None, reveal=True).hands
        == state.hands
    )


def test_R4_a_last_piece_that_is_red_is_forced_too() -> None:
    state = after(*MIRRORED, deal=DEAL)
    assert forced_orders(PYRAMID, state, PYRAMID.phase(state)) == {
        "1": (Pick("R1"),),
        "2": (Pick("R2"),),
        "3": (Pick("R3"),),
    }


def test_R4_no_answer_to_a_seat_names_the_red_piece_of_another() -> None:
    state, other = (
        after("B3 B2 W2", deal=("R1", "R2", "R3")),
        after("B3 B2 W2", deal=("R1", "R3", "R2")),
    )
    for text in ("red", "R2", "R3", "large", "red large, red medium", "nonsense"):
        assert PYRAMID.parse(state, "1", text) == PYRAMID.parse(other, "1", text)


@pytest.mark.parametrize(
    ("version", "stream", "hidden"), [(1, "public", False), (2, "hidden", True)]
)
def test_R4_matches_begun_under_rules_1_keep_their_public_red(
    version: int, stream: str, hidden: bool
) -> None:
    chance = ScriptedChance([["R2", "R3", "R1"]])
    state = catalogue.game("pyramid").start_under(version)(
        SEATS, complete_options(PYRAMID.about, {"red": True}), chance
    )
    assert ([draw.stream for draw in chance.draws], state.hidden) == ([stream], hidden)


def test_R4_a_state_stored_under_rules_1_loads_with_its_public_red() -> None:
    plain = codec.dump(State, opening(deal=DEAL))
    del plain["hidden"]
    state = codec.load(State, plain)
    assert [hand.pool[-1] for hand in PYRAMID.view(state, None).hands] == list(DEAL)
    assert PYRAMID.opened(state) == (Dealt(pieces=dict(zip(SEATS, DEAL, strict=True))),)


def test_R4_a_state_knows_nothing_of_the_coming_picks() -> None:
    assert vars(opening()).keys() == {"take", "red", "hands", "last", "hidden"}
    assert opening() == opening()


# --- R5: no orders


def test_R5_the_default_is_one_public_draw_among_the_pieces_held_in_the_pools_order() -> None:
    state = after("B3 B2 W2", deal=DEAL)
    chance = WatchedChance()
    assert PYRAMID.default(state, "2", chance) == (Pick("B3"),)  # type: ignore[arg-type]
    assert not chance.hidden.asked
    assert chance.public.asked == [
        ("nmr:2", ("B3", "B1", "W3", "W2", "W1", "C3", "C2", "C1", "R2"))
    ]


def test_R5_a_seat_whose_order_cannot_be_followed_plays_its_default() -> None:
    state = after("B3 B2 W2")
    done = PYRAMID.adjudicate(
        state, {"1": (Pick("B3"),), "2": (Pick("C2"),)}, ScriptedChance(["W1", "C1"])
    )
    assert done.state.last is not None
    assert done.state.last.picks == {"1": "W1", "2": "C2", "3": "C1"}


def test_G8_of_two_orders_for_one_seat_the_later_one_is_shown() -> None:
    orders = {"1": (Pick("B3"), Pick("W1")), "2": (Pick("C2"),), "3": (Pick("C1"),)}
    done = PYRAMID.adjudicate(opening(), orders, ScriptedChance([]))
    assert done.state.hand("1").played == ("W1",)


# --- R6: the report


def test_R6_the_events_name_the_pattern_the_captures_and_the_running_score() -> None:
    opened, *captured, took, scored = show(opening(), "B3 B2 W2").events
    assert opened.pattern == "full sweep"  # type: ignore[attr-defined]
    assert [(c.by, c.of, c.why) for c in captured if isinstance(c, Captured)] == [
        ("1", "2", "size"),
        ("1", "3", "colour and size"),
        ("2", "3", "colour"),
    ]
    assert took == Took(pattern="full sweep", taker="1", taken=("B2", "W2"), own=None, points=4)
    assert scored == Scored(scores={"1": 4, "2": 0, "3": 0})


def test_R6_the_last_round_tells_the_places() -> None:
    events = show(after(*MIRRORED[:8]), MIRRORED[8]).events
    assert events[-1] == Ended(places={"1": 1, "2": 1, "3": 1}, scores={"1": 0, "2": 0, "3": 0})


# --- the rulings of every game


def test_G1_the_same_seed_deals_and_defaults_the_same() -> None:
    firsts = {
        "public": first_element(b"seed", "public"),
        "hidden": first_element(b"seed", "hidden"),
    }
    options = complete_options(PYRAMID.about, {"red": True})
    states = [PYRAMID.start(SEATS, options, of_phase(firsts, Setting("m", 0))) for _ in range(2)]  # type: ignore[arg-type]
    assert states[0] == states[1]
    picks = [PYRAMID.default(states[0], "1", of_phase(firsts, Setting("m", 1))) for _ in range(2)]  # type: ignore[arg-type]
    assert picks[0] == picks[1]


def test_G7_the_last_round_is_forced_and_no_earlier_one_is() -> None:
    state = after(*MIRRORED[:8])
    forced = forced_orders(PYRAMID, state, PYRAMID.phase(state))
    assert forced == {seat: (Pick("C1"),) for seat in SEATS}
    before = after(*MIRRORED[:7])
    assert forced_orders(PYRAMID, before, PYRAMID.phase(before)) is None
