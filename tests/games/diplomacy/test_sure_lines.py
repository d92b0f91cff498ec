"""Lines that are judged once and kept: they give what the reader of spellings and the judge of a
board give.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.matching.sure_lines import find_sure
from adjudicator.games.diplomacy.matching.unit_lookup import field_of
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import TRAITS, Change, Convoy, Hold, Move, Support
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.ordering.choices import slots
from adjudicator.games.diplomacy.ordering.parsing import parse
from tests.games.diplomacy.sheets import ROUT, RSP, SEA, START, WINTER
from tests.games.diplomacy.table import position
from tests.sampling import examples

CROWD = position(
    "S1903M",
    "FRANCE A CON, F BUL/SC, F MAR / ENGLAND A ALB, F AEG, F ION / RUSSIA F STP/SC, F BLA, A RUM",
)
BOARDS = (START, SEA, CROWD, RSP, ROUT, WINTER, replace(CROWD, conceded=("FRANCE",)))
CHANGED = tuple(
    replace(board, setup=replace(board.setup, edition=edition, rule_set=rule_set))
    for board in (SEA, CROWD)
    for edition in EDITIONS
    for rule_set in ("standard", "rsp")
)


@pytest.mark.parametrize("board", (*BOARDS, *CHANGED))
def test_a_sure_line_gives_what_it_gives_with_a_blank_before_it(board: State) -> None:
    dice = random.Random(board.phase)
    for line in _lines(board, dice):
        seat = dice.choice(board.realms).seat
        sure, read = (parse(board, seat, text) for text in (line, f" {line}"))
        refusals = tuple(replace(each, line=each.line.strip()) for each in read.refusals)
        assert sure == replace(read, refusals=refusals)


def _lines(board: State, dice: random.Random) -> Iterator[str]:
    """Yield orders of units on a board and of others, legal and not."""
    there = [unit for units in board.units.values() for unit in units]
    for _ in range(examples(400, 4000)):
        units = there if dice.random() < 0.9 else STANDARD.units
        unit, of = dice.choice(units), dice.choice(units)
        near, spots = STANDARD.reach[unit], STANDARD.spots
        to = dice.choice(near if dice.random() < 0.6 else spots)
        goal = dice.choice((*STANDARD.reach[of], to))
        yield str(
            dice.choice(
                (
                    Hold(unit),
                    Move(unit, to),
                    Move(unit, to, via=True),
                    Support(unit, of),
                    Support(unit, of, goal),
                    Convoy(unit, of, goal[:3]),
                    Change(unit, dice.choice(TRAITS)),
                )
            )
        )


@pytest.mark.parametrize("board", [START, SEA, CROWD, RSP])
def test_the_choices_of_a_form_are_sure(board: State) -> None:
    for realm in board.realms:
        field = field_of(board, realm.seat)
        for slot in slots(board, realm.seat):
            texts = [choice.text for choice in slot.choices if not slot.aside]
            assert [text for text in texts if not find_sure(field, text)] == []


@pytest.mark.parametrize("text", ["A CON S A ALB - BUL/EC", "F MAR - SPA/SC VIA", "A CON - BUL/EC"])
def test_a_line_that_is_corrected_is_not_sure(text: str) -> None:
    assert find_sure(field_of(CROWD, "FRANCE"), text) is None
