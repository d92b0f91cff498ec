"""Closing a phase: open the envelopes, adjudicate once, then write results, next phase and letters in one transaction."""

from datetime import datetime, timedelta
from typing import Protocol

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from adjudicator.core.chance import CHAIN_LENGTH, UsedUp
from adjudicator.core.game import Seat
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database, DatabaseBusy
from adjudicator.play import loop
from adjudicator.play.loop import Given, Stops, Why
from adjudicator.play.submission import understand
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place, SealedPart
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.rows import all_ready, bound_to_phase, by_uid, last_call, lock_by_uid, open_phase, persons
from adjudicator.service.base.state import MatchChains, game_of, load_state
from adjudicator.service.base.tables import Envelope, Match, PhaseRow
from adjudicator.service.letters import incoming
from adjudicator.service.phases import reports
from adjudicator.service.phases.opening import Clock, Moves, as_written, fill_in, go_on, lock_unchanged, record_moves

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
    2. Adjudicate outside any transaction.
    3. Write in one short transaction if the match is unchanged; else begin again, at most LOST_RACES times.

    A `clock` is read again when writing, because the process may have been suspended and the next phase must get its whole time.
    """
    for _ in range(LOST_RACES):
        with database.read_tx() as session:
            seen = _look(session, uid, now)
        if seen is None:
            return False
        match, phase, envelopes, why, stops = seen
        moves = _work_out(match, phase, envelopes, keyring, why, stops)
        failpoints.kill_here("close.before_commit")
        if _write(database, keyring, match, phase, moves, now=now, clock=clock):
            failpoints.kill_here("close.after_commit")
            return True
    return False


def _look(session: Session, uid: str, now: datetime) -> tuple[Match, PhaseRow, list[Envelope], Why, Stops] | None:
    """Return the open phase with each seat's newest envelope, why it closes and when the match stops; None if it is not due."""
    match = by_uid(session, uid)
    phase = open_phase(session, match)
    if phase is None or match.paused_at is not None:
        return None
    why: Why = "ready" if all_ready(session, match, phase) else "deadline"
    if phase.why in ("forced", "master"):
        why = "forced" if phase.why == "forced" else "master"  # decided earlier: the phase waits for nobody
    overdue = phase.deadline is not None and now >= phase.deadline + timedelta(seconds=phase.grace_seconds)
    if why == "deadline" and not overdue:
        return None
    if incoming.any_unread(session, match, last_call(phase)):  # a letter acknowledged in time counts; reading it wakes this task again
        return None
    stored = session.exec(select(Envelope).where(Envelope.phase_id == phase.id).order_by(col(Envelope.id)))
    stops = loop.stopping_rule(game_of(match), persons(session, match))
    return (match, phase, list({envelope.seat: envelope for envelope in stored}.values()), why, stops)


def _work_out(match: Match, phase: PhaseRow, envelopes: list[Envelope], keyring: Keyring, why: Why, stops: Stops) -> Moves:
    game, chains = game_of(match), MatchChains.unwrap(keyring, match)
    state = load_state(game, phase.before)
    contents = _open_envelopes(match, phase, envelopes, keyring)
    given: dict[Seat, Given[SealedPart]] = {}
    plans: dict[Seat, tuple[SealedPart, ...]] = {}
    for seat, inside in contents.items():
        mine = inside.parts if seat not in phase.due else inside.parts[1:]
        plans[seat] = mine
        if seat in phase.due and inside.parts:
            part = inside.parts[0]
            orders = understand(game, state, seat, part.orders).orders
            given[seat] = Given(orders, "sealed" if (part.part, part.place.phase) == (0, phase.number) else "plan", part)
    if why == "forced":
        forced = loop.forced_orders(game, state, game.phase(state)) or {}
        given = {seat: Given(orders, "forced") for seat, orders in forced.items()}
    closed = loop.close_phase(game, state, number=phase.number, given=given, chance=chains.of_phase(match.uid, phase.number), why=why)
    return go_on(game, chains, match.uid, closed, plans, stops)


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
        fill_in(stored, game_of(current), moves.closed[0], at)
        opened = record_moves(session, keyring, current, moves.closed[1:], moves, at)
        reports.write_reports(
            session, public_keys.current_keys(session), current, moves.closed, opened, dropped=moves.opening.dropped, now=at
        )
        failpoints.kill_here("close.in_transaction")
    return True


# --- faults


def mark_stuck(database: Database, uid: str, trouble: str, *, now: datetime) -> None:
    """Mark a match as stuck, so that its open phase is not swept again, and write to its master."""
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        if match.status in ("making", "open", "running"):
            phase = open_phase(session, match)
            if phase is not None:
                phase.closes_at = None
            match.status, match.trouble = "stuck", trouble[:500]
            reports.tell_master(session, public_keys.current_keys(session), match, trouble[:500], now=now)
