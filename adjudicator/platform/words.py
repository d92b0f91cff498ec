"""Writes times, numbers, lists and seats for letters and pages, in the reader's language; the
current time is an argument.
"""

import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from babel import Locale

# stands for a match's master among the writers and readers of press; no seat has this name
MASTER = "master"
# the only language of pages and letters so far; its lists have no comma before `and`
ENGLISH = "en_GB"
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_UNITS = ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute"), (1, "second"))
_SIZES = {unit: size for size, unit in _UNITS}

# --- the language


_LOCALE: ContextVar[str] = ContextVar("locale", default=ENGLISH)


@contextmanager
def writing_in(locale: str) -> Iterator[None]:
    """Write for a reader of this CLDR locale inside the block."""
    before = _LOCALE.set(locale)
    try:
        yield
    finally:
        _LOCALE.reset(before)


def language_tag() -> str:
    """Return the locale as the `lang` attribute of HTML and `Intl` have it (BCP 47): `en-GB`."""
    return _LOCALE.get().replace("_", "-")


def _reading() -> "Locale":
    return _load_locale(_LOCALE.get())


@cache
def _load_locale(name: str) -> "Locale":
    from babel import Locale  # 0.05 s that a command which writes nothing saves

    return Locale.parse(name)


def plural(number: int, one: str, other: str, **values: object) -> str:
    """Return the sentence for a number, `{n}` and each name in braces filled in: `1 seat is free.`,
    `2 seats are free.`.

    Both are whole sentences or phrases, never endings: a translation has as many as its language
    has plural forms. In a sentence that is Markup, values are escaped.
    """
    sentence = one if _reading().plural_form(number) == "one" else other
    return sentence.format(n=format_number(number), **values)


# --- times


def format_moment(at: datetime, zone: str, *, year: bool = False) -> str:
    """Return `Tue 24 Nov 20:00 (Paris)`: day and time in an IANA zone, which is named by its city.

    In the hour that a clock change repeats, the zone's abbreviation is added. An unknown zone is
    read as UTC. Raises ValueError for a time without a zone.
    """
    if at.tzinfo is None:
        raise ValueError("a time without a zone cannot be told")
    return _moment(at.astimezone(UTC), zone, year, _LOCALE.get())


@lru_cache(maxsize=4096)  # a page tells the same times again and again
def _moment(at: datetime, zone: str, year: bool, locale: str) -> str:
    from babel.dates import format_time

    place, info = _zone(zone)
    local = at.astimezone(info)
    clock = format_time(local.replace(tzinfo=None), "short", locale=_load_locale(locale))
    return f"{_write_day(local, year=year)} {clock}{_which(local)} ({place})"


def _write_day(day: date, *, year: bool) -> str:
    from babel.dates import format_date, format_skeleton

    reading = _reading()
    if reading.language == "en":
        return format_date(day, "EEE d MMM y" if year else "EEE d MMM", locale=reading)
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return format_skeleton("yMMMEd" if year else "MMMEd", noon, locale=reading)


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
    """Return a readable IANA zone: `Paris`, `New York`; `Etc/GMT+5` becomes `UTC-5`, because its
    sign is inverted.
    """
    last = zone.rpartition("/")[2].replace("_", " ")
    if not zone.startswith("Etc/GMT"):
        return last
    number = last.removeprefix("GMT")
    return "UTC" + number.translate(str.maketrans("+-", "-+")) if number.strip("+-0") else "UTC"


def format_utc(at: datetime | None) -> str | None:
    """Return a moment as RFC 3339 has it, in UTC, to the second; None for None."""
    return None if at is None else f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def format_day(day: date) -> str:
    """Return `Sun 20 Dec 2026`, of a time in its own zone."""
    return _write_day(day, year=True)


def format_span(first: date, last: date) -> str:
    """Return `from Sun 20 Dec 2026 to Sun 3 Jan 2027`, `on Sun 20 Dec 2026` for one day."""
    begin, end = format_day(first), format_day(last)
    return f"on {begin}" if first == last else f"from {begin} to {end}"


def format_distance(at: datetime, now: datetime) -> str:
    """Return the distance to the nearest unit: `in 2 days`, `in 40 minutes`, `5 minutes ago`; `now`
    within a second.
    """
    seconds = round((at - now).total_seconds())
    if seconds == 0:
        return "now"
    number, unit = _nearest(abs(seconds))
    return _distance(number if seconds > 0 else -number, unit, _LOCALE.get())


@lru_cache(maxsize=1024)
def _distance(number: int, unit: "_Unit", locale: str) -> str:
    from babel.dates import format_timedelta

    span = timedelta(seconds=number * _SIZES[unit])
    return format_timedelta(
        span, granularity=unit, threshold=_ALWAYS, add_direction=True, locale=_load_locale(locale)
    )


_Unit = Literal["day", "hour", "minute", "second"]
_ALWAYS = 10.0**9  # of any larger unit: the distance is told in the unit that was chosen


def _nearest(seconds: int) -> tuple[int, _Unit]:
    if seconds < 90:
        return seconds, "second"
    if seconds < _TOLD_IN_HOURS:
        minutes = (seconds + _MINUTE // 2) // _MINUTE
        return (1, "hour") if minutes == 60 else (minutes, "minute")
    if seconds < _TOLD_IN_DAYS:
        return (seconds + _HOUR // 2) // _HOUR, "hour"
    return (seconds + _DAY // 2) // _DAY, "day"


# seconds from which they are
_TOLD_IN_HOURS, _TOLD_IN_DAYS = 2 * _HOUR - _MINUTE // 2, 2 * _DAY - _HOUR // 2
_SCALES = (  # size of a unit; the first second that is told in it, and the first that no longer is
    (_MINUTE, 90, _TOLD_IN_HOURS),
    (_HOUR, _TOLD_IN_HOURS, _TOLD_IN_DAYS),
    (_DAY, _TOLD_IN_DAYS, 10**12),
)


def distance_lasts(at: datetime, now: datetime) -> datetime:
    """Return the moment from which `format_distance` says something else than at `now`; until then
    it says the same.
    """
    seconds = round((at - now).total_seconds())
    low, high = _alike(abs(seconds))
    return at + timedelta(seconds=0.5 - low if seconds > 0 else high + 0.5)


def _alike(seconds: int) -> tuple[int, int]:
    """Return the least and the greatest number of seconds that are told as `seconds` is."""
    found = next(
        ((size, begin, end) for size, begin, end in _SCALES if begin <= seconds < end), None
    )
    if found is None:
        return seconds, seconds
    size, begin, end = found
    number = (seconds + size // 2) // size
    return max(begin, number * size - size // 2), min(end, number * size + size // 2) - 1


def format_duration(seconds: float) -> str:
    """Return an exact span: `2 days`, `36 hours`, `90 minutes`, `1 hour and 1 second`; one day is
    `24 hours`.
    """
    left = round(timedelta(seconds=seconds).total_seconds())
    for size, name in _UNITS:
        if left and left % size == 0 and (size < _DAY or left > _DAY) and left // size <= 120:
            return _count(left // size, name)
    parts = []
    for size, name in _UNITS:
        if left >= size:
            parts.append(_count(left // size, name))
            left %= size
    return join_list(parts) if parts else _count(0, "second")


def describe_rhythm(every_seconds: int, short_seconds: int | None, short_phases: str) -> str:
    """Return how long phases last: `2 days for each phase`, `2 days for each phase, 24 hours for
    retreats and builds`.
    """
    usual = format_duration(every_seconds)
    if short_seconds is None or not short_phases:
        return f"{usual} for each phase"
    return f"{usual} for each phase, {format_duration(short_seconds)} for {short_phases}"


def _count(number: int, unit: str) -> str:
    return _counted(number, unit, _LOCALE.get())


@lru_cache(maxsize=1024)
def _counted(number: int, unit: str, locale: str) -> str:
    from babel.units import format_unit

    return format_unit(number, f"duration-{unit}", length="long", locale=_load_locale(locale))


# --- numbers and lists


def format_number(number: float, *, digits: int = 0) -> str:
    """Return `1,234`, with `digits` after the decimal point `1,234.5`."""
    return _number(number, digits, _LOCALE.get())


@lru_cache(maxsize=1024)
def _number(number: float, digits: int, locale: str) -> str:
    from babel.numbers import format_decimal

    shape = f"#,##0.{'0' * digits}" if digits else "#,##0"
    return format_decimal(number, shape, locale=_load_locale(locale))


def format_percent(share: float) -> str:
    """Return a share of 0 to 1 in whole percent: `12%`."""
    from babel import numbers

    return numbers.format_percent(share, locale=_reading())


def format_points(points: Fraction) -> str:
    """Return `3`, `½`, `2½`; other fractions with at most two decimals, `33.33`."""
    from babel.numbers import format_decimal

    whole = int(points)
    if points - whole in (0, Fraction(1, 2)):
        return f"{whole or ''}½" if points != whole else str(whole)
    return format_decimal(
        Decimal(points.numerator) / Decimal(points.denominator), "0.##", locale=_reading()
    )


_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_ORDINAL_ENDS = {"one": "{}st", "two": "{}nd", "few": "{}rd"}


def ordinal(number: int) -> str:
    """Return `third` up to eight, then `21st`."""
    return (
        _ORDINALS[number]
        if number < len(_ORDINALS)
        else _ORDINAL_ENDS.get(_reading().ordinal_form(number), "{}th").format(number)
    )


def join_list(
    parts: list[str], last: Literal["and", "or"] = "and", locale: str | None = None
) -> str:
    """Return `a, b and c` or `a, b or c`; "" for an empty list."""
    from babel.lists import format_list

    reading = _load_locale(locale or _LOCALE.get())
    return format_list(parts, style="or" if last == "or" else "standard", locale=reading)


# --- seats


def display_seat(seat: str) -> str:
    """Return a seat's name for people: `France` for FRANCE; `3` and `Red` unchanged."""
    return seat.capitalize() if len(seat) > 1 and seat.isupper() else seat


def seat_phrase(seat: str) -> str:
    """Return what follows `You are`: `seat 3`, `seat Red`, but `France`; `the master` for the
    master among seats.
    """
    if seat == MASTER:
        return "the master"
    return display_seat(seat) if display_seat(seat) != seat else f"seat {seat}"


def seat_verb(seat: str) -> str:
    """Return what follows `you`: `have seat 3`, `play France`."""
    return f"play {display_seat(seat)}" if display_seat(seat) != seat else f"have seat {seat}"
