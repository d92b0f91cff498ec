"""The sensible house bot of Rock Paper Pyramid."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TypeVar

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Seat
from adjudicator.games.pyramid.bot import _held, choose_orders, take_largest
from adjudicator.games.pyramid.orders import Pick
from adjudicator.games.pyramid.pieces import STACKS, Piece, pips
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.pyramid.state import State, open_round
from tests.games.pyramid.positions import MIRRORED, SEATS, after, opening

T = TypeVar("T")


def with_pools(*pools: str) -> State:
    """Return a match in which the seats have these pieces left: `with_pools("B3 B1", "B3 B1", "B3 B1")`."""
    left = [tuple(pool.split()) for pool in pools]
    played = [tuple(piece for piece in STACKS if piece not in pool) for pool in left]
    hands = (replace(hand, pool=pool, played=gone) for hand, pool, gone in zip(opening().hands, left, played, strict=True))
    return replace(opening(), hands=tuple(hands))


def mixture(state: State, seat: Seat) -> Counter[object]:
    """Return the pieces that the bot draws from, with their weights."""
    drawn: list[Sequence[object]] = []

    def first(options: Sequence[T], /) -> T:
        drawn.append(options)
        return options[0]

    shown = choose_orders(PYRAMID.view(state, seat), PYRAMID.slots(state, seat), first)
    assert shown in state.hand(seat).pool
    return Counter(drawn[0])


def test_it_keeps_back_the_piece_that_will_take_what_the_others_are_left_with() -> None:
    """Both others are tempted by their small piece, which takes large ones.

    A large one shown now is captured by two and so kept by nobody; then the small one takes two large ones, 6 pips.
    """
    assert set(mixture(with_pools("B3 B1", "B3 B1", "B3 B1"), "1")) == {"B3"}


def test_the_order_of_the_others_does_not_matter() -> None:
    pools = ("B3 W2 C1", "B2 C3 W1", "W3 B1 C2")
    assert mixture(with_pools(*pools), "1") == mixture(with_pools(pools[0], pools[2], pools[1]), "1")


def test_it_denies_the_stronger_rival_more() -> None:
    """A pip of the leading rival has more weight than one of the other, so the mixture changes with the score."""
    pools = ("B3 W2 C1", "B2 C3 W1", "W3 B1 C2")
    level = with_pools(*pools)
    ahead = replace(level, hands=(level.hands[0], replace(level.hands[1], kept=("B3",)), level.hands[2]))
    assert mixture(level, "1") != mixture(ahead, "1")


def test_it_is_not_sure_of_one_piece_at_the_start() -> None:
    assert len(mixture(opening(), "1")) > 3


def test_R4_it_counts_a_hidden_red_piece_as_each_that_it_can_still_be() -> None:
    view = PYRAMID.view(after("R1 B2 W2", deal=("R1", "R2", "R3")), "1")
    guess = _held(view, view.hands[1])
    assert {piece: share for piece, share in guess.items() if piece[0] == "R"} == {"R3": 0.5, "R2": 0.5}
    assert sum(guess.values()) == len(view.hands[1].pool)


@pytest.mark.parametrize("deal", [("R1", "R2", "R3"), ("R1", "R3", "R2")])
def test_R4_it_plays_the_same_for_all_red_pieces_of_the_others(deal: tuple[str, ...]) -> None:
    assert mixture(after("B3 B2 W2", deal=deal), "1") == mixture(after("B3 B2 W2", deal=("R1", "R2", "R3")), "1")


def test_the_last_piece_is_shown_and_after_it_nothing() -> None:
    assert mixture(after(*MIRRORED[:8]), "2") == Counter({"C1": 20})
    over = after(*MIRRORED)
    assert choose_orders(PYRAMID.view(over, "1"), PYRAMID.slots(over, "1"), random.Random(1).choice) == ""


def test_the_greedy_bot_shows_its_largest_pieces_first() -> None:
    view, slots = PYRAMID.view(with_pools("B3 B2 B1 W3 C1", "B1", "B1"), "1"), PYRAMID.slots(with_pools("B3 B2 B1 W3 C1", "B1", "B1"), "1")
    assert {take_largest(view, slots, random.Random(seed).choice) for seed in range(20)} == {"B3", "W3"}


# --- against players who show what takes most now


@cache
def takes(piece: Piece, one: Piece, other: Piece) -> int:
    """Return the pips a piece takes from two others."""
    opened = open_round(1, {"1": piece, "2": one, "3": other})
    return sum(pips(each) for each in opened.haul) if opened.taker == "1" else 0


def greedy(state: State, seat: Seat) -> Piece:
    """Return the piece that takes most on average, the first of equal ones."""
    one, other = (hand.pool for hand in state.hands if hand.seat != seat)
    return max(state.hand(seat).pool, key=lambda piece: sum(takes(piece, *shown) for shown in product(one, other)))


def won(bot: Seat, dice: random.Random) -> bool:
    """Whether the bot wins alone against two greedy players."""
    state = opening()
    while PYRAMID.phase(state).due:
        shown = {seat: greedy(state, seat) for seat in SEATS if seat != bot}
        shown[bot] = choose_orders(PYRAMID.view(state, bot), PYRAMID.slots(state, bot), dice.choice)
        state = PYRAMID.adjudicate(state, {seat: (Pick(piece),) for seat, piece in shown.items()}, ScriptedChance([])).state
    result = PYRAMID.result(state)
    return result is not None and result[bot].outcome == "won"


def test_it_beats_two_greedy_players_from_every_seat() -> None:
    dice = random.Random(1)
    assert sum(won(seat, dice) for seat in SEATS for _ in range(4)) >= 10
