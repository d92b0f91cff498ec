"""The rules page of RPS Phoenix says what the rules do."""

from pathlib import Path
from xml.etree import ElementTree

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from adjudicator.games.phoenix.drawing.rule_pictures import EXAMPLES, rule_pictures
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from adjudicator.play.submission import parse_submission, understand_all
from tests.games.phoenix.positions import position

TEMPLATES = Path(__file__).parents[3] / "templates"

OPENING = position("Rr? Rs66 Bs54 Bp?", turn=3, dice=(4, 4))  # Red's Paper lies in the Ashes
PASSING = position("Rr11 Bp?", turn=3, dice=(4, 3))  # Red has nothing to place
BEFORE_A_ROLL = position("Rp23 Rr46 Bs61 Br12")
AFTER_DOUBLES = position("Rr12 Bs61", dice=(3, 3))
BLOCKED = position("Rr12 Bs61", dice=(1, 2))
ESCALATION = position("Rr55 Bs22 Bp61", turn=60)
DOUBLES_IN_ESCALATION = position("Rs12 Bs61", turn=60, dice=(4, 4))
TABLES = (
    (OPENING, PASSING),
    (BEFORE_A_ROLL, ESCALATION),
    (AFTER_DOUBLES, DOUBLES_IN_ESCALATION, BLOCKED),
)


def page() -> ElementTree.Element:
    """Return the page as a tree."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    return ElementTree.fromstring(
        environment.get_template("web/rules/phoenix.html").render(pictures=rule_pictures()).strip()
    )


def said(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def legal(state: State, text: str) -> bool:
    return not PHOENIX.parse(state, "Red", text).refusals


def test_the_page_has_no_styles_and_no_scripts() -> None:
    assert page().tag == "article"
    assert not [
        element
        for element in page().iter()
        if element.get("style") or element.tag in {"style", "script"}
    ]


def test_every_order_in_the_tables_is_legal_at_its_place() -> None:
    tables = page().findall(".//table")
    for table, states in zip(tables, TABLES, strict=True):
        for code in table.iter("code"):
            assert [state for state in states if legal(state, code.text or "")], code.text


def test_an_order_of_another_place_is_understood_there_too() -> None:
    orders = [
        code.text or "" for table in page().findall(".//table") for code in table.iter("code")
    ]
    for state in (OPENING, BEFORE_A_ROLL, AFTER_DOUBLES, ESCALATION):
        refusals = [
            refusal for order in orders for refusal in PHOENIX.parse(state, "Red", order).refusals
        ]
        assert {refusal.kind for refusal in refusals} == {"illegal"}


def test_the_plans_on_the_page_are_understood_whole() -> None:
    plans = [(block.findtext("code") or "") for block in page().iter("pre")] + [
        "roll THEN phoenix paper OR move rock"
    ]
    for plan in plans:
        read = understand_all(PHOENIX, BEFORE_A_ROLL, "Red", parse_submission(plan))
        assert read.refusals == () and read.now.complete, plan
    assert understand_all(PHOENIX, BEFORE_A_ROLL, "Red", parse_submission(plans[-1])).texts == (
        "roll",
        "phoenix paper OR move rock",
    )
    assert "roll THEN phoenix paper OR move rock" in said(page())


def test_the_short_forms_on_the_page_are_read() -> None:
    for text in (
        "P NE",
        "paper north-east",
        "p ne",
        "paper 3,4",
        "paper 3-4",
        "paper 34",
        "the paper to 3,4",
    ):
        assert legal(BEFORE_A_ROLL, text), text


def test_the_orders_of_the_examples_are_those_that_were_played() -> None:
    assert EXAMPLES["bishop"].order in [code.text for code in page().iter("code")]


def test_the_page_has_every_picture_and_names_every_choice() -> None:
    assert len(page().findall(".//figure")) == len(rule_pictures())
    words = said(page())
    assert {option.name for option in PHOENIX.about.options} == {
        "escalation",
        "turn_limit",
        "team",
        "give-away",
        "casino",
    }
    defaults = {option.name: option.default for option in PHOENIX.about.options}
    assert f"after {defaults['escalation']} turns for each seat" in words
    assert f"Usually {defaults['turn_limit']} turns for each seat" in words
    (short,) = PHOENIX.about.presets
    assert (
        f"the Escalation after {short.options['escalation']} turns for each seat, the limit after"
        f" {short.options['turn_limit']}" in words
    )


def test_the_page_has_an_anchor_for_the_orders() -> None:
    assert [heading.text for heading in page().iter("h2") if heading.get("id") == "orders"] == [
        "Writing your orders"
    ]
