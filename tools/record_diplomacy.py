"""Writes the golden games of Diplomacy anew: `python -m tools.record_diplomacy`; house bots play at random, the same each time."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adjudicator.core.game import Game, Seat
from adjudicator.games.diplomacy.exchange import exchange
from adjudicator.games.diplomacy.exchange.lines import write_position
from adjudicator.games.diplomacy.model.orders import Concede, Order, Vote
from adjudicator.games.diplomacy.model.state import State, position_of
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
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


def played(game: Game[State, Order, BoardView], match: str) -> Iterator[dict[str, Any]]:
    """Yield the phases of a match as the exchange adjudicates them."""
    rules = exchange.rules_of(game.about.key)
    seats = game.about.seats[7]
    for step in steps(game, seats, dict.fromkeys(seats, "random"), match):
        if not step.orders or step.number > PHASES:
            return
        line = {"game": match, "phase": step.state.phase, "before": write_position(position_of(step.state))}
        yield exchange.answer(rules, line | {"orders": _texts(step.orders)})


def _texts(orders: Mapping[Seat, tuple[Order, ...]]) -> dict[Seat, list[str]]:
    given = {seat: [str(order) for order in own if not isinstance(order, Vote | Concede)] for seat, own in orders.items()}
    return {seat: texts for seat, texts in given.items() if texts}


if __name__ == "__main__":
    main()
