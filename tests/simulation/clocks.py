"""How the clocks of a world's matches are set: overtime and reminders, long phases with absences
and outages, hidden players.
"""

import random
from dataclasses import dataclass
from typing import Any

from adjudicator.service.base.spans import USUAL_REMINDERS
from adjudicator.service.base.state import ANONYMOUS
from tests.simulation import handovers, upgrades

_LONG = 0.22  # of the worlds
_AWAY = 0.8  # of the matches with long phases: those that honour absences
# of the other matches: those with overtime and reminders, and those that hide their players
_HURRIED, _HIDDEN = 0.4, 0.06
_HIDDEN_LONG = 0.15  # of the matches with long phases
_LENGTHS = (1500, 3600, 6 * 3600, 24 * 3600)  # seconds of a long phase
_HOURS = (
    "",
    "",
    "",
    "20:00 Europe/Paris",
    "09:00, 21:00 Asia/Kamchatka",
    "00:00, 06:30 UTC; not on Saturday and Sunday",
)
_DAYS = (1, 3, 21, 60)  # of absence that are honoured a year
# minutes before the deadline of a phase that lasts some minutes; one is in the first quarter of
# most
_SOON = (4, 2, 1)


@dataclass(frozen=True)
class ClockPlan:
    """What a match is made with, beside what every match has."""

    game: str = ""  # "" for any
    every: int = 0  # seconds of a phase, 0 for those of the scene
    timetable: str = ""
    overtime: int = 0  # minutes, at most
    reminders: tuple[int, ...] = USUAL_REMINDERS
    absence_days: int = 0
    anonymous: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """The options of the game that it sets."""
        return {ANONYMOUS: True} if self.anonymous else {}

    def overtime_of(self, every: int) -> int:
        """Return the minutes of overtime of a match whose phases last so many seconds: at most half
        of that.
        """
        return min(self.overtime, every // 120)


def _is_simple(seed: int) -> bool:
    """Whether all clocks of a world are plain: upgraded ones have what the last release had, and
    changes of hands move deadlines.
    """
    return upgrades.is_planned(seed) or handovers.is_planned(seed)


def is_long(seed: int) -> bool:
    """Whether the phases of a world's matches last for hours or days, which then pass; no dice of
    other players are thrown.
    """
    return not _is_simple(seed) and random.Random(f"{seed}/long phases").random() < _LONG


def clock_plan(seed: int, number: int) -> ClockPlan:
    """Return how the clock of a match is set."""
    if _is_simple(seed):
        return ClockPlan()
    dice = random.Random(f"{seed}/clocks/{number}")
    long = is_long(seed)
    hidden = dice.random() < (_HIDDEN_LONG if long else _HIDDEN)
    game = "diplomacy" if hidden else ""
    if not long:
        hurried = dice.random() < _HURRIED
        if not hurried:
            return ClockPlan(game, anonymous=hidden)
        return ClockPlan(game, overtime=dice.choice((1, 2, 2)), reminders=_SOON, anonymous=hidden)
    days = dice.choice(_DAYS) if dice.random() < _AWAY else 0
    reminders = dice.choice((USUAL_REMINDERS, (20, 10)))
    overtime, every, table = dice.choice((0, 0, 2)), dice.choice(_LENGTHS), dice.choice(_HOURS)
    return ClockPlan(game, every, table, overtime, reminders, days, hidden)
