"""Support of the tests of RPS Phoenix: the squares of the Birds, the legal orders, and the reasons of refusals."""

from adjudicator.core.game import Refusal, Seat
from adjudicator.games.phoenix.model.events import Met
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from tests.games.phoenix.scene import birds_of, decide

ESCALATED = 54  # completed turns that bring the Escalation with two seats


def texts(state: State) -> list[str]:
    """Return the orders that make sense for the seat on turn."""
    return [choice.text for slot in PHOENIX.slots(state, state.on_turn) for choice in slot.choices]


def after(state: State, order: str, *rolled: int) -> str:
    """Return the Birds on the grid after an order, as `Rr21 Bs43`."""
    return birds_of(*decide(state, order, *rolled).state.birds)


def gains(state: State, order: str, *rolled: int) -> dict[Seat, int]:
    """Return the points that an order won for each seat, without seats that won none."""
    done = decide(state, order, *rolled).state
    return {seat: done.scores[seat] - state.scores[seat] for seat in state.seats if done.scores[seat] != state.scores[seat]}


def met(state: State, order: str) -> str:
    """Return whom the landed Bird met, look by look: `NE won, SE lost`."""
    return ", ".join(f"{event.direction} {event.outcome}" for event in decide(state, order).events if isinstance(event, Met))


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
