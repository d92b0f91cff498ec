"""Reading a letter: from the row it was stored in to its one answer.

`read_letter` takes these steps. From the third on they share one transaction, so a letter is
carried out and answered once.

1. Claim the letter: take its lease and open it.
2. Take it apart in the limited child process.
3. Lock its match. End letters that did not come to the address of what they are stored for
   (`_forged`), that no person wrote or that came before (`_without_answer`).
4. Find whom its address speaks for: `_writer`.
5. Carry out its lines: `carrying_out.carry_out`.
6. Write the answer within the day's limit: `answering.answer_letter`.
7. Note what became of the letter, and commit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlmodel import Session

from adjudicator.mail import addresses
from adjudicator.mail.answering import Outcome, answer_letter, failure
from adjudicator.mail.carrying_out import carry_out
from adjudicator.mail.commands.command import Writer
from adjudicator.mail.reading.letter_text import LetterText, Unreadable
from adjudicator.mail.reading.sandbox import CutShort, LetterReader, NoReader
from adjudicator.platform.config import Settings
from adjudicator.platform.db import PASSING, Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import Refused
from adjudicator.service.handover import offers
from adjudicator.service.letters import acknowledgements, bounces, incoming, suppression
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.letters.incoming import LetterToRead
from adjudicator.service.log.tampering import tell_of_letter
from adjudicator.service.matches import seats
from adjudicator.service.orders import sitters
from adjudicator.service.people import accounts
from adjudicator.service.starting import privacy
from adjudicator.service.tokens import master_addresses
from adjudicator.service.tokens.arrivals import Fit
from adjudicator.service.views import letter_context

_NOTHING_SAID = LetterText((), (), "", "", "", (), "")


@dataclass(frozen=True)
class Room:
    """What reading a letter needs of its process."""

    settings: Settings
    database: Database
    keyring: Keyring
    reader: LetterReader


def read_letter(room: Room, letter_id: int, now: Callable[[], datetime]) -> Outcome | None:
    """Read one letter; return None when another worker has it.

    Idempotent: read twice or killed anywhere, a letter is carried out and answered once. Raises
    NoReader, and a fault of the database that may pass; the try is not counted then, unless it was
    CutShort.
    """
    claimed = incoming.claim_letter(room.database, room.keyring, letter_id, now())
    if claimed is None:
        return None
    letter = _take_apart(room, claimed, now)
    try:
        with incoming.finishing(room.database, claimed) as session:
            at = now()
            outcome = _finish(room, session, claimed, letter, at)
            digest = letter.digest if isinstance(letter, LetterText) else ""
            incoming.dispose_letter(
                session, claimed, outcome.disposition, now=at, reason=outcome.reason, digest=digest
            )
            return outcome
    except incoming.Overtaken:
        return None
    except PASSING:
        incoming.give_back(room.database, claimed)
        raise


def _take_apart(room: Room, claimed: LetterToRead, now: Callable[[], datetime]) -> LetterText | str:
    """Return what a letter says, or why it cannot be read; renew its lease meanwhile. Raises
    NoReader.
    """
    if claimed.raw is None:
        return "It could not be opened, or every try to read it was cut short."
    try:
        return room.reader.read(
            claimed.raw, still=lambda: incoming.renew_lease(room.database, claimed, now())
        )
    except Unreadable as fault:
        return str(fault)
    except CutShort:  # the letter may be to blame, so the try counts
        raise
    except NoReader:
        incoming.give_back(room.database, claimed)
        raise


def _finish(
    room: Room, session: Session, claimed: LetterToRead, letter: LetterText | str, now: datetime
) -> Outcome:
    """Take steps 3 to 6 in the transaction that ends the reading."""
    fit = incoming.fit_of(session, room.keyring, claimed)
    ended = _forged(room, session, claimed, fit, now) or _without_answer(
        room, session, claimed, letter, now
    )
    if ended is not None:
        return ended
    if isinstance(letter, str):
        return _unreadable(room, session, claimed, letter, now, fit)
    writer = _writer(room, session, claimed, letter, now, fit)
    if writer is None:
        return Outcome(
            "discarded",
            "Nobody can be answered: its seat is free, its master is one no longer, or it names no"
            " writer.",
        )
    privacy.answer_only(session, writer.address, own=_own_match(writer))
    if suppression.why_suppressed(session, writer.address) == "host":
        return Outcome("discarded", "The host blocks its writer’s address.")
    if writer.proved and writer.player is not None and writer.player.address == letter.sender:
        bounces.arrives_again(session, writer.player.id, now=now)
    return carry_out(writer)


# --- 3: letters that get no answer


def _forged(
    room: Room, session: Session, claimed: LetterToRead, fit: Fit, now: datetime
) -> Outcome | None:
    """End the reading of a letter whose row was changed or erased since it was stored, or not
    written by the inbox; else return None.
    """
    if fit == "gone" and claimed.raw is not None:
        return Outcome(
            "discarded",
            "What its address was for is there no more: a seat, a question, an offer, or a master's"
            " match.",
        )
    if claimed.raw is None or fit != "foreign":
        return None
    if claimed.target.match_id is not None:
        tell_of_letter(
            session, room.keyring, claimed.target.match_id, claimed.target.seat_id, now=now
        )
    return Outcome(
        "forged",
        "It came to another address than the one that it is stored for, so nothing of it was"
        " carried out.",
    )


def _without_answer(
    room: Room, session: Session, claimed: LetterToRead, letter: LetterText | str, now: datetime
) -> Outcome | None:
    """End the reading of a letter that stops letters, came back, was written by no person or came
    before; else return None.
    """
    target = claimed.target
    if target.kind == "stop":
        bounces.stop_letters(session, int(target.ref or 0))
        return Outcome("commands", "It asked to stop the letters to its writer.")
    if target.kind == "never":
        bounces.never(session, target.ref or "", now=now)
        return Outcome("commands", "It asked never to write to its writer again.")
    if isinstance(letter, str):
        return None
    if target.kind == "bounce" or letter.bounces or letter.complaint is not None:
        return _returned(session, claimed, letter, now)
    why = letter.automatic
    if claimed.null_sender:
        why = "its envelope came from nobody"  # RFC 3834, 2
    elif letter.sender and addresses.token_of(room.settings, letter.sender) is not None:
        why = "it came from this service itself"
    if why:
        return Outcome("automatic", f"No person wrote it: {why}.")
    if incoming.came_before(session, claimed, letter.digest, named=bool(letter.message_id)):
        return Outcome("repeated", "The same letter came before.")
    return None


def _returned(
    session: Session, claimed: LetterToRead, letter: LetterText, now: datetime
) -> Outcome:
    """Record the bounces or the complaint that a letter reports."""
    letter_uid = claimed.target.ref if claimed.target.kind == "bounce" else None
    if letter.complaint is not None:
        known = bounces.complained(
            session, letter_uid=letter_uid, message_ids=(letter.complaint.message_id,)
        )
        return Outcome(
            "complaint" if known else "discarded",
            "" if known else "It complains of a letter that is not known here.",
        )
    if not letter.bounces:
        return Outcome(
            "discarded", "It came back to a letter’s own address, and tells of no fault."
        )
    if letter_uid is None and not claimed.null_sender:
        return Outcome(
            "discarded", "It tells of a letter that came back, but not the way mail servers do."
        )
    known = False
    for each in letter.bounces:
        returned = Returned(each.final, each.said, each.status)
        known |= bounces.bounced(
            session, returned, now=now, letter_uid=letter_uid, message_ids=(each.message_id,)
        )
    return Outcome(
        "bounce" if known else "discarded",
        "" if known else "It tells of a letter that is not known here.",
    )


def _unreadable(
    room: Room, session: Session, claimed: LetterToRead, why: str, now: datetime, fit: Fit
) -> Outcome:
    """Tell a seat's player or a master that a letter could not be read. Nobody else is told: only
    these addresses prove who wrote.
    """
    writer = (
        None
        if claimed.target.kind not in ("seat", "master") or claimed.null_sender
        else _writer(room, session, claimed, _NOTHING_SAID, now, fit)
    )
    if writer is not None and writer.address:
        sentence = (
            f"Your letter could not be read, so nothing was changed. {why} Write your lines as"
            " plain text."
        )
        answer_letter(writer, failure("", sentence))
    return Outcome("unreadable", why)


# --- 4: whom it speaks for


def _writer(
    room: Room, session: Session, claimed: LetterToRead, letter: LetterText, now: datetime, fit: Fit
) -> Writer | None:
    """Return whom a letter speaks for. Its address decides; From counts only in a letter to the
    service's own address.
    """
    kind, ref = claimed.target.kind, claimed.target.ref
    speaking = partial(Writer, room.settings, room.keyring, session, now, claimed, letter)
    if kind in ("seat", "master"):
        sitter = sitters.find_sitter(session, claimed) if kind == "seat" else None
        run = master_addresses.find_run(session, ref) if kind == "master" else None
        player = (
            sitter.player if sitter else accounts.of_id(session, run.player_id) if run else None
        )
        if player is None:
            return None
        ours = addresses.own_uids(room.settings, letter.refers_to)
        return speaking(
            player.address or "",
            True,
            player,
            sitter,
            int(ref) if sitter and ref is not None else None,
            run=run,
            answered=letter_context.find_answered(session, claimed.target, player.id, ours),
        )
    if kind == "invitation" and claimed.target.seat_id is not None:
        kept = seats.kept(session, claimed.target.seat_id)
        if kept is not None:
            return speaking(
                kept.address, True, accounts.of_address(session, kept.address), kept=kept
            )
    if kind == "offer":
        offered = offers.find_offer(session, int(ref or 0))
        known = accounts.of_address(session, offered.address)
        return speaking(offered.address, True, known, offered=offered)
    question = (
        acknowledgements.find_question(session, claimed, now) if kind == "confirmation" else None
    )
    address = question.address if question else _sender(letter)
    # the question of a release before is asked once more
    proved = question is not None and question.good and fit != "earlier"
    asked_at = question.made_at if question else None
    return (
        speaking(address, proved, accounts.of_address(session, address), asked_at=asked_at)
        if address
        else None
    )


def _own_match(writer: Writer) -> str:
    """Return the public name of the match that was written to, "" for none."""
    return writer.here or (writer.kept.uid if writer.kept else "")


def _sender(letter: LetterText) -> str:
    try:
        return accounts.clean_address(letter.sender)
    except Refused:
        return ""
