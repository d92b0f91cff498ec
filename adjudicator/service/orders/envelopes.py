"""Submission of orders: sealed and receipted in one transaction; `ready` and `wait`. No orders are stored in the clear."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlmodel import Session, col, func, select

from adjudicator.core.game import Refusal, Slots
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.play.submission import Submitted, parse_submission, understand_all
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place, SealedPart
from adjudicator.seal.crypto import PublicKeys
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.progress import next_minute
from adjudicator.service.base.rows import (
    OpenSeat,
    by_uid,
    in_overtime,
    last_call,
    lock_by_uid,
    on_its_clock,
    open_phase,
    seats_of,
    set_closing,
    why_not_open,
)
from adjudicator.service.base.state import conceded_in, game_of, load_state
from adjudicator.service.base.tables import Due, Envelope, Match, PhaseRow, Player, Receipt, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.answer_content import PartLine, ReceiptLetter
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.matches import tenures

Disposition = Literal["accepted", "late", "refused"]
ONLY_ITS_PLAYER = "You play this seat as a substitute, so you cannot concede: only its player can."


@dataclass(frozen=True)
class Submission:
    """Orders as a channel hands them over. `phase` is the number of the phase that the player saw, None where a letter shows none."""

    uid: str
    player_id: int
    text: str
    channel: str  # form, letter, house
    arrived: datetime
    phase: int | None = None
    stored: datetime | None = None  # for a letter, when it is read; else as it arrives


@dataclass(frozen=True)
class Acknowledgement:
    """The immediate answer to a submission: the orders as understood, refusals with reasons, the deadline, the commitments."""

    disposition: Disposition
    reason: str  # why nothing was accepted, "" otherwise
    match: str
    uid: str
    seat: str
    phase: int
    phase_name: str
    seq: int
    at: datetime
    parts: tuple[PartLine, ...]
    refusals: tuple[Refusal, ...]
    remarks: tuple[str, ...]
    open_slots: tuple[str, ...]  # the questions these orders leave unanswered
    deadline: datetime
    last_call: datetime  # deadline and grace
    ready: bool
    text: str  # as it was handed in, so that nothing typed is lost
    closes_now: bool  # whether the phase can close at once
    meant_for: str = ""  # the phase they were handed in for, where that is not the open one
    says: str = ""  # ready or wait, where these orders say so
    complete: bool = False  # they leave nothing open and nothing refused
    due: bool = True  # whether the seat owes orders in this phase; else it plans
    in_time: bool = False  # whether the phase is in overtime for others, so that nobody waits for this seat


@dataclass(frozen=True)
class HandedIn:
    """The acknowledgement of orders and its receipt letter; the caller adds what depends on the letter's reader."""

    answer: Acknowledgement
    letter: ReceiptLetter
    about: LetterReference


def submit_orders(database: Database, submission: Submission) -> Acknowledgement:
    """Hand in orders for the open phase; they count from the commit that stores them.

    From the deadline on they count as late. After deadline and grace, or if no line was understood, they are refused with a
    reason and a receipt, and earlier orders remain. Raises NotAllowed without a seat, NotNow without an open phase, TooLong.
    """
    parsed = parse_submission(submission.text)
    with database.read_tx() as session:
        match, phase, seat = _where(session, submission)
        game = game_of(match)
        state = load_state(game, phase.before)
        slots = game.slots(state, seat.name)
        read = understand_all(game, state, seat.name, parsed)
        public = public_keys.current_keys(session)
    answer = _store(database, submission, phase.id, seat, read, slots, public)
    failpoints.kill_here("submit.after_commit")
    return answer


def _where(session: Session, submission: Submission) -> tuple[Match, PhaseRow, Seat]:
    match = by_uid(session, submission.uid)
    seat = next((seat for seat in seats_of(session, match) if seat.player_id == submission.player_id), None)
    if seat is None:
        raise NotAllowed("You have no seat in this match, so you cannot hand in orders here.")
    phase = open_phase(session, match)
    if phase is None:
        raise NotNow(why_not_open(match))
    return match, phase, seat


def _store(
    database: Database, submission: Submission, phase_id: int | None, seat: Seat, read: Submitted, slots: Slots, public: PublicKeys
) -> Acknowledgement:  # fmt: skip
    with database.write_tx() as session:
        match = lock_by_uid(session, submission.uid)
        phase = session.get_one(PhaseRow, phase_id, populate_existing=True)
        held = session.get_one(Seat, seat.id, populate_existing=True)
        if (held.player_id, held.tenure) != (submission.player_id, seat.tenure):
            raise NotAllowed("Your seat changed hands meanwhile, so these orders were not taken.")
        handed_in = store_in(session, submission, OpenSeat(match, phase, held), read, slots)
        put_receipt(session, handed_in, seat, public)
        failpoints.kill_here("submit.before_commit")
    return handed_in.answer


def store_in(session: Session, submission: Submission, open_seat: OpenSeat, read: Submitted, slots: Slots) -> HandedIn:
    """Seal what was `read` unless it is refused, add its receipt and make its letter; the caller's transaction checks the deadline."""
    match, phase, seat = open_seat.match, open_seat.phase, open_seat.seat
    reason = _conceded(match, seat) or _concedes_for_another(open_seat, read) or _refusal(match, phase, submission, read)
    if not reason and overtaken(session, open_seat):
        reason = "Somebody else has your seat by now, and handed in orders since, so yours did not count."
    place = Place(match.uid, phase.number, seat.name, _next_seq(session, match, phase, seat))
    due = session.exec(select(Due).where(Due.phase_id == phase.id, Due.seat == seat.name)).first()
    ready = _ready(match, read, due)
    parts = commitments.commit_parts(place, read.texts, ready=ready)
    disposition = _disposition(match, phase, submission, reason)
    receipt = _receipt(open_seat, place, parts, submission, disposition)
    session.add(receipt)
    if not reason:
        contents = Contents(parts, tuple(refusal.line for refusal in read.refusals))
        put_envelope(session, phase, place, contents, submission.arrived, for_later=due is None, tenure=open_seat.tenure)
        _stand(session, open_seat, due, read, submission)
        if open_seat.tenure == seat.tenure:
            tenures.keep_seat(session, match, seat, now=submission.stored or submission.arrived)
    answer = _answer(match, phase, seat, submission, read, parts, slots, disposition, reason, ready)
    meant_for = _name_of_other(session, phase, submission)
    in_time = due is not None and not due.late and in_overtime(phase)
    answer = replace(answer, meant_for=meant_for, says=read.says or "", complete=read.complete, due=due is not None, in_time=in_time)
    session.flush()
    letter = receipt_letter(answer, submission, open_seat)
    return HandedIn(answer, letter, LetterReference(match.id, seat.name, receipt.id, phase.number, tenure=open_seat.tenure))


def _conceded(match: Match, seat: Seat) -> str:
    return "You conceded this match, so you order nothing any more." if seat.name in conceded_in(match) else ""


def _concedes_for_another(open_seat: OpenSeat, read: Submitted) -> str:
    """Return why a substitute's orders are refused where they concede, "" otherwise."""
    lent, word = open_seat.seat.owner_id is not None, game_of(open_seat.match).about.concede
    return ONLY_ITS_PLAYER if lent and word and any(word in text.split() for text in read.texts) else ""


def _refusal(match: Match, phase: PhaseRow, submission: Submission, read: Submitted) -> str:
    """Return why the orders are refused, "" if they are accepted; must run inside the storing transaction."""
    if submission.phase is not None and submission.phase != phase.number:
        return f"These orders were for another phase; {phase.name} is open now. Look at the new position and hand them in again."
    if phase.why == "stopped":
        return "The match was stopped before your orders could be stored, so they do not count any more."
    if phase.closed_at is not None:
        return f"{phase.name} was closed before your orders could be stored, so they did not count. Nothing else was changed."
    if on_its_clock(match, submission.arrived) >= last_call(phase):
        late = f"The deadline of {phase.name} had passed when your orders arrived, so they did not count."
        return f"{late} What you handed in before, if anything, still stands."
    if read.empty:
        return "No line could be taken, so nothing was changed: what you handed in before, if anything, still stands."
    return ""


def _name_of_other(session: Session, phase: PhaseRow, submission: Submission) -> str:
    """Return the name of the phase that orders were handed in for, "" if that is `phase`."""
    if submission.phase is None or submission.phase == phase.number:
        return ""
    of_match = select(PhaseRow.name).where(PhaseRow.match_id == phase.match_id, PhaseRow.number == submission.phase)
    return session.exec(of_match).first() or ""


def _disposition(match: Match, phase: PhaseRow, submission: Submission, reason: str) -> Disposition:
    if reason:
        return "refused"
    return "late" if phase.deadline is not None and on_its_clock(match, submission.arrived) >= phase.deadline else "accepted"


def _next_seq(session: Session, match: Match, phase: PhaseRow, seat: Seat) -> int:
    last = select(func.max(Receipt.seq)).where(
        Receipt.match_id == match.id, Receipt.phase_number == phase.number, Receipt.seat == seat.name
    )
    return (session.exec(last).one() or 0) + 1


def _ready(match: Match, read: Submitted, due: Due | None) -> bool:
    if due is None or read.says == "wait":
        return False
    return read.says == "ready" or (match.ready_rule == "complete" and read.complete)


def _receipt(
    open_seat: OpenSeat, place: Place, parts: Sequence[SealedPart], submission: Submission, disposition: Disposition
) -> Receipt:  # fmt: skip
    assert open_seat.match.id is not None  # noqa: S101 from the database
    return Receipt(
        match_id=open_seat.match.id, phase_number=place.phase, seat=place.seat, seq=place.seq, tenure=open_seat.tenure,
        channel=submission.channel, at=submission.arrived, disposition=disposition,
        commitments=[(part.part, part.commitment) for part in parts],
    )  # fmt: skip


def newest_envelope(session: Session, phase: PhaseRow, seat: Seat, *, tenure: int | None = None) -> Envelope | None:
    """Return the newest envelope of a phase that the seat's present player sealed, or that of another `tenure`; None for none.

    Nobody is shown an envelope of an earlier tenure; only the closing opens it.
    """
    own = (Envelope.phase_id == phase.id, Envelope.seat == seat.name, Envelope.tenure == (tenure or seat.tenure))
    return session.exec(select(Envelope).where(*own).order_by(col(Envelope.id).desc())).first()


def is_inherited(session: Session, phase: PhaseRow, seat: Seat) -> bool:
    """Whether orders of an earlier tenure count for a seat in a phase, as its present player has handed in nothing."""
    sealed = select(func.max(Envelope.tenure)).where(Envelope.phase_id == phase.id, Envelope.seat == seat.name)
    newest: int | None = session.exec(sealed).one()
    return newest is not None and newest < seat.tenure


def inherited_seats(session: Session, match: Match, phase: PhaseRow) -> set[str]:
    """Return the seats of a match for which `is_inherited` holds."""
    return {seat.name for seat in seats_of(session, match) if seat.tenure > 1 and is_inherited(session, phase, seat)}


def overtaken(session: Session, open_seat: OpenSeat) -> bool:
    """Whether a later tenure than that of these orders has sealed something for the phase."""
    later = (Envelope.phase_id == open_seat.phase.id, Envelope.seat == open_seat.seat.name, Envelope.tenure > open_seat.tenure)
    return session.exec(select(Envelope.id).where(*later).limit(1)).first() is not None


def put_envelope(
    session: Session, phase: PhaseRow, place: Place, contents: Contents, at: datetime, *, tenure: int, for_later: bool = False
) -> None:  # fmt: skip
    """Add an envelope sealed to the phase's key; append only, the newest of the seat's latest tenure counts."""
    assert phase.id is not None and phase.public_key is not None  # noqa: S101 an open phase has both
    session.add(
        Envelope(
            phase_id=phase.id, seat=place.seat, seq=place.seq, sealed=commitments.seal_contents(phase.public_key, place, contents),
            commitments=[part.commitment for part in contents.parts], for_later=for_later, at=at, tenure=tenure,
        )
    )  # fmt: skip


def _stand(session: Session, open_seat: OpenSeat, due: Due | None, read: Submitted, submission: Submission) -> None:
    """Update the seat's row of the phase; new orders replace its `ready` or `wait`, and show nothing new to others.

    Orders of a former player leave that word to who has the seat now.
    """
    if due is None:
        return
    match, phase, arrived = open_seat.match, open_seat.phase, submission.arrived
    due.handed_in_at = arrived
    if open_seat.earlier is None or open_seat.seat.player_id is None:
        due.complete, due.says = read.complete, read.says
    due.known_at = due.known_at or next_minute(submission.stored or arrived)
    session.flush()
    set_closing(session, match, phase, arrived)


def _answer(
    match: Match, phase: PhaseRow, seat: Seat, submission: Submission, read: Submitted, parts: Sequence[SealedPart], slots: Slots,
    disposition: Disposition, reason: str, ready: bool,
) -> Acknowledgement:  # fmt: skip
    unanswered = tuple(slot.title for slot in slots if slot.name in read.now.open)
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
    closes_now = not reason and phase.closes_at is not None and phase.closes_at <= submission.arrived
    return Acknowledgement(
        disposition, reason, match.name, match.uid, seat.name, phase.number, phase.name, parts[0].place.seq, submission.arrived, lines,
        read.refusals, read.now.remarks, unanswered, phase.deadline or phase.opened_at, last_call(phase), ready and not reason,
        submission.text, closes_now,
    )  # fmt: skip


def put_receipt(session: Session, handed_in: HandedIn, seat: Seat, public: PublicKeys | None = None) -> None:
    """Put the receipt letter of a form into the outbox, for a player who wants such letters."""
    player = session.get_one(Player, seat.player_id)
    if player.address is None or player.house or not player.receipts or not player.letters:
        return
    letter, at = replace(handed_in.letter, zone=player.zone), handed_in.answer.at
    keys = public or public_keys.current_keys(session)
    outbox.put_letter(session, keys, letter, address=player.address, now=at, player_id=player.id, about=handed_in.about)


def receipt_letter(answer: Acknowledgement, submission: Submission, open_seat: OpenSeat) -> ReceiptLetter:
    """Return the receipt letter of an acknowledgement, without its reader's zone and, for a letter, the rest of the reply."""
    match, phase = open_seat.match, open_seat.phase
    in_time = on_its_clock(match, answer.at) < answer.last_call
    return ReceiptLetter(
        reply_token=open_seat.seat.token if open_seat.earlier is None else None,  # a former player is not told the new address
        match=answer.match, uid=answer.uid, game_key=match.game, seat=answer.seat, phase=answer.phase,
        phase_name=answer.phase_name, meant_for=answer.meant_for, seq=answer.seq, at=answer.at, channel=submission.channel,
        disposition=answer.disposition, reason=answer.reason, parts=answer.parts, refusals=answer.refusals, remarks=answer.remarks,
        open_slots=answer.open_slots, ready=answer.ready, says=answer.says, complete=answer.complete, due=answer.due,
        in_time=answer.in_time,
        deadline=answer.deadline, last_call=answer.last_call, paused=match.paused_at is not None,
        still_open=match.status == "running" and phase.closed_at is None and in_time,
    )  # fmt: skip
