"""Survivors, votes, concessions, the end of a match and its winners (R5, R6)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from adjudicator.core.game import Result, Seat, Standing
from adjudicator.games.diplomacy.map.geography import STANDARD, Power
from adjudicator.games.diplomacy.model.events import Conceded, Ended, Proposed, Voted
from adjudicator.games.diplomacy.model.orders import Concede, Order, Vote
from adjudicator.games.diplomacy.model.state import End, State
from adjudicator.games.kit.keeping import keep
from adjudicator.games.kit.ranking import places

_DECLARED = (Vote, Concede)


def is_alive(state: State, power: Power) -> bool:
    """Whether a power has a unit, a centre or a dislodged unit."""
    return bool(state.units.get(power) or state.centres.get(power)) or any(
        each.power == power for each in state.homeless
    )


@keep
def survivors(state: State) -> tuple[Seat, ...]:
    """Return the seats that have not conceded and have a power alive, in seat order."""
    return tuple(
        realm.seat
        for realm in state.realms
        if realm.seat not in state.conceded
        and any(is_alive(state, power) for power in realm.powers)
    )


def count_centres(state: State) -> dict[Seat, int]:
    """Return the number of centres of each seat, those of all its powers together."""
    return {
        realm.seat: sum(len(state.centres.get(power, ())) for power in realm.powers)
        for realm in state.realms
    }


# --- votes and concessions


def apply_declarations(
    state: State, orders: Mapping[Seat, tuple[Order, ...]]
) -> tuple[State, tuple[Voted | Proposed | Conceded, ...]]:
    """Apply the votes and concessions of a phase, before any order is carried out.

    1. Seats that concede are out at once; their votes are ignored.
    2. A vote replaces the seat's earlier one. Votes of seats that are out lapse.
    3. After concessions the last seat left wins. If all remaining seats concede in one phase, they
       draw.
    4. Otherwise the match is a draw if all votes agree.
    """
    if not state.voted and not any(
        isinstance(o, _DECLARED) for own in orders.values() for o in own
    ):
        return state, ()
    left = survivors(state)
    given_up = tuple(
        seat for seat in left if any(isinstance(order, Concede) for order in orders.get(seat, ()))
    )
    after = replace(state, conceded=(*state.conceded, *given_up))
    after = _lapsed(replace(after, **_votes(after, orders)))
    events: list[Voted | Proposed | Conceded] = [
        Conceded(seat=seat, powers=state.powers_of(seat)) for seat in given_up
    ]
    if (after.voted, after.among) != (state.voted, state.among):
        missing = tuple(seat for seat in voters(after) if seat not in after.voted)
        secret = state.setup.votes == "secret"
        events.append(
            Voted(
                readers=() if secret else None, draw=after.voted, missing=missing, among=after.among
            )
        )
        if secret and proposed_draws(after) != proposed_draws(state):
            events.append(Proposed(draws=proposed_draws(after)))
    if given_up and len(survivors(after)) < 2:
        after = replace(after, end=End("conceded", survivors(after) or given_up))
    return (after if after.end else agree_draw(after)), tuple(events)


def _votes(state: State, orders: Mapping[Seat, tuple[Order, ...]]) -> dict[str, Any]:
    """Return the new `voted` and `among`; a seat without a vote keeps its earlier one."""
    cast = {
        seat: next((order for order in reversed(own) if isinstance(order, Vote)), None)
        for seat, own in orders.items()
    }
    stands = {
        seat: Vote(seat in state.voted, state.among.get(seat, ())) for seat in survivors(state)
    }
    votes = {seat: cast.get(seat) or vote for seat, vote in stands.items()}
    among = {seat: vote.among for seat, vote in votes.items() if vote.draw and vote.among}
    return {"voted": tuple(seat for seat, vote in votes.items() if vote.draw), "among": among}


def _lapsed(state: State) -> State:
    """Return the state without the votes of seats that are out, and without proposals that name
    such a seat (R12).
    """
    if not state.voted:
        return state
    left = survivors(state)
    voted = tuple(
        seat for seat in state.voted if seat in left and set(state.among.get(seat, ())) <= set(left)
    )
    return replace(
        state,
        voted=voted,
        among={seat: among for seat, among in state.among.items() if seat in voted},
    )


def voters(state: State) -> tuple[Seat, ...]:
    """Return the seats whose agreement a draw needs: the survivors with a unit; a survivor without
    one still shares the draw.
    """
    with_units = {power for power in STANDARD.powers if state.units.get(power)} | {
        each.power for each in state.homeless
    }
    return tuple(
        seat for seat in survivors(state) if not with_units.isdisjoint(state.powers_of(seat))
    )


def proposed_draws(state: State) -> tuple[tuple[Seat, ...], ...]:
    """Return the sharers of each draw that somebody agrees to, () for all survivors, in an order
    that tells nothing of who.
    """
    return tuple(sorted({state.among.get(seat, ()) for seat in state.voted}))


def agree_draw(state: State) -> State:
    """Return the state, ended by a draw if all voters agree to the same one, of all survivors or of
    some (R6, R12).
    """
    if not state.voted:
        return state
    needed, left = voters(state), survivors(state)
    wanted = {state.among.get(seat) or left for seat in needed}
    agreed = needed and set(needed) <= set(state.voted) and len(wanted) == 1
    return replace(state, end=End("draw", wanted.pop())) if agreed else state


# --- the end


def judge_end(before: State, state: State, *, counted: bool) -> State:
    """Return the state after a phase, with its end if the match is over; `counted`: the centres
    were counted after a Fall.

    The centres of all powers of a seat count together (R6, the alternative way to play with fewer
    than seven).

    1. After a count a seat wins with at least the victory centres and more than any other seat and
       any unplayed power.
    2. After the count of the last year the seats with the most centres win.
    3. The last of several seats wins. If no seat is left, those left before this phase draw.
    4. Otherwise the match is a draw if all votes agree.
    """
    if counted and (winners := _winners(state)):
        return replace(state, end=winners)
    left, were = survivors(state), survivors(before)
    if not left or len(left) < 2 <= len(were):
        return replace(state, end=End("alone", left or were))
    return agree_draw(_lapsed(state))


def _winners(state: State) -> End | None:
    counts, first = count_centres(state), _leaders(state)
    most = max((counts[seat] for seat in first), default=0)
    others = [count for seat, count in counts.items() if seat not in first] + _unplayed(state)
    if len(first) == 1 and most >= state.setup.victory_centres and most > max(others, default=0):
        return End("victory", first)
    return End("year", first) if first and 0 < state.setup.year_limit <= state.year else None


def _leaders(state: State) -> tuple[Seat, ...]:
    """Return the survivors with the most centres, in seat order."""
    counts, left = count_centres(state), survivors(state)
    return tuple(seat for seat in left if counts[seat] == max(counts[each] for each in left))


def _unplayed(state: State) -> list[int]:
    return [
        len(state.centres.get(power, ()))
        for power in STANDARD.powers
        if state.seat_of(power) is None
    ]


def end_events(state: State) -> tuple[Ended, ...]:
    """Return the end as an event, () before the end."""
    return (
        (Ended(how=state.end.how, winners=state.end.winners, centres=count_centres(state)),)
        if state.end
        else ()
    )


def standing(state: State) -> Result:
    """Return the standing of every seat, before the end as if this were the last year (R6)."""
    return _standings(state, state.end or End("year", _leaders(state)))


def _standings(state: State, end: End) -> Result:
    counts = count_centres(state)
    place = places(
        {
            seat: (True, 0) if seat in end.winners else (False, count)
            for seat, count in counts.items()
        }
    )
    return {seat: Standing(place[seat], counts[seat], _outcome(end, seat)) for seat in counts}


def _outcome(end: End, seat: Seat) -> Literal["won", "shared", "drew", "lost"]:
    if seat not in end.winners:
        return "lost"
    if len(end.winners) == 1:
        return "won"
    return "shared" if end.how == "year" else "drew"
