"""Writes the golden games of Diplomacy: `python -m tools.record_diplomacy` adjudicates the recorded
orders again.

With `play` it replaces them by new matches between random house bots. Their orders depend on the
parser, which refuses some, so each version plays other matches.
"""

import json
import sys
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
from tools.playing import bot_player, play_steps

FOLDER = Path(__file__).parent.parent / "tests" / "games" / "diplomacy"
FILES = {"golden_games.jsonl": DIPLOMACY, "golden_rsp_games.jsonl": RSP_DIPLOMACY}
MATCHES = 3
PHASES = 30  # of each


def main(arguments: list[str]) -> None:
    """Write both files."""
    for name, game in FILES.items():
        path, rules = FOLDER / name, exchange.rules_of(game.about.key)
        lines = new_phases(game) if arguments == ["play"] else recorded_phases(path)
        path.write_text(
            "".join(
                json.dumps(exchange.answer_line(rules, line), separators=(",", ":")) + "\n"
                for line in lines
            )
        )


def recorded_phases(path: Path) -> list[dict[str, Any]]:
    """Return the phases of a file with their positions and orders."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def new_phases(game: Game[State, Order, BoardView]) -> Iterator[dict[str, Any]]:
    """Yield the positions and orders of each phase of new matches."""
    seats = game.about.seats[7]
    for match in (f"golden {number}" for number in range(MATCHES)):
        for step in play_steps(game, seats, dict.fromkeys(seats, bot_player("random")), match):
            if not step.orders or step.number > PHASES:
                break
            position = write_position(position_of(step.state))
            yield {
                "game": match,
                "phase": step.state.phase,
                "before": position,
                "orders": _texts(step.orders),
            }


def _texts(orders: Mapping[Seat, tuple[Order, ...]]) -> dict[Seat, list[str]]:
    given = {
        seat: [str(order) for order in own if not isinstance(order, Vote | Concede)]
        for seat, own in orders.items()
    }
    return {seat: texts for seat, texts in given.items() if texts}


if __name__ == "__main__":
    main(sys.argv[1:])
