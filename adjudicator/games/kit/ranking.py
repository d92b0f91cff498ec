"""Places by score: equal ones share a place."""

from collections.abc import Mapping
from typing import Literal, TypeVar

from adjudicator.core.game import Result, Seat, Standing

NameT = TypeVar("NameT")
RankT = TypeVar("RankT", int, tuple[bool, int])


def ranking(scores: Mapping[Seat, int]) -> Result:
    """Rank the seats by score, the highest first; equal seats share a place, and all equal seats
    draw.
    """
    totals, place = list(scores.values()), places(scores)
    return {
        seat: Standing(place[seat], score, _outcome(score, totals))
        for seat, score in scores.items()
    }


def places(ranks: Mapping[NameT, RankT]) -> dict[NameT, int]:
    """Return the place of each by its rank, the higher the better."""
    return {name: 1 + sum(other > rank for other in ranks.values()) for name, rank in ranks.items()}


def _outcome(score: int, totals: list[int]) -> Literal["won", "shared", "drew", "lost"]:
    if score < max(totals):
        return "lost"
    if totals.count(score) == len(totals):
        return "drew"
    return "won" if totals.count(score) == 1 else "shared"
