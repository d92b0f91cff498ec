"""The rulings of RPS Redeux, each by its number, and the worked examples of its rules; the ends of
a match are in test_ends.py.
"""

from itertools import pairwise

import pytest

from adjudicator.core.chance import STREAMS, ScriptedChance, Setting, first_element, of_phase
from adjudicator.core.game import may_read
from adjudicator.games.redeux.orders import Answer, Play
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.games.redeux.state import Answered, Drew, Played, Reshuffled
from adjudicator.play.loop import forced_orders
from tests.games.redeux.positions import (
    FRESH,
    SEATS,
    UNSHUFFLED,
    after,
    cards,
    hand,
    opening,
    order,
    play,
    risk,
    scores,
)
from tests.games.watched import WatchedChance

# --- the worked examples


def test_redeux_example_the_primary_game() -> None:
    state, told = opening(), []
    for pick in ("R/S", "P/P", "S/P", "R/P"):
        state = play(state, pick).state
        told.append(scores(state))
    assert told == ["5-0", "5-0", "10-0", "10-5"]
    assert REDEUX.phase(state).name == "The Risk Rounds question"


def test_redeux_example_two_risk_rounds() -> None:
    state = play(risk("10-5"), "R10/S5").state
    assert scores(state) == "30-0"
    assert scores(play(state, "P/S").state) == "30-5"


@pytest.mark.parametrize(("pick", "end"), [("R/P30", "95-100"), ("R20/P30", "75-100")])
def test_redeux_example_reaching_the_target(pick: str, end: str) -> None:
    state = play(risk("95-40"), pick).state
    assert scores(state) == end
    result = REDEUX.result(state)
    assert result is not None
    assert [(result[seat].place, result[seat].outcome) for seat in SEATS] == [
        (2, "lost"),
        (1, "won"),
    ]


# --- the Primary game


@pytest.mark.parametrize("pick", ["R/S", "S/P", "P/R"])
def test_redeux_the_winner_gets_5_points_and_both_cards(pick: str) -> None:
    state = play(opening(), pick).state
    assert scores(state) == "5-0"
    assert [(len(side.hand), side.pile) for side in state.sides] == [(8, 2), (8, 0)]


def test_redeux_after_a_tie_both_cards_go_back_and_the_round_is_done_again() -> None:
    state = play(opening(), "P/P").state
    assert (hand(state, "1"), hand(state, "2"), scores(state)) == (FRESH, FRESH, "0-0")
    assert REDEUX.phase(state).name == "Round 1, try 2"


def test_redeux_a_card_of_a_decided_round_is_gone() -> None:
    state = after(opening(rounds=5), "R/S R/S R/S")
    assert (hand(state, "1"), hand(state, "2")) == ("PPPSSS", "RRRPPP")
    assert [choice.text for choice in REDEUX.slots(state, "1")[0].choices] == ["paper", "scissors"]


# --- R1, R2, R3: bets


def test_redeux_R1_card_and_bet_are_one_order_and_no_part_of_the_state() -> None:
    state = risk("10-5")
    (slot,) = REDEUX.slots(state, "1")
    assert slot.name == "card"
    assert [choice.text for choice in slot.choices[:3]] == ["rock", "rock bet 5", "rock bet 10"]
    assert REDEUX.parse(state, "1", "rock bet 10").orders == (Play("rock", 10),)
    fields = {
        "terms",
        "sides",
        "part",
        "number",
        "ties",
        "picks",
        "deck",
        "discard",
        "answers",
        "ending",
        "last",
    }
    assert vars(state).keys() == fields


@pytest.mark.parametrize(
    ("score", "text", "reason"),
    [
        (10, "rock bet 15", "You have 10 points, so a bet is 0, 5 or 10."),
        (5, "rock bet 10", "You have 5 points, so a bet is 0 or 5."),
        (15, "rock bet 20", "You have 15 points, so a bet is 0, 5, 10 or 15."),
        (95, "rock bet 100", "You have 95 points, so a bet is 0 or a multiple of 5 up to 95."),
        (0, "rock bet 5", "You have no points, so you can play without a bet only."),
        (10, "rock bet 7", "“7” is not a bet. You have 10 points, so a bet is 0, 5 or 10."),
        (10, "rock bet -5", "“-5” is not a bet. You have 10 points, so a bet is 0, 5 or 10."),
    ],
)
def test_redeux_R2_a_bet_that_is_not_allowed_is_refused_with_the_range(
    score: int, text: str, reason: str
) -> None:
    read = REDEUX.parse(risk(f"{score}-0"), "1", text)
    assert read.orders == ()
    assert [refusal.reason for refusal in read.refusals] == [reason]


@pytest.mark.parametrize(
    ("pick", "end"),
    [
        ("R/S", "25-20"),  # no bets: 5 for the winner, nothing lost
        ("R20/S", "60-20"),  # twice the bet
        ("R5/S20", "30-0"),  # the loser loses its own bet
        ("S20/R5", "0-30"),
        ("R20/R20", "20-20"),  # a tie: the bets lapse
    ],
)
def test_redeux_R2_bets_pay_twice_and_cost_once(pick: str, end: str) -> None:
    assert scores(play(risk("20-20"), pick).state) == end


def test_redeux_R3_only_the_winner_of_a_round_gains_so_both_cannot_pass_the_target() -> None:
    state = play(risk("95-95"), "R95/S95").state
    assert scores(state) == "285-0"
    assert REDEUX.phase(state).due == ()


# --- R4: drawing


def test_redeux_R4_the_risk_deck_is_one_hidden_shuffle_of_54() -> None:
    chance = ScriptedChance([UNSHUFFLED])
    state = after(opening(), "R/S R/S R/S")
    state = REDEUX.adjudicate(state, {seat: (Answer(yes=True),) for seat in SEATS}, chance).state
    assert [(draw.stream, draw.label) for draw in chance.draws] == [("hidden", "deck")]
    assert [state.deck.count(card) for card in cards("RPS")] == [18, 18, 18]
    assert (hand(state, "1"), hand(state, "2"), scores(state)) == (FRESH, FRESH, "15-0")
    assert [(side.pile, side.spent) for side in state.sides] == [(0, ()), (0, ())]


def test_redeux_R4_seat_1_draws_first_from_the_front_of_the_deck() -> None:
    state = play(risk("10-5", deck="SPRR"), "R/S").state
    assert (hand(state, "1"), hand(state, "2")) == ("RRPPPSSSS", "RRRPPPPSS")
    assert (state.deck, state.discard) == (cards("RR"), cards("RS"))


def test_redeux_R4_after_a_tie_too_the_cards_are_discarded_and_each_draws() -> None:
    state = play(risk("10-5", deck="SPRR"), "R5/R").state
    assert (hand(state, "1"), hand(state, "2")) == ("RRPPPSSSS", "RRPPPPSSS")
    assert (scores(state), state.discard) == ("10-5", cards("RR"))


def test_redeux_R4_a_deck_that_runs_empty_is_not_reshuffled_before_a_card_must_be_drawn() -> None:
    done = play(risk("10-5", deck="RP", discard="SS"), "R/S")
    assert (done.state.deck, done.state.discard) == ((), cards("SSRS"))
    assert not [event for event in done.events if isinstance(event, Reshuffled)]


def test_redeux_R4_an_empty_deck_is_made_of_the_discard_with_the_two_cards_just_used() -> None:
    # the discard P, S and then R and S of this pick
    shuffled = ["scissors", "paper", "rock", "scissors"]
    done = play(risk("10-5", deck="", discard="PS"), "R/S", [shuffled])
    assert Reshuffled(cards=4) in done.events
    assert [event.card for event in done.events if isinstance(event, Drew)] == ["scissors", "paper"]
    assert (done.state.deck, done.state.discard) == (cards("RS"), ())


def test_redeux_R4_the_new_deck_is_a_hidden_shuffle_of_the_cards_in_the_order_rock_paper_scissors() -> (
    None
):
    firsts = {stream: first_element(bytes(32), stream) for stream in STREAMS}
    decks = []
    for discard in ("SSPPRR", "RSPRSP"):
        chance = of_phase(firsts, Setting("", 1))
        state = REDEUX.adjudicate(
            risk("10-5", deck="", discard=discard), {"1": (order("R"),), "2": (order("S"),)}, chance
        ).state
        assert [(draw.stream, draw.label) for draw in chance.draws] == [("hidden", "reshuffle")]
        decks.append(state.deck)
    assert decks[0] == decks[1]


def test_redeux_R4_the_last_card_of_the_deck_goes_to_seat_1_and_seat_2_draws_from_the_new_one() -> (
    None
):
    done = play(
        risk("10-5", deck="P", discard="PS"), "R/S", [["rock", "scissors", "paper", "scissors"]]
    )
    assert [type(event) for event in done.events] == [Played, Drew, Reshuffled, Drew]
    assert [event.card for event in done.events if isinstance(event, Drew)] == ["paper", "rock"]


def test_redeux_R4_after_the_round_that_ends_the_match_nobody_draws() -> None:
    done = play(risk("95-40", deck="SPRR"), "R/S")
    assert (scores(done.state), len(done.state.deck)) == ("100-40", 4)
    assert not [event for event in done.events if isinstance(event, Drew)]
    assert [len(side.hand) for side in done.state.sides] == [8, 8]


# --- R5: the question


def test_redeux_R5_the_question_is_a_phase_of_both_seats() -> None:
    state = after(opening(), "R/S R/S R/S")
    assert REDEUX.phase(state).due == SEATS
    (slot,) = REDEUX.slots(state, "2")
    assert (slot.name, [choice.text for choice in slot.choices]) == (
        "risk",
        ["risk yes", "risk no"],
    )


@pytest.mark.parametrize(
    ("answers", "goes_on"),
    [("yes/yes", True), ("yes/no", False), ("no/yes", False), ("no/no", False)],
)
def test_redeux_R5_either_may_say_no_and_both_answers_are_told(answers: str, goes_on: bool) -> None:
    done = play(after(opening(), "R/S R/S R/S"), answers, [UNSHUFFLED] if goes_on else [])
    first, second = answers.split("/")
    assert done.events[0] == Answered(answers={"1": first == "yes", "2": second == "yes"})
    assert bool(REDEUX.phase(done.state).due) == goes_on


def test_redeux_R5_no_answer_means_no() -> None:
    state = after(opening(), "R/S R/S R/S")
    assert REDEUX.default(state, "1", ScriptedChance([])) == (Answer(yes=False),)
    done = play(state, "yes/-")
    assert done.events[0] == Answered(answers={"1": True, "2": False})
    assert REDEUX.phase(done.state).due == ()


# --- R6: no orders


def test_redeux_R6_the_default_is_a_hidden_draw_among_the_cards_held_without_a_bet() -> None:
    chance = WatchedChance()
    state = risk("10-5", hands=f"{FRESH}/SPPPRRSSS")
    assert REDEUX.default(state, "2", chance) == (Play("rock"),)  # type: ignore[arg-type]
    assert not chance.public.asked
    assert chance.hidden.asked == [("nmr:2", cards("RRPPPSSSS"))]


@pytest.mark.parametrize("impossible", [Play("rock", 15), Play("rock", 3), Answer(yes=True)])
def test_redeux_R6_an_order_that_cannot_be_followed_is_played_as_the_default(
    impossible: Play | Answer,
) -> None:
    done = REDEUX.adjudicate(
        risk("10-5"), {"1": (impossible,), "2": (Play("rock"),)}, ScriptedChance(["paper"])
    )
    assert done.state.last is not None
    assert (done.state.last.cards, done.state.last.bets) == (
        {"1": "paper", "2": "rock"},
        {"1": 0, "2": 0},
    )


# --- R7: who knows what


def test_redeux_R7_a_view_has_the_own_hand_only_and_all_that_was_played() -> None:
    state = play(risk("10-5", deck="SPRR"), "R/S").state
    views = {reader: REDEUX.view(state, reader) for reader in ("1", "2", None)}
    assert views["1"].hand == cards("RRPPPSSSS")
    assert views["2"].hand == cards("RRRPPPPSS")
    assert views[None].hand == ()
    for view in views.values():
        assert [(side.cards, side.spent) for side in view.sides] == [
            (9, cards("R")),
            (9, cards("S")),
        ]
        assert view.deck == 2


def test_redeux_R7_a_drawn_card_is_told_to_its_seat_alone() -> None:
    drew = [
        event for event in play(risk("10-5", deck="SPRR"), "R/S").events if isinstance(event, Drew)
    ]
    assert [(event.seat, event.card) for event in drew] == [("1", "scissors"), ("2", "paper")]
    assert [[may_read(event, reader) for reader in ("1", "2", None)] for event in drew] == [
        [True, False, False],
        [False, True, False],
    ]


def test_redeux_G7_a_hand_of_one_type_is_waited_for_as_playing_it_at_once_would_tell_it() -> None:
    state = risk("0-0", hands="RRRRRRRRR/PPPPPPPPP")
    assert [len(REDEUX.slots(state, seat)[0].choices) for seat in SEATS] == [1, 1]
    assert forced_orders(REDEUX, state, REDEUX.phase(state)) is None


def test_redeux_G8_of_two_orders_the_later_one_is_shown() -> None:
    done = REDEUX.adjudicate(
        opening(), {"1": (Play("rock"), Play("paper")), "2": (Play("rock"),)}, ScriptedChance([])
    )
    assert scores(done.state) == "5-0"


# --- R9: tables


def test_redeux_R9_a_table_has_two_seats() -> None:
    assert REDEUX.about.seats == {2: ("1", "2")}


def test_redeux_the_risk_rounds_are_counted_anew_and_ties_repeat_one() -> None:
    states = [after(opening(), "R/S R/S R/S yes/yes")]
    for pick in ("R/R", "P/P", "R/S", "R/P"):
        states.append(play(states[-1], pick).state)
    names = [REDEUX.phase(state).name for state in states]
    assert names == [
        "Risk Round 1",
        "Risk Round 1, try 2",
        "Risk Round 1, try 3",
        "Risk Round 2",
        "Risk Round 3",
    ]
    assert all(later.picks == earlier.picks + 1 for earlier, later in pairwise(states))
