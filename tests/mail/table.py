"""A table for the tests of letters: a real match by the real service, with a clock that is set by hand."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from sqlmodel import col, select

from adjudicator.mail.sending.mailbox import LocalMailbox, Posted
from adjudicator.mail.sending.post import post
from adjudicator.platform.config import Settings, read_settings
from adjudicator.platform.db import Database
from adjudicator.seal import keyfile
from adjudicator.service.base import public_keys
from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.letters import outbox
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.orders.envelopes import Answer, Submission, submit
from adjudicator.service.people import accounts
from adjudicator.service.phases import closing, opening

EVENING = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)  # a Sunday; the first deadline is Tue 24 Nov 20:00 in Paris
ALICE, BOB, CHARLIE = "alice@example.org", "bob@example.org", "charlie@example.org"
ZONES = {ALICE: "Europe/Paris", BOB: "America/New_York", CHARLIE: "Asia/Kathmandu"}


class Table:
    """One service with its database, keys and local mailbox."""

    def __init__(self, database_url: str, folder: Path, **changes: object) -> None:
        usual = {"site_url": "https://orders.example.org", "mail_address": "orders@example.org"}
        self.settings: Settings = read_settings(**{"data_dir": folder, "database_url": database_url, **usual, **changes})
        self.database = Database(database_url)
        self.keyring = keyfile.ensure(folder / "keys" / "worker.key")
        self.now = EVENING
        self.uid = ""
        with self.database.writing() as session:
            public_keys.publish(session, self.keyring.public, self.now)

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_: object) -> None:
        self.database.engine.dispose()

    @property
    def mailbox(self) -> LocalMailbox:
        return LocalMailbox(self.settings.data_dir / "mailbox")

    def later(self, **span: float) -> None:
        self.now += timedelta(**span)

    # --- the match

    def player(self, address: str, name: str = "") -> int:
        """Return a player of this address, made now, named after it unless told otherwise."""
        with self.database.writing() as session:
            player = accounts.for_address(session, address, zone=ZONES.get(address, "UTC"), now=self.now)
            player.name = name or address.partition("@")[0].capitalize()
            player.stop_token = f"{address.partition('@')[0].lower():x<26.26}"  # the same in every world that is compared
            session.flush()
            assert player.id is not None
            return player.id

    def begin(self, *addresses: str, game: str = "pyramid", name: str = "Evening Pyramid", house: int = 0, **options: object) -> str:
        """Make a match in which these players sit (the first one is its master), and begin it."""
        wish = Wish(game, name, options, players=len(addresses) + house, house=house, grace_minutes=10)
        self.uid = creation.make(self.database, self.player(addresses[0]), wish, now=self.now)
        assert opening.found(self.database, self.keyring, self.uid, now=self.now)
        for address in addresses[1:]:
            seats.take_seat(self.database, self.uid, self.player(address), now=self.now)
        assert opening.start(self.database, self.keyring, self.uid, now=self.now)
        return self.uid

    def hand_in(self, address: str, text: str, *, channel: str = "form") -> Answer:
        return submit(self.database, Submission(self.uid, self.player_id(address), text, channel, self.now))

    def player_id(self, address: str) -> int:
        with self.database.reading() as session:
            found = session.exec(select(Player.id).where(Player.address == address)).one()
            assert found is not None
            return found

    def close(self) -> None:
        """Close the open phase, its time having come."""
        assert closing.close(self.database, self.keyring, self.uid, now=self.now)

    def round(self, *texts: str) -> None:
        """Hand in orders for Alice, Bob and Charlie ("" is silence) and close the phase: at once, or at its deadline."""
        for address, text in zip(ZONES, texts, strict=True):
            if text:
                self.hand_in(address, text)
        if not all(texts):
            self.later(hours=48, minutes=10)
        self.close()

    # --- letters

    def post_all(self) -> int:
        """Sign what is to be signed and post what waits; returns how many letters went out."""
        receipts.sign(self.database, self.keyring)
        with self.database.reading() as session:
            waiting = outbox.waiting(session, self.now)
        return sum(post(self.settings, self.database, self.keyring, letter, lambda: self.now) for letter in waiting)

    def rows(self) -> Sequence[Letter]:
        with self.database.reading() as session:
            return session.exec(select(Letter).order_by(col(Letter.id))).all()

    def letters(self, kind: str = "", to: str = "") -> list[Posted]:
        """Return the posted letters of one kind to one address, in the order they were written."""
        rows = [row for row in self.rows() if (not kind or row.kind == kind) and (not to or row.address == to) and row.state == "sent"]
        return [letter for row in rows if (letter := self.mailbox.letter(row.uid)) is not None]

    def message(self, name: str) -> EmailMessage:
        """Return a posted letter as mail."""
        return message_from_bytes((self.mailbox.folder / f"{name}.eml").read_bytes(), policy=default)

    def claim(self, kind: str, to: str = "") -> outbox.Claimed:
        """Claim the newest waiting letter of a kind."""
        return self.claim_row([row for row in self.rows() if row.kind == kind and row.state == "waiting" and to in ("", row.address)][-1])

    def claim_row(self, row: Letter) -> outbox.Claimed:
        """Claim this letter, signed where it is a receipt."""
        receipts.sign(self.database, self.keyring)
        assert row.id is not None
        claimed = outbox.claim(self.database, self.keyring, row.id, self.now)
        assert claimed is not None
        return claimed


def part(message: EmailMessage, kind: str) -> str:
    """Return the text or HTML of a letter."""
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


@contextmanager
def fixed_match(uid: str = "evening22") -> Iterator[None]:
    """Give the next match this public name and a chance that is always the same."""
    tokens = (f"{uid}{number}".ljust(26, "x") for number in count())
    with (
        mock.patch.object(creation, "_uid", lambda: uid),
        mock.patch.object(accounts, "new_token", lambda: next(tokens)),
        mock.patch.object(opening, "entropy", SimpleNamespace(token_bytes=bytes)),
    ):
        yield
