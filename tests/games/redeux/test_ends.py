"""How a match of RPS Redeux ends: rulings R8, R10 and R11."""

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Standing
from adjudicator.core.options import OptionError, complete_options
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.games.redeux.state import Drew, Ended, Played, State
from tests.games.redeux.positions import (
    SEATS,
    UNSHUFFLED,
    after,
    hand,
    opening,
    order,
    play,
    risk,
    scores,
)


def ended(state: State) -> str | None:
    """Return what ended the match, None while it goes on."""
    assert (REDEUX.result(state) is None) == bool(REDEUX.phase(state).due)
    return state.ending


# --- R8: the options


@pytest.mark.parametrize(
    ("rounds", "picks"), [(1, "R/S"), (3, "R/S R/S R/S"), (5, "R/S R/S R/S P/R P/R")]
)
def test_redeux_R8_the_primary_game_has_1_3_or_5_decided_rounds(rounds: int, picks: str) -> None:
    *before, last = picks.split()
    state = after(opening(rounds=rounds), " ".join(before))
    assert state.part == "primary"
    assert play(state, last).state.part == "question"


def test_redeux_R8_risk_never_ends_the_match_after_the_primary_game() -> None:
    state = after(opening(risk="never"), "R/S R/P S/P")
    assert (ended(state), scores(state)) == ("primary", "10-5")
    assert REDEUX.result(state) == {"1": Standing(1, 10, "won"), "2": Standing(2, 5, "lost")}


def test_redeux_R8_risk_always_goes_on_without_a_question() -> None:
    done = play(after(opening(risk="always"), "R/S R/P"), "S/P", [UNSHUFFLED])
    assert REDEUX.phase(done.state).name == "Risk Round 1"
    assert scores(done.state) == "10-5"


def test_redeux_R8_a_no_ends_the_match_with_the_primary_game_s_score() -> None:
    state = after(opening(), "R/S R/P P/S yes/no")
    assert (ended(state), scores(state)) == ("declined", "5-10")
    assert REDEUX.result(state) == {"1": Standing(2, 5, "lost"), "2": Standing(1, 10, "won")}


def test_redeux_R8_the_target_may_be_another() -> None:
    assert ended(play(risk("40-0", target=50), "R5/S").state) == "target"
    assert ended(play(risk("90-0", target=150), "R20/S").state) is None
    assert ended(play(risk("90-0", target=150), "R30/S").state) == "target"


@pytest.mark.parametrize(
    ("name", "value"),
    [("target", 45), ("target", 505), ("target", 52), ("rounds", 2), ("risk", "maybe")],
)
def test_redeux_R8_other_values_are_refused(name: str, value: object) -> None:
    with pytest.raises(OptionError):
        complete_options(REDEUX.about, {name: value})


def test_redeux_R8_R10_R11_the_defaults() -> None:
    assert complete_options(REDEUX.about, {}) == {
        "rounds": 3,
        "risk": "ask",
        "target": 100,
        "tie_limit": 9,
        "risk_limit": 60,
    }


# --- R10: ties in a row


def tie(state: State, many: int, pick: str = "R/R") -> State:
    """Return the state after a number of ties."""
    return after(state, " ".join([pick] * many))


def test_redeux_R10_after_the_ninth_tie_in_a_row_public_chance_names_the_winner() -> None:
    state = tie(opening(), 8)
    assert (REDEUX.phase(state).name, scores(state)) == ("Round 1, try 9", "0-0")
    chance = ScriptedChance(["2"])
    done = REDEUX.adjudicate(state, {seat: (order("R"),) for seat in SEATS}, chance)
    assert [(draw.stream, draw.label, draw.value) for draw in chance.draws] == [
        ("public", "tie", "2")
    ]
    assert (scores(done.state), REDEUX.phase(done.state).name) == ("0-5", "Round 2")


def test_redeux_R10_in_the_primary_game_the_last_cards_count() -> None:
    state = play(tie(opening(tie_limit=2), 1), "P/P", ["1"]).state
    assert (hand(state, "1"), hand(state, "2")) == ("RRRPPSSS", "RRRPPSSS")
    assert [side.pile for side in state.sides] == [2, 0]


def test_redeux_R10_in_the_risk_rounds_the_last_bets_count() -> None:
    state = play(risk("20-20", tie_limit=2), "R20/R20").state
    assert scores(state) == "20-20"
    assert scores(play(state, "P10/P5", ["1"]).state) == "40-15"


def test_redeux_R10_a_decided_round_begins_the_count_anew() -> None:
    state = after(opening(tie_limit=2), "R/R R/S R/R")
    assert (scores(state), state.ties) == ("5-0", 1)


def test_redeux_R10_a_limit_of_0_is_none() -> None:
    assert tie(opening(tie_limit=0), 30).ties == 30


def test_redeux_R10_a_limit_of_1_leaves_no_tie_undecided() -> None:
    assert scores(play(opening(tie_limit=1), "S/S", ["2"]).state) == "0-5"


def test_redeux_R10_the_tie_is_drawn_before_the_cards() -> None:
    """Ruling G6: first who wins, then what seat 1 and seat 2 draw, here after a reshuffle."""
    done = play(risk("5-0", tie_limit=1, deck=""), "R/R", ["1", ["rock", "rock"]])
    kinds = [type(event) for event in done.events if isinstance(event, Played | Drew)]
    assert kinds == [Played, Drew, Drew]
    assert scores(done.state) == "10-0"


# --- R11: the limit of picks


def test_redeux_R11_after_60_picks_the_higher_score_wins() -> None:
    assert ended(play(risk("20-10", picks=58), "R/S").state) is None
    done = play(risk("20-10", picks=59), "S/R")
    assert (ended(done.state), scores(done.state)) == ("limit", "20-15")
    assert done.events[-1] == Ended(winner="1", scores={"1": 20, "2": 15}, why="limit", bound=60)
    assert not [event for event in done.events if isinstance(event, Drew)]


def test_redeux_R11_a_tied_pick_counts_and_may_be_the_last() -> None:
    assert ended(play(risk("20-10", picks=59), "R/R").state) == "limit"


def test_redeux_R11_at_equal_scores_it_goes_on_until_they_differ() -> None:
    state = play(risk("20-10", picks=59), "R/S10").state
    assert (ended(state), scores(state)) == ("limit", "25-0")
    state = play(risk("15-20", picks=59), "R/S").state
    assert (ended(state), scores(state)) == (None, "20-20")
    state = play(state, "P/P").state
    assert (ended(state), state.picks) == (None, 61)
    state = play(state, "P/S5").state
    assert (ended(state), scores(state)) == ("limit", "20-30")


def test_redeux_R11_a_limit_of_0_is_none() -> None:
    assert ended(play(risk("20-10", picks=499, risk_limit=0), "R/S").state) is None


def test_redeux_R11_the_target_is_the_reason_where_the_last_pick_reaches_it() -> None:
    assert ended(play(risk("95-10", picks=59), "R/S").state) == "target"
