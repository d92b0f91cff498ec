"""The harness of the tests of letters: letters in pass the inbox and the reader, letters out are
posted to a local mailbox.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import format_datetime
from functools import cached_property
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from sqlmodel import col, select

from adjudicator.mail import addresses
from adjudicator.mail.answering import Outcome
from adjudicator.mail.read import Room, read_letter
from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.mail.sending.mailbox import LocalMailbox, Posted
from adjudicator.mail.sending.post import Carrier, PostRoom, post_letters
from adjudicator.platform.config import Settings, read_settings
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.tables import Incoming, Letter
from adjudicator.service.letters import incoming, outbox, receiving
from adjudicator.service.letters.receiving import Arrival
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.phases import beginning
from adjudicator.service.tokens import arrivals, references
from tests import cast
from tests.harness import Harness
from tests.letters_out import claim_letter
from tests.prepared import keys_in

# a Sunday; the first deadline is Tue 24 Nov 20:00 in Paris
EVENING = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)
# people as letters identify them: by address
ALICE, BOB, CHARLIE = (cast.address(name) for name in cast.PLAYERS)
ZONES = {ALICE: "Europe/Paris", BOB: "America/New_York", CHARLIE: "Asia/Kathmandu"}
SERVICE = "orders@example.org"
_numbers = count(1)


class MailHarness(Harness):
    """A harness with settings and a local mailbox; with a reader it also receives letters, and its
    letters can be answered.
    """

    def __init__(
        self, database_url: str, folder: Path, reader: LetterReader | None = None, **changes: object
    ) -> None:
        usual = {"site_url": "https://orders.example.org", "mail_address": SERVICE}
        answerable = {"inbox_url": "smtp://127.0.0.1:2525"} if reader else {}
        self.settings: Settings = read_settings(
            data_dir=folder, database_url=database_url, **(usual | answerable | changes)
        )
        super().__init__(database_url, keys_in(folder), now=EVENING)
        self.uid = ""  # of the newest match
        self._reader = reader

    @property
    def mailbox(self) -> LocalMailbox:
        return LocalMailbox(self.settings.data_dir / "mailbox")

    # --- the newest match

    def player(self, who: str, *, guest: bool = False, zone: str = "") -> int:
        return super().player(who, guest=guest, zone=zone or ZONES.get(who, "UTC"))

    def begin(
        self,
        *people: str,
        game: str = "pyramid",
        name: str = "Evening Pyramid",
        house: int = 0,
        **options: object,
    ) -> str:
        """Make and start a match of these people; the first one is its master."""
        wish = Wish(game, name, options, players=len(people) + house, house=house, grace_minutes=10)
        self.uid = self.match(*people, wish=wish)
        return self.uid

    def play_round(self, *texts: str) -> None:
        """Submit orders for Alice, Bob and Charlie ("" is silence) and close the phase: at once, or
        at its deadline.
        """
        for who, text in zip(ZONES, texts, strict=True):
            if text:
                self.order(self.uid, who, text)
        if not all(texts):
            self.later(hours=48, minutes=10)
        assert self.close(self.uid)

    # --- letters out

    def post_all(self) -> int:
        """Sign receipts and post all waiting letters; return how many were sent."""
        receipts.sign_receipts(self.database, self.keyring)
        with self.database.read_tx() as session:
            waiting = outbox.waiting_letters(session, self.now)
        with closing(Carrier(self.settings)) as carrier:
            room = PostRoom(self.settings, self.database, self.keyring, carrier, lambda: self.now)
            return sum(post_letters(room, [letter]) for letter in waiting)

    def rows(self) -> Sequence[Letter]:
        with self.database.read_tx() as session:
            return session.exec(select(Letter).order_by(col(Letter.id))).all()

    def letters(self, kind: str = "", to: str = "") -> list[Posted]:
        """Return the posted letters of one kind to one address, in the order they were written."""
        return [
            letter
            for row in self._sent(kind, to)
            if (letter := self.mailbox.letter(row.uid)) is not None
        ]

    def _sent(self, kind: str, to: str) -> list[Letter]:
        return [
            row
            for row in self.rows()
            if (not kind or row.kind == kind)
            and (not to or row.address == to)
            and row.state == "sent"
        ]

    def message(self, name: str) -> EmailMessage:
        """Return a posted letter as mail."""
        return message_from_bytes(
            (self.mailbox.folder / f"{name}.eml").read_bytes(), policy=default
        )

    def claim(self, kind: str, to: str = "") -> outbox.LetterToSend:
        """Claim the newest waiting letter of a kind."""
        return self.claim_row(
            [
                row
                for row in self.rows()
                if row.kind == kind and row.state == "waiting" and to in ("", row.address)
            ][-1]
        )

    def claim_row(self, row: Letter) -> outbox.LetterToSend:
        """Claim this letter; a receipt is signed first."""
        receipts.sign_receipts(self.database, self.keyring)
        assert row.id is not None
        claimed = claim_letter(self.database, self.keyring, row.id, self.now)
        assert claimed is not None
        return claimed

    def newest(self, to: str, kind: str = "") -> Posted:
        """Post all waiting letters and return the newest one to an address."""
        self.post_all()
        return next(
            letter
            for row in reversed(self._sent(kind, to))
            if (letter := self.mailbox.letter(row.uid)) is not None
        )

    # --- letters in

    @cached_property
    def room(self) -> Room:
        assert self._reader is not None, "a harness without a reader takes no letters in"
        return Room(self.settings, self.database, self.keyring, self._reader)

    def deliver(self, to: str, raw: bytes, *, null_sender: bool = False, via: str = "smtp") -> bool:
        """Deliver a letter unchanged to the inbox; return whether its address is known."""
        token = addresses.token_of(self.settings, to)
        with self.database.read_tx() as session:
            target = receiving.find_target(session, token) if token is not None else None
        if target is None:
            return False
        receiving.store_letters(self.database, [Arrival(target, raw, self.now, via, null_sender)])
        return True

    def write(
        self,
        sender: str,
        to: str,
        *lines: str,
        answers: Posted | None = None,
        subject: str = "",
        **headers: str,
    ) -> Outcome:
        """Write a letter, have it read, and return what became of it."""
        assert self.deliver(
            to,
            self.letter(sender, to, *lines, answers=answers, subject=subject, **headers).as_bytes(),
        )
        return self.read_all()[-1]

    def letter(
        self,
        sender: str,
        to: str,
        *lines: str,
        answers: Posted | None = None,
        subject: str = "",
        **headers: str,
    ) -> EmailMessage:
        """Return a letter as a plain mail program writes it, with the answered one quoted below."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, to, subject
        message["Date"], message["Message-ID"] = (
            format_datetime(self.now),
            f"<{next(_numbers)}@mail.example.org>",
        )
        if answers is not None:
            del message["Subject"]
            message["Subject"] = f"Re: {answers.subject}"
            message["In-Reply-To"] = self.message(answers.name)["Message-ID"]
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        quoted = (
            ["", "On Tuesday somebody wrote:", *(f"> {line}" for line in answers.text.splitlines())]
            if answers
            else []
        )
        message.set_content("\n".join([*lines, *quoted]) + "\n")
        return message

    def answer(self, posted: Posted, *lines: str, sender: str = "", **headers: str) -> Outcome:
        """Answer a posted letter at its Reply-To, from its recipient or from `sender`."""
        return self.write(
            sender or posted.to, self.reply_to(posted), *lines, answers=posted, **headers
        )

    def reply_to(self, posted: Posted) -> str:
        """Return the address that an answer to a posted letter goes to."""
        message = self.message(posted.name)
        return str((message["Reply-To"] or message["From"]).addresses[0].addr_spec)

    def read_all(self) -> list[Outcome]:
        """Read all waiting letters in order."""
        outcomes: list[Outcome] = []
        while waiting := self._waiting():
            outcomes += [
                outcome
                for each in waiting
                if (outcome := read_letter(self.room, each, lambda: self.now)) is not None
            ]
        return outcomes

    def _waiting(self) -> list[int]:
        with self.database.read_tx() as session:
            return incoming.waiting_letters(session, self.now)

    def came_in(self) -> list[Incoming]:
        """Return the rows of all received letters."""
        with self.database.read_tx() as session:
            return list(session.exec(select(Incoming).order_by(col(Incoming.id))))


def part(message: EmailMessage, kind: str) -> str:
    """Return the text or HTML of a letter."""
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


@contextmanager
def fixed_match(uid: str = "evening22") -> Iterator[None]:
    """Give the next match this public name and fixed random numbers, and letters fixed tokens."""
    given: defaultdict[str, dict[tuple[str, str, int], str]] = defaultdict(dict)

    def token_of(_: Keyring, purpose: str, *, row: str, whom: str, n: int = 0) -> str:
        known = given[purpose]
        return known.setdefault((row, whom, n), f"{uid}{purpose}{len(known) + 1}".ljust(26, "x"))

    with (
        mock.patch.object(creation, "new_uid", lambda: uid),
        mock.patch.object(references, "derive_token", token_of),
        mock.patch.object(arrivals, "derive_token", token_of),
        mock.patch.object(beginning, "entropy", SimpleNamespace(token_bytes=bytes)),
    ):
        yield
