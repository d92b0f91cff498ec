"""Counts our files and functions that run for a letter in, a form, a closing and a report, in this
process.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType

import structlog

from adjudicator.mail import addresses
from adjudicator.mail.read import Room, read_letter
from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.mail.sending.mailbox import LocalMailbox
from adjudicator.mail.sending.post import Carrier
from adjudicator.platform import db
from adjudicator.platform.config import Settings, read_settings
from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.service.base import public_keys
from adjudicator.service.letters import incoming, outbox, receiving
from adjudicator.service.letters.receiving import Arrival
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import submit_orders
from adjudicator.service.people import accounts
from adjudicator.service.phases import beginning, closing
from adjudicator.service.views import game_info, match_page
from tests.keychain import Keychain
from tests.letters_out import post_letter

ROOT = f"{Path(__file__).parent.parent}/"
ROOMS = tuple(f"{ROOT}{room}/" for room in ("adjudicator", "web", "worker"))
NOW = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)
ALICE = "alice@example.org"


@contextmanager
def count_passes(title: str, *, listed: bool) -> Iterator[None]:
    """Print how many of our files and functions run during the block."""
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
    functions = [
        code
        for code in seen
        if code.co_filename.startswith(ROOMS) and not code.co_name.startswith("<")
    ]
    files = sorted({code.co_filename.removeprefix(ROOT) for code in functions})
    sys.stdout.write(f"{title}: {len(files)} files, {len(functions)} functions\n")
    for file in files if listed else ():
        names = sorted(code.co_name for code in functions if code.co_filename == ROOT + file)
        sys.stdout.write(f"    {file}: {', '.join(names)}\n")


class World:
    """A service with one match, which Alice plays against house bots."""

    def __init__(self, folder: Path, game: str) -> None:
        """Start a match of this game."""
        self.settings: Settings = read_settings(
            data_dir=folder,
            database_url=f"sqlite:///{folder}/passes.sqlite3",
            site_url="https://orders.example.org",
            mail_address="orders@example.org",
            inbox_url="smtp://127.0.0.1:2525",
        )
        db.migrate(self.settings.database_url)
        self.database = Database(self.settings.database_url)
        self.keyring = crypto.ensure_key_file(folder / "worker.key")
        self.database = Keychain(self.keyring).bind(self.database)
        with self.database.write_tx() as session:
            public_keys.publish_keys(session, self.keyring.public, NOW)
            self.player = accounts.for_address(session, ALICE, zone="Europe/Paris", now=NOW).id or 0
        players = max(game_info.about(game).seats)
        self.uid = creation.make_match(
            self.database,
            self.player,
            Wish(game, "Passes", {}, players=players, house=players - 1),
            now=NOW,
        )
        beginning.prepare_match(self.database, self.keyring, self.uid, now=NOW)
        beginning.start_match(self.database, self.keyring, self.uid, now=NOW)
        with self.database.read_tx() as session:
            owed = match_page.match_page(session, self.uid, self.player).owed
        assert owed is not None  # noqa: S101 everybody owes orders in the first phase
        self.orders = "\n".join(slot.choices[0].text for slot in owed.slots)

    def waiting(self) -> list[int]:
        """Return the ids of the letters waiting to be sent, reports last."""
        with self.database.read_tx() as session:
            return outbox.waiting_letters(session, NOW + timedelta(days=3))

    def letter(self, carrier: Carrier) -> int:
        """Store Alice's answer to her report and return its id."""
        post_letter(
            self.settings,
            self.database,
            self.keyring,
            self.waiting()[0],
            lambda: NOW,
            carrier=carrier,
        )
        report = next(
            each
            for each in LocalMailbox(self.settings.data_dir / "mailbox").letters()
            if ALICE in each.to
        )
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = (
            ALICE,
            report.answer_to,
            f"Re: {report.subject}",
        )
        message["Message-ID"], message["In-Reply-To"] = "<1@mail.example.org>", report.message_id
        message.set_content(
            self.orders
            + "\n\nOn Sunday somebody wrote:\n"
            + "".join(f"> {line}\n" for line in report.text.splitlines())
        )
        token = addresses.token_of(self.settings, report.answer_to)
        with self.database.read_tx() as session:
            target = receiving.find_target(session, token or "")
        assert target is not None  # noqa: S101 the report's own address
        receiving.store_letters(self.database, [Arrival(target, message.as_bytes(), NOW, "smtp")])
        with self.database.read_tx() as session:
            return incoming.waiting_letters(session, NOW)[0]


def measure(game: str, *, listed: bool) -> None:
    """Print the four counts for a game."""
    with tempfile.TemporaryDirectory() as folder, LetterReader(game_info.order_words()) as reader:
        world = World(Path(folder), game)
        carrier = Carrier(world.settings)
        room = Room(world.settings, world.database, world.keyring, reader)
        letter = world.letter(carrier)
        with count_passes("a letter in", listed=listed):
            read_letter(room, letter, lambda: NOW)
        with count_passes("submit of a form", listed=listed):
            submit_orders(
                world.database, Submission(world.uid, world.player, world.orders, "form", NOW)
            )
        with count_passes("a closing", listed=listed):
            closing.close_phase(
                world.database, world.keyring, world.uid, now=NOW + timedelta(days=3)
            )
        receipts.sign_receipts(world.database, world.keyring)
        report = world.waiting()[-1]
        with count_passes("a report out", listed=listed):
            post_letter(
                world.settings,
                world.database,
                world.keyring,
                report,
                lambda: NOW + timedelta(days=3),
                carrier=carrier,
            )
        carrier.close()
        world.database.engine.dispose()


def main() -> None:
    """Measure once without output, to exclude what a process does only once; then print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="pyramid")
    parser.add_argument(
        "--cold", action="store_true", help="count what a process does only once, too"
    )
    parser.add_argument(
        "--list", action="store_true", dest="listed", help="name the files and functions"
    )
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("ERROR"))
    if not asked.cold:
        with redirect_stdout(StringIO()):
            measure(asked.game, listed=False)
    measure(asked.game, listed=asked.listed)


if __name__ == "__main__":
    main()
