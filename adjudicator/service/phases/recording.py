"""Writing the closings that were worked out: prepared before the transaction that stores them, as
far as everything that they need was read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from adjudicator.core.game import Seat
from adjudicator.platform.statements.records import is_same
from adjudicator.play.loop import Stops, Why
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.due.phase_clock import is_silent
from adjudicator.service.base.memory import OF, Key, RowsOf
from adjudicator.service.base.rows import (
    changed_players,
    dues_of,
    hold_rows,
    players_of,
    read_players,
    seats_of,
    take_over,
)
from adjudicator.service.base.state import MatchChains, game_of
from adjudicator.service.base.storing import (
    Unprepared,
    Writes,
    add_at_end_too,
    begin_preparing,
    end_preparing,
    reserve_ids,
    store_prepared,
)
from adjudicator.service.base.tables import Envelope, LogEntry, Match, PhaseRow, Player
from adjudicator.service.log import readiness
from adjudicator.service.log.bodies import log_closing
from adjudicator.service.log.entries import time_of_next
from adjudicator.service.log.key_changes import holding_keyring
from adjudicator.service.log.salts import LockedSalts
from adjudicator.service.matches import tenures
from adjudicator.service.orders.envelopes import inherited_seats
from adjudicator.service.people import reliability
from adjudicator.service.phases import reports
from adjudicator.service.phases.known_matches import know_vacant
from adjudicator.service.phases.opening import Moves, fill_in, record_moves

_MATCHES = RowsOf(
    "locked match",
    select(Match.id, Match).where(col(Match.id).in_(OF)).order_by(col(Match.id)).with_for_update(),
)
_PHASES = RowsOf(
    "locked phase", select(PhaseRow.match_id, PhaseRow).where(col(PhaseRow.id).in_(OF))
)
# what was prepared longer ago is made anew, as its next phase would be shorter by as much
SOON = timedelta(seconds=15)


@dataclass(frozen=True)
class DuePhase:
    """A phase that is due, as it was read."""

    match: Match
    phase: PhaseRow
    envelopes: list[Envelope]  # the one that counts of each seat
    # seats whose envelope comes from their present player; plans of others are not followed
    present: set[Seat]
    why: Why
    stops: Stops
    chains: MatchChains
    salts: LockedSalts  # of the phase that opens next
    clients: str | None = None  # the hash of the salts of this one
    delayed: bool = False  # whether something keeps it open after its deadline
    # seats that are stored as ready and are not
    unready: Mapping[Seat, readiness.Said] = field(default_factory=dict)
    # what the transaction has read that looked
    memory: dict[Key, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class WorkedOut:
    """A phase that is due, and what follows from it; with what a transaction has to store for it,
    unless that is found out in the transaction itself.
    """

    seen: DuePhase
    moves: Moves
    prepared: "PreparedClosing | None" = None


@dataclass(frozen=True)
class PreparedClosing:
    """All that a closing stores, if it is stored soon."""

    writes: Writes
    at: datetime  # when it was prepared
    players: Sequence[Player]  # of the match, as they were read


@dataclass(frozen=True)
class Locked:
    """A phase that is due, whose match this transaction has locked."""

    match: Match
    phase: PhaseRow
    moves: Moves


def prepare_closing(
    keyring: Keyring, due: WorkedOut, memory: dict[Key, Any], at: datetime
) -> WorkedOut:
    """Return what was worked out with what is to be stored for it, written at a time, outside any
    transaction, so that the one that stores it is short; a closing that asks for more than was read
    stays as it is.

    `memory` is what the transaction has read that looked, in a copy that may be changed.
    """
    seen, moves = due.seen, due.moves
    if len(moves.closed) != 1 or not moves.opening.phase.due or moves.salts.stored:
        return due
    session = begin_preparing(memory, LogEntry, PhaseRow)
    match, phase = hold_rows(session, seen.match, seen.phase)
    match.version += 1
    try:
        if reports.any_untold(seats_of(session, match), phase.number):
            return due
        players = players_of(session, match)
        record_closing(session, holding_keyring(keyring, match), match, phase, moves, at)
        return replace(due, prepared=PreparedClosing(end_preparing(session), at, players))
    except (SQLAlchemyError, Unprepared):  # it asked a session that has no database
        return due


def lock_unchanged(session: Session, some: Sequence[WorkedOut]) -> list[WorkedOut]:
    """Lock matches in the order in which everybody does; return those that have not changed since
    they were looked at.
    """
    found = _MATCHES.look(session, [each.seen.match.id or 0 for each in some])
    phases = dict(_PHASES.look(session, [each.seen.phase.id or 0 for each in some]))
    due = {each.seen.match.id: each for each in some}
    return [
        due[of]
        for of, match in found
        if is_same(match, due[of].seen.match)
        and of in phases
        and is_same(phases[of], due[of].seen.phase)
    ]


def record_closings(
    session: Session, keyring: Keyring, unchanged: Sequence[WorkedOut], now: datetime
) -> None:
    """Store what was worked out for locked matches that are unchanged: at once where it was
    prepared, unless that was too long ago or a player has changed.
    """
    seen = [player for each in unchanged if each.prepared for player in each.prepared.players]
    changed = changed_players(session, seen)
    stored, others = list[Writes](), list[WorkedOut]()
    for each in unchanged:
        prepared = each.prepared
        if (
            prepared is not None
            and now - prepared.at <= SOON
            and changed.isdisjoint(player.id for player in prepared.players)
        ):
            stored.append(prepared.writes)
        else:
            others.append(each)
    store_prepared(session, stored)
    if others:
        _record(session, keyring, [_take_over(session, each) for each in others], now)


def _record(session: Session, keyring: Keyring, locked: Sequence[Locked], now: datetime) -> None:
    """Work out in the transaction what is to be stored, and store it."""
    with session.no_autoflush:
        read_players(session, [each.match for each in locked])
    reserve_ids(session, PhaseRow, sum(_count_opened(each.moves) for each in locked))
    # what a closing asks of these was read before
    add_at_end_too(session, LogEntry, PhaseRow)
    for each in locked:
        keys = holding_keyring(keyring, each.match)
        record_closing(session, keys, each.match, each.phase, each.moves, now)


def _take_over(session: Session, due: WorkedOut) -> Locked:
    match, phase = take_over(session, due.seen.memory, due.seen.match, due.seen.phase)
    match.version += 1
    return Locked(match, phase, due.moves)


def _count_opened(moves: Moves) -> int:
    return max(0, len(moves.closed) - 1) + bool(moves.opening.phase.due)


def record_closing(
    session: Session, keyring: Keyring, match: Match, phase: PhaseRow, moves: Moves, now: datetime
) -> None:
    """Write what was worked out for a locked match that is unchanged: results, the next phase,
    letters.
    """
    # the database's clock may have been set back
    at = max(now, phase.opened_at, time_of_next(session, match, now))
    if moves.closed:
        fill_in(phase, game_of(match), moves.closed[0], at)
        log_closing(session, keyring, match, phase, moves.closed[0], moves.chains, now=at)
        _note_attendance(session, match, phase, moves, at)
    else:
        phase.closes_at = phase.remind_at = None
    opened = record_moves(session, keyring, match, moves.closed[1:], moves, phase, at)
    if moves.closed:
        know_vacant(
            session, keyring, match, opened, tenures.count_misses(session, match, phase, now=at)
        )
    reports.write_reports(
        session,
        keyring,
        match,
        moves.closed,
        opened,
        dropped=moves.opening.dropped,
        now=at,
        rows=[phase] if len(moves.closed) == 1 else None,
        end="" if moves.closed else _name_before(session, phase),
        stopped_in=None if moves.closed else phase,
    )


def _name_before(session: Session, phase: PhaseRow) -> str:
    """Return the name of the phase before one in which its match was stopped."""
    return session.exec(
        select(PhaseRow.name).where(
            PhaseRow.match_id == phase.match_id, PhaseRow.number == phase.number - 1
        )
    ).one()


def _note_attendance(
    session: Session, match: Match, phase: PhaseRow, moves: Moves, now: datetime
) -> None:
    """Note who played the closed phases: not those that a master closed or that were forced, nor
    one in which the match was stuck.

    A player whose predecessor's orders counted has played as little as missed.
    """
    if phase.why in ("ready", "deadline") and not phase.stuck:
        inherited = inherited_seats(session, match, phase)
        dues = [due for due in dues_of(session, phase) if due.seat not in inherited]
        reliability.note_phase(
            session, match, phase.number, {due.seat: not is_silent(due) for due in dues}, now=now
        )
    for each in moves.closed[1:]:
        if each.why == "ready":  # by plans alone
            reliability.note_phase(
                session, match, each.number, dict.fromkeys(each.phase.due, True), now=now
            )
