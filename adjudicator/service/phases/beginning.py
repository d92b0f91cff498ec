"""Matches that begin: they are prepared, then started once every seat is taken."""

from datetime import datetime, timedelta

from sqlalchemy import false, or_
from sqlmodel import Session, col, func, select

from adjudicator.core.game import Seat as SeatName
from adjudicator.core.options import Options
from adjudicator.platform import entropy, failpoints
from adjudicator.platform.db import Database
from adjudicator.play import loop
from adjudicator.play.loop import Closed
from adjudicator.seal.commitments import SealedPart
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.rows import (
    by_uid,
    house_players,
    lock_by_uid,
    note_people,
    players_of,
    read_players,
    seats_of,
    show_change,
)
from adjudicator.service.base.state import (
    ANONYMOUS,
    MatchChains,
    about_of,
    game_of,
)
from adjudicator.service.base.storing import spare_returning
from adjudicator.service.base.tables import LogEntry, Match, Seat
from adjudicator.service.log import salts
from adjudicator.service.log.checks import recall_chains
from adjudicator.service.log.entries import found_log, time_of_next
from adjudicator.service.log.salts import LockedSalts
from adjudicator.service.matches import preferences, waiting_list
from adjudicator.service.matches.seats import send_invitation
from adjudicator.service.phases import reports
from adjudicator.service.phases.opening import (
    Clock,
    Moves,
    as_written,
    go_on,
    lock_unchanged,
    record_moves,
)
from adjudicator.service.requests.identities import read_who
from adjudicator.service.starting import muster

# --- preparing


def to_prepare(session: Session) -> list[str]:
    """Return the public names of matches that wait to be prepared, the oldest first."""
    return list(
        session.exec(select(Match.uid).where(Match.status == "making").order_by(col(Match.id)))
    )


def prepare_match(
    database: Database, keyring: Keyring, uid: str, *, now: datetime, clock: Clock | None = None
) -> bool:
    """Fix a match's chance, take its reserved seats and send its invitations; returns whether this
    call did.
    """
    with database.read_tx() as session:
        match = by_uid(session, uid)
    if match.status != "making":
        return False
    chains = MatchChains.fresh(entropy.token_bytes(32), entropy.token_bytes(32))
    anchors, wrapped = chains.anchors, chains.keep(keyring, match.uid)
    with database.write_tx() as session:
        current = lock_unchanged(session, match)
        if current is None:
            return False
        current.anchors, current.wrapped_chains = anchors, wrapped
        _let_in(session, keyring, current, as_written(now, clock))
        failpoints.kill_here("prepare.before_commit")
    failpoints.kill_here("prepare.after_commit")
    return True


def prepare_in(session: Session, keyring: Keyring, uid: str, *, now: datetime) -> bool:
    """Do as `prepare_match` in the caller's transaction, which keeps the match locked."""
    match = lock_by_uid(session, uid)
    if match.status != "making":
        return False
    chains = MatchChains.fresh(entropy.token_bytes(32), entropy.token_bytes(32))
    match.anchors, match.wrapped_chains = chains.anchors, chains.keep(keyring, match.uid)
    _let_in(session, keyring, match, now)
    return True


def _let_in(session: Session, keyring: Keyring, match: Match, now: datetime) -> None:
    """Let players take the seats of a locked match whose chance is fixed."""
    match.status = "open"
    show_change(match)
    found_log(session, keyring, match, now=now)
    match.expires_at = (
        now + timedelta(days=match.expire_days) if match.expire_days is not None else None
    )
    for seat in seats_of(session, match):
        seat.taken_at = now if seat.player_id is not None else None
        if seat.kept_for is not None and seat.player_id is None:
            send_invitation(session, match, seat, now=now)
    note_people(session, match)
    reports.welcome_master(session, match, now=now)


# --- starting


def to_start(session: Session) -> list[str]:
    """Return the public names of prepared matches in which every seat is taken, and confirmed if
    there is a muster; the oldest first.

    An anonymous match with a muster begins at its end, by `muster.to_end`.
    """
    unconfirmed = select(Seat.id).where(Seat.match_id == Match.id, col(Seat.confirmed_at).is_(None))
    anonymous = func.coalesce(col(Match.options)[ANONYMOUS].as_boolean(), false())
    mustered = col(Match.muster_until).is_not(None) & ~unconfirmed.exists() & ~anonymous
    ready = or_(col(Match.muster_seconds).is_(None), mustered)
    wanted = select(Match.uid).where(Match.status == "open", col(Match.all_taken).is_(True), ready)
    return list(session.exec(wanted.order_by(col(Match.id))))


def start_match(
    database: Database, keyring: Keyring, uid: str, *, now: datetime, clock: Clock | None = None
) -> bool:
    """Begin a match in which every seat is taken; returns whether this call began it. Phase 0 is
    the opening itself.

    A `clock` is read again when writing, because the first phase must get its whole time.
    """
    with database.read_tx() as session:
        match = by_uid(session, uid)
        seats, bots = seats_of(session, match), house_players(session, match)
        begins = muster.may_begin(match, seats, now)
        chains = recall_chains(session, keyring, match, loop.START.name) if begins else None
        locked = salts.lock_salts(session, keyring, match, 0)
    if chains is None:
        return False
    lots = preferences.draw_lots(match, seats, chains, locked.clients(0))
    given = [lot.seat for lot in lots] or [seat.name for seat in seats]
    house = [name for name, seat in zip(given, seats, strict=True) if seat.player_id in bots]
    options = _settled_options(match, house)
    moves = _work_out_start(match, about_of(match).in_seat_order(given), options, chains, locked)
    with database.write_tx() as session:
        current = lock_unchanged(session, match)
        if current is None:
            return False
        with session.no_autoflush:
            read_players(session, [current])
            read_who(session, keyring, players_of(session, current))
        spare_returning(session, LogEntry, 3)
        at = time_of_next(session, current, as_written(now, clock))
        current.status, current.started_at, current.options = "running", at, dict(options)
        # those at the start; they may be newer than the match
        current.rules_version = about_of(current).rules_version
        current.muster_until, current.join_token = None, None
        preferences.give_seats(session, current, lots)
        waiting_list.dismiss(session, current, "begun", now=at)
        opened = record_moves(session, keyring, current, moves.closed, moves, None, at)
        reports.write_reports(
            session, keyring, current, moves.closed, opened, dropped=moves.opening.dropped, now=at
        )
        failpoints.kill_here("start.before_commit")
    failpoints.kill_here("start.after_commit")
    return True


def _settled_options(match: Match, house: list[SeatName]) -> Options:
    """Return the concrete options at the start; an option added after the match was made gets its
    default.
    """
    game = game_of(match)
    chosen = {option.name: option.default for option in game.about.options} | match.options
    return dict(game.settle(chosen, house))


def _work_out_start(
    match: Match,
    names: tuple[SeatName, ...],
    options: Options,
    chains: MatchChains,
    locked: LockedSalts,
) -> Moves:
    game = game_of(match)
    chance = chains.of_phase(match.uid, 0, locked.clients(0))
    state = game.start(names, options, chance)
    opening = Closed[SealedPart](
        0, loop.START, None, state, {}, game.opened(state), chance.draws, "forced"
    )
    return go_on(match, chains, opening, {}, loop.stopping_rule(game, ()), locked)
