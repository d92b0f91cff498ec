"""The orders of the house bot in both Diplomacies."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from adjudicator.core.game import AnyGame
from adjudicator.core.options import complete_options
from adjudicator.games.diplomacy.bot.bot import choose_orders
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.state import Homeless, Seen, State
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.play import bots
from tests.games.diplomacy.table import opened, position
from tools.playing import chance_of

T = TypeVar("T")
GAMES = pytest.mark.parametrize("game", [DIPLOMACY, RSP_DIPLOMACY], ids=["standard", "rsp"])


def first(options: Sequence[T]) -> T:
    return options[0]


def ordered(state: State, seat: str = "FRANCE", game: AnyGame = DIPLOMACY) -> list[str]:
    return choose_orders(game.view(state, seat), game.slots(state, seat), first).splitlines()


def test_it_orders_nothing_when_it_owes_nothing() -> None:
    assert ordered(position("W1901A", "FRANCE A PAR", "FRANCE PAR")) == []


def test_it_takes_an_open_centre() -> None:
    assert "A GAS - SPA" in ordered(position("F1901M", "FRANCE A GAS", "FRANCE BRE MAR PAR"))


def test_it_stays_on_a_centre_that_it_is_about_to_own() -> None:
    assert ordered(position("F1901M", "FRANCE A SPA", "FRANCE MAR PAR POR")) == ["A SPA H"]


def test_it_supports_an_attack_on_a_unit_that_holds_a_centre() -> None:
    orders = ordered(position("F1902M", "FRANCE A BUR, A PIC / GERMANY A BEL", "FRANCE BRE MAR PAR MUN / GERMANY BEL"))
    assert sorted(orders) in (["A BUR - BEL", "A PIC S A BUR - BEL"], ["A BUR S A PIC - BEL", "A PIC - BEL"])


def test_a_unit_with_nothing_to_gain_supports_one_in_danger() -> None:
    state = position("F1902M", "FRANCE A GAS, A MAR / ITALY A PIE", f"FRANCE {' '.join(STANDARD.centres)}")
    assert ordered(state) == ["A GAS S A MAR", "A MAR H"]


def test_two_of_its_units_never_go_to_one_province() -> None:
    orders = ordered(position("S1901M", "FRANCE A GAS, A MAR", "FRANCE PAR"))
    assert len({order.split(" - ")[1] for order in orders if " - " in order}) == sum(" - " in order for order in orders)


def test_an_army_goes_over_sea_with_an_own_fleet() -> None:
    all_but_one = " ".join(code for code in STANDARD.centres if code != "PAR")
    orders = ordered(position("F1901M", "ENGLAND A LON, F ENG", f"ENGLAND {all_but_one}"), "ENGLAND")
    assert orders in (["A LON - PIC", "F ENG C A LON - PIC"], ["A LON - BRE", "F ENG C A LON - BRE"])


def test_it_retreats_to_where_there_is_most_to_gain() -> None:
    lost = Homeless("A GAS", "FRANCE", "A MAR", None, ("BRE", "SPA"))
    state = replace(position("F1901R", "ITALY A GAS", "FRANCE BRE"), homeless=(lost,))
    assert ordered(state) == ["A GAS R SPA"]


def test_it_builds_each_unit_in_a_place_of_its_own() -> None:
    orders = ordered(position("W1901A", "FRANCE A SPA", "FRANCE BRE MAR PAR SPA"))
    assert len({order[2:5] for order in orders}) == 3 and all(order.endswith(" B") for order in orders)


def test_it_gives_up_the_unit_that_stands_where_nothing_is_to_gain() -> None:
    assert ordered(position("W1901A", "FRANCE A SPA, F BAR", "FRANCE SPA")) == ["F BAR D"]


def test_rsp_it_beats_what_a_neighbour_was_last_seen_as() -> None:
    state = position("S1901M", "FRANCE A PIC / GERMANY A BEL", "FRANCE PAR", rule_set="rsp")
    state = replace(state, traits={"A PIC": "Rock", "A BEL": "Paper"}, seen={"A BEL": Seen("Paper", "S1901M")})
    assert "Scissors A PIC" in ordered(state, game=RSP_DIPLOMACY)


@GAMES
@pytest.mark.parametrize("players", [2, 4, 7])
def test_its_orders_are_understood_leave_nothing_open_and_say_nothing_of_a_draw(game: AnyGame, players: int) -> None:
    state, dice = opened(players, "rsp" if game is RSP_DIPLOMACY else "standard"), random.Random(players)
    state = game.start(game.about.seats[players], complete_options(game.about, {}, players=players), chance_of("house", 0))
    for number in range(1, 25):
        orders = {}
        for seat in game.phase(state).due:
            read = game.parse(state, seat, choose_orders(game.view(state, seat), game.slots(state, seat), dice.choice))
            assert not read.refusals and not read.open and not any(order.kind == "vote" for order in read.orders)
            orders[seat] = read.orders
        state = game.adjudicate(state, orders, chance_of("house", number)).state


@GAMES
@pytest.mark.parametrize("lot", range(3))
def test_it_comes_first_among_six_who_play_at_random(game: AnyGame, lot: int) -> None:
    seats, dice = game.about.seats[7], random.Random(lot)
    thinker = seats[2 * lot]
    state = game.start(seats, complete_options(game.about, {"year_limit": 1907}, players=7), chance_of(f"lot {lot}", 0))
    for number in range(1, 60):
        due = game.phase(state).due
        texts = {seat: bots.choose_at_random(game, state, seat, dice.choice) for seat in due if seat != thinker}
        if thinker in due:
            texts[thinker] = choose_orders(game.view(state, thinker), game.slots(state, thinker), dice.choice)
        orders = {seat: game.parse(state, seat, text).orders for seat, text in texts.items()}
        state = game.adjudicate(state, orders, chance_of(f"lot {lot}", number)).state
    result = game.result(state)
    assert result is not None and result[thinker].place == 1
