"""The rules page says what the rules do."""

from pathlib import Path
from xml.etree import ElementTree

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adjudicator.games.pyramid.draw import rule_pictures
from adjudicator.games.pyramid.pieces import captures_by
from adjudicator.games.pyramid.rules import PYRAMID
from tests.games.pyramid.positions import DEAL, opening

TEMPLATES = Path(__file__).parents[3] / "templates"


def page() -> ElementTree.Element:
    """Return the page as a tree."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    return ElementTree.fromstring(
        environment.get_template("web/rules/pyramid.html").render(pictures=rule_pictures()).strip()
    )


def said(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def test_the_page_has_no_styles_and_no_scripts() -> None:
    assert page().tag == "article"
    assert not [
        element
        for element in page().iter()
        if element.get("style") or element.tag in {"style", "script"}
    ]


def test_the_capture_table_is_the_one_of_the_rules() -> None:
    rows = page().findall(".//table")[0].findall(".//tbody/tr")
    columns = ["B3", "B2", "B1", "W3", "W2", "W1"]
    for piece, row in zip(("B3", "B2", "B1"), rows, strict=True):
        for other, cell in zip(columns, row.findall("td"), strict=True):
            expected = (
                "captures"
                if captures_by(piece, other)
                else "is captured"
                if captures_by(other, piece)
                else "neutral"
            )
            assert said(cell) == expected, (piece, other)


def test_every_way_to_write_an_order_on_the_page_is_read() -> None:
    state = opening(deal=DEAL)
    colours, sizes = (
        page().findall(".//table")[1].findall(".//tbody/tr")[:3],
        page().findall(".//table")[1].findall(".//tbody/tr")[4:],
    )
    for colour in (code.text for row in colours for code in row.iter("code")):
        for size in (code.text for row in sizes for code in row.iter("code")):
            assert not PYRAMID.parse(state, "1", f"{colour} {size}").refusals
    spellings = (page().findall(".//pre")[0].findtext("code") or "").splitlines()
    assert {str(PYRAMID.parse(state, "1", text).orders[0]) for text in spellings} == {"B3"}


def test_the_page_shows_all_six_patterns() -> None:
    headings = [said(heading).lower() for heading in page().iter("h3")]
    assert sorted(headings) == sorted(name.replace("_", " ") for name in rule_pictures())
    assert len(page().findall(".//figure")) == 6
