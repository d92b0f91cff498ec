"""Formats times, spans and seats for letters and pages; the current time is an argument."""

import zoneinfo
from datetime import UTC, date, datetime, timedelta, tzinfo
from fractions import Fraction

MASTER = "master"  # stands for a match's master among the writers and readers of press; no seat has this name
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_UNITS = ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute"), (1, "second"))


def format_moment(at: datetime, zone: str, *, year: bool = False) -> str:
    """Return `Tue 24 Nov 20:00 (Paris)`: day and time in an IANA zone, which is named by its city.

    In the hour that a clock change repeats, the zone's abbreviation is added. An unknown zone is read as UTC.
    Raises ValueError for a time without a zone.
    """
    if at.tzinfo is None:
        raise ValueError("a time without a zone cannot be told")
    place, info = _zone(zone)
    local = at.astimezone(info)
    day = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}{f' {local.year}' if year else ''}"
    return f"{day} {local:%H:%M}{_which(local)} ({place})"


def _zone(zone: str) -> tuple[str, tzinfo]:
    try:
        return zone_label(zone), zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC", UTC


def _which(local: datetime) -> str:
    """Return the zone's abbreviation if this clock time occurs twice, else ""."""
    twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    exists = local.astimezone(UTC).astimezone(local.tzinfo).replace(fold=0) == local.replace(fold=0)
    return f" {local.tzname()}" if twice and exists else ""


def zone_label(zone: str) -> str:
    """Return a readable IANA zone: `Paris`, `New York`; `Etc/GMT+5` becomes `UTC-5`, because its sign is inverted."""
    last = zone.rpartition("/")[2].replace("_", " ")
    if not zone.startswith("Etc/GMT"):
        return last
    number = last.removeprefix("GMT")
    return "UTC" + number.translate(str.maketrans("+-", "-+")) if number.strip("+-0") else "UTC"


def format_utc(at: datetime | None) -> str | None:
    """Return a moment as RFC 3339 has it, in UTC, to the second; None for None."""
    return None if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def format_day(day: date) -> str:
    """Return `Sun 20 Dec 2026`."""
    return f"{_DAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def format_span(first: date, last: date) -> str:
    """Return `from Sun 20 Dec 2026 to Sun 3 Jan 2027`, `on Sun 20 Dec 2026` for one day."""
    return f"on {format_day(first)}" if first == last else f"from {format_day(first)} to {format_day(last)}"


def format_distance(at: datetime, now: datetime) -> str:
    """Return the distance to the nearest unit: `in 2 days`, `in 40 minutes`, `5 minutes ago`; `now` within a second."""
    seconds = round((at - now).total_seconds())
    if seconds == 0:
        return "now"
    span = _nearest(abs(seconds))
    return f"in {span}" if seconds > 0 else f"{span} ago"


def _nearest(seconds: int) -> str:
    if seconds < 90:
        return _count(seconds, "second")
    if seconds < 2 * _HOUR - _MINUTE // 2:
        minutes = (seconds + _MINUTE // 2) // _MINUTE
        return "1 hour" if minutes == 60 else _count(minutes, "minute")
    if seconds < 2 * _DAY - _HOUR // 2:
        return _count((seconds + _HOUR // 2) // _HOUR, "hour")
    return _count((seconds + _DAY // 2) // _DAY, "day")


def format_duration(seconds: float) -> str:
    """Return an exact span: `2 days`, `36 hours`, `90 minutes`, `1 hour and 1 second`; one day is `24 hours`."""
    left = round(timedelta(seconds=seconds).total_seconds())
    for size, name in _UNITS:
        if left and left % size == 0 and (size < _DAY or left > _DAY) and left // size <= 120:
            return _count(left // size, name)
    parts = []
    for size, name in _UNITS:
        if left >= size:
            parts.append(_count(left // size, name))
            left %= size
    return join_list(parts) if parts else "0 seconds"


def describe_rhythm(every_seconds: int, short_seconds: int | None, short_phases: str) -> str:
    """Return how long phases last: `2 days for each phase`, `2 days for each phase, 24 hours for retreats and builds`."""
    usual = f"{format_duration(every_seconds)} for each phase"
    return usual if short_seconds is None or not short_phases else f"{usual}, {format_duration(short_seconds)} for {short_phases}"


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def join_list(parts: list[str], last: str = "and") -> str:
    """Return `a, b and c`; "" for an empty list."""
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def format_points(points: Fraction) -> str:
    """Return `3`, `½`, `2½`; other fractions with at most two decimals, `33.33`."""
    whole = int(points)
    if points - whole in (0, Fraction(1, 2)):
        return f"{whole or ''}½" if points != whole else str(whole)
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def display_seat(seat: str) -> str:
    """Return a seat's name for people: `France` for FRANCE; `3` and `Red` unchanged."""
    return seat.capitalize() if len(seat) > 1 and seat.isupper() else seat


def seat_phrase(seat: str) -> str:
    """Return what follows `You are`: `seat 3`, `seat Red`, but `France`; `the master` for the master among seats."""
    if seat == MASTER:
        return "the master"
    return display_seat(seat) if display_seat(seat) != seat else f"seat {seat}"


def seat_verb(seat: str) -> str:
    """Return what follows `you`: `have seat 3`, `play France`."""
    return f"play {display_seat(seat)}" if display_seat(seat) != seat else f"have seat {seat}"
