"""The fetcher: gets letters by IMAP from a mailbox on another server, for hosts without a mail
server of their own.

The mailbox belongs to the service alone. Every unseen message is fetched, stored sealed if one of
its addresses is ours, and marked as seen after the commit. No message is ever deleted. This process
holds no private key; of a letter it reads only the header lines about its delivery.
"""

import imaplib
import re
import ssl
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote, urlsplit

import structlog
from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from adjudicator.mail import addresses
from adjudicator.platform import clock
from adjudicator.platform.config import THIS_MACHINE, Settings
from adjudicator.platform.db import FAULTS, Database
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.public_keys import pinned
from adjudicator.service.letters import receiving
from adjudicator.service.letters.receiving import LARGEST, Arrival, Full, Target
from adjudicator.service.phases import stamps
from worker.inbox.broker import LetterNews

EVERY_SECONDS = 20.0
FIRST_WAIT, LONGEST_WAIT = 5.0, 300.0  # seconds until the next try after a fault
TIMEOUT = 30.0  # seconds for each response of the server
HEADER_BYTES = 64 * 1024  # that are searched
MOST_ADDRESSES = 20  # of one letter
MOST_AT_ONCE = 200  # letters of one pass
SERVER_FAULTS = (OSError, imaplib.IMAP4.error, ImapToolsError)

_DELIVERED = re.compile(
    rb"^(?:delivered-to|x-original-to|envelope-to|x-forwarded-to)[ \t]*:(.*(?:\r?\n[ \t].*)*)",
    re.I | re.M,
)
_WRITTEN = re.compile(rb"^(?:to|cc)[ \t]*:(.*(?:\r?\n[ \t].*)*)", re.I | re.M)
_NULL_SENDER = re.compile(rb"^return-path[ \t]*:[ \t]*<[ \t]*>", re.I | re.M)
_NAME = rb"A-Za-z0-9+_.*-"
_ADDRESS = re.compile(rb"(?<![" + _NAME + rb"])([" + _NAME + rb"]{1,128}@[A-Za-z0-9.-]{1,253})")
_SIZE = re.compile(rb"RFC822\.SIZE (\d{1,12})")
_ARRIVED = re.compile(rb'INTERNALDATE "([^"]{1,40})"')

log = structlog.get_logger()


# --- header lines


def recipient_tokens(settings: Settings, header: bytes) -> list[str]:
    """Return the tokens of our addresses that a letter was delivered to; [""] if it went to the
    service itself.

    1. Header lines written by servers on delivery (`Delivered-To` and the like) come before `To`
       and `Cc`.
    2. The service's plain address counts only without any token: many servers drop the part after
       the `+`.
    """
    plain = False
    for lines in (_DELIVERED, _WRITTEN):
        found = list(dict.fromkeys(_tokens(settings, lines.findall(header[:HEADER_BYTES]))))
        if secret := [each for each in found if each][:MOST_ADDRESSES]:
            return secret
        plain = plain or bool(found)
    return [""] if plain else []


def _tokens(settings: Settings, lines: Iterable[bytes]) -> Iterator[str]:
    for line in lines:
        for address in _ADDRESS.findall(line):
            token = addresses.token_of(settings, address.decode("ascii"))
            if token is not None:
                yield token


def arrival_time(answer: bytes, now: datetime) -> datetime:
    """Return when a letter came into the mailbox, by its server's clock, at most `now`; `now` if
    the server does not say.
    """
    found = _ARRIVED.search(answer)
    try:
        at = (
            datetime.strptime(found[1].decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z")
            if found
            else now
        )
    except ValueError:
        return now
    return min(at, now)


# --- the mailbox


@contextmanager
def open_mailbox(settings: Settings, timeout: float = TIMEOUT) -> Iterator[BaseMailBox]:
    """Open the folder at IMAP_URL, signed in. Raises one of SERVER_FAULTS; never sends a password
    unencrypted.
    """
    where = urlsplit(settings.imap_url.get_secret_value())
    host, context = where.hostname or "", ssl.create_default_context()
    if where.scheme == "imaps":
        mailbox: BaseMailBox = MailBox(
            host, where.port or 993, timeout=timeout, ssl_context=context
        )
    else:
        mailbox = MailBoxUnencrypted(host, where.port or 143, timeout=timeout)
    try:
        if (
            where.scheme == "imap"
            and "STARTTLS" in mailbox.client.capabilities
            and host not in THIS_MACHINE
        ):
            mailbox.client.starttls(context)
        elif where.scheme == "imap" and host not in THIS_MACHINE:
            raise imaplib.IMAP4.error("it offers no encryption, so the password was not sent")
        mailbox.login(
            unquote(where.username or ""),
            unquote(where.password or ""),
            unquote(where.path.strip("/")) or "INBOX",
        )
        yield mailbox
    except UnicodeEncodeError:
        raise imaplib.IMAP4.error(
            "the user or the password in IMAP_URL has letters beyond ASCII, which cannot be sent"
        ) from None
    finally:
        mailbox.client.shutdown()


@dataclass
class FetchResult:
    """The counts of one pass over the mailbox."""

    stored: int = 0
    unknown: int = 0  # letters to no address of ours
    too_large: int = 0
    # left for the next pass: their queue is full, or the server did not return them
    waiting: int = 0


class Fetcher:
    """Stores the letters of a mailbox."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings, self._database = settings, database

    def fetch_unseen(self, mailbox: BaseMailBox) -> FetchResult:
        """Store the unseen letters, the oldest first; a letter that could not be marked is fetched
        again.

        Raises SERVER_FAULTS, the database's FAULTS, and NotNow if no worker has ever started.
        """
        found = FetchResult()
        for uid in mailbox.uids("UNSEEN", charset=None)[:MOST_AT_ONCE]:
            try:
                self._take(mailbox, uid, found)
            except (Full, _NotFetched):
                found.waiting += 1
                continue
            _mark(mailbox, uid)
        return found

    def _take(self, mailbox: BaseMailBox, uid: str, found: FetchResult) -> None:
        answer, header = _fetch(
            mailbox, uid, f"(RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER]<0.{HEADER_BYTES}>)"
        )
        targets = self._targets(header)
        size = _SIZE.search(answer)
        if not targets:
            found.unknown += 1
        elif size is None or int(size[1]) > LARGEST:
            found.too_large += 1
        else:
            _, raw = _fetch(mailbox, uid, "(BODY.PEEK[])")
            at = arrival_time(answer, self._database.now())
            null_sender = bool(_NULL_SENDER.search(header))
            receiving.store_letters(
                self._database, [Arrival(each, raw, at, "imap", null_sender) for each in targets]
            )
            found.stored += 1

    def _targets(self, header: bytes) -> list[Target]:
        with self._database.read_tx() as session:
            found = [
                receiving.find_target(session, token)
                for token in recipient_tokens(self._settings, header)
            ]
        return list(dict.fromkeys(each for each in found if each is not None))


class _NotFetched(Exception):
    """The server did not return a message."""


def _mark(mailbox: BaseMailBox, uid: str) -> None:
    status, _ = mailbox.client.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen)")
    if status != "OK":
        raise imaplib.IMAP4.error("a message could not be marked")


def _fetch(mailbox: BaseMailBox, uid: str, what: str) -> tuple[bytes, bytes]:
    """Return the server's attributes of a message, and its one requested part."""
    status, parts = mailbox.client.uid("FETCH", uid, what)
    if status != "OK":
        raise _NotFetched
    answer = b" ".join(part[0] if isinstance(part, tuple) else part for part in parts if part)
    return answer, next((part[1] for part in parts if isinstance(part, tuple)), b"")


# --- the process


def run_fetcher(settings: Settings, ready: Callable[[], None]) -> None:
    """Fetch letters until this process is killed, which is safe at any time: unmarked letters are
    fetched again.
    """
    database = Database(settings.database_url, info=pinned(settings.key_fingerprint))
    news = LetterNews(settings.redis_url, "the fetcher") if settings.redis_url else None
    fetcher, wait = Fetcher(settings, database), FIRST_WAIT
    stamps.stamp_beside(settings.database_url, stamps.INBOX)
    ready()
    while True:
        try:
            with open_mailbox(settings) as mailbox:
                idle = _can_idle(mailbox)
                while True:
                    found = fetcher.fetch_unseen(mailbox)
                    if news is not None:
                        news.tell(database.clock, letters=found.stored > 0)
                    _report(found)
                    wait = FIRST_WAIT
                    _pause(mailbox, idle=idle)
        except (*SERVER_FAULTS, *FAULTS, NotNow) as fault:
            log.error(
                "fetching.failed",
                fault=type(fault).__name__,
                again_in=wait,
                remedy="`sealed check` says why",
            )
        clock.sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT)


def _report(found: FetchResult) -> None:
    if found != FetchResult():
        log.info("fetching.looked", **vars(found))


def _can_idle(mailbox: BaseMailBox) -> bool:
    """Whether the server supports IDLE (RFC 2177); many advertise it only after the login."""
    _, capabilities = mailbox.client.capability()
    return b"IDLE" in capabilities[0].upper().split()


def _pause(mailbox: BaseMailBox, *, idle: bool) -> None:
    """Wait for EVERY_SECONDS, with IDLE only until the server reports a change."""
    if idle:
        mailbox.idle.wait(timeout=EVERY_SECONDS)
    else:
        clock.sleep(EVERY_SECONDS)
