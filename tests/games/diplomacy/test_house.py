"""The orders of the house bots in both Diplomacies: the strong one, which searches, and the greedy
one.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from adjudicator.core.game import AnyGame, Pick, Slots
from adjudicator.core.options import complete_options
from adjudicator.games.diplomacy.bot.bot import choose_orders, take_most
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.state import Homeless, Seen, State
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.play import bots
from tests.games.diplomacy.table import opened, position
from tools.dumbbot import dumbbot
from tools.playing import chance_of, play_steps

T = TypeVar("T")
Bot = Callable[[BoardView, Slots, Pick], str]
BOTS = pytest.mark.parametrize("bot", [choose_orders, take_most], ids=["strong", "greedy"])
GAMES = pytest.mark.parametrize("game", [DIPLOMACY, RSP_DIPLOMACY], ids=["standard", "rsp"])


def first(options: Sequence[T]) -> T:
    return options[0]


def ordered(
    state: State, seat: str = "FRANCE", game: AnyGame = DIPLOMACY, bot: Bot = choose_orders
) -> list[str]:
    return bot(game.view(state, seat), game.slots(state, seat), first).splitlines()


@BOTS
def test_it_orders_nothing_when_it_owes_nothing(bot: Bot) -> None:
    assert ordered(position("W1901A", "FRANCE A PAR", "FRANCE PAR"), bot=bot) == []


@BOTS
def test_it_takes_an_open_centre(bot: Bot) -> None:
    assert "A GAS - SPA" in ordered(
        position("F1901M", "FRANCE A GAS", "FRANCE BRE MAR PAR"), bot=bot
    )


@BOTS
def test_it_stays_on_a_centre_that_it_is_about_to_own(bot: Bot) -> None:
    assert ordered(position("F1901M", "FRANCE A SPA", "FRANCE MAR PAR POR"), bot=bot) == ["A SPA H"]


@BOTS
def test_it_supports_an_attack_on_a_unit_that_holds_a_centre(bot: Bot) -> None:
    orders = ordered(
        position(
            "F1902M",
            "FRANCE A BUR, A PIC / GERMANY A BEL",
            "FRANCE BRE MAR MUN PAR / GERMANY BEL BER DEN HOL KIE",
        ),
        bot=bot,
    )
    assert sorted(orders) in (
        ["A BUR - BEL", "A PIC S A BUR - BEL"],
        ["A BUR S A PIC - BEL", "A PIC - BEL"],
    )


@BOTS
def test_a_unit_with_nothing_to_gain_supports_one_in_danger(bot: Bot) -> None:
    state = position(
        "F1902M", "FRANCE A GAS, A MAR / ITALY A PIE", f"FRANCE {' '.join(STANDARD.centres)}"
    )
    assert sorted(ordered(state, bot=bot)) == ["A GAS S A MAR", "A MAR H"]


@BOTS
def test_two_of_its_units_never_go_to_one_province(bot: Bot) -> None:
    orders = ordered(position("S1901M", "FRANCE A GAS, A MAR", "FRANCE PAR"), bot=bot)
    assert len({order.split(" - ")[1] for order in orders if " - " in order}) == sum(
        " - " in order for order in orders
    )


@BOTS
def test_an_army_goes_over_sea_with_an_own_fleet(bot: Bot) -> None:
    all_but_one = " ".join(code for code in STANDARD.centres if code != "PAR")
    orders = ordered(
        position("F1901M", "ENGLAND A LON, F ENG", f"ENGLAND {all_but_one}"), "ENGLAND", bot=bot
    )
    assert sorted(orders) in (
        ["A LON - PIC", "F ENG C A LON - PIC"],
        ["A LON - BRE", "F ENG C A LON - BRE"],
    )


@BOTS
def test_it_retreats_to_where_there_is_most_to_gain(bot: Bot) -> None:
    lost = Homeless("A GAS", "FRANCE", "A MAR", None, ("BRE", "SPA"))
    state = replace(position("F1901R", "ITALY A GAS", "FRANCE BRE"), homeless=(lost,))
    assert ordered(state, bot=bot) == ["A GAS R SPA"]


@BOTS
def test_it_builds_each_unit_in_a_place_of_its_own(bot: Bot) -> None:
    orders = ordered(position("W1901A", "FRANCE A SPA", "FRANCE BRE MAR PAR SPA"), bot=bot)
    assert len({order[2:5] for order in orders}) == 3 and all(
        order.endswith(" B") for order in orders
    )


@BOTS
def test_it_gives_up_the_unit_that_stands_where_nothing_is_to_gain(bot: Bot) -> None:
    assert ordered(position("W1901A", "FRANCE A SPA, F BAR", "FRANCE SPA"), bot=bot) == ["F BAR D"]


def test_rsp_it_beats_what_a_neighbour_was_last_seen_as() -> None:
    state = position("S1901M", "FRANCE A PIC / GERMANY A BEL", "FRANCE PAR", rule_set="rsp")
    state = replace(
        state, traits={"A PIC": "Rock", "A BEL": "Paper"}, seen={"A BEL": Seen("Paper", "S1901M")}
    )
    assert "Scissors A PIC" in ordered(state, game=RSP_DIPLOMACY, bot=take_most)


def test_rsp_what_attacks_one_province_together_is_of_different_characteristics() -> None:
    state = position(
        "F1902M",
        "FRANCE A BUR, A PIC / GERMANY A BEL",
        "FRANCE BRE MAR MUN PAR / GERMANY BEL BER DEN HOL KIE",
        rule_set="rsp",
    )
    state = replace(state, traits=dict.fromkeys(("A BUR", "A PIC", "A BEL"), "Rock"))
    view, slots = RSP_DIPLOMACY.view(state, "FRANCE"), RSP_DIPLOMACY.slots(state, "FRANCE")
    texts = [
        choose_orders(view, slots, random.Random(lot).choice).splitlines() for lot in range(10)
    ]
    together = [text for text in texts if {"A BUR - BEL", "A PIC - BEL"} <= set(text)]
    assert together and all(
        len({line.split()[0] for line in text if line.endswith(("A BUR", "A PIC"))}) == 2
        for text in together
    )


def test_it_attacks_a_power_that_orders_nothing_with_as_much_as_it_takes() -> None:
    state = position(
        "S1903M", "FRANCE A BUR, A RUH / GERMANY A MUN", "FRANCE BRE MAR PAR / GERMANY MUN"
    )
    assert sorted(ordered(state)) in (
        ["A BUR - MUN", "A RUH S A BUR - MUN"],
        ["A BUR S A RUH - MUN", "A RUH - MUN"],
    )


def test_it_draws_from_nothing_but_its_source_of_choices() -> None:
    state = opened(7)
    texts = {
        choose_orders(
            DIPLOMACY.view(state, "ITALY"), DIPLOMACY.slots(state, "ITALY"), random.Random(1).choice
        )
        for _ in range(3)
    }
    assert len(texts) == 1


@GAMES
@pytest.mark.parametrize("players", [2, 4, 7])
def test_its_orders_are_understood_leave_nothing_open_and_say_nothing_of_a_draw(
    game: AnyGame, players: int
) -> None:
    state, dice = (
        opened(players, "rsp" if game is RSP_DIPLOMACY else "standard"),
        random.Random(players),
    )
    state = game.start(
        game.about.seats[players],
        complete_options(game.about, {}, players=players),
        chance_of("house", 0),
    )
    for number in range(1, 13):
        orders = {}
        for seat in game.phase(state).due:
            read = game.parse(
                state,
                seat,
                choose_orders(game.view(state, seat), game.slots(state, seat), dice.choice),
            )
            assert (
                not read.refusals
                and not read.open
                and not any(order.kind == "vote" for order in read.orders)
            )
            orders[seat] = read.orders
        state = game.adjudicate(state, orders, chance_of("house", number)).state


@GAMES
@pytest.mark.parametrize("lot", range(2))
def test_it_comes_first_among_six_who_play_at_random(game: AnyGame, lot: int) -> None:
    seats, dice = game.about.seats[7], random.Random(lot)
    thinker = seats[2 * lot]
    state = game.start(
        seats,
        complete_options(game.about, {"year_limit": 1907}, players=7),
        chance_of(f"lot {lot}", 0),
    )
    for number in range(1, 60):
        due = game.phase(state).due
        texts = {
            seat: bots.choose_at_random(game, state, seat, dice.choice)
            for seat in due
            if seat != thinker
        }
        if thinker in due:
            texts[thinker] = choose_orders(
                game.view(state, thinker), game.slots(state, thinker), dice.choice
            )
        orders = {seat: game.parse(state, seat, text).orders for seat, text in texts.items()}
        state = game.adjudicate(state, orders, chance_of(f"lot {lot}", number)).state
    result = game.result(state)
    assert result is not None and result[thinker].place == 1


def test_the_orders_of_the_opponent_that_the_bots_are_measured_against_are_understood_and_lead_somewhere() -> (
    None
):
    seats, kinds = DIPLOMACY.about.seats[7], set()
    for step in play_steps(
        DIPLOMACY, seats, dict.fromkeys(seats, dumbbot), "dumbbot", {"year_limit": 1904}
    ):
        for seat, text in step.texts.items():
            read = DIPLOMACY.parse(step.state, seat, text)
            assert not read.refusals and not read.open
            kinds |= {order.kind for order in read.orders}
    assert {"move", "support", "hold", "build"} <= kinds and sum(
        map(len, step.state.centres.values())
    ) > 30
