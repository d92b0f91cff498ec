"""Orders by letter: put over what the seat sealed before, in the transaction that ends the reading of the letter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlmodel import Session, select

from adjudicator.play.decoration import undecorated
from adjudicator.play.submission import Sheet, TooLong, alternatives, read_sheet, understand_over
from adjudicator.seal import commitments as seals
from adjudicator.seal.commitments import Place
from adjudicator.seal.keyfile import Keyring
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.readiness import Desk, open_phase, say_in, why_not_open
from adjudicator.service.base.rows import bound_to_phase, by_uid
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Letter, Match, Player, ReadingNote, Seat
from adjudicator.service.letters.incoming import Claimed
from adjudicator.service.orders.envelopes import Answer, Submission, newest_envelope, receipt_context, store_in
from adjudicator.service.people.accounts import Person, person


@dataclass(frozen=True)
class Sitter:
    """Whom a seat's address speaks for, whoever wrote: the seat and the player who sits there."""

    uid: str
    match: str
    game: str
    seat: str
    token: str  # the secret part of the seat's address
    player: Person


def sitter(session: Session, seat_id: int) -> Sitter | None:
    """Return who sits in a seat, None while nobody does."""
    seat = session.get_one(Seat, seat_id)
    match = session.get_one(Match, seat.match_id)
    player = session.get(Player, seat.player_id) if seat.player_id is not None else None
    return Sitter(match.uid, match.name, match.game, seat.name, seat.token, person(player)) if player is not None else None


def about(session: Session, uid: str) -> dict[str, Any]:
    """Return what a letter about a match tells of it: plain values for its context."""
    match = by_uid(session, uid)
    return {"uid": match.uid, "match": match.name, "game_key": match.game}


def open_number(session: Session, uid: str) -> int | None:
    """Return the number of a match's open phase, None while none is open."""
    phase = open_phase(session, by_uid(session, uid))
    return phase.number if phase is not None else None


def answered_phase(session: Session, claimed: Claimed, letters: Sequence[str]) -> int | None:
    """Return the phase that the nearest of these letters of ours (uids, nearest first) asked orders for, None where none did."""
    return next((letter.phase_number for letter in _ours(session, claimed, letters) if letter.phase_number is not None), None)


def answered(session: Session, claimed: Claimed, letters: Sequence[str]) -> Letter | None:
    """Return the nearest of these letters (uids, nearest first) that was written for the match, None where none was."""
    return next(_ours(session, claimed, letters), None)


def _ours(session: Session, claimed: Claimed, letters: Sequence[str]) -> Iterator[Letter]:
    """Yield those of these letters that were written for the match."""
    for uid in letters:
        letter = session.exec(select(Letter).where(Letter.uid == uid, Letter.match_id == claimed.target.match_id)).first()
        if letter is not None:
            yield letter


def only_talks(session: Session, claimed: Claimed, lines: Sequence[str], letters: Sequence[str]) -> bool:
    """Whether a letter answers press and nobody could take a line of it for an order: then it is not handed in as orders.

    Raises Refused when the text is too long.
    """
    answers_to = answered(session, claimed, letters)
    seat = session.get_one(Seat, claimed.target.seat_id)
    match = session.get_one(Match, seat.match_id)
    phase, sheet = open_phase(session, match), _sheet("\n".join(lines))
    if answers_to is None or answers_to.kind != "press" or phase is None or sheet.clear or sheet.says:
        return False
    said = [each for part in sheet.parts for line in part.splitlines() for each in alternatives(line)]
    game = game_of(match)
    state = load_state(game, phase.before)
    plain = undecorated("\n".join(said), partial(game.parse, state, seat.name))
    parsed = game.parse(state, seat.name, plain)
    return bool(said) and not parsed.orders and all(refusal.kind == "invalid" for refusal in parsed.refusals)


@dataclass(frozen=True)
class Taken:
    """What became of a letter's orders: an answer with what its receipt letter tells, or a sentence where it only said ready or wait."""

    answer: Answer | None
    receipt_id: int | None
    context: dict[str, Any]
    sentence: str
    closes_now: bool


def hand_in(session: Session, keyring: Keyring, claimed: Claimed, text: str, *, phase: int | None) -> Taken:
    """Take the orders of a letter to a seat; the match is locked, and the caller ends the letter's reading in the same transaction.

    What the letter names is changed, the rest of the seat's newest envelope is kept. `phase` is the one whose report it answers,
    None where it shows none: then it is for the phase that was open as it came. Raises NotNow when nothing is open for it, Refused
    when the text is too long.
    """
    seat = session.get_one(Seat, claimed.target.seat_id)
    match = session.get_one(Match, seat.match_id)
    sheet = _sheet(text)
    open_ = open_phase(session, match)
    if open_ is None or seat.player_id is None:
        raise NotNow(why_not_open(match))
    desk = Desk(match, open_, seat)
    if phase is None and claimed.received_at < open_.opened_at:
        phase = open_.number - 1  # it came when an earlier phase was open, so it was not written for this one
    if sheet.silent:
        return _say(session, desk, sheet, claimed, phase)
    game, state = game_of(match), load_state(game_of(match), open_.before)
    before = () if sheet.clear else _before(session, keyring, desk)
    read = understand_over(game, state, seat.name, before, sheet)
    submission = Submission(match.uid, seat.player_id, text, "letter", claimed.received_at, phase)
    answer, receipt = store_in(session, submission, desk, read, game.slots(state, seat.name))
    return Taken(answer, receipt.id, receipt_context(session, answer, receipt, match, seat), "", answer.closes_now)


def _sheet(text: str) -> Sheet:
    try:
        return read_sheet(text)
    except TooLong as fault:
        raise Refused(str(fault)) from fault


def _say(session: Session, desk: Desk, sheet: Sheet, claimed: Claimed, phase: int | None) -> Taken:
    if sheet.says is None:
        raise Refused("It names no orders.")
    name = desk.phase.name
    if phase is not None and phase != desk.phase.number:
        raise NotNow(f"That was for another phase; {name} is open now. Answer its letter to say so.")
    closes_now = say_in(session, desk, sheet.says, now=claimed.received_at)
    goes_on = " and the match goes on" if desk.match.paused_at else ""
    ready, waits = f"You are ready: {name} closes as soon as everybody is{goes_on}.", f"{name} waits for you until its deadline."
    told = ready if sheet.says == "ready" else waits
    if newest_envelope(session, desk.phase, desk.seat.name) is None:
        told = f"{told} No order of yours is sealed, though: the game’s default would be played for you."
    return Taken(None, None, {}, told, closes_now)


def own_orders(session: Session, keyring: Keyring, claimed: Claimed, now: datetime) -> tuple[tuple[str, str], ...]:
    """Return what the seat that was written to has sealed for the open phase, as pairs of a title and a text; () where nothing is sealed.

    It is listed to the seat as a reading.
    """
    seat = session.get_one(Seat, claimed.target.seat_id)
    match = session.get_one(Match, seat.match_id)
    phase = open_phase(session, match)
    parts = _before(session, keyring, Desk(match, phase, seat)) if phase is not None else ()
    if phase is None or not parts:
        return ()
    session.add(ReadingNote(match_id=seat.match_id, seat=seat.name, at=now))
    titles = (phase.name if seat.name in phase.due else "Then", *["Then"] * (len(parts) - 1))
    return tuple(zip(titles, parts, strict=True))


def _before(session: Session, keyring: Keyring, desk: Desk) -> tuple[str, ...]:
    """Open what the seat sealed last for this phase, a text for each part; () where it sealed nothing."""
    match, phase, seat = desk.match, desk.phase, desk.seat.name
    envelope = newest_envelope(session, phase, seat)
    if envelope is None:
        return ()
    private = keyring.unwrap(phase.wrapped_key or b"", bound_to=bound_to_phase(match, phase.number))
    inside = seals.open_(private, Place(match.uid, phase.number, seat, envelope.seq), envelope.commitments, envelope.sealed)
    parts = tuple(part.orders for part in inside.parts)
    return ("", *parts) if envelope.for_later and seat in phase.due else parts
