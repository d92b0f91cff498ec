"""Tokens are computed as the worker writes a letter: they take the place of the references in its
content.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select, update

from adjudicator.seal.crypto import Keyring
from adjudicator.seal.tokens import Purpose, derive_token, hash_token, who_is
from adjudicator.service.base.tables import Letter, Player, Seat
from adjudicator.service.tokens.references import MASTER, Opened, Reference, find_opened, token_for

_FIELDS = ("token", "reply_token", "stop_token", "never_token")  # of contents of letters
# letters that make no sense without their token
_ALWAYS: frozenset[Purpose] = frozenset({"signin", "invitation", "offer", "question"})
_HASHES: Mapping[Purpose, str] = {
    "invitation": "invitation_hash",
    "stop": "stop_hash",
    "seat": "token_hash",
}
# tables whose hashes are stored together
_TOGETHER: Mapping[Purpose, Any] = {"seat": Seat, "stop": Player}
# the number of a token whose row is gone: no row has it, so the link says that it is over
_OVER = -1


@dataclass(frozen=True)
class Unstored:
    """A token whose row does not hold its hash yet."""

    reference: Reference
    opened: Opened
    hashed: str


def references_in(content: Mapping[str, Any]) -> list[Reference]:
    """Return the references in a letter's content."""
    values = (content.get(name) for name in _FIELDS)
    return [_reference(value) for value in values if isinstance(value, Mapping)]


def _reference(value: Mapping[str, str]) -> Reference:
    return Reference(value["purpose"], value["row"], value.get("before", ""))  # type: ignore[arg-type]  # as it was stored


def fill_in(
    session: Session, keyring: Keyring, letter: Letter, content: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Unstored]]:
    """Return a letter's content with tokens in the place of references, and the hashes to store
    before the letter is sent.

    A token is told to nobody but the person whom it is for: where the letter goes to another
    address than the row says, as its row was changed since or written by somebody else, the place
    stays empty. A link then leads to a page that says that it is over.
    """
    filled, unstored = dict(content), list[Unstored]()
    for name in _FIELDS:
        value = content.get(name)
        if isinstance(value, Mapping):
            filled[name] = _token(session, keyring, _reference(value), letter.address, unstored)
    return filled, unstored


def _token(
    session: Session, keyring: Keyring, wanted: Reference, to: str, unstored: list[Unstored]
) -> str | None:
    opened = find_opened(session, wanted)
    if opened is None or opened.address not in (None, to):
        return (
            derive_token(keyring, wanted.purpose, row=wanted.row, whom=who_is(keyring, to), n=_OVER)
            if wanted.purpose in _ALWAYS
            else None
        )
    token = token_for(keyring, wanted, opened)
    hashed = hash_token(token)
    if _stored(wanted.purpose, opened) != hashed:
        unstored.append(Unstored(wanted, opened, hashed))
    return MASTER + token if wanted.purpose == "master" else wanted.before + token


def return_token(keyring: Keyring, letter: Letter) -> str:
    """Return the token of the address to which a letter comes back if it cannot be delivered; its
    hash is stored in the letter.
    """
    token = derive_token(keyring, "return", row=letter.uid, whom=letter.uid)
    letter.return_hash = hash_token(token)
    return token


def _stored(purpose: Purpose, opened: Opened) -> str | None:
    return getattr(opened.row, _HASHES.get(purpose, "token_hash"))  # type: ignore[no-any-return]  # a column of hashes


def store_free(session: Session, unstored: Sequence[Unstored]) -> list[Unstored]:
    """Store the hashes whose rows nobody else has locked, of seats and players; return the others,
    each for a transaction of its own.

    It waits for no lock, so it can hold many. A row that has changed meanwhile is among the others.
    """
    free: dict[tuple[Purpose, Any], Any] = {}
    for purpose, table in _TOGETHER.items():
        ids = {each.opened.row.id for each in unstored if each.reference.purpose == purpose}
        wanted = select(table).where(col(table.id).in_(ids)).order_by(col(table.id))
        rows = session.exec(wanted.with_for_update(skip_locked=True)).all() if ids else []
        free |= {(purpose, row.id): row for row in rows}
    left = []
    for each in unstored:
        purpose, was = each.reference.purpose, each.opened.row
        row = free.get((purpose, getattr(was, "id", None)))
        if row is None or (
            purpose == "seat" and (row.token_n, row.player_id) != (each.opened.n, was.player_id)
        ):
            left.append(each)
        else:
            setattr(row, _HASHES[purpose], each.hashed)
    return left


def store(session: Session, unstored: Unstored) -> bool:
    """Store the hash of a token, so that it works from now on; returns False where its row has
    changed meanwhile.
    """
    opened, purpose = unstored.opened, unstored.reference.purpose
    row: Any = opened.row
    table: Any = type(row)
    key = "uid" if hasattr(row, "uid") else table.__table__.primary_key.columns.keys()[0]
    same = {key: getattr(row, key)}
    if purpose in ("seat", "master"):
        same["token_n"] = opened.n
    if purpose == "seat":
        same["player_id"] = row.player_id
    elif purpose == "invitation":
        same |= {"invitation_n": opened.n, "kept_for": opened.address, "player_id": None}
    changed = update(table).where(*(getattr(table, name) == same[name] for name in same))
    column = _HASHES.get(purpose, "token_hash")
    return session.exec(changed.values({column: unstored.hashed})).rowcount == 1
