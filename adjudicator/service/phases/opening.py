"""Phases that open: what the starts and the closings of matches both write."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from adjudicator.core.chance import ChainChance, Draw
from adjudicator.core.game import AnyGame
from adjudicator.core.game import Seat as SeatName
from adjudicator.platform import wakeups
from adjudicator.play import loop
from adjudicator.play.endings import final_result
from adjudicator.play.loop import Closed, Dropped, Given, Opening, Stops
from adjudicator.play.submission import understand
from adjudicator.seal import crypto
from adjudicator.seal.commitments import Contents, Place, SealedPart, phase_key_hash
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import WorkerSigner
from adjudicator.service.base.due.phase_clock import all_ready, next_reminder
from adjudicator.service.base.memory import keep_read, memory_of
from adjudicator.service.base.phase_records import keep_phase_key
from adjudicator.service.base.progress import next_minute
from adjudicator.service.base.rows import house_players, seats_of, show_change
from adjudicator.service.base.state import (
    MatchChains,
    conceded_in,
    dump_events,
    dump_state,
    game_of,
    open_former_chains,
)
from adjudicator.service.base.storing import add_at_end, add_row, new_row, next_id
from adjudicator.service.base.tables import Due, Match, PhaseRow
from adjudicator.service.log import salts
from adjudicator.service.log.bodies import log_closing, log_end, log_opening
from adjudicator.service.log.key_changes import keyring_in_force
from adjudicator.service.log.salts import LockedSalts
from adjudicator.service.log.vouching import plan_request
from adjudicator.service.matches import absences, timetables
from adjudicator.service.orders.envelopes import make_envelope
from adjudicator.service.phases.known_matches import know_match

Clock = Callable[[], datetime]


@dataclass(frozen=True)
class Moves:
    """What was adjudicated outside any transaction: the closed phases in order, and the one that
    waits for orders.
    """

    closed: tuple[Closed[SealedPart], ...]
    opening: Opening[SealedPart]
    result: Mapping[SeatName, Any] | None
    chains: MatchChains
    salts: LockedSalts


def as_written(now: datetime, clock: Clock | None) -> datetime:
    """Return the time to store: that of `clock` if given, but never before `now`."""
    return max(now, clock()) if clock is not None else now


def lock_unchanged(session: Session, seen: Match) -> Match | None:
    """Lock a match and increment its version if it has not changed since it was `seen`; else return
    None.
    """
    current = session.get_one(Match, seen.id, with_for_update=True)
    if (current.version, current.status) != (seen.version, seen.status):
        return None
    current.version += 1  # written with what else changes
    return current


def record_moves(
    session: Session,
    keyring: Keyring,
    match: Match,
    closed: tuple[Closed[SealedPart], ...],
    moves: Moves,
    last: PhaseRow | None,
    now: datetime,
) -> PhaseRow | None:
    """Write phases that closed without waiting, then open the next one or end the match; the caller
    has locked the match.

    `last` is the phase that was open until now, None as the match begins.
    """
    game = game_of(match)
    show_change(match)
    assert match.id is not None  # noqa: S101 from the database
    for each in closed:
        row = PhaseRow(
            id=next_id(session, PhaseRow),
            match_id=match.id,
            number=each.number,
            name=each.phase.name,
            due=list(each.phase.due),
            opened_at=now,
            rules_version=game.about.rules_version,
            before=dump_state(game, each.before) if each.number else None,
            dropped=_dropped(each.dropped),
        )
        log_opening(session, keyring, match, row, salts=moves.salts.of(row.number), now=now)
        fill_in(row, game, each, now)
        session.add(row)
        log_closing(session, keyring, match, row, each, moves.chains, now=now)
    salts.use_up(session, keyring, match, moves.salts, now=now)
    if moves.chains.renewed:
        match.wrapped_chains = moves.chains.keep(keyring, match.uid)
    if moves.opening.phase.due:
        led = row if closed else last  # the phase that led to the one that opens
        before = (
            led.after
            if led is not None and moves.closed and moves.closed[-1].after is moves.opening.state
            else dump_state(game, moves.opening.state)
        )
        locked = moves.salts.of(moves.opening.number)
        return _open(session, keyring, match, moves.opening, before, locked, last, now)
    match.status, match.ended_at = "ended", now
    match.opened_chains = moves.chains.opened
    open_former_chains(keyring, match)
    match.result = {seat: vars(standing) for seat, standing in (moves.result or {}).items()}
    if moves.opening.stop:
        match.stopped_after, match.stopped_why = moves.opening.stop.after, moves.opening.stop.why
    session.flush()
    log_end(session, keyring, match, match.result, now=now)
    return None


def _open(
    session: Session,
    keyring: Keyring,
    match: Match,
    opening: Opening[SealedPart],
    before: object,
    locked: Sequence[str],
    last: PhaseRow | None,
    now: datetime,
) -> PhaseRow:
    game = game_of(match)
    private, public = crypto.new_pair()
    deadline = timetables.next_deadline(match, now, short=opening.phase.pace == "short")
    assert match.id is not None  # noqa: S101 from the database
    phase = new_row(
        session,
        PhaseRow,
        id=next_id(session, PhaseRow),
        match_id=match.id,
        number=opening.number,
        name=opening.phase.name,
        due=list(opening.asked),
        opened_at=now,
        rules_version=game.about.rules_version,
        before=before,
        deadline=deadline,
        grace_seconds=match.grace_seconds,
        closes_at=deadline + timedelta(seconds=match.grace_seconds),
        public_key=public,
        wrapped_key=keep_phase_key(
            keyring, match, opening.number, private, know_match(session, keyring, match, last)
        ),
        key_signature=_sign_key(keyring, match, opening.number, public),
        dropped=_dropped(opening.dropped),
    )
    add_row(session, phase)
    memory_of(session)["phase", match.id] = phase
    _carry_plans(session, keyring, match, phase, opening, now)
    bots = house_players(session, match)
    house = {seat.name for seat in seats_of(session, match) if seat.player_id in bots}
    dues = [_due(match, phase, opening, seat, now) for seat in opening.asked]
    for due in dues:
        due.house = due.seat in house
        if due.house:
            wakeups.wake(session, wakeups.HOUSE, match.uid)
        add_at_end(session, due)
    keep_read(session, ("dues", phase.id), dues)
    absences.move_past(session, match, phase, short=opening.phase.pace == "short", now=now)
    if opening.forced:
        phase.why = "forced"  # the next sweep closes it
    if phase.why == "forced" or all_ready(session, match, phase):
        phase.closes_at = now
    phase.remind_at = next_reminder(match, phase)
    log_opening(session, keyring, match, phase, salts=locked, now=now)
    return phase


def _sign_key(keyring: Keyring, match: Match, number: int, public: bytes) -> bytes | None:
    """Return the worker's signature over the public key of a phase, which the site checks before it
    seals; None without a log.
    """
    return (
        keyring_in_force(keyring, match).sign(phase_key_hash(match.uid, number, public))
        if match.sealing
        else None
    )


def _dropped(dropped: Mapping[SeatName, Dropped]) -> list[SeatName]:
    """Return the seats whose whole plan was dropped."""
    return [seat for seat, each in dropped.items() if not each.alone]


def _carry_plans(
    session: Session,
    keyring: Keyring,
    match: Match,
    phase: PhaseRow,
    opening: Opening[SealedPart],
    now: datetime,
) -> None:
    """Seal the plans again to the new phase's key: this phase's part first, then the remaining
    parts. The worker vouches for them.
    """
    tenures = {seat.name: seat.tenure for seat in seats_of(session, match)}
    for seat in {*opening.adopted, *opening.plans}:
        adopted = (opening.adopted[seat],) if seat in opening.adopted else ()
        parts = (*adopted, *opening.plans.get(seat, ()))
        if parts:
            place = Place(match.uid, phase.number, seat, 0)
            envelope = make_envelope(
                phase, place, Contents(parts), now, for_later=not adopted, tenure=tenures[seat]
            )
            ready = _is_settled(match, opening, seat)
            envelope.proof = WorkerSigner(keyring).sign(
                plan_request(match.uid, phase.number, envelope, ready=ready)
            )
            add_at_end(session, envelope)


def _is_settled(match: Match, opening: Opening[SealedPart], seat: SeatName) -> bool:
    """Whether a seat's plan leaves nothing open in the phase that opens, so that nobody waits for
    the seat.
    """
    part = opening.adopted.get(seat)
    return part is not None and understand(game_of(match), opening.state, seat, part.orders).settled


def _due(
    match: Match, phase: PhaseRow, opening: Opening[SealedPart], seat: SeatName, now: datetime
) -> Due:
    assert phase.id is not None  # noqa: S101 flushed
    if seat not in opening.adopted:
        return Due.draft(phase_id=phase.id, seat=seat)
    complete = _is_settled(match, opening, seat)
    says = "ready" if complete else None
    return Due.draft(
        phase_id=phase.id,
        seat=seat,
        complete=complete,
        says=says,
        handed_in_at=now,
        known_at=next_minute(now),
    )


def fill_in(row: PhaseRow, game: AnyGame, closed: Closed[SealedPart], now: datetime) -> None:
    """Write into a phase's row how it was closed."""
    row.closed_at, row.closes_at, row.remind_at, row.why = now, None, None, closed.why
    row.rules_version = game.about.rules_version  # the phase may have been opened under older rules
    row.after, row.events = (dump_state(game, closed.after), dump_events(game, closed.events))
    row.draws = [_plain_draw(draw) for draw in closed.draws]
    row.taken = {seat: _plain_given(given) for seat, given in closed.given.items()}


def _plain_draw(draw: Draw) -> list[Any]:
    return [
        draw.stream,
        draw.label,
        list(draw.value) if isinstance(draw.value, tuple) else draw.value,
    ]


def _plain_given(given: Given[SealedPart]) -> dict[str, Any]:
    plain: dict[str, Any] = {"how": given.how, "orders": given.text}
    part = given.part
    if part is None:
        return plain
    plain["commitment"] = part.commitment
    # else it holds an OR, and opening it would reveal what was not played
    if part.orders == given.text:
        plain["opening"] = part.bound
    return plain


def go_on(
    match: Match,
    chains: MatchChains,
    first: Closed[SealedPart],
    plans: Mapping[SeatName, tuple[SealedPart, ...]],
    stops: Stops,
    locked: LockedSalts,
) -> Moves:
    """Return what follows one closed phase: the phases that close without waiting, and the one that
    waits for orders.

    Raises BrokenChain where the chance does not lead to its anchors, as a waypoint is renewed or
    the match ends.
    """
    game, conceded, serving = game_of(match), conceded_in(match), [chains]

    def chance_of(number: int) -> ChainChance:
        serving[0] = serving[0].serve(number) if match.sealing else chains
        return serving[0].of_phase(match.uid, number, locked.clients(number))

    more, opening = loop.advance_match(
        game,
        first.after,
        number=first.number + 1,
        plans=plans,
        chance_of=chance_of,
        before=first.before,
        stops=stops,
        conceded=conceded,
    )
    (chains,) = serving
    if opening.phase.due:
        chains = chains.serve(opening.number) if match.sealing else chains
    else:
        chains.check()
    return Moves((first, *more), opening, result_of(match, opening), chains, locked)


def result_of(match: Match, opening: Opening[SealedPart]) -> Mapping[SeatName, Any] | None:
    """Return the result of a match at this opening, None while it goes on."""
    stopped = opening.stop.why if opening.stop else None
    return final_result(game_of(match), opening.state, stopped=stopped, conceded=conceded_in(match))
