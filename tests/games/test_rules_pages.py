"""What the rules page of every game has to say: who designed the game, and that there are no events yet."""

import re

import pytest

from adjudicator import catalogue
from adjudicator.mail.composing.rendering import render_rules

AUTHORS = {"pyramid": "B00jum", "genesis": "Phoebus Sargentis", "genesis.ru": "Феба Саргентиса", "rsp-diplomacy": "Phil Reynolds"}
PAGES = sorted({game.about.key for game in catalogue.every_game()} | {"genesis.ru"})


def said(page: str) -> str:
    return " ".join(render_rules(page).text.split())


@pytest.mark.parametrize("page", AUTHORS)
def test_an_author_whose_name_is_known_is_credited(page: str) -> None:
    assert AUTHORS[page] in said(page)[-200:]


def test_the_variant_ra11_is_credited_by_its_name() -> None:
    assert "the variant “ra11”, was designed by Phil Reynolds." in said("rsp-diplomacy")


@pytest.mark.parametrize("page", PAGES)
def test_no_page_promises_events_that_do_not_exist(page: str) -> None:
    named = re.search(r"\bevents?\b|\btournament|турнир", said(page))
    assert not named or re.search(r"there are no events (here )?yet|турниров здесь пока нет", said(page))


def test_R12_the_page_of_redeux_tells_the_limits_of_the_house_and_the_tie_at_100() -> None:
    page = said("redeux")
    assert "tie_limit" in page and "risk_limit" in page and "are the house’s, not the source’s" in page
    assert "The source settles a tie at 100 points. It cannot arise here: only the winner of a round gains points" in page
    assert "the source lets players bet once the cards lie. By mail the bet is sealed with the card" in page


def test_R12_the_page_of_phoenix_says_what_its_turn_limit_stands_for() -> None:
    assert "It stands for the 60 minutes after which the source ends a match" in said("phoenix")


def test_R16_the_page_of_phoenix_says_how_seats_are_given_and_a_team_is_found() -> None:
    assert "partners wish for Red and Pink, or for Blue and Green" in said("phoenix")
