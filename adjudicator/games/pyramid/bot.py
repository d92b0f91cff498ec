"""The sensible house bot of Rock Paper Pyramid: it predicts what tempts the others, and plays the piece that gains most by that.

Every piece is played sooner or later. Against random players every order of play is therefore equally good and wins a third of
the matches. A piece is worth playing now only if it gains more than its average against everything that the others hold.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from math import exp

from adjudicator.core.game import Pick, Slots
from adjudicator.games.pyramid.pieces import HIDDEN_RED, RED_STACK, Piece, pips
from adjudicator.games.pyramid.state import Hand, open_round
from adjudicator.games.pyramid.view import TableView

SHARPNESS = 3.0  # how strongly the others are assumed to prefer a tempting piece; 0: they play at random
DENIED = 0.7  # weight of the leading rival's gains, the other rival's having the rest; half each where their scores are equal
KEEN = 2.0  # how strongly it prefers its own best piece; finite, so that nobody can predict it
MIXED = 20  # resolution of the random mixture

Guess = Mapping[Piece, float]
"""The probability of each piece of a pool to be shown."""


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return a random piece, the more likely the more it gains above its average."""
    if not slots or view.seat is None:
        return ""
    me = next(hand for hand in view.hands if hand.seat == view.seat)
    rivals = sorted((hand for hand in view.hands if hand.seat != view.seat), key=lambda hand: -hand.score)
    at_random = [_alike(view, hand) for hand in rivals]
    tempted = [_tempted(view, hand) for hand in rivals]
    share = DENIED if rivals[0].score > rivals[1].score else 0.5
    worths = {piece: _worth(view, piece, tempted, share) - _worth(view, piece, at_random, share) for piece in me.pool}
    highest = max(worths.values())
    return pick([piece for piece, worth in worths.items() for _ in range(round(MIXED * exp(KEEN * (worth - highest))))])


def take_largest(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return one of the largest pieces held, at random: all large ones first, then the medium and the small ones."""
    pieces = [choice.text for slot in slots for choice in slot.choices]
    largest = max(map(pips, pieces), default=0)
    return pick([piece for piece in pieces if pips(piece) == largest]) if pieces else ""


def _worth(view: TableView, piece: Piece, guesses: Sequence[Guess], share: float = 0.5) -> float:
    """Return the expected gain of the piece, minus that of the two others, weighted `share` for the first and the rest for the second."""
    total = 0.0
    for (one, first), (other, second) in product(guesses[0].items(), guesses[1].items()):
        mine, theirs, others = _gains(piece, one, other, keeps_own=view.take == "all")
        total += first * second * (mine - share * theirs - (1 - share) * others)
    return total


# --- what the others will show


def _alike(view: TableView, hand: Hand) -> Guess:
    """Return the guess that all pieces of a pool are equally likely."""
    return {piece: share / len(hand.pool) for piece, share in _held(view, hand).items()}


def _held(view: TableView, hand: Hand) -> Guess:
    """Return the pieces of a pool with weight 1; a hidden red one is split equally among those that it can still be (ruling R4)."""
    if HIDDEN_RED not in hand.pool:
        return dict.fromkeys(hand.pool, 1.0)
    seen = {piece for each in view.hands for piece in each.pool + each.played}
    possible = [piece for piece in RED_STACK if piece not in seen]
    known = dict.fromkeys((piece for piece in hand.pool if piece != HIDDEN_RED), 1.0)
    return known | dict.fromkeys(possible, 1 / len(possible))


def _tempted(view: TableView, hand: Hand) -> Guess:
    """Return the guess that a seat prefers what takes most on average now, without regard to later rounds."""
    pools = [_alike(view, other) for other in view.hands if other.seat != hand.seat]
    pull = {piece: share * exp(SHARPNESS * _worth(view, piece, pools)) for piece, share in _held(view, hand).items()}
    total = sum(pull.values())
    return {piece: each / total for piece, each in pull.items()}


@cache
def _gains(mine: Piece, one: Piece, other: Piece, *, keeps_own: bool) -> tuple[int, int, int]:
    """Return the pips that each of three pieces gains for its seat."""
    opened = open_round(1, {"1": mine, "2": one, "3": other}, keeps_own=keeps_own)
    points = sum(pips(piece) for piece in opened.haul)
    first, second, third = (points if opened.taker == seat else 0 for seat in ("1", "2", "3"))
    return first, second, third
