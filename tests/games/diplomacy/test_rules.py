"""Both Game records: their description, the powers of each seat (R5), the opening, and one match by
letters alone.
"""

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import AnyGame
from adjudicator.core.options import OptionError, OptionValue, complete_options
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.options import SEATS
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY

GAMES: tuple[AnyGame, ...] = (DIPLOMACY, RSP_DIPLOMACY)
both = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.about.key)


def started(game: AnyGame, seats: tuple[str, ...], **chosen: OptionValue) -> State:
    """Return the opening; under `rsp` every unit is a Rock."""
    state = game.start(
        seats,
        complete_options(game.about, chosen, players=len(seats)),
        ScriptedChance(["Rock"] * 22),
    )
    assert isinstance(state, State)
    return state


def plays(seats: int, **chosen: OptionValue) -> dict[str, str]:
    """Return the powers of each seat."""
    return {
        realm.seat: " ".join(realm.powers)
        for realm in started(DIPLOMACY, SEATS[seats], **chosen).realms
    }


# --- description


def test_an_edition_may_be_written_as_a_number_or_as_a_word() -> None:
    assert (
        complete_options(DIPLOMACY.about, {"edition": 1976})["edition"]
        == complete_options(DIPLOMACY.about, {"edition": "1976"})["edition"]
    )


@both
def test_a_player_says_when_orders_are_complete(game: AnyGame) -> None:
    assert game.about.ready == "said" and game.trial is not None


def test_each_has_its_own_edition_and_only_the_standard_rules_open_whole_orders() -> None:
    assert [_default(game, "edition") for game in GAMES] == ["2023", "1976"]
    assert [game.about.opens_orders for game in GAMES] == [True, False]
    assert [game.about.key for game in GAMES] == ["diplomacy", "rsp-diplomacy"]


def _default(game: AnyGame, name: str) -> OptionValue:
    return next(option.default for option in game.about.options if option.name == name)


@both
def test_r6_the_options_are_those_of_the_rules(game: AnyGame) -> None:
    names = [option.name for option in game.about.options]
    assert names == [
        "edition",
        "victory_centres",
        "year_limit",
        "press",
        "draws",
        "votes",
        "anonymous",
        "build_anywhere",
        "powers",
        "unplayed",
    ]
    assert (_default(game, "victory_centres"), _default(game, "year_limit")) == (18, "auto")
    for preset in game.about.presets:
        assert complete_options(game.about, preset.options) != complete_options(game.about, {})


@pytest.mark.parametrize(
    "chosen",
    [{"edition": "1971"}, {"victory_centres": 35}, {"year_limit": 1900}, {"powers": "two"}],
)
def test_other_values_are_refused(chosen: dict[str, OptionValue]) -> None:
    with pytest.raises(OptionError):
        complete_options(DIPLOMACY.about, chosen)


# --- powers of each seat


def test_r5_seven_each_play_one_power() -> None:
    assert plays(7) == {power: power for power in STANDARD.powers}


def test_r5_six_play_without_italy_and_five_without_germany_too() -> None:
    assert set(STANDARD.powers) - set(plays(6)) == {"ITALY"}
    assert set(STANDARD.powers) - set(plays(5)) == {"GERMANY", "ITALY"}


def test_r5_four_three_and_two_play_several_powers_as_the_rule_book_says() -> None:
    assert plays(4) == {
        "ENGLAND": "ENGLAND",
        "FRANCE": "FRANCE AUSTRIA",
        "GERMANY": "GERMANY TURKEY",
        "RUSSIA": "RUSSIA ITALY",
    }
    assert plays(3) == {
        "ENGLAND": "ENGLAND GERMANY AUSTRIA",
        "FRANCE": "FRANCE TURKEY",
        "RUSSIA": "RUSSIA ITALY",
    }
    assert plays(2) == {"ENGLAND": "ENGLAND FRANCE RUSSIA", "GERMANY": "GERMANY AUSTRIA TURKEY"}


def test_r5_with_one_power_each_the_others_are_not_played() -> None:
    assert plays(3, powers="one") == {"ENGLAND": "ENGLAND", "FRANCE": "FRANCE", "RUSSIA": "RUSSIA"}


def test_any_powers_can_be_seats_each_with_its_own_power() -> None:
    state = started(DIPLOMACY, ("TURKEY", "ITALY"))
    assert [(realm.seat, realm.powers) for realm in state.realms] == [
        ("TURKEY", ("TURKEY",)),
        ("ITALY", ("ITALY",)),
    ]


@both
def test_r5_unplayed_powers_are_there_in_disorder_or_absent_and_their_centres_free(
    game: AnyGame,
) -> None:
    there, absent = started(game, SEATS[5]), started(game, SEATS[5], unplayed="absent")
    assert there.units["ITALY"] == ("A ROM", "A VEN", "F NAP") and there.centres["GERMANY"] == (
        "BER",
        "KIE",
        "MUN",
    )
    assert set(absent.units) == set(absent.centres) == set(SEATS[5])


# --- the opening


@both
def test_a_match_opens_in_spring_1901_with_22_units_and_22_owned_centres(game: AnyGame) -> None:
    state = started(game, SEATS[7])
    assert game.phase(state).name == "Spring 1901" and game.phase(state).due == STANDARD.powers
    assert sum(map(len, state.units.values())) == sum(map(len, state.centres.values())) == 22
    assert state.units["RUSSIA"] == ("A MOS", "A WAR", "F SEV", "F STP/SC")


def test_rsp_r1_the_characteristics_are_dealt_to_their_owners_and_the_standard_rules_deal_nothing() -> (
    None
):
    dealt = RSP_DIPLOMACY.opened(started(RSP_DIPLOMACY, SEATS[7]))
    assert [event.readers for event in dealt] == [(power,) for power in STANDARD.powers]
    assert DIPLOMACY.opened(started(DIPLOMACY, SEATS[7])) == ()


# --- played by letters


def test_a_match_of_two_played_by_letters_to_its_end() -> None:
    game, chance = DIPLOMACY, ScriptedChance(())
    state = started(game, SEATS[2], year_limit=1901)
    for england in ("A Par - Bur\nF Lon - Nth\nA War - Gal", "A Bur - Mun\nF Nth - Nwy\nA Gal H"):
        texts = {"ENGLAND": england, "GERMANY": "A Ber - Kie\nF Kie - Den\nA Mun H"}
        texts |= {} if england.startswith("A Par") else {"GERMANY": "A Kie - Hol\nA Mun - Tyr"}
        orders = {seat: game.parse(state, seat, text).orders for seat, text in texts.items()}
        state = game.adjudicate(state, orders, chance).state
    result = game.result(state)
    assert result is not None
    assert {seat: (each.outcome, each.score) for seat, each in result.items()} == {
        "ENGLAND": ("won", 12),
        "GERMANY": ("lost", 10),
    }


@both
def test_the_default_reads_back_as_it_is_written(game: AnyGame) -> None:
    state = started(game, SEATS[3])
    for seat in SEATS[3]:
        orders = game.default(state, seat, ScriptedChance(()))
        read = game.parse(state, seat, "\n".join(map(str, orders)))
        assert (read.orders, read.refusals, read.open) == (orders, (), ())
