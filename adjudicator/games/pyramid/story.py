"""The story of a round in sentences, for one reader."""

from collections.abc import Mapping, Sequence

from adjudicator.core.game import Event, Seat
from adjudicator.games.kit.words import capital, its, listing, scores_text, who, whose
from adjudicator.games.pyramid.pieces import Pattern, piece_name
from adjudicator.games.pyramid.state import (
    Captured,
    Dealt,
    DealtRed,
    Ended,
    Opened,
    RedsDealt,
    Scored,
    Took,
)
from adjudicator.games.pyramid.view import TableView, count_pips, pieces_text

NOBODY: Mapping[Pattern, str] = {
    "wishbone": (
        "Two pieces captured the third and neither captured the other, so nobody took anything."
    ),
    "standoff": "Each piece was captured by another, so nobody took anything.",
    "washout": "No piece captured another, so nobody took anything.",
}


def tell_story(view: TableView, events: Sequence[Event]) -> tuple[str, ...]:
    """Return a sentence for each event; the view's own seat is addressed as you."""
    return tuple(capital(_sentence(view.seat, event)) for event in events)


def _sentence(you: Seat | None, event: Event) -> str:
    match event:
        case Dealt():
            return _dealt(you, event)
        case RedsDealt():
            return "Each seat was dealt one red piece, whose size it alone knows until it is shown."
        case DealtRed():
            return (
                f"{who(you, event.seat)} {'were' if event.seat == you else 'was'} dealt the"
                f" {piece_name(event.piece)} piece."
            )
        case Opened():
            return _opened(you, event)
        case Captured():
            by, of = (
                f"{whose(you, event.by)} {piece_name(event.by_piece)}",
                f"{whose(you, event.of)} {piece_name(event.of_piece)}",
            )
            return f"{by} captured {of} by {event.why}."
        case Took():
            return _took(you, event)
        case Scored():
            return f"The score: {scores_text(you, dict(sorted(event.scores.items())), 'pip')}."
        case Ended():
            return _ended(you, event)
    return ""


def _dealt(you: Seat | None, event: Dealt) -> str:
    given = [
        f"{who(you, seat)} {piece_name(piece)}" for seat, piece in sorted(event.pieces.items())
    ]
    return f"The red pieces were dealt: {listing(given)}."


def _opened(you: Seat | None, event: Opened) -> str:
    seats = sorted(event.picks)
    shown = [f"{who(you, seats[0])} showed {piece_name(event.picks[seats[0]])}"]
    shown += [f"{who(you, seat)} {piece_name(event.picks[seat])}" for seat in seats[1:]]
    return f"Round {event.round} was a {event.pattern}: {listing(shown)}."


def _took(you: Seat | None, event: Took) -> str:
    if event.taker is None:
        return NOBODY[event.pattern]
    own = ""
    if event.own:
        own = f" and kept {its(you, event.taker)} own {piece_name(event.own)}"
    return (
        f"{who(you, event.taker)} took {pieces_text(event.taken)}{own}: {count_pips(event.points)}."
    )


def _ended(you: Seat | None, event: Ended) -> str:
    first = [seat for seat in sorted(event.places) if event.places[seat] == 1]
    points = count_pips(event.scores[first[0]])
    rest = sorted(
        (seat for seat in event.places if seat not in first),
        key=lambda seat: (event.places[seat], seat),
    )
    if not rest:
        return f"The match is over and all three share first place with {points}."
    verb = "won" if len(first) == 1 else "share first place"
    behind = listing([f"{who(you, seat)} with {event.scores[seat]}" for seat in rest])
    return (
        f"The match is over: {listing([who(you, seat) for seat in first])} {verb} with {points},"
        f" ahead of {behind}."
    )
