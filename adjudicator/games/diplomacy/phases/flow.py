"""Adjudicates a match: phase after phase, until a seat has something to decide or the match is
over.
"""

from dataclasses import replace

from adjudicator.core.chance import Chance
from adjudicator.core.game import Adjudication, Phase, Seat
from adjudicator.games.diplomacy.map.geography import STANDARD, Power
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.events import Closed, Counted, Eliminated, Happened, Taken
from adjudicator.games.diplomacy.model.orders import Disband, Hold, Order, Waive
from adjudicator.games.diplomacy.model.state import End, State, group_by_power, position_of
from adjudicator.games.diplomacy.phases import ending, stages
from adjudicator.games.diplomacy.phases.settling import take_centres
from adjudicator.games.diplomacy.phases.stages import Orders, Stage
from adjudicator.games.diplomacy.resolve.resolve_adjustments import Account, account_of
from adjudicator.games.kit.keeping import keep

# successive phases with no seat due, after which none will ever be, since unplayed powers only hold
MOST_IDLE = 6


def phase(state: State) -> Phase:
    """Return the present phase with the seats that are due (R4)."""
    return Phase(
        "The end" if state.end else calendar.phase_name(state.phase),
        seats_due(state),
        "main" if state.stage == "M" else "short",
    )


@keep
def seats_due(state: State) -> tuple[Seat, ...]:
    """Return the seats that have a unit to order, a retreat to choose, or a build or removal to
    decide, in seat order.
    """
    if state.end:
        return ()
    return tuple(
        realm.seat
        for realm in state.realms
        if realm.seat not in state.conceded and _owes(state, realm.powers)
    )


def _owes(state: State, powers: tuple[Power, ...]) -> bool:
    if state.stage == "M":
        return any(state.units.get(power) for power in powers)
    if state.stage == "R":
        return any(each.power in powers for each in state.homeless)
    return any(account_of(state, power).has_choice() for power in powers)


def default(state: State, seat: Seat) -> tuple[Order, ...]:
    """Return the orders of a silent seat: hold, disband, waive, or the removals of civil disorder
    (R7).
    """
    powers = state.powers_of(seat)
    if state.stage == "M":
        return tuple(Hold(unit) for power in powers for unit in state.units.get(power, ()))
    if state.stage == "R":
        return tuple(Disband(each.unit) for each in state.homeless if each.power in powers)
    return tuple(order for power in powers for order in _left_alone(account_of(state, power)))


def _left_alone(account: Account) -> list[Order]:
    return [
        *(Disband(unit) for unit in account.disorder),
        *[Waive(account.power)] * max(account.due, 0),
    ]


def adjudicate(state: State, orders: Orders, chance: Chance) -> Adjudication[State]:
    """Carry out a phase and the following ones in which no seat has anything to decide (R4).

    1. Apply votes and concessions. If they end the match, the other orders of the phase are not
       carried out.
    2. Carry out the phase. Powers of seats that conceded are like unplayed ones: hold, disband,
       waive, civil disorder (R5, R7).
    3. Carry out the following phases until a seat is due or the match ends; `last` stays the phase
       of step 2.
    4. If no seat will ever be due, the survivors draw.
    """
    if state.end:
        return Adjudication(state, ())
    declared, declared_events = ending.apply_declarations(state, orders)
    events: list[Happened] = [Closed(phase=state.phase), *declared_events]
    if declared.end:
        return Adjudication(declared, (*events, *ending.end_events(declared)))
    heard = {seat: given for seat, given in orders.items() if seat not in declared.conceded}
    done = _carry_out(declared, heard, chance)
    after, events = done.state, [*events, *done.events]
    for _ in range(MOST_IDLE):
        if after.end or seats_due(after):
            break
        done = _carry_out(after, {}, chance)
        events += [Closed(phase=after.phase), *done.events] if done.events else []
        after = replace(done.state, last=after.last)
    else:
        if not after.end and not seats_due(after):
            after = replace(after, end=End("draw", ending.survivors(after)))
    return Adjudication(after, (*events, *ending.end_events(after)))


def _carry_out(state: State, orders: Orders, chance: Chance) -> Stage:
    """Carry out one phase, count the centres after a Fall, and decide whether the match ends."""
    done = stages.carry_out(state, orders, chance)
    following = calendar.next_phase(state.phase, retreats=bool(done.state.homeless))
    counted = state.season == "F" and following[0] == "W"
    after, took = _count(done.state) if counted else (done.state, ())
    gone = tuple(
        Eliminated(power=power)
        for power in STANDARD.powers
        if ending.is_alive(state, power) and not ending.is_alive(after, power)
    )
    after = replace(ending.judge_end(state, after, counted=counted), phase=following)
    return Stage(after, (*done.events, *took, *gone))


def _count(state: State) -> tuple[State, tuple[Happened, ...]]:
    """Give every occupied centre to the owner of the unit; the others keep their owner."""
    before = position_of(state)
    owner = take_centres(before)
    took = tuple(
        Taken(province=code, by=owner[code], of=before.centres.get(code))
        for code in sorted(owner)
        if owner[code] != before.centres.get(code)
    )
    centres = group_by_power(owner.items())
    after = replace(
        state, centres=centres, taken=state.year if took or state.taken is None else state.taken
    )
    living = [power for power in STANDARD.powers if ending.is_alive(after, power)]
    counts = Counted(
        centres={power: len(centres.get(power, ())) for power in living},
        units={power: len(state.units.get(power, ())) for power in living},
    )
    return after, (*took, counts)
