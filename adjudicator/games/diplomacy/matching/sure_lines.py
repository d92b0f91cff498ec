"""Lines in canonical spelling whose judgement depends on no board beyond their units: most of what
forms, house bots and sealed texts hold. Each is judged once and kept.
"""

from dataclasses import dataclass
from functools import lru_cache

from adjudicator.games.diplomacy.language.canonical import read_canonical
from adjudicator.games.diplomacy.language.spelling import Said, read_line
from adjudicator.games.diplomacy.map.geography import STANDARD, Unit
from adjudicator.games.diplomacy.matching.judging import Judged, judge_line
from adjudicator.games.diplomacy.matching.unit_lookup import Field
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.orders import TRAITS, Change, Convoy, Support
from adjudicator.games.diplomacy.model.state import Position, RuleSet

LONGEST = len("F STP/NC S F STP/SC - BOT/NC")
KEPT = 1 << 15  # lines
EDITION = EDITIONS["2023"]  # what it allows, every edition does


@dataclass(frozen=True)
class SureLine:
    """An order of a movement phase that is legal wherever its units are, and needs no remark."""

    read: Said
    judged: Judged
    unit: Unit
    of: Unit | None  # the unit that it is to support or to convoy
    rule_sets: frozenset[RuleSet]  # that know it


def find_sure(field: Field, text: str) -> SureLine | None:
    """Return a line as it is judged on this board where that is sure, else None."""
    if not field.moves or len(text) > LONGEST:
        return None
    line = _judge(text)
    if (
        line is None
        or field.owner.get(line.unit) not in field.powers
        or (line.of and line.of not in field.owner)
        or field.rules.rule_set not in line.rule_sets
    ):
        return None
    return line


@lru_cache(KEPT)
def _judge(text: str) -> SureLine | None:
    order = read_canonical(text) or _read_change(text)
    read = read_line(text, STANDARD) if order else None
    if order is None or not isinstance(read, Said):
        return None
    of, judged = order.of if isinstance(order, Support | Convoy) else None, Judged((order,))
    position = Position("S1901M", {unit: "" for unit in (order.unit, of) if unit})
    rule_sets: tuple[RuleSet, ...] = ("standard", "rsp")
    known = [
        each
        for each in rule_sets
        if judge_line(Field(Rules(each, EDITION), position, ("",)), read) == judged
    ]
    return SureLine(read, judged, order.unit, of, frozenset(known)) if known else None


def _read_change(text: str) -> Change | None:
    """Return the change of a characteristic of which `text` is the `str`, None for another text."""
    for trait in TRAITS:
        unit = text.removeprefix(f"{trait} ")
        if unit != text and unit in STANDARD.units:
            return Change(unit, trait)
    return None
