"""What holds in every match of Rock Paper Pyramid, whatever is played."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.chance import ScriptedChance
from adjudicator.games.pyramid.orders import Pick
from adjudicator.games.pyramid.pieces import RED_STACK, STACKS, pips
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.pyramid.state import State
from tests.games.pyramid.positions import SEATS, opening, scores
from tests.sampling import examples

quick = settings(derandomize=True, max_examples=examples(40, 100))


@st.composite
def matches(draw: st.DrawFn) -> list[State]:
    """Draw a whole match as its states, from the opening on."""
    deal = tuple(draw(st.permutations(RED_STACK))) if draw(st.booleans()) else ()
    states = [opening(take=draw(st.sampled_from(["captured", "all"])), deal=deal)]
    while PYRAMID.phase(states[-1]).due:
        orders = {hand.seat: (Pick(draw(st.sampled_from(hand.pool))),) for hand in states[-1].hands}
        states.append(PYRAMID.adjudicate(states[-1], orders, ScriptedChance([])).state)
    return states


@quick
@given(matches())
def test_every_piece_is_in_a_pool_kept_or_discarded(states: list[State]) -> None:
    everything = Counter(piece for hand in states[0].hands for piece in hand.pool)
    for state in states:
        pools = Counter(piece for hand in state.hands for piece in hand.pool)
        played = Counter(piece for hand in state.hands for piece in hand.played)
        kept = Counter(piece for hand in state.hands for piece in hand.kept)
        assert pools + played == everything
        assert kept <= played


@quick
@given(matches())
def test_no_more_pips_are_kept_than_were_shown_and_scores_never_fall(states: list[State]) -> None:
    for before, after in pairwise(states):
        assert after.last is not None
        gains = [new.score - old.score for old, new in zip(before.hands, after.hands, strict=True)]
        assert min(gains) >= 0
        assert sum(gains) == sum(pips(piece) for piece in after.last.haul)
        assert sum(gain > 0 for gain in gains) == (after.last.taker is not None)


@quick
@given(matches())
def test_a_taker_keeps_its_own_piece_only_with_take_all(states: list[State]) -> None:
    for state in states[1:]:
        last = state.last
        assert last is not None
        assert (last.own is not None) == (state.take == "all" and last.taker is not None)
        assert last.own is None or last.own == last.picks[last.taker or ""]


@quick
@given(matches())
def test_a_match_lasts_as_many_rounds_as_a_pool_has_pieces(states: list[State]) -> None:
    assert len(states) - 1 == len(states[0].hands[0].pool) == (10 if states[0].red else 9)
    assert set(STACKS) <= set(states[-1].hands[0].played)


@quick
@given(matches(), st.permutations(SEATS))
def test_the_rules_do_not_know_which_seat_is_which(states: list[State], other: list[str]) -> None:
    """Renaming the seats renames the result and changes nothing else."""
    renamed = dict(zip(SEATS, other, strict=True))
    last = states[-1]
    hands = {renamed[hand.seat]: hand for hand in states[0].hands}
    state = opening(
        take=last.take, deal=tuple(hands[seat].pool[-1] for seat in SEATS) if last.red else ()
    )
    for number in range(last.rounds):
        orders = {renamed[hand.seat]: (Pick(hand.played[number]),) for hand in last.hands}
        state = PYRAMID.adjudicate(state, orders, ScriptedChance([])).state
    assert scores(state).split() == [
        str(last.hand(seat).score)
        for other_seat in SEATS
        for seat in SEATS
        if renamed[seat] == other_seat
    ]
