"""The one answer to a letter: its kind, and what it lists of the letter's lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from adjudicator.mail import hints
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.commands.recognition import find_command, guess_command
from adjudicator.mail.intents import guess_wish
from adjudicator.mail.reading.letter_text import LetterText
from adjudicator.service.handover import offers
from adjudicator.service.letters import acknowledgements
from adjudicator.service.letters.contents.answer_content import (
    AnswerLetter,
    ConfirmLetter,
    LineReply,
    ReceiptLetter,
    Reply,
    ReplySection,
)
from adjudicator.service.letters.incoming import Disposition, LetterToRead
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.matches import seats
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.orders.orders_by_letter import OrdersTaken
from adjudicator.service.tokens import master_addresses
from adjudicator.service.tokens.references import Reference
from adjudicator.service.views import game_info

MOST_SHOWN = 20  # lines that an answer repeats
MOST_SHOWN_UNPROVED = 4  # of each kind, to an address that only From gives: forging it must not pay
LONGEST_UNPROVED = 1_600  # characters of an answer's sentences and sections there


@dataclass(frozen=True)
class Request:
    """A letter that a person wrote: the row it came in, what it says, and whom it speaks for."""

    claimed: LetterToRead
    said: LetterText
    writer: Writer


@dataclass(frozen=True)
class Outcome:
    """What became of a letter."""

    disposition: Disposition
    reason: str = ""  # a sentence that repeats nothing of the letter


@dataclass(frozen=True)
class Results:
    """What became of a letter's lines; each step returns its own results, which are added."""

    done: tuple[tuple[str, Done], ...] = ()  # lines and what they did
    failed: tuple[tuple[str, str], ...] = ()  # lines and why not
    ignored: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()  # commands that wait until their address is proved
    taken: OrdersTaken | None = None
    meant: str = ""  # the command that a letter without one probably meant

    def __add__(self, more: "Results") -> "Results":
        """Return both, those of self first."""
        return Results(
            self.done + more.done,
            self.failed + more.failed,
            self.ignored + more.ignored,
            self.asks + more.asks,
            more.taken or self.taken,
            more.meant or self.meant,
        )

    @property
    def did_anything(self) -> bool:
        """Whether any line was a command, press or orders."""
        return bool(self.done or self.failed or self.asks or self.taken)


def failure(line: str, why: str) -> Results:
    """Return the result of one line that was not carried out."""
    return Results(failed=((line, why),))


def answer_letter(request: Request, results: Results) -> Outcome:
    """Put the one answer to a letter into the outbox, and return what became of the letter.

    A stranger whose letter held nothing to answer gets no answer: the letter is discarded.
    """
    writer, taken = request.writer, results.taken
    if not results.did_anything:
        results += Results(meant=_meant(request))
        if writer.player is None and not writer.proved and not results.meant:
            return Outcome(
                "discarded", "No line of it is a command, and nobody of its address plays here."
            )
    disposition: Disposition = (
        "orders"
        if taken
        else "commands"
        if results.done or results.failed
        else "asked"
        if results.asks
        else "empty"
    )
    if not writer.address:
        return Outcome(disposition, "Its player has no address, so nobody was answered.")
    write, player_id = (
        partial(_written, request, results),
        (writer.player.id if writer.player else None),
    )
    answered = acknowledgements.put_acknowledgement(
        writer.session,
        request.claimed,
        write,
        address=writer.address,
        now=writer.now,
        player_id=player_id,
    )
    return Outcome(disposition, "" if answered else acknowledgements.NOT_ANSWERED)


def _meant(request: Request) -> str:
    """Return what a letter without a command was probably meant as; a newcomer gets such a hint
    once a day.
    """
    writer, lines = (
        request.writer,
        [line for line in (*request.said.lines, request.said.subject) if line.strip()],
    )
    if writer.player is not None or writer.proved:
        return next(
            filter(None, (guess_command(line, masters=writer.run is not None) for line in lines)),
            "",
        )
    fresh = acknowledgements.answers_left(
        writer.session, request.claimed.target, writer.address, writer.now
    )
    return guess_wish(lines) if fresh.left and not fresh.given else ""


def _written(
    request: Request, results: Results
) -> tuple[AnswerLetter | ConfirmLetter | ReceiptLetter, LetterReference]:
    """Return the answer and the match it is about: a receipt, else a question to confirm, else a
    list of what was done.

    A question inserts a row, so call this only for an answer that will be sent.
    """
    writer = request.writer
    view = next((done.view for _, done in reversed(results.done) if done.view), "")
    common = vars(_reply(request, results)) | {
        "zone": writer.zone,
        "in_reply_to": request.said.message_id,
        "view": view,
    }
    taken = results.taken.handed_in if results.taken else None
    if taken is not None:
        return (
            replace(
                taken.letter, refusals=hints.hint_refusals(writer, taken.letter.refusals), **common
            ),
            taken.about,
        )
    if results.asks:
        words = tuple(
            dict.fromkeys(found[0].word for each in results.asks if (found := find_command(each)))
        )
        token = acknowledgements.ask_confirmation(
            writer.session, writer.address, results.asks, now=writer.now
        )
        days = acknowledgements.LASTS.days
        return (
            ConfirmLetter(
                wanted=results.asks, wanted_words=words, days=days, reply_token=token, **common
            ),
            LetterReference(),
        )
    letter, about = _of_match(request, results)
    letter = replace(letter, **common)
    # erasing removes it
    asked = _question_address(request) if letter.reply_token is None and not results.done else None
    return letter if asked is None else replace(letter, reply_token=asked, question=True), about


def _question_address(request: Request) -> Reference | None:
    """Return the reference to the address of the question that was written to, None where it is
    over, or the letter came elsewhere.
    """
    target, session = request.claimed.target, request.writer.session
    if target.kind == "confirmation":
        question = acknowledgements.find_question(session, request.claimed, request.writer.now)
        return question.reference if question.good else None
    if target.kind == "invitation":
        kept = seats.kept(session, target.seat_id) if target.seat_id is not None else None
        return kept.reference if kept is not None else None
    return (
        offers.find_offer(session, int(target.ref or 0)).reference
        if target.kind == "offer"
        else None
    )


def _of_match(request: Request, results: Results) -> tuple[AnswerLetter, LetterReference]:
    """Return an empty answer with its match and the seat that is answered; without them where it is
    about no match or several.
    """
    writer, session = request.writer, request.writer.session
    uids = {done.uid for _, done in results.done if done.uid}
    if writer.sitter is not None and uids <= {writer.sitter.uid}:
        # a command may just have changed its address, or left the seat
        now = orders_by_letter.find_sitter(session, request.claimed)
        uid, seat, token = writer.sitter.uid, writer.sitter.seat, now.address if now else None
    elif writer.run is not None and uids <= {writer.run.uid}:
        # a command may just have changed its address
        run = master_addresses.find_run(session, request.claimed.target.ref)
        uid, seat, token = writer.run.uid, "", run.address if run else None
    elif len(uids) == 1:
        uid, seat, token = (
            uids.pop(),
            "",
            next((done.reply_to for _, done in results.done if done.reply_to), None),
        )
    else:
        return AnswerLetter(), LetterReference()
    match = orders_by_letter.describe_match(session, uid)
    letter = AnswerLetter(
        match=match.name, uid=uid, game_key=match.game, seat=seat, reply_token=token
    )
    tenure = writer.sitter.tenure if writer.sitter and seat else None
    return letter, LetterReference(
        match.id, seat or None, phase=match.phase if token else None, tenure=tenure
    )


def _reply(request: Request, results: Results) -> Reply:
    """Return what every answer lists.

    Where only From names the reader it is short, and unrecognised lines are not repeated: they may
    be somebody's advertising.
    """
    writer, said, proved = request.writer, request.said, request.writer.proved
    most = MOST_SHOWN if proved else MOST_SHOWN_UNPROVED
    done = (
        results.done
        if proved
        else [(line, each) for each, line in {each: line for line, each in results.done}.items()][
            :most
        ]
    )
    failed = list(dict.fromkeys(results.failed))
    whole = tuple(section for _, each in done for section in each.sections)
    room = (
        LONGEST_UNPROVED
        - sum(len(each.sentence) for _, each in done)
        - sum(len(why) for _, why in failed[:most])
    )
    sections = whole if proved else _within(whole, room)
    ignored = results.ignored[:MOST_SHOWN] if proved else ()
    newcomer = bool(results.meant) and writer.player is None and not proved
    return Reply(
        sender=said.sender,
        done=tuple(LineReply(line, each.sentence) for line, each in done),
        failed=tuple(LineReply(line, why) for line, why in failed[:most]),
        more_failed=max(0, len(failed) - most),
        ignored=ignored,
        more_ignored=0 if newcomer else len(results.ignored) - len(ignored),
        cut=said.cut,
        meant=results.meant,
        hint=_hint(request, results),
        games=tuple(about.key for about in game_info.games()) if newcomer else (),
        sections=sections,
        shortened=sections != whole,
        told_links=tuple(
            (title, f"{writer.settings.site_url}{path}")
            for _, each in done
            for title, path in each.links
        ),
        rules_of=next((each.rules_of for _, each in done if each.rules_of), ""),
    )


def _hint(request: Request, results: Results) -> str:
    """Return the sentence for a letter that says in plain words what it wants, "" for a stranger's
    or one with commands or orders.
    """
    writer, said = request.writer, request.said
    if results.did_anything or results.meant or (writer.player is None and not writer.proved):
        return ""
    return hints.describe_lines(writer, said.lines) or hints.describe_lines(writer, [said.subject])


def _within(sections: Sequence[ReplySection], most: int) -> tuple[ReplySection, ...]:
    """Return the first sections that have at most `most` characters together, the last of them cut
    at a line.
    """
    kept: list[ReplySection] = []
    for section in sections:
        room = most - sum(map(_length, kept))
        if _length(section) <= room:
            kept.append(section)
            continue
        lines = tuple(
            line
            for number, line in enumerate(section.lines)
            if sum(map(len, section.lines[: number + 1])) <= room
        )
        pairs = tuple(
            pair
            for number, pair in enumerate(section.pairs)
            if _pair_length(*section.pairs[: number + 1]) <= room
        )
        if lines or pairs:
            kept.append(replace(section, lines=lines, pairs=() if section.lines else pairs))
        break
    return tuple(kept)


def _length(section: ReplySection) -> int:
    lines = (*section.lines, *section.board.splitlines())
    return len(section.title) + sum(map(len, lines)) + _pair_length(*section.pairs)


def _pair_length(*pairs: tuple[str, str]) -> int:
    return sum(len(said) + len(meaning) for said, meaning in pairs)
