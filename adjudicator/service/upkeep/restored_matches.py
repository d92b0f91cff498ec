"""One match after a restore from a backup: its log tells of it, its chance begins anew, and its
players are written to.
"""

from datetime import datetime

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core.jcs import format_timestamp
from adjudicator.platform import entropy
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.due.phase_clock import last_call, next_reminder
from adjudicator.service.base.rows import show_change
from adjudicator.service.base.state import MatchChains, replace_chains
from adjudicator.service.base.tables import Due, Match, PhaseRow, PublicLog, Receipt
from adjudicator.service.log.catching_up import catch_up
from adjudicator.service.log.entries import append_entry, time_of_next
from adjudicator.service.matches import timetables
from adjudicator.service.matches.notes import HOST, add_note, in_utc
from adjudicator.service.matches.tenure_letters import ClockChange

BATCH = 20  # matches in one transaction
NUMBERS_APART = 1000  # between the submissions before a restore and those after it
UNFINISHED = ("open", "running", "stuck")


def restorable(log: PublicLog | None) -> SelectOfScalar[int]:
    """Return a query for the matches that a restore begins anew and that do not tell of it yet;
    None: of the next one.
    """
    wanted = select(func.coalesce(Match.id, 0)).where(
        col(Match.status).in_(UNFINISHED), col(Match.wrapped_chains).is_not(None)
    )
    if log is None:
        return wanted
    return wanted.where(
        func.coalesce(Match.restored_in, 0) < log.number, Match.made_at < log.begun_at
    )


def count_restorable(session: Session, log: PublicLog | None) -> int:
    """Return how many matches `restorable` finds."""
    return session.exec(select(func.count()).select_from(restorable(log).subquery())).one()


def restore_match(
    session: Session, keyring: Keyring, match: Match, log: PublicLog, *, now: datetime
) -> None:
    """Tell a match that the caller has locked of the restore with which this public log began;
    once.

    1. A match with a log: a `restored` entry, then an `anchor` entry; the open phase and later ones
       draw from new chains.
    2. Submissions are numbered NUMBERS_APART higher. 3. The open phase gets its whole time again,
       and nobody counts as ready.
    4. A public note, and a letter to each seat.
    """
    match.version += 1
    match.restored_in = log.number
    show_change(match)
    phase = session.exec(
        select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))
    ).first()
    if match.log_hash is not None:
        _log_restore(session, keyring, match, log, phase, now)
    match.seq_from = _numbers_from(session, match)
    if phase is not None:
        _reopen(session, keyring, match, phase, log, now)


def _log_restore(
    session: Session,
    keyring: Keyring,
    match: Match,
    log: PublicLog,
    phase: PhaseRow | None,
    now: datetime,
) -> None:
    at, until = time_of_next(session, match, now), phase.number if phase is not None else 0
    body = {"checkpoint": log.cites or "", "time": format_timestamp(at)} | (
        {"phase": until} if phase is not None else {}
    )
    append_entry(session, keyring, match, "restored", body, now=at)
    replace_chains(
        keyring,
        match,
        MatchChains.fresh(entropy.token_bytes(32), entropy.token_bytes(32)),
        until=until,
    )
    append_entry(
        session, keyring, match, "anchor", {"phase": until, "anchors": match.anchors}, now=at
    )


def _numbers_from(session: Session, match: Match) -> int:
    """Return the number above which submissions go on: a multiple of NUMBERS_APART above all that
    the backup has.
    """
    newest = (
        session.exec(select(func.max(Receipt.seq)).where(Receipt.match_id == match.id)).one() or 0
    )
    return (max(newest, match.seq_from) // NUMBERS_APART + 1) * NUMBERS_APART


def _reopen(
    session: Session, keyring: Keyring, match: Match, phase: PhaseRow, log: PublicLog, now: datetime
) -> None:
    """Give the open phase its whole time again, and write to the seats."""
    for due in session.exec(select(Due).where(Due.phase_id == phase.id, col(Due.house).is_(False))):
        due.complete, due.says = False, None
    runs = match.status == "running" and match.paused_at is None and phase.why is None
    if runs and phase.deadline is not None:
        phase.deadline = max(phase.deadline, timetables.whole_phase(match, phase, now))
        phase.moved_for_outage, phase.overtime_after, phase.overtime_until = True, None, None
        phase.reminded_until = None
        phase.closes_at, phase.remind_at = last_call(phase), next_reminder(match, phase)
    session.flush()
    since = log.lost_since or log.begun_at
    add_note(
        session,
        match,
        now,
        HOST,
        f"restored the service from a backup of {in_utc(since)}; what came after it is gone",
        news=ClockChange("restored", since=since, still=not runs),
    )
    catch_up(session, keyring, match, now=now)
