"""Detects press that may be meant as an order; it is sent only after the player confirms it
(diplomacy R6).
"""

from itertools import pairwise

from adjudicator.games.diplomacy.language.lexing import Word, lex
from adjudicator.games.diplomacy.map.geography import STANDARD

# army, fleet, arrow, and the words of orders that name one place
_BESIDE_A_PLACE = frozenset("KHSCVRDBT-")
_ALONE = frozenset("WYQ")  # waive, draw, concede


def may_order(line: str) -> bool:
    """Whether a line names two provinces, or one beside a word of an order, or has a word that is
    an order without a province.

    It errs towards orders: a false alarm costs a question, a missed order would be sent to an
    enemy.
    """
    words = lex(line, STANDARD)
    places = {word.means for word in words if word.kind == "P"}
    if len(places) > 1 or any(word.kind in _ALONE for word in words):
        return True
    return any(_are_an_order(one, other) for one, other in pairwise(words))


def _are_an_order(one: Word, other: Word) -> bool:
    """Whether two adjacent words are a place and a word of an order."""
    kinds = {one.kind, other.kind}
    return "P" in kinds and bool(kinds & _BESIDE_A_PLACE)
