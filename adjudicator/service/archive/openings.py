"""Openings: the first orders of a seat in canonical form, and the key under which equal ones are
counted.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from adjudicator import catalogue
from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import AnyGame, Seat
from adjudicator.core.options import complete_options
from adjudicator.service.base.state import Viewer
from adjudicator.service.base.tables import PhaseRow

LONGEST = 400  # characters of an opening that is searched or counted


def opening_key(game: str, seat: Seat, *orders: str) -> str:
    """Return the key of an opening, or of its continuation: 16 hex digits. `orders` are the
    canonical orders of each phase.
    """
    return hashlib.sha256("\0".join((game, seat, *orders)).encode()).hexdigest()[:16]


def canonical(texts: Iterable[str]) -> str:
    """Return orders as one text that does not depend on their order or their case, a line each."""
    return "\n".join(sorted({" ".join(text.upper().split()) for text in texts} - {""}))


def first_orders(rows: Sequence[PhaseRow], viewer: Viewer) -> Mapping[Seat, tuple[str, ...]]:
    """Return the canonical orders of each seat in its first two phases, as far as this viewer may
    know them.

    Votes and other orders beside the game count as written. A seat that gave its default in the
    first phase has no opening; what follows a missing or long text is left out too.
    """
    found: dict[Seat, list[str]] = {}
    for row in rows:
        for seat, taken in (row.taken or {}).items():
            played = found.setdefault(seat, [])
            if len(played) == 2 or "" in played:
                continue
            known = viewer.sees_orders(seat) and taken["how"] in ("sealed", "plan", "record")
            text = canonical(taken["orders"].splitlines()) if known else ""
            played.append(text if len(text) <= LONGEST else "")
    return {
        seat: tuple(text for text in played if text) for seat, played in found.items() if played[0]
    }


@lru_cache(maxsize=200)
def read_opening(game_key: str, text: str) -> tuple[str, ...]:
    """Return the keys that a text of first orders may have, one for each seat that could have given
    them.

    A seat's own grammar reads the text where the opening is the same in every match; else it has to
    be written as it is shown.
    """
    game, lines = catalogue.game(game_key), text.replace(",", "\n").replace(";", "\n")
    seats = max(game.about.seats.items())[1]
    return tuple(
        opening_key(game_key, seat, canonical(_spelled(game, seats, seat, lines))) for seat in seats
    )


def _spelled(game: AnyGame, seats: tuple[Seat, ...], seat: Seat, lines: str) -> list[str]:
    if not (game.about.centres and game.about.opens_orders):  # other games draw their opening
        return lines.splitlines()
    state = game.start(
        seats, complete_options(game.about, {}, players=len(seats)), ScriptedChance(())
    )
    parsed = game.parse(state, seat, lines)
    return (
        [str(order) for order in parsed.orders]
        if parsed.orders and not parsed.refusals
        else lines.splitlines()
    )
