"""Validates a vote for a draw that names its sharers (R12)."""

from adjudicator.games.diplomacy.matching.unit_lookup import Fault
from adjudicator.games.diplomacy.model.orders import Vote
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.phases.ending import survivors
from adjudicator.games.kit.words import listing


def judge_vote(state: State, order: Vote) -> Vote | Fault:
    """Return the vote with its sharers in seat order, () if these are all survivors; or why it is not allowed."""
    if not order.among:
        return order
    left = survivors(state)
    if state.setup.draws != "named":
        return Fault(" ".join(order.among), "In this match all survivors share a draw; nobody is named.", (str(Vote(True)),))
    seats = {power: state.seat_of(power) for power in order.among}
    out = next((power for power, seat in seats.items() if seat not in left), None)
    if out:
        names = listing([seat.capitalize() for seat in left], "or")
        return Fault(out, f"{out.capitalize()} cannot share a draw: those who can are {names}.", (str(Vote(True)),))
    sharing = tuple(seat for seat in left if seat in seats.values())
    return Vote(True, () if sharing == left else sharing)
