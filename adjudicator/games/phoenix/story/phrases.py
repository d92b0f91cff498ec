"""The phrases that the story, the picture and the text board of RPS Phoenix share; the reader's own
seat is `you`.
"""

from collections.abc import Sequence

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import Kind
from adjudicator.games.kit.words import capital, count, listing, who, whose
from adjudicator.games.phoenix.model.events import Ended
from adjudicator.games.phoenix.model.grid import Bird, Place, square_text
from adjudicator.games.phoenix.model.view import TableView


def bird_name(you: Seat | None, bird: Bird) -> str:
    """Return `your Rock` or `Red’s Rock`."""
    return f"{whose(you, bird.seat)} {bird.kind.capitalize()}"


def verb_form(kind: Kind, one: str, many: str) -> str:
    """Return `one` for Rock and Paper, `many` for Scissors: `beats`, `beat`."""
    return many if kind == "scissors" else one


def seat_names(you: Seat | None, seats: Sequence[Seat]) -> str:
    """Return `you and Blue`."""
    return listing([who(you, seat) for seat in seats])


def place_text(place: Place) -> str:
    """Return `at 3,4`, `in the Ashes` or `not placed yet`."""
    if place == "ashes":
        return "in the Ashes"
    return "not placed yet" if place == "unplaced" else f"at {square_text(place)}"


def winning_seats(event: Ended) -> tuple[Seat, ...]:
    """Return every winning seat."""
    return tuple(seat for side in event.winners for seat in side)


def win_verbs(you: Seat | None, seats: Sequence[Seat]) -> tuple[str, str]:
    """Return `has` and `wins` in the form for these seats."""
    return ("have", "win") if len(seats) > 1 or you in seats else ("has", "wins")


def ending_sentence(you: Seat | None, event: Ended) -> str:
    """Return the end in a few words: `Red wins as the last on the grid.`"""
    seats = winning_seats(event)
    won = "share the victory" if len(event.winners) > 1 else win_verbs(you, seats)[1]
    why = {
        "survivor": "as the last on the grid",
        "given-away": "with every Bird in the Ashes",
        "limit": "at the turn limit",
    }[event.why]
    return f"{seat_names(you, seats)} {won} {why}."


def progress_text(view: TableView) -> str:
    """Return the part of the game and what lies ahead: `Main game: Escalation in 12 turns, limit in
    78.`; after the end, who won.
    """
    if view.ended:
        return capital(ending_sentence(view.seat, view.ended))
    part = {"opening": "Opening", "main": "Main game", "escalation": "Escalation"}[view.part]
    ahead = []
    if view.part != "escalation":
        left = view.escalation_at - view.turn
        ahead.append(
            f"Escalation in {count(left, 'turn')}" if left > 0 else "Escalation right after it"
        )
    if view.limit_at:
        ahead.append(f"limit in {count(view.limit_at - view.turn, 'turn')}")
    return f"{part}: {', '.join(ahead)}." if ahead else f"{part}, without a limit."
