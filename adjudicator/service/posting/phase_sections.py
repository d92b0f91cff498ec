"""What happened in a closed phase, for one viewer: the same lines for letters and for the site."""

from collections.abc import Mapping, Sequence

from adjudicator.core.game import AnyGame, Event, Seat
from adjudicator.platform.words import display_seat
from adjudicator.service.base.state import Viewer
from adjudicator.service.base.tables import PhaseRow
from adjudicator.service.letters.contents.content import PhaseSection


def write_section(
    game: AnyGame,
    row: PhaseRow,
    told_to: Viewer,
    state: object,
    events: Sequence[Event],
    *,
    once: bool,
) -> PhaseSection:
    """Return a closed phase as one viewer may know it, with the state after it and its events;
    `once`: each order is told once, by its result if it has one.
    """
    results = told_to.results(game, state, events) if told_to.orders_open or not once else ()
    untold = (
        [each for each in events if not told_to.results(game, state, (each,))]
        if once and results
        else events
    )
    lines = tell_phase(game, row, told_to, state, untold, orders=not once)
    return PhaseSection(row.number, row.name, lines, results)


def tell_phase(
    game: AnyGame,
    row: PhaseRow,
    told_to: Viewer,
    state: object,
    events: Sequence[Event],
    *,
    orders: bool = True,
) -> tuple[str, ...]:
    """Return the sentences of a closed phase as one viewer may know it; `orders`: whether to tell
    what was played for who handed in nothing.
    """
    taken = row.taken or {}
    silent = {
        name: taken[name]["orders"]
        for name in _in_order(row, taken)
        if taken[name]["how"] == "default"
    }
    before = (
        told_to.seated_at is not None
        and row.closed_at is not None
        and row.closed_at < told_to.seated_at
    )
    return (
        *how_it_closed(row.why or "", row.name),
        *silent_lines(silent, told_to, before_them=before, orders=orders),
        *told_to.story(game, state, events),
    )


def _in_order(row: PhaseRow, taken: Mapping[Seat, object]) -> list[Seat]:
    """Return the seats whose orders were taken in the order of the phase's seats: PostgreSQL keeps
    none of the keys of an object.
    """
    places = {name: place for place, name in enumerate(row.due)}
    return sorted(taken, key=lambda name: places.get(name, len(places)))


def how_it_closed(why: str, phase: str) -> list[str]:
    """Return the sentence for a phase that the master closed early or that left no choice (ruling
    G7), [] for any other.
    """
    if why == "master":
        return [f"{phase} was closed by the master before its deadline."]
    return (
        [f"{phase} left nobody a choice, so it was played at once."]
        if why == "forced" and phase != "Start"
        else []
    )


def seat_label(name: Seat) -> str:
    """Return what a seat is called in a sentence: `Seat 3`, but `France` and `Red`."""
    return f"Seat {name}" if name.isdigit() else display_seat(name)


def silent_lines(
    silent: Mapping[Seat, str], told_to: Viewer, *, before_them: bool, orders: bool
) -> list[str]:
    """Return a sentence for every seat that handed in nothing (ruling G3); `silent` holds what was
    played for each.

    `before_them`: whether another player had the reader's seat then; `orders`: whether to tell what
    was played.
    """
    lines = []
    for name, text in silent.items():
        own, player = name == told_to.seat, told_to.names.get(name, "")
        you = "The player before you" if before_them else "You"
        who = (
            you
            if own
            else (
                f"{seat_label(name)} ({player})"
                if player not in ("", seat_label(name))
                else seat_label(name)
            )
        )
        whom = "that seat" if not own else "your seat" if before_them else "you"
        played = f": {', '.join(text.splitlines())}" if orders and told_to.sees_orders(name) else ""
        lines.append(
            f"{who} handed in no orders in time, so the game’s default was played for"
            f" {whom}{played}."
        )
    return lines
