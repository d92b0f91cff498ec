"""Carrying out what a person wrote in a letter: its commands, its press, its orders.

`carry_out` takes these steps, all in the transaction that ends the letter's reading:

1. Split the lines into press and the rest. A letter that confirms a question carries the commands
   of that question first.
2. A plain answer to press is sent; where a line of it may be an order or a command, its writer is
   asked. Otherwise:
3. Carry out the commands, then the press, then the orders, each in its own savepoint: a bad line
   never voids the others.
4. Try the commands that wait for a proved address, and roll that back: those that can only fail are
   refused at once.
5. Answer the letter: `answering.answer_letter`.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from adjudicator.mail import addresses, hints, questions, talking
from adjudicator.mail.answering import Outcome, Request, Results, answer_letter, failure
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.commands.match import PREVIEW
from adjudicator.mail.commands.recognition import find_command
from adjudicator.mail.talking import attempt
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import Refused
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.orders.orders_by_letter import Answered, OrdersTaken
from adjudicator.service.people import accounts
from adjudicator.service.phases import beginning

MOST_COMMANDS = 20  # in one letter
MOST_ASKED = 5  # commands that a question repeats: it may go to somebody who wrote nothing
# as people make lists; `3.` may be a part of an order
_BULLET = re.compile(r"^\s*(?:[*•·–—-]|\d{1,2}\))\s+(?=\S)")
_SHOWN = 60  # characters of a line with free text that an answer to an unproved address repeats
_TOO_MANY = (
    f"Until your address is confirmed a letter may hold {MOST_ASKED} commands; the others were"
    " passed over. Write them again then."
)
OWN_SEAT = "It is written in answer to a letter of the match that it is about."
IN_ANSWER = (
    "A web address is taken in answer to a letter of a match only, as no question may repeat it."
    " Write the line without it."
)
_OVER = f"One letter may hold {MOST_COMMANDS} commands at most."
_STRUCK = "It is struck through in your letter, so it was not read."
_UNSEEN = (
    "It has the colour of what is behind it, so nobody can see it in your letter and it was not"
    " read. Write it again as plain text."
)
_TO_WHOM = (
    "It answers press, holds no orders, and does not say to whom it goes, so nothing was sent. "
    "Write it again below a line such as `press france:` or `press all:`."
)


def carry_out(keyring: Keyring, request: Request) -> Outcome:
    """Carry out a letter and answer it."""
    writer = request.writer
    written, blocks = talking.part_press(request)
    ours = addresses.own_uids(writer.settings, request.said.refers_to) if writer.here else ()
    answered = orders_by_letter.find_answered(writer.session, request.claimed, ours)
    lines, results = _lines(request, answered, written, blocks=bool(blocks))
    sealed = (
        partial(orders_by_letter.own_orders, writer.session, keyring, request.claimed, writer.now)
        if writer.sitter
        else None
    )
    talk = tuple(line for line in lines if find_command(line) is None)
    prepare = partial(beginning.prepare_in, writer.session, keyring, now=writer.now)
    writer = replace(writer, talk=talk, sealed=sealed, answered=answered, prepare=prepare)
    request = replace(request, writer=writer)
    talked = (
        talking.talk_back(request, answered, lines, written) if writer.here and not blocks else None
    )
    if talked is not None:
        return answer_letter(request, results + talked + _refused(request))
    writer, results = _commands(writer, lines, results)
    request = replace(request, writer=writer)
    only_tries = any(found[0] is PREVIEW for line in lines if (found := find_command(line)))
    if blocks:
        before = len(results.done) + len(results.failed)
        results += talking.send_blocks(
            request, blocks, before, only_tries=only_tries, most=MOST_COMMANDS
        )
    if only_tries:
        results += Results(ignored=() if results.done else writer.talk)
    elif writer.sitter is not None:
        results += _orders(keyring, request, answered)
    else:
        results += Results(ignored=writer.talk)
    results += _refused(request, results.taken)
    return answer_letter(request, _refused_at_once(writer, results) if results.asks else results)


# --- 1: press and the rest


def _lines(
    request: Request, answered: Answered, written: Sequence[str], *, blocks: bool
) -> tuple[list[str], Results]:
    """Return lines without bullets, those that a yes to a question stands for first, and the
    failure of an answer that is no yes.

    Where no line of a letter to the service itself is a command, the subject may be one.
    """
    lines, subject = (
        [_BULLET.sub("", line) for line in written if line.strip()],
        request.said.subject,
    )
    if (
        request.claimed.target.kind == "service"
        and not any(find_command(line) for line in lines)
        and find_command(subject)
    ):
        return [subject], Results()
    return (lines, Results()) if blocks else questions.read_answer(request, answered, lines)


# --- 3: commands and orders


def _known_again(writer: Writer) -> Writer:
    """Look up the writer's player again, whom a command may just have created."""
    return replace(
        writer, player=accounts.of_address(writer.session, writer.address) or writer.player
    )


def _commands(writer: Writer, lines: Sequence[str], results: Results) -> tuple[Writer, Results]:
    """Carry out the lines that are commands; those that change something wait where the address is
    not proved.
    """
    for line in lines:
        found = find_command(line)
        if found is None:
            continue
        command, more = found
        if len(results.done) + len(results.failed) + len(results.asks) >= MOST_COMMANDS:
            results += failure(line, _OVER)
        elif command.own_seat and writer.sitter is None:
            results += failure(command.word, OWN_SEAT)
        elif not command.changes or writer.proved:
            results += attempt(writer.session, line, partial(command.do, writer, more))
            writer = _known_again(writer)
        elif command.unasked is not None and command.unasked.search(more):
            results += failure(command.word, IN_ANSWER)
        elif len(results.asks) < MOST_ASKED:
            results += Results(asks=(line,))
        elif ("", _TOO_MANY) not in results.failed:
            results += failure("", _TOO_MANY)
    return writer, results


def _orders(keyring: Keyring, request: Request, answered: Answered) -> Results:
    """Hand in the lines that are no commands, as orders of the seat that was written to."""
    session, lines = request.writer.session, request.writer.talk
    if not lines:
        return Results()
    try:
        with session.begin_nested():
            if orders_by_letter.only_talks(session, request.claimed, lines, answered):
                raise Refused(_TO_WHOM)
            text, now = "\n".join(lines), request.writer.now
            taken = orders_by_letter.hand_in(
                session,
                keyring,
                request.claimed,
                text,
                phase=answered.phase,
                now=now,
                withdrawn=_withdrawn(request),
            )
    except Refused as refused:
        return failure(
            " / ".join(lines[:3]),
            f"{refused} {hints.describe_lines(request.writer, lines)}".strip(),
        )
    return Results(
        taken=taken, done=() if taken.handed_in else ((lines[-1], Done(taken.sentence)),)
    )


def _withdrawn(request: Request) -> list[tuple[str, str]]:
    """Return what the letter shows as withdrawn or nobody can see in it, with the reasons why it
    was not read.
    """
    return [(piece, _STRUCK) for piece in request.said.struck] + [
        (piece, _UNSEEN) for piece in request.said.unseen
    ]


def _refused(request: Request, taken: OrdersTaken | None = None) -> Results:
    """Return the withdrawn pieces as failures, unless the receipt lists them; to an unproved
    address only commands, by their word.
    """
    withdrawn, listed = (
        _withdrawn(request),
        (taken.handed_in.letter.refusals if taken and taken.handed_in else ()),
    )
    if any((each.line, each.reason) in withdrawn for each in listed):
        return Results()
    if request.writer.proved:
        return Results(failed=tuple(withdrawn))
    return Results(
        failed=tuple(
            (found[0].word, why) for piece, why in withdrawn if (found := find_command(piece))
        )
    )


# --- 4: commands that wait for a proved address


def _refused_at_once(writer: Writer, results: Results) -> Results:
    """Refuse the commands that would be asked about and can only fail: each is tried after the
    other, then all are rolled back.
    """
    tried: list[Results] = []
    good: list[str] = []
    with writer.session.begin_nested() as trial:
        for line, found in ((line, find_command(line)) for line in results.asks):
            if found is not None:
                shown = line.partition(":")[0][:_SHOWN] if found[0].text else line
                tried += [attempt(writer.session, shown, partial(found[0].do, writer, found[1]))]
                good += [line] if tried[-1].done else []
            writer = _known_again(writer)
        trial.rollback()
    return replace(
        results + sum((Results(failed=each.failed) for each in tried), Results()), asks=tuple(good)
    )
