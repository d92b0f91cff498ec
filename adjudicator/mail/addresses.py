"""Addresses and ids in letters, made from settings and rows only: a letter that is composed twice
has the same ones.
"""

import re
from collections.abc import Sequence
from email.headerregistry import Address
from functools import lru_cache

from adjudicator.platform.config import Settings

DISPLAY_NAME = "Sealed Orders"


EVERYTHING = "*"  # as the local part of MAIL_ADDRESS: every address of the host is ours
SERVICE_NAME = "orders"  # the service's own local part there
BOUNCE, STOP, NEVER, MASTER = "b-", "s-", "n-", "m-"  # prefixes of the tokens in these addresses
_TOKEN = re.compile(r"[a-z0-9-]{1,64}")
_KEPT = 1000  # addresses that were checked last


def service_address(settings: Settings) -> Address:
    """Return the service's own address, which letters come from."""
    name, _, domain = settings.mail_address.partition("@")
    return Address(
        DISPLAY_NAME, username=SERVICE_NAME if name == EVERYTHING else name, domain=domain
    )


def token_address(settings: Settings, token: str) -> Address:
    """Return the address with this secret part, `orders+TOKEN@host` or `TOKEN@host`, such as that
    of a seat, a master or an invitation.
    """
    name, _, domain = settings.mail_address.partition("@")
    return Address(
        DISPLAY_NAME, username=token if name == EVERYTHING else f"{name}+{token}", domain=domain
    )


def fits_address(token: str) -> bool:
    """Whether a secret can be part of an address; those of invitations made before letters could be
    answered cannot.
    """
    return _TOKEN.fullmatch(token) is not None


def token_of(settings: Settings, address: str) -> str | None:
    """Return the secret part of an address of ours, "" for the service's own address, None for one
    that is not ours. Case is ignored.
    """
    name, at, domain = address.strip().lower().rpartition("@")
    ours, _, our_domain = settings.mail_address.partition("@")
    if not at or domain != our_domain:
        return None
    if name == (SERVICE_NAME if ours == EVERYTHING else ours):
        return ""
    if ours != EVERYTHING:
        before, plus, name = name.partition("+")
        if before != ours or not plus:
            return None
    return name if fits_address(name) else None


@lru_cache(_KEPT)
def checked_address(address: str) -> Address:
    """Return an address that every mail server accepts, its host in ASCII; raises ValueError where
    it is none.
    """
    from email_validator import EmailNotValidError, validate_email  # its tables take long to build

    try:
        checked = validate_email(address, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise ValueError(f"the address cannot be written to: {error}") from error
    if checked.ascii_email is None:
        raise ValueError("the address cannot be written to: its name is not plain ASCII")
    return Address(addr_spec=checked.ascii_email)


def message_id(settings: Settings, uid: str) -> str:
    """Return the Message-ID of the letter with this uid."""
    return f"<{uid}@{mail_host(settings)}>"


def thread_id(settings: Settings, match_uid: str) -> str:
    """Return the id that all letters of a match refer to, so that mail programs show them as one
    thread.
    """
    return f"<match-{match_uid}@{mail_host(settings)}>"


def mail_host(settings: Settings) -> str:
    """Return the host of the service's address."""
    return settings.mail_address.partition("@")[2]


def own_uids(settings: Settings, message_ids: Sequence[str]) -> list[str]:
    """Return the uids of those of these Message-IDs that are ours."""
    parted = [message_id.strip("<> \t").partition("@") for message_id in message_ids]
    return [uid for uid, _, domain in parted if domain.lower() == mail_host(settings)]
