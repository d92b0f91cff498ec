"""The results of all orders in the notation of orders: `Austria: A Bud-Tri; F Tri-Ven (bounced)`,
the reader's own powers first.
"""

import re
from collections.abc import Sequence

from adjudicator.core.game import Event
from adjudicator.games.diplomacy.model.events import Done
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.story.wording import is_own, power_name

_SUCCEEDED = frozenset(
    {"moved", "held", "supported", "convoyed", "retreated", "disbanded", "built", "waived"}
)
_SPOT = re.compile(r"\b[A-Z]{3}(?:/[NSE]C)?\b")
_SAID = frozenset({"too many", "civil disorder", "no retreat", "no order"})


def list_results(view: BoardView, events: Sequence[Event]) -> tuple[str, ...]:
    """Return a line for each power with orders; it has no characteristics, since the orders in
    events have none.
    """
    done = [event for event in events if isinstance(event, Done)]
    powers = sorted(
        dict.fromkeys(event.power for event in done), key=lambda power: not is_own(view, power)
    )
    return tuple(
        f"{power_name(power)}:"
        f" {'; '.join(_result(event) for event in done if event.power == power)}"
        for power in powers
    )


def _result(event: Done) -> str:
    fate = event.fate
    order = event.order or f"{event.unit or ''} H".strip()
    notes: list[str] = [] if fate.result in _SUCCEEDED else [fate.result]
    notes += [fate.why] if fate.why in _SAID else []
    return f"{_short(order)} ({', '.join(notes)})" if notes else _short(order)


def _short(order: str) -> str:
    """Return a canonical order as players write it: `A Bud-Tri` for `A BUD - TRI`."""
    plain = order.replace(" VIA", " via convoy").replace(" - ", "-")
    return _SPOT.sub(lambda found: found[0][0] + found[0][1:].lower(), plain)
