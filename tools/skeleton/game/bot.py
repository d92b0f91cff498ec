"""A sensible player of Skeleton: it beats what the other is likely to show, and spends a small card
where it cannot.
"""

from adjudicator.core.game import Pick, Slots
from adjudicator.games.skeleton.faces import TableView
from adjudicator.games.skeleton.model import Play


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return one of the cards above the middle of the other hand, else the lowest."""
    if not slots or view.seat is None:
        return ""
    mine = next(side.hand for side in view.sides if side.seat == view.seat)
    other = next(side.hand for side in view.sides if side.seat != view.seat)
    strong = [card for card in mine if card > other[len(other) // 2]]
    return str(Play(pick(strong or mine[:1])))
