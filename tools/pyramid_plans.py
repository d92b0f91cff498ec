"""Twenty pure plans for Rock Paper Pyramid: opponents that never choose at random, for the bench,
the tests and the training.
"""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

from adjudicator.core.game import AnyGame, Pick, Seat
from adjudicator.games.pyramid.bot import sight_of
from adjudicator.games.pyramid.pieces import Piece, pips
from adjudicator.games.pyramid.state import State
from adjudicator.games.pyramid.tactics import TACTICS, Pool, Sight, worth
from tools.playing import Player

Plan = Callable[[Pool, Sight], Piece]
"""Returns the piece to show, from the own pool and what the others hold and showed."""

COLOURS = "BWC"


def plan_player(plan: Plan) -> Player:
    """Return a plan as a player of whole matches."""

    def show(game: AnyGame, state: State, seat: Seat, pick: Pick) -> str:
        return plan(state.hand(seat).pool, sight_of(game.view(state, seat)))

    return show


def _by_list(order: tuple[Piece, ...], mine: Pool, sight: Sight) -> Piece:
    """Show the first piece of the list that is still held; red pieces last."""
    return next((piece for piece in order if piece in mine), mine[0])


def _listed(text: str) -> Plan:
    return partial(_by_list, tuple(text.split()))


def _by_sizes(sizes: str) -> Plan:
    return _listed(" ".join(colour + size for size in sizes for colour in COLOURS))


def _first_of(tactic: str, mine: Pool, sight: Sight) -> Piece:
    return TACTICS[tactic](mine, sight)[0]


def _most_takes(mine: Pool, sight: Sight) -> Piece:
    """Show the piece that most often takes anything."""
    return max(mine, key=lambda piece: sum(gain > 0 for gain in _gains(piece, sight)))


def _least_loss(mine: Pool, sight: Sight) -> Piece:
    """Show the piece that gives the others least."""
    return max(mine, key=lambda piece: sum(min(0, gain) for gain in _gains(piece, sight)))


def _gains(piece: Piece, sight: Sight) -> list[float]:
    return [worth(piece, (one,), (other,), keeps_own=False) for one, other in product(*sight.pools)]


def _copies(seat: int, mine: Pool, sight: Sight) -> Piece:
    """Show what another showed in the last round, if it can, else that size, else the largest."""
    last = sight.played[seat][-1:]
    same_size = [piece for piece in mine if last and pips(piece) == pips(last[0])]
    return next(
        (piece for piece in mine if piece in last),
        (same_size or [_first_of("largest", mine, sight)])[0],
    )


def _captures_last(seat: int, mine: Pool, sight: Sight) -> Piece:
    """Show what best captures the last piece of another."""
    last = sight.played[seat][-1:]
    if not last:
        return _first_of("largest", mine, sight)
    return max(mine, key=lambda piece: worth(piece, last, sight.pools[1 - seat], keeps_own=False))


def _turning(mine: Pool, sight: Sight) -> Piece:
    """Show the largest and the smallest by turns."""
    return _first_of("largest" if len(mine) % 2 else "smallest", mine, sight)


PLANS: Mapping[str, Plan] = {
    "large, medium, small": _by_sizes("321"),
    "large, small, medium": _by_sizes("312"),
    "medium, large, small": _by_sizes("231"),
    "medium, small, large": _by_sizes("213"),
    "small, large, medium": _by_sizes("132"),
    "small, medium, large": _by_sizes("123"),
    "black, white, crystal, each from large to small": _listed("B3 B2 B1 W3 W2 W1 C3 C2 C1"),
    "black, white, crystal, each from small to large": _listed("B1 B2 B3 W1 W2 W3 C1 C2 C3"),
    "colours in turn, sizes in turn": _listed("B3 W2 C1 W3 C2 B1 C3 B2 W1"),
    "colours in turn, sizes rising": _listed("B1 W2 C3 W1 C2 B3 C1 B2 W3"),
    "largest and smallest by turns": _turning,
    "what takes most": partial(_first_of, "taking"),
    "what takes most often": _most_takes,
    "what gives least": _least_loss,
    "against large ones": partial(_first_of, "against large"),
    "against what takes most": partial(_first_of, "against taking"),
    "against habits": partial(_first_of, "against habits"),
    "copies the next seat": partial(_copies, 0),
    "copies the one before": partial(_copies, 1),
    "captures the next seat's last": partial(_captures_last, 0),
}
