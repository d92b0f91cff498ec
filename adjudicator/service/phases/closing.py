"""Closing a phase: open the envelopes, adjudicate once, then write results, next phase and letters in one transaction."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from adjudicator.core.chance import CHAIN_LENGTH, UsedUp
from adjudicator.core.game import Seat
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database, DatabaseBusy
from adjudicator.play import loop
from adjudicator.play.loop import Given, Opening, Stop, StopReason, Stops, Why
from adjudicator.play.submission import understand
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place, SealedPart
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.rows import (
    all_ready,
    bound_to_phase,
    by_uid,
    is_silent,
    last_call,
    lock_by_uid,
    persons,
    seats_of,
    show_change,
    waiting_phase,
)
from adjudicator.service.base.state import MatchChains, conceded_in, game_of, load_state
from adjudicator.service.base.tables import Due, Envelope, Match, PhaseRow
from adjudicator.service.letters import incoming
from adjudicator.service.matches import tenures
from adjudicator.service.orders.envelopes import inherited_seats
from adjudicator.service.people import reliability
from adjudicator.service.phases import delays, reports
from adjudicator.service.phases.opening import Clock, Moves, as_written, fill_in, go_on, lock_unchanged, record_moves, result_of

LOST_RACES = 8  # attempts of a closing whose match changed meanwhile

log = structlog.get_logger()


class SpoiledEnvelope(Exception):
    """A stored envelope was altered: it does not open with its phase's own key."""


# --- closing


def due_matches(session: Session, now: datetime, *, most: int = 500) -> list[str]:
    """Return the public names of matches whose phase may be closed now, the longest overdue first."""
    waiting = select(Match.uid).join(PhaseRow, onclause=col(PhaseRow.match_id) == col(Match.id))
    waiting = (
        waiting.where(col(PhaseRow.closes_at) <= now).order_by(col(PhaseRow.closes_at)).limit(most)
    )  # null unless the match is running
    return list(session.exec(waiting))


class Step(Protocol):
    """One step of a match: `opening.prepare_match`, `opening.start_match` or `close_phase`; `now` and `clock` as in `close_phase`."""

    __name__: str

    def __call__(self, database: Database, keyring: Keyring, uid: str, *, now: datetime, clock: Clock | None = None) -> bool: ...


def step_or_stop(
    step: Step, database: Database, keyring: Keyring, uid: str, *, now: datetime,
    clock: Clock | None = None, cut_short: tuple[type[Exception], ...] = (),
) -> bool:  # fmt: skip
    """Take a step of a match; returns whether this call took it. A fault of the rules marks the match as stuck and informs its master.

    Raises faults of the database and of the key file, and the exceptions in `cut_short`, by which this process is stopped:
    they leave the match intact, and the next sweep retries.
    """
    passing: tuple[type[Exception], ...] = (SQLAlchemyError, DatabaseBusy, OSError, CannotOpen, *cut_short)
    try:
        return step(database, keyring, uid, now=now, clock=clock)
    except passing:
        raise
    except Exception as error:  # any fault of the rules: it must stop this match only
        log.exception("match.stuck", match=uid)
        mark_stuck(database, uid, _trouble(error, step), now=now)
        return False


def _trouble(error: Exception, step: Step) -> str:
    if isinstance(error, UsedUp):
        return f"It has used up its chance, which was fixed for {CHAIN_LENGTH - 1} phases before it began; it cannot go on"
    return f"{type(error).__name__} at the step “{step.__name__}”"


def close_phase(database: Database, keyring: Keyring, uid: str, *, now: datetime, clock: Clock | None = None) -> bool:
    """Close a phase that is due `now`; returns whether this call closed it. Idempotent, also if killed at any point.

    1. Read the match and the newest envelopes.
    2. Where only its time is over and something delays the closing, keep the phase open instead.
    3. Adjudicate outside any transaction.
    4. Write in one short transaction if the match is unchanged; else begin again, at most LOST_RACES times.

    A `clock` is read again when writing, because the process may have been suspended and the next phase must get its whole time.
    """
    for _ in range(LOST_RACES):
        with database.read_tx() as session:
            seen = _look(session, uid, now)
        if seen is None:
            return False
        if seen.delayed:
            if delays.delay_closing(database, seen.match, seen.phase, now=now, clock=clock):
                return False
            continue
        moves = _stopped(seen.match, seen.phase) if seen.phase.why == "stopped" else _work_out(seen, keyring)
        failpoints.kill_here("close.before_commit")
        if _write(database, keyring, seen.match, seen.phase, moves, now=now, clock=clock):
            failpoints.kill_here("close.after_commit")
            return True
    return False


@dataclass(frozen=True)
class _DuePhase:
    """A phase that is due, as it was read."""

    match: Match
    phase: PhaseRow
    envelopes: list[Envelope]  # the one that counts of each seat
    present: set[Seat]  # seats whose envelope comes from their present player; plans of others are not followed
    why: Why
    stops: Stops
    delayed: bool = False  # whether something keeps it open after its deadline


def _look(session: Session, uid: str, now: datetime) -> _DuePhase | None:
    """Return the open phase with each seat's newest envelope, why it closes and when the match stops; None if it is not due."""
    match = by_uid(session, uid)
    phase = waiting_phase(session, match)
    if phase is None or match.paused_at is not None:
        return None
    if phase.why == "stopped":
        return _DuePhase(match, phase, [], set(), "master", loop.stop_at_limit)
    why: Why = "ready" if all_ready(session, match, phase) else "deadline"
    if phase.why in ("forced", "master"):
        why = "forced" if phase.why == "forced" else "master"  # decided earlier: the phase waits for nobody
    overdue = phase.deadline is not None and now >= last_call(phase)
    if why == "deadline" and not overdue:
        return None
    if incoming.any_unread(session, match, last_call(phase)):  # a letter acknowledged in time counts; reading it wakes this task again
        return None
    stored = session.exec(select(Envelope).where(Envelope.phase_id == phase.id).order_by(col(Envelope.tenure), col(Envelope.id)))
    newest = {envelope.seat: envelope for envelope in stored}
    present = {seat.name for seat in seats_of(session, match) if seat.name in newest and newest[seat.name].tenure == seat.tenure}
    stops = loop.stopping_rule(game_of(match), persons(session, match))
    delayed = why == "deadline" and delays.is_delayed(session, match, phase, now)
    return _DuePhase(match, phase, list(newest.values()), present, why, stops, delayed)


def _work_out(seen: _DuePhase, keyring: Keyring) -> Moves:
    match, phase, why = seen.match, seen.phase, seen.why
    game, chains = game_of(match), MatchChains.unwrap(keyring, match)
    state = load_state(game, phase.before)
    contents, out = _open_envelopes(match, phase, seen.envelopes, keyring), loop.out_in(conceded_in(match), phase.number)
    given: dict[Seat, Given[SealedPart]] = {}
    plans: dict[Seat, tuple[SealedPart, ...]] = {}
    for seat, inside in contents.items():
        mine = inside.parts if seat not in phase.due else inside.parts[1:]
        plans[seat] = mine if seat in seen.present else ()
        if seat in phase.due and inside.parts:
            part = inside.parts[0]
            orders = understand(game, state, seat, part.orders).orders
            given[seat] = Given(orders, "sealed" if (part.part, part.place.phase) == (0, phase.number) else "plan", part)
    if why == "forced":
        forced = loop.forced_orders(game, state, game.phase(state), out) or {}
        given = {seat: Given(orders, "forced") for seat, orders in forced.items()}
    chance = chains.of_phase(match.uid, phase.number)
    closed = loop.close_phase(game, state, number=phase.number, given=given, chance=chance, why=why, out=out)
    return go_on(match, chains, closed, plans, seen.stops)


def _stopped(match: Match, phase: PhaseRow) -> Moves:
    """Return the end of a match that was stopped while a phase was open; that phase is never adjudicated."""
    why: StopReason = match.stopped_why  # type: ignore[assignment]  # as clock.stop wrote it
    state = load_state(game_of(match), phase.before)
    opening = Opening[SealedPart](phase.number, loop.STOPPED, state, {}, {}, {}, Stop(phase.number - 1, why))
    return Moves((), opening, result_of(match, opening))


def _open_envelopes(match: Match, phase: PhaseRow, envelopes: list[Envelope], keyring: Keyring) -> dict[Seat, Contents]:
    private = keyring.unwrap(phase.wrapped_key or b"", bound_to=bound_to_phase(match, phase.number))
    try:
        return {
            each.seat: commitments.open_contents(
                private, Place(match.uid, phase.number, each.seat, each.seq), each.commitments, each.sealed
            )
            for each in envelopes
        }
    except CannotOpen as error:
        raise SpoiledEnvelope("an envelope was altered after it was sealed") from error


def _write(
    database: Database, keyring: Keyring, match: Match, phase: PhaseRow, moves: Moves, *, now: datetime, clock: Clock | None
) -> bool:  # fmt: skip
    with database.write_tx() as session:
        current = lock_unchanged(session, match)
        if current is None:
            return False
        stored = session.get_one(PhaseRow, phase.id)
        at = max(as_written(now, clock), stored.opened_at)  # the database's clock may have been set back
        if moves.closed:
            fill_in(stored, game_of(current), moves.closed[0], at)
            _note_attendance(session, current, stored, moves, at)
        else:
            stored.closes_at = stored.remind_at = None
        opened = record_moves(session, keyring, current, moves.closed[1:], moves, at)
        if moves.closed:
            tenures.count_misses(session, current, stored, now=at)
        reports.write_reports(
            session, public_keys.current_keys(session), current, moves.closed, opened, dropped=moves.opening.dropped, now=at,
            end=None if moves.closed else _last_state(session, stored, moves),
        )  # fmt: skip
        failpoints.kill_here("close.in_transaction")
    return True


def _last_state(session: Session, phase: PhaseRow, moves: Moves) -> reports.LastState:
    """Return what a match was left in that was stopped in this phase."""
    before = select(PhaseRow.name).where(PhaseRow.match_id == phase.match_id, PhaseRow.number == phase.number - 1)
    return reports.LastState(session.exec(before).one(), moves.opening.state)


def _note_attendance(session: Session, match: Match, phase: PhaseRow, moves: Moves, now: datetime) -> None:
    """Note who played the closed phases: not those that a master closed or that were forced, nor one in which the match was stuck.

    A player whose predecessor's orders counted has played as little as missed.
    """
    if phase.why in ("ready", "deadline") and not phase.stuck:
        inherited = inherited_seats(session, match, phase)
        dues = session.exec(select(Due).where(Due.phase_id == phase.id, col(Due.seat).not_in(inherited)))
        reliability.note_phase(session, match, phase.number, {due.seat: not is_silent(due) for due in dues}, now=now)
    for each in moves.closed[1:]:
        if each.why == "ready":  # by plans alone
            reliability.note_phase(session, match, each.number, dict.fromkeys(each.phase.due, True), now=now)


# --- faults


def mark_stuck(database: Database, uid: str, trouble: str, *, now: datetime) -> None:
    """Mark a match as stuck, so that its open phase is not swept again, and write to its master."""
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        if match.status in ("making", "open", "running"):
            phase = waiting_phase(session, match)
            if phase is not None:
                phase.closes_at, phase.remind_at, phase.stuck = None, None, True
            match.status, match.trouble = "stuck", trouble[:500]
            show_change(match)
            reports.tell_master(session, public_keys.current_keys(session), match, trouble[:500], now=now)
