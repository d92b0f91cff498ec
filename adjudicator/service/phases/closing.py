"""Closing a phase: open the envelopes, adjudicate once, then write results, next phase and letters
in one transaction.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from adjudicator.core.chains import BrokenChain
from adjudicator.core.chance import CHAIN_LENGTH, UsedUp
from adjudicator.core.game import Seat
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database, DatabaseBusy
from adjudicator.play import loop
from adjudicator.play.loop import Given, Opening, Stop, StopReason, Why
from adjudicator.play.submission import understand
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place, SealedPart
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.due.phase_clock import all_ready, last_call
from adjudicator.service.base.memory import look_only, memory_of
from adjudicator.service.base.phase_records import recall_phase_key
from adjudicator.service.base.rows import (
    by_uid,
    hold_matches,
    lock_by_uid,
    persons,
    seats_of,
    show_change,
    waiting_phase,
)
from adjudicator.service.base.state import conceded_in, game_of, load_state
from adjudicator.service.base.tables import Envelope, Match, PhaseRow
from adjudicator.service.letters import incoming
from adjudicator.service.log import checks, readiness
from adjudicator.service.log.catching_up import catch_up, is_behind
from adjudicator.service.log.checks import Tampered, check_phase
from adjudicator.service.log.receipt_chains import any_waiting, sign_waiting
from adjudicator.service.log.salts import LockedSalts, lock_salts
from adjudicator.service.log.tampering import Kind, log_tampering
from adjudicator.service.phases import delays, reports, site_marks
from adjudicator.service.phases.opening import (
    Clock,
    Moves,
    as_written,
    go_on,
    result_of,
)
from adjudicator.service.phases.recording import (
    DuePhase,
    WorkedOut,
    lock_unchanged,
    record_closings,
)

LOST_RACES = 8  # attempts of a closing whose match changed meanwhile

log = structlog.get_logger()


class SpoiledEnvelope(Exception):
    """A stored envelope was altered: it does not open with its phase's own key."""


# --- closing


def due_matches(
    session: Session, now: datetime, *, most: int = 500, among: Sequence[str] | None = None
) -> list[str]:
    """Return the public names of matches, of all or `among` some, whose phase may be closed now,
    the longest overdue first.
    """
    waiting = select(Match.uid).join(PhaseRow, onclause=col(PhaseRow.match_id) == col(Match.id))
    waiting = (
        waiting.where(col(PhaseRow.closes_at) <= now).order_by(col(PhaseRow.closes_at)).limit(most)
    )  # null unless the match is running
    if among is not None:
        waiting = waiting.where(col(Match.uid).in_(among))
    return list(session.exec(waiting))


class Step(Protocol):
    """One step of a match: `beginning.prepare_match`, `beginning.start_match` or `close_phase`; `now`
    and `clock` as in `close_phase`.
    """

    __name__: str

    def __call__(
        self,
        database: Database,
        keyring: Keyring,
        uid: str,
        *,
        now: datetime,
        clock: Clock | None = None,
    ) -> bool: ...


def step_or_stop(
    step: Step,
    database: Database,
    keyring: Keyring,
    uid: str,
    *,
    now: datetime,
    clock: Clock | None = None,
    cut_short: tuple[type[Exception], ...] = (),
) -> bool:
    """Take a step of a match; returns whether this call took it. A fault of the rules marks the
    match as stuck and informs its master.

    Raises faults of the database and of the key file, and the exceptions in `cut_short`, by which
    this process is stopped: they leave the match intact, and the next sweep retries.
    """
    passing: tuple[type[Exception], ...] = (
        SQLAlchemyError,
        DatabaseBusy,
        OSError,
        CannotOpen,
        *cut_short,
    )
    try:
        return step(database, keyring, uid, now=now, clock=clock)
    except passing:
        raise
    except Tampered as error:
        log.warning("match.tampered", match=uid, kind=error.kind)
        mark_stuck(
            database,
            uid,
            f"What is stored was changed from outside: {error}",
            now=now,
            tampering=(keyring, error.kind),
        )
        return False
    except BrokenChain as error:
        log.error("match.chance_broken", match=uid)
        reason = f"What is stored was changed from outside, or is damaged: {error}"
        mark_stuck(database, uid, reason, now=now, tampering=(keyring, "chance"))
        return False
    except Exception as error:  # any fault of the rules: it must stop this match only
        log.exception("match.stuck", match=uid)
        mark_stuck(database, uid, _trouble(error, step), now=now)
        return False


def _trouble(error: Exception, step: Step) -> str:
    if isinstance(error, UsedUp):
        return (
            f"It has used up its chance, which was fixed for {CHAIN_LENGTH - 1} phases before it"
            " began; it cannot go on"
        )
    return f"{type(error).__name__} at the step “{step.__name__}”"


def close_phase(
    database: Database, keyring: Keyring, uid: str, *, now: datetime, clock: Clock | None = None
) -> bool:
    """Close a phase that is due `now`; returns whether this call closed it. Idempotent, also if
    killed at any point.

    1. Sign what waits for a signature; put right what nobody may have asked for.
    2. Read the match and the newest envelopes. Where seats are not ready by what they signed, the
       phase stays open.
    3. Where only its time is over and something delays the closing, keep the phase open instead.
    4. Adjudicate outside any transaction.
    5. Write in one short transaction if the match is unchanged; else begin again, at most
       LOST_RACES times.

    A `clock` is read again when writing, because the process may have been suspended and the next
    phase must get its whole time.
    """
    settled: int | None = None  # the version whose rows were put right, as far as they could be
    for _ in range(LOST_RACES):
        with database.read_tx() as session:
            look_only(session)
            match = by_uid(session, uid)
            # whether a seat is ready is not known without its receipts' signatures
            waits = any_waiting(session, match)
            behind = match.version != settled and is_behind(session, keyring, match)
            seen = None if waits or behind else look_at(session, keyring, match, now)
        if waits or behind:
            _settle(database, keyring, uid, now)
            settled = match.version
            continue
        if seen is None:
            return False
        if seen.unready:
            readiness.restore_ready(database, keyring, uid, seen.unready, seen=seen.match)
            continue
        if seen.delayed:
            if delays.delay_closing(database, seen.match, seen.phase, now=now, clock=clock):
                return False
            continue
        worked_out = WorkedOut(seen, work_out(seen, keyring))
        failpoints.kill_here("close.before_commit")
        if _write(database, keyring, worked_out, now=now, clock=clock):
            failpoints.kill_here("close.after_commit")
            return True
        settled = None  # something else has changed since
    return False


def _settle(database: Database, keyring: Keyring, uid: str, now: datetime) -> None:
    signed = 0
    with database.write_tx() as session:
        for match in hold_matches(session, {by_uid(session, uid).id or 0}):
            signed += sign_waiting(session, keyring, match)
            catch_up(session, keyring, match, now=now)
        if signed:
            failpoints.kill_here("sign.before_commit")
    if signed:
        failpoints.kill_here("sign.after_commit")


def look_at(session: Session, keyring: Keyring, match: Match, now: datetime) -> DuePhase | None:
    """Return the open phase with each seat's newest envelope, why it closes and when the match
    stops; None if it is not due.

    Raises log.checks.Tampered where its rows are not what the match's log holds.
    """
    phase = waiting_phase(session, match)
    if phase is None or match.paused_at is not None:
        return None
    if phase.why == "stopped":
        chains = checks.recall_chains(session, keyring, match, phase.name)
        locked = LockedSalts(phase.number, ())
        return DuePhase(
            match,
            phase,
            [],
            set(),
            "master",
            loop.stop_at_limit,
            chains,
            locked,
            memory=memory_of(session),
        )
    why: Why = "ready" if all_ready(session, match, phase) else "deadline"
    if phase.why == "forced" and _is_forced(match, phase):
        why = "forced"  # decided earlier: the phase waits for nobody
    overdue = phase.deadline is not None and now >= last_call(phase)
    # `now` may be from before the master closed it
    if phase.why == "master" and (overdue or why == "ready"):
        why = "master"
    if why == "deadline" and not overdue:
        return None
    # a letter acknowledged in time counts; reading it wakes this task again
    if incoming.any_unread(session, match, last_call(phase)):
        return None
    # as does a form that had come whole by then
    if why == "deadline" and site_marks.any_behind(session, last_call(phase), now):
        return None
    checked = check_phase(session, keyring, match, phase)
    stored = checked.envelopes
    chains = checks.recall_chains(session, keyring, match, phase.name)
    newest = {envelope.seat: envelope for envelope in stored}
    unready = (
        readiness.find_unready(session, keyring, match, phase, stored) if why == "ready" else {}
    )
    present = {
        seat.name
        for seat in seats_of(session, match)
        if seat.name in newest and newest[seat.name].tenure == seat.tenure
    }
    stops = loop.stopping_rule(game_of(match), persons(session, match))
    delayed = why == "deadline" and delays.is_delayed(session, match, phase, now)
    locked = lock_salts(session, keyring, match, phase.number + 1)
    return DuePhase(
        match,
        phase,
        list(newest.values()),
        present,
        why,
        stops,
        chains,
        locked,
        checked.clients,
        delayed,
        unready,
        memory_of(session),
    )


def _is_forced(match: Match, phase: PhaseRow) -> bool:
    """Whether the rules leave nobody a choice in a phase, whatever its row says."""
    game = game_of(match)
    state = load_state(game, phase.before)
    return (
        loop.forced_orders(
            game, state, game.phase(state), loop.out_in(conceded_in(match), phase.number)
        )
        is not None
    )


def work_out(seen: DuePhase, keyring: Keyring) -> Moves:
    """Return what follows from a phase that closes; outside any transaction."""
    match, phase, why = seen.match, seen.phase, seen.why
    if phase.why == "stopped":
        return _stopped(seen)
    game, chains = game_of(match), seen.chains
    state = load_state(game, phase.before)
    contents, out = (
        _open_envelopes(match, phase, seen.envelopes, keyring),
        loop.out_in(conceded_in(match), phase.number),
    )
    given: dict[Seat, Given[SealedPart]] = {}
    plans: dict[Seat, tuple[SealedPart, ...]] = {}
    for seat, inside in contents.items():
        mine = inside.parts if seat not in phase.due else inside.parts[1:]
        plans[seat] = mine if seat in seen.present else ()
        if seat in phase.due and inside.parts:
            part = inside.parts[0]
            orders = understand(game, state, seat, part.orders).orders
            given[seat] = Given(
                orders,
                "sealed" if (part.part, part.place.phase) == (0, phase.number) else "plan",
                part,
            )
    if why == "forced":
        forced = loop.forced_orders(game, state, game.phase(state), out) or {}
        given = {seat: Given(orders, "forced") for seat, orders in forced.items()}
    chance = chains.of_phase(match.uid, phase.number, seen.clients)
    closed = loop.close_phase(
        game, state, number=phase.number, given=given, chance=chance, why=why, out=out
    )
    return go_on(match, chains, closed, plans, seen.stops, seen.salts)


def _stopped(seen: DuePhase) -> Moves:
    """Return the end of a match that was stopped while a phase was open; that phase is never
    adjudicated.
    """
    match, phase = seen.match, seen.phase
    why: StopReason = match.stopped_why  # type: ignore[assignment]  # as clock.stop wrote it
    state = load_state(game_of(match), phase.before)
    opening = Opening[SealedPart](
        phase.number, loop.STOPPED, state, {}, {}, {}, Stop(phase.number - 1, why)
    )
    seen.chains.check()
    return Moves((), opening, result_of(match, opening), seen.chains, seen.salts)


def _open_envelopes(
    match: Match, phase: PhaseRow, envelopes: list[Envelope], keyring: Keyring
) -> dict[Seat, Contents]:
    private = recall_phase_key(keyring, match, phase)
    try:
        return {
            each.seat: commitments.open_contents(
                private,
                Place(match.uid, phase.number, each.seat, each.seq),
                each.commitments,
                each.sealed,
            )
            for each in envelopes
        }
    except CannotOpen as error:
        raise SpoiledEnvelope("an envelope was altered after it was sealed") from error


def _write(
    database: Database,
    keyring: Keyring,
    worked_out: WorkedOut,
    *,
    now: datetime,
    clock: Clock | None,
) -> bool:
    with database.write_tx() as session:
        unchanged = lock_unchanged(session, [worked_out])
        record_closings(session, keyring, unchanged, as_written(now, clock))
        failpoints.kill_here("close.in_transaction")
    return bool(unchanged)


# --- faults


def mark_stuck(
    database: Database,
    uid: str,
    trouble: str,
    *,
    now: datetime,
    tampering: tuple[Keyring, Kind] | None = None,
) -> None:
    """Mark a match as stuck, so that its open phase is not swept again, and write to its master;
    its log tells of `tampering`.
    """
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        if match.status in ("making", "open", "running"):
            phase = waiting_phase(session, match)
            if phase is not None:
                phase.closes_at, phase.remind_at, phase.stuck = None, None, True
                if tampering is not None:
                    log_tampering(session, tampering[0], match, phase.number, tampering[1], now=now)
            match.status, match.trouble = "stuck", trouble[:500]
            show_change(match)
            reports.tell_master(
                session, public_keys.current_keys(session), match, trouble[:500], now=now
            )
