"""Tells the events to one reader in sentences: phase by phase, the reader's own powers first."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from adjudicator.core.game import Event, Seat
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.events import (
    Assigned,
    Changed,
    Closed,
    Conceded,
    Counted,
    Done,
    Driven,
    Eliminated,
    Ended,
    Proposed,
    Revealed,
    Taken,
    Voted,
)
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.story.phase_results import orders_told
from adjudicator.games.diplomacy.story.wording import (
    acting,
    is_own,
    power_name,
    seat_name,
    spot_name,
    spots_text,
    unit_name,
    who,
    whose,
)
from adjudicator.games.kit.words import capital, count, listing


def tell_story(view: BoardView, events: Sequence[Event]) -> tuple[str, ...]:
    """Return the sentences on the events; phases that were closed together follow one another."""
    lines: list[str] = []
    for number, part in enumerate(_phases(events)):
        begun = part[0]
        if number and isinstance(begun, Closed):
            lines.append(
                f"{calendar.phase_name(begun.phase)} followed at once, as nobody had anything to"
                " decide."
            )
        lines += _phase(view, part)
    return tuple(capital(line) for line in lines)


def _phases(events: Sequence[Event]) -> list[list[Event]]:
    """Return the events phase by phase, each list beginning with its `Closed`; events before the
    first `Closed` are in its list.
    """
    parts: list[list[Event]] = []
    for event in events:
        if not parts or (
            isinstance(event, Closed) and any(isinstance(other, Closed) for other in parts[-1])
        ):
            parts.append([])
        parts[-1].append(event)
    return parts


def _phase(view: BoardView, events: Sequence[Event]) -> Iterator[str]:
    """Yield the sentences of one phase in the order of its events; all `Done` are told at the
    first, so are `Taken` and `Driven`.
    """
    stage = next((event.phase[5] for event in events if isinstance(event, Closed)), "M")
    gathered: dict[type[Event], Callable[[Sequence[Event]], Iterator[str]]] = {
        Done: lambda found: orders_told(
            view, [event for event in found if isinstance(event, Done)], stage
        ),
        Taken: lambda found: _taken(view, [event for event in found if isinstance(event, Taken)]),
        Driven: lambda found: _homeless(
            view, [event for event in found if isinstance(event, Driven)]
        ),
    }
    for event in events:
        if (tell_all := gathered.pop(type(event), None)) is not None:
            yield from tell_all([each for each in events if type(each) is type(event)])
        elif (tell_it := _TOLD.get(type(event))) is not None:
            yield tell_it(view, event)


def _homeless(view: BoardView, events: Sequence[Driven]) -> Iterator[str]:
    for event in sorted(events, key=lambda each: not is_own(view, each.power)):
        yield _driven(view, event)


def _driven(view: BoardView, event: Driven) -> str:
    own = whose(view, event.power)
    if not event.retreats:
        return f"{own} {unit_name(event.unit)} had nowhere to retreat and was disbanded."
    return f"{own} {unit_name(event.unit)} may retreat to {spots_text(event.retreats)}, or disband."


def _taken(view: BoardView, events: Sequence[Taken]) -> Iterator[str]:
    for power in sorted(
        {event.by for event in events}, key=lambda each: (not is_own(view, each), each)
    ):
        took = [
            f"{spot_name(event.province)}{f' from {who(view, event.of)}' if event.of else ''}"
            for event in events
            if event.by == power
        ]
        yield f"{acting(view, power)} took {listing(took)}."


# --- events with a sentence each


def _assigned(view: BoardView, event: Assigned) -> str:
    first, *others = sorted(event.traits.items(), key=lambda each: each[0][2:])
    units = [
        f"{unit_name(first[0])} is {first[1]}",
        *(f"{unit_name(unit)} {trait}" for unit, trait in others),
    ]
    return f"{whose(view, event.power)} {listing(units)}."


def _changed(view: BoardView, event: Changed) -> str:
    stood = view.last.units if view.last else {}
    # after the end other readers see it too
    owner = next((power for power, units in stood.items() if event.unit in units), None)
    return (
        f"{whose(view, owner) if owner else 'the'} {unit_name(event.unit)} is {event.trait} from"
        " now on."
    )


def _revealed(view: BoardView, event: Revealed) -> str:
    """Return `In the fight for Silesia, your army Galicia was Paper and Germany’s army Prussia
    Rock.`
    """
    shown = sorted(
        event.traits,
        key=lambda unit: (not is_own(view, event.powers[unit]), event.powers[unit], unit),
    )
    before = [None, *(event.powers[unit] for unit in shown)]
    names = [
        (
            unit_name(unit)
            if event.powers[unit] == last
            else f"{whose(view, event.powers[unit])} {unit_name(unit)}"
        )
        for unit, last in zip(shown, before, strict=False)
    ]
    where = f"In the fight for {spot_name(event.province)},"
    if len(shown) > 1 and len(set(event.traits.values())) == 1:
        return (
            f"{where} {listing(names)} were {'both' if len(shown) == 2 else 'all'}"
            f" {event.traits[shown[0]]}."
        )
    first, *others = [(name, event.traits[unit]) for name, unit in zip(names, shown, strict=True)]
    return (
        f"{where}"
        f" {listing([f'{first[0]} was {first[1]}', *(f'{name} {trait}' for name, trait in others)])}."
    )


def _counted(view: BoardView, event: Counted) -> str:
    counts = [
        f"{power_name(power)} {event.centres[power]}"
        for power in STANDARD.powers
        if power in event.centres
    ]
    return f"Supply centres: {listing(counts)}{_differences(event)}."


def _differences(event: Counted) -> str:
    more = {
        power: event.centres[power] - event.units[power]
        for power in STANDARD.powers
        if power in event.centres
    }
    builds = [f"{power_name(power)} {number}" for power, number in more.items() if number > 0]
    removes = [f"{power_name(power)} {-number}" for power, number in more.items() if number < 0]
    changes = [
        f"{what}: {listing(numbers)}"
        for what, numbers in (("builds due", builds), ("removals due", removes))
        if numbers
    ]
    return "".join(f"; {each}" for each in changes)


def _eliminated(view: BoardView, event: Eliminated) -> str:
    subject = who(view, event.power)
    return (
        f"{subject} {'have' if subject == 'you' else 'has'} neither units nor supply centres any"
        f" more and {_is(subject)} out."
    )


def _is(subject: str) -> str:
    return "are" if subject == "you" else "is"


def _voted(view: BoardView, event: Voted) -> str:
    if not event.draw:
        return "Nobody agrees to a draw any more."
    agree = listing([seat_name(view, seat) for seat in event.draw])
    verb = "agree" if len(event.draw) > 1 or event.draw[0] == view.seat else "agrees"
    missing = (
        f"; it also takes {listing([seat_name(view, seat) for seat in event.missing])}"
        if event.missing
        else ""
    )
    if not event.among:
        return f"{agree} {verb} to a draw{missing}."
    wishes: dict[tuple[Seat, ...], list[Seat]] = {}
    for seat in event.draw:
        wishes.setdefault(event.among.get(seat, ()), []).append(seat)
    return f"{'; '.join(_wish(view, among, seats) for among, seats in wishes.items())}{missing}."


def _proposed(view: BoardView, event: Proposed) -> str:
    if not event.draws:
        return "No draw is proposed any more."
    powers = [
        "a draw of"
        f" {listing([seat_name(view, seat) for seat in among]) if among else 'all survivors'}"
        for among in event.draws
    ]
    return f"Proposed now: {listing(powers)}."


def _wish(view: BoardView, among: Sequence[Seat], seats: Sequence[Seat]) -> str:
    """Return who agrees to which draw: `England and France agree to a draw of England and France`
    (R12).
    """
    verb = "agree" if len(seats) > 1 or seats[0] == view.seat else "agrees"
    of = f"of {listing([seat_name(view, seat) for seat in among])}" if among else "of all survivors"
    return f"{listing([seat_name(view, seat) for seat in seats])} {verb} to a draw {of}"


def _conceded(view: BoardView, event: Conceded) -> str:
    units = listing([f"{whose(view, power)} units" for power in event.powers])
    return f"{seat_name(view, event.seat)} conceded; {units} only hold from now on."


def _ended(view: BoardView, event: Ended) -> str:
    names = (
        listing([seat_name(view, seat) for seat in event.winners]) if event.winners else "nobody"
    )
    order = sorted(event.centres, key=lambda seat: (-event.centres[seat], seat))
    centres = listing([f"{seat_name(view, seat)} {event.centres[seat]}" for seat in order])
    return f"The match is over: {_how(event, names)}. Supply centres at the end: {centres}."


def _how(event: Ended, names: str) -> str:
    several = len(event.winners) > 1
    if event.how == "draw":
        return f"a draw of {names}" if several else f"{names} survived alone"
    if event.how == "year":
        goal = (
            f"with {count(event.centres[event.winners[0]], 'supply centre')}, the most after its"
            " last year"
        )
        return f"{names} {'share the victory' if several else 'won'} {goal}"
    if event.how == "conceded":
        return f"{names} {'share it' if several else 'won'}, as all others conceded"
    if event.how == "victory":
        return f"{names} won"
    return (
        f"{names} lost all they had at once, a draw"
        if several
        else f"{names} won, as nobody else has anything left"
    )


_TOLD: Mapping[type[Event], Callable[..., str]] = {
    Assigned: _assigned,
    Changed: _changed,
    Revealed: _revealed,
    Counted: _counted,
    Eliminated: _eliminated,
    Voted: _voted,
    Proposed: _proposed,
    Conceded: _conceded,
    Ended: _ended,
}
