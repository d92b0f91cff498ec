"""The worker's public keys, which the worker publishes in the database for the site and the inbox."""

from datetime import datetime
from pathlib import Path

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import KeyFileError, Keyring, PublicKeys
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.tables import WorkerKeys


def publish_keys(session: Session, public: PublicKeys, now: datetime) -> None:
    """Publish `public` as the newest keys, to which all new data is sealed; idempotent."""
    newest = _newest(session)
    if newest is None or newest.fingerprint != public.fingerprint:
        session.add(WorkerKeys(fingerprint=public.fingerprint, document=public.document, since=now))


def current_keys(session: Session) -> PublicKeys:
    """Return the newest public keys; raises NotNow while no worker has ever started."""
    newest = _newest(session)
    if newest is None:
        raise NotNow("The service is still starting: its keys are not made yet. Nothing was lost; try again in a moment.")
    return PublicKeys.of(newest.document)


def published_fingerprint(session: Session) -> str:
    """Return the fingerprint of the newest public keys, "" while no worker has ever started."""
    newest = _newest(session)
    return newest.fingerprint if newest else ""


def _newest(session: Session) -> WorkerKeys | None:
    return session.exec(select(WorkerKeys).order_by(col(WorkerKeys.id).desc())).first()


def open_keyring(database: Database, path: Path, *, now: datetime) -> Keyring:
    """Return the worker's keyring and publish its public half; the first worker of an installation creates the file.

    Raises KeyFileError for an unusable file, and where the database was sealed to a key file that is missing or differs from this one.
    """
    with database.read_tx() as session:
        newest = _newest(session)
    if newest is not None and not path.exists():
        raise KeyFileError(f"The worker's key file {path} is missing, and sealed orders need it: restore it from its backup.")
    keyring = crypto.ensure_key_file(path)
    if newest is not None and newest.fingerprint != keyring.public.fingerprint:
        wanted, found = newest.fingerprint[:16], keyring.public.fingerprint[:16]
        raise KeyFileError(
            f"The worker's key file {path} is not the one this database was sealed to "
            f"(its fingerprint begins {found}, {wanted} is needed): restore that one from its backup."
        )
    with database.write_tx() as session:
        publish_keys(session, keyring.public, now)
    return keyring
