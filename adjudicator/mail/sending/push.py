"""Push: a letter that was sent is told to its player's browsers by its subject; deliveries go to
public https addresses only.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from urllib.parse import urlsplit

import structlog

from adjudicator.mail import addresses
from adjudicator.platform.config import Settings
from adjudicator.platform.db import Database
from adjudicator.platform.net.outside import OUTSIDE, CannotFetch, Outside, send_page
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.web_push import MOST_BYTES, encrypt_push, prove_sender, push_key
from adjudicator.service.people import pushes

SECONDS = 5.0  # for a delivery; a worker waits for it
LONGEST_SUBJECT = 300  # characters

log = structlog.get_logger()


def put_pushes(database: Database, sent: Mapping[int, str], now: datetime) -> None:
    """Let a message for each of the players' browsers wait: a letter's subject and the address of
    its match, encrypted.

    `sent` holds the subjects of letters that were sent, by the letter's id.
    """
    with database.read_once() as session:
        found = pushes.browsers_for(session, sent)
    for letter_id, page, browser in found:
        text = json.dumps({"subject": sent[letter_id][:LONGEST_SUBJECT], "address": page}).encode()
        if len(text) <= MOST_BYTES:
            pushes.put_messages(database, {browser.id: encrypt_push(browser.keys, text)}, now=now)


def deliver_push(
    settings: Settings,
    database: Database,
    keyring: Keyring,
    message_id: int,
    now: Callable[[], datetime],
    *,
    outside: Outside = OUTSIDE,
) -> int:
    """Deliver one message to its browser's push service; return the status of the answer, 0 for
    none or where nothing was to do.
    """
    message = pushes.claim_message(database, message_id, now())
    if message is None:
        return 0
    parts = urlsplit(message.address)
    contact = f"mailto:{addresses.service_address(settings).addr_spec}"
    headers = {
        "Authorization": prove_sender(push_key(keyring), f"https://{parts.netloc}", contact, now()),
        "TTL": str(24 * 3600),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "Urgency": "normal",
    }
    status = 0
    try:
        status = send_page(message.address, headers, message.body, outside=outside, seconds=SECONDS)
    except CannotFetch as fault:
        log.info("push.not_answered", message=message.id, why=str(fault))
    finally:
        # also where the task's time is over: an address that takes it must not be tried for ever
        pushes.settle_message(database, message, status, now())
    log.info(
        "push.delivered" if 200 <= status < 300 else "push.not_delivered",
        message=message.id,
        status=status,
    )
    return status
