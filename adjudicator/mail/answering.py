"""The one answer to a letter: its kind, and what it lists of the letter's lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.mail import hints
from adjudicator.mail.commands.command import Done, Writer
from adjudicator.mail.commands.recognition import guess_command
from adjudicator.mail.intents import guess_wish
from adjudicator.mail.letter_lines import SortedLine
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
from adjudicator.service.letters.incoming import Disposition
from adjudicator.service.letters.outbox import LetterReference
from adjudicator.service.matches import seats
from adjudicator.service.orders import sitters
from adjudicator.service.orders.orders_by_letter import OrdersTaken
from adjudicator.service.tokens import master_addresses
from adjudicator.service.tokens.references import Reference
from adjudicator.service.views import game_info, letter_context

MOST_SHOWN = 20  # lines that an answer repeats
MOST_SHOWN_UNPROVED = 4  # of each kind, to an address that only From gives: forging it must not pay
LONGEST_UNPROVED = 1_600  # characters of an answer's sentences and sections there


@dataclass(frozen=True)
class Outcome:
    """What became of a letter."""

    disposition: Disposition
    reason: str = ""  # a sentence that repeats nothing of the letter


@dataclass(frozen=True)
class Results:
    """What became of a letter's lines; each step returns its own results, which are added."""

    done: tuple[tuple[str, Done], ...] = ()  # lines and what they did
    failed: tuple[LineReply, ...] = ()  # lines and why not
    ignored: tuple[str, ...] = ()
    asks: tuple[SortedLine, ...] = ()  # commands that wait until their address is proved
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
    return Results(failed=(LineReply(line, why),))


def answer_letter(writer: Writer, results: Results) -> Outcome:
    """Put the one answer to a letter into the outbox, and return what became of the letter.

    A stranger whose letter held nothing to answer gets no answer: the letter is discarded.
    """
    if not results.did_anything:
        results += Results(meant=_meant(writer))
        if writer.player is None and not writer.proved and not results.meant:
            return Outcome(
                "discarded", "No line of it is a command, and nobody of its address plays here."
            )
    disposition: Disposition = (
        "orders"
        if results.taken
        else "commands"
        if results.done or results.failed
        else "asked"
        if results.asks
        else "empty"
    )
    if not writer.address:
        return Outcome(disposition, "Its player has no address, so nobody was answered.")
    letter, about = _write_answer(writer, results)
    answered = acknowledgements.put_acknowledgement(
        writer.session,
        writer.claimed,
        letter,
        about,
        address=writer.address,
        now=writer.now,
        player_id=writer.player.id if writer.player else None,
    )
    return Outcome(disposition, "" if answered else acknowledgements.NOT_ANSWERED)


def _meant(writer: Writer) -> str:
    """Return what a letter without a command was probably meant as; a newcomer gets such a hint
    once a day.
    """
    lines = [line for line in (*writer.letter.lines, writer.letter.subject) if line.strip()]
    if writer.player is not None or writer.proved:
        return next(
            filter(None, (guess_command(line, masters=writer.run is not None) for line in lines)),
            "",
        )
    fresh = acknowledgements.answers_left(
        writer.session, writer.claimed.target, writer.address, writer.now
    )
    return guess_wish(lines) if fresh.left and not fresh.given else ""


def _write_answer(
    writer: Writer, results: Results
) -> tuple[AnswerLetter | ConfirmLetter | ReceiptLetter, LetterReference]:
    """Return the answer and the match it is about: a receipt, else a question to confirm, else a
    list of what was done.
    """
    view = next((done.view for _, done in reversed(results.done) if done.view), "")
    common = vars(_reply(writer, results)) | {
        "zone": writer.zone,
        "in_reply_to": writer.letter.message_id,
        "view": view,
    }
    taken = results.taken.handed_in if results.taken else None
    if taken is not None:
        refusals = hints.hint_refusals(writer, taken.letter.refusals)
        return replace(taken.letter, refusals=refusals, **common), taken.about
    if results.asks:
        wanted = tuple(line.text for line in results.asks)
        words = tuple(dict.fromkeys(line.command.word for line in results.asks if line.command))
        days = acknowledgements.LASTS.days
        letter = ConfirmLetter(wanted=wanted, wanted_words=words, days=days, **common)
        return letter, LetterReference()
    found, about = _of_match(writer, results)
    # erasing removes it
    none = found.get("reply_token") is None and not results.done
    if none and (question_address := _question_address(writer)) is not None:
        found |= {"reply_token": question_address, "question": True}
    return AnswerLetter(**(common | found)), about


def _question_address(writer: Writer) -> Reference | None:
    """Return the reference to the address of the question that was written to, None where it is
    over, or the letter came elsewhere.
    """
    if writer.claimed.target.kind == "confirmation":
        question = acknowledgements.find_question(writer.session, writer.claimed, writer.now)
        return question.reference if question.good else None
    if writer.kept is not None:
        kept = seats.kept(writer.session, writer.kept.seat_id)
        return kept.reference if kept is not None else None
    if writer.offered is not None:
        return offers.find_offer(writer.session, writer.offered.id).reference
    return None


def _of_match(writer: Writer, results: Results) -> tuple[dict[str, Any], LetterReference]:
    """Return what an answer says of its match and the seat that is answered; nothing where it is
    about no match or several.
    """
    session = writer.session
    uids, seat = {done.uid for _, done in results.done if done.uid}, ""
    if writer.sitter is not None and uids <= {writer.sitter.uid}:
        # a command may just have changed its address, or left the seat
        now = sitters.find_sitter(session, writer.claimed)
        uid, seat, token = writer.sitter.uid, writer.sitter.seat, now.address if now else None
    elif writer.run is not None and uids <= {writer.run.uid}:
        # a command may just have changed its address
        run = master_addresses.find_run(session, writer.claimed.target.ref)
        uid, token = writer.run.uid, run.address if run else None
    elif len(uids) == 1:
        uid = uids.pop()
        token = next((done.reply_to for _, done in results.done if done.reply_to), None)
    else:
        return {}, LetterReference()
    match = letter_context.describe_match(session, uid)
    tenure = writer.sitter.tenure if writer.sitter and seat else None
    return (
        {
            "match": match.name,
            "uid": uid,
            "game_key": match.game,
            "seat": seat,
            "reply_token": token,
        },
        LetterReference(
            match.id, seat or None, phase=match.phase if token else None, tenure=tenure
        ),
    )


def _reply(writer: Writer, results: Results) -> Reply:
    """Return what every answer lists.

    Where only From names the reader it is short, and unrecognised lines are not repeated: they may
    be somebody's advertising.
    """
    proved, done = writer.proved, results.done
    most = MOST_SHOWN if proved else MOST_SHOWN_UNPROVED
    if not proved:
        unique = {each: line for line, each in done}
        done = tuple((line, each) for each, line in unique.items())[:most]
    failed = tuple(dict.fromkeys(results.failed))
    whole = tuple(section for _, each in done for section in each.sections)
    room = (
        LONGEST_UNPROVED
        - sum(len(each.sentence) for _, each in done)
        - sum(len(each.sentence) for each in failed[:most])
    )
    sections = whole if proved else _within(whole, room)
    ignored = results.ignored[:MOST_SHOWN] if proved else ()
    newcomer = bool(results.meant) and writer.player is None and not proved
    return Reply(
        sender=writer.letter.sender,
        done=tuple(LineReply(line, each.sentence) for line, each in done),
        failed=failed[:most],
        more_failed=max(0, len(failed) - most),
        ignored=ignored,
        more_ignored=0 if newcomer else len(results.ignored) - len(ignored),
        cut=writer.letter.cut,
        meant=results.meant,
        hint=_hint(writer, results),
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


def _hint(writer: Writer, results: Results) -> str:
    """Return the sentence for a letter that says in plain words what it wants, "" for a stranger's
    or one with commands or orders.
    """
    letter = writer.letter
    if results.did_anything or results.meant or (writer.player is None and not writer.proved):
        return ""
    return hints.describe_lines(writer, letter.lines) or hints.describe_lines(
        writer, [letter.subject]
    )


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
    return sum(len(written) + len(meaning) for written, meaning in pairs)
