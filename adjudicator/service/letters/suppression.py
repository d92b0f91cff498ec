"""Suppressed addresses: those whose readers want no letters, kept as hashes, and addresses and domains that the host blocks."""

import hashlib
from datetime import datetime
from typing import Literal

from sqlalchemy import union_all
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, literal, select

from adjudicator.platform import entropy
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.tables import Blocked, Stranger

Why = Literal["", "host", "reader"]

TO_STRANGERS = frozenset({"invitation", "offer", "confirm", "answer"})  # kinds of letters to addresses that are not proved
ALWAYS = frozenset({"signin"})  # kinds sent even to readers who want no letters: requested on the site, to play or to change that
BLOCKED = "The host of this service takes no letters of this address and lets nobody play with it. Write to the host if that is a mistake."


def base_address(address: str) -> str:
    """Return an address in lower case without its tag: `ann@host` for `ann+games@host`."""
    name, _, host = address.strip().lower().rpartition("@")
    return f"{name.partition('+')[0] or name}@{host}"


def address_hash(address: str) -> str:
    """Return the hash of an address's base form; it recognizes the address and does not contain it."""
    return hashlib.sha256(f"never write to {base_address(address)}".encode()).hexdigest()


def blockable_names(address: str) -> list[str]:
    """Return all entries of the block list that would cover an address: the address, its base form, its domain and parent domains."""
    host = address.strip().lower().rpartition("@")[2].split(".")
    return [address.strip().lower(), base_address(address), *(".".join(host[at:]) for at in range(len(host)))]


def why_suppressed(session: Session, address: str) -> Why:
    """Return who suppresses letters to an address: the host, its reader, or "" for nobody."""
    by_host = select(literal("host").label("who")).where(col(Blocked.what).in_(blockable_names(address)))
    never = (Stranger.address_hash == address_hash(address), col(Stranger.never_at).is_not(None))
    found = set(session.exec(union_all(by_host, select(literal("reader")).where(*never))).scalars())  # type: ignore[call-overload]  # of SQLModel
    return "host" if "host" in found else "reader" if found else ""


def may_get(session: Session, address: str, kind: str) -> bool:
    """Whether a letter of this kind may go to an address."""
    who = why_suppressed(session, address)
    return not who or (who == "reader" and kind in ALWAYS)


def refuse_blocked(session: Session, address: str) -> None:
    """Raise NotAllowed where the host blocks an address."""
    if why_suppressed(session, address) == "host":
        raise NotAllowed(BLOCKED)


# --- "never write to me again"


def token_for(session: Session, address: str, *, now: datetime) -> str:
    """Return the secret by which the reader of an address stops all letters for good; created at the first call."""
    known = _of_hash(session, address_hash(address))
    if known is not None:
        return known.token
    made = Stranger(address_hash=address_hash(address), token=entropy.token_hex(16), made_at=now)
    try:
        with session.begin_nested():
            session.add(made)
    except IntegrityError:  # another process was first
        return session.exec(select(Stranger.token).where(Stranger.address_hash == made.address_hash)).one()
    return made.token


def of_token(session: Session, token: str) -> Stranger | None:
    """Return the row of the address with this secret, None if there is none."""
    return session.exec(select(Stranger).where(Stranger.token == token)).first() if "\0" not in token else None


def _of_hash(session: Session, hashed: str) -> Stranger | None:
    return session.exec(select(Stranger).where(Stranger.address_hash == hashed)).first()


def lift_suppression(session: Session, address: str | None) -> None:
    """Allow letters to an address again, after its reader has proved the address and asked for them."""
    row = _of_hash(session, address_hash(address)) if address else None
    if row is not None:
        row.never_at = None
