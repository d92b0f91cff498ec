"""Bringing a match's log up to date with what changed since its last entry."""

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session, col, or_, select

from adjudicator.core.game import Seat as SeatName
from adjudicator.core.jcs import format_timestamp
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base.memory import OF, RowsOf
from adjudicator.service.base.phase_records import recall_known
from adjudicator.service.base.rows import by_uid, hold_matches, seats_of, unclosed_phase
from adjudicator.service.base.tables import (
    FormerTenure,
    MasterNote,
    Match,
    PhaseRow,
    Seat,
    SeatRequest,
)
from adjudicator.service.log.entries import (
    append_entry,
    begin_tenure,
    log_tenure,
    logged_tenures,
    time_of_next,
    vouch_for_former,
)
from adjudicator.service.log.seats.changes import SeatChanges, drop_requests
from adjudicator.service.log.settling import find_moved, is_unsettled, settle
from adjudicator.service.log.tampering import log_tampering

GOING_ON = ("running", "stuck")
_NOTED = col(MasterNote.match_id).in_(OF), col(MasterNote.log_as).is_not(None)
UNLOGGED = RowsOf("unlogged notes", select(MasterNote.match_id, MasterNote.at).where(*_NOTED))
ACTS = ("host", "master", "players")  # MasterNote.log_as of what an entry tells


def to_catch_up(session: Session, *, most: int) -> list[str]:
    """Return the public names of matches in which something changed that their logs may not tell
    yet.
    """
    noted = select(MasterNote.match_id).where(col(MasterNote.log_as).is_not(None)).limit(most)
    waiting = (
        select(SeatRequest.match_id)
        .where(col(SeatRequest.signer).is_not(None) | col(SeatRequest.box).is_not(None))
        .limit(most)
    )
    changed = or_(
        col(Match.id).in_(noted), col(Match.id).in_(waiting) & col(Match.status).in_(GOING_ON)
    )
    return list(session.exec(select(Match.uid).where(changed).order_by(col(Match.id))))


def log_changes(database: Database, keyring: Keyring, uid: str, *, now: datetime) -> bool:
    """Bring the log of a match up to date; returns whether anything was added. Idempotent."""
    with database.write_tx() as session:
        added = False
        for match in hold_matches(session, {by_uid(session, uid).id or 0}):
            added = catch_up(session, keyring, match, now=now, asked=True)
        failpoints.kill_here("log.before_commit")
    return added


def catch_up(
    session: Session, keyring: Keyring, match: Match, *, now: datetime, asked: bool = False
) -> bool:
    """Log the tenures, the deadline and the masters' acts that are not logged yet; returns whether
    anything was.

    What nobody may have asked for is put right instead. `asked`: whether a substitute may have been
    asked, which no note tells. Nothing for a match without a log, or one that has ended.
    """
    before, now = match.log_size, time_of_next(session, match, now)
    unlogged = select(MasterNote).where(
        MasterNote.match_id == match.id, col(MasterNote.log_as).is_not(None)
    )
    notes: Sequence[MasterNote] = session.exec(unlogged.order_by(col(MasterNote.id))).all()
    if match.sealing and match.status in GOING_ON and match.started_at is not None:
        phase = unclosed_phase(session, match)
        newcomers = _log_tenures(session, keyring, match, phase, now, asked=asked or bool(notes))
        notes = settle(session, keyring, match, phase, notes, newcomers=newcomers, now=now)
        now = time_of_next(session, match, now)
        _log_deadline(session, keyring, match, now)
    for note in notes:
        if note.log_as in ACTS and match.log_hash is not None and match.status != "ended":
            body = {
                "time": format_timestamp(now),
                "by": note.log_as,
                "what": unicodedata.normalize("NFC", note.what),
            }
            append_entry(session, keyring, match, "master", body, now=now)
        note.log_as = None
    session.flush()
    return match.log_size > before


def catch_up_if_needed(session: Session, keyring: Keyring, match: Match, *, now: datetime) -> None:
    """Do as `catch_up`, unless a look shows that it has nothing to do: not even a player who is
    back, whose seat nobody can take then.
    """
    if is_behind(session, keyring, match) or _may_be_back(session, keyring, match):
        catch_up(session, keyring, match, now=now)


def _may_be_back(session: Session, keyring: Keyring, match: Match) -> bool:
    try:
        known = recall_known(keyring, match, unclosed_phase(session, match))
    except CannotOpen:  # as in `_log_tenures`
        return False
    return known is None or known.seats is None or bool(known.vacant)


def is_behind(session: Session, keyring: Keyring, match: Match) -> bool:
    """Whether `catch_up` may have something to do in a match: what its log does not tell yet, or
    what nobody may have asked for.
    """
    if UNLOGGED.read(session, match.id, keep=False):
        return True
    return bool(match.sealing) and (
        any(_unlogged_tenures(session, match)) or is_unsettled(session, keyring, match)
    )


def _unlogged_tenures(session: Session, match: Match) -> tuple[list[Seat], Sequence[FormerTenure]]:
    """Return the seats whose tenure has no proof of the worker's yet, and the tenures before that
    ended without one.
    """
    seats = seats_of(session, match)
    began = [seat for seat in seats if seat.player_id is not None and seat.tenure_nonce is None]
    return began, _former_without_proof(
        session, match, {seat.name: seat.tenure for seat in seats if seat.tenure_nonce is None}
    )


def _log_tenures(
    session: Session,
    keyring: Keyring,
    match: Match,
    phase: PhaseRow | None,
    now: datetime,
    *,
    asked: bool,
) -> frozenset[SeatName]:
    """Log the tenures that began as somebody asked who may; returns the seats in which one did.
    Nothing where no phase is open.

    In a phase that a worker of an earlier release opened, what the rows say is believed.
    """
    try:
        known = recall_known(keyring, match, phase)
    except CannotOpen:  # the closing holds the record against the log, and stops the match
        return frozenset()
    if phase is None:
        return frozenset()
    if known is not None and known.seats is not None:
        return SeatChanges(session, keyring, match, phase, known).settle(now, asked=asked)
    drop_requests(session, match)
    return _believe_tenures(session, keyring, match, now)


def _believe_tenures(
    session: Session, keyring: Keyring, match: Match, now: datetime
) -> frozenset[SeatName]:
    """Log the tenures that began by the rows; returns the seats in which one did.

    One that the log tells already is never begun anew: it would be another's with the same number.
    """
    began, over = _unlogged_tenures(session, match)
    logged = logged_tenures(session, match) if began or over else {}
    for row in over:
        if row.number > logged.get(row.seat, 0):
            log_tenure(
                session,
                keyring,
                match,
                row.seat,
                row.number,
                vouch_for_former(session, keyring, match, row),
                now=now,
            )
    for seat in began:
        if seat.tenure <= logged.get(seat.name, 0):
            log_tampering(session, keyring, match, 0, "tenure", now=now)
            continue
        log_tenure(
            session,
            keyring,
            match,
            seat.name,
            seat.tenure,
            begin_tenure(session, keyring, match, seat),
            now=now,
        )
    return frozenset(seat.name for seat in began)


def _former_without_proof(
    session: Session, match: Match, present: Mapping[str, int]
) -> Sequence[FormerTenure]:
    """Return the tenures before the `present` ones of these seats that ended before the worker saw
    them, oldest first.
    """
    if max(present.values(), default=1) == 1:
        return ()
    wanted = select(FormerTenure).where(
        FormerTenure.match_id == match.id, col(FormerTenure.tenure_proof).is_(None)
    )
    rows = session.exec(wanted.order_by(col(FormerTenure.number))).all()
    return [row for row in rows if row.number < present.get(row.seat, 0)]


def _log_deadline(session: Session, keyring: Keyring, match: Match, now: datetime) -> None:
    """Log the open phase's deadline if it is another than the one in the log."""
    moved = find_moved(session, keyring, match)
    if moved is not None:
        append_entry(
            session,
            keyring,
            match,
            "deadline",
            {**moved[2], "time": format_timestamp(now)},
            now=now,
        )
