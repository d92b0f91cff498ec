"""The result of a text where one order is due: the last good order, with a remark on those before
it (ruling G8).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from adjudicator.core.game import Parsed, Refusal
from adjudicator.games.kit.words import listing, plural, quote

OrderT = TypeVar("OrderT")
MOST_NAMED = 3  # orders that a remark names one by one


@dataclass(frozen=True)
class Misread:
    """Why a line is no order; an ambiguous one leaves something open or says it twice."""

    piece: str  # the smallest part that is wrong
    reason: str  # a sentence for the player
    like: tuple[str, ...] = ()  # what may be meant, the nearest first; not checked against a board
    kind: Literal["invalid", "illegal", "ambiguous"] = "invalid"

    def refusal(self, line: str, remedies: tuple[str, ...]) -> Refusal:
        """Return the refusal of the line."""
        refuse = Refusal.ambiguous if self.kind == "ambiguous" else Refusal.invalid
        return refuse(line, quote(self.piece), self.reason, remedies)


def last_counts(
    read: Sequence[OrderT | Refusal],
    owed: tuple[str, ...],
    *,
    several: str,
    called: Callable[[OrderT], str] = str,
) -> Parsed[OrderT]:
    """Return the result of a text whose lines were each read as an order or a refusal.

    `owed` names the slot that stays open without a good order, () for a seat that is not due. The
    remark begins with `several`, as in `You gave more than one order`, and names each order by
    `called`.
    """
    good = [each for each in read if not isinstance(each, Refusal)]
    refused = tuple(each for each in read if isinstance(each, Refusal))
    others = [called(order) for order in dict.fromkeys(good) if order != good[-1]]
    remarks = (
        (f"{several}; the last one, {called(good[-1])}, counts and {_not_counting(others)} not.",)
        if others
        else ()
    )
    return Parsed(tuple(good[-1:]), refused, remarks, () if good else owed)


def _not_counting(others: Sequence[str]) -> str:
    names = listing(others) if len(others) <= MOST_NAMED else f"the {len(others)} others"
    return f"{names} {plural(len(others), 'does', 'do')}"
