"""Salts that players give: a text that changes the chance of the next phase to open, so that nobody
knew its dice before (SEAL/1, Chance).

A salt stands until a phase opens, whose log entry holds all salts, sorted and without seats. Until
then nobody else learns that one was given: the text is a box that only the worker opens, and no
counter that others see is raised.
"""

import json
import unicodedata
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlmodel import Session, col, delete, func, select

from adjudicator.platform import entropy
from adjudicator.seal import crypto, requests
from adjudicator.seal.commitments import salts_hash
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.memory import OF, RowsOf
from adjudicator.service.base.phase_records import recall_known
from adjudicator.service.base.rows import (
    by_uid,
    hold_player,
    phase_numbered,
    seats_of,
    sitting,
    why_expired,
)
from adjudicator.service.base.tables import Match, PhaseRow, Salt
from adjudicator.service.log.tampering import tell_seat
from adjudicator.service.log.vouching import ALTERED, NO_SESSION, OTHERS, Vouching
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.bodies import salt_request
from adjudicator.service.requests.identities import find_who
from adjudicator.service.requests.rights import lock_own_seat
from adjudicator.service.requests.signing import sign_request

SALTS = RowsOf("salts", select(Salt.match_id, Salt).where(col(Salt.match_id).in_(OF)))
LONGEST_SALT = 64  # characters: with its command it fits into one line of a letter
_WITHOUT_LOG = "This match has no public log, so its chance was fixed without salts."
_OVER = "This match is over; no more phases open."

log = structlog.get_logger()


def read_salt(text: str) -> str:
    """Return a salt as it is kept: in NFC, with single spaces; raises Refused for one that is
    empty, too long or not plain text.
    """
    salt = unicodedata.normalize("NFC", " ".join(text.split()))
    if not salt:
        raise Refused(
            "A salt is any words or numbers that nobody can foresee, such as the score of a ball"
            " game.",
            field="salt",
        )
    if len(salt) > LONGEST_SALT:
        raise Refused(
            f"A salt has at most {LONGEST_SALT} characters; this one has {len(salt)}.", field="salt"
        )
    if not salt.isprintable():
        raise Refused(
            "A salt is one line of plain text; this one has characters that cannot be shown.",
            field="salt",
        )
    return salt


@act
def give_salt(session: Session, uid: str, player_id: int, text: str, *, now: datetime) -> str:
    """Let a player's salt stand for the next phase that opens, instead of an earlier one; returns
    the sentence for the player. The new version of the match makes a closing that overlaps look
    again.

    Raises Refused with a sentence, NotAllowed for a player without a seat, NotNow where no phase
    follows.
    """
    match, seat = lock_own_seat(session, uid, player_id)
    refusal = why_no_salt(match)
    if refusal:
        raise NotNow(refusal)
    salt, nonce = read_salt(text), entropy.token_hex(32)
    hold_player(session, player_id)
    plain = json.dumps({"text": salt, "nonce": nonce}).encode()
    sealed = crypto.seal(public_keys.current_keys(session).wrapping, plain, bound_to=_place(match))
    row = _own(session, match, player_id)
    if row is None:
        assert match.id is not None  # noqa: S101 from the database
        row = Salt(match_id=match.id, player_id=player_id, sealed=sealed, at=now)
    row.sealed, row.at, row.seat, row.tenure = sealed, now, seat.name, seat.tenure
    row.phase_number = _next_phase(session, match)
    row.signer, row.request_signature = sign_request(
        session, player_id, salt_request(match.uid, row, salt, nonce)
    )
    session.add(row)
    session.flush()
    return (
        f"Your salt “{salt}” stands for the next phase that opens. It counts once, and nobody is"
        " told who gave it."
    )


def _next_phase(session: Session, match: Match) -> int:
    """Return the number of the phase that opens next, 0 before the match begins."""
    newest: int | None = session.exec(
        select(func.max(PhaseRow.number)).where(PhaseRow.match_id == match.id)
    ).one()
    return 0 if newest is None else newest + 1


def why_no_salt(match: Match) -> str:
    """Return why no salt can be given to a match, "" where it can."""
    if match.status in ("ended", "expired"):
        return why_expired(match) if match.status == "expired" else _OVER
    return _WITHOUT_LOG if match.log_hash is None and match.status != "making" else ""


def salt_stands(session: Session, uid: str, player_id: int | None) -> bool | None:
    """Return whether a salt of a viewer stands for the next phase; None for a viewer who cannot
    give one.
    """
    match = by_uid(session, uid)
    if (
        player_id is None
        or sitting(seats_of(session, match), player_id) is None
        or why_no_salt(match)
    ):
        return None
    return _own(session, match, player_id) is not None


def _own(session: Session, match: Match, player_id: int) -> Salt | None:
    return session.exec(
        select(Salt).where(Salt.match_id == match.id, Salt.player_id == player_id)
    ).first()


def _place(match: Match) -> bytes:
    return f"salt:{match.uid}".encode()


# --- as a phase opens


@dataclass(frozen=True)
class LockedSalts:
    """The salts of the phase that opens next, sorted by code points; later phases have none."""

    phase: int
    salts: tuple[str, ...]
    # seats in whose names others stored salts, each with the reason
    refused: tuple[tuple[str, str], ...] = ()
    stored: bool = True  # whether any row may be there to erase

    def of(self, phase: int) -> tuple[str, ...]:
        """Return the salts of a phase."""
        return self.salts if phase == self.phase else ()

    def clients(self, phase: int) -> str | None:
        """Return the hash of a phase's salts, to which its chance is bound; None without any."""
        return salts_hash(self.of(phase))


def lock_salts(session: Session, keyring: Keyring, match: Match, phase: int) -> LockedSalts:
    """Return the salts that stand as `phase` opens: those that the players who have a seat signed
    for it.

    A row is passed over whose box does not open, or holds no salt. Its player misses it in the log.
    In the phase after one that a worker of an earlier release opened, salts without signatures
    count; before a match begins they are passed over.
    """
    seats = {
        seat.player_id: seat for seat in seats_of(session, match) if seat.player_id is not None
    }
    stored = SALTS.read(session, match.id, keep=False)
    rows = [row for row in stored if row.player_id in seats] if match.sealing else []
    vouching, found, refused = Vouching(session, keyring, match), [], []
    vouching.prepare(row.signer for row in rows)
    unsigned = phase > 0 and not _asks_for_signatures(session, keyring, match, phase - 1)
    spent: set[bytes | None] = set()
    for row in rows:
        opened, seat = _open(keyring, match, row), seats[row.player_id]
        # its player has another seat since
        moved = phase > 0 and (row.seat, row.tenure) != (seat.name, seat.tenure)
        if opened is None or (not unsigned and (moved if row.request_signature else phase == 0)):
            continue
        why = "" if unsigned else _reject(session, keyring, vouching, match, phase, row, opened)
        if why or (row.request_signature is not None and row.request_signature in spent):
            refused.append((seat.name, why or "it is stored twice"))
        else:
            found.append(opened[0])
        spent.add(row.request_signature)
    return LockedSalts(phase, tuple(sorted(found)), tuple(sorted(refused)), bool(stored))


def _asks_for_signatures(session: Session, keyring: Keyring, match: Match, before: int) -> bool:
    """Whether the phase before the one that opens was opened by a worker that asks for signed
    salts.
    """
    row = phase_numbered(session, match, before)
    try:
        return row is None or recall_known(keyring, match, row) is not None
    except CannotOpen:
        return True


def _reject(
    session: Session,
    keyring: Keyring,
    vouching: Vouching,
    match: Match,
    phase: int,
    row: Salt,
    opened: tuple[str, str],
) -> str:
    """Return why a salt does not count, "" where it does. Before a match begins its tenures have no
    proofs: whose it is say the rows.
    """
    request, given = salt_request(match.uid, row, *opened), row.request_signature or b""
    if row.phase_number != phase:
        return "it was for another phase"
    if row.signer is None:
        return (
            "" if requests.is_workers(keyring, request, given) else ALTERED if given else NO_SESSION
        )
    if phase:
        return vouching.reject_signed(
            request, row.signer, given, at=row.at, scope="orders", tenure=row.tenure
        )
    known = vouching.find_session(row.signer, at=row.at, scope="orders")
    if known is None:
        return NO_SESSION
    if not requests.is_signed(row.signer, request, given):
        return ALTERED
    return "" if known.who == find_who(session, keyring, row.player_id) else OTHERS


def _open(keyring: Keyring, match: Match, row: Salt) -> tuple[str, str] | None:
    """Return a salt and its nonce, which is "" for one from before salts were signed; None where
    the row holds none.
    """
    try:
        plain = keyring.unwrap(row.sealed, bound_to=_place(match)).decode()
        kept = (
            json.loads(plain) if row.request_signature is not None else {"text": plain, "nonce": ""}
        )
        text, nonce = kept["text"], kept["nonce"]
        return (text, nonce) if isinstance(nonce, str) and read_salt(text) == text else None
    except (CannotOpen, ValueError, KeyError, TypeError, AttributeError, Refused):
        log.warning("salt.unreadable", match=match.uid)
        return None


def use_up(
    session: Session, keyring: Keyring, match: Match, locked: LockedSalts, *, now: datetime
) -> None:
    """Erase the salts of a match, as a phase opened with them or none follows; tell of those that
    were refused.

    The caller has locked the match.
    """
    for seat, why in locked.refused:
        tell_seat(session, keyring, match, seat, locked.phase, "salt", why, now=now)
    if locked.stored:
        session.exec(delete(Salt).where(col(Salt.match_id) == match.id))
