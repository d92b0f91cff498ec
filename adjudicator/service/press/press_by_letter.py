"""Press by letter: whom it may address, who gets a plain answer to it, and sending both (diplomacy
R6).
"""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform.words import MASTER
from adjudicator.service.base import press_rules
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.press_rules import Kind, hides_writers, of_master, press_kind
from adjudicator.service.base.rows import open_phase, seats_of
from adjudicator.service.base.tables import Letter, Match, PressNote, Seat
from adjudicator.service.letters.receiving import Target
from adjudicator.service.matches import preferences
from adjudicator.service.press import press_recipients
from adjudicator.service.press.messages import PressDraft, Sent, send_as_master, write_in
from adjudicator.service.press.press_letters import notes_of_letter
from adjudicator.service.press.press_recipients import Named


@dataclass(frozen=True)
class PressBlock:
    """What a letter says to other seats, from a line `press france:` on."""

    to: str  # the text between `press` and the colon
    text: str
    word: str = "press"  # `write` for what a master says as master


def press_names(session: Session, match: Match) -> Named:
    """Return the names by which a letter may address the seats of a match, and its master."""
    names = [row.name for row in seats_of(session, match)]
    return {**press_recipients.named(preferences.plays(match, names)), MASTER: MASTER}


def reply_recipients(
    session: Session, match: Match, own: SeatName, letter: Letter | None
) -> tuple[SeatName, ...] | None:
    """Return who gets a plain reply of a seat, or of MASTER, to `letter`; () is everybody. None if
    it is not press to them or its recipients are unknown.

    1. In public press the reply goes to everybody.
    2. Else it goes to the writer and to the readers that the letter named; press to everybody, or
       to a master, is answered to its writer alone.
    3. Anonymous press has no reply, because its writer is hidden. A text of the master has one.

    The press is found again by the letter's time; if several of that time name different seats, the
    recipients are unknown.
    """
    reader = None if own == MASTER else own
    if letter is None or letter.kind != "press" or letter.seat != reader:
        return None
    read = notes_of_letter(session, match, letter, own)
    if reader and hides_writers(match) and not all(map(of_master, read)):
        return None
    recipients = {_reply_readers(note, own, press_kind(match)) for note in read}
    return recipients.pop() if len(recipients) == 1 else None


def _reply_readers(note: PressNote, own: SeatName, kind: Kind) -> tuple[SeatName, ...]:
    """Return whom a reply to a text goes to; a text that the master wrote to several is answered to
    the master alone.
    """
    if MASTER in (note.seat, own):
        return (note.seat,)
    return () if kind == "public" else (note.seat, *(name for name in note.readers if name != own))


def send_block(
    session: Session, target: Target, player_id: int, block: PressBlock, *, now: datetime
) -> Sent:
    """Send one text of a letter to `target`, whose match the caller has locked: as master where it
    came to the master's address or says `write`, else as the seat. Raises Refused with a sentence
    if nothing was sent.
    """
    match = session.get_one(Match, target.match_id)
    if target.seat_id is None or block.word == "write":
        names = {name: seat for name, seat in press_names(session, match).items() if seat != MASTER}
        to = press_recipients.read_recipients(block.to, names)
        return send_as_master(session, match.uid, player_id, PressDraft(to, block.text), now=now)
    if block.to.casefold() == MASTER:
        sent = send_reply(session, target, player_id, PressDraft((MASTER,), block.text), now=now)
        return replace(sent, readers=press_rules.told_master(session, match))
    closed = press_rules.why_closed(match, open_phase(session, match))
    if closed:
        raise NotNow(closed)
    to = (
        press_recipients.EVERYBODY
        if press_kind(match) == "public" and not block.to
        else press_recipients.read_recipients(block.to, press_names(session, match))
    )
    return send_reply(session, target, player_id, PressDraft(to, block.text), now=now)


def send_reply(
    session: Session, target: Target, player_id: int, draft: PressDraft, *, now: datetime
) -> Sent:
    """Do as `send_block` with a text whose recipients are known."""
    match = session.get_one(Match, target.match_id)
    if target.seat_id is None:
        return send_as_master(session, match.uid, player_id, draft, now=now)
    return write_in(session, match, session.get_one(Seat, target.seat_id), draft, now=now)
