"""R11: the last year `auto`, the year in which a centre last changed hands, and the draw votes of
house bots.
"""

from dataclasses import replace
from random import Random

import pytest

from adjudicator.core import codec
from adjudicator.core.game import AnyGame
from adjudicator.core.options import Options, complete_options
from adjudicator.games.diplomacy.bot.bot import cast_vote
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.opening import opening_state
from adjudicator.games.diplomacy.model.options import HOUSE_YEAR, options_of, settle_options
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.phases.view import look
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.mail.commands.joining.wanted import read_wanted
from adjudicator.play import bots
from tests.games.diplomacy.table import opened, play, position

GAMES = pytest.mark.parametrize("game", [DIPLOMACY, RSP_DIPLOMACY], ids=lambda game: game.about.key)


def chosen(game: AnyGame, **options: object) -> Options:
    return complete_options(game.about, options, players=2)


# --- the last year


@GAMES
@pytest.mark.parametrize(
    ("seats", "year"), [((), 0), (("GERMANY",), HOUSE_YEAR), (("ENGLAND", "GERMANY"), HOUSE_YEAR)]
)
def test_R11_a_year_left_open_is_settled_as_the_match_begins(
    game: AnyGame, seats: tuple[str, ...], year: int
) -> None:
    assert game.settle(chosen(game), seats)["year_limit"] == year


@pytest.mark.parametrize("year", [0, 1908])
def test_R11_a_year_that_was_chosen_or_none_stays_so_beside_a_house_bot(year: int) -> None:
    assert settle_options(chosen(DIPLOMACY, year_limit=year), ["GERMANY"])["year_limit"] == year


def test_R11_a_match_begun_with_an_open_year_in_its_transcript_has_no_last_year() -> None:
    assert (
        opening_state("standard", ("ENGLAND", "GERMANY"), chosen(DIPLOMACY)).setup.year_limit == 0
    )


def test_R11_the_year_is_chosen_by_letter_as_a_word_or_a_number() -> None:
    assert read_wanted(DIPLOMACY.about, ["year=auto"], ()).options["year_limit"] == "auto"
    assert read_wanted(DIPLOMACY.about, ["year=1910"], ()).options["year_limit"] == 1910
    (option,) = (each for each in options_of("2023") if each.name == "year_limit")
    assert option.possible == "auto, a number from 1901 to 1950, or 0"
    assert dict(option.named) == {
        "auto": "1925 where a house bot plays, else no limit",
        0: "no limit",
    }


# --- the year in which a centre last changed hands


def fall(units: str, centres: str, taken: int | None, phase: str = "F1905M") -> State:
    return replace(position(phase, units, centres), taken=taken)


def test_R11_the_state_keeps_the_year_in_which_a_centre_last_changed_hands() -> None:
    assert opened().taken == 1900
    quiet, busy = "FRANCE A PAR / GERMANY A MUN", "FRANCE A BEL / GERMANY A MUN"
    assert play(fall(quiet, "FRANCE PAR / GERMANY MUN", 1902)).state.taken == 1902
    assert play(fall(busy, "FRANCE PAR / GERMANY MUN", 1902)).state.taken == 1905
    assert play(fall(busy, "FRANCE PAR / GERMANY MUN", 1902, "S1905M")).state.taken == 1902


def test_R11_a_match_from_before_loads_and_counts_from_its_next_fall() -> None:
    stored = codec.dump(
        State, fall("FRANCE A PAR / GERMANY A MUN", "FRANCE PAR / GERMANY MUN", 1902)
    )
    del stored["taken"]
    old = codec.load(State, stored)
    assert old.taken is None and cast_vote(look(replace(old, phase="S1905M"), "FRANCE")) == ""
    assert play(old).state.taken == 1905


# --- house bots


@pytest.mark.parametrize(
    ("phase", "says"),
    [("S1905M", ""), ("F1905M", ""), ("S1906M", "DRAW"), ("F1906M", "DRAW"), ("W1906A", "")],
)
def test_R11_house_bots_vote_for_a_draw_after_three_years_without_a_change(
    phase: str, says: str
) -> None:
    assert (
        cast_vote(
            look(
                fall("FRANCE A PAR / GERMANY A MUN", "FRANCE PAR / GERMANY MUN", 1902, phase),
                "FRANCE",
            )
        )
        == says
    )


LONG_MATCHES = [
    (11, "S1914M", "DRAW"),
    (12, "S1914M", ""),
    (11, "F1913M", ""),
    (16, "S1919M", "DRAW"),
    (17, "S1919M", ""),
]


@pytest.mark.parametrize(("centres", "phase", "says"), LONG_MATCHES)
def test_in_a_long_match_house_bots_agree_to_a_draw_unless_they_are_close_to_winning(
    centres: int, phase: str, says: str
) -> None:
    own = " ".join(sorted(STANDARD.centres)[:centres])
    assert (
        cast_vote(
            look(
                fall("FRANCE A PAR / GERMANY A MUN", f"FRANCE {own}", int(phase[1:5]) - 1, phase),
                "FRANCE",
            )
        )
        == says
    )


def test_R11_house_bots_say_it_once_and_take_it_back_when_a_centre_changes_hands() -> None:
    agreed = replace(
        fall("FRANCE A PAR / GERMANY A MUN", "FRANCE PAR / GERMANY MUN", 1902, "S1906M"),
        voted=("FRANCE",),
    )
    assert cast_vote(look(agreed, "FRANCE")) == ""
    assert cast_vote(look(replace(agreed, taken=1905), "FRANCE")) == "NO DRAW"


@pytest.mark.parametrize("skill", ["sensible", "random"])
def test_R11_a_match_of_house_bots_that_moves_nothing_ends_in_a_draw(skill: bots.Skill) -> None:
    state = fall("FRANCE A PAR / GERMANY A MUN", "FRANCE PAR / GERMANY MUN", 1902, "S1906M")
    pick = Random(1).choice
    texts = {
        seat: bots.choose_orders(DIPLOMACY, state, seat, skill=skill, pick=pick)
        for seat in DIPLOMACY.phase(state).due
    }
    orders = {seat: DIPLOMACY.parse(state, seat, text).orders for seat, text in texts.items()}
    after = play(state, **{seat: "; ".join(map(str, own)) for seat, own in orders.items()}).state
    assert after.end is not None and after.end.how == "draw"
