"""Writes the golden games of Diplomacy anew: `python -m tools.record_diplomacy`; house bots play at random, the same each time."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.exchange import exchange
from adjudicator.games.diplomacy.exchange.lines import Position, write_position
from adjudicator.games.diplomacy.model.orders import Concede, Order, Vote
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY, Diplomacy
from tools.playing import steps

FOLDER = Path(__file__).parent.parent / "tests" / "games" / "diplomacy"
FILES = {"golden_games.jsonl": DIPLOMACY, "golden_rsp_games.jsonl": RSP_DIPLOMACY}
MATCHES = 3
PHASES = 30  # of each


def main() -> None:
    """Write both files."""
    for name, game in FILES.items():
        lines = [line for number in range(MATCHES) for line in played(game, f"golden {number}")]
        (FOLDER / name).write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def played(game: Diplomacy, match: str) -> Iterator[dict[str, Any]]:
    """Yield the phases of a match as the exchange adjudicates them."""
    rules = exchange.rules_of(game.about.key)
    seats = game.about.seats[7]
    for step in steps(game, seats, dict.fromkeys(seats, "random"), match):
        if not step.orders or step.number > PHASES:
            return
        line = {"game": match, "phase": step.state.phase, "before": write_position(_position(step.state))}
        yield exchange.answer(rules, line | {"orders": _texts(step.orders)})


def _position(state: State) -> Position:
    return Position(
        phase=state.phase,
        owner={unit: power for power, units in state.units.items() for unit in units},
        lost={each.unit: each.power for each in state.homeless},
        centres={code: power for power, codes in state.centres.items() for code in codes},
        barred={each.unit[2:5]: each.barred for each in state.homeless if each.barred},
        contested=frozenset(state.contested),
        traits=state.traits,
        lost_traits={each.unit: each.trait for each in state.homeless if each.trait},
    )


def _texts(orders: dict[Seat, tuple[Order, ...]]) -> dict[Seat, list[str]]:
    given = {seat: [str(order) for order in own if not isinstance(order, Vote | Concede)] for seat, own in orders.items()}
    return {seat: texts for seat, texts in given.items() if texts}


if __name__ == "__main__":
    main()
