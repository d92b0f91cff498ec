"""Computes how the house bot of Rock Paper Pyramid mixes its tactics: `python -m
tools.train_pyramid` writes mixture.json anew.

Regret matching on rollouts: at each decision of a match every tactic is played to the end, and the
weight of a tactic grows with what it would have won beyond the mixture (Hart and Mas-Colell 2000;
Zinkevich and others 2007). In most matches the two others are the mixture itself, in the rest pure
plans, so that it learns to punish these and stays hard to predict (a restricted Nash response;
Johanson and others 2007). The mean of the mixtures over time is kept. The same seed gives the same
file.
"""

import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from adjudicator.games.pyramid.bot import situation
from adjudicator.games.pyramid.pieces import STACKS, Piece, pips
from adjudicator.games.pyramid.state import open_round
from adjudicator.games.pyramid.tactics import TACTICS, Pool, Sight
from tools.pyramid_plans import PLANS

SEATS = ("1", "2", "3")
NAMES = tuple(TACTICS)
FILE = Path(__file__).parent.parent / "adjudicator/games/pyramid/mixture.json"
MATCHES = 6000
AGAINST_PLANS = 0.4  # share of matches in which the others follow pure plans
ALONE = 0.7  # share of these in which only one does
# how often a plan is met that wins a third of its matches or fewer, relative to what others win
# beyond
RARE = 0.02
BLEND = 0.25  # share of random play in the mixture that is kept
KEPT = 0.98  # weight of a plan's record with each further match

Player = Callable[[Pool, Sight], Piece]


@dataclass(frozen=True)
class Table:
    """A match between two rounds."""

    pools: tuple[Pool, Pool, Pool] = (STACKS, STACKS, STACKS)
    played: tuple[Pool, Pool, Pool] = ((), (), ())
    scores: tuple[int, int, int] = (0, 0, 0)

    def sight(self, place: int) -> Sight:
        """Return what a seat sees: the next seat first."""
        one, other = (place + 1) % 3, (place + 2) % 3
        return Sight((self.pools[one], self.pools[other]), (self.played[one], self.played[other]))

    def after(self, shown: Sequence[Piece]) -> "Table":
        """Return the table after a round."""
        gains = _gains(*shown)
        pools = [
            tuple(piece for piece in pool if piece != gone)
            for pool, gone in zip(self.pools, shown, strict=True)
        ]
        played = [(*before, piece) for before, piece in zip(self.played, shown, strict=True)]
        scores = [score + gain for score, gain in zip(self.scores, gains, strict=True)]
        return Table(tuple(pools), tuple(played), tuple(scores))  # type: ignore[arg-type]  # three of each

    def share(self, place: int) -> float:
        """Return a seat's share of the first place."""
        return (self.scores[place] == max(self.scores)) / self.scores.count(max(self.scores))


@cache
def _gains(one: Piece, other: Piece, third: Piece) -> tuple[int, int, int]:
    opened = open_round(1, {"1": one, "2": other, "3": third})
    points = sum(map(pips, opened.haul))
    return tuple(points * (seat == opened.taker) for seat in SEATS)  # type: ignore[return-value]  # three


def play_on(table: Table, players: Sequence[Player]) -> Table:
    """Play a match to its end."""
    while table.pools[0]:
        table = table.after(
            [player(table.pools[place], table.sight(place)) for place, player in enumerate(players)]
        )
    return table


class Learner:
    """Regrets and summed mixtures by situation."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311 no secret
        self.regrets: dict[str, list[float]] = defaultdict(lambda: [0.0] * len(NAMES))
        # won and played by each plan alone, older matches with less weight
        self.record = dict.fromkeys(PLANS, (1.0, 3.0))
        self.summed: dict[str, list[float]] = defaultdict(lambda: [0.0] * len(NAMES))

    def mixture(self, key: str) -> list[float]:
        """Return the weights by regret matching: positive regrets, all equal where none is
        positive.
        """
        positive = [max(0.0, regret) for regret in self.regrets[key]]
        total = sum(positive)
        return [each / total for each in positive] if total else [1 / len(NAMES)] * len(NAMES)

    def show(self, mine: Pool, sight: Sight) -> Piece:
        """Show a piece by the current mixture."""
        if len(mine) == 1:
            return mine[0]
        name = self.dice.choices(NAMES, self.mixture(situation(mine, sight)))[0]
        return self.dice.choice(TACTICS[name](mine, sight))

    def play_match(self, number: int) -> None:
        """Play a match, and learn at every decision of one seat."""
        place, rival = number % 3, (number + self.dice.choice((1, 2))) % 3
        players: list[Player] = [self.show] * 3
        plan = self._dangerous_plan() if self.dice.random() < AGAINST_PLANS else ""
        alone = self.dice.random() < ALONE
        if plan:
            players = [
                PLANS[plan] if seat == rival or (seat != place and not alone) else self.show
                for seat in range(3)
            ]
        table = Table()
        while len(table.pools[0]) > 1:
            table = self._learn(table, players, place, number)
        if plan and alone:
            won, played = self.record[plan]
            self.record[plan] = (
                KEPT * won + play_on(table, players).share(rival),
                KEPT * played + 1,
            )

    def _dangerous_plan(self) -> str:
        """Return a plan, the more likely the more it wins lately against two mixtures."""
        rates = [won / played for won, played in (self.record[name] for name in PLANS)]
        return self.dice.choices(list(PLANS), [RARE + max(0.0, rate - 1 / 3) for rate in rates])[0]

    def _learn(self, table: Table, players: Sequence[Player], place: int, number: int) -> Table:
        sight, mine = table.sight(place), table.pools[place]
        key = situation(mine, sight)
        shown = [
            player(table.pools[seat], table.sight(seat)) for seat, player in enumerate(players)
        ]
        by_piece: dict[Piece, float] = {}
        values = []
        for name in NAMES:
            piece = self.dice.choice(TACTICS[name](mine, sight))
            if piece not in by_piece:
                following = table.after([*shown[:place], piece, *shown[place + 1 :]])
                by_piece[piece] = play_on(following, players).share(place)
            values.append(by_piece[piece])
        weights = self.mixture(key)
        mean = sum(weight * value for weight, value in zip(weights, values, strict=True))
        for at, value in enumerate(values):
            self.regrets[key][at] += value - mean
            self.summed[key][at] += number * weights[at]
        return table.after(shown)


def percentages(summed: Sequence[float]) -> dict[str, int]:
    """Return a mixture in percent, blended with random play, which nobody can predict; tactics of
    less than half a percent are left out.
    """
    share = (1 - BLEND) / sum(summed)
    shares = {
        name: share * each + BLEND * (name == "any")
        for name, each in zip(NAMES, summed, strict=True)
    }
    return {name: round(100 * each) for name, each in shares.items() if round(100 * each)}


def main(arguments: list[str]) -> None:
    """Train and write the file; a number of matches may be given."""
    learner = Learner(1)
    for number in range(1, int(arguments[0]) if arguments else MATCHES):
        learner.play_match(number)
    told = {key: percentages(summed) for key, summed in sorted(learner.summed.items())}
    FILE.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
