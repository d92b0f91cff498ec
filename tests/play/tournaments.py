"""Tournaments played out with made-up results, for tests."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

from adjudicator.core.chance import ChainChance, Setting, Stream
from adjudicator.core.jcs import H
from adjudicator.play.tournaments.formats import Format
from adjudicator.play.tournaments.pairing import PAIRING_VERSION, pair_round
from adjudicator.play.tournaments.records import Entrant, Played, Points, Round, Table

Scorer = Callable[[Table], tuple[Points, ...]]
HALF = Fraction(1, 2)


def stream(seed: str, turn: int) -> Stream:
    """Return the stream that a tournament draws a round from."""
    element = H("seed", f"{seed} {turn}".encode())  # quicker than walking a chain
    return ChainChance(
        {"public": lambda: element, "hidden": lambda: element}, Setting("a tournament", turn)
    ).public


def scorer(seed: int) -> Scorer:
    """Return what scores a table of two as won, tied or lost, and a larger one by different
    numbers.
    """
    random = Random(seed)

    def score(table: Table) -> tuple[Points, ...]:
        if len(table) == 2:
            return random.choice(((1, 0), (HALF, HALF), (0, 1)))
        return tuple(random.sample(range(20), len(table)))

    return score


def next_round(
    format_: Format,
    entrants: Sequence[Entrant],
    history: Sequence[Played],
    seed: str = "a seed",
    *,
    version: int = PAIRING_VERSION,
) -> Round | None:
    return pair_round(format_, entrants, history, stream(seed, len(history)), version=version)


def finished(round_: Round, score: Scorer) -> Played:
    return Played(round_, tuple(map(score, round_.tables)))


def play_out(
    format_: Format,
    changes: Sequence[Sequence[Entrant]],
    *,
    rounds: int = 100,
    score: Scorer | None = None,
    seed: str = "a seed",
    version: int = PAIRING_VERSION,
) -> list[Played]:
    """Play at most `rounds` rounds, the first with the first of these fields, and so on; all that
    follow with the last one.
    """
    history: list[Played] = []
    for turn in range(rounds):
        found = next_round(
            format_, changes[min(turn, len(changes) - 1)], history, seed, version=version
        )
        if found is None:
            break
        history.append(finished(found, score or scorer(0)))
    return history
