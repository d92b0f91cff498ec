"""Letters to seats: orders that change what the seat sealed before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from adjudicator.core.game import Refusal
from adjudicator.play.submission import (
    ParsedSubmission,
    Submitted,
    TooLong,
    parse_submission,
    understand_over,
)
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Place
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import WorkerSigner
from adjudicator.service.base.due.phase_clock import in_overtime
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.phase_records import recall_phase_key
from adjudicator.service.base.rows import OpenSeat, open_phase, why_not_open
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Match, ReadingNote, Seat
from adjudicator.service.letters.incoming import LetterToRead
from adjudicator.service.orders.envelopes import is_inherited, newest_envelope
from adjudicator.service.orders.known_envelopes import newest_known
from adjudicator.service.orders.likely_orders import only_talks
from adjudicator.service.orders.order_receipts import HandedIn
from adjudicator.service.orders.readiness import Word, say_in
from adjudicator.service.orders.sitters import find_sitter
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import name_open, store_in

LEFT = "You have left this seat, and somebody else may have it by now."
_TO_WHOM = (
    "It answers press, holds no orders, and does not say to whom it goes, so nothing was sent. "
    "Write it again below a line such as `press france:` or `press all:`."
)


@dataclass(frozen=True)
class OrdersTaken:
    """What became of a letter's orders: their receipt, or a sentence if it only said `ready` or
    `wait`.
    """

    handed_in: HandedIn | None
    sentence: str


def hand_in(
    session: Session,
    keyring: Keyring,
    claimed: LetterToRead,
    text: str,
    *,
    phase: int | None,
    answers_press: bool,
    now: datetime,
    withdrawn: Sequence[tuple[str, str]] = (),
) -> OrdersTaken:
    """Hand in the orders of a letter; the caller has locked the match and marks the letter as read
    in the same transaction.

    What the letter names is changed; the rest of the seat's newest envelope is kept unless the
    letter says `clear`. `phase` is the number of the phase that it answers; if None, it is for the
    phase that was open when it arrived. `withdrawn` are pieces of the letter that do not count,
    with the reasons: beside orders they are refused like lines. Raises NotNow if no phase is open
    or a mere `ready` or `wait` is for another phase, Refused if the text is too long, says nothing,
    or answers press and has no line that reads as an order.
    """
    seat = session.get_one(Seat, claimed.target.seat_id)
    match = session.get_one(Match, seat.match_id)
    parsed = _parse(text)
    open_ = open_phase(session, match)
    if open_ is None:
        raise NotNow(why_not_open(match))
    if answers_press and only_talks(OpenSeat(match, open_, seat), parsed):
        raise Refused(_TO_WHOM)
    sitter = find_sitter(session, claimed)
    if sitter is None:
        raise NotNow(LEFT)
    open_seat = OpenSeat(match, open_, seat, sitter.tenure if sitter.former else None)
    if phase is None and claimed.received_at < open_.opened_at:
        # it came when an earlier phase was open, so it was not written for this one
        phase = open_.number - 1
    if parsed.silent:
        return _say(session, keyring, open_seat, parsed, claimed, phase, now)
    game = game_of(match)
    state = load_state(game, open_.before)
    before = () if parsed.clear else _before(session, keyring, open_seat)
    read = _with_withdrawn(understand_over(game, state, seat.name, before, parsed), withdrawn)
    submission = Submission(
        match.uid,
        sitter.player.id,
        text,
        "letter",
        claimed.received_at,
        phase,
        stored=now,
        letter=claimed.uid,
        signer=WorkerSigner(keyring),
    )
    open_slots = name_open(game, state, seat.name, read)
    handed_in = store_in(session, submission, open_seat, read, open_slots)
    return OrdersTaken(handed_in, "")


def _with_withdrawn(read: Submitted, withdrawn: Sequence[tuple[str, str]]) -> Submitted:
    """Return what was read with the withdrawn pieces refused, unless no order is left beside them:
    `clear` alone has to count.
    """
    if not any(read.texts):
        return read
    return replace(
        read,
        refusals=(
            *read.refusals,
            *(Refusal.illegal(piece, piece, why, understood="") for piece, why in withdrawn),
        ),
    )


def _parse(text: str) -> ParsedSubmission:
    try:
        return parse_submission(text)
    except TooLong as fault:
        raise Refused(str(fault)) from fault


def _say(
    session: Session,
    keyring: Keyring,
    open_seat: OpenSeat,
    parsed: ParsedSubmission,
    claimed: LetterToRead,
    phase: int | None,
    now: datetime,
) -> OrdersTaken:
    if parsed.says is None:
        raise Refused("It names no orders.")
    name = open_seat.phase.name
    if open_seat.earlier is not None:
        raise NotNow(LEFT)
    if phase is not None and phase != open_seat.phase.number:
        raise NotNow(
            f"That was for another phase; {name} is open now. Answer its letter to say so."
        )
    looked = open_seat.seat.open_since is not None
    player_id = open_seat.seat.player_id or 0
    word = Word(
        parsed.says,
        claimed.received_at,
        player_id,
        "letter",
        letter=claimed.uid,
        signer=WorkerSigner(keyring),
    )
    say_in(session, open_seat, word, now=now)
    goes_on = " and the match goes on" if open_seat.match.paused_at else ""
    until = "its overtime ends" if in_overtime(open_seat.phase) else "its deadline"
    ready, waits = (
        f"You are ready: {name} closes as soon as everybody is{goes_on}.",
        f"You are not ready: {name} waits for you until {until}.",
    )
    sentence = ready if parsed.says == "ready" else waits
    if newest_envelope(session, open_seat.phase, open_seat.seat) is None and not is_inherited(
        session, open_seat.phase, open_seat.seat
    ):
        sentence = (
            f"{sentence} No order of yours is sealed, though: the game’s default would be played for"
            " you."
        )
    kept = " You keep your seat: nobody can take it any more." if looked else ""
    return OrdersTaken(None, f"{sentence}{kept}")


def own_orders(
    session: Session, keyring: Keyring, claimed: LetterToRead, now: datetime
) -> tuple[tuple[str, str], ...]:
    """Return what the addressed seat has sealed for the open phase, as pairs of a title and a text;
    () if nothing is sealed.

    The disclosure is recorded for the seat. A former player is shown nothing.
    """
    seat, sitter = session.get_one(Seat, claimed.target.seat_id), find_sitter(session, claimed)
    match = session.get_one(Match, seat.match_id)
    phase = open_phase(session, match)
    allowed = phase is not None and sitter is not None and not sitter.former
    parts = (
        _before(session, keyring, OpenSeat(match, phase, seat))
        if phase is not None and allowed
        else ()
    )
    if phase is None or not parts:
        return ()
    session.add(ReadingNote(match_id=seat.match_id, seat=seat.name, tenure=seat.tenure, at=now))
    titles = (phase.name if seat.name in phase.due else "Then", *["Then"] * (len(parts) - 1))
    return tuple(zip(titles, parts, strict=True))


def _before(session: Session, keyring: Keyring, open_seat: OpenSeat) -> tuple[str, ...]:
    """Open the newest envelope of the seat's tenure; returns the text of each part, with "" for a
    due phase that a plan skips.
    """
    match, phase, seat = open_seat.match, open_seat.phase, open_seat.seat.name
    envelope = newest_known(session, keyring, match, phase, open_seat.seat, tenure=open_seat.tenure)
    if envelope is None:
        return ()
    private = recall_phase_key(keyring, match, phase)
    inside = commitments.open_contents(
        private,
        Place(match.uid, phase.number, seat, envelope.seq),
        envelope.commitments,
        envelope.sealed,
    )
    parts = tuple(part.orders for part in inside.parts)
    return ("", *parts) if envelope.for_later and seat in phase.due else parts
