"""Reading a letter: from the row it was stored in to its one answer, in the order in which it happens.

`read` takes these steps. The later ones share one transaction, so a letter is carried out and answered once.

1. Claim the letter: take its lease and open it.
2. Take it apart in the limited child process.
3. Lock its match, and end what no person wrote or what came before: `_without_answer`.
4. Find whom its address speaks for: `_writer`.
5. Part its lines into press and the rest; where it confirms a question, put the commands that were asked about first.
6. Send a plain answer to press, or ask where a line of it may be an order: `_talk`. Else go on:
7. Carry out the commands, then the press, then the orders. Each works in a savepoint, so one bad line never voids the rest.
8. Try and take back the commands that wait for a proved address, so that those which can only fail are refused at once.
9. Write the answer within the day's limit: `_answer`.
10. Note what became of the letter, and commit.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from sqlmodel import Session

from adjudicator.mail import addresses, answering, meant, press_lines
from adjudicator.mail.answering import Request, Results, failure
from adjudicator.mail.commands import preview, run
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.press_lines import Block
from adjudicator.mail.reading.letter_text import LetterText, Unreadable
from adjudicator.mail.reading.sandbox import LetterReader, NoReader
from adjudicator.platform.config import Settings
from adjudicator.platform.db import PASSING, Database
from adjudicator.platform.words import join_list, seat_phrase
from adjudicator.play.submission import TooLong
from adjudicator.seal.keyfile import Keyring
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters import acknowledgements, bounces, incoming, suppression
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.letters.incoming import Disposition, LetterToRead
from adjudicator.service.matches import seats
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.orders.orders_by_letter import Answered
from adjudicator.service.people import accounts
from adjudicator.service.press import replies
from adjudicator.service.press.messages import names, write_by_letter
from adjudicator.service.press.replies import Talk

MOST_COMMANDS = 20  # in one letter
MOST_ASKED = 5  # commands that a question repeats: it may go to somebody who wrote nothing
YES = frozenset({"yes", "ja", "oui", "si", "sí", "да", "confirm", "confirmed", "accept"})
_BULLET = re.compile(r"^\s*(?:[*•·–—-]|\d{1,2}\))\s+(?=\S)")  # as people make lists; `3.` may be a part of an order
_NOTHING_SAID = LetterText((), (), "", "", "", (), "")
_TOO_MANY = f"Until your address is confirmed a letter may hold {MOST_ASKED} commands; the others were passed over. Write them again then."
_OVER = f"One letter may hold {MOST_COMMANDS} commands at most."
_ANSWERED_BEFORE = "This question was answered before, or its week is over. Write the command again."
_TRIES = "A letter that says `preview` sends nothing; write it again without that word."
_TO_WHOM = (
    "It answers press, holds no orders, and does not say to whom it goes, so nothing was sent. "
    "Write it again below a line such as `press france:` or `press all:`."
)
_UNSURE = "It may be an order or a command, so nothing of this letter was sent, sealed or done."
_AGAIN = "For {whom} write it again below a line `{again}`; write orders and commands in a letter without anything else."
_CUT = "A line of your letter has more than 1,000 characters, or there are more than 400 lines, so nothing was sent; make it shorter lines."


@dataclass(frozen=True)
class Room:
    """What reading works with."""

    settings: Settings
    database: Database
    keyring: Keyring
    reader: LetterReader


@dataclass(frozen=True)
class Outcome:
    """What became of a letter."""

    disposition: Disposition
    reason: str = ""  # a sentence that repeats nothing of the letter
    closes: str = ""  # the match whose phase can close now


def read_letter(room: Room, letter_id: int, now: Callable[[], datetime]) -> Outcome | None:
    """Read one letter; None when another worker has it. Read twice or killed anywhere: it is carried out and answered once."""
    claimed = incoming.claim_letter(room.database, room.keyring, letter_id, now())
    if claimed is None:
        return None
    said = _take_apart(room, claimed)
    try:
        with incoming.finishing(room.database, claimed) as session:
            at = now()
            outcome = _finish(room, session, claimed, said, at)
            digest = said.digest if isinstance(said, LetterText) else ""
            incoming.dispose_letter(session, claimed, outcome.disposition, now=at, reason=outcome.reason, digest=digest)
            return outcome
    except incoming.Overtaken:
        return None
    except PASSING:
        incoming.give_back(room.database, claimed)
        raise


def _take_apart(room: Room, claimed: LetterToRead) -> LetterText | str:
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


def _finish(room: Room, session: Session, claimed: LetterToRead, said: LetterText | str, now: datetime) -> Outcome:
    """Take steps 3 to 9 in the transaction that ends the reading."""
    ended = _without_answer(room, session, claimed, said, now)
    if ended is not None:
        return ended
    if isinstance(said, str):
        return _unreadable(room, session, claimed, said, now)
    writer = _writer(room, session, claimed, said, now)
    if writer is None:
        return Outcome("discarded", "Nobody can be answered: its seat is free, or it names no writer.")
    if suppression.why_suppressed(session, writer.address) == "host":
        return Outcome("discarded", "The host blocks its writer’s address.")
    if writer.proved and writer.player is not None and writer.player.address == said.sender:
        bounces.arrives_again(session, writer.player.id, now=now)
    return _carry_out(room, Request(claimed, said, writer))


# --- 3: letters that nobody is answered for


def _without_answer(room: Room, session: Session, claimed: LetterToRead, said: LetterText | str, now: datetime) -> Outcome | None:
    """End the reading of a letter that stops letters, came back, was written by no person or came before; None for any other."""
    if claimed.target.kind == "stop":
        bounces.stop_letters(session, int(claimed.target.ref or 0))
        return Outcome("commands", "It asked to stop the letters to its writer.")
    if claimed.target.kind == "never":
        bounces.never(session, claimed.target.ref or "", now=now)
        return Outcome("commands", "It asked never to write to its writer again.")
    if isinstance(said, str):
        return None
    returned = _returned(session, claimed, said, now)
    if returned is not None:
        return returned
    why = _not_a_person(room.settings, claimed, said)
    if why:
        return Outcome("automatic", f"No person wrote it: {why}.")
    if incoming.came_before(session, claimed, said.digest, named=bool(said.message_id)):
        return Outcome("repeated", "The same letter came before.")
    return None


def _returned(session: Session, claimed: LetterToRead, said: LetterText, now: datetime) -> Outcome | None:
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


def _not_a_person(settings: Settings, claimed: LetterToRead, said: LetterText) -> str:
    """Return why a letter is not to be answered (RFC 3834, 2), "" where a person wrote it."""
    if claimed.null_sender:
        return "its envelope came from nobody"
    if said.sender and addresses.token_of(settings, said.sender) is not None:
        return "it came from this service itself"
    return said.automatic


def _unreadable(room: Room, session: Session, claimed: LetterToRead, why: str, now: datetime) -> Outcome:
    """Tell the seat's player that a letter came which could not be read; nobody else can be told."""
    writer = None if claimed.target.kind != "seat" or claimed.null_sender else _writer(room, session, claimed, _NOTHING_SAID, now)
    if writer is not None and writer.address:
        told = f"Your letter could not be read, so nothing was changed. {why} Write your lines as plain text."
        _answer(Request(claimed, _NOTHING_SAID, writer), failure("", told))
    return Outcome("unreadable", why)


# --- 4: whom it speaks for


def _writer(room: Room, session: Session, claimed: LetterToRead, said: LetterText, now: datetime) -> Writer | None:
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


def _sender(said: LetterText) -> str:
    try:
        return accounts.clean_address(said.sender)
    except Refused:
        return ""


# --- 5 to 9: what a person wrote


def _carry_out(room: Room, request: Request) -> Outcome:
    claimed, said, writer = request.claimed, request.said, request.writer
    written, blocks = _parted(request)
    lines, results = _confirmed(request, _lines(request, written))
    sealed = partial(orders_by_letter.own_orders, writer.session, room.keyring, claimed, writer.now) if writer.sitter else None
    writer = replace(writer, talk=tuple(line for line in lines if run.find(line) is None), sealed=sealed)
    ours = addresses.uids(room.settings, said.refers_to) if writer.sitter else ()
    answered = orders_by_letter.answered(writer.session, claimed, ours)
    if writer.sitter is not None and not blocks:
        talked = _talk(replace(request, writer=writer), answered, lines, written)
        if talked is not None:
            return _answer(replace(request, writer=writer), results + talked)
    writer, results = _commands(writer, lines, results)
    only_tries = any(found[0].WORD == preview.WORD for line in lines if (found := run.find(line)))
    results += _press(replace(request, writer=writer), blocks, len(results.done) + len(results.failed), only_tries=only_tries)
    if only_tries:
        results += Results(ignored=() if results.done else writer.talk)
    elif writer.sitter is not None:
        results += _orders(room, replace(request, writer=writer), answered)
    else:
        results += Results(ignored=writer.talk)
    results = _refused_at_once(writer, results)
    request = replace(request, writer=writer)
    if not results.did_anything:
        results += Results(meant=_meant(request))
        if writer.player is None and not writer.proved and not results.meant:
            return Outcome("discarded", "No line of it is a command, and nobody of its address plays here.")
    return _answer(request, results)


def _parted(request: Request) -> tuple[list[str], list[Block]]:
    """Return the lines of a letter that are no press, and the press of one to a seat."""
    sitter, lines = request.writer.sitter, request.said.lines
    if sitter is None or not any(map(press_lines.may_begin, lines)):
        return list(lines), []
    return press_lines.split(lines, names(request.writer.session, sitter.uid))


def _lines(request: Request, written: list[str]) -> list[str]:
    """Return lines without bullets; where none is a command of a letter to the service itself, the subject may be one."""
    lines, subject = [_BULLET.sub("", line) for line in written if line.strip()], request.said.subject
    if request.claimed.target.kind == "service" and not any(run.find(line) for line in lines) and run.find(subject):
        return [subject]
    return lines


def _confirmed(request: Request, lines: list[str]) -> tuple[list[str], Results]:
    """Put the commands that were asked about first where a letter to a question's address says yes."""
    said_yes = [line for line in lines if line.strip(" .,;:\"'“”").lower() in YES]
    if request.claimed.target.kind != "confirmation" or not said_yes:
        return lines, Results()
    session, now = request.writer.session, request.writer.now
    question = acknowledgements.question(session, request.claimed, now)
    others = [line for line in lines if line not in said_yes]
    if not acknowledgements.use(session, request.claimed, now):
        return others, failure(said_yes[0], _ANSWERED_BEFORE)
    return [*question.wanted, *others], Results()


# --- 6: plain answers to press


def _talk(request: Request, answered: Answered, lines: Sequence[str], written: Sequence[str]) -> Results | None:
    """Send a plain answer to press, or ask where a line of it may be an order or a command; None where it is neither.

    A letter of nothing but orders and commands is neither: it is carried out like any other. `Thanks!` alone is no greeting
    above something else.
    """
    session, passed_over = request.writer.session, request.said.passed_over
    talk = replies.of_answer(session, request.claimed.target.seat_id or 0, answered.nearest)
    kept = [line for line in lines or passed_over if line.strip()]
    said = [line for line in kept if run.find(line) is None]
    try:
        if talk is None or not said or replies.all_orders(session, talk, said):
            return None
    except TooLong:
        return None  # which the handing in says
    unsure = _unsure(session, talk, kept, said)
    whom = join_list(list(map(seat_phrase, talk.to))) if talk.to else "everybody"
    if unsure:
        again = f"press {', '.join(map(str.lower, talk.to)) or 'all'}:"
        why = f"{_UNSURE} {_AGAIN.format(again=again, whom=whom)}"
        return Results(failed=tuple((line, meant.slip(line) + (why if at == 0 else "The same.")) for at, line in enumerate(unsure[:3])))
    if request.said.cut:
        return failure(said[0], _CUT)
    text = "\n".join(written if lines else passed_over).strip()
    return _attempt(session, f"press {whom}", lambda: press_lines.done(replies.send_reply(session, talk, text, now=request.writer.now)))


def _unsure(session: Session, talk: Talk, kept: Sequence[str], said: Sequence[str]) -> list[str]:
    """Return those of the lines that may be orders or commands."""
    unsure = {line for line in kept if run.find(line) or meant.command(line) or line.strip(" .,;:!").lower() in meant.ORDER_WORDS}
    unsure |= set(replies.orders_in(session, talk, [line for line in said if line not in unsure]))
    return [line for line in kept if line in unsure]


# --- 7: commands, press, orders


def _attempt(session: Session, line: str, work: Callable[[], Done]) -> Results:
    """Do the work of one line in a savepoint."""
    try:
        with session.begin_nested():
            return Results(done=((line, work()),))
    except Refused as refused:
        return failure(line, str(refused))


def _known_again(writer: Writer) -> Writer:
    """Look again for the writer's player, whom a command may just have made."""
    return replace(writer, player=accounts.of_address(writer.session, writer.address) or writer.player)


def _commands(writer: Writer, lines: Sequence[str], results: Results) -> tuple[Writer, Results]:
    """Carry out the lines that are commands; those that change something wait where the address is not proved."""
    for line in lines:
        found = run.find(line)
        if found is None:
            continue
        command, more = found
        if len(results.done) + len(results.failed) + len(results.asks) >= MOST_COMMANDS:
            results += failure(line, _OVER)
        elif not command.CHANGES or writer.proved:
            results += _attempt(writer.session, line, partial(command.do, writer, more))
            writer = _known_again(writer)
        elif len(results.asks) < MOST_ASKED:
            results += Results(asks=(line,))
        elif ("", _TOO_MANY) not in results.failed:
            results += failure("", _TOO_MANY)
    return writer, results


def _press(request: Request, blocks: Sequence[Block], before: int, *, only_tries: bool) -> Results:
    """Send what the letter says to other seats, `before` commands having been carried out; of a cut letter nothing is sent."""
    results, writer = Results(), request.writer
    for number, block in enumerate(blocks, before):
        if number >= MOST_COMMANDS:
            results += failure(block.line, _OVER)
        elif only_tries or request.said.cut:
            results += failure(block.line, _TRIES if only_tries else _CUT)
        else:
            results += _attempt(writer.session, block.line, partial(_send, request, block))
    return results


def _send(request: Request, block: Block) -> Done:
    seat_id = request.claimed.target.seat_id or 0
    return press_lines.done(write_by_letter(request.writer.session, seat_id, block.to, block.text, now=request.writer.now))


def _orders(room: Room, request: Request, answered: Answered) -> Results:
    """Hand in the lines that are no commands, as orders of the seat that was written to."""
    session, lines = request.writer.session, request.writer.talk
    if not lines:
        return Results()
    try:
        with session.begin_nested():
            if orders_by_letter.only_talks(session, request.claimed, lines, answered):
                raise Refused(_TO_WHOM)
            taken = orders_by_letter.hand_in(session, room.keyring, request.claimed, "\n".join(lines), phase=answered.phase)
    except Refused as refused:
        return failure(" / ".join(lines[:3]), str(refused))
    return Results(taken=taken, done=() if taken.handed_in else ((lines[-1], Done(taken.sentence)),))


# --- 8 and 9


def _refused_at_once(writer: Writer, results: Results) -> Results:
    """Refuse the commands that would be asked about and can only fail: they are tried one after the other, and taken back."""
    if not results.asks:
        return results
    tried: list[Results] = []
    with writer.session.begin_nested() as trial:
        for line, found in ((line, run.find(line)) for line in results.asks):
            tried += [_attempt(writer.session, line, partial(found[0].do, writer, found[1]))] if found else []
            writer = _known_again(writer)
        trial.rollback()
    good = tuple(line for each in tried for line, _ in each.done)
    return replace(results + sum((Results(failed=each.failed) for each in tried), Results()), asks=good)


def _meant(request: Request) -> str:
    """Return what a letter without a command was probably meant as; a newcomer is told so once a day."""
    writer, lines = request.writer, [line for line in (*request.said.lines, request.said.subject) if line.strip()]
    if writer.player is not None or writer.proved:
        return next(filter(None, map(meant.command, lines)), "")
    fresh = acknowledgements.left(writer.session, request.claimed.target, writer.address, writer.now) == acknowledgements.MOST_NAMED
    return meant.newcomers_wish(lines) if fresh else ""


def _answer(request: Request, results: Results) -> Outcome:
    """Write the one answer to a letter, and return what became of the letter."""
    writer, taken = request.writer, results.taken
    disposition: Disposition = "orders" if taken else "commands" if results.done or results.failed else "asked" if results.asks else "empty"
    closes = writer.sitter.uid if writer.sitter and taken and taken.closes_now else ""
    if not writer.address:
        return Outcome(disposition, "Its player has no address, so nobody was answered.", closes)
    write, player_id = partial(answering.answer, request, results), writer.player.id if writer.player else None
    answered = acknowledgements.put_acknowledgement(
        writer.session, request.claimed, write, address=writer.address, now=writer.now, player_id=player_id
    )
    return Outcome(disposition, "" if answered else acknowledgements.NOT_ANSWERED, closes)
