"""A player's absences: one calendar for all matches, in days of the player's zone. Nobody else is
ever shown it.
"""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, delete, select

from adjudicator.platform.db import Database
from adjudicator.play.absences import Span
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Absence, Player
from adjudicator.service.requests.acts import act

LONGEST = 60  # days of one absence
FURTHEST = timedelta(days=731)  # ahead
MOST = 20  # absences of a player that are not over
KEPT = timedelta(days=30)  # after its last day
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def read_day(text: str, *, field: str = "first") -> date:
    """Read `2026-12-20`; raises Refused with a sentence."""
    try:
        if _DAY.fullmatch(text.strip()):
            return date.fromisoformat(text.strip())
    except ValueError:
        pass
    raise Refused(f"“{text.strip()[:40]}” is no day; write it like 2026-12-20.", field=field)


def list_absences(session: Session, player_id: int, now: datetime) -> list[Span]:
    """Return a player's absences that are not over, the earliest first."""
    today = today_of(session.get_one(Player, player_id), now)
    return [(row.first, row.last) for row in _not_over(session, player_id, today)]


@act
def add_absence(
    session: Session, player_id: int, first: date, last: date, *, now: datetime
) -> Span:
    """Add an absence and return it as it is kept; raises Refused with a sentence.

    Days before today are left out. It is joined with those that it overlaps, so that to add it
    again changes nothing.
    """
    player = _locked(session, player_id)
    today = today_of(player, now)
    _check(first, last, today)
    known = _not_over(session, player_id, today)
    overlapping = [row for row in known if row.first <= last and row.last >= first]
    first = min([max(first, today), *(row.first for row in overlapping)])
    last = max([last, *(row.last for row in overlapping)])
    if (last - first).days >= LONGEST:
        raise Refused(
            f"With the absence that it overlaps it would last {(last - first).days + 1} days, from"
            f" {first} to {last}; one absence has at most {LONGEST} days.",
            field="last",
        )
    if not overlapping and len(known) >= MOST:
        raise Refused(
            f"You have {MOST} absences ahead already; cancel one of them first.", field="first"
        )
    for row in overlapping:
        session.delete(row)
    session.add(Absence(player_id=player_id, first=first, last=last, made_at=now))
    session.flush()
    return first, last


@act
def cancel_absence(session: Session, player_id: int, day: date, *, now: datetime) -> Span:
    """Cancel the absence that begins on a day, else the one that covers it, and return it; raises
    Refused where there is none.

    Deadlines that moved past it already stay.
    """
    known = _not_over(session, player_id, today_of(_locked(session, player_id), now))
    found = next((row for row in known if row.first == day), None) or next(
        (row for row in known if row.first <= day <= row.last), None
    )
    if found is None:
        raise Refused(
            f"You have no absence on {day}; `absence list` tells those that you have.",
            field="first",
        )
    session.delete(found)
    session.flush()
    return found.first, found.last


def today_of(player: Player, now: datetime) -> date:
    """Return the day that a moment is on in a player's zone."""
    return now.astimezone(ZoneInfo(player.zone)).date()


def _locked(session: Session, player_id: int) -> Player:
    """Lock a player until the transaction ends, so that two requests change the calendar one after
    the other.
    """
    return session.get_one(
        Player, player_id, with_for_update={"key_share": True}, populate_existing=True
    )


def _not_over(session: Session, player_id: int, today: date) -> list[Absence]:
    wanted = select(Absence).where(Absence.player_id == player_id, col(Absence.last) >= today)
    return list(session.exec(wanted.order_by(col(Absence.first), col(Absence.id))))


def _check(first: date, last: date, today: date) -> None:
    if last < first:
        raise Refused(f"That absence ends on {last}, before it begins on {first}.", field="last")
    if last < today:
        raise Refused(
            "Those days are over; an absence moves only deadlines that are still to be set.",
            field="last",
        )
    if (last - first).days >= LONGEST:
        raise Refused(
            f"One absence has at most {LONGEST} days; {first} to {last} is"
            f" {(last - first).days + 1}.",
            field="last",
        )
    if last - today > FURTHEST:
        raise Refused("An absence may be two years ahead at most.", field="last")


def erase_past(database: Database, now: datetime) -> int:
    """Erase absences that were over `KEPT` ago; returns how many there were."""
    with database.write_tx() as session:
        return session.exec(delete(Absence).where(col(Absence.last) < (now - KEPT).date())).rowcount
