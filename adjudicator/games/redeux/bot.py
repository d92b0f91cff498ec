"""The house bots of RPS Redeux: one plays an equilibrium and punishes a seat that counts cards, one
counts cards.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from adjudicator.core.game import Pick, Seat, Slots
from adjudicator.games.kit.glyphs import BEATS, KINDS, Kind
from adjudicator.games.redeux.equilibrium import card_weights, hand_of
from adjudicator.games.redeux.orders import Answer, Play
from adjudicator.games.redeux.state import FRESH_HAND, STEP
from adjudicator.games.redeux.view import TableView

EACH_KIND = 24  # cards of a kind in the box
DOUBT = 5  # how many times the expected card has to come before it is countered more often than not


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return a card with, in the Risk Rounds, a bold bet; answer yes to the question only when
    behind.

    The card is that of the equilibrium, or sometimes what beats the card that a counting player
    would show: the more often, the more of the other's cards were of that kind.
    """
    if not slots or view.seat is None:
        return ""
    other = next(side.seat for side in view.sides if side.seat != view.seat)
    if view.part == "question":
        return str(Answer(yes=view.scores[view.seat] < view.scores[other]))
    mine, theirs = (
        next(side.spent for side in view.sides if side.seat == seat) for seat in (view.seat, other)
    )
    held = _expected_hand(view, other)
    beating = _beating(_counted_card(_left(mine), [kind for kind in KINDS if held[kind] > 0]))
    right, wrong = _foreseen(mine, theirs)
    counters = beating in view.hand and pick((True,) * (1 + right) + (False,) * (DOUBT + 2 * wrong))
    card = beating if counters else pick(_mixture(view, other, held))
    return str(Play(card, _bold_bet(view, view.scores[view.seat])))


def count_cards(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the card with the best result against a random one of the other's cards, with half of
    all points as the bet.

    Of equally good cards it takes the one whose name comes first. It always wants the Risk Rounds.
    """
    if not slots or view.seat is None:
        return ""
    other = next(side.seat for side in view.sides if side.seat != view.seat)
    if view.part == "question":
        return str(Answer(yes=True))
    card = _counted_card(_expected_hand(view, other), view.hand)
    return str(
        Play(card, view.scores[view.seat] // (2 * STEP) * STEP if view.part == "risk" else 0)
    )


# --- the card


def _counted_card(against: Mapping[Kind, float], held: Iterable[Kind]) -> Kind:
    """Return the kind with the best result against a random card of a hand, by name where several
    are equal.
    """
    results = {kind: against[BEATS[kind]] - against[_beating(kind)] for kind in set(held)}
    return min(results, key=lambda kind: (-results[kind], kind))


def _beating(kind: Kind) -> Kind:
    return next(each for each in KINDS if BEATS[each] == kind)


def _left(spent: Sequence[Kind]) -> dict[Kind, float]:
    """Return the cards of a fresh hand that were not played; fewer than none where later cards were
    played, too.
    """
    known = Counter(FRESH_HAND)
    known.subtract(spent)
    return {kind: float(known[kind]) for kind in KINDS}


def _foreseen(mine: Sequence[Kind], theirs: Sequence[Kind]) -> tuple[int, int]:
    """Return how many of the other's cards were those of a counting player, and how many were not;
    tied cards taken back are unknown.
    """
    right = sum(
        _counted_card(_left(mine[:number]), KINDS) == card for number, card in enumerate(theirs)
    )
    return right, len(theirs) - right


def _mixture(view: TableView, other: Seat, held: Mapping[Kind, float]) -> list[Kind]:
    """Return the kinds held, each as often as in the equilibrium; in the Risk Rounds that of this
    round alone, as cards are replaced.
    """
    if view.part == "risk":
        return card_weights(
            hand_of(view.hand), hand_of([kind for kind in KINDS if held[kind] > 0]), 1, 0
        )
    ahead = (view.scores[view.seat or other] - view.scores[other]) // STEP
    theirs = hand_of(kind for kind in KINDS for _ in range(round(held[kind])))
    return card_weights(
        hand_of(view.hand),
        theirs,
        max(1, view.terms.rounds + len(view.hand) - len(FRESH_HAND)),
        ahead,
    )


def _expected_hand(view: TableView, other: Seat) -> dict[Kind, float]:
    """Return how many cards of each kind the other holds: counted in the Primary game, expected
    once it draws unseen cards.
    """
    spent = next(side.spent for side in view.sides if side.seat == other)
    known = Counter(FRESH_HAND) - Counter(spent)
    unseen = {
        kind: EACH_KIND - view.hand.count(kind) - view.discard.count(kind) - known[kind]
        for kind in KINDS
    }
    drawn = len(FRESH_HAND) - known.total() if view.part == "risk" else 0
    among = max(1, sum(max(0, many) for many in unseen.values()))
    return {kind: known[kind] + drawn * max(0, unseen[kind]) / among for kind in KINDS}


# --- the bet


def _bold_bet(view: TableView, points: int) -> int:
    """Return the smallest bet that wins the match if this card wins, else the highest possible; a
    bet pays double.
    """
    missing = view.terms.target - points
    if missing <= STEP:
        return 0
    return min(-(-missing // (2 * STEP)) * STEP, view.bets[-1])
