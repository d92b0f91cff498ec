"""The equilibrium of RPS Redeux's Primary game: how often each card is played where both seats
count the cards.

A round is a matrix game whose entries are the chances to win the Primary game; its optimal mixture
makes all cards of its support equally good (von Neumann 1928).
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from adjudicator.games.kit.glyphs import BEATS, KINDS, Kind

DEEPEST = 2  # rounds that are looked ahead; with more of them left only the next ones count
RETRIES = 5  # how often a tied round is looked at again
RESOLUTION = 60  # weights are whole numbers with this sum, about
CLOSE = 1e-9
LITTLE = 0.01  # what a round is worth beyond the chance to win

Hand = tuple[int, int, int]
"""How many cards of each of `KINDS`."""


def hand_of(cards: Iterable[Kind]) -> Hand:
    """Return the cards counted."""
    counted = list(cards)
    return counted.count(KINDS[0]), counted.count(KINDS[1]), counted.count(KINDS[2])


def card_weights(mine: Hand, theirs: Hand, rounds: int, ahead: int) -> list[Kind]:
    """Return the cards of the optimal mixture, each as often as its weight; `ahead` is the
    difference in rounds won.
    """
    weights = _optimal(mine, theirs, min(rounds, DEEPEST), ahead if rounds <= DEEPEST else 0)[0]
    return [
        kind
        for kind, weight in zip(KINDS, weights, strict=True)
        for _ in range(round(RESOLUTION * weight))
    ]


@lru_cache(maxsize=20_000)
def _optimal(mine: Hand, theirs: Hand, rounds: int, ahead: int) -> tuple[tuple[float, ...], float]:
    """Return the optimal weight of each kind, and the chance to end ahead."""
    chance = _decided(ahead)
    if not rounds:
        return (0.0, 0.0, 0.0), chance
    rows, columns = ([place for place in range(3) if hand[place]] for hand in (mine, theirs))
    weights: tuple[float, ...] = ()
    for _ in range(RETRIES):
        matrix = [
            [_chance(mine, theirs, (row, column), rounds, ahead, chance) for column in columns]
            for row in rows
        ]
        weights, chance = solve(matrix)
    whole = [0.0] * 3
    for row, weight in zip(rows, weights, strict=True):
        whole[row] = weight
    return tuple(whole), chance


def _decided(ahead: int) -> float:
    """Return the chance to have won, and a little for each round, which pays points even where
    nothing else is at stake.
    """
    return (0.5 if ahead == 0 else float(ahead > 0)) + LITTLE * ahead


def _chance(
    mine: Hand, theirs: Hand, shown: tuple[int, int], rounds: int, ahead: int, tied: float
) -> float:
    """Return the chance to win after two cards were shown; `tied` is that of the round before
    it.
    """
    row, column = shown
    if row == column:
        return tied
    won = 1 if BEATS[KINDS[row]] == KINDS[column] else -1
    return _optimal(_without(mine, row), _without(theirs, column), rounds - 1, ahead + won)[1]


def _without(hand: Hand, place: int) -> Hand:
    one, two, three = (many - (at == place) for at, many in enumerate(hand))
    return one, two, three


# --- matrix games


def solve(matrix: Sequence[Sequence[float]]) -> tuple[tuple[float, ...], float]:
    """Return the optimal weights of the rows and the value of a matrix game of at most three rows
    and columns.

    It tries square parts of the matrix, the largest first, until the weights that equalise one are
    optimal in the whole.
    """
    rows, columns = range(len(matrix)), range(len(matrix[0]))
    found: list[tuple[float, tuple[float, ...]]] = []
    for size in range(min(len(rows), len(columns)), 0, -1):
        for chosen in combinations(rows, size):
            for against in combinations(columns, size):
                part = _equalised([[matrix[row][column] for column in against] for row in chosen])
                if part is None:
                    continue
                weights = tuple(part[chosen.index(row)] if row in chosen else 0.0 for row in rows)
                worst = min(
                    sum(
                        weight * matrix[row][column]
                        for row, weight in zip(rows, weights, strict=True)
                    )
                    for column in columns
                )
                found.append((worst, weights))
    worst, weights = max(found)
    return weights, worst


def _equalised(part: Sequence[Sequence[float]]) -> tuple[float, ...] | None:
    """Return the weights of the rows of a square matrix with which all its columns are equal; None
    where there are none.
    """
    size = len(part)
    if size == 1:
        return (1.0,)
    if size == 2:
        (one, two), (three, four) = part
        raw: tuple[float, ...] = (four - three, one - two)
    else:
        raw = tuple(_equalising(part, row) for row in range(3))
    total = sum(raw)
    if abs(total) < CLOSE or any(each / total < -CLOSE for each in raw):
        return None
    return tuple(max(0.0, each / total) for each in raw)


def _equalising(part: Sequence[Sequence[float]], row: int) -> float:
    """Return the weight, up to a factor, with which a row of three equalises the columns (Cramer's
    rule on column differences).
    """
    one, two = (part[(row + further) % 3] for further in (1, 2))
    first, second = [one[0] - one[1], one[1] - one[2]], [two[0] - two[1], two[1] - two[2]]
    return first[0] * second[1] - first[1] * second[0]
