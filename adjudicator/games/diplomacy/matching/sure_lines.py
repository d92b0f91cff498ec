"""Lines in canonical spelling whose judgement depends on no board beyond their units: most of what
forms, house bots and sealed texts hold. Each is judged once and kept.
"""

from dataclasses import dataclass
from functools import lru_cache

from adjudicator.games.diplomacy.language.canonical import read_canonical
from adjudicator.games.diplomacy.language.spelling import Said, read_line
from adjudicator.games.diplomacy.map.geography import STANDARD, Unit
from adjudicator.games.diplomacy.matching.judging import Judged, judge_line
from adjudicator.games.diplomacy.matching.unit_lookup import Field, field_on
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.orders import Convoy, Support
from adjudicator.games.diplomacy.model.state import Position

LONGEST = len("F STP/NC S F STP/SC - BOT/NC")
KEPT = 1 << 15  # lines
STRICT = Rules("standard", EDITIONS["2023"])  # what it allows, every edition does


@dataclass(frozen=True)
class SureLine:
    """A movement order that is legal wherever its units are, and needs no remark."""

    read: Said
    judged: Judged
    unit: Unit
    of: Unit | None  # the unit that it is to support or to convoy
    supports: bool


def find_sure(field: Field, text: str) -> SureLine | None:
    """Return how a line is read and judged on this board where that is sure, else None."""
    if field.position.stage != "M" or field.idle or len(text) > LONGEST:
        return None
    line = _judge(text)
    if (
        line is None
        or field.owner.get(line.unit) not in field.powers
        or (line.of and line.of not in field.owner)
        or (line.supports and field.rules.rule_set != "standard")
    ):
        return None
    return line


@lru_cache(KEPT)
def _judge(text: str) -> SureLine | None:
    order = read_canonical(text)
    if order is None:
        return None
    of = order.of if isinstance(order, Support | Convoy) else None
    read, owner = read_line(text, STANDARD), {unit: "" for unit in (order.unit, of) if unit}
    board = field_on(STRICT, Position("S1901M", owner), ("",))
    judged = judge_line(board, read) if isinstance(read, Said) else None
    if not isinstance(read, Said) or judged != Judged((order,)):
        return None
    return SureLine(read, judged, order.unit, of, isinstance(order, Support))
