"""The sensible house bot of RPS Redeux: it mixes cards by what the other can hold, and makes the smallest bet that wins."""

from collections import Counter
from collections.abc import Iterable, Mapping

from adjudicator.core.game import Pick, Seat, Slots
from adjudicator.games.kit.glyphs import BEATS, KINDS, Kind
from adjudicator.games.redeux.orders import Answer, Play
from adjudicator.games.redeux.state import FRESH_HAND, STEP
from adjudicator.games.redeux.view import TableView

EACH_KIND = 24  # cards of a kind in the box
MIXED = 60  # resolution of the random mixture


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return a random card of the mixture, in the Risk Rounds with a bold bet; answer yes to the question only when behind."""
    if not slots or view.seat is None:
        return ""
    other = next(side.seat for side in view.sides if side.seat != view.seat)
    if view.part == "question":
        return str(Answer(yes=view.scores[view.seat] < view.scores[other]))
    theirs = _expected_hand(view, other)
    return str(Play(pick(_mixture(view.hand, theirs)), _bold_bet(view, view.scores[view.seat])))


def count_cards(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the card with the best result against a random one of the other's cards, with half of all points as the bet.

    Of equally good cards it takes the one whose name comes first. It always wants the Risk Rounds.
    """
    if not slots or view.seat is None:
        return ""
    other = next(side.seat for side in view.sides if side.seat != view.seat)
    if view.part == "question":
        return str(Answer(yes=True))
    theirs = _expected_hand(view, other)
    results = {kind: theirs[BEATS[kind]] - sum(theirs[each] for each in KINDS if BEATS[each] == kind) for kind in set(view.hand)}
    card = min(results, key=lambda kind: (-results[kind], kind))
    return str(Play(card, view.scores[view.seat] // (2 * STEP) * STEP if view.part == "risk" else 0))


# --- the card


def _expected_hand(view: TableView, other: Seat) -> dict[Kind, float]:
    """Return how many cards of each kind the other holds: counted in the Primary game, expected once it draws unseen cards."""
    spent = next(side.spent for side in view.sides if side.seat == other)
    known = Counter(FRESH_HAND) - Counter(spent)
    unseen = {kind: EACH_KIND - view.hand.count(kind) - view.discard.count(kind) - known[kind] for kind in KINDS}
    drawn = len(FRESH_HAND) - known.total() if view.part == "risk" else 0
    among = max(1, sum(max(0, many) for many in unseen.values()))
    return {kind: known[kind] + drawn * max(0, unseen[kind]) / among for kind in KINDS}


def _mixture(hand: Iterable[Kind], theirs: Mapping[Kind, float]) -> list[Kind]:
    """Return the kinds held, each in proportion to the other's cards that it beats; where none beats any, those least in danger."""
    held = [kind for kind in KINDS if kind in set(hand)]
    total = sum(theirs.values()) or 1
    mixed = [kind for kind in held for _ in range(round(MIXED * theirs[BEATS[kind]] / total))]
    danger = {kind: sum(theirs[other] for other in KINDS if BEATS[other] == kind) for kind in held}
    return mixed or [kind for kind in held if danger[kind] == min(danger.values())]


# --- the bet


def _bold_bet(view: TableView, points: int) -> int:
    """Return the smallest bet that wins the match if this card wins, else the highest possible; a bet pays double."""
    missing = view.terms.target - points
    if missing <= STEP:
        return 0
    return min(-(-missing // (2 * STEP)) * STEP, view.bets[-1])
