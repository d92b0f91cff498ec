"""What a closing holds against a match's log before it relies on stored rows (SEAL/1, What a writer
of the database can do, 6).
"""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.seal import crypto
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base.memory import OF, RowsOf
from adjudicator.service.base.phase_records import asks_for_signatures, recall_phase_key
from adjudicator.service.base.state import MatchChains, conceded_in
from adjudicator.service.base.tables import Envelope, Match, PhaseRow, Receipt
from adjudicator.service.log.bodies import hash_state
from adjudicator.service.log.entries import is_own_entry
from adjudicator.service.log.key_changes import keyring_in_force
from adjudicator.service.log.log_tail import newest_entry
from adjudicator.service.log.receipt_chains import SIGNED, is_signed_receipt
from adjudicator.service.log.tampering import Kind
from adjudicator.service.log.vouching import carried_on

_OF_PHASE = select(Envelope.phase_id, Envelope).where(col(Envelope.phase_id).in_(OF))
ENVELOPES = RowsOf("envelopes", _OF_PHASE.order_by(col(Envelope.tenure), col(Envelope.seq)))
_SENTENCES: dict[Kind, str] = {
    "log": "the match's log does not hold the opening of {phase} any more",
    "state": "the stored position of {phase} is not the one that the match's log holds",
    "key": "the stored key of {phase} is not the one that the match's log holds",
    "chance": "the stored chance of {phase} is not the one that the match's log fixed",
    "receipt": "a stored receipt of {phase} does not have the worker's signature",
    "envelope": "orders for {phase} that have a signed receipt are not stored any more",
}
_NOTHING = "what is stored of {phase} was changed"


class Tampered(Exception):
    """Stored rows of a match were changed by somebody other than the service. Nothing is
    adjudicated from them.
    """

    def __init__(self, kind: Kind, phase: str) -> None:
        self.kind = kind
        super().__init__(_SENTENCES.get(kind, _NOTHING).format(phase=phase))


@dataclass(frozen=True)
class CheckedPhase:
    """What a closing may rely on."""

    envelopes: list[Envelope]  # those that may count, the newest of each seat last
    # the hash of the salts that the phase's chance is bound to, as the log holds it
    clients: str | None


def check_phase(session: Session, keyring: Keyring, match: Match, phase: PhaseRow) -> CheckedPhase:
    """Return what may count in the open phase: what the worker signed a receipt for, and what it
    carried on from plans.

    Raises Tampered unless the phase is what the log and the signed receipts say. Nothing is held
    against a match that has no log. Receipts that wait for their signature are not looked at, nor
    are those that were rejected.
    """
    envelopes = ENVELOPES.read(session, phase.id)
    if not match.sealing and newest_entry(session, match, "open") is None:
        return CheckedPhase(list(envelopes), None)
    keyring = keyring_in_force(keyring, match)  # it holds all keys of the log so far
    opened = logged_opening(session, keyring, match, phase)
    if opened["state"] != hash_state(keyring, match, phase.number, phase.before):
        raise Tampered("state", phase.name)
    if set(opened["due"]) - conceded_in(match).keys() != set(phase.due) - conceded_in(match).keys():
        raise Tampered("state", phase.name)
    _check_key(keyring, match, phase, opened["key"])
    stored, signed_for = {(each.seat, each.seq): each for each in envelopes}, []
    for receipt in SIGNED.read(session, phase.id):
        _check_receipt(keyring, match, phase, receipt)
        if receipt.disposition == "refused" or not receipt.commitments:
            continue
        envelope = stored.get((receipt.seat, receipt.seq))
        if envelope is None or envelope.commitments != [
            commitment for _, commitment in receipt.commitments
        ]:
            raise Tampered("envelope", phase.name)
        if envelope.tenure == receipt.tenure:
            signed_for.append(envelope)
    if not asks_for_signatures(keyring, match, phase):
        return CheckedPhase(list(envelopes), opened["clients"])
    plans = (
        each
        for each in envelopes
        if each.seq == 0 and carried_on(keyring, match.uid, phase.number, each) is not None
    )
    counted = sorted([*plans, *signed_for], key=lambda each: (each.tenure, each.seq))
    return CheckedPhase(counted, opened["clients"])


def logged_opening(
    session: Session, keyring: Keyring, match: Match, phase: PhaseRow
) -> dict[str, Any]:
    """Return what the log says of the open phase as it opened.

    Raises Tampered unless the newest opening is that of this phase, and the worker signed it and
    the newest deadline.
    """
    row = newest_entry(session, match, "open")
    if (
        row is None
        or not match.sealing
        or row.body.get("phase") != phase.number
        or not is_own_entry(keyring, match, row)
    ):
        raise Tampered("log", phase.name)
    moved = newest_entry(session, match, "open", "deadline")
    if moved is None or (moved.id != row.id and not is_own_entry(keyring, match, moved)):
        raise Tampered("log", phase.name)
    return row.body


def recall_chains(session: Session, keyring: Keyring, match: Match, phase: str) -> MatchChains:
    """Return the chains of a match; raises Tampered where they are not those whose anchors its log
    published last.

    Those of a match without a log are believed. Raises CannotOpen where the key file does not hold
    the key of the log.
    """
    if not match.sealing:
        return MatchChains.recall(keyring, match)
    keyring = keyring_in_force(keyring, match)  # it holds all keys of the log so far
    published = newest_entry(session, match, "genesis", "anchor")
    try:
        chains = MatchChains.recall(keyring, match)
    except CannotOpen as error:
        raise Tampered("chance", phase) from error
    if published is None or published.body.get("anchors") != chains.anchors:
        raise Tampered("chance", phase)
    return chains


def _check_key(keyring: Keyring, match: Match, phase: PhaseRow, logged: object) -> None:
    try:
        public = crypto.public_half(recall_phase_key(keyring, match, phase)).hex()
    except CannotOpen as error:
        raise Tampered("key", phase.name) from error
    if not public == logged == (phase.public_key or b"").hex():
        raise Tampered("key", phase.name)


def _check_receipt(keyring: Keyring, match: Match, phase: PhaseRow, receipt: Receipt) -> None:
    if not is_signed_receipt(keyring, receipt, match.uid):
        raise Tampered("receipt", phase.name)
