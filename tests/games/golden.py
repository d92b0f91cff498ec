"""Golden playthroughs: whole matches kept as files; `python -m tests.games.golden` adjudicates
their orders and writes the results.

`python -m tests.games.golden KEY NAME SEED [players=N|seats=[...]] [OPTION=VALUE ...]` makes a new
one with random orders. If a file changes, running matches would go on differently: the game's
rules_version has to be raised. `check` writes nothing and exits 1 where a result differs.
"""

import json
import sys
from pathlib import Path
from typing import Any

from adjudicator import catalogue
from adjudicator.core import codec
from adjudicator.core.chance import ChainChance, Setting, first_element, of_phase
from adjudicator.core.game import AnyGame
from adjudicator.core.options import complete_options
from tests.games.contract import Case, play

FOLDER = Path(__file__).parent / "golden"
# matches begun under rules 1 of games that begin otherwise now; never written anew
BEFORE = Path(__file__).parent / "golden_under_1"


def files() -> list[Path]:
    """Return every golden playthrough."""
    return sorted(FOLDER.glob("*/*.json"))


def files_before() -> list[Path]:
    """Return the playthroughs that were begun under older rules."""
    return sorted(BEFORE.glob("*/*.json"))


def replay(match: dict[str, Any]) -> dict[str, Any]:
    """Return the results of the orders of `match`; a seat without orders plays its default."""
    game = catalogue.game(match["game"])
    options = complete_options(game.about, match["options"])
    begin = game.start_under(match["rules_version"])
    state = begin(tuple(match["seats"]), options, _chance(match, 0))
    phases = []
    for number, given in enumerate(match["phases"], start=1):
        state, told = _phase(game, state, given["orders"], _chance(match, number))
        phases.append(told)
    result = game.result(state)
    ended = {
        seat: [standing.place, standing.score, standing.outcome]
        for seat, standing in sorted((result or {}).items())
    }
    return {"phases": phases, "result": ended or None}


def _phase(
    game: AnyGame, state: Any, texts: dict[str, str], chance: ChainChance
) -> tuple[Any, dict[str, Any]]:
    phase = game.phase(state)
    orders = {
        seat: (
            game.parse(state, seat, texts[seat]).orders
            if seat in texts
            else game.default(state, seat, chance)
        )
        for seat in phase.due
    }
    done = game.adjudicate(state, orders, chance)
    told = {
        "name": phase.name,
        "due": list(phase.due),
        "orders": {seat: [str(order) for order in orders[seat]] for seat in phase.due},
        "events": [codec.dump(game.kinds.event, event) for event in done.events],
        "scores": dict(game.view(done.state, None).scores),
    }
    return done.state, told


def _chance(match: dict[str, Any], phase: int) -> ChainChance:
    seed = bytes.fromhex(match["chance"]["seed"])
    return of_phase(
        {"public": first_element(seed, "public"), "hidden": first_element(seed, "hidden")},
        Setting("", phase),
    )


def changed(path: Path) -> bool:
    """Whether the match of a file has another result than the file says."""
    match = json.loads(path.read_text(encoding="utf-8"))
    return bool(json.loads(json.dumps(replay(match))) != _as_told_now(match))


def _as_told_now(match: dict[str, Any]) -> dict[str, Any]:
    """Return the results in a file, the events with the fields that were added since it was
    written.
    """
    event, told = catalogue.game(match["game"]).kinds.event, match["comes_to"]
    phases = [
        {
            **phase,
            "events": [codec.dump(event, codec.load(event, each)) for each in phase["events"]],
        }
        for phase in told["phases"]
    ]
    return {**told, "phases": phases}


# --- writing


def new(key: str, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return a match with random orders, without its results; among the options are the number of
    `players`, or their `seats`.
    """
    game = catalogue.game(key)
    seats = (
        tuple(options.pop("seats", ()))
        or game.about.seats[options.pop("players", min(game.about.seats))]
    )
    steps = play(Case(key, seats, tuple(options.items()), seed)).steps
    return {
        "game": key,
        "rules_version": game.about.rules_version,
        "match": "",
        "options": options,
        "seats": list(seats),
        "chance": {"seed": seed.to_bytes(32, "big").hex()},
        "phases": [
            {
                "orders": {
                    seat: "\n".join(str(order) for order in step.orders[seat])
                    for seat in step.phase.due
                }
            }
            for step in steps
        ],
    }


def write(path: Path, match: dict[str, Any]) -> None:
    """Write the match with its results under the current rules."""
    match["rules_version"] = catalogue.game(match["game"]).about.rules_version
    match["comes_to"] = replay(match)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps(match, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
    )


def main(arguments: list[str]) -> None:
    """Make a new playthrough, write all again, or check them."""
    if arguments == ["check"]:
        sys.exit(any(changed(path) for path in files()))
    if arguments:
        key, name, seed, *given = arguments
        options = {
            option.partition("=")[0]: json.loads(option.partition("=")[2]) for option in given
        }
        write(FOLDER / key / f"{name}.json", new(key, int(seed), options))
        return
    for path in files():
        write(path, json.loads(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main(sys.argv[1:])
