"""Round robins and knock-outs."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.play.redrawn.common import Drawn, Past, Shuffle, idle, lots_of, seated


def circle(order: Sequence[int], turn: int) -> list[tuple[int, ...]]:
    count = len(order)
    length = count - 1 + count % 2
    cycle = turn // length
    top = (cycle + turn) % length
    found: list[tuple[int, ...]] = []
    if count % 2 == 0:
        pair = order[-1], order[top]
        found.append(pair if top % 2 == 0 else pair[::-1])
    for distance in range(1, (length - 1) // 2 + 1):
        pair = order[(top + distance) % length], order[(top - distance) % length]
        found.append(pair if distance % 2 else pair[::-1])
    return [pair[::-1] for pair in found] if cycle % 2 else found


def round_robin(
    policies: Mapping[str, Any], entrants: Sequence[int], past: Past, draw: Shuffle
) -> Drawn:
    order = list(past.rounds[0]["order"]) if past.rounds else lots_of(entrants, past, draw)
    turn = past.rounds[-1]["turn"] + 1 if past.rounds else 0
    while True:
        found = [pair for pair in circle(order, turn) if set(pair) <= set(entrants)]
        if found:
            return found, idle(entrants, found), list(order), turn
        turn += 1


def knock_out(
    policies: Mapping[str, Any], entrants: Sequence[int], past: Past, draw: Shuffle
) -> Drawn:
    bracket = (
        _winners(policies["tie"], entrants, past)
        if past.rounds
        else _first_bracket(
            entrants if policies["seeds"] == "entry" else lots_of(entrants, past, draw)
        )
    )
    while True:
        meetings = [
            [each for each in bracket[at : at + 2] if each is not None]
            for at in range(0, len(bracket), 2)
        ]
        if any(len(each) == 2 for each in meetings):
            break
        bracket = [each[0] if each else None for each in meetings]
    tables = [seated(each, past) for each in meetings if len(each) == 2]
    return tables, [each[0] for each in meetings if len(each) == 1], bracket, 0


def _places(count: int) -> list[int]:
    seeds = [0]
    while len(seeds) < count:
        seeds = [seed for each in seeds for seed in (each, 2 * len(seeds) - 1 - each)]
    return seeds


def _first_bracket(seeds: Sequence[int]) -> list[int | None]:
    return [seeds[each] if each < len(seeds) else None for each in _places(len(seeds))]


def _winners(tie: str, entrants: Sequence[int], past: Past) -> list[int | None]:
    last, first = past.rounds[-1], past.rounds[0]["order"]
    seed = dict(zip(first, _places(len(first)), strict=True))
    won: dict[int, int] = {}
    for table, points in zip(last["tables"], last["points"], strict=True):
        choices = {
            "first seat": table[0],
            "second seat": table[1],
            "higher seed": min(table, key=seed.__getitem__),
            "lower seed": max(table, key=seed.__getitem__),
        }
        winner = (
            choices[tie] if points[0] == points[1] else table[0 if points[0] > points[1] else 1]
        )
        won |= dict.fromkeys(table, winner)
    found: list[int | None] = []
    for at in range(0, len(last["order"]), 2):
        there = [each for each in last["order"][at : at + 2] if each is not None]
        through = won.get(there[0], there[0]) if there else None
        found.append(through if through in entrants else None)
    return found
