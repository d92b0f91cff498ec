"""The story of what happened, in sentences for one reader: phase by phase, the reader's own powers first."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from adjudicator.game import Event
from adjudicator.games.diplomacy import calendar
from adjudicator.games.diplomacy.events import (
    Assigned,
    Changed,
    Closed,
    Conceded,
    Counted,
    Done,
    Driven,
    Eliminated,
    Ended,
    Revealed,
    Taken,
    Voted,
)
from adjudicator.games.diplomacy.geography import STANDARD
from adjudicator.games.diplomacy.telling import orders_told
from adjudicator.games.diplomacy.view import BoardView
from adjudicator.games.diplomacy.wording import is_own, power_name, province_name, seat_name, spot_name, spots_text, unit_name, who, whose
from adjudicator.games.kit.words import capital, count, listing


def tell(view: BoardView, events: Sequence[Event]) -> tuple[str, ...]:
    """Return a sentence for each thing that happened; several phases closed at once are told one after the other."""
    lines: list[str] = []
    for number, part in enumerate(_phases(events)):
        begun = part[0]
        if number and isinstance(begun, Closed):
            lines.append(f"{calendar.name(begun.phase)} followed at once, as nobody had a choice in it.")
        lines += _phase(view, part)
    return tuple(capital(line) for line in lines)


def _phases(events: Sequence[Event]) -> list[list[Event]]:
    """Return the events phase by phase, each beginning with its Closed (what stands before any is a part of its own)."""
    parts: list[list[Event]] = []
    for event in events:
        if not parts or (isinstance(event, Closed) and any(isinstance(other, Closed) for other in parts[-1])):
            parts.append([])
        parts[-1].append(event)
    return parts


def _phase(view: BoardView, events: Sequence[Event]) -> Iterator[str]:
    """Yield the sentences of one phase; all its orders are told where the first stands, and all centres that were taken."""
    done = [event for event in events if isinstance(event, Done)]
    taken = [event for event in events if isinstance(event, Taken)]
    for event in events:
        if isinstance(event, Done):
            yield from _orders(view, done) if event is done[0] else ()
        elif isinstance(event, Taken):
            yield from _taken(view, taken) if event is taken[0] else ()
        else:
            yield from _one(view, event)


def _orders(view: BoardView, done: Sequence[Done]) -> Iterator[str]:
    powers = sorted({event.power for event in done}, key=lambda power: (not is_own(view, power), power))
    owner = {event.unit: event.power for event in done if event.unit}
    for power in powers:
        yield from orders_told(view, [event for event in done if event.power == power], owner)


def _driven(view: BoardView, event: Driven) -> str:
    own = whose(view, event.power)
    if not event.retreats:
        return f"{own} {unit_name(event.unit)} had nowhere to retreat and was disbanded."
    return f"{own} {unit_name(event.unit)} may retreat to {spots_text(event.retreats)}, or disband."


def _taken(view: BoardView, events: Sequence[Taken]) -> Iterator[str]:
    for power in sorted({event.by for event in events}):
        took = [
            f"{province_name(event.province)}{f' from {who(view, event.of)}' if event.of else ''}" for event in events if event.by == power
        ]
        yield f"{who(view, power)} took {listing(took)}."


# --- everything that stands alone


def _one(view: BoardView, event: Event) -> Iterator[str]:
    tell_it = _TOLD.get(type(event))
    if tell_it is not None:
        yield tell_it(view, event)


def _assigned(view: BoardView, event: Assigned) -> str:
    units = [f"{unit_name(unit)} is {trait}" for unit, trait in sorted(event.traits.items(), key=lambda each: each[0][2:])]
    return f"Of {whose(view, event.power)} units, {listing(units)}."


def _changed(view: BoardView, event: Changed) -> str:
    return f"From now on {unit_name(event.unit)} is {event.trait}."


def _revealed(view: BoardView, event: Revealed) -> str:
    shown = [f"{whose(view, event.powers[unit])} {unit_name(unit)} as {trait}" for unit, trait in sorted(event.traits.items())]
    return f"The fight for {spot_name(event.province)} showed {listing(shown)}."


def _counted(view: BoardView, event: Counted) -> str:
    counts = [f"{power_name(power)} {event.centres[power]}" for power in STANDARD.powers if power in event.centres]
    return f"Supply centres now: {listing(counts)}{_differences(event)}."


def _differences(event: Counted) -> str:
    more = {power: event.centres[power] - event.units[power] for power in STANDARD.powers if power in event.centres}
    builds = [f"{power_name(power)} {number}" for power, number in more.items() if number > 0]
    removes = [f"{power_name(power)} {-number}" for power, number in more.items() if number < 0]
    said = ([f"more centres than units: {listing(builds)}"] if builds else []) + (
        [f"more units than centres: {listing(removes)}"] if removes else []
    )
    return f"; {'; '.join(said)}" if said else ""


def _eliminated(view: BoardView, event: Eliminated) -> str:
    subject = who(view, event.power)
    return f"{subject} {'have' if subject == 'you' else 'has'} neither units nor supply centres any more and {_is(subject)} out."


def _is(subject: str) -> str:
    return "are" if subject == "you" else "is"


def _voted(view: BoardView, event: Voted) -> str:
    if not event.draw:
        return "Nobody agrees to a draw any more."
    agree = listing([seat_name(view, seat) for seat in event.draw])
    verb = "agree" if len(event.draw) > 1 or event.draw[0] == view.seat else "agrees"
    missing = f"; it also takes {listing([seat_name(view, seat) for seat in event.missing])}" if event.missing else ""
    return f"{agree} {verb} to a draw{missing}."


def _conceded(view: BoardView, event: Conceded) -> str:
    return f"{seat_name(view, event.seat)} conceded; the units of {listing([power_name(power) for power in event.powers])} only hold now."


def _ended(view: BoardView, event: Ended) -> str:
    names = listing([seat_name(view, seat) for seat in event.winners]) if event.winners else "nobody"
    centres = listing([f"{power_name(seat)} {event.centres[seat]}" for seat in sorted(event.centres, key=lambda s: (-event.centres[s], s))])
    return f"The match is over: {_how(event, names)}. Supply centres at the end: {centres}."


def _how(event: Ended, names: str) -> str:
    several = len(event.winners) > 1
    if event.how == "draw":
        return f"a draw of {names}" if several else f"{names} survived alone"
    if event.how == "year":
        goal = f"with {count(event.centres[event.winners[0]], 'supply centre')}, the most after its last year"
        return f"{names} {'share the victory' if several else 'won'} {goal}"
    if event.how == "conceded":
        return f"{names} {'share it' if several else 'won'}, as all others conceded"
    return f"{names} won" if event.how == "victory" else f"{names} won, as nobody else has anything left"


_TOLD: Mapping[type[Event], Callable[..., str]] = {
    Assigned: _assigned, Changed: _changed, Driven: _driven, Revealed: _revealed, Counted: _counted, Eliminated: _eliminated, Voted: _voted,
    Conceded: _conceded, Ended: _ended,
}  # fmt: skip
