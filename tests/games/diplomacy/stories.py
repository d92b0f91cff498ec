"""Shortcuts for the tests of stories: a position, orders, and the sentences for one reader."""

from dataclasses import replace
from typing import Any

from adjudicator.core.game import may_read
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.phases.view import look
from adjudicator.games.diplomacy.story.narration import tell_story
from tests.games.diplomacy.table import play, position

SPRING = "S1902M"
ABSENT = {"unplayed": "absent"}


def told(
    state: State, reader: str | None, *, script: tuple[object, ...] = (), **orders: str
) -> tuple[str, ...]:
    """Return the sentences for a reader on a phase with the orders `FRANCE="A PAR - BUR; F BRE
    H"`.
    """
    done = play(state, script=script, **orders)
    return tell_story(
        look(done.state, reader), [event for event in done.events if may_read(event, reader)]
    )


def spring(units: str, **chosen: Any) -> State:
    """Return a Spring with these units: `FRANCE A PAR, F BRE / GERMANY A MUN`."""
    return position(SPRING, units, **chosen)


def of_characteristics(units: str, **traits: str) -> State:
    """Return a Spring of `rsp`; `PRU="Rock"` is the characteristic of the unit in Prussia, the
    others are Paper.
    """
    state = spring(units, rule_set="rsp", edition="1976")
    known = {
        unit: traits.get(unit[2:], "Paper")
        for power in sorted(state.units)
        for unit in state.units[power]
    }
    return replace(state, traits=known)
