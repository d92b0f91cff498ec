"""Carrying out what a person wrote in a letter: its commands, its press, its orders.

`carry_out` takes these steps, all in the transaction that ends the letter's reading:

1. Split the lines into press and the rest. A letter that confirms a question carries the commands of that question first.
2. A plain answer to press is sent; where a line of it may be an order or a command, its writer is asked. Otherwise:
3. Carry out the commands, then the press, then the orders, each in its own savepoint: a bad line never voids the others.
4. Try the commands that wait for a proved address, and roll that back: those that can only fail are refused at once.
5. Answer the letter: `answering.answer_letter`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlmodel import Session

from adjudicator.mail import addresses
from adjudicator.mail.answering import Outcome, Request, Results, answer_letter, failure
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.commands.match import PREVIEW
from adjudicator.mail.commands.recognition import ORDER_WORDS, describe_slip, find_command, guess_command
from adjudicator.platform.words import join_list, seat_phrase
from adjudicator.play.submission import TooLong
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters import acknowledgements
from adjudicator.service.letters.kinds import ReplySection
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.orders.orders_by_letter import Answered, Talk
from adjudicator.service.people import accounts
from adjudicator.service.press import press_recipients
from adjudicator.service.press.messages import Sent, press_names, write_by_letter
from adjudicator.service.press.press_recipients import Named

MOST_COMMANDS = 20  # in one letter
MOST_ASKED = 5  # commands that a question repeats: it may go to somebody who wrote nothing
YES = frozenset({"yes", "ja", "oui", "si", "sí", "да", "confirm", "confirmed", "accept"})
_BULLET = re.compile(r"^\s*(?:[*•·–—-]|\d{1,2}\))\s+(?=\S)")  # as people make lists; `3.` may be a part of an order
_PRESS = re.compile(r"\W{0,3}press\b\s*", re.IGNORECASE)
_END_PRESS = re.compile(r"\W*end\s+(?:of\s+)?press\W*", re.IGNORECASE)
_LONGEST_HEAD = 120  # characters between `press` and the colon: a longer line is a sentence
_SHOWN = 60  # characters after `press` that an answer repeats
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
class PressBlock:
    """What a letter says to other seats, from a line `press france:` on."""

    to: str  # the text between `press` and the colon
    text: str

    @property
    def line(self) -> str:
        """Its first line as an answer repeats it."""
        return f"press {self.to[:_SHOWN]}".strip()


def carry_out(keyring: Keyring, request: Request) -> Outcome:
    """Carry out a letter and answer it."""
    writer = request.writer
    written, blocks = _press_parted(request)
    lines, results = _lines(request, written)
    sealed = partial(orders_by_letter.own_orders, writer.session, keyring, request.claimed, writer.now) if writer.sitter else None
    writer = replace(writer, talk=tuple(line for line in lines if find_command(line) is None), sealed=sealed)
    request = replace(request, writer=writer)
    ours = addresses.own_uids(writer.settings, request.said.refers_to) if writer.sitter else ()
    answered = orders_by_letter.find_answered(writer.session, request.claimed, ours)
    talked = _talk(request, answered, lines, written) if writer.sitter and not blocks else None
    if talked is not None:
        return answer_letter(request, results + talked)
    writer, results = _commands(writer, lines, results)
    request = replace(request, writer=writer)
    only_tries = any(found[0] is PREVIEW for line in lines if (found := find_command(line)))
    if blocks:
        results += _press(request, blocks, len(results.done) + len(results.failed), only_tries=only_tries)
    if only_tries:
        results += Results(ignored=() if results.done else writer.talk)
    elif writer.sitter is not None:
        results += _orders(keyring, request, answered)
    else:
        results += Results(ignored=writer.talk)
    return answer_letter(request, _refused_at_once(writer, results) if results.asks else results)


# --- 1: press and the rest


def _press_parted(request: Request) -> tuple[list[str], list[PressBlock]]:
    """Return the lines of a letter that are no press, and the press of one to a seat."""
    sitter, lines = request.writer.sitter, request.said.lines
    if sitter is None or not any(map(_PRESS.match, lines)):
        return list(lines), []
    return split_press(lines, press_names(request.writer.session, sitter.uid))


def split_press(lines: Sequence[str], names: Named) -> tuple[list[str], list[PressBlock]]:
    """Return the lines that are no press, and the press; `names` are those of the seats.

    A block of press ends with the line `end press`, with the next `press`, or with the letter.
    """
    others: list[str] = []
    heads: list[tuple[str, list[str]]] = []
    within = False
    for line in lines:
        head = _press_head(line, names)
        if head is not None:
            heads.append((head[0], [head[1]]))
            within = True
        elif within and _END_PRESS.fullmatch(line):
            within = False
        else:
            (heads[-1][1] if within else others).append(line)
    return others, [PressBlock(to, "\n".join(text).strip()) for to, text in heads]


def _press_head(line: str, names: Named) -> tuple[str, str] | None:
    """Return whom a line addresses and the text after its colon, None where it begins no press.

    Without a colon a seat has to be named: `Press on!` is only a sentence.
    """
    found = _PRESS.match(line)
    if found is None:
        return None
    to, colon, text = line[found.end() :].partition(":")
    if len(to) > _LONGEST_HEAD or not (colon or press_recipients.looks_meant(to, names)):
        return None
    return to.strip(), text.strip()


def _lines(request: Request, written: Sequence[str]) -> tuple[list[str], Results]:
    """Return lines without bullets, those of a confirmed question first, and the failure of a question that is over.

    Where no line of a letter to the service itself is a command, the subject may be one.
    """
    lines, subject = [_BULLET.sub("", line) for line in written if line.strip()], request.said.subject
    if request.claimed.target.kind == "service" and not any(find_command(line) for line in lines) and find_command(subject):
        return [subject], Results()
    if request.claimed.target.kind == "confirmation":
        return _confirmed(request, lines)
    return lines, Results()


def _confirmed(request: Request, lines: list[str]) -> tuple[list[str], Results]:
    """Put the commands that were asked about first where a letter to a question's address says yes."""
    said_yes = [line for line in lines if line.strip(" .,;:\"'“”").lower() in YES]
    if not said_yes:
        return lines, Results()
    session, now = request.writer.session, request.writer.now
    question = acknowledgements.find_question(session, request.claimed, now)
    others = [line for line in lines if line not in said_yes]
    if not acknowledgements.use_question(session, request.claimed, now):
        return others, failure(said_yes[0], _ANSWERED_BEFORE)
    return [*question.wanted, *others], Results()


# --- 2: plain answers to press


def _talk(request: Request, answered: Answered, lines: Sequence[str], written: Sequence[str]) -> Results | None:
    """Send a plain answer to press, or ask where a line of it may be an order or a command; None where it is neither.

    A letter of nothing but orders and commands is neither: it is carried out like any other. In a letter of nothing but
    greetings (`Thanks!`) these are the answer.
    """
    session, passed_over = request.writer.session, request.said.passed_over
    talk = orders_by_letter.press_reply(session, request.claimed.target.seat_id or 0, answered.nearest)
    kept = [line for line in lines or passed_over if line.strip()]
    said = [line for line in kept if find_command(line) is None]
    try:
        if talk is None or not said or orders_by_letter.all_orders(session, talk, said):
            return None
    except TooLong:
        return None  # handing the lines in refuses them for that
    unsure = _unsure(session, talk, kept, said)
    whom = _listed_seats(talk.to)
    if unsure:
        again = f"press {', '.join(map(str.lower, talk.to)) or 'all'}:"
        why = f"{_UNSURE} {_AGAIN.format(again=again, whom=whom)}"
        return Results(failed=tuple((line, describe_slip(line) + (why if at == 0 else "The same.")) for at, line in enumerate(unsure[:3])))
    if request.said.cut:
        return failure(said[0], _CUT)
    text = "\n".join(written if lines else passed_over).strip()
    return _attempt(session, f"press {whom}", lambda: _sent(orders_by_letter.send_reply(session, talk, text, now=request.writer.now)))


def _unsure(session: Session, talk: Talk, kept: Sequence[str], said: Sequence[str]) -> list[str]:
    """Return those of the lines that may be orders or commands."""
    unsure = {line for line in kept if find_command(line) or guess_command(line) or line.strip(" .,;:!").lower() in ORDER_WORDS}
    unsure |= set(orders_by_letter.orders_in(session, talk, [line for line in said if line not in unsure]))
    return [line for line in kept if line in unsure]


def _listed_seats(seats: Sequence[str]) -> str:
    return join_list(list(map(seat_phrase, seats))) if seats else "everybody"


def _sent(sent: Sent) -> Done:
    """Return what an answer says of press that was sent: to whom, and every line of it."""
    whom = _listed_seats(sent.to)
    return Done(f"Sent to {whom}.", (ReplySection(f"To {whom}, as it was sent", sent.lines),))


# --- 3: commands, press, orders


def _attempt(session: Session, line: str, work: Callable[[], Done]) -> Results:
    """Do the work of one line in a savepoint."""
    try:
        with session.begin_nested():
            return Results(done=((line, work()),))
    except Refused as refused:
        return failure(line, str(refused))


def _known_again(writer: Writer) -> Writer:
    """Look up the writer's player again, whom a command may just have created."""
    return replace(writer, player=accounts.of_address(writer.session, writer.address) or writer.player)


def _commands(writer: Writer, lines: Sequence[str], results: Results) -> tuple[Writer, Results]:
    """Carry out the lines that are commands; those that change something wait where the address is not proved."""
    for line in lines:
        found = find_command(line)
        if found is None:
            continue
        command, more = found
        if len(results.done) + len(results.failed) + len(results.asks) >= MOST_COMMANDS:
            results += failure(line, _OVER)
        elif not command.changes or writer.proved:
            results += _attempt(writer.session, line, partial(command.do, writer, more))
            writer = _known_again(writer)
        elif len(results.asks) < MOST_ASKED:
            results += Results(asks=(line,))
        elif ("", _TOO_MANY) not in results.failed:
            results += failure("", _TOO_MANY)
    return writer, results


def _press(request: Request, blocks: Sequence[PressBlock], before: int, *, only_tries: bool) -> Results:
    """Send what the letter says to other seats, `before` commands having been carried out; of a cut letter nothing is sent."""
    results, writer, seat_id = Results(), request.writer, request.claimed.target.seat_id or 0
    for number, block in enumerate(blocks, before):
        if number >= MOST_COMMANDS:
            results += failure(block.line, _OVER)
        elif only_tries or request.said.cut:
            results += failure(block.line, _TRIES if only_tries else _CUT)
        else:
            results += _attempt(writer.session, block.line, partial(_send, writer, seat_id, block))
    return results


def _send(writer: Writer, seat_id: int, block: PressBlock) -> Done:
    return _sent(write_by_letter(writer.session, seat_id, block.to, block.text, now=writer.now))


def _orders(keyring: Keyring, request: Request, answered: Answered) -> Results:
    """Hand in the lines that are no commands, as orders of the seat that was written to."""
    session, lines = request.writer.session, request.writer.talk
    if not lines:
        return Results()
    try:
        with session.begin_nested():
            if orders_by_letter.only_talks(session, request.claimed, lines, answered):
                raise Refused(_TO_WHOM)
            taken = orders_by_letter.hand_in(session, keyring, request.claimed, "\n".join(lines), phase=answered.phase)
    except Refused as refused:
        return failure(" / ".join(lines[:3]), str(refused))
    return Results(taken=taken, done=() if taken.handed_in else ((lines[-1], Done(taken.sentence)),))


# --- 4: commands that wait for a proved address


def _refused_at_once(writer: Writer, results: Results) -> Results:
    """Refuse the commands that would be asked about and can only fail: each is tried after the other, then all are rolled back."""
    tried: list[Results] = []
    with writer.session.begin_nested() as trial:
        for line, found in ((line, find_command(line)) for line in results.asks):
            tried += [_attempt(writer.session, line, partial(found[0].do, writer, found[1]))] if found else []
            writer = _known_again(writer)
        trial.rollback()
    good = tuple(line for each in tried for line, _ in each.done)
    return replace(results + sum((Results(failed=each.failed) for each in tried), Results()), asks=good)
