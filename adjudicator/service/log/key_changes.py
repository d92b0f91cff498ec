"""The signing key that is in force in a match's log, and its change after a rotation (SEAL/1,
Keys).
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select, update

from adjudicator.core.jcs import H
from adjudicator.seal.commitments import phase_key_hash
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.log import EntryType, LogHead, make_entry
from adjudicator.service.base.phase_records import renew_phase_key
from adjudicator.service.base.state import OPENINGS, renew_chains, renew_former_chains
from adjudicator.service.base.storing import add_row, new_row, reserved_id
from adjudicator.service.base.tables import LogEntry, Match, PhaseRow
from adjudicator.service.log import log_tail


def head_of(match: Match) -> LogHead | None:
    """Return the newest entry of a match's log; None for a match without a log, or one that was not
    founded yet.
    """
    return LogHead(match.log_size - 1, match.log_hash) if match.log_hash is not None else None


def add_entry(
    session: Session,
    keyring: Keyring,
    match: Match,
    kind: EntryType,
    body: Mapping[str, Any],
    *,
    now: datetime,
) -> None:
    """Sign an entry with the newest key of a keyring and add it to the log of a match that the
    caller has locked.
    """
    assert match.id is not None  # noqa: S101 from the database
    entry = make_entry(keyring, head_of(match), kind, body)
    row = new_row(
        session,
        LogEntry,
        id=reserved_id(session, LogEntry),  # None: the next one
        match_id=match.id,
        index=entry.index,
        prev=entry.prev,
        type=kind,
        body=dict(body),
        hash=entry.hash,
        sig=entry.sig,
        at=now,
    )
    add_row(session, row)
    log_tail.extend(session, match, row)
    match.log_size, match.log_hash = entry.index + 1, entry.hash


def keyring_in_force(keyring: Keyring, match: Match) -> Keyring:
    """Return a keyring that signs with the key in force in a match's log; raises CannotOpen where
    the key file does not hold it.
    """
    held = holding_keyring(keyring, match)
    signer = _signer(held, match)
    if signer == held.signers[0]:
        return held
    keys = held.key_set(signer)
    return replace(held, signing=keys.signing)


def holding_keyring(keyring: Keyring, match: Match) -> Keyring:
    """Return a keyring, or the newer one in its file, with the key in force in a match's log;
    raises CannotOpen.
    """
    return keyring.holding(bytes.fromhex(match.log_key)) if match.log_key is not None else keyring


def _signer(keyring: Keyring, match: Match) -> bytes:
    return bytes.fromhex(match.log_key) if match.log_key is not None else keyring.signers[-1]


def follow_key(session: Session, keyring: Keyring, match: Match, *, now: datetime) -> Keyring:
    """Bring a match that the caller has locked to the newest keys of the key file, unless it is;
    return the keyring that signs for it.

    1. A `key` entry, signed by the key in force; the new one signs H("key", {match, index, keys}).
       2. The open phase's public key is
    signed anew. 3. The worker's own records are made anew: chains, the open phase's private key,
    openings that wait for the audit. Raises CannotOpen where the key file does not hold the key in
    force.
    """
    held = holding_keyring(keyring, match)
    newest = held.signers[0].hex()
    if match.sealing and match.log_hash is None:
        match.log_key = newest  # the log begins with this key
    if _signer(held, match).hex() == newest:
        return held
    if match.log_hash is not None:
        keys = held.public.document
        agreed = H("key", {"match": match.uid, "index": match.log_size, "keys": keys})
        body = {"keys": keys, "signed": held.sign(agreed).hex()}
        add_entry(session, keyring_in_force(held, match), match, "key", body, now=now)
    match.log_key = newest
    _make_anew(session, held, match)
    return held


def _make_anew(session: Session, keyring: Keyring, match: Match) -> None:
    """Make anew what the newest keys of a keyring shall sign or open alone, in a match that has not
    ended.
    """
    if match.wrapped_chains is not None:
        match.wrapped_chains = renew_chains(keyring, match)
        renew_former_chains(keyring, match)
    for phase in session.exec(
        select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))
    ):
        if phase.wrapped_key is not None and phase.public_key is not None:
            phase.wrapped_key = renew_phase_key(keyring, match, phase)
            if match.sealing:
                phase.key_signature = keyring.sign(
                    phase_key_hash(match.uid, phase.number, phase.public_key)
                )
    own = (col(PhaseRow.match_id) == match.id, col(PhaseRow.kept_openings).is_not(None))
    for number, record in session.exec(
        select(PhaseRow.number, PhaseRow.kept_openings).where(*own)
    ).all():
        anew = keyring.renew(record or b"", purpose=OPENINGS, match=match.uid, phase=number)
        session.exec(
            update(PhaseRow).where(*own, col(PhaseRow.number) == number).values(kept_openings=anew)
        )
