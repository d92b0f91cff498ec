"""The claims of a transcript: its phases and result as plain values, and their comparison with what
its orders and chance give.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from adjudicator.core.chance import Draw
from adjudicator.core.game import AnyGame, Seat
from adjudicator.play.endings import final_result
from adjudicator.play.loop import Closed, StopReason


def phase_line(game: AnyGame, closed: Closed[Any], refused: list[str]) -> dict[str, Any]:
    """Return one phase as the output and a transcript's claims have it."""
    view = game.view(closed.after, None)
    return {
        "name": closed.phase.name,
        "due": list(closed.phase.due),
        "orders": {seat: given.text for seat, given in closed.given.items()},
        "refused": refused,
        "events": list(game.story(view, closed.events)),
        "scores": dict(view.scores),
        "draws": _draws(closed.draws),
    }


def start_line(game: AnyGame, state: object, draws: Sequence[Draw]) -> dict[str, Any]:
    """Return the opening position's story and draws as the output and claims have them."""
    return {
        "events": list(game.story(game.view(state, None), game.opened(state))),
        "draws": _draws(draws),
    }


def _draws(draws: Sequence[Draw]) -> list[list[object]]:
    return [
        [draw.stream, draw.label, list(draw.value) if isinstance(draw.value, tuple) else draw.value]
        for draw in draws
    ]


def result_line(
    game: AnyGame, state: object, *, stopped: StopReason | None, conceded: Collection[Seat]
) -> dict[str, Any] | None:
    """Return the result as the output has it: the standing of a stopped match, None while the match
    goes on.
    """
    result = final_result(game, state, stopped=stopped, conceded=conceded)
    if result is None:
        return None
    return {
        seat: {"place": each.place, "score": each.score, "outcome": each.outcome}
        for seat, each in result.items()
    }


def compare_claims(claims: Mapping[str, Any], output: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a sentence for the first phase that differs from its claim, and one for each other
    claim that is wrong.
    """
    troubles: list[str] = []
    claimed, found = claims.get("phases", []), output["phases"]
    for number, claim in enumerate(claimed):
        if number >= len(found):
            troubles.append(
                f"{claim.get('name', f'Phase {number + 1}')}: the file claims a phase that the"
                " orders do not lead to."
            )
            break
        wrong = [name for name, value in claim.items() if not _same(found[number].get(name), value)]
        if wrong:
            troubles.append(
                f"{found[number]['name']}: the file claims other {' and '.join(wrong)} than its"
                " orders and chance give."
            )
            break
    else:
        if "phases" in claims and len(found) > len(claimed):
            troubles.append(
                f"{found[len(claimed)]['name']}: the file does not claim this phase, although its"
                " orders lead to it."
            )
    if "start" in claims and not _same(claims["start"], output["start"]):
        troubles.insert(0, "Start: the file claims another beginning than its chance gives.")
    if claims.get("stopped") and not _same(claims["stopped"], output.get("stopped")):
        last = found[-1]["name"] if found else "Start"
        troubles.append(
            f"{last}: the file claims that the match was stopped otherwise than it was."
        )
    if "result" in claims and not _same(claims["result"], output["result"]):
        where = f"The end, after {found[-1]['name']}" if output.get("stopped") else "The end"
        troubles.append(f"{where}: the file claims another result than its orders and chance give.")
    if "chance_left" in claims and not _same(claims["chance_left"], output["chance_left"]):
        troubles.append("The end: the file claims that another number of draws is left.")
    return tuple(troubles)


def _same(one: object, other: object) -> bool:
    """Whether two values are the same JSON: 1 is neither 1.0 nor true."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
