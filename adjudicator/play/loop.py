"""The loop of phases, pure: closes a phase, then advances to the next one that needs a decision, or
stops (G9, diplomacy R11).
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Generic, Literal, Protocol, TypeVar

from adjudicator.core.chance import Chance, Draw
from adjudicator.core.game import AnyGame, Event, Phase, Seat
from adjudicator.play.submission import Understood, understand

START = Phase("Start", ())  # phase 0: the opening position, deals included
STOPPED = Phase("The end", ())  # the next phase of a stopped match
MOST_AT_ONCE = 50  # phases closed by one call; a sweep closes the rest


class RecordedChance(Chance, Protocol):
    """Chance that records its draws."""

    @property
    def draws(self) -> tuple[Draw, ...]: ...


class HasOrders(Protocol):
    """A part of a plan, whatever other fields it has."""

    @property
    def orders(self) -> str: ...


MOST_PHASES = 2000  # of any match (ruling G9)

StopReason = Literal["nobody left", "phases", "master", "agreed", "draw", "conceded", "record"]
Stops = Callable[[int, object, object], StopReason | None]
"""(a closed phase's number, the state before it, the state after it) -> why the match stops there,
or None.
"""


@dataclass(frozen=True)
class Stop:
    """Where and why a match was stopped."""

    after: int  # the number of its last phase
    why: StopReason


NOBODY: Mapping[Seat, int] = MappingProxyType({})


def stopping_rule(game: AnyGame, persons: Collection[Seat]) -> Stops:
    """Return the stopping rule of a match in which people play these seats; a seat that waits for a
    substitute is one of them.
    """

    def stops(number: int, before: object, after: object) -> StopReason | None:
        remaining = game.remaining(before, after) if number else None
        if persons and remaining is not None and set(persons).isdisjoint(remaining):
            return "nobody left"
        return stop_at_limit(number, before, after)

    return stops


def stop_at_limit(number: int, before: object, after: object) -> StopReason | None:
    """Stop after MOST_PHASES phases (ruling G9)."""
    return "phases" if number >= MOST_PHASES else None


_BECAUSE = {
    "nobody left": ", because no person was left in it, only house bots",
    "phases": f", because no match lasts longer than {MOST_PHASES:,} phases",
    "master": ", because whoever runs it ended it",
    "agreed": ", because its players agreed to stop",
    "draw": ", because its players agreed to a draw",
    "conceded": ", because all others conceded",
    "record": ", because its record ends there",
}


def stop_sentence(why: str | None, phase: str) -> str:
    """Return the sentence that says after which phase a match was stopped, and why (a StopReason);
    "" for None.
    """
    if why is None:
        return ""
    sentence = (
        "The match was stopped in its first phase{because}."
        if phase == START.name
        else "The match was stopped after {phase}{because}."
    )
    return sentence.format(phase=phase, because=_BECAUSE[why])


P = TypeVar("P", bound=HasOrders)
How = Literal["sealed", "plan", "forced", "default", "conceded", "record"]
Why = Literal["ready", "deadline", "forced", "master", "record"]


@dataclass(frozen=True)
class Given(Generic[P]):
    """The orders that count for one seat in one phase."""

    orders: tuple[object, ...]
    how: How
    part: P | None = None  # the submitted part they come from; None for forced orders and defaults

    @property
    def text(self) -> str:
        """The orders in their canonical spelling, one a line."""
        return "\n".join(str(order) for order in self.orders)


@dataclass(frozen=True)
class Dropped:
    """A part of a plan that is not followed; only its owner learns of it."""

    phase: str
    text: str
    reason: str
    alone: bool = False  # only these lines were dropped; the rest is followed


@dataclass(frozen=True)
class Closed(Generic[P]):
    """One closed phase; `phase.due` leaves out the seats that conceded before."""

    number: int
    phase: Phase
    before: object
    after: object
    given: Mapping[Seat, Given[P]]
    events: tuple[Event, ...]
    draws: tuple[Draw, ...]
    why: Why
    dropped: Mapping[Seat, Dropped] = field(default_factory=dict)


@dataclass(frozen=True)
class Opening(Generic[P]):
    """The phase that now waits for orders, empty `phase.due` meaning that the match is over or
    stopped; and what plans give for it.
    """

    number: int
    phase: Phase
    state: object
    adopted: Mapping[Seat, P]  # the part of a plan that is the seat's orders for this phase
    plans: Mapping[Seat, tuple[P, ...]]  # the rest of each seat's plan, for later phases
    dropped: Mapping[Seat, Dropped]
    stop: Stop | None = None  # set where the match was stopped before its rules ended it
    # seats that conceded and play their default from now on (ruling G10)
    out: frozenset[Seat] = frozenset()
    # whether the rules leave nobody a choice, and only MOST_AT_ONCE kept it from being closed
    forced: bool = False

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats whose orders are waited for."""
        return _asked(self.phase, self.out).due


def out_in(conceded: Mapping[Seat, int], number: int) -> frozenset[Seat]:
    """Return the seats that conceded before a phase; `conceded` has for each seat the last phase
    closed before it did.
    """
    return frozenset(seat for seat, after in conceded.items() if after < number)


def _asked(phase: Phase, out: Collection[Seat]) -> Phase:
    return replace(phase, due=tuple(seat for seat in phase.due if seat not in out))


def close_phase(
    game: AnyGame,
    state: object,
    *,
    number: int,
    given: Mapping[Seat, Given[P]],
    chance: RecordedChance,
    why: Why = "deadline",
    out: Collection[Seat] = (),
) -> Closed[P]:
    """Close the current phase: default orders for every due seat without any (rulings G3, G10),
    then one adjudication.
    """
    phase = game.phase(state)
    counted: dict[Seat, Given[P]] = {}
    for seat in phase.due:
        own = given.get(seat) if seat not in out else None
        how: How = "conceded" if seat in out else "default"
        counted[seat] = own if own and own.orders else Given(game.default(state, seat, chance), how)
    done = game.adjudicate(state, {seat: each.orders for seat, each in counted.items()}, chance)
    return Closed(
        number, _asked(phase, out), state, done.state, counted, done.events, chance.draws, why
    )


def advance_match(
    game: AnyGame,
    state: object,
    *,
    number: int,
    plans: Mapping[Seat, tuple[P, ...]],
    chance_of: Callable[[int], RecordedChance],
    before: object = None,
    stops: Stops = stop_at_limit,
    conceded: Mapping[Seat, int] = NOBODY,
    most: int = MOST_AT_ONCE,
) -> tuple[tuple[Closed[P], ...], Opening[P]]:
    """Advance from `state`, whose next phase has `number`, while all plans are complete (G5) or
    every order is forced (G7).

    `conceded` is as in `out_in`; nobody waits for the seats in it.

    1. Stop the match if `stops` says so; `before` is the state before the phase that led to
       `state`.
    2. Open the next phase: adopt each due seat's part of its plan, or drop a part that cannot be
       followed.
    3. If no seat has to be waited for, close it and begin again with the state it led to.

    Returns the phases that were closed and the one that is open; after `most` closed phases that
    one may not need to wait.
    """
    closed: list[Closed[P]] = []
    while True:
        why_stopped = stops(number - 1, before, state) if game.phase(state).due else None
        if why_stopped:
            return tuple(closed), Opening(
                number, STOPPED, state, {}, {}, {}, Stop(number - 1, why_stopped)
            )
        opening = _open(game, state, number, plans, out_in(conceded, number))
        if len(closed) == most:
            forced = forced_orders(game, state, opening.phase, opening.out) is not None
            return tuple(closed), replace(opening, forced=forced)
        given = _without_waiting(game, opening)
        if given is None:
            return tuple(closed), opening
        why: Why = "ready" if any(each.how == "plan" for each in given.values()) else "forced"
        done = close_phase(
            game,
            state,
            number=number,
            given=given,
            chance=chance_of(number),
            why=why,
            out=opening.out,
        )
        closed.append(_with_dropped(done, opening.dropped))
        before, state, number, plans = state, done.after, number + 1, opening.plans


def _open(
    game: AnyGame,
    state: object,
    number: int,
    plans: Mapping[Seat, tuple[P, ...]],
    out: frozenset[Seat],
) -> Opening[P]:
    phase = game.phase(state)
    adopted: dict[Seat, P] = {}
    left: dict[Seat, tuple[P, ...]] = {}
    dropped: dict[Seat, Dropped] = {}
    for seat, parts in plans.items():
        if not parts or seat in out:
            continue
        if seat not in phase.due:
            left[seat] = parts
            continue
        read = understand(game, state, seat, parts[0].orders)
        if read.followed:
            adopted[seat], left[seat] = parts[0], parts[1:]
        if read.refusals or not read.followed:
            dropped[seat] = _dropped(phase, parts[0].orders, read)
    return Opening(number, phase, state, adopted, left if phase.due else {}, dropped, out=out)


def _dropped(phase: Phase, text: str, read: Understood) -> Dropped:
    reason = read.refusals[0].reason if read.refusals else "It said nothing for this phase."
    if read.followed:
        return Dropped(
            phase.name,
            "\n".join(refusal.line.strip() for refusal in read.left_out),
            reason,
            alone=True,
        )
    return Dropped(phase.name, text, reason)


def _without_waiting(game: AnyGame, opening: Opening[P]) -> dict[Seat, Given[P]] | None:
    """Return the orders of every due seat when nobody has to be waited for, else None."""
    if not opening.phase.due:
        return None
    forced = forced_orders(game, opening.state, opening.phase, opening.out)
    if forced is not None:
        return {seat: Given(orders, "forced") for seat, orders in forced.items()}
    if set(opening.adopted) != set(opening.asked):
        return None
    reads = {
        seat: understand(game, opening.state, seat, part.orders)
        for seat, part in opening.adopted.items()
    }
    if not all(read.settled for read in reads.values()):
        return None
    return {seat: Given(read.orders, "plan", opening.adopted[seat]) for seat, read in reads.items()}


def forced_orders(
    game: AnyGame, state: object, phase: Phase, out: Collection[Seat] = ()
) -> dict[Seat, tuple[object, ...]] | None:
    """Return the only legal orders of every due seat where each has exactly one choice (ruling G7),
    else None.

    The seats in `out` conceded: nobody waits for them, and they get no orders here.
    """
    due = _asked(phase, out).due
    if not phase.due or (due and (game.about.waits_for_forced or not game.may_force(state))):
        return None
    forced = {}
    for seat in due:
        slots = game.slots(state, seat)
        if not slots or any(slot.optional or len(slot.choices) != 1 for slot in slots):
            return None
        forced[seat] = game.parse(
            state, seat, "\n".join(slot.choices[0].text for slot in slots)
        ).orders
    return forced


def _with_dropped(done: Closed[P], dropped: Mapping[Seat, Dropped]) -> Closed[P]:
    return Closed(
        done.number,
        done.phase,
        done.before,
        done.after,
        done.given,
        done.events,
        done.draws,
        done.why,
        dropped,
    )
