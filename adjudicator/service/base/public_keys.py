"""The worker's public keys, which the worker publishes in the database for the site and the inbox,
and their changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from sqlmodel import Session, col, func, select

from adjudicator.core.jcs import H
from adjudicator.platform.db import Database
from adjudicator.seal.published import PublicKeys
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.tables import WorkerKeys

if TYPE_CHECKING:
    from adjudicator.seal.crypto import Keyring

log = structlog.get_logger()


# --- what the site and the inbox believe

# in a session's info: the fingerprint of the keys that this process was started with
PINNED = "key_fingerprint"


IS_NEWEST = col(WorkerKeys.id) == select(func.max(WorkerKeys.id)).correlate(None).scalar_subquery()


def pinned(fingerprint: str) -> dict[str, object]:
    """Return the `info` of a database whose public keys are believed only if this fingerprint leads
    to them; "" believes any.
    """
    return {PINNED: fingerprint} if fingerprint else {}


def current_keys(session: Session) -> PublicKeys:
    """Return the newest public keys; raises NotNow as `believe` does."""
    return believe(session, _newest(session))


def believe(session: Session, newest: WorkerKeys | None) -> PublicKeys:
    """Return the public keys of the newest row; raises NotNow while no worker has ever started, or
    where `believed_keys` is empty.
    """
    if newest is None:
        raise NotNow(
            "The service is still starting: its keys are not made yet. Nothing was lost; try again"
            " in a moment."
        )
    keys = PublicKeys.of(newest.document)
    if session.info.get(PINNED, keys.fingerprint) != keys.fingerprint and not believed_keys(
        session
    ):
        log.error("keys.not_pinned", found=keys.fingerprint)
        raise NotNow(
            "The keys in the database are not those that this service was started with, so nothing"
            " was sealed. Tell the host."
        )
    return keys


def believed_keys(session: Session) -> tuple[PublicKeys, ...]:
    """Return the newest public keys and those before them, back to the pinned ones, or to the first
    where none are pinned.

    Each is followed by keys whose record both signed (SEAL/1, Pinned keys). () where no such
    records lead to the newest ones.
    """
    rows = list_keys(session)
    if not rows:
        return ()
    wanted = session.info.get(PINNED)
    found = [PublicKeys.of(rows[-1].document)]
    by_fingerprint = {row.fingerprint: row for row in rows}
    row = rows[-1]
    while (
        found[-1].fingerprint != wanted
        and row.former is not None
        and row.former in by_fingerprint
        and len(found) < len(rows)
    ):
        before = by_fingerprint[row.former]
        keys = PublicKeys.of(before.document)
        if keys.fingerprint != row.former or not _is_signed_by_both(row, keys, found[-1]):
            break
        found.append(keys)
        row = before
    return tuple(found) if wanted in (None, found[-1].fingerprint) else ()


def change_hash(former: str, keys: PublicKeys) -> bytes:
    """Return H("keys-change", {former, keys}), which the signing keys of before and after a
    rotation sign.
    """
    return H("keys-change", {"former": former, "keys": keys.document})


def _is_signed_by_both(row: WorkerKeys, before: PublicKeys, after: PublicKeys) -> bool:
    # few processes meet other keys than those they know
    from adjudicator.seal.crypto import is_signed_by

    digest = change_hash(before.fingerprint, after)
    by_former = is_signed_by(before.signing, digest, row.signed_by_former or b"")
    return by_former and is_signed_by(after.signing, digest, row.signed or b"")


# --- what is published


def list_keys(session: Session) -> list[WorkerKeys]:
    """Return all public keys that were published, the newest last."""
    return list(session.exec(select(WorkerKeys).order_by(col(WorkerKeys.id))))


def published_fingerprint(session: Session) -> str:
    """Return the fingerprint of the newest public keys, "" while no worker has ever started."""
    newest = _newest(session)
    return newest.fingerprint if newest else ""


def _newest(session: Session) -> WorkerKeys | None:
    return session.exec(select(WorkerKeys).where(IS_NEWEST)).first()


def described(row: WorkerKeys) -> dict[str, object]:
    """Return published keys as JSON has them: the document and its fingerprint."""
    return {**row.document, "fingerprint": row.fingerprint}


@dataclass(frozen=True)
class KeyChange:
    """A change of the keys, as programs may check it; the signatures are over `change_hash`, in
    hex.
    """

    former: str
    keys: str
    signed_by_former: str
    signed: str


def list_changes(rows: Sequence[WorkerKeys]) -> list[KeyChange]:
    """Return the changes among published keys, the oldest first."""
    return [
        KeyChange(
            row.former,
            row.fingerprint,
            (row.signed_by_former or b"").hex(),
            (row.signed or b"").hex(),
        )
        for row in rows
        if row.former is not None
    ]


# --- the worker's side


def publish_keys(
    session: Session, public: PublicKeys, now: datetime, *, push_key: bytes | None = None
) -> None:
    """Publish `public` as the first keys of an installation, and the key of web push;
    idempotent.
    """
    newest = _newest(session)
    if newest is None or newest.fingerprint != public.fingerprint:
        session.add(
            WorkerKeys(
                fingerprint=public.fingerprint,
                document=public.document,
                since=now,
                push_key=push_key,
            )
        )
    elif push_key is not None:
        newest.push_key = push_key


def publish_changes(session: Session, keyring: "Keyring", now: datetime) -> None:
    """Publish the keys that followed the newest published ones in the key file, each signed by the
    keys before and by itself.

    Idempotent. Nothing where none are published yet, or where the published ones are not in the
    file.
    """
    newest = _newest(session)
    oldest_first = keyring.sets[::-1]
    fingerprints = [each.public.fingerprint for each in oldest_first]
    if newest is None or newest.fingerprint not in fingerprints:
        return
    begin = fingerprints.index(newest.fingerprint)
    for before, after in zip(oldest_first[begin:], oldest_first[begin + 1 :], strict=False):
        former, public = before.public.fingerprint, after.public
        digest = change_hash(former, public)
        session.add(
            WorkerKeys(
                fingerprint=public.fingerprint,
                document=public.document,
                since=now,
                push_key=newest.push_key,
                former=former,
                signed_by_former=before.sign(digest),
                signed=after.sign(digest),
            )
        )
        session.flush()


def require_newest(session: Session, keyring: "Keyring") -> None:
    """Raise KeyFileError where the published keys are not in the key file, as on a machine whose
    copy is from before a rotation.
    """
    from adjudicator.seal.crypto import CannotOpen, KeyFileError

    newest = _newest(session)
    try:
        keyring.holding(PublicKeys.of(newest.document).signing if newest else keyring.signers[0])
    except CannotOpen as error:
        raise KeyFileError(
            "The worker's key file does not hold the newest keys: copy it from the machine where"
            " `sealed keys rotate` ran."
        ) from error


@dataclass(frozen=True)
class KeyTrouble:
    """Why a key file cannot serve a database, in a sentence, and whether another file is needed."""

    sentence: str
    lost: bool = True


def find_key_trouble(session: Session, path: Path) -> KeyTrouble | None:
    """Return why a key file cannot serve this database; None if it can, or may be made."""
    from adjudicator.seal import crypto

    newest = _newest(session)
    if newest is None:
        return None
    wanted = newest.fingerprint[:16]
    if not path.exists():
        why = (
            f"The worker's key file {path} is missing, and sealed orders need it: restore it from"
            f" its backup (fingerprint {wanted}…)."
        )
        return KeyTrouble(why)
    try:
        held = [each.public.fingerprint for each in crypto.load_key_file(path).sets]
    except crypto.KeyFileError as fault:
        return KeyTrouble(str(fault), lost=isinstance(fault, crypto.DamagedKeyFile))
    if newest.fingerprint in held:
        return None
    return KeyTrouble(
        f"The worker's key file {path} is not the one this database was sealed to (its fingerprint"
        f" begins {held[0][:16]}, {wanted} is needed): restore that one from its backup."
    )


def open_keyring(database: Database, path: Path, *, now: datetime) -> "Keyring":
    """Return the worker's keyring and publish its public half; the first worker of an installation
    creates the file.

    Raises KeyFileError for an unusable file, and where the database was sealed to a key file that
    is missing or differs from this one.
    """
    from adjudicator.seal import crypto, web_push

    with database.read_tx() as session:
        trouble = find_key_trouble(session, path)
    if trouble is not None:
        raise crypto.KeyFileError(trouble.sentence)
    keyring = crypto.ensure_key_file(path)
    with database.write_tx() as session:
        publish_changes(session, keyring, now)
        publish_keys(
            session, keyring.public, now, push_key=web_push.public_point(web_push.push_key(keyring))
        )
    return keyring
