"""The days that an event of a calendar covers whole, also where a program gives instants for
days.
"""

from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar, Component

# of the libraries, for events that they cannot reckon with
FAULTS = (ValueError, KeyError, TypeError, AttributeError, IndexError)
DAY = timedelta(days=1)
_MARKS = (
    "X-MICROSOFT-CDO-ALLDAYEVENT",
    "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT",
    "X-FUNAMBOL-ALLDAY",
    "X-ALLDAY",
)
# a whole day that begins so late in UTC is the next one where it was written: New Zealand is 13
# hours ahead
_NEXT_DAY = time(11)
_ALMOST_MIDNIGHT = time(23, 59)  # the end of a day for programs that name its last minute


def zone_of(calendar: Calendar) -> tzinfo | None:
    """Return the zone that a calendar names for all of its events, or the only one that it
    describes.
    """
    names = [str(calendar["X-WR-TIMEZONE"])] if "X-WR-TIMEZONE" in calendar else []
    described = [str(each.get("TZID", "")) for each in calendar.walk("VTIMEZONE")]
    for name in (*names, *(described if len(described) == 1 else ())):
        try:
            return ZoneInfo(name)
        except FAULTS:
            continue
    return None


def make_whole(event: Component, zone: tzinfo | None) -> None:
    """Give an event that is marked as one of whole days, as by Exchange, or says so of its dates,
    and names instants, the days that they mean.
    """
    begin = event.decoded("DTSTART")
    marked = any(str(event.get(name, "")).upper() in ("TRUE", "1") for name in _MARKS)
    # a date with a zone, which has none, is taken for an instant by the library
    dated = event["DTSTART"].params.get("VALUE", "").upper() == "DATE"
    if not isinstance(begin, datetime) or not (marked or dated):
        return
    end = event.decoded("DTEND", begin + event.decoded("DURATION", DAY))
    ends = end if isinstance(end, datetime) else datetime.combine(end, time(), begin.tzinfo)
    days = max(1, round((ends - begin) / DAY))
    for name in ("DTSTART", "DTEND", "DURATION"):
        event.pop(name, None)
    day = _day_of(begin, zone)
    event.add("DTSTART", day)
    event.add("DTEND", day + timedelta(days=days))
    _make_repetition_whole(event, zone)


def _make_repetition_whole(event: Component, zone: tzinfo | None) -> None:
    for name in ("EXDATE", "RDATE", "RECURRENCE-ID"):
        moments = _moments(event.pop(name, None))
        for moment in moments:
            event.add(name, _day_of(moment, zone) if isinstance(moment, datetime) else moment)
    for rule in several(event.get("RRULE")):
        rule["UNTIL"] = [
            _day_of(moment, zone) if isinstance(moment, datetime) else moment
            for moment in rule.get("UNTIL", [])
        ]
        if not rule["UNTIL"]:
            del rule["UNTIL"]


def several(found: Any) -> list[Any]:
    """Return the values of a property that may be there once, more often, or not at all."""
    return [] if found is None else found if isinstance(found, list) else [found]


def _moments(found: Any) -> list[date | datetime]:
    """Return the dates in a property that holds one or a list of them."""
    return [
        each.dt
        for value in several(found)
        for each in getattr(value, "dts", [value])
        if isinstance(each.dt, date)
    ]


def _day_of(moment: datetime, zone: tzinfo | None) -> date:
    """Return the day that begins at about this moment: at midnight where it was written, which an
    instant in UTC does not tell.
    """
    if moment.utcoffset() is None or moment.utcoffset() != timedelta(0):
        return moment.date()
    if zone is not None:
        # an hour before or after midnight where summer time begins
        return (moment.astimezone(zone) + timedelta(hours=2)).date()
    return moment.date() + (DAY if moment.time() >= _NEXT_DAY else timedelta(0))


def whole_days(start: date | datetime, end: date | datetime, first: date, last: date) -> set[date]:
    """Return the days from `first` to before `last` that an event covers whole; the end of an event
    of days is not one of them.
    """
    begin, until = (each.date() if isinstance(each, datetime) else each for each in (start, end))
    if isinstance(start, datetime):
        begin += timedelta(days=start.time() > time.min)
        until += timedelta(days=isinstance(end, datetime) and end.time() >= _ALMOST_MIDNIGHT)
    elif until <= begin:
        until = begin + timedelta(days=1)  # an event of one day may name no end
    begin, until = max(begin, first), min(until, last)
    return {begin + timedelta(days=day) for day in range((until - begin).days)}


def is_outside(event: Any, first: date, last: date) -> bool:
    """Whether an event reaches beyond the days that are read, so that its whole days may lie
    there.
    """
    return bool(event.start.date() < first or event.end.date() >= last)
