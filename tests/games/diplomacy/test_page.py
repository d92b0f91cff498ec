"""The rules pages of both Diplomacies agree with the code, on the site and by letter."""

import html
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adjudicator.core.game import AnyGame
from adjudicator.games.diplomacy.drawing.lessons import LESSONS, rsp_rule_pictures, rule_pictures
from adjudicator.games.diplomacy.language.spelling import Said, read_line
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.options import ALLIES, EDITION, SEATS
from adjudicator.games.diplomacy.model.orders import Support
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.mail.composing.rendering import COLUMNS, render_rules

TEMPLATES = Path(__file__).parents[3] / "templates"
PICTURES = {"diplomacy": rule_pictures, "rsp-diplomacy": rsp_rule_pictures}
both_pages = pytest.mark.parametrize(
    "game", [DIPLOMACY, RSP_DIPLOMACY], ids=lambda game: game.about.key
)


@cache
def drawn(key: str) -> tuple[str, ...]:
    """Return the names of the pictures of a page."""
    return tuple(PICTURES[key]())


def written(game: AnyGame) -> str:
    """Return a page without its pictures."""
    return _rendered(game.about.key)


@cache
def _rendered(key: str) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    pictures = dict.fromkeys(drawn(key), "")
    return environment.get_template(f"web/rules/{key}.html").render(pictures=pictures).strip()


def page(game: AnyGame) -> ElementTree.Element:
    return ElementTree.fromstring(written(game))


def said(game: AnyGame) -> str:
    """Return the text of a page in one line."""
    return " ".join("".join(page(game).itertext()).split())


def examples(game: AnyGame) -> list[str]:
    """Return every order that a page gives as an example: in its tables, captions, lists of terms
    and letters.
    """
    places = re.findall(
        r"<(?:td|figcaption|dt|pre)\b[^>]*>(.*?)</(?:td|figcaption|dt|pre)>",
        written(game),
        re.DOTALL,
    )
    codes = [
        html.unescape(code)
        for place in places
        for code in re.findall(r"<code>(.*?)</code>", place, re.DOTALL)
    ]
    lines = [line for code in codes if not code.startswith("units") for line in code.splitlines()]
    return [order for line in lines if line != "THEN" for order in line.split(" OR ")]


# --- the article


@both_pages
def test_the_page_has_no_styles_and_no_scripts_and_no_picture_is_missing(game: AnyGame) -> None:
    assert page(game).tag == "article"
    assert not [
        element
        for element in page(game).iter()
        if element.get("style") or element.tag in {"style", "script"}
    ]


@both_pages
def test_every_picture_is_shown_once_with_a_caption(game: AnyGame) -> None:
    article = (
        Path(TEMPLATES, f"web/rules/{game.about.key}.html").read_text()
        + Path(TEMPLATES, "web/rules/_diplomacy/map.html").read_text()
    )
    assert sorted(re.findall(r"pictures\.(\w+) \|", article)) == sorted(drawn(game.about.key))
    assert len(list(page(game).iter("figcaption"))) == len(drawn(game.about.key))


@both_pages
def test_no_line_of_the_rules_is_wider_than_a_letter(game: AnyGame) -> None:
    assert [
        line for line in render_rules(game.about.key).text.splitlines() if len(line) > COLUMNS
    ] == []


# --- orders


@both_pages
def test_every_example_of_an_order_is_read(game: AnyGame) -> None:
    assert len(examples(game)) > 30
    assert [
        text for text in examples(game) if not isinstance(read_line(text, STANDARD), Said)
    ] == []


@both_pages
def test_only_the_standard_rules_show_supports(game: AnyGame) -> None:
    orders = [
        order
        for text in examples(game)
        if isinstance(read := read_line(text, STANDARD), Said)
        for order in read.orders
    ]
    assert any(isinstance(order, Support) for order in orders) == (game is DIPLOMACY)


@pytest.mark.parametrize("name", LESSONS)
def test_the_moves_of_a_lesson_stand_in_a_caption(name: str) -> None:
    game = RSP_DIPLOMACY if LESSONS[name].rule_set == "rsp" else DIPLOMACY
    shown = {
        str(order)
        for text in examples(game)
        if isinstance(read := read_line(text, STANDARD), Said)
        for order in read.orders
    }
    assert {order for orders in LESSONS[name].orders.values() for order in orders} <= shown


# --- the content


@both_pages
def test_every_province_is_listed_with_its_code(game: AnyGame) -> None:
    listed = said(game).partition("The provinces")[2]
    assert [
        place.code
        for place in STANDARD.places.values()
        if f"{place.code} {place.name}" not in listed
    ] == []


@both_pages
def test_every_edition_and_preset_is_named(game: AnyGame) -> None:
    names = {code.text for code in page(game).iter("code")}
    assert set(EDITION) <= names
    assert {preset.name for preset in game.about.presets} <= names


@both_pages
def test_every_choice_of_a_match_is_told_under_its_own_title(game: AnyGame) -> None:
    assert {option.title for option in game.about.options} <= {
        term.text for term in page(game).iter("dt")
    }


@both_pages
def test_r5_who_plays_what_with_fewer_than_seven_is_told(game: AnyGame) -> None:
    terms = {
        term.text: meaning.text or ""
        for term, meaning in zip(page(game).iter("dt"), page(game).iter("dd"), strict=True)
    }
    for players in (2, 3, 4):
        sides = re.split(
            r" against |; ", terms[f"{players} players"].partition("; nobody")[0].rstrip(".")
        )
        played = {frozenset({seat, *ALLIES[players].get(seat, ())}) for seat in SEATS[players]}
        assert {
            frozenset(name.upper() for name in re.split(r", | and ", side)) for side in sides
        } == played
