"""The worker's public keys as the doors find them: in the database, published by the worker itself."""

from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.seal.keyfile import PublicKeys
from adjudicator.service.errors import NotNow
from adjudicator.service.tables import WorkerKeys


def publish(session: Session, public: PublicKeys, now: datetime) -> None:
    """Make `public` the keys that everything new is sealed to; publishing the newest ones again changes nothing."""
    newest = session.exec(
        select(WorkerKeys).order_by(col(WorkerKeys.id).desc())
    ).first()
    if newest is None or newest.fingerprint != public.fingerprint:
        session.add(
            WorkerKeys(
                fingerprint=public.fingerprint, document=public.document, since=now
            )
        )


def current(session: Session) -> PublicKeys:
    """Return the newest public keys; raises NotNow while no worker has ever started."""
    newest = session.exec(
        select(WorkerKeys).order_by(col(WorkerKeys.id).desc())
    ).first()
    if newest is None:
        raise NotNow(
            "The service is still starting: its keys are not made yet. Nothing was lost; try again in a moment."
        )
    return PublicKeys.of(newest.document)
