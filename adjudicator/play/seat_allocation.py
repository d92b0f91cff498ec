"""Seats by preference: what players wish, the assignments that please best, and the lot among them; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from adjudicator.core.chance import Stream
from adjudicator.core.game import Seat
from adjudicator.platform.words import display_seat, join_list

LABEL = "seating"  # of the one draw, from the public stream of phase 0; no game draws by this label
_BETWEEN = re.compile(r"[\s,;>]+")


class SeatingError(ValueError):
    """A wish names no seat of the match, or not one alone."""


@dataclass(frozen=True)
class Lot:
    """What the player of one place wished, and the seat that came of it."""

    wishes: tuple[Seat, ...]
    seat: Seat

    @property
    def said(self) -> str:
        """The end of the sentence `You play France, ...` for its player."""
        if not self.wishes:
            return "by lot, as you wished for nothing"
        if self.seat not in self.wishes:
            return f"by lot: what you wished for ({join_list(list(map(display_seat, self.wishes)))}) went to others"
        rank = self.wishes.index(self.seat)
        return f"your {('first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth')[rank]} wish"


def read_preferences(text: str, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the seats that `text` names, the dearest first: whole names or beginnings of one alone, in any case.

    Raises SeatingError with a sentence that quotes the word.
    """
    found: list[Seat] = []
    for word in filter(None, _BETWEEN.split(text)):
        seat = _named(word, seats)
        if seat in found:
            raise SeatingError(f"“{word[:40]}” stands twice among your wishes; name each once, the dearest first.")
        found.append(seat)
    return tuple(found)


def _named(word: str, seats: Sequence[Seat]) -> Seat:
    wanted = word.casefold()
    exact = [seat for seat in seats if seat.casefold() == wanted]
    meant = exact or [seat for seat in seats if seat.casefold().startswith(wanted)]
    if len(meant) == 1:
        return meant[0]
    names = join_list([display_seat(seat) for seat in (meant or seats)], "or")
    if meant:
        raise SeatingError(f"“{word[:40]}” may be {names}; write a little more of the name.")
    raise SeatingError(f"“{word[:40]}” is not played in this match; wish for {names}.")


def best(wishes: Sequence[Sequence[Seat]], seats: Sequence[Seat]) -> list[tuple[Seat, ...]]:
    """Return the assignments with the smallest sum of ranks, a seat for each place, in the order of `permutations(seats)`.

    The dearest wish has rank 0; every seat that was not named comes after all that were, each at the same rank, so
    that naming few gains nothing. There are as many places as seats, eight at most.
    """
    ranks = [{seat: list(mine).index(seat) if seat in mine else len(mine) for seat in seats} for mine in wishes]
    sums = {given: sum(rank[seat] for rank, seat in zip(ranks, given, strict=True)) for given in permutations(seats)}
    least = min(sums.values())
    return [given for given, total in sums.items() if total == least]


def draw(wishes: Sequence[Sequence[Seat]], seats: Sequence[Seat], stream: Stream) -> tuple[Lot, ...]:
    """Give every place a seat: one uniform draw among the best assignments."""
    given = stream.pick(LABEL, best(wishes, seats))
    return tuple(Lot(tuple(mine), seat) for mine, seat in zip(wishes, given, strict=True))
