"""Letters composed and sent per second by one worker process over a real socket: with a kept
connection, and with a new one each.
"""

import sys
import tempfile
from contextlib import closing
from itertools import product
from pathlib import Path

import structlog
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from sqlmodel import delete

from adjudicator.mail.sending.post import Carrier, PostRoom, post_letters
from adjudicator.platform import db
from adjudicator.platform.config import Settings, read_settings
from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import outbox
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from tests.harness import Harness
from tests.mail_sink import sink_process
from tests.servers import start_postgres, stop_server
from tools.handing_in import SEVEN, hand_in_at_random
from tools.rates import Rate, measure
from worker.letters import MOST_POSTED, MOST_URGENT

MATCHES = 70  # of three seats, each with a report and its picture
BOARDS = 15  # matches of Diplomacy, whose seven seats share a picture


def letters_out() -> None:
    """Send report letters (150 kB: text, HTML, picture, calendar) to an SMTP server in another
    process.
    """
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("ERROR"))
    with tempfile.TemporaryDirectory() as name, sink_process() as smtp:
        folder = Path(name)
        _measure("SQLite", _settings(folder, f"sqlite:///{folder}/plain.sqlite3", smtp))
        _measure(
            "SQLite, signed (DKIM, RSA 2048)",
            _settings(
                folder, f"sqlite:///{folder}/signed.sqlite3", smtp, dkim_key_file=_key(folder)
            ),
        )
        server = start_postgres(folder / "postgres")
        try:
            _measure("PostgreSQL (fsync off)", _settings(folder, server.url, smtp))
        finally:
            stop_server(server)


def _settings(folder: Path, url: str, smtp: str, **changes: object) -> Settings:
    usual = {
        "site_url": "https://orders.example.org",
        "mail_address": "orders@example.org",
        "inbox_url": "lmtp://127.0.0.1:24",
    }
    return read_settings(data_dir=folder, database_url=url, smtp_url=smtp, **usual, **changes)


def _key(folder: Path) -> Path:
    path = folder / "dkim.pem"
    path.write_bytes(
        rsa.generate_private_key(65537, 2048).private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        )
    )
    path.chmod(0o600)
    return path


def _measure(title: str, settings: Settings) -> None:
    """Send reports over a kept connection, then as many over a new one each; then receipts, which
    have no picture.
    """
    db.migrate(settings.database_url)
    harness = Harness(settings.database_url)
    uids = list[str]()
    for way, kept in (("one kept connection", True), ("a connection each", False)):
        uids = [harness.match("Alice", "Bob", "Charlie") for _ in range(MATCHES)]
        _say(f"{title}, {way}", _post_all(harness, settings, kept=kept))
    for uid, name in product(uids, ("Alice", "Bob", "Charlie")):
        harness.order(uid, name, "B3", channel="letter")
    while receipts.sign_receipts(harness.database, harness.keyring):
        pass
    _say(
        f"{title}, receipts, one kept connection",
        _post_all(harness, settings, kept=True, most=MOST_URGENT),
    )
    _move(harness)
    _say(f"{title}, reports of Diplomacy", _post_all(harness, settings, kept=True))
    harness.dispose()


def _move(harness: Harness) -> None:
    """Play a phase of matches of Diplomacy, so that only its reports wait, and each match has
    another picture.
    """
    wish = Wish("diplomacy", "Board", {})
    uids = [harness.match(*SEVEN, wish=wish) for _ in range(BOARDS)]
    hand_in_at_random(harness, uids, SEVEN, "ready")
    with harness.database.write_tx() as session:
        session.exec(delete(Letter))
    for uid in uids:
        harness.close(uid)


def _say(what: str, rate: Rate) -> None:
    sys.stdout.write(
        f"{what}: {rate.a_second:.0f} letters/s ({rate.count} letters)\n"
        f"{what}, of the processor: {rate.processor_ms:.1f} ms a letter\n"
    )
    sys.stdout.flush()


def _post_all(harness: Harness, settings: Settings, *, kept: bool, most: int = MOST_POSTED) -> Rate:
    with harness.database.read_tx() as session:
        waiting = outbox.waiting_letters(session, harness.now, most=MATCHES * 3)

    def post() -> None:
        with closing(Carrier(settings)) as carrier:
            room = PostRoom(
                settings, harness.database, harness.keyring, carrier, lambda: harness.now
            )
            for at in range(0, len(waiting), most if kept else 1):
                post_letters(room, waiting[at : at + (most if kept else 1)])
                if not kept:
                    carrier.close()

    return measure(post, len(waiting))
