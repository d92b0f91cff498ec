"""Submission of orders: sealed and receipted in one transaction; `ready` and `wait`. No orders are
stored in the clear.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

import structlog
from sqlalchemy import bindparam
from sqlmodel import Session, and_, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core.game import Slots
from adjudicator.platform import failpoints, wakeups
from adjudicator.platform.db import Database
from adjudicator.play.submission import Submitted, parse_submission, understand_all
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place, SealedPart, signs_phase_key
from adjudicator.seal.crypto import PublicKeys
from adjudicator.seal.requests import Voucher
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.progress import next_minute
from adjudicator.service.base.rows import (
    OpenSeat,
    dues_of,
    in_overtime,
    last_call,
    lock_by_uid,
    lock_if_unchanged,
    on_its_clock,
    require_seen,
    seats_of,
    set_closing,
    why_not_open,
)
from adjudicator.service.base.state import about_of, conceded_in, game_of, load_state
from adjudicator.service.base.storing import add_at_end, change_row, insert_row
from adjudicator.service.base.tables import (
    Due,
    Envelope,
    Match,
    PhaseRow,
    Player,
    Receipt,
    Seat,
    WorkerKeys,
)
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.answer_content import (
    Acknowledgement,
    PartLine,
    ReceiptLetter,
)
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.log.vouching import receipt_request
from adjudicator.service.matches import tenures
from adjudicator.service.orders.form_orders import as_pressed, note_orders, require_newest_orders
from adjudicator.service.requests.made_for import OTHER_TENURE, MadeFor
from adjudicator.service.requests.signing import find_signer
from adjudicator.service.tokens.references import of_seat

log = structlog.get_logger()

Disposition = Literal["accepted", "late", "refused"]
ONLY_ITS_PLAYER = "You play this seat as a substitute, so you cannot concede: only its player can."


@dataclass(frozen=True)
class Submission:
    """Orders as a channel hands them over. `phase` is the number of the phase that the player saw,
    None where a letter shows none.
    """

    uid: str
    player_id: int
    text: str
    channel: str  # form, letter, house
    arrived: datetime
    phase: int | None = None
    stored: datetime | None = None  # for a letter, when it is read; else as it arrives
    letter: str | None = None  # the letter's uid
    # who vouches for it; None: whoever the transaction knows for this player
    signer: Voucher | None = None
    # what the form's page showed, compared beside `phase`; None for a letter and a house bot
    made_for: MadeFor | None = None


@dataclass(frozen=True)
class HandedIn:
    """The receipt letter of orders, to which the caller adds what depends on its reader."""

    letter: ReceiptLetter
    about: LetterReference


def submit_orders(database: Database, submission: Submission) -> Acknowledgement:
    """Hand in orders for the open phase; they count from the commit that stores them.

    From the deadline on they count as late. After deadline and grace, or if no line was understood,
    they are refused with a reason and a receipt, and earlier orders remain. Raises NotAllowed
    without a seat, NotNow without an open phase, TooLong; for a form SealedMeanwhile where its page
    did not know of the newest orders, or SealedBefore where these are its own.
    """
    parsed = parse_submission(submission.text)
    with database.read_once() as session:
        seen = _where(session, submission)
    game, seat = game_of(seen.match), seen.seat.name
    state = load_state(game, seen.phase.before)
    read = understand_all(game, state, seat, parsed)
    if submission.made_for is not None:
        read = as_pressed(seen.match, read)
    answer = _store(database, submission, seen, read, game.slots(state, seat))
    failpoints.kill_here("submit.after_commit")
    return answer


@dataclass(frozen=True)
class _SealedSoFar:
    """What a seat has handed in for a phase so far: the number of its last submission or bare word,
    and what is sealed.
    """

    seq: int
    tenure: int  # the last one that sealed orders; 0 for none
    sealed: int  # the number of the newest orders


@dataclass(frozen=True)
class _SeatSeen:
    """The rows of a seat in an open phase as a submission was read for them."""

    match: Match
    phase: PhaseRow
    seat: Seat
    player: Player
    public: PublicKeys
    sealed: _SealedSoFar
    due: Due | None
    others_wait: bool  # for another seat, which cannot be ready


_OPEN = and_(col(PhaseRow.match_id) == col(Seat.match_id), col(PhaseRow.closed_at).is_(None))
_SAT = and_(col(Seat.match_id) == col(Match.id), col(Seat.player_id) == bindparam("player"))
_HANDED_IN = (
    col(Receipt.match_id) == col(PhaseRow.match_id),
    col(Receipt.phase_number) == col(PhaseRow.number),
)
_NEWEST_SEQ = select(func.max(Receipt.seq)).where(*_HANDED_IN, col(Receipt.seat) == col(Seat.name))
_SEALED = col(Envelope.phase_id) == col(PhaseRow.id), col(Envelope.seat) == col(Seat.name)
_SEALED_LAST = [
    select(func.max(column)).where(*_SEALED) for column in (Envelope.tenure, Envelope.seq)
]
_LAST = tuple(
    each.correlate(PhaseRow, Seat).scalar_subquery() for each in (_NEWEST_SEQ, *_SEALED_LAST)
)
_OF_OPEN = col(Due.phase_id) == col(PhaseRow.id)
_UNREADY = (
    _OF_OPEN,
    col(Due.seat) != col(Seat.name),
    col(Due.complete).is_(False),
    col(Due.says).is_distinct_from("ready"),
)
_OTHERS = select(Due.id).where(*_UNREADY).correlate(PhaseRow, Seat).exists()
_PLACE: Any = (  # SQLModel has types for four columns
    select(Match, Seat, PhaseRow, Player)
    .add_columns(WorkerKeys, Due, _OTHERS, *_LAST)
    .outerjoin(Seat, onclause=_SAT)
    .outerjoin(PhaseRow, onclause=_OPEN)
    .outerjoin(Due, onclause=and_(_OF_OPEN, col(Due.seat) == col(Seat.name)))
    .outerjoin(Player, onclause=col(Seat.player_id) == col(Player.id))
    .outerjoin(WorkerKeys, onclause=public_keys.IS_NEWEST)
    .where(col(Match.uid) == bindparam("uid"))
)
# not the open one: the phase may have closed as its orders were read
_OF_PHASE = col(PhaseRow.id) == bindparam("phase")
_SO_FAR = (
    select(*_LAST)
    .select_from(Seat)
    .join(PhaseRow, onclause=_OF_PHASE)
    .where(col(Seat.id) == bindparam("seat"))
)


def _where(session: Session, submission: Submission) -> _SeatSeen:
    """Return the rows of the submitter's seat. Raises NotAllowed without a seat, NotNow without an
    open phase.
    """
    of = {"uid": submission.uid, "player": submission.player_id}
    # PostgreSQL takes no NUL
    found = session.exec(_PLACE, params=of).first() if "\0" not in submission.uid else None
    match, seat, phase, player, keys, due, others, *last = (
        found if found is not None else (None,) * 10
    )
    match = require_seen(session, submission.uid, match)
    if seat is None or player is None:
        raise NotAllowed("You have no seat in this match, so you cannot hand in orders here.")
    if phase is None or match.status != "running" or phase.why == "stopped":
        raise NotNow(why_not_open(match))
    believed, others_wait = (
        public_keys.believe(session, keys),
        bool(others) and not in_overtime(phase),
    )
    return _SeatSeen(match, phase, seat, player, believed, _so_far(last), due, others_wait)


def _store(
    database: Database, submission: Submission, seen: _SeatSeen, read: Submitted, slots: Slots
) -> Acknowledgement:
    with database.write_tx() as session:
        (match, phase, seat), unchanged = _lock_seat(session, seen)
        if (seat.player_id, seat.tenure) != (submission.player_id, seen.seat.tenure):
            raise NotAllowed("Your seat changed hands meanwhile, so these orders were not taken.")
        handed_in = store_in(
            session, submission, OpenSeat(match, phase, seat), read, slots, unchanged
        )
        put_receipt(session, handed_in, seat, seen.public)
        failpoints.kill_here("submit.before_commit")
    return handed_in.letter


def _lock_seat(
    session: Session, seen: _SeatSeen
) -> tuple[tuple[Match, PhaseRow, Seat], _SeatSeen | None]:
    """Lock a match and raise its version; return its rows, read again only if the match has
    changed, and what was seen if it has not.

    Every change of a phase, or of who has a seat, and everything that is handed in raises the
    version.
    """
    if lock_if_unchanged(session, seen.match):
        session.add_all((seen.phase, seen.seat, seen.player))
        if seen.due is not None:
            session.add(seen.due)
        return (seen.match, seen.phase, seen.seat), seen
    match = lock_by_uid(session, seen.match.uid)
    phase, seat = session.get_one(PhaseRow, seen.phase.id), session.get_one(Seat, seen.seat.id)
    return (match, phase, seat), None


def store_in(
    session: Session,
    submission: Submission,
    open_seat: OpenSeat,
    read: Submitted,
    slots: Slots,
    seen: _SeatSeen | None = None,
) -> HandedIn:
    """Seal what was `read` unless it is refused, add its receipt and make its letter; the caller's
    transaction checks the deadline.

    `seen` is what was read of the seat if nothing has changed since; it is read by default. Raises
    NotNow where the phase's key does not bear the worker's signature.
    """
    _require_signed_key(
        session, open_seat, seen.public if seen else public_keys.current_keys(session)
    )
    match, phase, seat = open_seat.match, open_seat.phase, open_seat.seat
    reason = (
        _conceded(match, seat)
        or _concedes_for_another(open_seat, read)
        or _refusal(open_seat, submission, read)
    )
    sealed = seen.sealed if seen else _sealed_so_far(session, open_seat)
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
    due = seen.due if seen else _due_of(session, phase, seat)
    ready = _ready(match, read, due)
    parts = commitments.commit_parts(place, read.texts, ready=ready)
    disposition = _disposition(match, phase, submission, reason)
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
    letter = _write_receipt(
        open_seat,
        submission,
        read,
        slots,
        seq=place.seq,
        parts=parts,
        disposition=disposition,
        reason=reason,
        meant_for=_name_of_other(session, phase, submission),
        due=due,
        ready=ready and not reason,
    )
    about = LetterReference(match.id, seat.name, receipt.id, phase.number, tenure=open_seat.tenure)
    return HandedIn(letter, about)


def add_signed(
    session: Session, match: Match, receipt: Receipt, player_id: int, signer: Voucher | None
) -> None:
    """Store a receipt with the signature of who asks for it. Raises SignInAgain where nobody can
    vouch for the player.
    """
    known = signer or find_signer(session, player_id)
    receipt.signer, receipt.request_signature = (
        known.public,
        known.sign(receipt_request(match.uid, receipt)),
    )
    insert_row(session, receipt)
    wakeups.wake(session, wakeups.SIGN)


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


def _refusal(open_seat: OpenSeat, submission: Submission, read: Submitted) -> str:
    """Return why the orders are refused, "" if they are accepted; must run inside the storing
    transaction.
    """
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


def _name_of_other(session: Session, phase: PhaseRow, submission: Submission) -> str:
    """Return the name of the phase that orders were handed in for, "" if that is `phase`."""
    if submission.phase is None or submission.phase == phase.number:
        return ""
    of_match = select(PhaseRow.name).where(
        PhaseRow.match_id == phase.match_id, PhaseRow.number == submission.phase
    )
    return session.exec(of_match).first() or ""


def _disposition(match: Match, phase: PhaseRow, submission: Submission, reason: str) -> Disposition:
    if reason:
        return "refused"
    return (
        "late"
        if phase.deadline is not None and on_its_clock(match, submission.arrived) >= phase.deadline
        else "accepted"
    )


def next_seq(session: Session, match: Match, phase: PhaseRow, seat: Seat) -> int:
    """Return the number of a seat's next submission or bare word in a phase; refused ones have
    numbers too.
    """
    return max(session.exec(_last_seq(match, phase, seat)).one() or 0, match.seq_from) + 1


def _last_seq(match: Match, phase: PhaseRow, seat: Seat) -> SelectOfScalar[int]:
    own = (
        Receipt.match_id == match.id,
        Receipt.phase_number == phase.number,
        Receipt.seat == seat.name,
    )
    return select(func.max(Receipt.seq)).where(*own)


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
    return Receipt(
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


def newest_envelope(
    session: Session, phase: PhaseRow, seat: Seat, *, tenure: int | None = None
) -> Envelope | None:
    """Return the newest envelope of a phase that the seat's present player sealed, or that of
    another `tenure`; None for none.

    Nobody is shown an envelope of an earlier tenure; only the closing opens it.
    """
    own = (
        Envelope.phase_id == phase.id,
        Envelope.seat == seat.name,
        Envelope.tenure == (tenure or seat.tenure),
    )
    return session.exec(select(Envelope).where(*own).order_by(col(Envelope.id).desc())).first()


def is_inherited(session: Session, phase: PhaseRow, seat: Seat) -> bool:
    """Whether orders of an earlier tenure count for a seat in a phase, as its present player has
    handed in nothing.
    """
    if seat.tenure == 1:
        return False
    sealed = select(func.max(Envelope.tenure)).where(
        Envelope.phase_id == phase.id, Envelope.seat == seat.name
    )
    newest: int | None = session.exec(sealed).one()
    return newest is not None and newest < seat.tenure


def inherited_seats(session: Session, match: Match, phase: PhaseRow) -> set[str]:
    """Return the seats of a match for which `is_inherited` holds."""
    return {seat.name for seat in seats_of(session, match) if is_inherited(session, phase, seat)}


def _sealed_so_far(session: Session, open_seat: OpenSeat) -> _SealedSoFar:
    return _so_far(
        session.exec(_SO_FAR, params={"seat": open_seat.seat.id, "phase": open_seat.phase.id}).one()
    )


def _so_far(last: Sequence[int | None]) -> _SealedSoFar:
    seq, tenure, sealed = (number or 0 for number in last)
    return _SealedSoFar(seq, tenure, sealed)


def make_envelope(
    phase: PhaseRow,
    place: Place,
    contents: Contents,
    at: datetime,
    *,
    tenure: int,
    for_later: bool = False,
) -> Envelope:
    """Return an envelope sealed to the phase's key, to be stored; append only, the newest of the
    seat's latest tenure counts.
    """
    assert phase.id is not None and phase.public_key is not None  # noqa: S101 an open phase has both
    return Envelope(
        phase_id=phase.id,
        seat=place.seat,
        seq=place.seq,
        sealed=commitments.seal_contents(phase.public_key, place, contents),
        commitments=[part.commitment for part in contents.parts],
        for_later=for_later,
        at=at,
        tenure=tenure,
    )


def _due_of(session: Session, phase: PhaseRow, seat: Seat) -> Due | None:
    return next((due for due in dues_of(session, phase) if due.seat == seat.name), None)


def _stand(
    session: Session,
    open_seat: OpenSeat,
    due: Due | None,
    read: Submitted,
    submission: Submission,
    seen: _SeatSeen | None,
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
    set_closing(session, match, phase, arrived, waits=seen is not None and seen.others_wait)


def _write_receipt(
    open_seat: OpenSeat,
    submission: Submission,
    read: Submitted,
    slots: Slots,
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
        open_slots=tuple(slot.title for slot in slots if slot.name in read.now.open),
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
    session: Session, handed_in: HandedIn, seat: Seat, public: PublicKeys | None = None
) -> None:
    """Put the receipt letter of a form into the outbox, for a player who wants such letters."""
    player = session.get_one(Player, seat.player_id)
    if player.address is None or player.house or not player.receipts or not player.letters:
        return
    letter, at = replace(handed_in.letter, zone=player.zone), handed_in.letter.at
    keys = public or public_keys.current_keys(session)
    made = outbox.make_letter(
        session,
        keys,
        letter,
        address=player.address,
        now=at,
        player_id=player.id,
        about=handed_in.about,
    )
    add_at_end(session, made)
