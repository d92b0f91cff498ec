"""Single letters out, for tests: claimed, or posted, as a worker does with many."""

from collections.abc import Callable
from contextlib import closing
from datetime import datetime

from adjudicator.mail.sending.post import Carrier, PostRoom, post_letters
from adjudicator.mail.sending.smtp import MailServer
from adjudicator.platform.config import Settings
from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.posting import claims


def claim_letter(
    database: Database, keyring: Keyring, letter_id: int, now: datetime
) -> LetterToSend | None:
    """Claim one letter; None if it could not be claimed."""
    return next(iter(claims.claim_letters(database, keyring, [letter_id], now)), None)


def send(
    server: MailServer,
    content: bytes,
    *,
    recipient: str,
    sender: str = "orders@example.org",
    instead: str = "",
) -> None:
    """Hand a letter over to a mail server and wait until it is taken; raises NotSent."""
    server.hand_over(content, sender=sender, recipient=recipient, instead=instead)
    server.await_answer()


def post_letter(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    letter_id: int,
    now: Callable[[], datetime],
    *,
    carrier: Carrier | None = None,
) -> bool:
    """Post one letter, without a `carrier` over a connection of its own; return whether this call
    sent it.
    """
    if carrier is not None:
        return post_letters(PostRoom(settings, database, keyring, carrier, now), [letter_id]) == 1
    with closing(Carrier(settings)) as own:
        return post_letters(PostRoom(settings, database, keyring, own, now), [letter_id]) == 1
