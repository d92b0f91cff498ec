"""Reading: a stored letter is taken apart, what it says is carried out, and one answer tells all of it, in one transaction."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sqlmodel import Session

from adjudicator.mail import addresses, answering, meant, press_lines
from adjudicator.mail.answering import Outcome, Work
from adjudicator.mail.commands import run
from adjudicator.mail.commands.command import Writer
from adjudicator.mail.press_lines import Block
from adjudicator.mail.reading.letter_text import Said, Unreadable
from adjudicator.mail.reading.sandbox import NoReader, Reader
from adjudicator.platform.config import Settings
from adjudicator.platform.db import PASSING, Database
from adjudicator.seal.keyfile import Keyring
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters import acknowledgements, bounces, incoming, suppression
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.letters.incoming import Claimed
from adjudicator.service.matches import seats
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.people import accounts
from adjudicator.service.press import replies
from adjudicator.service.press.messages import names
from adjudicator.service.press.replies import Talk

YES = frozenset({"yes", "ja", "oui", "si", "sí", "да", "confirm", "confirmed", "accept"})
_BULLET = re.compile(r"^\s*(?:[*•·–—-]|\d{1,2}\))\s+(?=\S)")  # as people make lists; `3.` may be a part of an order


@dataclass(frozen=True)
class Room:
    """What reading works with."""

    settings: Settings
    database: Database
    keyring: Keyring
    reader: Reader


def read(room: Room, letter_id: int, now: Callable[[], datetime]) -> Outcome | None:
    """Read one letter; None when another worker has it. Read twice or killed anywhere: it is carried out and answered once."""
    claimed = incoming.claim(room.database, room.keyring, letter_id, now())
    if claimed is None:
        return None
    said = _take_apart(room, claimed)
    try:
        with incoming.finishing(room.database, claimed) as session:
            at = now()
            outcome = _finish(room, session, claimed, said, at)
            digest = said.digest if isinstance(said, Said) else ""
            incoming.dispose(session, claimed, outcome.disposition, now=at, reason=outcome.reason, digest=digest)
            return outcome
    except incoming.Overtaken:
        return None
    except PASSING:
        incoming.give_back(room.database, claimed)
        raise


def _take_apart(room: Room, claimed: Claimed) -> Said | str:
    """Return what a letter says, or why that cannot be told; raises NoReader, which is no fault of the letter's."""
    if claimed.raw is None:
        return "It could not be opened, or every try to read it was cut short."
    try:
        return room.reader.read(claimed.raw)
    except Unreadable as fault:
        return str(fault)
    except NoReader:
        incoming.give_back(room.database, claimed)
        raise


def _finish(room: Room, session: Session, claimed: Claimed, said: Said | str, now: datetime) -> Outcome:
    if claimed.target.kind == "stop":
        bounces.stop(session, int(claimed.target.ref or 0))
        return Outcome("commands", "It asked to stop the letters to its writer.")
    if claimed.target.kind == "never":
        bounces.never(session, claimed.target.ref or "", now=now)
        return Outcome("commands", "It asked never to write to its writer again.")
    if isinstance(said, str):
        return _unreadable(room, session, claimed, said, now)
    returned = _returned(session, claimed, said, now)
    if returned is not None:
        return returned
    why = _not_a_person(room.settings, claimed, said)
    if why:
        return Outcome("automatic", f"No person wrote it: {why}.")
    if incoming.came_before(session, claimed, said.digest, named=bool(said.message_id)):
        return Outcome("repeated", "The same letter came before.")
    writer = _writer(room, session, claimed, said, now)
    if writer is None:
        return Outcome("discarded", "Nobody can be answered: its seat is free, or it names no writer.")
    if suppression.why(session, writer.address) == "host":
        return Outcome("discarded", "The host blocks its writer’s address.")
    if writer.proved and writer.player is not None and writer.player.address == said.sender:
        bounces.arrives_again(session, writer.player.id, now=now)
    return _carry_out(room, claimed, said, writer)


# --- letters that no person wrote


def _returned(session: Session, claimed: Claimed, said: Said, now: datetime) -> Outcome | None:
    """Count what a letter tells of others that came back or were complained of; None where it tells of none."""
    named = claimed.target.ref if claimed.target.kind == "bounce" else None
    if said.complaint is not None:
        known = bounces.complained(session, letter_uid=named, message_ids=(said.complaint.message_id,))
        return Outcome("complaint" if known else "discarded", "" if known else "It complains of a letter that is not known here.")
    if not said.bounces:
        return Outcome("discarded", "It came back to a letter’s own address, and tells of no fault.") if named else None
    if named is None and not claimed.null_sender:
        return Outcome("discarded", "It tells of a letter that came back, but not the way mail servers do.")
    known = False
    for each in said.bounces:
        told = Returned(each.final, each.said, each.status)
        known |= bounces.bounced(session, told, now=now, letter_uid=named, message_ids=(each.message_id,))
    return Outcome("bounce" if known else "discarded", "" if known else "It tells of a letter that is not known here.")


def _not_a_person(settings: Settings, claimed: Claimed, said: Said) -> str:
    """Return why a letter is not to be answered (RFC 3834, 2), "" where a person wrote it."""
    if claimed.null_sender:
        return "its envelope came from nobody"
    if said.sender and addresses.token_of(settings, said.sender) is not None:
        return "it came from this service itself"
    return said.automatic


# --- letters that a person wrote


def _writer(room: Room, session: Session, claimed: Claimed, said: Said, now: datetime) -> Writer | None:
    """Return whom a letter speaks for: its address decides, and From only where it was written to the service itself."""
    kind, seat_id = claimed.target.kind, claimed.target.seat_id
    if kind == "seat" and seat_id is not None:
        sitter = orders_by_letter.sitter(session, seat_id)
        return Writer(room.settings, session, now, sitter.player.address or "", True, sitter.player, sitter) if sitter else None
    if kind == "invitation" and seat_id is not None:
        kept = seats.kept(session, seat_id)
        if kept is not None:
            return Writer(room.settings, session, now, kept.address, True, accounts.of_address(session, kept.address), kept=kept)
    question = acknowledgements.question(session, claimed, now) if kind == "confirmation" else None
    address, proved = (question.address, question.good) if question else (_sender(said), False)
    return Writer(room.settings, session, now, address, proved, accounts.of_address(session, address)) if address else None


def _sender(said: Said) -> str:
    try:
        return accounts.clean_address(said.sender)
    except Refused:
        return ""


def _carry_out(room: Room, claimed: Claimed, said: Said, writer: Writer) -> Outcome:
    work = Work(writer, claimed, said)
    written, blocks = _press(work)
    lines = _lines(work, written)
    if claimed.target.kind == "confirmation":
        lines = _confirmed(work, lines)
    sealed = partial(orders_by_letter.own_orders, writer.session, room.keyring, claimed, writer.now) if writer.sitter else None
    work.writer = replace(writer, talk=tuple(line for line in lines if run.find(line) is None), sealed=sealed)
    talk = None if blocks else _talk(room, work)
    talk_lines = lines or list(said.passed_over)  # `Thanks!` alone is no greeting above something else
    if talk is not None and work.talked(talk, talk_lines, written if lines else talk_lines):
        return answering.answer(work)
    others = [line for line in lines if not work.command(line)]
    work.press(blocks)
    if work.only_tries:
        work.ignored += [] if work.done else others
    elif writer.sitter is not None:
        work.hand_in(room.keyring, others, addresses.uids(room.settings, said.refers_to))
    else:
        work.ignored += others
    work.refuse_at_once()
    if not work.did_anything:
        work.meant = _meant(work)
        if writer.player is None and not writer.proved and not work.meant:
            return Outcome("discarded", "No line of it is a command, and nobody of its address plays here.")
    return answering.answer(work)


def _talk(room: Room, work: Work) -> Talk | None:
    """Return to whom a letter goes that answers press and does not say to whom it writes, None for any other."""
    seat_id = work.claimed.target.seat_id
    if work.writer.sitter is None or seat_id is None:
        return None
    session = work.writer.session
    return replies.of_answer(
        session, seat_id, orders_by_letter.answered(session, work.claimed, addresses.uids(room.settings, work.said.refers_to))
    )


def _meant(work: Work) -> str:
    """Return what a letter without a command was probably meant as; a newcomer is told so once a day."""
    lines = [line for line in (*work.said.lines, work.said.subject) if line.strip()]
    if work.writer.player is not None or work.writer.proved:
        return next(filter(None, map(meant.command, lines)), "")
    fresh = (
        acknowledgements.left(work.writer.session, work.claimed.target, work.writer.address, work.writer.now) == acknowledgements.MOST_NAMED
    )
    return meant.newcomers_wish(lines) if fresh else ""


def _press(work: Work) -> tuple[list[str], list[Block]]:
    """Return the lines of a letter that are no press, and the press of one to a seat."""
    sitter, lines = work.writer.sitter, work.said.lines
    if sitter is None or not any(map(press_lines.may_begin, lines)):
        return list(lines), []
    return press_lines.split(lines, names(work.writer.session, sitter.uid))


def _lines(work: Work, written: list[str]) -> list[str]:
    """Return lines without bullets; where none is a command of a letter to the service itself, the subject may be one."""
    lines = [_BULLET.sub("", line) for line in written if line.strip()]
    if work.claimed.target.kind == "service" and not any(run.find(line) for line in lines) and run.find(work.said.subject):
        return [work.said.subject]
    return lines


def _confirmed(work: Work, lines: list[str]) -> list[str]:
    """Return the commands that were asked about where a line says yes, then what else the letter says."""
    question = acknowledgements.question(work.writer.session, work.claimed, work.writer.now)
    said_yes = [line for line in lines if line.strip(" .,;:\"'“”").lower() in YES]
    others = [line for line in lines if line not in said_yes]
    if not said_yes:
        return others
    if not acknowledgements.use(work.writer.session, work.claimed, work.writer.now):
        work.failed.append((said_yes[0], "This question was answered before, or its week is over. Write the command again."))
        return others
    return [*question.wanted, *others]


def _unreadable(room: Room, session: Session, claimed: Claimed, why: str, now: datetime) -> Outcome:
    """Tell the seat's player that a letter came which could not be read; nobody else can be told."""
    if claimed.target.kind != "seat" or claimed.target.seat_id is None or claimed.null_sender:
        return Outcome("unreadable", why)
    sitter = orders_by_letter.sitter(session, claimed.target.seat_id)
    if sitter is None or sitter.player.address is None:
        return Outcome("unreadable", why)
    writer = Writer(room.settings, session, now, sitter.player.address, True, sitter.player, sitter)
    work = Work(writer, claimed, Said((), (), "", "", "", (), ""))
    work.failed.append(("", f"Your letter could not be read, so nothing was changed. {why} Write your lines as plain text."))
    answering.answer(work)
    return Outcome("unreadable", why)
