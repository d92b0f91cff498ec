"""The work on one letter: what was done, what failed and why, what was ignored; and the one answer that lists it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from adjudicator.mail import meant
from adjudicator.mail import press_lines as press
from adjudicator.mail.commands import preview, run
from adjudicator.mail.commands.command import Done, Section, Writer
from adjudicator.mail.press_lines import Block
from adjudicator.mail.reading.letter_text import Said
from adjudicator.platform.words import as_seat, listing
from adjudicator.play.submission import TooLong
from adjudicator.seal.keyfile import Keyring
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters import acknowledgements
from adjudicator.service.letters.acknowledgements import Answer
from adjudicator.service.letters.incoming import Claimed, Disposition
from adjudicator.service.orders import orders_by_letter
from adjudicator.service.orders.orders_by_letter import Taken
from adjudicator.service.people import accounts
from adjudicator.service.press import replies
from adjudicator.service.press.messages import write_by_letter
from adjudicator.service.press.replies import Talk
from adjudicator.service.views import game_info

MOST_COMMANDS = 20  # in one letter
MOST_ASKED = 5  # commands that a question repeats: it may go to somebody who wrote nothing
MOST_SHOWN = 20  # lines that an answer repeats
MOST_SHOWN_UNPROVED = 4  # of each kind, to an address that only From gives: who writes in others' names gets little of it
LONGEST_UNPROVED = 1_600  # characters of an answer's sentences and sections there
_TOO_MANY = f"Until your address is confirmed a letter may hold {MOST_ASKED} commands; the others were passed over. Write them again then."
_TRIES = "A letter that says `preview` sends nothing; write it again without that word."
_TO_WHOM = (
    "It answers press, holds no orders, and does not say to whom it goes, so nothing was sent. "
    "Write it again below a line such as `press france:` or `press all:`."
)
_UNSURE = "It may be an order or a command, so nothing of this letter was sent, sealed or done."
_AGAIN = "For {whom} write it again below a line `{again}`; write orders and commands in a letter without anything else."
_CUT = "A line of your letter has more than 1,000 characters, or there are more than 400 lines, so nothing was sent; make it shorter lines."


@dataclass(frozen=True)
class Outcome:
    """What became of a letter."""

    disposition: Disposition
    reason: str = ""  # a sentence that repeats nothing of the letter
    closes: str = ""  # the match whose phase can close now


@dataclass
class Work:
    """What has been made of a letter so far; each step works in a savepoint, so one bad line never voids the rest."""

    writer: Writer
    claimed: Claimed
    said: Said
    done: list[tuple[str, Done]] = field(default_factory=list)  # lines and what they did
    failed: list[tuple[str, str]] = field(default_factory=list)  # lines and why not
    ignored: list[str] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)  # commands that wait until their address is proved
    meant: str = ""  # what a letter without any command was probably meant as
    taken: Taken | None = None
    only_tries: bool = False  # whether it says `preview`: then it seals nothing

    @property
    def did_anything(self) -> bool:
        """Whether any line was more than talk."""
        return bool(self.done or self.failed or self.asks or self.taken)

    def command(self, line: str) -> bool:
        """Carry a line out if it is a command; returns whether it is one."""
        found = run.find(line)
        if found is None:
            return False
        command, more = found
        self.only_tries |= command.WORD == preview.WORD
        if len(self.done) + len(self.failed) + len(self.asks) >= MOST_COMMANDS:
            self.failed.append((line, f"One letter may hold {MOST_COMMANDS} commands at most."))
        elif command.CHANGES and not self.writer.proved and len(self.asks) >= MOST_ASKED:
            self.failed += [("", _TOO_MANY)] if ("", _TOO_MANY) not in self.failed else []
        elif command.CHANGES and not self.writer.proved:
            self.asks.append(line)
        else:
            self._do(line, lambda: command.do(self.writer, more))
        return True

    def refuse_at_once(self) -> None:
        """Refuse the commands that would be asked about and can only fail: they are tried one after the other, and taken back."""
        writer, session = self.writer, self.writer.session
        if not self.asks:
            return
        good: list[str] = []
        with session.begin_nested() as trial:
            for line in self.asks:
                found = run.find(line)
                try:
                    with session.begin_nested():
                        _ = found and found[0].do(self.writer, found[1])
                    good.append(line)
                except Refused as refused:
                    self.failed.append((line, str(refused)))
                self._look_who_writes()
            trial.rollback()
        self.writer, self.asks = writer, good

    def _do(self, line: str, work: Any) -> None:
        session = self.writer.session
        try:
            with session.begin_nested():
                self.done.append((line, work()))
        except Refused as refused:
            self.failed.append((line, str(refused)))
        self._look_who_writes()

    def _look_who_writes(self) -> None:
        """Look again for the writer's player, whom a command may just have made."""
        self.writer = replace(self.writer, player=accounts.of_address(self.writer.session, self.writer.address) or self.writer.player)

    def press(self, blocks: Sequence[Block]) -> None:
        """Send what the letter says to other seats; of a letter whose end is missing nothing is sent."""
        for block in blocks:
            if len(self.done) + len(self.failed) >= MOST_COMMANDS:
                self.failed.append((block.line, f"One letter may hold {MOST_COMMANDS} commands at most."))
            elif self.only_tries or self.said.cut:
                self.failed.append((block.line, _TRIES if self.only_tries else _CUT))
            else:
                self._do(block.line, partial(self._send, block))

    def _send(self, block: Block) -> Done:
        seat_id = self.claimed.target.seat_id or 0
        return press.done(write_by_letter(self.writer.session, seat_id, block.to, block.text, now=self.writer.now))

    def talked(self, talk: Talk, lines: Sequence[str], written: Sequence[str]) -> bool:
        """Send a plain answer to press, or ask where a line of it may be an order or a command; returns whether it was either.

        A letter of nothing but orders and commands is neither: it is carried out like any other.
        """
        session, kept = self.writer.session, [line for line in lines if line.strip()]
        said = [line for line in kept if run.find(line) is None]
        try:
            if not said or replies.all_orders(session, talk, said):
                return False
        except TooLong:
            return False  # which the handing in says
        unsure = [line for line in kept if run.find(line) or meant.command(line) or line.strip(" .,;:!").lower() in meant.ORDER_WORDS]
        unsure += replies.orders_in(session, talk, [line for line in said if line not in unsure])
        unsure = [line for line in kept if line in unsure]
        whom = listing(list(map(as_seat, talk.to))) if talk.to else "everybody"
        if unsure:
            again = f"press {', '.join(map(str.lower, talk.to)) or 'all'}:"
            why = f"{_UNSURE} {_AGAIN.format(again=again, whom=whom)}"
            self.failed += [(line, _slip(line) + (why if number == 0 else "The same.")) for number, line in enumerate(unsure[:3])]
        elif self.said.cut:
            self.failed.append((said[0], _CUT))
        else:
            self._do(f"press {whom}", lambda: press.done(replies.send(session, talk, "\n".join(written).strip(), now=self.writer.now)))
        return True

    def hand_in(self, keyring: Keyring, lines: Sequence[str], refers_to: Sequence[str]) -> None:
        """Hand in the lines that are no commands, as orders of the seat that was written to."""
        session, sitter = self.writer.session, self.writer.sitter
        if not lines or sitter is None:
            return
        phase = orders_by_letter.answered_phase(session, self.claimed, refers_to)
        try:
            with session.begin_nested():
                if orders_by_letter.only_talks(session, self.claimed, lines, refers_to):
                    raise Refused(_TO_WHOM)
                self.taken = orders_by_letter.hand_in(session, keyring, self.claimed, "\n".join(lines), phase=phase)
        except Refused as refused:
            self.failed.append((" / ".join(lines[:3]), str(refused)))
            return
        if self.taken.answer is None:
            self.done.append((lines[-1], Done(self.taken.sentence)))
        refusals = self.taken.context.get("refusals", ())
        self.taken.context["refusals"] = [each | _what_was_meant(each) for each in refusals]


def _slip(line: str) -> str:
    """Return which command a line resembles and is not, as a sentence and a blank; "" where it is one, or resembles none."""
    command = "" if run.find(line) else meant.command(line)
    return f"It looks like the command `{command}`. " if command and command != line.strip(" .,;:!").lower() else ""


def _what_was_meant(refusal: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told of a refused line instead, where it is no order and resembles a command."""
    command = meant.command(refusal["line"]) if refusal["kind"] == "invalid" else ""
    if not command:
        return {}
    return {"reason": f"It is no order, but it looks like the command `{command}`, which is written just so.", "remedies": []}


def answer(work: Work) -> Outcome:
    """Write the one answer to a letter, and return what became of the letter."""
    writer, taken = work.writer, work.taken
    disposition: Disposition = "orders" if taken else "commands" if work.done or work.failed else "asked" if work.asks else "empty"
    closes = writer.sitter.uid if writer.sitter and taken and taken.closes_now else ""
    if not writer.address:
        return Outcome(disposition, "Its player has no address, so nobody was answered.", closes)
    if not acknowledgements.put(writer.session, work.claimed, lambda: _answer(work), address=writer.address, now=writer.now):
        return Outcome(disposition, acknowledgements.NOT_ANSWERED, closes)
    return Outcome(disposition, "", closes)


def _answer(work: Work) -> Answer:
    writer, taken = work.writer, work.taken
    player_id = writer.player.id if writer.player else None
    told = _told(work)
    if taken is not None and taken.answer is not None:
        sealed = taken.answer
        return Answer("receipt", taken.context | told, player_id, sealed.seat, taken.receipt_id, sealed.phase)
    if work.asks:
        words = list(dict.fromkeys(found[0].WORD for each in work.asks if (found := run.find(each))))
        token = acknowledgements.ask(writer.session, writer.address, work.asks, now=writer.now)
        return Answer(
            "confirm",
            told | {"wanted": list(work.asks), "wanted_words": words, "reply_token": token, "days": acknowledgements.LASTS.days},
            player_id,
        )
    about = _about(work)
    phase = orders_by_letter.open_number(writer.session, about["uid"]) if "reply_token" in about else None
    return Answer("answer", told | about, player_id, about.get("seat"), phase=phase)


def _about(work: Work) -> dict[str, Any]:
    """Return the match that an answer belongs to, and the seat that an answer to it goes to: nothing where it is about none, or several."""
    named = [done for _, done in work.done if done.uid]
    sitter = work.writer.sitter
    if sitter is not None and all(done.uid == sitter.uid for done in named):
        now = orders_by_letter.sitter(work.writer.session, work.claimed.target.seat_id or 0)  # its address may have been changed just now
        return orders_by_letter.about(work.writer.session, sitter.uid) | {"seat": sitter.seat} | ({"reply_token": now.token} if now else {})
    if len({done.uid for done in named}) != 1:
        return {}
    token = next((done.reply_token for done in named if done.reply_token), "")
    return orders_by_letter.about(work.writer.session, named[0].uid) | ({"reply_token": token} if token else {})


def _told(work: Work) -> dict[str, Any]:
    """Return what every answer lists.

    Where only From names the reader it is short, and no talk is repeated: it may be anybody's advertising.
    """
    proved = work.writer.proved
    most = MOST_SHOWN if proved else MOST_SHOWN_UNPROVED
    done = work.done if proved else list({done: (line, done) for line, done in work.done}.values())[:most]
    failed = list(dict.fromkeys(work.failed))
    whole = [section for _, done in done for section in done.sections]
    room = LONGEST_UNPROVED - sum(len(done.sentence) for _, done in done) - sum(len(why) for _, why in failed[:most])
    sections = whole if proved else _within(whole, room)
    views = [done.view for _, done in done if done.view]
    ignored = work.ignored[:MOST_SHOWN] if proved else []
    newcomer = bool(work.meant) and work.writer.player is None and not proved
    shown = {"view": views[-1]} if views else {}
    return shown | {
        "zone": work.writer.zone,
        "sender": work.said.sender,
        "in_reply_to": work.said.message_id,
        "done": [{"line": line, "sentence": done.sentence} for line, done in done],
        "failed": [{"line": line, "sentence": why} for line, why in failed[:most]],
        "more_failed": max(0, len(failed) - most),
        "ignored": ignored,
        "more_ignored": 0 if newcomer else len(work.ignored) - len(ignored),
        "cut": work.said.cut,
        "meant": work.meant,
        "games": [about.key for about in game_info.games()] if newcomer else [],
        "sections": [_section(each) for each in sections],
        "shortened": sections != whole,
        "told_links": [[title, f"{work.writer.settings.site_url}{path}"] for _, done in done for title, path in done.links],
        "rules_of": next((done.rules_of for _, done in done if done.rules_of), ""),
    }


def _within(sections: Sequence[Section], most: int) -> list[Section]:
    """Return as many of the first sections as have `most` characters together, the last of them cut at a line."""
    kept: list[Section] = []
    for section in sections:
        room = most - sum(map(_length, kept))
        if _length(section) <= room:
            kept.append(section)
            continue
        lines = [line for number, line in enumerate(section.lines) if sum(map(len, section.lines[: number + 1])) <= room]
        if lines and not section.fixed:
            kept.append(replace(section, lines=tuple(lines), pairs=()))
        break
    return kept


def _length(section: Section) -> int:
    return len(section.title) + sum(map(len, section.lines)) + sum(len(said) + len(meaning) for said, meaning in section.pairs)


def _section(section: Section) -> dict[str, Any]:
    """Return a section as plain values; a `board` keeps its columns."""
    told: dict[str, Any] = {"title": section.title, "lines": [], "pairs": [list(pair) for pair in section.pairs], "orders": section.orders}
    return told | ({"board": "\n".join(section.lines)} if section.fixed else {"lines": list(section.lines)})
