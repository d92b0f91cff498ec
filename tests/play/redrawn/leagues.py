"""Leagues."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.play.redrawn.brackets import circle
from tests.play.redrawn.common import Drawn, Past, Shuffle, idle, lots_of
from tests.play.redrawn.mixer import mixer


def league(
    policies: Mapping[str, Any], entrants: Sequence[int], past: Past, draw: Shuffle
) -> Drawn:
    everybody = sorted(
        {
            each
            for part in (*past.rounds[0]["tables"], past.rounds[0]["sitting_out"])
            for each in part
        }
        if past.rounds
        else entrants
    )
    size = policies["size"]
    divisions = [everybody[at : at + size] for at in range(0, len(everybody), size)]
    if len(divisions) > 1 and len(divisions[-1]) < min(policies["sizes"]):
        last = divisions.pop()
        divisions[-1] += last
    if list(policies["sizes"]) == [2]:
        return _league_of_two(policies, entrants, past, draw, divisions)
    tables: list[tuple[int, ...]] = []
    order: list[int | None] = []
    for number, division in enumerate(divisions, 1):
        rounds = [_part_of(each, division, number - 1) for each in past.rounds]
        playing = [each for each in entrants if each in division]
        found = mixer(policies, playing, Past(rounds), draw, f"division {number}: ")
        tables += found[0]
        order += [*found[2], None]
    return tables, idle(entrants, tables), order, len(past.rounds)


def _split(order: Sequence[int | None]) -> list[list[int]]:
    found: list[list[int]] = [[]]
    for each in order:
        if each is None:
            found.append([])
        else:
            found[-1].append(each)
    return found[:-1]


def _part_of(played: Mapping[str, Any], division: Sequence[int], number: int) -> dict[str, Any]:
    own = [at for at, table in enumerate(played["tables"]) if table[0] in division]
    return {
        "tables": [played["tables"][at] for at in own],
        "points": [played["points"][at] for at in own],
        "sitting_out": [each for each in played["sitting_out"] if each in division],
        "order": _split(played["order"])[number],
    }


def _league_of_two(
    policies: Mapping[str, Any],
    entrants: Sequence[int],
    past: Past,
    draw: Shuffle,
    divisions: Sequence[Sequence[int]],
) -> Drawn:
    orders = (
        _split(past.rounds[0]["order"])
        if past.rounds
        else [
            lots_of(each, past, draw, f"division {number}: ")
            for number, each in enumerate(divisions, 1)
        ]
    )
    turn = past.rounds[-1]["turn"] + 1 if past.rounds else 0
    while True:
        found = [
            pair
            for order in orders
            if turn < policies["cycles"] * (len(order) - 1 + len(order) % 2)
            for pair in circle(order, turn)
            if set(pair) <= set(entrants)
        ]
        if found:
            joined = [place for order in orders for place in (*order, None)]
            return found, idle(entrants, found), joined, turn
        turn += 1
