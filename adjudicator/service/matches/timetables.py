"""When the phases of a match end: its timetable and its days off, for the form, the letters, the
lists and the closing alike.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import structlog
from sqlmodel import Session, col, select

from adjudicator.core.game import About
from adjudicator.platform.db import Database
from adjudicator.platform.net.outside import CannotFetch
from adjudicator.platform.words import (
    describe_rhythm,
    format_day,
    format_duration,
    join_list,
    plural,
)
from adjudicator.play import timetable
from adjudicator.play.timetable import (
    LONGEST_TEXT,
    Pace,
    Timetable,
    TimetableError,
    deadline_after,
    next_deadlines,
    read_timetable,
    require_days,
    write_breaks,
)
from adjudicator.service.base.due.phase_clock import last_call
from adjudicator.service.base.errors import Busy, NotAllowed, Refused
from adjudicator.service.base.rows import by_uid, lock_by_uid
from adjudicator.service.base.state import about_of, game_of, load_state
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.calendars.calendars import DaysOff, ReaderBusy, read_file
from adjudicator.service.matches import tenure_letters
from adjudicator.service.matches.tenure_letters import News

DAYS_AHEAD = 400  # for which days off are worked out
READ_AGAIN, TRY_AGAIN = timedelta(days=1), timedelta(hours=1)
# that fail until the master is told, where the days could be read before: about a day
TRIES_UNTOLD = 24
LEASE = timedelta(minutes=2)  # of who fetches a calendar
PREVIEWED = 5
UNREAD_TOLD = 8  # entries of a calendar that were not understood, wherever they are listed
BREAKS_TOLD = 4  # of a timetable, wherever its rhythm is told
_NOT_AT_ALL, _NOT_ALL = "The calendar cannot be read", "A part of the calendar is not understood"
_DAY_NAMES = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")

FetchDays = Callable[[str, date], DaysOff]

log = structlog.get_logger()


def table_of(match: Match) -> Timetable:
    """Return a match's timetable; one from before timetables has the length of its phases alone."""
    if match.timetable is not None:
        return read_timetable(match.timetable)
    short = (
        None if match.short_seconds is None else Pace(every=timedelta(seconds=match.short_seconds))
    )
    return Timetable(Pace(every=timedelta(seconds=match.every_seconds)), short)


def next_deadline(match: Match, opened: datetime, *, short: bool) -> datetime:
    """Return the deadline of a phase of a match that opens now."""
    return deadline_after(
        table_of(match), opened, short=short, not_on=days_off_of(match).__contains__
    )


def coming(
    match: Match, phase: PhaseRow | None, count: int, *, now: datetime
) -> tuple[datetime, ...]:
    """Return the next deadlines if all phases take their whole time: from the open `phase` on, in a
    match that waits from now.

    None where no clock runs. Short phases and absences are not foreseen.
    """
    table = table_of(match)
    grace = timedelta(seconds=match.grace_seconds)
    off = days_off_of(match).__contains__
    if phase is None:
        return (
            tuple(next_deadlines(table, now, count, grace=grace, not_on=off))
            if match.status in ("making", "open")
            else ()
        )
    if match.paused_at is not None or phase.deadline is None:
        return ()
    return phase.deadline, *next_deadlines(
        table, last_call(phase), count - 1, grace=grace, not_on=off
    )


def past_days_off(match: Match, at: datetime) -> datetime:
    """Return where a deadline of a match falls that was moved to a moment, as
    `timetable.past_days_off` says.
    """
    return timetable.past_days_off(table_of(match), at, not_on=days_off_of(match).__contains__)


def _is_short(match: Match, phase: PhaseRow) -> bool:
    game = game_of(match)
    return game.phase(load_state(game, phase.before)).pace == "short"


def whole_phase(match: Match, phase: PhaseRow, since: datetime) -> datetime:
    """Return the deadline of an open phase that gives somebody who comes at `since` as much time as
    a phase that opens then.
    """
    return next_deadline(match, since, short=_is_short(match, phase))


def length_of(match: Match, phase: PhaseRow) -> timedelta:
    """Return how long phases like this one usually last."""
    table = table_of(match)
    pace = table.short if table.short is not None and _is_short(match, phase) else table.usual
    return pace.every or timedelta(seconds=match.every_seconds)


def check_timetable(text: str, zone: str, about: About, now: datetime) -> Timetable:
    """Read a timetable that somebody wrote, in their zone where it names none; raises Refused with
    a sentence.

    One whose first deadline is more than timetable.LONGEST_BREAK from `now` is refused.
    """
    try:
        table = read_timetable(text, zone=zone)
        if read_timetable(str(table)) != table:
            raise TimetableError(
                f"“{text[:60]}” cannot be kept as a timetable; write it in another way."
            )
        require_days(table)
    except TimetableError as error:
        raise Refused(str(error), field="timetable") from error
    if table.short is not None and not about.short_phases:
        raise Refused(
            f"{about.title} has no short phases, so they need no pace of their own.",
            field="timetable",
        )
    if table.country is not None:
        holidays_of(table.country, date(2026, 1, 1), 1)
    first, most = deadline_after(table, now), timetable.LONGEST_BREAK
    if first - now > most:
        raise Refused(
            f"The first deadline would be on {format_day(first)}, more than {most.days} days from"
            " now.",
            field="timetable",
        )
    return table


def require_address(address: str | None, *, field: str) -> None:
    """Raise NotAllowed for a guest, who has no address: reading calendars costs, and guests cost
    nothing to make.
    """
    if address is None:
        instead = (
            "Add your address on the account page first, or write the days as `not 2026-12-24`."
        )
        raise NotAllowed(f"A guest cannot give a calendar of days off. {instead}", field=field)


def with_days_of(text: str, file: bytes, now: datetime) -> tuple[str, str]:
    """Return a timetable's text with the days off that a calendar file (.ics) names from now on,
    and what was not understood of it.

    That is a sentence, "" where all was. Raises Refused with a sentence, Busy while another file is
    being read. A child process with limits reads the file. It is not kept: from then on its days
    are part of the timetable.
    """
    if not text.strip():
        raise Refused(
            "A calendar of days off needs a timetable, such as `every 48 hours`.",
            field="calendar_file",
        )
    try:
        found = read_file(file, now.date())
    except ReaderBusy as busy:
        raise Busy(str(busy), field="calendar_file") from busy
    except CannotFetch as error:
        raise Refused(str(error), field="calendar_file") from error
    passed_over = describe_unread(found.unread)
    if not found.days:
        raise Refused(
            f"That calendar names no whole day off in the year ahead. {passed_over}".strip(),
            field="calendar_file",
        )
    longer = "; ".join(
        [text.strip(" ;,"), *(each for each in write_breaks(found.days) if each not in text)]
    )
    if len(longer) > LONGEST_TEXT:
        raise Refused(
            "That calendar names more days off than a timetable can hold; give its address"
            " instead.",
            field="calendar_file",
        )
    return longer, passed_over


def describe_unread(unread: Sequence[str]) -> str:
    """Return a sentence that lists what was not understood of a calendar, "" for nothing."""
    if not unread:
        return ""
    named_first = list(unread[:UNREAD_TOLD])
    if len(unread) > UNREAD_TOLD:
        named_first.append(plural(len(unread) - UNREAD_TOLD, "{n} entry more", "{n} entries more"))
    return f"Of that calendar this was not understood and is no day off: {join_list(named_first)}."


def preview_deadlines(
    text: str, zone: str, about: About, now: datetime, *, grace: timedelta = timedelta(0)
) -> list[datetime]:
    """Return the next deadlines of a match with this timetable that began now; raises Refused with
    a sentence.
    """
    table = check_timetable(text, zone, about, now)
    off = holidays_of(table.country, now.date(), DAYS_AHEAD) if table.country else frozenset()
    return next_deadlines(table, now, PREVIEWED, grace=grace, not_on=off.__contains__)


def usual_length(table: Timetable, now: datetime) -> timedelta:
    """Return how long a usual phase lasts, on average where it ends at fixed hours: on the clock of
    its zone, so that a day is 24 hours also where summer time begins.
    """
    if table.usual.every is not None:
        return table.usual.every
    zone = ZoneInfo(table.zone)
    found = [each.astimezone(zone).replace(tzinfo=None) for each in next_deadlines(table, now, 8)]
    return (found[-1] - found[0]) / 7


def rhythm_of(match: Match) -> str:
    """Return how long phases last: `2 days for each phase, 24 hours for retreats and builds`; what
    a timetable says.
    """
    short_phases = about_of(match).short_phases
    if match.timetable is None:
        return describe_rhythm(match.every_seconds, match.short_seconds, short_phases)
    sentence = describe_timetable(read_timetable(match.timetable), short_phases)
    return f"{sentence}, not on the days off of a calendar" if match.calendar else sentence


def describe_timetable(table: Timetable, short_phases: str) -> str:
    """Return a timetable in words that read on after `within`."""
    usual, short = table.usual, table.short
    if usual.every is not None and (short is None or short.every is not None):
        shorter = round(short.every.total_seconds()) if short and short.every else None
        lasts = describe_rhythm(round(usual.every.total_seconds()), shorter, short_phases)
    else:
        lasts = f"the time to the next deadline, {_describe_pace(usual, table.zone)}"
        lasts += (
            f" ({short_phases}: {_describe_pace(short, table.zone)})" if short is not None else ""
        )
    limits = (
        [f"never on {join_list([_DAY_NAMES[day] for day in sorted(table.not_on)], 'or')}"]
        if table.not_on
        else []
    )
    limits += (
        [f"between {table.between[0]:%H:%M} and {table.between[1]:%H:%M} {table.zone}"]
        if table.between
        else []
    )
    limits += [f"not on public holidays ({table.country})"] if table.country else []
    limits += [f"at least {format_duration(table.least.total_seconds())}"] if table.least else []
    limits += (
        [f"not before {table.not_before:%Y-%m-%d %H:%M} {table.zone}"] if table.not_before else []
    )
    limits += [f"not from {first} to {last}" for first, last in table.breaks[:BREAKS_TOLD]]
    limits += (
        [f"nor in {len(table.breaks) - BREAKS_TOLD} more breaks"]
        if len(table.breaks) > BREAKS_TOLD
        else []
    )
    return ", ".join([lasts, *limits])


def _describe_pace(pace: Pace, zone: str) -> str:
    return str(pace) if pace.every is not None else f"{pace} {zone}"


# --- days off


def holidays_of(country: str, first: date, days: int) -> frozenset[date]:
    """Return a country's public holidays in so many days from `first` on; raises Refused where the
    country is not known.
    """
    import holidays  # few matches pass over any

    name, _, part = country.partition("-")
    known = holidays.list_supported_countries()
    if name not in known or (part and part not in known[name]):
        wanted = "write a country like FR, or a part of one like US-CA"
        raise Refused(
            f"The public holidays of “{country}” are not known; {wanted}.", field="timetable"
        )
    last = first + timedelta(days=days)
    found = holidays.country_holidays(
        name, subdiv=part or None, years=range(first.year, last.year + 1)
    )
    return frozenset(day for day in found if first <= day < last)


def to_refresh(session: Session, now: datetime, *, most: int = 1) -> list[str]:
    """Return the public names of matches whose days off are to be worked out anew, the longest
    overdue first.
    """
    # the preparation asks for its own
    due = select(Match.uid).where(col(Match.next_days_at) <= now, Match.status != "making")
    wanted = due.order_by(col(Match.next_days_at)).limit(most)
    return list(session.exec(wanted))


def refresh_days_off(database: Database, uid: str, fetch: FetchDays, *, now: datetime) -> bool:
    """Work out a match's days off for the year ahead, if they are due; returns whether they are
    known then.

    1. Take a lease of `LEASE`, so that one process fetches at a time. 2. Fetch outside of any
       transaction. 3. Write the days, and
    when they are next due: in a day, or in an hour if the calendar could not be read; then the days
    known before stay, and the master is told once: if it was never read, or after a day of tries.
    Deadlines that are announced stay; the next phase's follows the new days.
    """
    with database.read_tx() as session:
        if by_uid(session, uid).next_days_at is None:
            return True
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        if match.next_days_at is None or match.next_days_at > now:
            return match.days_off is not None
        match.next_days_at = now + LEASE
        country, calendar, known = table_of(match).country, match.calendar, days_off_of(match)
    read, again, trouble = DaysOff(known), READ_AGAIN, ""
    try:
        read = _work_out(country, calendar, fetch, now.date() - timedelta(days=1))
    except (CannotFetch, Refused) as error:
        log.warning("calendar.unread", match=uid, trouble=str(error))
        again, trouble = TRY_AGAIN, str(error)
    with database.write_tx() as session:
        current = lock_by_uid(session, uid)
        if read.unread and (current.days_off is None or current.unread_calendars):
            _tell_master(session, current, _NOT_ALL, describe_unread(read.unread), now)
        tries = TRIES_UNTOLD if current.days_off is None else current.unread_calendars + 1
        current.unread_calendars = tries if trouble else 0
        if current.unread_calendars == TRIES_UNTOLD:
            unread = f"The days off of this match could not be read. {trouble}"
            _tell_master(session, current, _NOT_AT_ALL, unread, now)
        current.days_off = sorted(day.isoformat() for day in read.days)
        current.next_days_at = now + again if current.status not in ("ended", "expired") else None
    return True


def _work_out(country: str | None, calendar: str | None, fetch: FetchDays, first: date) -> DaysOff:
    off = holidays_of(country, first, DAYS_AHEAD) if country else frozenset()
    read = fetch(calendar, first) if calendar else DaysOff(frozenset())
    return DaysOff(off | read.days, read.unread)


def _tell_master(session: Session, match: Match, title: str, what: str, now: datetime) -> None:
    stays = (
        "Until they can be, deadlines follow the days that were read before, if any. It is tried"
        " again each hour; nobody else is told."
    )
    help_ = f"You can move a deadline by hand, as with `deadline {match.uid} +24h`."
    sentences = (what, stays, help_) if title == _NOT_AT_ALL else (what, help_)
    tenure_letters.tell_player(session, match, match.master_id, News(title, sentences), now=now)


def days_off_of(match: Match) -> frozenset[date]:
    """Return the days without a deadline that holidays and a calendar name, as they were last
    read.
    """
    return frozenset(map(date.fromisoformat, match.days_off or ()))
