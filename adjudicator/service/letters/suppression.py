"""Suppressed addresses: those whose readers want no letters, kept as hashes, and addresses and
domains that the host blocks.
"""

import hashlib
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from typing import Literal

from sqlalchemy import bindparam, or_, union_all
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, literal, select

from adjudicator.seal.tokens import hash_token
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.tables import Blocked, Stranger

Why = Literal["", "host", "reader"]

# kinds of letters to addresses that are not proved
TO_STRANGERS = frozenset({"invitation", "offer", "confirm", "answer"})
# kinds sent even to readers who want no letters: requested on the site, to play or to change that
ALWAYS = frozenset({"signin"})
BLOCKED = (
    "The host of this service takes no letters of this address and lets nobody play with it. Write"
    " to the host if that is a mistake."
)


# who suppresses which names and which hashes of addresses
_SUPPRESSED = union_all(
    select(literal("host").label("who"), Blocked.what).where(
        col(Blocked.what).in_(bindparam("names", expanding=True))
    ),
    select(literal("reader"), Stranger.address_hash).where(
        col(Stranger.address_hash).in_(bindparam("hashes", expanding=True)),
        col(Stranger.never_at).is_not(None),
    ),
)


def base_address(address: str) -> str:
    """Return an address in lower case without its tag: `ann@host` for `ann+games@host`."""
    name, _, host = address.strip().lower().rpartition("@")
    return f"{name.partition('+')[0] or name}@{host}"


def address_hash(address: str) -> str:
    """Return the hash of an address's base form; it recognizes the address and does not contain
    it.
    """
    return hashlib.sha256(f"never write to {base_address(address)}".encode()).hexdigest()


def blockable_names(address: str) -> list[str]:
    """Return all entries of the block list that would cover an address: the address, its base form,
    its domain and parent domains.
    """
    host = address.strip().lower().rpartition("@")[2].split(".")
    return [
        address.strip().lower(),
        base_address(address),
        *(".".join(host[at:]) for at in range(len(host))),
    ]


def why_suppressed(session: Session, address: str) -> Why:
    """Return who suppresses letters to an address: the host, its reader, or "" for nobody."""
    return who_suppresses(session, [address])[address]


def who_suppresses(session: Session, addresses: Collection[str]) -> dict[str, Why]:
    """Return `why_suppressed` of many addresses, by one statement."""
    names = {address: set(blockable_names(address)) for address in addresses}
    hashes = {address: address_hash(address) for address in addresses}
    wanted = {"names": list(set[str]().union(*names.values())), "hashes": list({*hashes.values()})}
    found = list(session.exec(_SUPPRESSED, params=wanted))  # type: ignore[call-overload]  # of SQLModel
    blocked, unwanted = (
        {what for who, what in found if who == whose} for whose in ("host", "reader")
    )
    return {
        each: "host" if blocked & names[each] else "reader" if hashes[each] in unwanted else ""
        for each in addresses
    }


def may_get(suppressed: Why, kind: str) -> bool:
    """Whether a letter of this kind may go to an address that is suppressed by somebody or by
    nobody.
    """
    return not suppressed or (suppressed == "reader" and kind in ALWAYS)


def refuse_blocked(session: Session, address: str) -> None:
    """Raise NotAllowed where the host blocks an address."""
    if why_suppressed(session, address) == "host":
        raise NotAllowed(BLOCKED)


# --- "never write to me again"


def stranger_at(session: Session, address: str, *, now: datetime) -> str:
    """Return the hash of an address whose row can be opened by a token; the row is created at the
    first call.
    """
    hashed = address_hash(address)
    if _of_hash(session, hashed) is None:
        with suppress(IntegrityError), session.begin_nested():  # another process may be first
            session.add(Stranger(address_hash=hashed, made_at=now))
    return hashed


def of_token(session: Session, token: str) -> str | None:
    """Return the hash of the address whose letters a token stops, None if there is none."""
    hashed = hash_token(token)
    stops = or_(col(Stranger.token_hash) == hashed, col(Stranger.earlier_hash) == hashed)
    return session.exec(select(Stranger.address_hash).where(stops)).first()


def _of_hash(session: Session, hashed: str) -> Stranger | None:
    return session.exec(select(Stranger).where(Stranger.address_hash == hashed)).first()


def lift_suppression(session: Session, address: str | None) -> None:
    """Allow letters to an address again, after its reader has proved the address and asked for
    them.
    """
    row = _of_hash(session, address_hash(address)) if address else None
    if row is not None:
        row.never_at = None
