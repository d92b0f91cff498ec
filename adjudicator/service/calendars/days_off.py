"""Days off from the text of a calendar file (RFC 5545). Heavy, and a stranger's text: only a child
process with limits imports it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Any

import recurring_ical_events
from icalendar import Calendar, Component, vRecur

from adjudicator.platform.net.outside import CannotFetch
from adjudicator.service.calendars.calendars import MOST_DAYS, DaysOff
from adjudicator.service.calendars.whole_days import (
    DAY,
    FAULTS,
    is_outside,
    make_whole,
    several,
    whole_days,
    zone_of,
)

_BEGIN = re.compile(r"^BEGIN:VCALENDAR[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_END = re.compile(r"^END:VCALENDAR[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_DATES = ("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID")
_SILENT = ("VTIMEZONE", "VEVENT")  # components that are read; an alarm is within one
_BELOW_DAILY = {"SECONDLY", "MINUTELY", "HOURLY"}
_IN_A_DAY = ("BYHOUR", "BYMINUTE", "BYSECOND")
_MOST_UNREAD = 20
_LONGEST_TITLE = 80

_NO_CALENDAR = "it is no calendar that can be read"
_NO_DATES = "its dates cannot be read"
_NO_EVENT = "only events have days off"
_NO_DAYS = "it repeats more than once a day"
_NO_REPEAT = "how it repeats is not understood"
_NO_MIDNIGHT = "it lasts a day or longer, but covers none from midnight to midnight"
_OTHER_CALENDAR = "its days are not those of the Gregorian calendar"


@dataclass(frozen=True)
class _Unread:
    """An entry that was not understood."""

    title: str
    why: str

    def __str__(self) -> str:
        return f"“{self.title}” ({self.why})"


def read_days_off(text: bytes, first: date, days: int) -> DaysOff:
    """Return the days in `days` days from `first` on that an event of the file's calendars covers
    whole, and what was not understood.

    Events of whole days count, and of events with hours the days that lie wholly inside. Cancelled
    events do not. Raises ValueError where the text is no calendar, CannotFetch where it names more
    than `MOST_DAYS` days or a date that cannot be reckoned with.
    """
    found: set[date] = set()
    unread: list[_Unread] = []
    for calendar in _calendars(_decode(text), unread):
        found |= _days_of(calendar, first, first + timedelta(days=days), unread)
    if len(found) > MOST_DAYS:
        raise CannotFetch(f"That calendar names more than {MOST_DAYS} days off.")
    return DaysOff(frozenset(found), tuple(dict.fromkeys(map(str, unread)))[:_MOST_UNREAD])


def _decode(text: bytes) -> str:
    for mark, name in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if text.startswith(mark):
            return text[len(mark) :].decode(name, "replace")
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("cp1252", "replace")


def _calendars(text: str, unread: list[_Unread]) -> Iterator[Calendar]:
    """Yield the calendars of a file, each by itself: one that is broken costs no other. Raises
    ValueError where none can be read.
    """
    begins = [each.start() for each in _BEGIN.finditer(text)]
    good = 0
    for begin, until in zip(begins, [*begins[1:], len(text)], strict=False):
        end = _END.search(text, begin, until)
        try:
            calendar = Calendar.from_ical(text[begin : end.end() if end else until])
        except FAULTS:
            calendar = None
        if not isinstance(calendar, Calendar) or end is None:
            unread.append(_Unread("VCALENDAR", _NO_CALENDAR))
            continue
        good += 1
        yield calendar
    if not good:
        raise ValueError("the text holds no calendar")


def _days_of(calendar: Calendar, first: date, last: date, unread: list[_Unread]) -> set[date]:
    if str(calendar.get("CALSCALE", "GREGORIAN")).upper() != "GREGORIAN":
        unread.append(_Unread(_title(calendar, "X-WR-CALNAME"), _OTHER_CALENDAR))
        return set()
    _drop_unread(calendar, unread)
    found: set[date] = set()
    for event in _occurrences(calendar, first, last, unread):
        days = whole_days(event.start, event.end, first, last)
        if (
            not days
            and isinstance(event.start, datetime)
            and event.end - event.start >= DAY
            and not is_outside(event, first, last)
        ):
            unread.append(_Unread(_title(event), _NO_MIDNIGHT))
        found |= days if str(event.get("STATUS", "")).upper() != "CANCELLED" else set()
    return found


# --- what is not understood


def _title(component: Component, name: str = "SUMMARY") -> str:
    """Return the title of a component, or what kind of component it is."""
    title = "".join(
        letter for letter in " ".join(str(component.get(name, "")).split()) if letter.isprintable()
    )
    return title[:_LONGEST_TITLE] or str(component.name)


def _drop_unread(calendar: Calendar, unread: list[_Unread]) -> None:
    """Remove the components that are not understood, of a series of events with such a one all;
    make marked events whole days.
    """
    zone = zone_of(calendar)
    faults = [(each, _fault(each) or _try_whole(each, zone)) for each in calendar.subcomponents]
    unread += [_Unread(_title(each), why) for each, why in faults if why]
    bad = {str(each.get("UID", id(each))) for each, why in faults if why}
    calendar.subcomponents = [
        each for each, why in faults if not why and str(each.get("UID", id(each))) not in bad
    ]


def _fault(component: Component) -> str:
    """Return why a component is not understood, "" where it is."""
    if component.name not in _SILENT:
        return _NO_EVENT
    if any(_is_below_daily(each) for each in component.walk()):
        return _NO_DAYS
    if component.name == "VTIMEZONE":
        return ""
    broken = {name for name, _ in component.errors}
    if "DTSTART" not in component or broken & {"DTSTART", "DTEND", "DURATION", "RECURRENCE-ID"}:
        return _NO_DATES
    if (
        broken & set(_DATES)
        or "EXRULE" in component
        or any("RSCALE" in rule or "FREQ" not in rule for rule in several(component.get("RRULE")))
    ):
        return _NO_REPEAT
    return ""


def _is_below_daily(component: Component) -> bool:
    """Whether a component repeats more than once a day: days off do not, and such rules can be made
    to cost anything.
    """
    rules = [
        rule
        for name in ("RRULE", "EXRULE")
        for rule in several(component.get(name))
        if isinstance(rule, vRecur)
    ]
    often = any(
        {str(each).upper() for each in rule.get("FREQ", ())} & _BELOW_DAILY for rule in rules
    )
    return often or any(len(rule.get(name, ())) > 1 for rule in rules for name in _IN_A_DAY)


def _try_whole(component: Component, zone: tzinfo | None) -> str:
    """Make a marked event one of whole days; return why that cannot be done, or that it ends before
    it begins, else "".
    """
    try:
        if component.name != "VEVENT":
            return ""
        make_whole(component, zone)
        start, end = component.decoded("DTSTART"), component.decoded("DTEND", None)
        return _NO_DATES if type(start) is type(end) and end < start else ""
    except FAULTS:
        return _NO_DATES


def _occurrences(
    calendar: Calendar, first: date, last: date, unread: list[_Unread]
) -> Sequence[Any]:
    """Return the events between two days; where the library cannot reckon with one, each series is
    tried by itself.
    """
    try:
        return list(recurring_ical_events.of(calendar).between(first, last))
    except OverflowError as error:
        raise CannotFetch("That calendar has an event of thousands of years.") from error
    except FAULTS:
        return [
            event for series in _series(calendar) for event in _tried(series, first, last, unread)
        ]


def _series(calendar: Calendar) -> Iterator[Calendar]:
    """Yield a calendar for each series of events."""
    zones = calendar.walk("VTIMEZONE")
    by_uid: dict[str, list[Component]] = {}
    for event in calendar.walk("VEVENT"):
        by_uid.setdefault(str(event.get("UID", id(event))), []).append(event)
    for events in by_uid.values():
        one = calendar.copy()
        one.subcomponents = [*zones, *events]
        yield one


def _tried(series: Calendar, first: date, last: date, unread: list[_Unread]) -> Sequence[Any]:
    try:
        return list(recurring_ical_events.of(series).between(first, last))
    except (*FAULTS, OverflowError):
        unread.append(_Unread(_title(series.walk("VEVENT")[0]), _NO_DATES))
        return []
