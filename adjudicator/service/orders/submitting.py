"""Submission of orders: sealed and receipted in one transaction. No orders are stored in the
clear.
"""

from collections.abc import Sequence

import structlog
from sqlmodel import Session

from adjudicator.core.game import AnyGame
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.play.submission import (
    ParsedSubmission,
    Submitted,
    parse_submission,
    understand_all,
)
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place, SealedPart, signs_phase_key
from adjudicator.seal.crypto import PublicKeys
from adjudicator.service.base import public_keys
from adjudicator.service.base.due.phase_clock import is_ready, set_closing
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.progress import next_minute
from adjudicator.service.base.rows import OpenSeat, lock_by_uid, write_if_unchanged
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.storing import Outdated, change_row, insert_row
from adjudicator.service.base.tables import Due, Match, PhaseRow, Player, Receipt, Seat
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.matches import tenures
from adjudicator.service.orders.envelopes import add_signed, make_envelope
from adjudicator.service.orders.form_orders import as_pressed, note_orders, require_newest_orders
from adjudicator.service.orders.order_receipts import (
    Disposition,
    HandedIn,
    name_of_other,
    put_receipt,
    tell_disposition,
    why_refused,
    write_receipt,
)
from adjudicator.service.orders.submission import (
    SeatSeen,
    Submission,
    due_of,
    find_seat,
    sealed_so_far,
)

log = structlog.get_logger()


def submit_orders(database: Database, submission: Submission) -> Acknowledgement:
    """Hand in orders for the open phase; they count from the commit that stores them.

    From the deadline on they count as late. After deadline and grace, or if no line was understood,
    they are refused with a reason and a receipt, and earlier orders remain. Raises NotAllowed
    without a seat, NotNow without an open phase, TooLong; for a form SealedMeanwhile where its page
    did not know of the newest orders, or SealedBefore where these are its own.
    """
    parsed = parse_submission(submission.text)
    answer = None
    try:
        with database.write_once() as session:
            seen = find_seat(session, submission)
            understood = _understand(submission, seen, parsed)
            if seen.as_read:
                answer = _store_unlocked(session, submission, seen, understood)
    except Outdated:
        answer = None
        log.info("orders.outdated", match=submission.uid)
    if answer is None:
        answer = _store(database, submission, seen, understood)
    failpoints.kill_here("submit.after_commit")
    return answer


def name_open(game: AnyGame, state: object, seat: str, read: Submitted) -> tuple[str, ...]:
    """Return the titles of the slots that a seat's orders leave open."""
    left = read.now.open  # finding all slots takes as long as reading the orders
    return (
        tuple(slot.title for slot in game.slots(state, seat) if slot.name in left) if left else ()
    )


def _understand(
    submission: Submission, seen: SeatSeen, parsed: ParsedSubmission
) -> tuple[Submitted, tuple[str, ...]]:
    """Return orders as their game reads them, and the titles of the slots that they leave open."""
    game, seat = game_of(seen.match), seen.seat.name
    state = load_state(game, seen.phase.before)
    read = understand_all(game, state, seat, parsed)
    if submission.made_for is not None:
        read = as_pressed(seen.match, read)
    return read, name_open(game, state, seat, read)


def _store_unlocked(
    session: Session,
    submission: Submission,
    seen: SeatSeen,
    understood: tuple[Submitted, Sequence[str]],
) -> Acknowledgement:
    """Store orders by the rows that were read, as the transaction ends, or raise Outdated then,
    where they may have changed since.

    Every change of a phase, or of who has a seat, and everything that is handed in raises the
    version of the match, which is compared as they are written.
    """
    write_if_unchanged(session, seen.match)
    open_seat = OpenSeat(seen.match, seen.phase, seen.seat)
    handed_in = store_in(session, submission, open_seat, *understood, seen)
    put_receipt(session, handed_in, seen.match, seen.player, seen.public)
    failpoints.kill_here("submit.before_commit")
    return handed_in.letter


def _store(
    database: Database,
    submission: Submission,
    seen: SeatSeen,
    understood: tuple[Submitted, Sequence[str]],
) -> Acknowledgement:
    """Store orders in a match that is locked, by the rows that it has then."""
    with database.write_tx() as session:
        match = lock_by_uid(session, submission.uid)
        phase, seat = session.get_one(PhaseRow, seen.phase.id), session.get_one(Seat, seen.seat.id)
        if (seat.player_id, seat.tenure) != (submission.player_id, seen.seat.tenure):
            raise NotAllowed("Your seat changed hands meanwhile, so these orders were not taken.")
        handed_in = store_in(session, submission, OpenSeat(match, phase, seat), *understood)
        player = session.get_one(Player, submission.player_id)
        put_receipt(session, handed_in, match, player, seen.public)
        failpoints.kill_here("submit.before_commit")
    return handed_in.letter


def store_in(
    session: Session,
    submission: Submission,
    open_seat: OpenSeat,
    read: Submitted,
    open_slots: Sequence[str],
    seen: SeatSeen | None = None,
) -> HandedIn:
    """Seal what was `read` unless it is refused, add its receipt and make its letter; the caller's
    transaction checks the deadline.

    `open_slots` are titles for the letter. `seen` is what was read of the seat where a change since
    then undoes the transaction; it is read by default. Raises NotNow where the phase's key does not
    bear the worker's signature.
    """
    _require_signed_key(
        session, open_seat, seen.public if seen else public_keys.current_keys(session)
    )
    match, phase, seat = open_seat.match, open_seat.phase, open_seat.seat
    reason = why_refused(open_seat, submission, read)
    sealed = seen.sealed if seen else sealed_so_far(session, open_seat)
    if not reason and sealed.tenure > open_seat.tenure:
        reason = (
            "Somebody else has your seat by now, and handed in orders since, so yours did not"
            " count."
        )
    if not reason and submission.made_for is not None and sealed.tenure == open_seat.tenure:
        require_newest_orders(
            session,
            submission.made_for,
            Place(match.uid, phase.number, seat.name, sealed.sealed),
            phase.name,
        )
    place = Place(match.uid, phase.number, seat.name, max(sealed.seq, match.seq_from) + 1)
    due = seen.due if seen else due_of(session, phase, seat)
    ready = _ready(match, read, due)
    parts = commitments.commit_parts(place, read.texts, ready=ready)
    disposition = tell_disposition(match, phase, submission, reason)
    receipt = _receipt(open_seat, place, parts, submission, disposition)
    receipt.says, receipt.complete = read.says, read.complete
    add_signed(session, match, receipt, submission.player_id, submission.signer)
    if not reason:
        contents = Contents(parts, tuple(refusal.line for refusal in read.refusals))
        insert_row(
            session,
            make_envelope(
                phase,
                place,
                contents,
                submission.arrived,
                for_later=due is None,
                tenure=open_seat.tenure,
            ),
        )
        if submission.made_for is not None:
            note_orders(session, place)
        _stand(session, open_seat, due, read, submission, seen)
        if open_seat.tenure == seat.tenure:
            tenures.keep_seat(session, match, seat, now=submission.stored or submission.arrived)
    letter = write_receipt(
        open_seat,
        submission,
        read,
        open_slots,
        seq=place.seq,
        parts=parts,
        disposition=disposition,
        reason=reason,
        meant_for=name_of_other(session, phase, submission),
        due=due,
        ready=ready and not reason,
    )
    about = LetterReference(match.id, seat.name, receipt.id, phase.number, tenure=open_seat.tenure)
    return HandedIn(letter, about)


def _require_signed_key(session: Session, open_seat: OpenSeat, public: PublicKeys) -> None:
    """Raise NotNow unless the worker signed the key that orders would be sealed to; else whoever
    wrote another could read them.

    While keys are rotated, phases that were opened before have the signature of the former key.
    """
    match, phase = open_seat.match, open_seat.phase
    if not match.sealing or _is_signed(open_seat, public):
        return
    if any(_is_signed(open_seat, each) for each in public_keys.believed_keys(session)):
        return
    log.error("phase.key_not_signed", match=match.uid, phase=phase.number)
    raise NotNow(
        f"The key of {phase.name} does not bear this service’s signature, so nothing was sealed."
        " Tell the host."
    )


def _is_signed(open_seat: OpenSeat, keys: PublicKeys) -> bool:
    phase = open_seat.phase
    return signs_phase_key(
        keys.signing,
        open_seat.match.uid,
        phase.number,
        phase.public_key or b"",
        phase.key_signature or b"",
    )


def _ready(match: Match, read: Submitted, due: Due | None) -> bool:
    if due is None or read.says == "wait":
        return False
    return read.says == "ready" or (match.ready_rule == "complete" and read.complete)


def _receipt(
    open_seat: OpenSeat,
    place: Place,
    parts: Sequence[SealedPart],
    submission: Submission,
    disposition: Disposition,
) -> Receipt:
    assert open_seat.match.id is not None  # noqa: S101 from the database
    return Receipt.draft(
        match_id=open_seat.match.id,
        phase_number=place.phase,
        seat=place.seat,
        seq=place.seq,
        tenure=open_seat.tenure,
        channel=submission.channel,
        at=submission.arrived,
        disposition=disposition,
        letter=submission.letter,
        commitments=[(part.part, part.commitment) for part in parts],
    )


def _stand(
    session: Session,
    open_seat: OpenSeat,
    due: Due | None,
    read: Submitted,
    submission: Submission,
    seen: SeatSeen | None,
) -> None:
    """Update the seat's row of the phase; new orders replace its `ready` or `wait`, and show
    nothing new to others.

    Orders of a former player leave that word to who has the seat now.
    """
    if due is None:
        return
    match, phase, arrived = open_seat.match, open_seat.phase, submission.arrived
    own = open_seat.earlier is None or open_seat.seat.player_id is None
    own_reading = {"complete": read.complete, "says": read.says} if own else {}
    known_at = due.known_at or next_minute(submission.stored or arrived)
    change_row(session, due, handed_in_at=arrived, known_at=known_at, **own_reading)
    ready = seen.others_ready and is_ready(match.ready_rule, due) if seen else None
    set_closing(session, match, phase, arrived, ready=ready)
