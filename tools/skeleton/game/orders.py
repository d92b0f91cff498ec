"""From text to orders: what a seat can choose, and what is said of a line that cannot be taken."""

import re

from adjudicator.core.game import Choice, Parsed, Refusal, Seat, Slot, Slots
from adjudicator.games.kit.parsing import last_counts
from adjudicator.games.kit.words import quote
from adjudicator.games.skeleton.model import Play, State

SLOT = "card"
_NUMBER = re.compile(r"\d{1,9}")
_SEPARATORS = " \t,.;:"


def slots(state: State, seat: Seat) -> Slots:
    """One card of the hand, until none is left."""
    hand = state.hand(seat)
    if not hand:
        return ()
    choices = tuple(
        Choice(str(Play(card)), f"Card {card}", marks=(card_id(seat, card),)) for card in hand
    )
    return (Slot(SLOT, f"Which card do you play in round {state.number}?", choices),)


def card_id(seat: Seat, card: int) -> str:
    """Return the id of a card in the picture."""
    return f"skeleton-{seat}-{card}"


def parse(state: State, seat: Seat, text: str) -> Parsed[Play]:
    """Read `text`; of two good orders the later one counts (ruling G8). Never raises."""
    hand = state.hand(seat)
    read = [_read_line(state, hand, line) for line in text.splitlines() if line.strip(_SEPARATORS)]
    return last_counts(read, (SLOT,) if hand else (), several="You gave more than one card")


def _read_line(state: State, hand: tuple[int, ...], line: str) -> Play | Refusal:
    words = [word.strip(_SEPARATORS) for word in line.lower().split()]
    numbers = [word for word in words if _NUMBER.fullmatch(word)]
    unknown = next((word for word in words if word and word not in ("play", "card", *numbers)), "")
    remedies = tuple(str(Play(card)) for card in hand)
    if unknown:
        return Refusal.invalid(
            line, quote(unknown), f"“{quote(unknown)}” is no card; write its number.", remedies
        )
    if not numbers:
        return Refusal.invalid(line, quote(line), f"“{quote(line)}” names no card.", remedies)
    if len(set(map(int, numbers))) > 1:
        return Refusal.ambiguous(
            line, quote(line), f"“{quote(line)}” names more than one card; play only one.", remedies
        )
    card = int(numbers[0])
    if not 1 <= card <= state.cards:
        return Refusal.invalid(
            line, quote(numbers[0]), f"The cards are numbered from 1 to {state.cards}.", remedies
        )
    if card not in hand:
        return Refusal.illegal(
            line,
            quote(numbers[0]),
            f"You have played your {card} already.",
            remedies,
            understood=str(Play(card)),
        )
    return Play(card)
