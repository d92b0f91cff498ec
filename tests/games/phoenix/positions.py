"""Positions of RPS Phoenix for tests, written as Birds and squares: `position("Rr21 Rs34 Bs43
Bp52")`; and what follows from them.

Seat and type by their letters, then the square; `Rr?` is not placed yet, and a Bird that is not
named lies in the Ashes.
"""

from dataclasses import replace
from typing import Any

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Adjudication, Event, Refusal, Seat
from adjudicator.core.options import complete_options
from adjudicator.games.phoenix.model.events import Met
from adjudicator.games.phoenix.model.grid import Bird, Dice, Place
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.model.view import TableView
from adjudicator.games.phoenix.rules import PHOENIX

SEATS = ("Red", "Blue", "Pink", "Green")
ESCALATED = 54  # completed turns that bring the Escalation with two seats


def position(
    birds: str,
    *,
    on: Seat = "Red",
    turn: int = 20,
    dice: Dice | None = None,
    seats: int = 2,
    **options: Any,
) -> State:
    """Return a state with these Birds after `turn` completed turns; the seat `on` has to decide,
    with `dice` if it has rolled.
    """
    first_rolls = [6, 6, *[1] * (2 * seats)]
    state = PHOENIX.start(
        SEATS[:seats], complete_options(PHOENIX.about, options), ScriptedChance(first_rolls)
    )
    places = {code[:2]: _place(code[2:]) for code in birds.split()}
    stand = tuple(
        Bird(each.seat, each.kind, places.get(each.seat[0] + each.kind[0], "ashes"))
        for each in state.birds
    )
    return replace(state, birds=stand, on_turn=on, turn=turn, dice=dice, last=None)


def _place(written: str) -> Place:
    return "unplaced" if written == "?" else (int(written[0]), int(written[1]))


def birds_of(*birds: Bird) -> str:
    """Return Birds in the notation of `position`, without those in the Ashes."""
    return " ".join(
        each.seat[0] + each.kind[0] + _written(each.place)
        for each in birds
        if each.place != "ashes"
    )


def _written(place: Place) -> str:
    return "?" if isinstance(place, str) else f"{place[0]}{place[1]}"


def decide(before: State, order: str, *rolled: int) -> Adjudication[State]:
    """Return the adjudication of an order of the seat on turn; `rolled` are the dice that it or the
    next turn needs.
    """
    orders = PHOENIX.parse(before, before.on_turn, order).orders
    assert orders, order
    return PHOENIX.adjudicate(before, {before.on_turn: orders}, ScriptedChance(list(rolled)))


def story(done: Adjudication[State], you: Seat | None = None) -> tuple[str, ...]:
    """Return the story of an adjudication for `you`."""
    return PHOENIX.story(PHOENIX.view(done.state, you), done.events)


def told(*events: Event, you: Seat | None = None, **changes: Any) -> str:
    """Return the story of single events for `you`, in a match of four seats with some modes
    changed.
    """
    state = position("Rr11 Bb22", seats=4)
    view: TableView = PHOENIX.view(replace(state, modes=replace(state.modes, **changes)), you)
    return " ".join(PHOENIX.story(view, events))


# --- orders and refusals


def texts(state: State) -> list[str]:
    """Return the orders that make sense for the seat on turn."""
    return [choice.text for slot in PHOENIX.slots(state, state.on_turn) for choice in slot.choices]


def after(state: State, order: str, *rolled: int) -> str:
    """Return the Birds on the grid after an order, as `Rr21 Bs43`."""
    return birds_of(*decide(state, order, *rolled).state.birds)


def gains(state: State, order: str, *rolled: int) -> dict[Seat, int]:
    """Return the points that an order won for each seat, without seats that won none."""
    done = decide(state, order, *rolled).state
    return {
        seat: done.scores[seat] - state.scores[seat]
        for seat in state.seats
        if done.scores[seat] != state.scores[seat]
    }


def met(state: State, order: str) -> str:
    """Return whom the landed Bird met, look by look: `NE won, SE lost`."""
    return ", ".join(
        f"{event.direction} {event.outcome}"
        for event in decide(state, order).events
        if isinstance(event, Met)
    )


def refused(state: State, text: str, seat: Seat = "Red") -> Refusal:
    """Return the only refusal of a text."""
    read = PHOENIX.parse(state, seat, text)
    assert read.orders == ()
    assert len(read.refusals) == 1
    return read.refusals[0]


def why(state: State, text: str, seat: Seat = "Red") -> str:
    """Return the reason why an order is illegal now, and check its understood text."""
    refusal = refused(state, text, seat)
    assert (refusal.kind, bool(refusal.understood)) == ("illegal", True)
    return refusal.reason
