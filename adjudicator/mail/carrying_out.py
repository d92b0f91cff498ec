"""Carrying out what a person wrote in a letter: its commands, its press, its orders.

`carry_out` takes these steps, all in the transaction that ends the letter's reading:

1. Classify the lines: `letter_lines.sort_lines`. In a letter that confirms a question the commands
   of that question come first.
2. A plain answer to press is sent; where a line of it may be an order or a command, its writer is
   asked. Otherwise:
3. Carry out the commands, then the press, then the orders, each in its own savepoint: a bad line
   never voids the others.
4. Try the commands that wait for a proved address, and roll that back: those that can only fail are
   refused at once.
5. Answer the letter: `answering.answer_letter`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from adjudicator.mail import hints, questions
from adjudicator.mail.answering import Outcome, Results, answer_letter, failure
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.commands.recognition import describe_slip, guess_command
from adjudicator.mail.letter_lines import SortedLetter, SortedLine, sort_lines
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.press_rules import listed
from adjudicator.service.letters.contents.answer_content import LineReply, ReplySection
from adjudicator.service.orders import likely_orders, orders_by_letter
from adjudicator.service.people import accounts
from adjudicator.service.press.messages import PressDraft, Sent
from adjudicator.service.press.press_by_letter import PressBlock, send_block, send_reply

MOST_COMMANDS = 20  # in one letter
MOST_ASKED = 5  # commands that a question repeats: it may go to somebody who wrote nothing
_SHOWN = 60  # characters of a line with free text, or after `press`, that an answer repeats
_TOO_MANY = LineReply(
    "",
    f"Until your address is confirmed a letter may hold {MOST_ASKED} commands; the others were"
    " passed over. Write them again then.",
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
_TRIES = "A letter that says `preview` sends nothing; write it again without that word."
_UNSURE = "It may be an order or a command, so nothing of this letter was sent, sealed or done."
_AGAIN = (
    "For {whom} write it again below a line `{again}`; write orders and commands in a letter"
    " without anything else."
)
_CUT = (
    "A line of your letter has more than 1,000 characters, or there are more than 400 lines, so"
    " nothing was sent; make it shorter lines."
)


def carry_out(writer: Writer) -> Outcome:
    """Carry out a letter and answer it."""
    letter = sort_lines(writer)
    results = Results()
    if not letter.press:
        letter, results = questions.read_answer(writer, letter)
    replied = _reply_to_press(writer, letter)
    if replied is not None:
        return answer_letter(writer, results + replied + _refuse_withdrawn(writer, Results()))
    writer, results = _do_commands(writer, letter, results)
    results += _send_press(writer, letter, before=len(results.done) + len(results.failed))
    if letter.tries:
        results += Results(ignored=() if results.done else letter.talk)
    elif writer.sitter is None:
        results += Results(ignored=letter.talk)
    elif letter.talk:
        results += _hand_in(writer, letter.talk)
    results += _refuse_withdrawn(writer, results)
    return answer_letter(writer, _refuse_at_once(writer, results) if results.asks else results)


def _attempt(writer: Writer, line: str, work: Callable[[], Done]) -> Results:
    """Do the work of one line in a savepoint."""
    try:
        with writer.session.begin_nested():
            return Results(done=((line, work()),))
    except Refused as refused:
        return failure(line, str(refused))


# --- plain answers to press


def _reply_to_press(writer: Writer, letter: SortedLetter) -> Results | None:
    """Send a plain answer to press, or ask where a line of it may be an order or a command; None
    where it is neither.

    A letter of nothing but orders and commands is neither: it is carried out like any other. In a
    letter of nothing but greetings (`Thanks!`) these are the answer.
    """
    passed_over = tuple(line for line in writer.letter.passed_over if line.strip())
    kept = letter.lines or tuple(map(SortedLine.read, passed_over))
    lines, to = [line.text for line in kept if line.command is None], writer.answered.to
    if to is None or letter.press or not lines:
        return None
    seat_id = writer.claimed.target.seat_id
    likely = (
        likely_orders.likely_orders(writer.session, seat_id, lines) if seat_id is not None else []
    )
    if likely is None:
        return None
    unsure = [line.text for line in kept if _is_like_command(writer, line) or line.text in likely]
    if unsure:
        return _ask(unsure, f"press {', '.join(map(str.lower, to)) or 'all'}:", listed(to))
    if writer.letter.cut:
        return failure(lines[0], _CUT)
    text = letter.written if letter.lines else "\n".join(writer.letter.passed_over)
    work = partial(_send, send_reply, writer, PressDraft(to, text.strip()))
    return _attempt(writer, f"press {listed(to)}", work)


def _is_like_command(writer: Writer, line: SortedLine) -> bool:
    return bool(line.command or guess_command(line.text, masters=writer.run is not None))


def _ask(unsure: Sequence[str], again: str, whom: str) -> Results:
    """Ask about lines that may be orders or commands."""
    why = f"{_UNSURE} {_AGAIN.format(again=again, whom=whom)}"
    return Results(
        failed=tuple(
            LineReply(line, describe_slip(line) + (why if at == 0 else "The same."))
            for at, line in enumerate(unsure[:3])
        )
    )


def _send(send: Callable[..., Sent], writer: Writer, text: PressBlock | PressDraft) -> Done:
    """Send press, and return what an answer says of it: to whom, and every line of it."""
    sent = send(writer.session, writer.claimed.target, writer.known().id, text, now=writer.now)
    return Done(
        f"Sent to {sent.whom}. {sent.readers}".strip(),
        (ReplySection(f"To {sent.whom}, as it was sent", sent.lines),),
    )


# --- commands, press and orders


def _do_commands(writer: Writer, letter: SortedLetter, results: Results) -> tuple[Writer, Results]:
    """Carry out the lines that are commands; those that change something wait where the address is
    not proved.
    """
    for line in letter.lines:
        command, more = line.command, line.more
        if command is None:
            continue
        if len(results.done) + len(results.failed) + len(results.asks) >= MOST_COMMANDS:
            results += failure(line.text, _OVER)
        elif command.own_seat and writer.sitter is None:
            results += failure(command.word, OWN_SEAT)
        elif not command.changes or writer.proved:
            more = "\n".join(letter.talk) if command.tries else more
            results += _attempt(writer, line.text, partial(command.do, writer, more))
            writer = _known_again(writer)
        elif command.unasked is not None and command.unasked.search(more):
            results += failure(command.word, IN_ANSWER)
        elif len(results.asks) < MOST_ASKED:
            results += Results(asks=(line,))
        elif _TOO_MANY not in results.failed:
            results += Results(failed=(_TOO_MANY,))
    return writer, results


def _known_again(writer: Writer) -> Writer:
    """Look up the writer's player again, whom a command may just have created."""
    return replace(
        writer, player=accounts.of_address(writer.session, writer.address) or writer.player
    )


def _send_press(writer: Writer, letter: SortedLetter, *, before: int) -> Results:
    """Send what the letter says to others, after `before` commands; nothing of a cut letter."""
    results = Results()
    for number, block in enumerate(letter.press, before):
        line = f"{block.word} {block.to[:_SHOWN]}".strip()
        if number >= MOST_COMMANDS:
            results += failure(line, _OVER)
        elif letter.tries or writer.letter.cut:
            results += failure(line, _TRIES if letter.tries else _CUT)
        else:
            results += _attempt(writer, line, partial(_send, send_block, writer, block))
    return results


def _hand_in(writer: Writer, lines: Sequence[str]) -> Results:
    """Hand in the lines that are no commands, as orders of the seat that was written to."""
    try:
        with writer.session.begin_nested():
            taken = orders_by_letter.hand_in(
                writer.session,
                writer.keyring,
                writer.claimed,
                "\n".join(lines),
                phase=writer.answered.phase,
                answers_press=writer.answered.press,
                now=writer.now,
                withdrawn=_withdrawn(writer),
            )
    except Refused as refused:
        return failure(
            " / ".join(lines[:3]), f"{refused} {hints.describe_lines(writer, lines)}".strip()
        )
    return Results(
        taken=taken, done=() if taken.handed_in else ((lines[-1], Done(taken.sentence)),)
    )


# --- what is refused


def _withdrawn(writer: Writer) -> list[tuple[str, str]]:
    """Return what the letter shows as withdrawn or nobody can see in it, with the reasons why it
    was not read.
    """
    return [(piece, _STRUCK) for piece in writer.letter.struck] + [
        (piece, _UNSEEN) for piece in writer.letter.unseen
    ]


def _refuse_withdrawn(writer: Writer, results: Results) -> Results:
    """Return the withdrawn pieces as failures, unless the receipt lists them; to an unproved
    address only commands, by their word.
    """
    handed_in = results.taken.handed_in if results.taken else None
    refused = {(each.line, each.reason) for each in handed_in.letter.refusals} if handed_in else ()
    withdrawn = _withdrawn(writer)
    if any(each in refused for each in withdrawn):
        return Results()
    if not writer.proved:
        withdrawn = [
            (command.word, why)
            for piece, why in withdrawn
            if (command := SortedLine.read(piece).command)
        ]
    return Results(failed=tuple(LineReply(piece, why) for piece, why in withdrawn))


def _refuse_at_once(writer: Writer, results: Results) -> Results:
    """Refuse the commands that would be asked about and can only fail: each is tried after the
    other, then all are rolled back.
    """
    failed = Results()
    good: list[SortedLine] = []
    with writer.session.begin_nested() as trial:
        for line in results.asks:
            if line.command is not None:
                shown = line.text.partition(":")[0][:_SHOWN] if line.command.text else line.text
                tried = _attempt(writer, shown, partial(line.command.do, writer, line.more))
                failed += Results(failed=tried.failed)
                good += [line] if tried.done else []
            writer = _known_again(writer)
        trial.rollback()
    return replace(results + failed, asks=tuple(good))
