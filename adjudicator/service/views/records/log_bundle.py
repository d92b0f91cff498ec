"""The bundle of a match: its log, the keys that signed it, and once it has ended its transcript and
the receipts that counted.
"""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.seal.crypto import PublicKeys
from adjudicator.seal.log import SignedEntry, is_authentic
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import LogEntry, Match, Receipt
from adjudicator.service.checkpoints.reading import list_logs, prove_head
from adjudicator.service.log.entries import list_entries
from adjudicator.service.log.receipt_chains import signed_body
from adjudicator.service.views.transcripts import export_transcript

VERSION = 1


def export_bundle(session: Session, uid: str) -> dict[str, Any]:
    """Return the bundle of a match as plain values, also while it runs; raises NotNow for a match
    without a log.
    """
    match = by_uid(session, uid)
    if match.log_hash is None:
        parts = (
            "is from before there were logs"
            if match.anchors
            else "has no log yet; it gets one as its chance is fixed, in a moment"
        )
        raise NotNow(
            f"This match {parts}."
            if not match.imported
            else "This match was played elsewhere, so it has no log."
        )
    ended, entries = match.status == "ended", list_entries(session, match)
    return {
        "version": VERSION,
        "match": uid,
        **log_keys(session, entries),
        "public_logs": list_logs(session),
        "entries": [entry.plain for entry in entries],
        "transcript": export_transcript(session, uid) if ended else None,
        "receipts": _counted(session, match, entries) if ended else [],
        "checkpoint": prove_head(session, match),
    }


def log_keys(session: Session, entries: Sequence[SignedEntry]) -> dict[str, Any]:
    """Return the public keys that are in force at the end of a log, and others that changes lead
    to, the oldest first.

    `former_keys` were in force before in this log. `later_keys` came after a match had ended; they
    sign the keys of the public log, and each has the signature of the one before over its change.
    """
    rows = public_keys.list_keys(session)
    began = next(
        (row for row in rows if is_authentic(entries[0], PublicKeys.of(row.document).signing)),
        rows[-1],
    )
    by_document = {PublicKeys.of(row.document): row for row in rows}
    changes = [PublicKeys.of(entry.body["keys"]) for entry in entries if entry.type == "key"]
    in_force = [began, *(by_document[keys] for keys in changes if keys in by_document)]
    later = [
        {**public_keys.described(row), "signed_by_former": (row.signed_by_former or b"").hex()}
        for row in rows[rows.index(in_force[-1]) + 1 :]
    ]
    former = [public_keys.described(row) for row in in_force[:-1]]
    described = {
        "keys": public_keys.described(in_force[-1]),
        "former_keys": former,
        "later_keys": later,
    }
    return {name: value for name, value in described.items() if value}


def salts_of(session: Session, uid: str, phase: int) -> list[str]:
    """Return the salts that the chance of a phase depends on, as the log has them; [] where there
    are none.
    """
    match = by_uid(session, uid)
    opened = select(LogEntry.body).where(LogEntry.match_id == match.id, LogEntry.type == "open")
    return next(
        (
            body["salts"]
            for body in session.exec(
                opened.where(col(LogEntry.body)["phase"].as_integer() == phase)
            )
        ),
        [],
    )


def _counted(
    session: Session, match: Match, entries: Sequence[SignedEntry]
) -> list[dict[str, Any]]:
    """Return the signed receipts of the submissions whose orders counted. Parts of plans were
    sealed in earlier phases.
    """
    leaves = [
        leaf
        for entry in entries
        if entry.type == "close"
        for leaf in entry.body["leaves"]
        if leaf["kind"] == "sealed"
    ]
    places = {(leaf["phase"], leaf["seat"], leaf["seq"]) for leaf in leaves}
    own = (
        select(Receipt)
        .where(Receipt.match_id == match.id, col(Receipt.signature).is_not(None))
        .order_by(col(Receipt.id))
    )
    return [
        {"body": signed_body(row, match.uid), "signature": (row.signature or b"").hex()}
        for row in session.exec(own)
        if (row.phase_number, row.seat, row.seq) in places
    ]
