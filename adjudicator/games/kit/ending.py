"""How a match ends in games that rank by a score."""

from collections.abc import Mapping
from typing import Literal

from adjudicator.core.game import Result, Seat, Standing


def ranking(scores: Mapping[Seat, int]) -> Result:
    """Rank the seats by score, the highest first; equal seats share a place, and all equal seats draw."""
    totals = list(scores.values())
    return {seat: Standing(1 + sum(other > score for other in totals), score, _outcome(score, totals)) for seat, score in scores.items()}


def _outcome(score: int, totals: list[int]) -> Literal["won", "shared", "drew", "lost"]:
    if score < max(totals):
        return "lost"
    if totals.count(score) == len(totals):
        return "drew"
    return "won" if totals.count(score) == 1 else "shared"
