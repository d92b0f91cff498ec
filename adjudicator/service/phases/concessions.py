"""Conceding: a seat gives the match up for good (ruling G10)."""

from datetime import datetime

from sqlmodel import Session, select

from adjudicator.play import loop
from adjudicator.play.loop import StopReason
from adjudicator.play.submission import parse_submission, understand_all
from adjudicator.service.base import public_keys
from adjudicator.service.base.due.phase_clock import last_call, on_its_clock, set_closing
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.rows import OpenSeat, lock_by_uid, persons, seats_of
from adjudicator.service.base.state import about_of, conceded_in, game_of, load_state
from adjudicator.service.base.tables import Due
from adjudicator.service.matches import clock
from adjudicator.service.matches.notes import STOPPED, add_concession
from adjudicator.service.matches.tenure_letters import AtOnce
from adjudicator.service.matches.votes import Voter, VoteResult, find_voter, vote_once
from adjudicator.service.orders.order_receipts import ONLY_ITS_PLAYER, put_receipt
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import name_open, store_in
from adjudicator.service.posting.phase_sections import seat_label
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.made_for import MadeFor, require_newest, require_phase

# by the number of seats left; else "nobody left"
_WHY_STOPPED: dict[int, StopReason] = {1: "conceded"}


@act
def concede(
    session: Session,
    uid: str,
    player_id: int,
    *,
    now: datetime,
    arrived: datetime | None = None,
    made_for: MadeFor | None = None,
    channel: str = "form",
) -> VoteResult:
    """Concede the match for a player's seat, which cannot be taken back; by a letter or request
    that came at `arrived`, else now.

    Where the game knows concessions this seals its order for it, alone. Raises Refused with a
    sentence; NotAllowed for a substitute, NotNow for a form that was made for another phase or
    tenure, or whose page did not know what the seat handed in since.
    """
    come = now if arrived is None else arrived

    def do() -> VoteResult:
        voter = find_voter(session, lock_by_uid(session, uid), player_id, come, made_for)
        return _concede(session, voter, made_for, channel, now)

    return vote_once(session, do)


def _concede(
    session: Session, voter: Voter, made_for: MadeFor | None, channel: str, now: datetime
) -> VoteResult:
    match, phase = voter.match, voter.phase
    if voter.seat.owner_id is not None:
        raise NotAllowed(ONLY_ITS_PLAYER)
    if voter.seat.name in conceded_in(match):
        return VoteResult("You conceded this match already; nothing was changed.")
    require_phase(made_for, phase)
    require_newest(session, made_for, match, voter.seat)
    if on_its_clock(match, voter.arrived) >= last_call(phase):
        raise NotNow(
            f"The time of {phase.name} is over; it is being closed. Concede in the next phase."
        )
    if about_of(match).concede:
        return _by_order(session, voter, channel)
    return _by_service(session, voter, now)


def _by_order(session: Session, voter: Voter, channel: str) -> VoteResult:
    """Seal the game's own order for a concession, in place of all others of the seat."""
    match, phase, game = voter.match, voter.phase, game_of(voter.match)
    text, state = game.about.concede, load_state(game, voter.phase.before)
    read = understand_all(game, state, voter.seat.name, parse_submission(f"{text}\nready"))
    submission = Submission(
        match.uid, voter.player.id or 0, text, channel, voter.arrived, phase.number
    )
    handed_in = store_in(
        session,
        submission,
        OpenSeat(match, phase, voter.seat),
        read,
        name_open(game, state, voter.seat.name, read),
    )
    if handed_in.letter.disposition == "refused":
        raise NotNow(handed_in.letter.reason)
    put_receipt(session, handed_in, match, voter.player, public_keys.current_keys(session))
    sealed = (
        f"Your order to concede is sealed, in place of all others, and counts when {phase.name}"
        " closes."
    )
    return VoteResult(
        f"{sealed} Until then other orders take it back.", acted=handed_in.letter.closes_now
    )


def _by_service(session: Session, voter: Voter, now: datetime) -> VoteResult:
    """Record a concession; stop the match where one seat is left, or no person's."""
    match, phase, name = voter.match, voter.phase, voter.seat.name
    match.conceded = [*(match.conceded or ()), [name, phase.number - 1]]
    gone = conceded_in(match)
    left = [seat.name for seat in seats_of(session, match) if seat.name not in gone]
    over: StopReason | None = None
    if len(left) == 1 or set(left).isdisjoint(persons(session, match)):
        over = _WHY_STOPPED.get(len(left), "nobody left")
        clock.stop(session, match, phase, over, now=now)
    stopped = [STOPPED + over] if over is not None else []
    add_concession(
        session,
        match,
        now,
        voter.seat,
        seat_label(name),
        f"conceded in {phase.name}",
        *stopped,
        # the last reports tell of one that ends the match
        news=AtOnce(f"{seat_label(name)} conceded", but=(voter.player.id,))
        if over is None
        else None,
    )
    if over is not None:
        return VoteResult("You conceded, and the match ends.", acted=True)
    _stop_waiting(session, voter, now)
    return VoteResult(
        "You conceded. The game’s default is played for your seat from now on, and it comes last.",
        acted=True,
    )


def _stop_waiting(session: Session, voter: Voter, now: datetime) -> None:
    """Wait in the open phase no longer for the seat that conceded."""
    match, phase, game = voter.match, voter.phase, game_of(voter.match)
    due = session.exec(
        select(Due).where(Due.phase_id == phase.id, Due.seat == voter.seat.name)
    ).first()
    if due is None:
        return
    session.delete(due)
    phase.due = [seat for seat in phase.due if seat != voter.seat.name]
    session.flush()
    state = load_state(game, phase.before)
    if (
        loop.forced_orders(
            game, state, game.phase(state), loop.out_in(conceded_in(match), phase.number)
        )
        is not None
    ):
        phase.why = "forced"
    set_closing(session, match, phase, now)
