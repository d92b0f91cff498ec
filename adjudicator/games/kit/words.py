"""Pieces of sentences."""

from collections.abc import Mapping, Sequence

QUOTE_LENGTH = 40


def quote(text: str) -> str:
    """Return `text` on one printable line of at most 40 characters."""
    flat = "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for sign in text.strip()[: QUOTE_LENGTH + 1]
    )
    return flat if len(flat) <= QUOTE_LENGTH else flat[: QUOTE_LENGTH - 1] + "…"


def listing(parts: Sequence[str], last: str = "and") -> str:
    """Return `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def capital(sentence: str) -> str:
    """Return a sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


def count(number: int, one: str, many: str = "") -> str:
    """Return `1 point`, `4 points`; `many` where the plural is not the word with an s."""
    return f"{number} {plural(number, one, many or one + 's')}"


def plural(number: int, one: str, other: str) -> str:
    """Return the words for one of something, or for any other number of it."""
    return one if number == 1 else other


# --- seats, for the reader whose own seat is `you` (None: an observer)


def who(you: str | None, seat: str) -> str:
    """Return `you`, `seat 2` where seats have numbers, or `Red` where they have names."""
    if seat == you:
        return "you"
    return f"seat {seat}" if seat.isdigit() else seat


def whose(you: str | None, seat: str) -> str:
    """Return `your`, `seat 2’s` or `Red’s`."""
    return "your" if seat == you else f"{who(you, seat)}’s"


def its(you: str | None, seat: str) -> str:
    """Return `your` or `its`, where the seat has just been named."""
    return "your" if seat == you else "its"


def scores_text(you: str | None, scores: Mapping[str, int], one: str = "point") -> str:
    """Return `you have 4 points and Red has 2`, in the order given; `one` is the unit."""
    has = [f"{who(you, seat)} {'have' if seat == you else 'has'}" for seat in scores]
    first, *rest = scores.values()
    return listing(
        [
            f"{has[0]} {count(first, one)}",
            *(f"{name} {score}" for name, score in zip(has[1:], rest, strict=True)),
        ]
    )
