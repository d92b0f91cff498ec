"""Deadlines that move past absences, pure: by how many days, and because of whom."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from adjudicator.play.timetable import NotOn, Timetable, days_between, later_deadlines

Span = tuple[date, date]
"""The first and the last day of an absence; both count."""


@dataclass(frozen=True)
class Absentee:
    """A player for whom a phase would wait, with their absences."""

    player: int
    spans: Collection[Span]
    zone: str  # the IANA name of the zone of these days
    days: int  # of a calendar year by which the match moves deadlines because of this player
    used: Mapping[int, int] = field(default_factory=dict)  # days already used, by year

    def is_away(self, at: datetime) -> bool:
        """Whether the time up to a moment belongs to a day of an absence; midnight ends the day
        before.
        """
        day = (at - timedelta.resolution).astimezone(ZoneInfo(self.zone)).date()
        return any(first <= day <= last for first, last in self.spans)

    def has_left(self, wanted: Mapping[int, int], spent: Mapping[tuple[int, int], int]) -> bool:
        """Whether so many days of each year are left, after those used and `spent` by (player,
        year).
        """
        return all(
            self.used.get(year, 0) + spent.get((self.player, year), 0) + days <= self.days
            for year, days in wanted.items()
        )


@dataclass(frozen=True)
class Moved:
    """A deadline, and the days by which each player's absence moved it, by (player, calendar
    year).
    """

    deadline: datetime
    days: Mapping[tuple[int, int], int]


def move_past_absences(
    table: Timetable,
    deadline: datetime,
    absentees: Sequence[Absentee],
    *,
    short: bool = False,
    not_on: NotOn | None = None,
) -> Moved:
    """Return the first deadline from `deadline` on that falls into no absence, or at which nobody
    who is away has days left.

    It moves from one deadline that the timetable allows to the next. Each step uses up its days for
    everybody who is away and has as many left; days that have no deadlines anyway do not count.
    Each step with a day costs somebody, so it comes to an end.
    """
    spent: Counter[tuple[int, int]] = Counter()
    for later in later_deadlines(table, deadline, short=short, not_on=not_on):
        counted = Counter(day.year for day in days_between(table, deadline, later, not_on=not_on))
        # to another hour of the same day
        wanted = counted or {deadline.astimezone(ZoneInfo(table.zone)).year: 0}
        payers = [
            each.player
            for each in absentees
            if each.is_away(deadline) and each.has_left(wanted, spent)
        ]
        if not payers:
            break
        for player in payers:
            spent.update({(player, year): days for year, days in wanted.items()})
        deadline = later
    return Moved(deadline, spent)
