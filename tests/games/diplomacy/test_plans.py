"""Plans and alternatives in the Diplomacies: units that do not exist yet, and characteristics,
which are never conditional (rsp R2).
"""

from dataclasses import dataclass, replace

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import AnyGame
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.play.loop import Closed, Opening, advance_match
from adjudicator.play.submission import Submitted, parse_submission, understand_all
from tests.games.diplomacy.table import position

ALONE = position("S1902M", "FRANCE A PAR, A MAR", "FRANCE PAR MAR BRE", seats=("FRANCE",))
RSP = replace(
    ALONE, setup=replace(ALONE.setup, rule_set="rsp"), traits={"A PAR": "Paper", "A MAR": "Paper"}
)


@dataclass(frozen=True)
class Part:
    """One part of a sealed plan."""

    orders: str


def submitted(text: str, game: AnyGame = RSP_DIPLOMACY, state: State = RSP) -> Submitted:
    """Parse a submission of France, the only player."""
    return understand_all(game, state, "FRANCE", parse_submission(text))


def followed(
    text: str, game: AnyGame = RSP_DIPLOMACY, state: State = RSP
) -> tuple[tuple[Closed[Part], ...], Opening[Part]]:
    """Return the state that a submission leads to, until the match waits for France."""
    read = submitted(text, game, state)
    plans = {"FRANCE": tuple(Part(part) for part in read.texts)}
    return advance_match(
        game, state, number=1, plans=plans, chance_of=lambda number: ScriptedChance([])
    )


def test_G5_a_plan_names_units_where_they_will_be() -> None:
    read = submitted("A Par-Bur\nA Mar H THEN A Bur-Ruh\nMar - Spa", DIPLOMACY, ALONE)
    assert read.refusals == ()
    assert read.texts == ("A PAR - BUR\nA MAR H", "A BUR - RUH\nA MAR - SPA")
    closed, opening = followed("A Par-Bur\nA Mar H THEN A Bur-Ruh\nMar - Spa", DIPLOMACY, ALONE)
    assert [each.phase.name for each in closed] == ["Spring 1902", "Fall 1902"]
    assert opening.state.units["FRANCE"] == ("A RUH", "A SPA")


def test_G5_of_alternatives_the_first_that_is_legal_then_is_taken() -> None:
    _, opening = followed(
        "A Par-Bur\nA Mar H THEN A Gas-Spa OR A Bur-Gas\nA Mar H", DIPLOMACY, ALONE
    )
    assert opening.state.units["FRANCE"] == ("A GAS", "A MAR")


def test_rsp_R2_a_line_with_OR_carries_no_change() -> None:
    read = submitted("Rock A Par-Bur OR A Par-Pic\nA Mar H")
    assert [str(order) for order in read.now.orders] == ["A PAR - PIC", "A MAR H"]
    assert [(refusal.line, refusal.piece, refusal.kind) for refusal in read.refusals] == [
        ("Rock A Par-Bur", "Rock A PAR", "invalid")
    ]
    assert (
        read.refusals[0].reason
        == "“Rock A PAR” is never conditional, so it cannot stand beside OR; write it on a line of"
        " its own."
    )


def test_rsp_R2_nor_does_one_of_a_plan_though_its_unit_is_not_there_yet() -> None:
    read = submitted("A Par-Bur\nA Mar H THEN Rock A Bur-Ruh OR A Bur-Gas")
    assert read.texts[1] == "A BUR - GAS"
    assert [refusal.piece for refusal in read.refusals] == ["Rock A BUR"]


def test_rsp_R2_a_change_after_THEN_counts_where_its_unit_is_there_then() -> None:
    closed, opening = followed("A Par-Bur\nA Mar H THEN Rock A Bur-Ruh\nScissors A Mar\nA Mar H")
    assert len(closed) == 2 and not any(each.dropped for each in closed)
    assert opening.state.traits == {"A RUH": "Rock", "A MAR": "Scissors"}


def test_rsp_R2_a_change_after_THEN_is_dropped_alone_where_its_unit_is_not_there_then() -> None:
    closed, opening = followed("A Par-Bur\nA Mar H THEN Rock A Pic\nA Bur-Ruh\nA Mar H")
    assert opening.state.units["FRANCE"] == ("A MAR", "A RUH")
    assert opening.state.traits == {"A RUH": "Paper", "A MAR": "Paper"}
    dropped = closed[1].dropped["FRANCE"]
    assert (dropped.text, dropped.reason, dropped.alone) == (
        "Rock A PIC",
        "There is no unit in Picardy.",
        True,
    )


def test_G5_a_plan_with_an_order_that_is_not_legal_then_is_dropped_whole() -> None:
    closed, opening = followed("A Par-Bur\nA Mar H THEN Rock A Mar\nA Pic-Bel")
    assert [each.phase.name for each in closed] == ["Spring 1902"]
    assert (opening.dropped["FRANCE"].alone, opening.dropped["FRANCE"].text) == (
        False,
        "Rock A MAR\nA PIC - BEL",
    )


def test_G8_a_later_order_takes_the_change_of_an_earlier_line_with_it_and_what_was_sealed_apart_stays() -> (
    None
):
    assert submitted("Rock A Par-Bur\nA Par H\nA Mar H").now.text == "A PAR H\nA MAR H"
    assert (
        submitted("Rock A Par\nA Par-Bur\nA Par H\nA Mar H").now.text
        == "Rock A PAR\nA PAR H\nA MAR H"
    )
