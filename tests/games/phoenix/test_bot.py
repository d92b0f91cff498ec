"""The sensible house bot of RPS Phoenix."""

import random
from collections.abc import Sequence
from typing import TypeVar

from adjudicator.core.game import Seat
from adjudicator.games.phoenix.bot import _side_value, capture_most, choose_orders
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from tests.games.phoenix.positions import ESCALATED, position
from tools.duels import play_duel
from tools.playing import bot_player

T = TypeVar("T")


def ordered(state: State, seat: Seat = "Red") -> tuple[str, list[str]]:
    """Return the bot's order, and all orders that it rated equally good."""
    good: list[str] = []

    def first(options: Sequence[T]) -> T:
        good.extend(map(str, options))
        return options[0]

    return choose_orders(PHOENIX.view(state, seat), PHOENIX.slots(state, seat), first), good


def test_it_orders_nothing_when_it_owes_nothing() -> None:
    assert ordered(position("Rr33 Bs61"), seat="Blue") == ("", [])


def test_it_takes_a_bird_it_can_beat() -> None:
    assert ordered(position("Rr33 Rp11 Rs13 Bs55 Bp61 Br66")) == ("rock 4,4", ["rock 4,4"])


def test_it_does_not_walk_into_a_bird_that_beats_it() -> None:
    # after the roll of 4,4 the rock would lose to the paper; the scissors beat it
    assert ordered(position("Rr12 Rs16 Rp31 Bp55 Br61", dice=(4, 4)))[1] == ["move scissors"]


def test_it_looks_first_where_it_wins() -> None:
    assert ordered(position("Rr12 Rp31 Bp54 Bs32", dice=(4, 3)))[1] == ["move rock meeting SW"]


def test_it_runs_a_chain_when_that_takes_more() -> None:
    assert ordered(position("Rr11 Rp61 Bp22 Bs33 Br65", turn=ESCALATED))[1] == [
        "rock 2,2 chain 1",
        "rock 2,2 chain 2",
    ]


def test_it_wins_when_it_can() -> None:
    assert ordered(position("Rr33 Bs55"))[1] == ["rock 4,4"]


def test_in_give_away_it_seeks_to_lose_its_birds() -> None:
    assert ordered(position("Rr33 Bp55 Bs61", **{"give-away": True}))[1] == ["rock 4,4"]


def test_it_plays_for_its_team() -> None:
    # the partner's scissors on 5,5 are no prey, so on 4,4 the rock would meet Blue's paper and lose
    assert "rock 4,4" not in ordered(position("Rr33 Rp11 Ps55 Bp53 Gs61", seats=4, team=True))[1]


def test_the_greedy_bot_takes_the_most_birds_at_once_else_it_picks_at_random() -> None:
    def ordered_of(state: State) -> set[str]:
        view, slots = PHOENIX.view(state, "Red"), PHOENIX.slots(state, "Red")
        return {capture_most(view, slots, random.Random(seed).choice) for seed in range(60)}

    # and on 3,3 both eliminate each other
    assert ordered_of(position("Rr11 Rp61 Bp22 Bs44 Br65", turn=ESCALATED)) == {"rock 2,2 chain 1"}
    assert ordered_of(position("Rr12 Rs16 Rp31 Bp55 Br61", dice=(5, 5))) == {
        "move rock",
        "move paper",
        "move scissors",
    }
    quiet = position("Rr11 Rp61 Bp45 Bs36 Br66")
    assert ordered_of(quiet) == {choice.text for choice in PHOENIX.slots(quiet, "Red")[0].choices}


def test_it_keeps_away_from_a_bird_that_could_attack_it_in_the_next_turn() -> None:
    """The paper on 5,3 attacks the rock on 3,3 from 4,4 or 4,2; its own scissors beat the paper
    wherever it goes.
    """
    near, far = position("Rr33 Rs61 Bp53 Br66"), position("Rr33 Rs61 Bp63 Br66")
    assert _side_value(near, ("Red",)) < _side_value(far, ("Red",))


def test_it_beats_a_greedy_bot() -> None:
    """In the bench it does so in more than nine of ten matches."""
    assert play_duel(PHOENIX, bot_player("sensible"), bot_player("greedy"), 8).share > 0.7
