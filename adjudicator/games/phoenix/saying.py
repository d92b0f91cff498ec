"""How seats and Birds are called in sentences; the reader's own seat is `you`."""

from collections.abc import Mapping, Sequence

from adjudicator.game import Seat
from adjudicator.games.kit.glyphs import Kind
from adjudicator.games.kit.words import count, listing
from adjudicator.games.phoenix.grid import Bird, Place, square_text


def who(you: Seat | None, seat: Seat) -> str:
    """Return `you` or `Red`."""
    return "you" if seat == you else seat


def whose(you: Seat | None, seat: Seat) -> str:
    """Return `your` or `Red’s`."""
    return "your" if seat == you else f"{seat}’s"


def its(you: Seat | None, seat: Seat) -> str:
    """Return `your` or `its`, where the seat has just been named."""
    return "your" if seat == you else "its"


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


def scores_text(you: Seat | None, scores: Mapping[Seat, int]) -> str:
    """Return `you have 4 points and Blue has 2`."""
    has = [f"{who(you, seat)} {'have' if seat == you else 'has'}" for seat in scores]
    first, *rest = scores.values()
    return listing([f"{has[0]} {count(first, 'point')}", *(f"{name} {score}" for name, score in zip(has[1:], rest, strict=True))])
