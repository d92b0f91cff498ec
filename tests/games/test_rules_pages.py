"""What the rules page of every game has to say: who designed the game, and what tournaments of it
there can be.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator import catalogue
from adjudicator.mail.commands.recognition import find_command
from adjudicator.mail.composing.rendering import render_rules
from adjudicator.play.tournaments.formats import FORMATS
from adjudicator.service.tournaments.making import list_choices

AUTHORS = {
    "pyramid": "B00jum",
    "genesis": "Phoebus Sargentis",
    "genesis.ru": "Феба Саргентиса",
    "rsp-diplomacy": "Phil Reynolds",
}
ROOT = Path(__file__).parents[2]
PAGES = sorted({game.about.key for game in catalogue.every_game()} | {"genesis.ru"})


def said(page: str) -> str:
    return " ".join(render_rules(page).text.split())


@pytest.mark.parametrize("page", AUTHORS)
def test_an_author_whose_name_is_known_is_credited(page: str) -> None:
    assert AUTHORS[page] in said(page)[-200:]


def test_the_variant_ra11_is_credited_by_its_name() -> None:
    assert "the variant “ra11”, was designed by Phil Reynolds." in said("rsp-diplomacy")


@pytest.mark.parametrize("page", PAGES)
def test_every_page_says_of_tournaments_what_the_service_takes(page: str) -> None:
    told, choices = said(page), list_choices(catalogue.about(page.partition(".")[0]))
    assert not re.search(
        r"no (events|tournaments)\b|\bevents (are|will)|турниров здесь пока нет", told
    )
    assert (
        f"{'Мест за столом' if page.endswith('.ru') else 'Seats of a table'}:"
        f" {', '.join(map(str, choices.sizes))}." in told
    )
    formats = re.search(r"(?:Formats|Системы): (.*?)\.", told)
    assert formats is not None and formats[1].count(",") + 1 == len(choices.formats)
    assert "`" not in told and "join tournament NAME" in told and "Make a tournament" in told
    made = re.search(r"make tournament \S+ name: Our cup", told)
    assert made is not None and find_command(made[0]) is not None, (
        "who has only mail makes one, too"
    )


def test_a_game_that_two_cannot_play_has_no_format_for_tables_of_two() -> None:
    three = list_choices(
        replace(catalogue.about("phoenix"), seats={1: ("Red",), 3: ("Red", "Blue", "Pink")})
    )
    assert (three.formats, three.sizes) == (("mixer", "swiss", "league"), (3,))
    assert list_choices(catalogue.about("genesis")).formats == tuple(FORMATS)


def test_R12_the_page_of_redeux_tells_the_limits_of_the_house_and_the_tie_at_100() -> None:
    page = said("redeux")
    assert (
        "tie_limit" in page and "risk_limit" in page and "are the house’s, not the source’s" in page
    )
    assert (
        "The source settles a tie at 100 points. It cannot arise here: only the winner of a round"
        " gains points" in page
    )
    assert (
        "the source lets players bet once the cards lie. By mail the bet is sealed with the card"
        in page
    )


def test_R12_the_page_of_phoenix_says_what_its_turn_limit_stands_for() -> None:
    assert "It stands for the 60 minutes after which the source ends a match" in said("phoenix")


def test_R16_the_page_of_phoenix_says_how_seats_are_given_and_a_team_is_found() -> None:
    assert "partners wish for Red and Pink, or for Blue and Green" in said("phoenix")


def test_the_page_of_a_new_game_begins_with_what_every_page_says_of_tournaments() -> None:
    skeleton = (ROOT / "tools/skeleton/rules.html").read_text()
    assert '{% include "web/rules/_tournaments.html" %}' in skeleton
