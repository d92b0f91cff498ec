"""Tokens that prove an address: whether one that somebody presents is the worker's own, unused and
in time.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select, update

from adjudicator.seal.crypto import Keyring
from adjudicator.seal.tokens import Purpose, hash_token, same_token, who_is
from adjudicator.service.base.tables import Link, Match, Offer, Seat
from adjudicator.service.tokens.references import (
    Opened,
    Reference,
    find_opened,
    invitation_of,
    token_for,
)


@dataclass(frozen=True)
class Proof:
    """What a spent token proves: whoever presented it reads mail to `address`."""

    reference: Reference
    address: str
    who: str  # A("who", address) in hex


def find_reference(session: Session, purpose: Purpose, token: str) -> Reference | None:
    """Return what a sign-in link, an invitation or an offer opens, found by its hash; None if
    nothing, or for one of the previous release.

    It needs no key. The site hands token and reference to the worker, which alone can tell whether
    the token is its own.
    """
    hashed = hash_token(token)
    if purpose == "invitation":
        found = select(Match, Seat).join(Seat).where(Seat.invitation_hash == hashed)
        kept = session.exec(found).first()
        return invitation_of(*kept) if kept is not None and kept[1].invitation_n else None
    table = {"signin": Link, "offer": Offer}[purpose]
    uid = session.exec(select(table.uid).where(table.token_hash == hashed)).first()  # type: ignore[attr-defined]  # both have them
    return Reference(purpose, uid) if uid else None


def spend_token(
    session: Session, keyring: Keyring, presented: Reference, token: str, *, at: datetime
) -> Proof | None:
    """Return what a token of a sign-in link, an invitation or an offer proves, and mark it as
    spent; None if it proves nothing.

    It proves its row's address, once, if all of this holds:

    1. The row exists, and the token is the one that this worker computes for the row and that
       address, compared in constant time. A row that somebody else wrote, with the hash of a token
       of their own, does not pass.
    2. It was not spent before. The mark is one that the site's login cannot take back; `used_at` of
       a link is not looked at, as the site sets it in the same moment in which it asks for this.
    3. It was presented `at` a time within the link's validity; an invitation is the newest one for
       its seat. Whether an offer still stands, or a seat can be taken, is for the use case to say.

    Tokens of the previous release prove nothing here. The caller's transaction must be one that
    writes.
    """
    opened = find_opened(session, presented)
    if (
        opened is None
        or opened.address is None
        or not same_token(token_for(keyring, presented, opened), token)
    ):
        return None
    if presented.purpose == "signin" and opened.row.until <= at:
        return None
    if not _mark_spent(session, presented.purpose, opened, at):
        return None
    return Proof(presented, opened.address, who_is(keyring, opened.address))


def _mark_spent(session: Session, purpose: Purpose, opened: Opened, at: datetime) -> bool:
    """Mark a row's token as spent by compare-and-set; returns False if it was, or if this purpose
    proves no session.
    """
    if purpose == "invitation":
        unspent = (
            col(Seat.id) == opened.row.id,
            col(Seat.invitation_n) == opened.n,
            col(Seat.invitation_spent) < opened.n,
        )
        return (
            session.exec(update(Seat).where(*unspent).values(invitation_spent=opened.n)).rowcount
            == 1
        )
    table = {"signin": Link, "offer": Offer}.get(purpose)
    if table is None:
        return False
    once = update(table).where(table.uid == opened.row.uid, table.spent_at.is_(None))  # type: ignore[attr-defined]  # both have them
    return session.exec(once.values(spent_at=at)).rowcount == 1
