"""Parses the order in a text; a refusal has its reason and what would be legal instead."""

from dataclasses import replace

from adjudicator.core.game import Parsed, Refusal, Seat
from adjudicator.games.kit.parsing import Misread, last_counts
from adjudicator.games.kit.words import quote
from adjudicator.games.phoenix.language.choices import SLOT, slots
from adjudicator.games.phoenix.language.grammar import read_order
from adjudicator.games.phoenix.model.orders import (
    Diagonal,
    Order,
    Phoenix,
    chain_text,
    meeting_text,
    second_text,
)
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.resolve.legal import why_not

MOST_REMEDIES = 8
SEPARATORS = " \t,.;:"


def parse(state: State, seat: Seat, text: str) -> Parsed[Order]:
    """Read `text`; of two good orders the later one counts (ruling G8). Never raises."""
    read = [
        _read_line(state, seat, line)
        for line in text.splitlines()
        if line.strip().strip(SEPARATORS)
    ]
    owed = (SLOT,) if seat == state.on_turn and not state.ended else ()
    return last_counts(
        read, owed, several="You gave more than one order", called=lambda order: f"“{order}”"
    )


def _read_line(state: State, seat: Seat, line: str) -> Order | Refusal:
    order = read_order(state, seat, line)
    if isinstance(order, Misread):
        return order.refusal(line, _remedies(state, seat, line))
    reason = why_not(state, seat, order)
    if not reason:
        return order
    piece = quote(_wrong_part(state, seat, order) or line)
    return Refusal.illegal(
        line, piece, reason, _remedies(state, seat, str(order)), understood=str(order)
    )


def _wrong_part(state: State, seat: Seat, order: Order) -> str:
    """Return the addition to an order without which it would be legal, "" if there is no such
    addition.
    """
    additions: list[tuple[str, Order]] = []
    if isinstance(order, Diagonal):
        additions = [(chain_text(order.chain), replace(order, chain=0))]
    if isinstance(order, Phoenix):
        additions = [
            (second_text(order.second), replace(order, second=None)),
            (meeting_text(order.meeting), replace(order, meeting=())),
        ]
    return next(
        (text.strip() for text, without in additions if text and not why_not(state, seat, without)),
        "",
    )


def _remedies(state: State, seat: Seat, meant: str) -> tuple[str, ...]:
    """Return legal orders, those with the same first word and the most words in common first."""
    words = meant.lower().split()
    texts = [choice.text for slot in slots(state, seat) for choice in slot.choices]
    return tuple(
        sorted(texts, key=lambda text: _distance(words, text.lower().split()))[:MOST_REMEDIES]
    )


def _distance(words: list[str], others: list[str]) -> int:
    return -len(set(words) & set(others)) - 2 * (words[:1] == others[:1])
