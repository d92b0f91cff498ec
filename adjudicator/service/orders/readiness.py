"""What a seat says about a phase without orders: `ready`, so that nobody waits for it, or
`wait`.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session, select

from adjudicator.seal.requests import Voucher
from adjudicator.service.base.due.phase_clock import (
    in_overtime,
    is_ready,
    last_call,
    on_its_clock,
    set_closing,
)
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.rows import (
    OpenSeat,
    dues_of,
    lock_by_uid,
    open_phase,
    seats_of,
    sitting,
    why_not_open,
)
from adjudicator.service.base.tables import Due, Match, PhaseRow, Receipt, Seat
from adjudicator.service.matches import tenures
from adjudicator.service.orders.envelopes import add_signed, next_seq
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.made_for import (
    BEHIND,
    MadeFor,
    is_behind,
    require_phase,
    require_tenure,
)

_LOOKS = " Your seat looks for a new player, though; write `back` to keep it."


@act
def say_readiness(
    session: Session,
    uid: str,
    player_id: int,
    word: Literal["ready", "wait"],
    *,
    now: datetime,
    made_for: MadeFor | None = None,
) -> bool:
    """Say `ready` or `wait` without changing the orders; returns whether the phase can close at
    once.

    It is a sign of life: nobody can take a seat any more that looks for a new player. Raises
    NotAllowed without a seat. Raises NotNow without an open phase, where the seat owes nothing,
    after deadline and grace, and for a form that was made for something else: for another phase or
    tenure, or a `ready` whose page did not know what the seat handed in since. A `ready` that is so
    already changes nothing.
    """
    match = lock_by_uid(session, uid)
    seat = sitting(seats_of(session, match), player_id)
    phase = open_phase(session, match)
    if seat is None or phase is None:
        raise (
            NotNow(why_not_open(match)) if seat else NotAllowed("You have no seat in this match.")
        )
    require_tenure(made_for, seat)
    require_phase(made_for, phase)
    if word == "ready" and made_for is not None and is_behind(session, made_for, match, seat):
        if not _is_ready(session, match, phase, seat):
            raise NotNow(BEHIND)
        return _closes(phase, now)
    return say_in(session, OpenSeat(match, phase, seat), Word(word, now, player_id), now=now)


@dataclass(frozen=True)
class Word:
    """A bare `ready` or `wait`, as a channel hands it over."""

    says: Literal["ready", "wait"]
    arrived: datetime  # decides whether it came in time
    player_id: int
    channel: str = "form"
    letter: str | None = None  # the letter's uid
    signer: Voucher | None = None  # as in `Submission`


def say_in(session: Session, open_seat: OpenSeat, word: Word, *, now: datetime) -> bool:
    """Do as `say_readiness` in a match that the caller has locked."""
    arrived = word.arrived
    match, phase, seat = open_seat.match, open_seat.phase, open_seat.seat
    due = session.exec(select(Due).where(Due.phase_id == phase.id, Due.seat == seat.name)).first()
    if due is None:
        looks = seat.open_since is not None and not tenures.has_returned(session, seat)
        raise NotNow(f"You owe no orders in this phase.{_LOOKS if looks else ''}")
    if on_its_clock(match, arrived) >= last_call(phase):
        raise NotNow(f"The deadline of {phase.name} has passed.")
    if word.says == "wait" and in_overtime(phase) and not due.late:
        raise NotNow(
            f"The deadline of {phase.name} has passed. It is in overtime for those who were late,"
            " and waits for nobody else."
        )
    due.says = word.says
    _add_receipt(session, open_seat, word)
    session.flush()
    set_closing(session, match, phase, arrived)
    tenures.keep_seat(session, match, seat, now=now)
    return _closes(phase, arrived)


def _is_ready(session: Session, match: Match, phase: PhaseRow, seat: Seat) -> bool:
    return any(
        is_ready(match.ready_rule, due) for due in dues_of(session, phase) if due.seat == seat.name
    )


def _closes(phase: PhaseRow, at: datetime) -> bool:
    return phase.closes_at is not None and phase.closes_at <= at


def _add_receipt(session: Session, open_seat: OpenSeat, word: Word) -> None:
    """Add the receipt of a bare word: a submission without parts."""
    match, phase, seat = open_seat.match, open_seat.phase, open_seat.seat
    assert match.id is not None  # noqa: S101 from the database
    receipt = Receipt(
        match_id=match.id,
        phase_number=phase.number,
        seat=seat.name,
        seq=next_seq(session, match, phase, seat),
        tenure=open_seat.tenure,
        channel=word.channel,
        at=word.arrived,
        disposition="accepted",
        commitments=[],
        says=word.says,
        letter=word.letter,
    )
    add_signed(session, match, receipt, word.player_id, word.signer)
