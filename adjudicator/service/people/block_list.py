"""The host's block list: blocked addresses and domains get no letters and no accounts, and their
letters are not read.
"""

from datetime import datetime

from sqlmodel import Session, col, delete, select

from adjudicator.platform.db import Database
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.tables import Blocked, Player, SignedIn
from adjudicator.service.letters import suppression


def clean(text: str) -> str:
    """Return an address or domain as the list stores it; raises Refused with a sentence."""
    from email_validator import EmailNotValidError, validate_email  # its tables take long to build

    from adjudicator.service.people.accounts import clean_address

    domain = text.strip().removeprefix("*").removeprefix(".")
    if "@" in domain and not domain.startswith("@"):
        return suppression.base_address(clean_address(domain))
    try:
        return validate_email(
            f"x@{domain.removeprefix('@')}", check_deliverability=False, test_environment=True
        ).domain.lower()
    except EmailNotValidError as error:
        raise Refused(
            f"“{text.strip()[:60]}” is neither an address nor a domain, such as ann@example.org or"
            " example.org."
        ) from error


def block_address(database: Database, text: str, *, now: datetime) -> tuple[str, int]:
    """Block an address, or a domain with its subdomains, and sign out all players with blocked
    addresses.

    Returns the stored entry and the number of those players. Raises Refused where the text is
    neither address nor domain.
    """
    what = clean(text)
    with database.write_tx() as session:
        if session.get(Blocked, what) is None:
            session.add(Blocked(what=what, at=now))
            session.flush()
        players = _players(session)
        session.exec(delete(SignedIn).where(col(SignedIn.player_id).in_(players)))
    return what, len(players)


def _players(session: Session) -> list[int]:
    """Return the ids of all players whose addresses are blocked."""
    known = session.exec(
        select(Player.id, Player.address).where(col(Player.address).is_not(None))
    ).all()
    blocked = set(session.exec(select(Blocked.what)))
    return [
        player_id or 0
        for player_id, address in known
        if not blocked.isdisjoint(suppression.blockable_names(address or ""))
    ]


def unblock_address(database: Database, text: str) -> str:
    """Remove an address or domain from the list and return it; raises NotFound if it is not
    listed.
    """
    what = clean(text)
    with database.write_tx() as session:
        row = session.get(Blocked, what)
        if row is None:
            raise NotFound(f"{what} is not blocked; `sealed block --list` tells what is.")
        session.delete(row)
    return what


def list_blocked(session: Session) -> list[str]:
    """Return the blocked addresses and domains in alphabetical order; for the host's terminal
    only.
    """
    return list(session.exec(select(Blocked.what).order_by(col(Blocked.what))))
