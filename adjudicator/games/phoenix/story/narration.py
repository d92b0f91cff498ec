"""The events of a decision in sentences, addressed to one seat."""

from collections.abc import Callable, Sequence
from typing import Any

from adjudicator.core.game import Event, Seat
from adjudicator.games.kit.words import (
    capital,
    count,
    its,
    listing,
    plural,
    scores_text,
    who,
    whose,
)
from adjudicator.games.phoenix.model import events
from adjudicator.games.phoenix.model.grid import COMPASS, Bird, Square, is_gold, square_text
from adjudicator.games.phoenix.model.view import TableView
from adjudicator.games.phoenix.story.phrases import (
    bird_name,
    place_text,
    seat_names,
    verb_form,
    win_verbs,
    winning_seats,
)

You = Seat | None


def tell_story(view: TableView, happened: Sequence[Event]) -> tuple[str, ...]:
    """Return one or two sentences for each event; the view's own seat is addressed as you."""
    return tuple(capital(_sentence(view, event)) for event in happened)


def _sentence(view: TableView, event: Event) -> str:
    if isinstance(event, events.Ended):
        return _ended(view.seat, event, give_away=view.modes.give_away)
    return TELLERS[type(event)](view.seat, event)


# --- dice


def _began(you: You, event: events.Began) -> str:
    first, *again = event.rounds
    rolls = [f"For the first turn {_rolls(you, first)}."]
    rolls += [f"The highest totals were alike, so {_rolls(you, tied)}." for tied in again]
    return " ".join(
        [*rolls, f"{capital(who(you, event.first))} {'begin' if event.first == you else 'begins'}."]
    )


def _rolls(you: You, rolls: Sequence[events.FirstRoll]) -> str:
    totals = [
        f"{who(you, roll.seat)}{' rolled' * (not place)} {sum(roll.dice)}"
        for place, roll in enumerate(rolls)
    ]
    return listing(
        [
            f"{total} ({roll.dice[0]} and {roll.dice[1]})"
            for total, roll in zip(totals, rolls, strict=True)
        ]
    )


def _rolled(you: You, event: events.Rolled) -> str:
    doubles = ", doubles" if is_gold(event.dice) else ""
    return f"Turn {event.turn}: {who(you, event.seat)} rolled {square_text(event.dice)}{doubles}."


# --- landing


def _placed(you: You, event: events.Placed) -> str:
    bird = event.bird
    return (
        f"{who(you, bird.seat)} placed {its(you, bird.seat)} {bird.kind.capitalize()} on"
        f" {square_text(event.to)}."
    )


def _moved(you: You, event: events.Moved) -> str:
    bird = event.bird
    path = f"from {square_text(bird.square)} to {square_text(event.to)}"
    if event.how == "chain":
        return f"In a chain reaction {bird_name(you, bird)} went on {path}."
    moved = f"{who(you, bird.seat)} moved {its(you, bird.seat)} {bird.kind.capitalize()}"
    if event.how == "roll":
        return f"{moved} {path}, the square of the dice."
    return f"{moved} {_diagonal(bird.square, event.to)}, {path}."


def _diagonal(start: Square, end: Square) -> str:
    """Return `north-east`, `3 squares north-east`."""
    squares = abs(end[0] - start[0])
    direction = (
        f"{'north' if end[1] > start[1] else 'south'}-{'east' if end[0] > start[0] else 'west'}"
    )
    return f"{squares} squares {direction}" if squares > 1 else direction


def _raised(you: You, event: events.Raised) -> str:
    bird, seat = event.bird, event.bird.seat
    raised = f"raised {its(you, seat)} {bird.kind.capitalize()} from the Ashes"
    if event.second:
        return (
            f"With it {who(you, seat)} {raised} beside the first, onto {square_text(event.to)} (2"
            " points)."
        )
    forced = ", as the give-away rule demands" if event.forced else ""
    return f"Phoenix: {who(you, seat)} {raised} onto {square_text(event.to)}{forced} (2 points)."


def _stayed(you: You, event: events.Stayed) -> str:
    them, have = ("you", "have") if event.seat == you else (event.seat, "has")
    if event.why == "none-to-place":
        return f"{them} {have} no Bird left to place and passed."
    if event.why == "none-on-grid":
        return (
            f"{them} {have} no Bird on the grid that could move to {square_text(event.at)}, and"
            " passed."
        )
    if event.blocker is None:
        return (
            f"{them} stayed: a Bird of {its(you, event.seat)} own side is on"
            f" {square_text(event.at)}."
        )
    kind = event.blocker.kind
    own = (
        f"{its(you, event.seat)} own"
        if event.blocker.seat == event.seat
        else whose(you, event.blocker.seat)
    )
    return (
        f"{them} stayed: {own} {kind.capitalize()} {verb_form(kind, 'stands', 'stand')} on"
        f" {square_text(event.at)}."
    )


# --- meeting


def _eliminated(you: You, event: events.Eliminated) -> str:
    point = f"(1 point for {who(you, event.by.seat)})"
    if event.why in {"diagonal", "chain"}:
        return f"There it captured {bird_name(you, event.bird)}, which went to the Ashes {point}."
    lost = f"{bird_name(you, event.bird)} stood there and went to the Ashes"
    return f"{lost}: landing on a square eliminates, whatever the types {point}."


def _met(you: You, event: events.Met) -> str:
    bird, other = event.bird, event.other
    remark = "as ordered, " if event.named else ""
    meeting = (
        f"{remark}{bird_name(you, bird)} met {bird_name(you, other)} to the"
        f" {COMPASS[event.direction]}, {place_text(other.place)}"
    )
    if event.outcome == "mutual":
        both = f"(1 point for {who(you, bird.seat)}, 1 for {who(you, other.seat)})"
        return f"{meeting}: in the Escalation both went to the Ashes {both}."
    strong, weak = (bird, other) if event.outcome == "won" else (other, bird)
    return f"{meeting}: {_beaten(strong, weak)}. {capital(_taken(you, strong, weak))}."


def _beaten(strong: Bird, weak: Bird) -> str:
    return (
        f"{strong.kind.capitalize()} {verb_form(strong.kind, 'beats', 'beat')}"
        f" {weak.kind.capitalize()}"
    )


def _taken(you: You, strong: Bird, weak: Bird) -> str:
    took = f"{bird_name(you, strong)} took {square_text(weak.square)}"
    return (
        f"{bird_name(you, weak)} went to the Ashes and {took} (1 point for {who(you, strong.seat)})"
    )


# --- the table


def _chip_paid(you: You, event: events.ChipPaid) -> str:
    return (
        f"{who(you, event.seat)} put {count(event.chips, 'chip')} into the pot, which holds"
        f" {event.pot} now."
    )


def _opening_ended(you: You, event: events.OpeningEnded) -> str:
    return (
        f"The opening ended with turn {event.turn}. From now on a Bird that lands meets the"
        " opponents at the corners of its square."
    )


def _escalation_began(you: You, event: events.EscalationBegan) -> str:
    new = (
        "long diagonals, chain reactions, Birds that meet both go to the Ashes, and doubles can"
        " raise two"
    )
    return f"After turn {event.turn} the Escalation has begun: {new}."


def _scored(you: You, event: events.Scored) -> str:
    return f"The score: {scores_text(you, event.scores)}."


# --- the end


def _ended(you: You, event: events.Ended, *, give_away: bool = False) -> str:
    """Return the end of the match in sentences addressed to `you`; `give_away` decides what counts
    at the limit.
    """
    score = f"The last score: {scores_text(you, event.scores)}."
    return " ".join(filter(None, (_won(you, event, give_away=give_away), _pot(you, event), score)))


def _won(you: You, event: events.Ended, *, give_away: bool) -> str:
    seats = winning_seats(event)
    names, has, wins = seat_names(you, seats), *win_verbs(you, seats)
    win = "share the victory" if len(event.winners) > 1 else wins
    if event.why == "survivor":
        return (
            f"The match is over after turn {event.turn}: {names} alone {has} Birds on the grid and"
            f" {win}{_bonus(you, event)}."
        )
    if event.why == "given-away":
        return (
            f"The match is over after turn {event.turn}: {names} {has} every Bird in the Ashes and"
            f" {win}{_bonus(you, event)}."
        )
    most = "most Birds in the Ashes" if give_away else "the highest score"
    return (
        f"The match is over, as the limit is reached with turn {event.turn}: {names} {has} {most}"
        f" and {win}."
    )


def _bonus(you: You, event: events.Ended) -> str:
    entered = list(event.bonus)
    if len(event.winners) > 1:
        return " (3 points each)"
    return (
        " (3 points)"
        if list(event.winners) == [tuple(entered)]
        else f" (3 points, added to {whose(you, entered[0])} score)"
    )


def _pot(you: You, event: events.Ended) -> str:
    if not event.shares and not event.pot:
        return ""
    shares = [
        f"{who(you, seat)} {'take' if seat == you else 'takes'} {count(chips, 'chip')}"
        for seat, chips in event.shares.items()
        if chips
    ]
    left = (
        f"{event.pot} {plural(event.pot, 'stays in the pot', 'stay in the pot')}"
        if event.pot
        else ""
    )
    if not shares:
        return f"Too few chips for everybody to have one: {left}."
    return capital(f"{listing(shares)} out of the pot{'; ' + left if left else ''}.")


TELLERS: dict[type[Event], Callable[[You, Any], str]] = {
    events.Began: _began,
    events.Rolled: _rolled,
    events.Placed: _placed,
    events.Moved: _moved,
    events.Raised: _raised,
    events.Eliminated: _eliminated,
    events.Met: _met,
    events.Stayed: _stayed,
    events.ChipPaid: _chip_paid,
    events.OpeningEnded: _opening_ended,
    events.EscalationBegan: _escalation_began,
    events.Scored: _scored,
}
