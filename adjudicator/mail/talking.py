"""What a letter says to other people of its match: press of a seat, texts of the master, and plain
answers to either.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from adjudicator.mail.answering import Request, Results, failure
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.commands.recognition import (
    ORDER_WORDS,
    describe_slip,
    find_command,
    guess_command,
)
from adjudicator.platform.words import MASTER
from adjudicator.play.submission import TooLong
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.press_rules import listed
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.matches import masters
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.orders.orders_by_letter import Answered, Talk
from adjudicator.service.press import messages, press_recipients
from adjudicator.service.press.messages import PressDraft, Sent, press_names, write_by_letter
from adjudicator.service.press.press_recipients import Named

_PRESS = re.compile(r"\W{0,3}press\b\s*", re.IGNORECASE)
# for masters: below a seat's address it tells their texts from the seat's
_WRITE = re.compile(r"\W{0,3}write\b\s*", re.IGNORECASE)
_END_PRESS = re.compile(r"\W*end\s+(?:of\s+)?(?:press|write)\W*", re.IGNORECASE)
_LONGEST_HEAD = 120  # characters between `press` and the colon: a longer line is a sentence
_SHOWN = 60  # characters after `press` that an answer repeats
_TRIES = "A letter that says `preview` sends nothing; write it again without that word."
_OVER = "One letter may hold {most} commands at most."
_UNSURE = "It may be an order or a command, so nothing of this letter was sent, sealed or done."
_AGAIN = (
    "For {whom} write it again below a line `{again}`; write orders and commands in a letter"
    " without anything else."
)
_CUT = (
    "A line of your letter has more than 1,000 characters, or there are more than 400 lines, so"
    " nothing was sent; make it shorter lines."
)


@dataclass(frozen=True)
class PressBlock:
    """What a letter says to other seats, from a line `press france:` on."""

    to: str  # the text between `press` and the colon
    text: str
    word: str = "press"  # `write` for what a master says as master

    @property
    def line(self) -> str:
        """Its first line as an answer repeats it."""
        return f"{self.word} {self.to[:_SHOWN]}".strip()


def attempt(session: Session, line: str, work: Callable[[], Done]) -> Results:
    """Do the work of one line in a savepoint."""
    try:
        with session.begin_nested():
            return Results(done=((line, work()),))
    except Refused as refused:
        return failure(line, str(refused))


# --- press and the rest


def part_press(request: Request) -> tuple[list[str], list[PressBlock]]:
    """Return the lines of a letter that are no press, and the press of one to a seat or a
    master.
    """
    writer, lines = request.writer, request.said.lines
    if not writer.here or not any(_PRESS.match(line) or _WRITE.match(line) for line in lines):
        return list(lines), []
    runs = writer.player is not None and masters.runs(writer.session, writer.here, writer.player.id)
    return split_press(lines, press_names(writer.session, writer.here), master=runs)


def split_press(
    lines: Sequence[str], names: Named, *, master: bool = False
) -> tuple[list[str], list[PressBlock]]:
    """Return the lines that are no press, and the press; `names` are those of the seats.

    A block of press ends with the line `end press`, with the next `press`, or with the letter. A
    `master` may also begin it with `write`.
    """
    others: list[str] = []
    heads: list[tuple[str, str, list[str]]] = []
    within = False
    for line in lines:
        head = _press_head(line, names, master=master)
        if head is not None:
            heads.append((head[0], head[1], [head[2]]))
            within = True
        elif within and _END_PRESS.fullmatch(line):
            within = False
        else:
            (heads[-1][2] if within else others).append(line)
    return others, [PressBlock(to, "\n".join(text).strip(), word) for word, to, text in heads]


def _press_head(line: str, names: Named, *, master: bool) -> tuple[str, str, str] | None:
    """Return how a line begins press, whom it addresses and the text after its colon, None where it
    begins no press.

    Without a colon a seat has to be named: `Press on!` is only a sentence. `write` needs its colon.
    """
    press, write = _PRESS.match(line), _WRITE.match(line) if master else None
    found = press or write
    if found is None:
        return None
    to, colon, text = line[found.end() :].partition(":")
    if len(to) > _LONGEST_HEAD or not (
        colon or (press and press_recipients.looks_meant(to, names))
    ):
        return None
    return "press" if press else "write", to.strip(), text.strip()


# --- plain answers to press


def talk_back(
    request: Request, answered: Answered, lines: Sequence[str], written: Sequence[str]
) -> Results | None:
    """Send a plain answer to press, or ask where a line of it may be an order or a command; None
    where it is neither.

    A letter of nothing but orders and commands is neither: it is carried out like any other. In a
    letter of nothing but greetings (`Thanks!`) these are the answer.
    """
    writer, passed_over = request.writer, request.said.passed_over
    kept = [line for line in lines or passed_over if line.strip()]
    said = [line for line in kept if find_command(line) is None]
    if not said:
        return None
    text = "\n".join(written if lines else passed_over).strip()
    if writer.sitter is None:
        return _masters_answer(request, answered, kept, text)
    talk = orders_by_letter.press_reply(
        writer.session, request.claimed.target.seat_id or 0, answered.nearest
    )
    try:
        if talk is None or orders_by_letter.all_orders(writer.session, talk, said):
            return None
    except TooLong:
        return None  # handing the lines in refuses them for that
    unsure = _unsure(writer.session, talk, kept, said)
    if unsure:
        return _ask(
            unsure, f"press {', '.join(map(str.lower, talk.to)) or 'all'}:", listed(talk.to)
        )
    if request.said.cut:
        return failure(said[0], _CUT)
    return attempt(
        writer.session,
        f"press {listed(talk.to)}",
        lambda: _sent(orders_by_letter.send_reply(writer.session, talk, text, now=writer.now)),
    )


def _masters_answer(
    request: Request, answered: Answered, kept: Sequence[str], text: str
) -> Results | None:
    """Send a master's plain answer to a seat that wrote to the master."""
    writer, run = request.writer, request.writer.run
    to = orders_by_letter.master_reply(writer.session, run.uid, answered.nearest) if run else None
    if run is None or to is None:
        return None
    unsure = [line for line in kept if find_command(line) or guess_command(line, masters=True)]
    if unsure:
        return _ask(unsure, f"press {to[0].lower()}:", listed(to))
    if request.said.cut:
        return failure(kept[0], _CUT)
    draft = PressDraft(to, text)
    return attempt(
        writer.session,
        f"press {listed(to)}",
        lambda: _sent(
            messages.send_as_master(writer.session, run.uid, run.player_id, draft, now=writer.now)
        ),
    )


def _ask(unsure: Sequence[str], again: str, whom: str) -> Results:
    """Ask about lines that may be orders or commands."""
    why = f"{_UNSURE} {_AGAIN.format(again=again, whom=whom)}"
    return Results(
        failed=tuple(
            (line, describe_slip(line) + (why if at == 0 else "The same."))
            for at, line in enumerate(unsure[:3])
        )
    )


def _unsure(session: Session, talk: Talk, kept: Sequence[str], said: Sequence[str]) -> list[str]:
    """Return those of the lines that may be orders or commands."""
    unsure = {
        line
        for line in kept
        if find_command(line) or guess_command(line) or line.strip(" .,;:!").lower() in ORDER_WORDS
    }
    unsure |= set(
        orders_by_letter.orders_in(session, talk, [line for line in said if line not in unsure])
    )
    return [line for line in kept if line in unsure]


def _sent(sent: Sent) -> Done:
    """Return what an answer says of press that was sent: to whom, and every line of it."""
    whom = listed(sent.to)
    return Done(f"Sent to {whom}.", (ReplySection(f"To {whom}, as it was sent", sent.lines),))


# --- sending


def send_blocks(
    request: Request, blocks: Sequence[PressBlock], before: int, *, only_tries: bool, most: int
) -> Results:
    """Send what the letter says to others, `before` of at most `most` commands having been carried
    out; nothing of a cut letter.
    """
    results, writer = Results(), request.writer
    for number, block in enumerate(blocks, before):
        if number >= most:
            results += failure(block.line, _OVER.format(most=most))
        elif only_tries or request.said.cut:
            results += failure(block.line, _TRIES if only_tries else _CUT)
        else:
            results += attempt(
                writer.session,
                block.line,
                lambda block=block: _send(  # type: ignore[misc]
                    writer, request.claimed.target.seat_id, block
                ),
            )
    return results


def _send(writer: Writer, seat_id: int | None, block: PressBlock) -> Done:
    """Send one text: as master where it came to the master's address or says `write`, else as the
    seat.
    """
    session, now = writer.session, writer.now
    if seat_id is not None and block.word == "press":
        sent = write_by_letter(session, seat_id, block.to, block.text, now=now)
        done = _sent(sent)
        return (
            Done(f"{done.sentence} {messages.told_master(session, writer.here)}", done.sections)
            if sent.to == (MASTER,)
            else done
        )
    master_id = writer.known().id
    return _sent(
        messages.write_as_master_by_letter(
            session, writer.here, master_id, block.to, block.text, now=now
        )
    )
