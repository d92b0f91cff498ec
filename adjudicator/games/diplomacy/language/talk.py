"""Whether what players say to each other may be meant as an order: then it is not sent to anybody unasked (diplomacy R6)."""

from itertools import pairwise

from adjudicator.games.diplomacy.language.lexing import Word, lex
from adjudicator.games.diplomacy.map.geography import STANDARD

_BESIDE_A_PLACE = frozenset("KHSCVRDBT-")  # army, fleet, arrow, and the words of orders that name one place
_ALONE = frozenset("WYQ")  # waive, draw, concede


def may_order(line: str) -> bool:
    """Whether a line names two provinces, one beside a word of an order, or says what is an order without any.

    It errs towards orders: who only talked is asked, who ordered would have told the enemy.
    """
    words = lex(line, STANDARD)
    places = {word.means for word in words if word.kind == "P"}
    if len(places) > 1 or any(word.kind in _ALONE for word in words):
        return True
    return any(_are_an_order(one, other) for one, other in pairwise(words))


def _are_an_order(one: Word, other: Word) -> bool:
    """Whether two words that stand together are a place and a word of an order."""
    kinds = {one.kind, other.kind}
    return "P" in kinds and bool(kinds & _BESIDE_A_PLACE)
