"""The house bots of Rock Paper Pyramid: one mixes tactics by weights that `python -m
tools.train_pyramid` computed, one is greedy.

If two seats play at random, the third wins a third of the matches, whatever it does: every piece is
played once. A predictable seat loses more. The mixture is as hard to predict as a random player,
and punishes those who play off one colour or size.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from adjudicator.core.game import Pick, Slots
from adjudicator.games.pyramid.pieces import HIDDEN_RED, RED_STACK, Piece, pips
from adjudicator.games.pyramid.tactics import TACTICS, Pool, Sight
from adjudicator.games.pyramid.view import TableView

MIXTURE = files("adjudicator.games.pyramid").joinpath("mixture.json")
# pieces held in a situation that has a mixture; with more, the first one's counts
LEFT = range(2, 10)
UNKNOWN = {"any": 1}  # the mixture of a situation that never came up


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return a piece by a tactic that is picked by the mixture of the situation."""
    if not slots or view.seat is None:
        return ""
    return choose_piece(
        next(hand.pool for hand in view.hands if hand.seat == view.seat), sight_of(view), pick
    )


def choose_piece(mine: Pool, sight: Sight, pick: Pick) -> Piece:
    """Return the piece of the own pool to show."""
    weights = mixtures().get(situation(mine, sight), UNKNOWN)
    tactic = pick([name for name, weight in weights.items() for _ in range(weight)])
    return pick(TACTICS[tactic](mine, sight))


def take_largest(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return one of the largest pieces held, at random: all large ones first, then the medium and
    the small ones.
    """
    pieces = [choice.text for slot in slots for choice in slot.choices]
    largest = max(map(pips, pieces), default=0)
    return pick([piece for piece in pieces if pips(piece) == largest]) if pieces else ""


def situation(mine: Pool, sight: Sight) -> str:
    """Return the name of a situation in the mixtures: how many pieces are left, and the habits of
    the others in any order.
    """
    return f"{min(len(mine), LEFT[-1])} {' '.join(sorted(sight.habits))}"


@cache
def mixtures() -> Mapping[str, Mapping[str, int]]:
    """Return the weights of the tactics by situation."""
    found: dict[str, dict[str, int]] = json.loads(MIXTURE.read_text(encoding="utf-8"))
    return found


def sight_of(view: TableView) -> Sight:
    """Return what the view's seat sees of the others, the next seat first."""
    place = next(place for place, hand in enumerate(view.hands) if hand.seat == view.seat)
    one, other = (view.hands[(place + further) % 3] for further in (1, 2))
    seen = {piece for hand in view.hands for piece in hand.pool + hand.played}
    unseen = tuple(piece for piece in RED_STACK if piece not in seen)
    return Sight(
        (_possible(one.pool, unseen), _possible(other.pool, unseen)),
        (one.played, other.played),
        view.take == "all",
    )


def _possible(pool: Pool, reds: tuple[Piece, ...]) -> Pool:
    """Return a pool, a hidden red piece as each that it can still be (ruling R4)."""
    return tuple(each for piece in pool for each in (reds if piece == HIDDEN_RED else (piece,)))
