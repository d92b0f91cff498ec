"""The last turn in short lines below the grid; a numbered line is the meeting with that number on
the grid.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from adjudicator.core.game import Seat
from adjudicator.games.kit.words import capital, its, listing, who
from adjudicator.games.phoenix.model.events import (
    Began,
    Eliminated,
    Happened,
    Met,
    Moved,
    Placed,
    Raised,
    Stayed,
)
from adjudicator.games.phoenix.model.grid import square_text
from adjudicator.games.phoenix.model.state import Turn
from adjudicator.games.phoenix.story.phrases import bird_name, place_text, verb_form

COLUMNS = 68  # of a line below the grid


@dataclass(frozen=True)
class Caption:
    """A line; `meeting` is the number of the meeting in the turn from 1, or 0 for any other line
    and for continued ones.
    """

    words: str
    meeting: int = 0


def caption_turn(you: Seat | None, last: Turn) -> tuple[Caption, ...]:
    """Return what the seat on turn did, what it landed on, and each meeting."""
    acts = [words for event in last.events if (words := _act(you, event))]
    rolled = f"rolled {square_text(last.dice)}" if last.dice and last.number else ""
    parts = ([rolled] if rolled else []) + acts
    first = f"{who(you, last.seat)} {listing(parts)}." if last.number and parts else "".join(acts)
    lines = [first, *_landed_on(you, last.events)]
    meetings = (event for event in last.events if isinstance(event, Met))
    numbered = (
        Caption(capital(_meeting(you, event)), place)
        for place, event in enumerate(meetings, start=1)
    )
    return tuple(
        part
        for line in (*(Caption(capital(line)) for line in lines if line), *numbered)
        for part in _wrapped(line)
    )


def _wrapped(line: Caption) -> Iterator[Caption]:
    first, *rest = wrap(line.words, COLUMNS)
    yield Caption(first, line.meeting)
    yield from (Caption(words) for words in rest)


def _act(you: Seat | None, event: Happened) -> str:
    match event:
        case Began():
            return _began(you, event)
        case Placed():
            return f"placed {its(you, event.bird.seat)} {event.bird.kind.capitalize()} there"
        case Raised():
            return _raised(you, event)
        case Moved():
            return _moved(you, event)
        case Stayed():
            return "stayed" if event.why == "blocked" else "passed"
    return ""


def _began(you: Seat | None, event: Began) -> str:
    rolls = [f"{who(you, roll.seat)} {sum(roll.dice)}" for roll in event.rounds[0]]
    begin = f"{who(you, event.first)} {'begin' if event.first == you else 'begins'}"
    return (
        f"The first roll: {listing(rolls)}."
        f" {f'After a tie {begin}' if len(event.rounds) > 1 else capital(begin)}."
    )


def _raised(you: Seat | None, event: Raised) -> str:
    onto = f"with it {event.bird.kind.capitalize()} onto {square_text(event.to)}"
    return (
        onto
        if event.second
        else f"raised {its(you, event.bird.seat)} {event.bird.kind.capitalize()} from the Ashes"
    )


def _moved(you: Seat | None, event: Moved) -> str:
    if event.how == "chain":
        return f"on to {square_text(event.to)}"
    moved = f"moved {its(you, event.bird.seat)} {event.bird.kind.capitalize()}"
    start = f"from {square_text(event.bird.square)}"
    return (
        f"{moved} there {start}"
        if event.how == "roll"
        else f"{moved} {start} to {square_text(event.to)}"
    )


def _landed_on(you: Seat | None, events: Sequence[Happened]) -> Iterator[str]:
    lost = [event.bird for event in events if isinstance(event, Eliminated)]
    if lost:
        yield (
            f"{listing([f'{bird_name(you, bird)} {place_text(bird.place)}' for bird in lost])} went"
            " to the Ashes."
        )


def _meeting(you: Seat | None, met: Met) -> str:
    if met.outcome == "mutual":
        return (
            f"{bird_name(you, met.bird)} and {bird_name(you, met.other)} sent each other to the"
            " Ashes."
        )
    strong, weak = (met.bird, met.other) if met.outcome == "won" else (met.other, met.bird)
    beats, takes = (verb_form(strong.kind, word + "s", word) for word in ("beat", "take"))
    return (
        f"{bird_name(you, strong)} {beats} {bird_name(you, weak)} and {takes}"
        f" {square_text(weak.square)}."
    )
