"""Seats by preference: reads the wishes, finds the best assignments and draws one of them; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from adjudicator.core.chance import Stream
from adjudicator.core.game import Seat
from adjudicator.platform.words import display_seat, join_list

LABEL = "seating"  # of the draw, from the public stream of phase 0; no game uses this label
_BETWEEN = re.compile(r"[\s,;>]+")


class SeatingError(ValueError):
    """A wish names no seat of the match, several seats, or one for the second time."""


@dataclass(frozen=True)
class Lot:
    """The wishes of the player in one place, and the seat assigned."""

    wishes: tuple[Seat, ...]
    seat: Seat

    @property
    def said(self) -> str:
        """The end of the sentence `You play France, ...` for its player."""
        if not self.wishes:
            return "by lot, as you wished for nothing"
        if self.seat not in self.wishes:
            return (
                f"by lot: what you wished for ({join_list(list(map(display_seat, self.wishes)))})"
                " went to others"
            )
        rank = self.wishes.index(self.seat)
        return (
            "your"
            f" {('first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth')[rank]}"
            " wish"
        )


def read_preferences(text: str, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the seats that `text` names in order of preference; a word is a name or the unique
    beginning of one, in any case.

    Raises SeatingError with a sentence that quotes the word.
    """
    found: list[Seat] = []
    for word in filter(None, _BETWEEN.split(text)):
        seat = _seat_meant(word, seats)
        if seat in found:
            raise SeatingError(
                f"“{word[:40]}” stands twice among your wishes; name each once, the dearest first."
            )
        found.append(seat)
    return tuple(found)


def _seat_meant(word: str, seats: Sequence[Seat]) -> Seat:
    wanted = word.casefold()
    exact = [seat for seat in seats if seat.casefold() == wanted]
    meant = exact or [seat for seat in seats if seat.casefold().startswith(wanted)]
    if len(meant) == 1:
        return meant[0]
    names = join_list([display_seat(seat) for seat in meant or seats], "or")
    if meant:
        raise SeatingError(f"“{word[:40]}” may be {names}; write a little more of the name.")
    raise SeatingError(f"“{word[:40]}” is not played in this match; wish for {names}.")


def best_assignments(
    wishes: Sequence[Sequence[Seat]], seats: Sequence[Seat]
) -> list[tuple[Seat, ...]]:
    """Return the assignments with the smallest sum of ranks, a seat for each place, in the order of
    `permutations(seats)`.

    The first wish has rank 0. All seats that were not named share the rank after the last wish, so
    naming few gains nothing. There are as many seats as places or more, eight at most. Of more,
    those who get no wish of theirs have the first seats that are left (phoenix R16).
    """
    ranks = [
        {seat: list(mine).index(seat) if seat in mine else len(mine) for seat in seats}
        for mine in wishes
    ]
    possible = permutations(seats, len(wishes))
    sums = {
        given: sum(rank[seat] for rank, seat in zip(ranks, given, strict=True))
        for given in possible
    }
    least = min(sums.values())
    return [
        given
        for given, total in sums.items()
        if total == least and _leaves_the_last(given, wishes, seats)
    ]


def _leaves_the_last(
    given: Sequence[Seat], wishes: Sequence[Sequence[Seat]], seats: Sequence[Seat]
) -> bool:
    """Whether the seats that nobody has are the last ones of those that nobody has by a wish."""
    granted = {seat for seat, mine in zip(given, wishes, strict=True) if seat in mine}
    left = [seat for seat in seats if seat not in granted]
    return set(given) == granted | set(left[: len(given) - len(granted)])


def draw_seats(
    wishes: Sequence[Sequence[Seat]], seats: Sequence[Seat], stream: Stream
) -> tuple[Lot, ...]:
    """Assign a seat to every place by one uniform draw among the best assignments."""
    given = stream.pick(LABEL, best_assignments(wishes, seats))
    return tuple(Lot(tuple(mine), seat) for mine, seat in zip(wishes, given, strict=True))
