"""The names of Birds and places in sentences; the reader's own seat is `you`."""

from collections.abc import Sequence

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import Kind
from adjudicator.games.kit.words import listing, who, whose
from adjudicator.games.phoenix.model.grid import Bird, Place, square_text


def called(you: Seat | None, bird: Bird) -> str:
    """Return `your Rock` or `Red’s Rock`."""
    return f"{whose(you, bird.seat)} {bird.kind.capitalize()}"


def verb(kind: Kind, one: str, many: str) -> str:
    """Return `one` for Rock and Paper, `many` for Scissors: `beats`, `beat`."""
    return many if kind == "scissors" else one


def everybody(you: Seat | None, seats: Sequence[Seat]) -> str:
    """Return `you and Blue`."""
    return listing([who(you, seat) for seat in seats])


def where(place: Place) -> str:
    """Return `at 3,4`, `in the Ashes` or `not placed yet`."""
    if place == "ashes":
        return "in the Ashes"
    return "not placed yet" if place == "unplaced" else f"at {square_text(place)}"
