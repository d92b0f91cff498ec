"""Rotation of the worker's keys while the service runs; killed anywhere and run again, it ends with
the same keys (SEAL/1, Keys).
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import Session, col, select, update

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.rows import hold_matches
from adjudicator.service.base.state import renew_chains
from adjudicator.service.base.tables import Match, Tournament, WorkerKeys
from adjudicator.service.checkpoints.growing import publish_log
from adjudicator.service.checkpoints.reading import growing_log
from adjudicator.service.log.key_changes import follow_key

BATCH = 20  # matches in one transaction


@dataclass(frozen=True)
class Rotated:
    """The outcome of a rotation."""

    fingerprint: str  # of the new keys
    resumed: bool  # whether an earlier rotation was finished, and none begun
    matches: int  # running matches whose logs changed to the new keys
    left: tuple[str, ...]  # those that could not, as their stored records cannot be opened


def rotate_keys(database: Database, path: Path, *, now: Callable[[], datetime]) -> Rotated:
    """Give the installation new keys for signing, wrapping and the inbox; or finish a rotation that
    was cut short.

    1. Replace the key file by one that holds the former keys too. 2. Publish the new keys, signed
       by both: site and inbox follow.
    3. Bring every running match to them, in batches. 4. Note that it is done. `auth` stays. Raises
       KeyFileError.
    """
    with crypto.hold_key_file(path):
        keyring = public_keys.open_keyring(database, path, now=now())
        with database.read_tx() as session:
            resumed = is_under_way(session)
        if not resumed:
            crypto.rotate_key_file(path)
            failpoints.kill_here("keys.after_file")
            keyring = public_keys.open_keyring(database, path, now=now())
        failpoints.kill_here("keys.after_publish")
        done, left = _change_matches(database, keyring, now)
        _change_rest(database, keyring)
        failpoints.kill_here("keys.before_done")
        with database.write_tx() as session:
            session.exec(
                update(WorkerKeys).where(col(WorkerKeys.done_at).is_(None)).values(done_at=now())
            )
    return Rotated(keyring.public.fingerprint, resumed, done, tuple(left))


def is_under_way(session: Session) -> bool:
    """Whether a rotation was begun and is not done."""
    newest = session.exec(select(WorkerKeys).order_by(col(WorkerKeys.id).desc()).limit(1)).first()
    return newest is not None and newest.former is not None and newest.done_at is None


def _change_matches(
    database: Database, keyring: Keyring, now: Callable[[], datetime]
) -> tuple[int, list[str]]:
    """Bring all running matches to the newest keys; returns how many, and the public names of those
    that could not be.
    """
    done, left = 0, dict[int, str]()
    while True:
        with database.write_tx() as session:
            waiting = _waiting(session, keyring, left)
            for match in hold_matches(session, waiting):
                try:
                    with session.begin_nested():
                        follow_key(session, keyring, match, now=now())
                        match.version += 1
                    done += 1
                except CannotOpen:
                    left[match.id] = match.uid
            failpoints.kill_here("keys.in_batch")
        failpoints.kill_here("keys.after_batch")
        if not waiting:
            return done, sorted(left.values())


def _waiting(session: Session, keyring: Keyring, left: Collection[int]) -> list[int]:
    newest = keyring.public.signing.hex()
    other = col(Match.log_key).is_(None) | (col(Match.log_key) != newest)
    running = select(Match.id).where(
        col(Match.status).in_(("running", "stuck")), other, col(Match.id).not_in(left)
    )
    return list(session.exec(running.order_by(col(Match.id)).limit(BATCH)))


def _change_rest(database: Database, keyring: Keyring) -> None:
    """Sign the public log's keys with the newest key, and store the chains of tournaments under the
    newest keys.
    """
    with database.write_tx() as session:
        growing = growing_log(session)
        if growing is not None:
            publish_log(session, keyring, growing)
        secret = (
            col(Tournament.wrapped_chains).is_not(None),
            col(Tournament.opened_chains).is_(None),
        )
        for tournament in session.exec(
            select(Tournament).where(*secret).order_by(col(Tournament.id)).with_for_update()
        ):
            tournament.wrapped_chains = renew_chains(keyring, tournament)
