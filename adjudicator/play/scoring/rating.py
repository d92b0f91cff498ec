"""Ratings of players in one game, pure: Bradley-Terry ratings of OpenSkill, worked out match by
match from the places.

The model is the full Bradley-Terry one of Weng and Lin, “A Bayesian Approximation Method for Online
Ranking” (JMLR 12, 2011): every pair of a match is compared, and equal places are half a win for
both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

# of a new player, as the library has them; its other values are beta 25/6 and tau 25/300
MU, SIGMA = 25.0, 25 / 3
PROVISIONAL = 10  # rated matches: whoever has fewer has a provisional rating
BASE, SCALE, MARGIN = 1000, 40, 3  # points = BASE + SCALE * (mu - MARGIN * sigma)


@dataclass(frozen=True)
class Rating:
    """What is believed of a player's skill: a normal distribution, and the number of rated matches
    that it rests on.
    """

    mu: float = MU
    sigma: float = SIGMA
    matches: int = 0

    @property
    def points(self) -> int:
        """The rating as it is shown, a whole number: the skill that the player has almost surely.
        Everybody begins with BASE.
        """
        return BASE + round(SCALE * (self.mu - MARGIN * self.sigma))

    @property
    def provisional(self) -> bool:
        """Whether it rests on few matches."""
        return self.matches < PROVISIONAL


NEW = Rating()


def rate_match(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match, in the same order; a lower place is better, equal places
    are a draw.

    Raises ValueError for fewer than two players, or where the numbers of ratings and places differ.
    """
    if len(before) != len(places) or len(before) < 2:
        raise ValueError("A match is rated with a place for each of at least two players.")
    # takes a tenth of a second, and only workers rate
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull(mu=MU, sigma=SIGMA)
    teams = [[model.rating(mu=each.mu, sigma=each.sigma)] for each in before]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(after.mu, after.sigma, old.matches + 1)
        for old, [after] in zip(before, rated, strict=True)
    ]
