"""The timetable of a match, pure: its text read and written, and the one function that says when a
phase ends.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from heapq import merge
from operator import itemgetter
from zoneinfo import ZoneInfo, available_timezones

from dateutil.rrule import WEEKLY, rrule

from adjudicator.platform.words import ENGLISH, join_list

# of a pace, of a least length, and of all days that are passed over in a row
LONGEST = timedelta(days=60)
SHORTEST = timedelta(minutes=5)
LONGEST_TEXT = 2000  # characters
LONGEST_BREAK = timedelta(days=366)
YEARS = range(2000, 2101)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKEND, _WEEK = frozenset({5, 6}), frozenset(range(7))
_GROUPS = {
    "weekend": _WEEKEND,
    "weekends": _WEEKEND,
    "weekdays": _WEEK - _WEEKEND,
    "daily": _WEEK,
    "day": _WEEK,
}
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}

NotOn = Callable[[date], bool]


class TimetableError(ValueError):
    """A text that is no timetable, with a sentence for whoever wrote it."""


@dataclass(frozen=True)
class Hour:
    """A local time of day on some days of the week."""

    at: time
    days: frozenset[int] = frozenset(range(7))  # 0 is Monday

    def __str__(self) -> str:
        """Return `20:00`, or `Mon Wed 18:00`."""
        return f"{_short(self.days)} {self.at:%H:%M}" if len(self.days) < 7 else f"{self.at:%H:%M}"


@dataclass(frozen=True)
class Pace:
    """How long a phase lasts (`every`), or the local hours at one of which it ends."""

    every: timedelta | None = None
    hours: tuple[Hour, ...] = ()

    def __str__(self) -> str:
        """Return `every 2 days`, or `Mon Wed 18:00, Fri 20:00`."""
        return f"every {_span(self.every)}" if self.every else ", ".join(map(str, self.hours))


@dataclass(frozen=True)
class Timetable:
    """When the phases of a match end."""

    usual: Pace
    short: Pace | None = None  # of the game's short phases; None: the same
    zone: str = "UTC"  # the IANA name of the zone that every hour and day is meant in
    not_on: frozenset[int] = frozenset()  # weekdays without a deadline
    breaks: tuple[tuple[date, date], ...] = ()  # days without a deadline, first and last
    country: str | None = None  # whose public holidays have no deadline: an ISO 3166 code
    between: tuple[time, time] | None = None  # the hours of the day that a deadline may have
    least: timedelta = timedelta(0)  # that a phase lasts at least
    not_before: datetime | None = None  # a local moment

    def __str__(self) -> str:
        """Return the text that `read_timetable` reads back."""
        zone = f" {self.zone}" if self.usual.hours or self.zone != "UTC" else ""
        parts = [f"{self.usual}{zone}"]
        parts += [f"short {part}" for part in str(self.short).split(", ")] if self.short else []
        parts += (
            [f"not on {join_list([_DAYS[day] for day in sorted(self.not_on)], locale=ENGLISH)}"]
            if self.not_on
            else []
        )
        parts += (
            [f"between {self.between[0]:%H:%M} and {self.between[1]:%H:%M}"] if self.between else []
        )
        parts += [f"not {first} to {last}" for first, last in self.breaks]
        parts += [f"holidays {self.country}"] if self.country else []
        parts += [f"at least {_span(self.least)}"] if self.least else []
        parts += [f"not before {self.not_before:%Y-%m-%d %H:%M}"] if self.not_before else []
        return "; ".join(parts)

    @property
    def is_local(self) -> bool:
        """Whether anything that it says depends on its zone."""
        hours = self.usual.hours or (self.short and self.short.hours)
        return bool(
            hours or self.not_on or self.breaks or self.country or self.between or self.not_before
        )

    def pace(self, *, short: bool) -> Pace:
        """Return the pace of a phase of one kind."""
        return self.short or self.usual if short else self.usual


# --- when a phase ends


def deadline_after(
    table: Timetable, opened: datetime, *, short: bool = False, not_on: NotOn | None = None
) -> datetime:
    """Return the deadline of a phase that opens at `opened` (aware), in UTC; always later than
    `opened`.

    1. A pace with a length ends that much later; fixed hours end the phase at the next of them.
       Neither comes before the least length or `not_before`.
    2. A day without deadlines (weekday, break, or `not_on`: holidays and absences) is passed over,
       to the same local time of a later day or to the next fixed hour. Days of `not_on` count no
       more `LONGEST` after the first: a deadline always comes.
    A local time that a change of clocks leaves out is moved by the change; of one that comes twice
    the first counts (RFC 5545 3.3.5).
    """
    pace = table.pace(short=short)
    earliest = opened + max(table.least, pace.every or timedelta(0))
    if table.not_before is not None:
        earliest = max(earliest, _instant(table.not_before, ZoneInfo(table.zone)))
    return _first_from(table, pace, max(earliest, opened + timedelta.resolution), not_on)


def past_days_off(table: Timetable, at: datetime, *, not_on: NotOn | None = None) -> datetime:
    """Return where a deadline falls that was moved to a moment: there, whatever the hour, or where
    that day has no deadlines at the same local time of the next day that has them.
    """
    return _first_from(replace(table, between=None), Pace(), at, not_on)


def later_deadlines(
    table: Timetable, deadline: datetime, *, short: bool, not_on: NotOn | None
) -> Iterator[datetime]:
    """Yield the deadlines after one that the timetable allows: each next fixed hour, or the same
    local time of each later day.
    """
    return (
        at
        for at in _allowed_from(table, table.pace(short=short), deadline, not_on)
        if at > deadline
    )


def days_between(
    table: Timetable, first: datetime, last: datetime, *, not_on: NotOn | None
) -> list[date]:
    """Return the local days from that of `first` to before that of `last`, without the days that
    have no deadlines.
    """
    zone = ZoneInfo(table.zone)
    begin, until = first.astimezone(zone).date(), last.astimezone(zone).date()
    days = (begin + timedelta(days=number) for number in range((until - begin).days))
    return [
        day for day in days if not (_is_off(table, day) or (not_on is not None and not_on(day)))
    ]


def next_deadlines(
    table: Timetable,
    opened: datetime,
    count: int,
    *,
    grace: timedelta = timedelta(0),
    not_on: NotOn | None = None,
) -> list[datetime]:
    """Return the deadlines of `count` usual phases in a row; each takes its whole time and its
    grace.
    """
    found = [opened - grace]
    for _ in range(count):
        found.append(deadline_after(table, found[-1] + grace, not_on=not_on))
    return found[1:]


def _first_from(table: Timetable, pace: Pace, earliest: datetime, not_on: NotOn | None) -> datetime:
    return next(_allowed_from(table, pace, earliest, not_on))


def _allowed_from(
    table: Timetable, pace: Pace, earliest: datetime, not_on: NotOn | None
) -> Iterator[datetime]:
    """Yield every moment from `earliest` on that a deadline may have, in order and without end."""
    zone, first_off = ZoneInfo(table.zone), None
    for local, at in (
        _fixed(pace.hours, earliest, zone) if pace.hours else _daily(table.between, earliest, zone)
    ):
        if at < earliest or _is_off(table, local.date()):
            continue
        if not_on is None or not not_on(local.date()):
            first_off = None
            yield at
            continue
        first_off = first_off or at
        if at - first_off > LONGEST:
            yield at


def _is_off(table: Timetable, day: date) -> bool:
    """Whether the timetable itself names a day on which no deadline falls."""
    return day.weekday() in table.not_on or any(
        first <= day <= last for first, last in table.breaks
    )


def _fixed(
    hours: tuple[Hour, ...], earliest: datetime, zone: ZoneInfo
) -> Iterator[tuple[datetime, datetime]]:
    """Yield the fixed hours from a day before `earliest` on, in order, each as local time and
    instant.
    """
    start = earliest.astimezone(zone).replace(
        tzinfo=None, hour=0, minute=0, second=0, microsecond=0
    ) - timedelta(days=1)
    rules = [
        rrule(
            WEEKLY,
            dtstart=start,
            byweekday=sorted(each.days),
            byhour=each.at.hour,
            byminute=each.at.minute,
            bysecond=0,
        )
        for each in hours
    ]
    pairs = (((local, _instant(local, zone)) for local in rule) for rule in rules)
    # by instant: a change of clocks may move an hour behind the next
    yield from merge(*pairs, key=itemgetter(1))


def _daily(
    between: tuple[time, time] | None, earliest: datetime, zone: ZoneInfo
) -> Iterator[tuple[datetime, datetime]]:
    """Yield `earliest` and its local time on each later day, moved into the hours that a deadline
    may have.
    """
    local = earliest.astimezone(zone).replace(tzinfo=None)
    if (
        between is not None
        and not between[0] <= local.time().replace(second=0, microsecond=0) <= between[1]
    ):
        local = datetime.combine(
            local.date() + timedelta(days=local.time() > between[1]), between[0]
        )
    else:
        yield local, earliest  # itself, and not its local time, which may come twice
        local += timedelta(days=1)
    while True:
        yield local, _instant(local, zone)
        local += timedelta(days=1)


def _instant(local: datetime, zone: ZoneInfo) -> datetime:
    """Return a local time without a zone as an instant in UTC."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


# --- its text


@lru_cache(maxsize=512)
def read_timetable(text: str, *, zone: str = "UTC") -> Timetable:
    """Read a timetable, in `zone` where it names none.

    Clauses are parted by `;` or `,`: `every 48 hours`, `Mon Wed Fri 18:00 Europe/Paris`, `short
    every 24 hours`, `not on Saturday and Sunday`, `between 08:00 and 16:00`, `not 2026-12-24 to
    2027-01-02`, `holidays FR`, `at least 12 hours`, `not before 2026-12-01 20:00`. Raises
    TimetableError with a sentence that quotes the clause.
    """
    if len(text) > LONGEST_TEXT:
        raise TimetableError(f"A timetable has at most {LONGEST_TEXT} characters.")
    table = _Draft(zone)
    for clause in _CLAUSES.split(_COMMA_OF_DAYS.sub(r"\1 ", text)):
        if clause.strip():
            table.add(" ".join(clause.split()))
    return table.finished()


_CLAUSES = re.compile(r"[;,\n]")
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_COMMA_OF_DAYS = re.compile(rf"\b({_DAY})\s*,\s*(?:and\s+)?(?={_DAY}\b)", re.IGNORECASE)
_SPAN = r"(?:(\d{1,5}) ?)?(minute|min|m|hour|h|day|d|week|w)s?"
_EVERY = re.compile(rf"every {_SPAN}(?: ([a-z]\S*))?", re.IGNORECASE)
_LEAST = re.compile(rf"at least {_SPAN}", re.IGNORECASE)
_AT = re.compile(
    r"(?:(?P<days>(?!at )[a-z -]+?) )?(?:at )?(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:"
    r" (?P<zone>\S+))?",
    re.IGNORECASE,
)
_DATE = r"\d{4}-\d{2}-\d{2}"
_BREAK = re.compile(rf"not ({_DATE})(?: to ({_DATE}))?", re.IGNORECASE)
_NOT_BEFORE = re.compile(rf"not before ({_DATE})(?: (\d{{1,2}}:\d{{2}}))?", re.IGNORECASE)
_NOT_ON = re.compile(r"not on ([a-z -]+)", re.IGNORECASE)
_BETWEEN = re.compile(r"between (\d{1,2}:\d{2}) and (\d{1,2}:\d{2})", re.IGNORECASE)
_HOLIDAYS = re.compile(r"holidays (?:of )?([A-Z]{2}(?:-[A-Z0-9]{1,3})?)", re.IGNORECASE)


@cache
def known_zones() -> dict[str, str]:
    """Return the IANA names of time zones by their lower-case spelling."""
    return {name.lower(): name for name in available_timezones()}


def require_days(table: Timetable) -> None:
    """Raise TimetableError where breaks that follow each other leave no day for a deadline for
    longer than LONGEST_BREAK.
    """
    since, until = date.max, date.min
    for first, last in sorted(table.breaks):
        between = (until + timedelta(days=day) for day in range(1, min((first - until).days, 8)))
        if since > first or any(day.weekday() not in table.not_on for day in between):
            since = first
        until = max(until, last)
        if until - since >= LONGEST_BREAK:
            most = f"breaks in a row last {LONGEST_BREAK.days} days at most"
            raise TimetableError(f"From {since} to {until} no day is left for a deadline; {most}.")


def _zone_of_city(name: str) -> str:
    """Return the zone that a city gives its name to, else an example."""
    city = name.lower().replace(" ", "_")
    return next(
        (zone for zone in sorted(known_zones().values()) if zone.lower().endswith(f"/{city}")),
        "Europe/Paris",
    )


def write_breaks(days: Collection[date]) -> list[str]:
    """Return days off as parts of a timetable's text, one for all days that follow each other: `not
    2026-12-24 to 2027-01-02`.
    """
    ends: list[tuple[date, date]] = []
    for day in sorted(days):
        if ends and day - ends[-1][1] == timedelta(days=1):
            ends[-1] = ends[-1][0], day
        else:
            ends.append((day, day))
    return [f"not {first}" + (f" to {last}" if last > first else "") for first, last in ends]


class _Draft:
    """A timetable while its clauses are read."""

    def __init__(self, zone: str) -> None:
        """Begin with no pace."""
        self.table = Timetable(Pace(), zone=known_zones().get(zone.lower(), "UTC"))
        self.zone_named = False

    def finished(self) -> Timetable:
        """Return what was read; raises TimetableError where it can never bring a deadline."""
        table = self.table
        if not table.usual.every and not table.usual.hours:
            raise TimetableError(
                "A timetable needs a pace: `every 48 hours`, or hours such as `Mon Wed Fri 18:00"
                " Europe/Paris`."
            )
        if table.between and not any(pace and pace.every for pace in (table.usual, table.short)):
            raise TimetableError("Fixed hours need no `between`: phases end at these hours alone.")
        if len(table.not_on) == 7:
            raise TimetableError("No day of the week is left for a deadline.")
        for pace in (table.usual, table.short):
            if pace and pace.hours and all(each.days <= table.not_on for each in pace.hours):
                raise TimetableError(f"“{pace}” never comes: those days are left out.")
        return table

    def add(self, clause: str) -> None:
        """Add what one clause says; raises TimetableError."""
        short = clause.lower().startswith("short ")
        body = clause[6:] if short else clause
        if self._add_pace(body, short=short):
            return
        for pattern, add in (
            (_LEAST, self._add_least),
            (_NOT_BEFORE, self._add_not_before),
            (_NOT_ON, self._add_not_on),
            (_BREAK, self._add_break),
            (_BETWEEN, self._add_between),
            (_HOLIDAYS, self._add_holidays),
        ):
            found = pattern.fullmatch(clause)
            if found:
                return add(found)
        raise TimetableError(
            f"“{clause[:60]}” does not read as a part of a timetable, such as `every 48 hours` or"
            " `Mon 18:00 Europe/Paris`."
        )

    def _add_pace(self, clause: str, *, short: bool) -> bool:
        every, at = _EVERY.fullmatch(clause), _AT.fullmatch(clause)
        before = (self.table.short if short else self.table.usual) or Pace()
        if every:
            self._set_zone(every[3])
            pace = replace(before, every=_length(every[1], every[2]))
        elif at:
            self._set_zone(at["zone"])
            days = _days(at["days"]) if at["days"] else frozenset(range(7))
            pace = replace(
                before, hours=(*before.hours, Hour(_time(f"{at['hour']}:{at['minute']}"), days))
            )
        else:
            return False
        if pace.every and pace.hours:
            raise TimetableError(
                "A phase either lasts a while (`every 48 hours`) or ends at fixed hours (`20:00`),"
                " not both."
            )
        self.table = replace(self.table, short=pace) if short else replace(self.table, usual=pace)
        return True

    def _set_zone(self, name: str | None) -> None:
        if name is None:
            return
        zone = known_zones().get(name.lower())
        if zone is None:
            raise TimetableError(
                f"“{name[:40]}” is no time zone; one is called like {_zone_of_city(name)}."
            )
        if self.zone_named and zone != self.table.zone:
            raise TimetableError(
                f"A timetable has one time zone; this one names {self.table.zone} and {zone}."
            )
        self.table, self.zone_named = replace(self.table, zone=zone), True

    def _add_least(self, found: re.Match[str]) -> None:
        self.table = replace(self.table, least=_length(found[1], found[2]))

    def _add_not_before(self, found: re.Match[str]) -> None:
        at = datetime.combine(_date(found[1]), _time(found[2] or "0:00"))
        self.table = replace(self.table, not_before=at)

    def _add_not_on(self, found: re.Match[str]) -> None:
        self.table = replace(self.table, not_on=self.table.not_on | _days(found[1]))

    def _add_break(self, found: re.Match[str]) -> None:
        first, last = _date(found[1]), _date(found[2] or found[1])
        if last < first:
            raise TimetableError(f"The break “{found[0]}” ends before it begins.")
        if last - first >= LONGEST_BREAK:
            raise TimetableError(
                f"The break “{found[0]}” is longer than {LONGEST_BREAK.days} days; pause the match"
                " instead."
            )
        self.table = replace(self.table, breaks=(*self.table.breaks, (first, last)))

    def _add_between(self, found: re.Match[str]) -> None:
        first, last = _time(found[1]), _time(found[2])
        if last <= first:
            raise TimetableError(f"“{found[0]}” has no hour in it: write the earlier one first.")
        self.table = replace(self.table, between=(first, last))

    def _add_holidays(self, found: re.Match[str]) -> None:
        self.table = replace(self.table, country=found[1].upper())


def _length(number: str | None, unit: str) -> timedelta:
    length = int(number or 1) * _UNITS[unit[0].lower()]
    if not SHORTEST <= length <= LONGEST:
        raise TimetableError(
            f"A phase lasts from {_span(SHORTEST)} to {_span(LONGEST)}; {_span(length)} is outside"
            " of that."
        )
    return length


def _days(text: str) -> frozenset[int]:
    """Read `Mon Wed Fri`, `Mon-Fri`, `weekends`, `every Thursday` or `daily`."""
    days: set[int] = set()
    for word in re.sub(r" ?- ?", "-", text.lower().replace("&", " ")).split():
        if word in ("and", "on", "every", "each"):
            continue
        if word in _GROUPS:
            days |= _GROUPS[word]
            continue
        first, last = (
            (_day(end) for end in word.split("-")) if word.count("-") == 1 else [_day(word)] * 2
        )
        days |= {(first + day) % 7 for day in range((last - first) % 7 + 1)}
    if not days:
        raise TimetableError(
            f"“{text[:20]}” names no day of the week; write them like Mon Wed Fri."
        )
    return frozenset(days)


def _day(word: str) -> int:
    begin = word.rstrip("s") if len(word) > 5 else word
    found = [
        day for day, name in enumerate(_DAYS) if len(word) > 1 and name.lower().startswith(begin)
    ]
    if len(found) != 1:
        raise TimetableError(f"“{word[:20]}” is no day of the week; write them like Mon Wed Fri.")
    return found[0]


def _time(text: str) -> time:
    hour, minute = (int(each) for each in text.split(":"))
    if hour > 23 or minute > 59:
        raise TimetableError(f"“{text}” is no time of day; write it like 18:00.")
    return time(hour, minute)


def _date(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError as error:
        raise TimetableError(f"“{text}” is no day; write it like 2026-12-24.") from error
    if found.year not in YEARS:
        raise TimetableError(f"“{text}” is not between {YEARS[0]} and {YEARS[-1]}.")
    return found


def _short(days: frozenset[int]) -> str:
    return " ".join(_DAYS[day][:3] for day in sorted(days))


def _span(span: timedelta) -> str:
    """Return a length in the largest unit that it is a multiple of; a single day is `24 hours`."""
    for name, size in (
        ("days", timedelta(days=1)),
        ("hours", timedelta(hours=1)),
        ("minutes", timedelta(minutes=1)),
    ):
        if span % size == timedelta(0) and (name != "days" or span > size):
            return f"{span // size} {name.removesuffix('s') if span == size else name}"
    raise TimetableError(f"{span} is no whole number of minutes.")
