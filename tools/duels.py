"""Matches of one house bot against opponents of another kind: its share of the first place, and its
slowest choice.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.core.game import AnyGame, Pick, Seat
from adjudicator.core.options import OptionValue
from tools.playing import Player, play_steps


@dataclass(frozen=True)
class Tally:
    """The result of some matches."""

    share: float  # of the first place; one shared by n counts as 1/n
    slowest: float  # ms of processor time, of a choice of the one


def play_duel(
    game: AnyGame,
    one: Player,
    others: Player,
    matches: int,
    *,
    players: int = 0,
    options: Mapping[str, OptionValue] | None = None,
) -> Tally:
    """Play matches of `one` against `others` in all other seats, with the seat of `one` rotating; 0
    players are the fewest.
    """
    seats = game.about.seats[players or min(game.about.seats)]
    firsts, slowest = 0.0, 0.0

    def timed(game: AnyGame, state: Any, seat: Seat, pick: Pick) -> str:
        nonlocal slowest
        begin = time.thread_time()
        text = one(game, state, seat, pick)
        slowest = max(slowest, time.thread_time() - begin)
        return text

    for number in range(matches):
        mine = seats[number % len(seats)]
        table = {seat: timed if seat == mine else others for seat in seats}
        *_, last = play_steps(game, seats, table, f"duel {number}", options)
        firsts += share_of(game, last.state, mine)
    return Tally(firsts / matches, slowest * 1000)


def share_of(game: AnyGame, state: object, seat: Seat) -> float:
    """Return a seat's share of the first place at the end of a match."""
    result = game.result(state) or {}
    first = [each for each, standing in result.items() if standing.place == 1]
    return (seat in first) / max(1, len(first))
