"""Invariants of every match of RPS Redeux."""

from collections import Counter
from itertools import pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.chance import Setting, first_element, of_phase
from adjudicator.core.options import complete_options
from adjudicator.games.kit.glyphs import KINDS
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.games.redeux.state import FRESH_HAND, State
from tests.games.redeux.positions import SEATS

quick = settings(derandomize=True, max_examples=25)
CHOICES: dict[str, list[int | str]] = {
    "tie_limit": [0, 1, 3, 9],
    "risk_limit": [0, 5, 60],
    "target": [50, 100, 500],
    "rounds": [1, 3, 5],
    "risk": ["ask", "always"],
}
PICKS = 80


@st.composite
def matches(draw: st.DrawFn) -> list[State]:
    """Draw a match as its states, from the opening on; it may be incomplete."""
    options = complete_options(
        REDEUX.about, {name: draw(st.sampled_from(values)) for name, values in CHOICES.items()}
    )
    dice = Random(draw(st.integers(0, 10_000)))
    firsts = {
        "public": first_element(b"p", "public"),
        "hidden": first_element(dice.randbytes(8), "hidden"),
    }
    states = [REDEUX.start(SEATS, options, of_phase(firsts, Setting("", 0)))]  # type: ignore[arg-type]
    while REDEUX.phase(states[-1]).due and len(states) < PICKS:
        state = states[-1]
        texts = {seat: dice.choice(REDEUX.slots(state, seat)[0].choices).text for seat in SEATS}
        orders = {
            seat: REDEUX.parse(state, seat, text if state.part != "question" else "yes").orders
            for seat, text in texts.items()
        }
        chance = of_phase(firsts, Setting("", 4095 - len(states)))  # type: ignore[arg-type]
        states.append(REDEUX.adjudicate(state, orders, chance).state)
    return states


@quick
@given(matches())
def test_no_card_is_lost_or_made(states: list[State]) -> None:
    for state in states:
        held = Counter(card for side in state.sides for card in side.hand)
        if state.part in ("primary", "question"):
            spent = Counter(card for side in state.sides for card in side.spent)
            assert held + spent == Counter(FRESH_HAND * 2)
        else:
            assert held + Counter(state.deck) + Counter(state.discard) == dict.fromkeys(KINDS, 24)


@quick
@given(matches())
def test_scores_are_multiples_of_5_never_negative_and_only_a_winner_gains(
    states: list[State],
) -> None:
    for before, after in pairwise(states):
        assert all(score >= 0 and score % 5 == 0 for score in after.scores.values())
        gains = {seat: after.scores[seat] - before.scores[seat] for seat in SEATS}
        winner = after.last.winner if after.last is not before.last and after.last else None
        assert [seat for seat in SEATS if gains[seat] > 0] == ([winner] if winner else [])


@quick
@given(matches())
def test_a_hand_has_nine_cards_before_every_pick_of_the_risk_rounds(states: list[State]) -> None:
    assert all(
        len(side.hand) == 9 for state in states if state.part == "risk" for side in state.sides
    )


@quick
@given(matches())
def test_a_match_ends_exactly_when_a_target_or_a_limit_says_so_and_somebody_wins(
    states: list[State],
) -> None:
    terms = states[0].terms
    for state in states:
        one, other = state.scores.values()
        over = max(one, other) >= terms.target or (
            0 < terms.risk_limit <= state.picks and one != other
        )
        assert over == (state.part == "over")
    result = REDEUX.result(states[-1])
    assert result is None or sorted(standing.outcome for standing in result.values()) == [
        "lost",
        "won",
    ]


@quick
@given(matches())
def test_no_round_is_tied_more_often_than_the_limit(states: list[State]) -> None:
    limit = states[0].terms.tie_limit
    assert all(state.ties < limit for state in states if limit)
