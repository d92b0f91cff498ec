"""The worker's own record of an open phase: its private key, and what the worker knew of the match
as it opened the phase.
"""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from adjudicator.core.jcs import format_timestamp
from adjudicator.platform.byte_cache import ByteCache
from adjudicator.seal import crypto
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base.due.phase_clock import in_overtime
from adjudicator.service.base.tables import Match, PhaseRow

_UNSIGNED = "phase"  # purposes of the record: of a phase without signed requests,
_REQUESTS = "signed phase"  # of one whose submissions are signed,
_KNOWN = "known phase"  # and of one whose acts and votes are, too


@dataclass(frozen=True)
class KnownSeat:
    """Who has a seat, whatever its row says. Times are as `core.jcs.format_timestamp` writes
    them.
    """

    n: int  # the number of the tenure; of a free seat, of the one that begins next
    since: str | None = None  # when it was taken
    # `seal.requests.who_of_address`, or what a guest or a bot has instead; None: nobody has it
    who: str | None = None
    nonce: str | None = None  # of the tenure's hash in the log
    owner: str | None = None  # who lent it, and gets it back
    until: str | None = None  # when that is due


@dataclass(frozen=True)
class KnownMatch:
    """What the worker relies on in an open phase, whatever the rows of the match say since."""

    master: str  # `seal.requests.who_of_address` of who runs the match, or what a guest has instead
    tournament: int | None  # whose directors run it, too
    vote_rule: str
    ready_rule: str
    # seats that conceded in earlier phases
    conceded: list[tuple[str, int]] = field(default_factory=list)
    # seats that look for a new player while the one before may still come back
    vacant: list[str] = field(default_factory=list)
    # None: in a phase that a worker of an earlier release opened, or that is closed
    seats: dict[str, KnownSeat] | None = None


def keep_phase_key(
    keyring: Keyring, match: Match, number: int, private: bytes, known: KnownMatch | None = None
) -> bytes:
    """Return the private key of a phase as the worker stores it: its own record in a match with a
    log, else a box.
    """
    if not match.sealing:
        return keyring.wrap(private, bound_to=f"phase:{match.uid}:{number}".encode())
    if known is None:
        return keyring.keep(private, purpose=_REQUESTS, match=match.uid, phase=number)
    seats = None if known.seats is None else {name: vars(s) for name, s in known.seats.items()}
    plain = json.dumps({"key": private.hex(), **vars(known), "seats": seats}).encode()
    return keyring.keep(plain, purpose=_KNOWN, match=match.uid, phase=number)


def recall_phase_key(keyring: Keyring, match: Match, phase: PhaseRow) -> bytes:
    """Return the private key of a phase; raises CannotOpen with another key file, or where the
    stored record is not the worker's.
    """
    if not match.sealing:
        return keyring.unwrap(
            phase.wrapped_key or b"", bound_to=f"phase:{match.uid}:{phase.number}".encode()
        )
    purpose, plain = _open_record(keyring, match, phase)
    return bytes.fromhex(json.loads(plain)["key"]) if purpose == _KNOWN else plain


# what records were read to, as each is asked several times while matches close together
_read: ByteCache[bytes, KnownMatch] = ByteCache(500_000)


def recall_known(keyring: Keyring, match: Match, phase: PhaseRow | None) -> KnownMatch | None:
    """Return what the worker knew of a match as a phase opened; None where it kept nothing, as a
    worker of an earlier release.

    Raises CannotOpen where the record is not the worker's.
    """
    if phase is None or not match.sealing:
        return None
    purpose, plain = _open_record(keyring, match, phase)
    if purpose != _KNOWN:
        return None
    digest = hashlib.sha256(plain).digest()  # so that no phase's private key is kept
    if (known := _read.get(digest)) is None:
        _read.put(digest, known := _read_known(plain), len(plain))
    return known


def _read_known(plain: bytes) -> KnownMatch:
    kept: Mapping[str, Any] = json.loads(plain)
    conceded = [(seat, number) for seat, number in kept["conceded"]]
    seats = (
        {name: KnownSeat(**each) for name, each in kept["seats"].items()}
        if kept.get("seats") is not None
        else None
    )
    return KnownMatch(
        kept["master"],
        kept["tournament"],
        kept["vote_rule"],
        kept["ready_rule"],
        conceded,
        kept["vacant"],
        seats,
    )


def keep_known(keyring: Keyring, match: Match, phase: PhaseRow, known: KnownMatch) -> None:
    """Write into the record of a phase what the worker knows since; the caller has locked the
    match.
    """
    phase.wrapped_key = keep_phase_key(
        keyring, match, phase.number, recall_phase_key(keyring, match, phase), known
    )


def asks_for_signatures(keyring: Keyring, match: Match, phase: PhaseRow) -> bool:
    """Whether all requests for a phase are signed; False for one that a worker of an earlier
    release opened, which its record tells.
    """
    with suppress(CannotOpen):
        return _open_record(keyring, match, phase)[0] != _UNSIGNED
    return True


def renew_phase_key(keyring: Keyring, match: Match, phase: PhaseRow) -> bytes:
    """Return the stored record of a phase under the newest keys; raises CannotOpen."""
    if not match.sealing:
        return keep_phase_key(keyring, match, phase.number, recall_phase_key(keyring, match, phase))
    purpose, plain = _open_record(keyring, match, phase)
    return keyring.keep(plain, purpose=purpose, match=match.uid, phase=phase.number)


def _open_record(keyring: Keyring, match: Match, phase: PhaseRow) -> tuple[str, bytes]:
    """Return the purpose and the content of a phase's record; raises CannotOpen."""
    for purpose in (_KNOWN, _REQUESTS, _UNSIGNED):
        with suppress(CannotOpen):
            return purpose, keyring.recall(
                phase.wrapped_key or b"", purpose=purpose, match=match.uid, phase=phase.number
            )
    raise crypto.CannotOpen("the record of this phase is not the worker's own")


def ends(match: Match, phase: PhaseRow) -> dict[str, Any]:
    """Return until when orders for a phase are taken, as `open` and `deadline` entries say it;
    overtime has no grace.
    """
    over = phase.overtime_until is not None and in_overtime(phase)
    until, grace = (phase.overtime_until, 0) if over else (phase.deadline, phase.grace_seconds)
    deadline = format_timestamp(until) if until is not None and match.paused_at is None else None
    return {"phase": phase.number, "deadline": deadline, "grace": grace}
