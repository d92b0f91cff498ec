"""The rules page of RPS Redeux says what the rules do."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adjudicator.games.redeux.draw import rule_pictures
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.mail.composing.rendering import render_rules
from adjudicator.play.submission import parse_submission, understand, understand_plan
from tests.games.redeux.positions import after, opening, order, play, risk, scores

TEMPLATES = Path(__file__).parents[3] / "templates"


def page() -> ElementTree.Element:
    """Return the page as a tree."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    return ElementTree.fromstring(
        environment.get_template("web/rules/redeux.html").render(pictures=rule_pictures()).strip()
    )


def said(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def test_the_page_has_no_styles_and_no_scripts_and_shows_every_picture() -> None:
    assert page().tag == "article"
    assert not [
        element
        for element in page().iter()
        if element.get("style") or element.tag in {"style", "script"}
    ]
    assert len(page().findall(".//figure")) == len(rule_pictures())


def test_the_example_on_the_page_is_what_the_rules_make_of_it() -> None:
    state = opening()
    for row in page().findall(".//table")[0].findall(".//tbody/tr"):
        one, other, score = (said(cell) for cell in row.findall("td"))
        state = play(state, f"{one[0].upper()}/{other[0].upper()}").state
        assert scores(state).replace("-", " to ") == score.partition(",")[0]


def test_every_way_to_write_an_order_on_the_page_is_read_as_the_same() -> None:
    rows = page().findall(".//table")[1].findall(".//tbody/tr")
    question = after(opening(), "R/S R/S R/S")
    for row in rows:
        state = question if said(row).startswith(("Go on", "End")) else risk("10-5")
        reads = [REDEUX.parse(state, "1", code.text or "") for code in row.iter("code")]
        assert not [refusal for read in reads for refusal in read.refusals]
        assert len({read.orders for read in reads}) == 1


@pytest.mark.parametrize("picks", ["R/S yes/yes", "R/R P/R yes/yes"])
def test_the_plan_on_the_page_goes_on_to_the_risk_rounds_tie_or_not(picks: str) -> None:
    parts = parse_submission(page().findall(".//pre")[0].findtext("code") or "").parts
    state = after(opening(), "R/S R/S")
    for part, pick in zip(parts, picks.split(), strict=False):
        assert understand_plan(REDEUX, opening(), "1", part).refusals == ()
        assert understand(REDEUX, state, "1", part).orders == (order(pick.partition("/")[0]),)
        state = after(state, pick)
    assert state.part == "risk"


def test_every_option_is_told_by_its_title() -> None:
    assert [said(title) for title in page().iter("dt")] == [
        option.title for option in REDEUX.about.options
    ]


def test_the_letter_of_the_rules_fits_its_lines() -> None:
    text = render_rules("redeux").text
    assert "Writing your orders" in text
    assert all(len(line) <= 100 for line in text.splitlines())
