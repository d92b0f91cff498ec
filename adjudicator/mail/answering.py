"""The work on one letter: what was done, what failed and why, what was ignored; and the one answer that lists it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from adjudicator.mail import press
from adjudicator.mail.commands import preview, run
from adjudicator.mail.commands.command import Done, Section, Writer
from adjudicator.mail.press import Block
from adjudicator.mail.said import Said
from adjudicator.seal.keyfile import Keyring
from adjudicator.service import accounts, answers, letters
from adjudicator.service.answers import Answer
from adjudicator.service.errors import Refused
from adjudicator.service.inbox import Claimed, Disposition
from adjudicator.service.letters import Taken
from adjudicator.service.press import write_by_letter

MOST_COMMANDS = 20  # in one letter
MOST_SHOWN = 20  # lines that an answer repeats
_TRIES = "A letter that says `preview` sends nothing; write it again without that word."
_TO_WHOM = (
    "It answers press, holds no orders, and does not say to whom it goes, so nothing was sent. "
    "Write it again below a line such as `press france:` or `press all:`."
)
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
        elif command.CHANGES and not self.writer.proved:
            self.asks.append(line)
        else:
            self._do(line, lambda: command.do(self.writer, more))
        return True

    def _do(self, line: str, work: Any) -> None:
        session = self.writer.session
        try:
            with session.begin_nested():
                self.done.append((line, work()))
        except Refused as refused:
            self.failed.append((line, str(refused)))
        self.writer = replace(self.writer, player=accounts.of_address(session, self.writer.address) or self.writer.player)

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

    def hand_in(self, keyring: Keyring, lines: Sequence[str], refers_to: Sequence[str]) -> None:
        """Hand in the lines that are no commands, as orders of the seat that was written to."""
        session, sitter = self.writer.session, self.writer.sitter
        if not lines or sitter is None:
            return
        phase = letters.answered_phase(session, self.claimed, refers_to)
        try:
            with session.begin_nested():
                if letters.only_talks(session, self.claimed, lines, refers_to):
                    raise Refused(_TO_WHOM)
                self.taken = letters.hand_in(session, keyring, self.claimed, "\n".join(lines), phase=phase)
        except Refused as refused:
            self.failed.append((" / ".join(lines[:3]), str(refused)))
            return
        if self.taken.answer is None:
            self.done.append((lines[-1], Done(self.taken.sentence)))


def answer(work: Work) -> Outcome:
    """Write the one answer to a letter, and return what became of the letter."""
    writer, taken = work.writer, work.taken
    disposition: Disposition = "orders" if taken else "commands" if work.done or work.failed else "asked" if work.asks else "empty"
    closes = writer.sitter.uid if writer.sitter and taken and taken.closes_now else ""
    if not writer.address:
        return Outcome(disposition, "Its player has no address, so nobody was answered.", closes)
    if not answers.put(writer.session, work.claimed, lambda: _answer(work), address=writer.address, now=writer.now):
        return Outcome(disposition, answers.NOT_ANSWERED, closes)
    return Outcome(disposition, "", closes)


def _answer(work: Work) -> Answer:
    writer, taken = work.writer, work.taken
    player_id = writer.player.id if writer.player else None
    told = _told(work)
    if taken is not None and taken.answer is not None:
        sealed = taken.answer
        return Answer("receipt", taken.context | told, player_id, sealed.seat, taken.receipt_id, sealed.phase)
    if work.asks:
        token = answers.ask(writer.session, writer.address, work.asks, now=writer.now)
        return Answer("confirm", told | {"wanted": list(work.asks), "reply_token": token, "days": answers.LASTS.days}, player_id)
    about = _about(work)
    phase = letters.open_number(writer.session, about["uid"]) if "reply_token" in about else None
    return Answer("answer", told | about, player_id, about.get("seat"), phase=phase)


def _about(work: Work) -> dict[str, Any]:
    """Return the match that an answer belongs to, and the seat that an answer to it goes to: nothing where it is about none, or several."""
    named = [done for _, done in work.done if done.uid]
    sitter = work.writer.sitter
    if sitter is not None and all(done.uid == sitter.uid for done in named):
        now = letters.sitter(work.writer.session, work.claimed.target.seat_id or 0)  # its address may have been changed just now
        return letters.about(work.writer.session, sitter.uid) | {"seat": sitter.seat} | ({"reply_token": now.token} if now else {})
    if len({done.uid for done in named}) != 1:
        return {}
    token = next((done.reply_token for done in named if done.reply_token), "")
    return letters.about(work.writer.session, named[0].uid) | ({"reply_token": token} if token else {})


def _told(work: Work) -> dict[str, Any]:
    """Return what every answer lists. Where only From names the reader no talk is repeated: it may be anybody's advertising."""
    sections = [section for _, done in work.done for section in done.sections]
    views = [done.view for _, done in work.done if done.view]
    ignored = work.ignored[:MOST_SHOWN] if work.writer.proved else []
    shown = {"view": views[-1]} if views else {}
    return shown | {
        "zone": work.writer.zone,
        "sender": work.said.sender,
        "in_reply_to": work.said.message_id,
        "done": [{"line": line, "sentence": done.sentence} for line, done in work.done],
        "failed": [{"line": line, "sentence": why} for line, why in work.failed[:MOST_SHOWN]],
        "ignored": ignored,
        "more_ignored": len(work.ignored) - len(ignored),
        "cut": work.said.cut,
        "sections": [_section(each) for each in sections],
        "rules_of": next((done.rules_of for _, done in work.done if done.rules_of), ""),
    }


def _section(section: Section) -> dict[str, Any]:
    """Return a section as plain values; a `board` keeps its columns."""
    told: dict[str, Any] = {"title": section.title, "lines": [], "pairs": [list(pair) for pair in section.pairs]}
    return told | ({"board": "\n".join(section.lines)} if section.fixed else {"lines": list(section.lines)})
