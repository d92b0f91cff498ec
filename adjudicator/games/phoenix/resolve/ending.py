"""When a match ends, and the final places, scores and chips (rulings R11-R13)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from adjudicator.core.game import Result, Seat, Standing
from adjudicator.games.kit.glyphs import KINDS
from adjudicator.games.kit.ranking import places
from adjudicator.games.phoenix.model.events import Ended, Side
from adjudicator.games.phoenix.model.state import State

BONUS = 3  # points for winning


@dataclass(frozen=True)
class _Verdict:
    """Why the match is over and how the sides rank; sides of one rank share it."""

    why: Literal["survivor", "given-away", "limit"]
    ranks: Mapping[Side, int]  # the higher, the better


def end_if_over(state: State) -> State:
    """Return the state, with the end of the match entered if its last turn brought it."""
    verdict = _verdict(state)
    return _entered(state, verdict) if verdict else state


def standing(state: State) -> Result:
    """Return each seat's standing; a match that has not ended is judged as at the turn limit
    (ruling R12).
    """
    stopped = state if state.ended else _entered(state, _as_at_limit(state))
    assert stopped.ended is not None  # noqa: S101 entered above
    return _places_of(stopped, stopped.ended)


def _places_of(state: State, ended: Ended) -> Result:
    winners = [seat for side in ended.winners for seat in side]
    outcome: Literal["won", "shared", "drew"] = "won"
    if len(ended.winners) > 1:
        outcome = "drew" if len(winners) == len(state.seats) else "shared"
    return {
        seat: Standing(
            ended.places[seat], state.scores[seat], outcome if seat in winners else "lost"
        )
        for seat in state.seats
    }


# --- who has won


def _verdict(state: State) -> _Verdict | None:
    """Judge the end of a turn; survival and give-away take precedence over the limit (ruling
    R12).
    """
    return (_out(state) if state.part != "opening" else None) or _at_limit(state)


def _out(state: State) -> _Verdict | None:
    """Judge whether one side alone is on the grid, in give-away whether a side is wholly in the
    Ashes (rulings R11, R13).
    """
    if not state.modes.give_away:
        standing = {side: int(_on_grid(state, side)) for side in state.sides}
        return _Verdict("survivor", standing) if sum(standing.values()) == 1 else None
    given = {side: int(_burnt(state, side) == len(side) * len(KINDS)) for side in state.sides}
    return _Verdict("given-away", given) if any(given.values()) else None


def _at_limit(state: State) -> _Verdict | None:
    limit = state.modes.turn_limit * len(state.seats)
    if not limit or state.turn < limit:
        return None
    return _as_at_limit(state)


def _as_at_limit(state: State) -> _Verdict:
    worth = _burnt if state.modes.give_away else _score
    return _Verdict("limit", {side: worth(state, side) for side in state.sides})


def _burnt(state: State, side: Side) -> int:
    return sum(bird.place == "ashes" for bird in state.birds if bird.seat in side)


def _on_grid(state: State, side: Side) -> bool:
    return any(bird.stands for bird in state.birds if bird.seat in side)


def _score(state: State, side: Side) -> int:
    return sum(state.scores[seat] for seat in side)


# --- final places, scores and chips


def _entered(state: State, verdict: _Verdict) -> State:
    best = max(verdict.ranks.values())
    winners = tuple(side for side in state.sides if verdict.ranks[side] == best)
    bonus = {} if verdict.why == "limit" else {side[0]: BONUS for side in winners}
    shares = _shares(state, winners)
    scores = {seat: score + bonus.get(seat, 0) for seat, score in state.scores.items()}
    ended = Ended(
        why=verdict.why,
        turn=state.turn,
        winners=winners,
        bonus=bonus,
        shares=shares,
        pot=state.pot - sum(shares.values()),
        places=_places(state, verdict),
        scores=scores,
    )
    purses = {
        seat: replace(purse, taken=shares.get(seat, 0)) for seat, purse in state.purses.items()
    }
    return replace(state, scores=scores, purses=purses, ended=ended)


def _shares(state: State, winners: tuple[Side, ...]) -> Mapping[Seat, int]:
    """Divide the pot in whole chips among all winning seats; the rest stays in it (ruling R13)."""
    seats = [seat for seat in state.seats for side in winners if seat in side]
    each = state.pot // len(seats)
    return dict.fromkeys(seats, each) if each else {}


def _places(state: State, verdict: _Verdict) -> Mapping[Seat, int]:
    """Rank the sides; the seats of a team share their side's place."""
    place = places(verdict.ranks)
    return {seat: place[side] for seat in state.seats for side in state.sides if seat in side}
