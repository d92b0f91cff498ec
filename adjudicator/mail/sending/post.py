"""Posting: claim a letter, compose it, send it, mark it. Delivery is at least once, always under the same Message-ID."""

from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from email.message import EmailMessage
from functools import partial

import jinja2
import structlog

from adjudicator.mail import addresses
from adjudicator.mail.composing import pictures
from adjudicator.mail.composing.compose import compose_letter
from adjudicator.mail.sending import signing
from adjudicator.mail.sending.mailbox import LocalMailbox
from adjudicator.mail.sending.smtp import LONGEST, MailServer, NotSent
from adjudicator.platform import clock, failpoints
from adjudicator.platform.config import Settings
from adjudicator.platform.db import FAULTS, WAIT_SECONDS, Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.letters import bounces, outbox
from adjudicator.service.letters.outbox import LetterToSend

MARK_SECONDS = 30.0
LONGEST_SENDING = timedelta(seconds=LONGEST + MARK_SECONDS + WAIT_SECONDS)  # the last try to mark may also wait for the database
WRITING_FAULTS = (jinja2.TemplateError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)

log = structlog.get_logger()


class Carrier:
    """Delivers letters to the mail server, or to the local mailbox while none is set; not shared between processes.

    Creating one raises signing.DkimKeyError where the DKIM key cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._mailbox = LocalMailbox(settings.data_dir / "mailbox")
        self._server = None if settings.local_mailbox else MailServer(settings.smtp_url.get_secret_value())
        self._signer = signing.load_signer(settings)

    def carry(self, letter: LetterToSend, message: EmailMessage, now: datetime) -> None:
        """Deliver one letter; raises NotSent."""
        if self._server is not None:
            content = message.as_bytes()
            signature = self._signer.sign(content, now) if self._signer else b""
            recipient = message["To"].addresses[0].addr_spec
            own = self._own_address(letter)
            self._server.send(signature + content, sender="" if _answers(letter) else own, recipient=recipient, instead=own)
            return
        try:
            self._mailbox.post(message)
        except OSError as error:
            raise NotSent(f"the local mailbox cannot be written: {error.strerror}") from error

    def _own_address(self, letter: LetterToSend) -> str:
        """Return the envelope sender for bounces: an address that identifies the letter, or the service's own while no inbox is set."""
        if not self._settings.answerable:
            return addresses.service_address(self._settings).addr_spec
        return addresses.token_address(self._settings, addresses.BOUNCE + letter.uid).addr_spec

    def rest(self) -> None:
        """Close an idle connection."""
        if self._server is not None:
            self._server.rest()

    def close(self) -> None:
        """Close the connection."""
        if self._server is not None:
            self._server.close()


def post_letter(
    settings: Settings, database: Database, keyring: Keyring, letter_id: int, now: Callable[[], datetime], *, carrier: Carrier | None = None
) -> bool:  # fmt: skip
    """Post one letter; return whether this call sent it.

    1. Claim the letter: take its lease and open what it says.
    2. Compose it.
    3. Send it, unless the lease could end meanwhile.
    4. Mark it as sent.

    A fault of the letter is recorded in its row: it is tried again later, or held and shown to the host. No match is touched.
    Without a `carrier` one is made for this letter.
    """
    letter = outbox.claim_letters(database, keyring, letter_id, now())
    if letter is None:
        return False
    try:
        message = compose_letter(settings, letter, partial(pictures.kept_png, database, now()))
    except WRITING_FAULTS as fault:
        log.error("letter.not_written", letter=letter.uid, kind=letter.kind, fault=type(fault).__name__)
        outbox.mark_failed(database, letter, now(), f"the letter could not be written: {_named(fault)}")
        return False
    if carrier is not None:
        return _send(carrier, database, letter, message, now)
    with closing(Carrier(settings)) as own:
        return _send(own, database, letter, message, now)


def _send(carrier: Carrier, database: Database, letter: LetterToSend, message: EmailMessage, now: Callable[[], datetime]) -> bool:
    failpoints.kill_here("post.before_send")
    if now() + LONGEST_SENDING > letter.until:  # this process was suspended: another may be sending it by now
        log.warning("letter.lease_over", letter=letter.uid, kind=letter.kind)
        return False
    try:
        carrier.carry(letter, message, now())
    except NotSent as trouble:
        said = str(trouble).replace(letter.address, "the address")
        log.warning("letter.not_sent", letter=letter.uid, kind=letter.kind, tries=letter.tries, trouble=said)
        if trouble.unknown:
            bounces.refused(database, letter, said, now=now())
        else:
            outbox.mark_failed(database, letter, now(), said, for_good=trouble.for_good)
        return False
    failpoints.kill_here("post.after_send")
    _mark(database, letter, now)
    log.info("letter.sent", letter=letter.uid, kind=letter.kind)
    failpoints.kill_here("post.after_mark")
    return True


def _answers(letter: LetterToSend) -> bool:
    """Whether it answers a letter: then its envelope sender is empty, so that no program answers it (RFC 3834, 3.1)."""
    return "in_reply_to" in letter.context


def _mark(database: Database, letter: LetterToSend, now: Callable[[], datetime]) -> None:
    """Mark a letter as sent, with retries while the database fails: unmarked it would be sent again when its lease ends."""
    until, wait = clock.monotonic() + MARK_SECONDS, 0.1
    while True:
        try:
            return outbox.mark_sent(database, letter, now())
        except FAULTS as fault:
            if clock.monotonic() + wait > until:
                log.error("letter.not_marked", letter=letter.uid, kind=letter.kind, fault=type(fault).__name__)
                raise
        clock.sleep(wait)
        wait = min(wait * 2, 5.0)


def _named(fault: BaseException) -> str:
    """Describe a fault for the host without revealing what the letter says."""
    return f"{type(fault).__name__}: {fault}" if isinstance(fault, jinja2.TemplateError) else type(fault).__name__
