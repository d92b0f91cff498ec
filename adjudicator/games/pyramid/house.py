"""A sensible player of Rock Paper Pyramid: the piece that does best on the average against all the others could show."""

from collections.abc import Mapping
from itertools import product

from adjudicator.game import Choice, Pick, Seat, Slots
from adjudicator.games.pyramid.pieces import Piece, pips
from adjudicator.games.pyramid.state import open_round
from adjudicator.games.pyramid.view import TableView


def think(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the piece that is worth most, one of them where several are."""
    if not slots or view.seat is None:
        return ""
    worths = {choice: _worth(view, view.seat, choice.text) for choice in slots[0].choices}
    return pick(_best(worths)).text


def _best(worths: Mapping[Choice, float]) -> list[Choice]:
    highest = max(worths.values())
    return [choice for choice, worth in worths.items() if worth == highest]


def _worth(view: TableView, me: Seat, piece: Piece) -> float:
    """Return what the piece takes, less what the best other takes, over all the others could show, each alike."""
    others = [hand for hand in view.hands if hand.seat != me]
    rounds = [dict(zip((hand.seat for hand in others), shown, strict=True)) for shown in product(*(hand.pool for hand in others))]
    return sum(_gain(view, me, {me: piece, **shown}) for shown in rounds) / len(rounds)


def _gain(view: TableView, me: Seat, picks: Mapping[Seat, Piece]) -> float:
    opened = open_round(1, dict(sorted(picks.items())), keeps_own=view.take == "all")
    points = sum(pips(piece) for piece in opened.haul)
    return float(points if opened.taker == me else -points / 2)
