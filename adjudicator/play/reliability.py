"""The reliability of a player, pure: which share of the phases that waited for a player got orders,
the recent ones first of all.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice, repeat
from math import floor

HALF_LIFE = 20  # phases: each counts half as much as one that is so many phases newer
MOST = 100  # phases that are looked at
ASSUMED, ASSUMED_PHASES = 0.9, 5  # the share that is assumed of so many phases before the first one
BEGINNING = 20  # phases: whoever has fewer is a beginner
_FADING = 0.5 ** (1 / HALF_LIFE)


@dataclass(frozen=True)
class Reliability:
    """The share of their phases that a player plays."""

    percent: int  # rounded down
    phases: int  # that it rests on, at most MOST

    @property
    def beginner(self) -> bool:
        """Whether it rests on few phases."""
        return self.phases < BEGINNING

    def __str__(self) -> str:
        """Return what follows a name: `plays 97 % of phases`, `new here` of a beginner."""
        return "new here" if self.beginner else f"plays {self.percent} % of phases"


def reliability(played: Iterable[bool]) -> Reliability:
    """Return the reliability that follows from the phases of a player, the newest first: whether
    something was handed in.

    It is a mean of the newest MOST phases in which each counts half as much as one HALF_LIFE phases
    newer. Before the first phase stand ASSUMED_PHASES of which ASSUMED were played, so that few
    phases say little. One more phase that was played never lowers it, one more that was missed
    never raises it.
    """
    real = list(islice(played, MOST))
    seen = islice(chain(map(float, real), repeat(ASSUMED, ASSUMED_PHASES)), MOST)
    weighted = total = 0.0
    for age, share in enumerate(seen):
        weight = _FADING**age
        weighted, total = weighted + weight * share, total + weight
    return Reliability(floor(round(100 * weighted / total, 6)), len(real))
