"""Addresses and ids in letters: all made from the settings and from rows, so a letter that is written twice has the same ones."""

from email.headerregistry import Address

from email_validator import EmailNotValidError, validate_email

from adjudicator.config import Settings

DISPLAY_NAME = "Sealed Orders"


def sender(settings: Settings) -> Address:
    """Return what letters come from."""
    return Address(DISPLAY_NAME, addr_spec=settings.mail_address)


def seat_address(settings: Settings, token: str) -> Address:
    """Return the unguessable address that orders of one seat are sent to: `orders+TOKEN@host`."""
    name, _, host = settings.mail_address.partition("@")
    return Address(DISPLAY_NAME, username=f"{name}+{token}", domain=host)


def recipient(address: str) -> Address:
    """Return an address that every mail server takes, the host in its ASCII spelling; raises ValueError where it is none."""
    try:
        checked = validate_email(address, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise ValueError(f"the address cannot be written to: {error}") from error
    if checked.ascii_email is None:
        raise ValueError("the address cannot be written to: its name is not plain ASCII")
    return Address(addr_spec=checked.ascii_email)


def message_id(settings: Settings, uid: str) -> str:
    """Return the Message-ID of the letter with this uid."""
    return f"<{uid}@{host(settings)}>"


def thread_id(settings: Settings, match_uid: str) -> str:
    """Return the id that all letters of a match refer to, so that they stay together in the player's client."""
    return f"<match-{match_uid}@{host(settings)}>"


def host(settings: Settings) -> str:
    """Return the host of the service's address."""
    return settings.mail_address.partition("@")[2]
