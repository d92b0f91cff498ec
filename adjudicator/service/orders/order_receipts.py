"""What is said of orders that are handed in: why they are refused, and their receipt letter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlmodel import Session, select

from adjudicator.play.submission import Submitted
from adjudicator.seal.commitments import SealedPart
from adjudicator.seal.crypto import PublicKeys
from adjudicator.service.base.due.phase_clock import in_overtime, last_call, on_its_clock
from adjudicator.service.base.rows import OpenSeat
from adjudicator.service.base.state import about_of, conceded_in
from adjudicator.service.base.storing import add_at_end
from adjudicator.service.base.tables import Due, Match, PhaseRow, Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.answer_content import PartLine, ReceiptLetter
from adjudicator.service.letters.contents.content import with_values
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.orders.submission import Submission
from adjudicator.service.requests.made_for import OTHER_TENURE
from adjudicator.service.tokens.references import of_seat

Disposition = Literal["accepted", "late", "refused"]
ONLY_ITS_PLAYER = "You play this seat as a substitute, so you cannot concede: only its player can."


@dataclass(frozen=True)
class HandedIn:
    """The receipt letter of orders, to which the caller adds what depends on its reader."""

    letter: ReceiptLetter
    about: LetterReference


def _conceded(match: Match, seat: Seat) -> str:
    return (
        "You conceded this match, so you order nothing any more."
        if seat.name in conceded_in(match)
        else ""
    )


def _concedes_for_another(open_seat: OpenSeat, read: Submitted) -> str:
    """Return why a substitute's orders are refused where they concede, "" otherwise."""
    lent, word = open_seat.seat.owner_id is not None, about_of(open_seat.match).concede
    return (
        ONLY_ITS_PLAYER
        if lent and word and any(word in text.split() for text in read.texts)
        else ""
    )


def why_refused(open_seat: OpenSeat, submission: Submission, read: Submitted) -> str:
    """Return why orders are refused, "" if they are accepted; must run inside the storing
    transaction.
    """
    return (
        _conceded(open_seat.match, open_seat.seat)
        or _concedes_for_another(open_seat, read)
        or _refusal(open_seat, submission, read)
    )


def _refusal(open_seat: OpenSeat, submission: Submission, read: Submitted) -> str:
    """Return why orders are refused for what the match and the phase are by now, "" otherwise."""
    match, phase = open_seat.match, open_seat.phase
    if submission.phase is not None and submission.phase != phase.number:
        return (
            f"These orders were for another phase; {phase.name} is open now. Look at the new"
            " position and hand them in again."
        )
    if submission.made_for is not None and submission.made_for.tenure != open_seat.tenure:
        return OTHER_TENURE
    if phase.why == "stopped":
        return (
            "The match was stopped before your orders could be stored, so they do not count any"
            " more."
        )
    if phase.closed_at is not None:
        return (
            f"{phase.name} was closed before your orders could be stored, so they did not count."
            " Nothing else was changed."
        )
    if on_its_clock(match, submission.arrived) >= last_call(phase):
        late = (
            f"The deadline of {phase.name} had passed when your orders arrived, so they did not"
            " count."
        )
        return f"{late} What you handed in before, if anything, still stands."
    if read.empty:
        return (
            "No line could be taken, so nothing was changed: what you handed in before, if"
            " anything, still stands."
        )
    return ""


def name_of_other(session: Session, phase: PhaseRow, submission: Submission) -> str:
    """Return the name of the phase that orders were handed in for, "" if that is `phase`."""
    if submission.phase is None or submission.phase == phase.number:
        return ""
    of_match = select(PhaseRow.name).where(
        PhaseRow.match_id == phase.match_id, PhaseRow.number == submission.phase
    )
    return session.exec(of_match).first() or ""


def tell_disposition(
    match: Match, phase: PhaseRow, submission: Submission, reason: str
) -> Disposition:
    if reason:
        return "refused"
    return (
        "late"
        if phase.deadline is not None and on_its_clock(match, submission.arrived) >= phase.deadline
        else "accepted"
    )


def write_receipt(
    open_seat: OpenSeat,
    submission: Submission,
    read: Submitted,
    open_slots: Sequence[str],
    *,
    seq: int,
    parts: Sequence[SealedPart],
    disposition: Disposition,
    reason: str,
    meant_for: str,
    due: Due | None,
    ready: bool,
) -> ReceiptLetter:
    """Return the receipt letter of orders, without its reader's zone and, for a letter, the rest of
    the reply.
    """
    match, phase, seat, at = open_seat.match, open_seat.phase, open_seat.seat, submission.arrived
    lines = tuple(
        PartLine(
            phase.name if part.part == 0 and seat.name in phase.due else "then",
            tuple(part.orders.splitlines()),
            part.commitment,
            part.nonce,
            part.part,
            part.ready,
        )
        for part in parts
    )
    open_ = match.status == "running" and phase.closed_at is None
    return ReceiptLetter(
        # a former player is not told the new address
        reply_token=of_seat(match, seat) if open_seat.earlier is None else None,
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        seat=seat.name,
        phase=phase.number,
        phase_name=phase.name,
        meant_for=meant_for,
        seq=seq,
        at=at,
        channel=submission.channel,
        disposition=disposition,
        reason=reason,
        parts=lines,
        refusals=read.refusals,
        remarks=read.now.remarks,
        open_slots=tuple(open_slots),
        ready=ready,
        says=read.says or "",
        complete=read.complete,
        due=due is not None,
        in_time=due is not None and not due.late and in_overtime(phase),
        deadline=phase.deadline or phase.opened_at,
        last_call=last_call(phase),
        closes_now=not reason and phase.closes_at is not None and phase.closes_at <= at,
        paused=match.paused_at is not None,
        still_open=open_ and on_its_clock(match, at) < last_call(phase),
    )


def put_receipt(
    session: Session, handed_in: HandedIn, match: Match, player: Player, public: PublicKeys
) -> None:
    """Put the receipt letter of a form into the outbox, for a player who wants such letters."""
    if player.address is None or player.house or not player.receipts or not player.letters:
        return
    letter = with_values(handed_in.letter, zone=player.zone)
    made = outbox.make_letter(
        session,
        public,
        letter,
        match,
        player,
        address=player.address,
        now=letter.at,
        about=handed_in.about,
    )
    add_at_end(session, made)
