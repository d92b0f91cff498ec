"""Tickets for the live stream: the site signs which matches a viewer may hear of, so that the
stream asks no session.

Without a valid ticket the stream says nothing, whether its matches exist or not.
"""

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

LASTS = timedelta(minutes=15)  # who may no longer see a match hears of it for so long at most
MOST_MATCHES = 100
_UID = re.compile(r"(?:tournament-)?[a-zA-Z0-9]{1,20}|open-seats")  # `shown.read_steps` knows them
_BETWEEN = "~"
_PURPOSE = b"sealed live ticket\n"


@dataclass(frozen=True)
class Ticket:
    """The matches that one page may hear of, by public name, and until when."""

    uids: tuple[str, ...]
    until: datetime


def read_uids(text: str) -> tuple[str, ...]:
    """Return the public names in a text that `join_uids` wrote, each once, at most MOST_MATCHES;
    what is no such name is left out.
    """
    return tuple(dict.fromkeys(filter(_UID.fullmatch, text.split(_BETWEEN))))[:MOST_MATCHES]


def join_uids(uids: Sequence[str]) -> str:
    """Return public names as one text for an address."""
    return _BETWEEN.join(uids)


def sign_ticket(secret: str, uids: Sequence[str], now: datetime) -> str:
    """Return a ticket for matches that the viewer may see; it lasts from `now`, the database's
    time, for LASTS.
    """
    claims = f"{int((now + LASTS).timestamp())}.{join_uids(uids)}"
    return f"{claims}.{_signature(secret, claims)}"


def read_ticket(secret: str, text: str, now: datetime) -> Ticket | None:
    """Return the ticket; None if nobody with this secret signed it or if its time is over."""
    claims, _, signature = text.rpartition(".")
    if not text.isascii() or not hmac.compare_digest(_signature(secret, claims), signature):
        return None
    until, _, uids = claims.partition(".")
    ticket = Ticket(read_uids(uids), datetime.fromtimestamp(int(until), UTC))
    return ticket if ticket.until > now and ticket.uids else None


def _signature(secret: str, claims: str) -> str:
    digest = hmac.digest(secret.encode(), _PURPOSE + claims.encode(), "sha256")
    return urlsafe_b64encode(digest).decode().rstrip("=")
