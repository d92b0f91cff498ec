"""The rules pages, English and Russian, say what the rules do."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adjudicator.games.genesis.drawing.rule_pictures import EXAMPLES, rule_pictures
from adjudicator.games.genesis.model.orders import Leap
from adjudicator.games.genesis.model.terms import GIFTS, SCORES
from adjudicator.games.genesis.model.view import look
from adjudicator.games.genesis.model.world import SQUARES
from adjudicator.games.genesis.resolve.legal import moves_of
from adjudicator.games.genesis.resolve.movement import why_not_leap
from adjudicator.games.genesis.rules import ABOUT, GENESIS
from adjudicator.play.submission import parse_submission, understand_all
from tests.games.contract import faults_of_picture
from tests.games.genesis.scenes import OPENING

TEMPLATES = Path(__file__).parents[3] / "templates"
PAGES = {"en": "genesis.html", "ru": "genesis.ru.html"}
both_pages = pytest.mark.parametrize("language", PAGES)


def page(language: str, **values: str) -> ElementTree.Element:
    """Return a page as a tree."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    template = environment.get_template(f"web/rules/{PAGES[language]}")
    return ElementTree.fromstring(template.render(pictures=rule_pictures(), **values).strip())


def said(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def canonical(text: str) -> str:
    """Return the order that a line is, whether it is legal now or not; fails where it is none."""
    read = GENESIS.parse(OPENING, "1", text)
    assert len(read.orders) + len(read.refusals) == 1, text
    return str(read.orders[0]) if read.orders else read.refusals[0].understood


# --- the article


@both_pages
def test_the_page_has_no_styles_and_no_scripts_and_says_its_language(language: str) -> None:
    assert page(language).tag == "article"
    assert page(language).get("lang", "en") == language
    assert not [
        element
        for element in page(language).iter()
        if element.get("style") or element.tag in {"style", "script"}
    ]


@both_pages
def test_the_page_links_to_the_other_language_where_it_has_its_address(language: str) -> None:
    assert list(page(language).iter("a")) == []
    assert list(page(language, other_language="").iter("a")) == []
    (link,) = page(language, other_language="/rules/other").iter("a")
    other = "ru" if language == "en" else "en"
    assert (link.get("href"), link.get("hreflang"), link.get("lang")) == (
        "/rules/other",
        other,
        other,
    )


def test_both_pages_have_the_same_structure() -> None:
    shapes = [
        [
            element.tag
            for element in page(language).iter()
            if element.tag[0] in "htpuod" and len(element.tag) < 6
        ]
        for language in PAGES
    ]
    assert shapes[0] == shapes[1]


def test_the_russian_page_is_in_russian() -> None:
    tree = page("ru")
    for element in [each for each in tree.iter() if each.tag.rpartition("}")[2] in {"svg", "code"}]:
        tail = element.tail
        element.clear()
        element.tail = tail
    assert re.findall("[A-Za-z]{2,}", said(tree)) == []


@both_pages
def test_every_figure_has_its_picture_and_a_caption(language: str) -> None:
    figures = list(page(language).iter("figure"))
    assert len(figures) == len(rule_pictures()) / 2
    labels = [figure[0].get("aria-label") for figure in figures]
    assert len(set(labels)) == len(labels) and all(said(figure[1]) for figure in figures)


# --- what it says of the rules


@both_pages
def test_the_die_gives_what_the_page_says(language: str) -> None:
    rows = page(language).findall(".//table")[0].findall(".//tbody/tr")
    faces = [[int(sign) for sign in said(row[0]) if sign.isdigit()] for row in rows]
    assert faces == [
        [face for face in GIFTS if GIFTS[face] == gift] for gift in ("rebirth", "leap", "nothing")
    ]


@both_pages
def test_the_end_scores_what_the_page_says(language: str) -> None:
    rows = page(language).findall(".//table")[1].findall(".//tbody/tr")
    assert [int(said(row[2]).replace("−", "-")) for row in rows] == list(SCORES.values())


@both_pages
def test_the_options_are_those_of_the_game(language: str) -> None:
    names = [said(name) for name in page(language).findall(".//dl/dt")]
    ideas, limit, short = (said(text) for text in page(language).findall(".//dl/dd"))
    assert names == [
        *(option.name for option in ABOUT.options),
        *(preset.name for preset in ABOUT.presets),
    ]
    for number in (
        ABOUT.options[0].values[0],
        ABOUT.options[0].values[-1],
        ABOUT.options[0].default,
    ):
        assert str(number) in ideas
    assert str(ABOUT.options[1].default) in limit
    assert all(str(value) in short for value in ABOUT.presets[0].options.values())


# --- orders


@both_pages
def test_every_order_in_the_table_is_the_same_order_in_both_languages(language: str) -> None:
    rows = page(language).findall(".//table")[2].findall(".//tbody/tr")
    assert len(rows) == 13
    for row in rows:
        own, other = ([code.text or "" for code in row[column].iter("code")] for column in (1, 2))
        assert [canonical(text) for text in own] == [canonical(text) for text in other]
        english = own if language == "en" else other
        assert [canonical(text) for text in english] == english


@both_pages
def test_every_example_of_orders_is_read_whole(language: str) -> None:
    for example in page(language).findall(".//pre/code"):
        read = understand_all(GENESIS, OPENING, "2", parse_submission(example.text or ""))
        assert not read.refusals and all(read.texts), example.text


@both_pages
def test_orders_named_in_sentences_are_orders(language: str) -> None:
    named = {
        code.text or ""
        for place in ("p", "figcaption")
        for each in page(language).iter(place)
        for code in each.iter("code")
    }
    words = {"THEN", "OR", "b2"} | (
        {"pyramid", "deed"} if language == "en" else {"пирамида", "деяние"}
    )
    assert len(named - words) >= 4
    for text in named - words:
        assert canonical(text)


def test_russian_letters_that_look_like_latin_ones_and_both_letters_e_are_read() -> None:
    assert canonical("Бастет с3 идея а5") == "bastet c3 idea a5"
    assert canonical("АНУБИС е2") == "anubis e2"
    assert canonical("вернуть деяния") == canonical("вёрнуть деяния") == "return deeds"


# --- the examples


def test_pictures_come_in_both_languages_and_are_clean() -> None:
    pictures = rule_pictures()
    assert {name for name in pictures if name.endswith("_ru")} == {
        f"{name}_ru" for name in pictures if not name.endswith("_ru")
    }
    for svg in pictures.values():
        assert list(faults_of_picture(GENESIS, svg, set())) == [] and ' id="' not in svg


def test_the_squares_marked_in_the_example_of_moves_are_those_that_can_be_reached() -> None:
    example = EXAMPLES["moves"]
    for name, reached in example.reach.items():
        possible = {move.end for move in moves_of(example.state, "1", name)}
        assert tuple(square for square in SQUARES if square in possible) == reached


def test_the_squares_marked_in_the_example_of_a_leap_are_those_that_can_be_leapt_to() -> None:
    example = EXAMPLES["leap"]
    assert example.face == example.state.die == 3
    reached = tuple(
        square for square in SQUARES if not why_not_leap(example.state, "1", Leap(end=square))
    )
    assert reached == example.reach["bastet"]


def test_the_example_of_tombs_has_four_cells_filled_of_the_six_that_the_caption_names() -> None:
    side = look(EXAMPLES["tombs"].state, None).sides[0]
    assert side.tomb_cells == ("b1", "a2", "b2", "a4", "b4", "b5")
    assert [cell for cell in side.tomb_cells if cell not in side.filled] == ["b2", "b4"]
