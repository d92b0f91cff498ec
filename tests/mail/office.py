"""A post office for tests: letters written to the service go through its inbox, its reader and its outbox, with a clock set by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import format_datetime
from itertools import count
from pathlib import Path

from sqlmodel import col, select

from adjudicator.mail import addresses
from adjudicator.mail.answering import Outcome
from adjudicator.mail.read import Room, read
from adjudicator.mail.reading.sandbox import Reader
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.base.tables import Incoming
from adjudicator.service.letters import incoming
from adjudicator.service.letters.incoming import Arrival
from tests.mail.table import Table

_numbers = count(1)
SERVICE = "orders@example.org"


class Office(Table):
    """A table whose letters can be answered."""

    def __init__(self, database_url: str, folder: Path, reader: Reader, **changes: object) -> None:
        super().__init__(database_url, folder, **{"inbox_url": "smtp://127.0.0.1:2525", **changes})
        self.room = Room(self.settings, self.database, self.keyring, reader)

    # --- letters in

    def deliver(self, to: str, raw: bytes, *, null_sender: bool = False, via: str = "smtp") -> bool:
        """Bring a letter to the inbox as it is; returns whether its address is known."""
        token = addresses.token_of(self.settings, to)
        with self.database.reading() as session:
            target = incoming.target(session, token) if token is not None else None
        if target is None:
            return False
        incoming.store(self.database, [Arrival(target, raw, self.now, via, null_sender)])
        return True

    def write(self, sender: str, to: str, *lines: str, answers: Posted | None = None, subject: str = "", **headers: str) -> Outcome:
        """Write a letter and have it read; returns what became of it."""
        assert self.deliver(to, self.letter(sender, to, *lines, answers=answers, subject=subject, **headers).as_bytes())
        return self.read_all()[-1]

    def letter(
        self, sender: str, to: str, *lines: str, answers: Posted | None = None, subject: str = "", **headers: str
    ) -> EmailMessage:  # fmt: skip
        """Return a letter as a plain mail program writes it, the answered one quoted below."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, subject
        message["Date"], message["Message-ID"] = format_datetime(self.now), f"<{next(_numbers)}@mail.example.org>"
        if answers is not None:
            del message["Subject"]
            message["Subject"] = f"Re: {answers.subject}"
            message["In-Reply-To"] = self.message(answers.name)["Message-ID"]
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        quoted = ["", "On Tuesday somebody wrote:", *(f"> {line}" for line in answers.text.splitlines())] if answers else []
        message.set_content("\n".join([*lines, *quoted]) + "\n")
        return message

    def answer(self, posted: Posted, *lines: str, sender: str = "", **headers: str) -> Outcome:
        """Answer a posted letter: from whom it went to, unless told otherwise, to its Reply-To."""
        return self.write(sender or posted.to, self.reply_to(posted), *lines, answers=posted, **headers)

    def reply_to(self, posted: Posted) -> str:
        """Return the address that an answer to a posted letter goes to."""
        message = self.message(posted.name)
        return str((message["Reply-To"] or message["From"]).addresses[0].addr_spec)

    def read_all(self) -> list[Outcome]:
        """Read what waits, in order."""
        outcomes: list[Outcome] = []
        while waiting := self._waiting():
            outcomes += [outcome for each in waiting if (outcome := read(self.room, each, lambda: self.now)) is not None]
        return outcomes

    def _waiting(self) -> list[int]:
        with self.database.reading() as session:
            return incoming.waiting(session, self.now)

    def came_in(self) -> list[Incoming]:
        """Return the rows of all letters that came in."""
        with self.database.reading() as session:
            return list(session.exec(select(Incoming).order_by(col(Incoming.id))))

    # --- letters out

    def newest(self, to: str, kind: str = "") -> Posted:
        """Return the newest letter to an address, all that wait being posted first."""
        self.post_all()
        return self.letters(kind, to)[-1]


@contextmanager
def office(database_url: str, folder: Path, reader: Reader, **changes: object) -> Iterator[Office]:
    """Open a post office."""
    opened = Office(database_url, folder, reader, **changes)
    try:
        yield opened
    finally:
        opened.database.engine.dispose()
