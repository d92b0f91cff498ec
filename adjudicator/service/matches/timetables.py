"""When the phases of a match end: its timetable and its days off, for the form, the letters, the lists and the closing alike."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

import holidays
import structlog
from sqlmodel import Session, col, select

from adjudicator.core.game import About
from adjudicator.platform.calendars import CannotFetch
from adjudicator.platform.db import Database
from adjudicator.platform.words import describe_rhythm, join_list
from adjudicator.play.timetable import Pace, Timetable, TimetableError, deadline_after, next_deadlines, read_timetable
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.rows import by_uid, lock_by_uid
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import Match

DAYS_AHEAD = 400  # for which days off are worked out
READ_AGAIN = timedelta(days=1)
PREVIEWED = 5
_DAY_NAMES = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")

FetchDays = Callable[[str, date], frozenset[date]]

log = structlog.get_logger()


def table_of(match: Match) -> Timetable:
    """Return a match's timetable; one from before timetables has the length of its phases alone."""
    if match.timetable is not None:
        return read_timetable(match.timetable)
    short = None if match.short_seconds is None else Pace(every=timedelta(seconds=match.short_seconds))
    return Timetable(Pace(every=timedelta(seconds=match.every_seconds)), short)


def next_deadline(match: Match, opened: datetime, *, short: bool) -> datetime:
    """Return the deadline of a phase of a match that opens now."""
    return deadline_after(
        table_of(match), opened, short=short, not_on=frozenset(map(date.fromisoformat, match.days_off or ())).__contains__
    )


def deadline_from(match: Match, earliest: datetime) -> datetime:
    """Return the first deadline that an open phase of a match may have from a moment on: that moment, or the next fixed hour."""
    table = table_of(match)
    if not table.usual.hours:
        return earliest
    aligned = replace(table, least=timedelta(0), short=None)
    return deadline_after(aligned, earliest - timedelta(seconds=1), not_on=_days_off(match).__contains__)


def check_timetable(text: str, zone: str, about: About) -> Timetable:
    """Read a timetable that somebody wrote, in their zone where it names none; raises Refused with a sentence."""
    try:
        table = read_timetable(text, zone=zone)
    except TimetableError as error:
        raise Refused(str(error), field="timetable") from error
    if table.short is not None and not about.short_phases:
        raise Refused(f"{about.title} has no short phases, so they need no pace of their own.", field="timetable")
    if table.country is not None:
        holidays_of(table.country, date(2026, 1, 1), 1)
    return table


def preview_deadlines(text: str, zone: str, about: About, now: datetime) -> list[datetime]:
    """Return the next deadlines of a match with this timetable that began now; raises Refused with a sentence."""
    table = check_timetable(text, zone, about)
    off = holidays_of(table.country, now.date(), DAYS_AHEAD) if table.country else frozenset()
    return next_deadlines(table, now, PREVIEWED, not_on=off.__contains__)


def usual_length(table: Timetable, now: datetime) -> timedelta:
    """Return how long a usual phase lasts, on average where it ends at fixed hours."""
    if table.usual.every is not None:
        return table.usual.every
    found = next_deadlines(table, now, 8)
    return (found[-1] - found[0]) / 7


def rhythm_of(match: Match) -> str:
    """Return how long phases last: `2 days for each phase, 24 hours for retreats and builds`; what the timetable says of fixed hours."""
    short_phases = game_of(match).about.short_phases
    if match.timetable is None:
        return describe_rhythm(match.every_seconds, match.short_seconds, short_phases)
    return describe_timetable(read_timetable(match.timetable), short_phases)


def describe_timetable(table: Timetable, short_phases: str) -> str:
    """Return a timetable in words that read on after `within`."""
    usual, short = table.usual, table.short
    if usual.every is not None and (short is None or short.every is not None):
        lasts = describe_rhythm(
            round(usual.every.total_seconds()), round(short.every.total_seconds()) if short and short.every else None, short_phases
        )
    else:
        lasts = f"the time to the next deadline, {_describe_pace(usual, table.zone)}"
        lasts += f" ({short_phases}: {_describe_pace(short, table.zone)})" if short is not None else ""
    limits = [f"never on {join_list([_DAY_NAMES[day] for day in sorted(table.not_on)], 'or')}"] if table.not_on else []
    limits += [f"between {table.between[0]:%H:%M} and {table.between[1]:%H:%M} {table.zone}"] if table.between else []
    limits += [f"not on public holidays ({table.country})"] if table.country else []
    limits += [f"not from {first} to {last}" for first, last in table.breaks]
    return ", ".join([lasts, *limits])


def _describe_pace(pace: Pace, zone: str) -> str:
    return str(pace) if pace.every is not None else f"{pace} {zone}"


# --- days off


def holidays_of(country: str, first: date, days: int) -> frozenset[date]:
    """Return a country's public holidays in so many days from `first` on; raises Refused where the country is not known."""
    name, _, part = country.partition("-")
    known = holidays.list_supported_countries()
    if name not in known or (part and part not in known[name]):
        raise Refused(
            f"The public holidays of “{country}” are not known; write a country like FR, or a part of one like US-CA.", field="timetable"
        )
    last = first + timedelta(days=days)
    found = holidays.country_holidays(name, subdiv=part or None, years=range(first.year, last.year + 1))
    return frozenset(day for day in found if first <= day < last)


def to_refresh(session: Session, now: datetime, *, most: int = 20) -> list[str]:
    """Return the public names of matches whose days off are to be worked out anew, the longest overdue first."""
    wanted = select(Match.uid).where(col(Match.next_days_at) <= now).order_by(col(Match.next_days_at)).limit(most)
    return list(session.exec(wanted))


def refresh_days_off(database: Database, uid: str, fetch: FetchDays, *, now: datetime) -> None:
    """Work out a match's days off for the year ahead, where they are due; a calendar that cannot be read leaves those known before.

    Nothing is fetched in a transaction. Deadlines that are announced stay; the next phase's follows the new days.
    """
    with database.read_tx() as session:
        match = by_uid(session, uid)
    if match.next_days_at is None or match.next_days_at > now:
        return
    first = now.date() - timedelta(days=1)
    country = table_of(match).country
    off = holidays_of(country, first, DAYS_AHEAD) if country else frozenset()
    try:
        off |= fetch(match.calendar, first) if match.calendar else frozenset()
    except CannotFetch as error:
        log.warning("calendar.unread", match=uid, trouble=str(error))
        off |= _days_off(match)
    with database.write_tx() as session:
        current = lock_by_uid(session, uid)
        current.days_off = sorted(day.isoformat() for day in off)
        current.next_days_at = now + READ_AGAIN if current.status != "ended" else None


def _days_off(match: Match) -> frozenset[date]:
    return frozenset(map(date.fromisoformat, match.days_off or ()))
