"""Posting: claim a letter, compose it, send it, mark it. A letter goes out at least once, always under the same Message-ID."""

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from functools import partial

import jinja2

from adjudicator import crash
from adjudicator.config import Settings
from adjudicator.db import Database
from adjudicator.mail import pictures, smtp
from adjudicator.mail.compose import compose
from adjudicator.mail.mailbox import LocalMailbox
from adjudicator.mail.smtp import NotSent
from adjudicator.seal.keyfile import Keyring
from adjudicator.service import outbox
from adjudicator.service.outbox import Claimed

WRITING_FAULTS = (jinja2.TemplateError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)


def post(settings: Settings, database: Database, keyring: Keyring, letter_id: int, now: Callable[[], datetime]) -> bool:
    """Post one letter; returns whether this call sent it. `now` is asked once before and once after the sending.

    Whatever goes wrong with the letter is written into its row: it is tried again later, or held and shown. Nothing of a
    match is touched.
    """
    letter = outbox.claim(database, keyring, letter_id, now())
    if letter is None:
        return False
    try:
        message = compose(settings, letter, partial(pictures.kept_png, database))
    except WRITING_FAULTS as fault:
        outbox.failed(database, letter, now(), f"the letter could not be written: {_named(fault)}")
        return False
    return _send(settings, database, letter, message, now)


def _send(settings: Settings, database: Database, letter: Claimed, message: EmailMessage, now: Callable[[], datetime]) -> bool:
    crash.here("post.before_send")
    try:
        deliver(settings, message)
    except NotSent as trouble:
        said = str(trouble).replace(letter.address, "the address")
        outbox.failed(database, letter, now(), said, for_good=trouble.for_good)
        return False
    crash.here("post.after_send")
    outbox.sent(database, letter, now())
    crash.here("post.after_mark")
    return True


def deliver(settings: Settings, message: EmailMessage) -> None:
    """Hand a letter to the mail server, or lay it into the local mailbox while none is set; raises NotSent."""
    if not settings.local_mailbox:
        smtp.send(settings.smtp_url.get_secret_value(), message)
        return
    try:
        LocalMailbox(settings.data_dir / "mailbox").post(message)
    except OSError as error:
        raise NotSent(f"the local mailbox cannot be written: {error.strerror}") from error


def _named(fault: BaseException) -> str:
    """Return a fault for the host without what the letter says."""
    return f"{type(fault).__name__}: {fault}" if isinstance(fault, jinja2.TemplateError) else type(fault).__name__
