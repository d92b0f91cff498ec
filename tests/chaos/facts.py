"""The database's contents after a run as plain values: one side of the audit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.tables import (
    Envelope,
    Incoming,
    Letter,
    Match,
    PhaseRow,
    Player,
    Receipt,
    Seat,
)
from adjudicator.service.views import transcripts


@dataclass(frozen=True)
class Taken:
    """What was played for a seat."""

    how: str
    text: str
    seal: str


@dataclass(frozen=True)
class PhaseFact:
    """A phase of a match. Moments are seconds since 1970."""

    match: str
    number: int
    opened: float
    last_call: float | None  # deadline plus grace; None if no person was waited for
    closed: float | None
    why: str
    taken: Mapping[str, Taken]


@dataclass(frozen=True)
class ReceiptFact:
    """A seat's answer."""

    match: str
    phase: int
    seat: str
    seq: int
    channel: str
    at: float
    disposition: str
    seals: tuple[str, ...]
    signed: bool


@dataclass(frozen=True)
class EnvelopeFact:
    """Sealed orders."""

    match: str
    phase: int
    seat: str
    seq: int
    at: float


@dataclass(frozen=True)
class OutFact:
    """An outgoing letter."""

    uid: str
    kind: str
    match: str
    seat: str
    phase: int | None  # the phase that it asks orders for
    address: str
    state: str
    trouble: str


@dataclass(frozen=True)
class InFact:
    """An incoming letter."""

    message_id: str
    match: str
    seat: str
    received: float
    disposition: str  # "" while it is unread


@dataclass(frozen=True)
class MatchFact:
    """A match and the seats that get letters."""

    uid: str
    status: str
    written_to: tuple[str, ...]  # seats of people
    differences: tuple[str, ...]  # of an ended match after its replay


@dataclass(frozen=True)
class Facts:
    """All facts of a run."""

    matches: Sequence[MatchFact] = ()
    phases: Sequence[PhaseFact] = ()
    receipts: Sequence[ReceiptFact] = ()
    envelopes: Sequence[EnvelopeFact] = ()
    out: Sequence[OutFact] = ()
    into: Sequence[InFact] = ()


def read_facts(database: Database, keyring: Keyring) -> Facts:
    """Read everything that the audit needs; incoming letters are opened with the worker's key."""
    with database.read_tx() as session:
        matches = {row.id: row for row in session.exec(select(Match))}
        phases = list(
            session.exec(select(PhaseRow).order_by(col(PhaseRow.match_id), col(PhaseRow.number)))
        )
        return Facts(
            [_match(session, row) for row in matches.values()],
            [_phase(matches[row.match_id].uid, row) for row in phases],
            [_receipt(matches[row.match_id].uid, row) for row in session.exec(select(Receipt))],
            _envelopes(
                session, {row.id: (matches[row.match_id].uid, row.number) for row in phases}
            ),
            [
                _out(matches[row.match_id].uid if row.match_id else "", row)
                for row in session.exec(select(Letter))
            ],
            _into(session, keyring),
        )


def _match(session: Session, row: Match) -> MatchFact:
    people = select(Seat.name).join(Player, onclause=col(Seat.player_id) == col(Player.id))
    people = people.where(
        Seat.match_id == row.id, col(Player.house).is_(False), col(Player.address).is_not(None)
    )
    differences = (
        replay_transcript(
            read_transcript(transcripts.export_transcript(session, row.uid))
        ).differences
        if row.status == "ended"
        else ()
    )
    return MatchFact(row.uid, row.status, tuple(session.exec(people)), differences)


def _phase(uid: str, row: PhaseRow) -> PhaseFact:
    last_call = row.deadline.timestamp() + row.grace_seconds if row.deadline else None
    taken = {
        seat: Taken(each["how"], each["orders"], each.get("commitment", ""))
        for seat, each in (row.taken or {}).items()
    }
    return PhaseFact(
        uid,
        row.number,
        row.opened_at.timestamp(),
        last_call,
        _moment(row.closed_at),
        row.why or "",
        taken,
    )


def _receipt(uid: str, row: Receipt) -> ReceiptFact:
    seals = tuple(str(seal) for _, seal in row.commitments)
    at = row.at.timestamp()
    return ReceiptFact(
        uid,
        row.phase_number,
        row.seat,
        row.seq,
        row.channel,
        at,
        row.disposition,
        seals,
        row.signature is not None,
    )


def _envelopes(
    session: Session, phases: Mapping[int | None, tuple[str, int]]
) -> list[EnvelopeFact]:
    rows = session.exec(select(Envelope))
    return [
        EnvelopeFact(*phases[row.phase_id], row.seat, row.seq, row.at.timestamp()) for row in rows
    ]


def _out(uid: str, row: Letter) -> OutFact:
    return OutFact(
        row.uid,
        row.kind,
        uid,
        row.seat or "",
        row.phase_number,
        row.address,
        row.state,
        row.trouble or "",
    )


def _into(session: Session, keyring: Keyring) -> list[InFact]:
    found = select(Incoming, Match.uid, Seat.name).join(
        Match, isouter=True, onclause=col(Incoming.match_id) == col(Match.id)
    )
    found = found.join(Seat, isouter=True, onclause=col(Incoming.seat_id) == col(Seat.id))
    return [_came(row, uid, seat, keyring) for row, uid, seat in session.exec(found)]


def _came(row: Incoming, uid: Any, seat: Any, keyring: Keyring) -> InFact:
    _, _, raw = crypto.unseal(
        keyring.inbox, row.raw or b"", bound_to=f"incoming/2:{row.uid}".encode()
    ).partition(b"\n")
    named = BytesHeaderParser(policy=compat32).parsebytes(raw)["Message-ID"] or ""
    return InFact(
        str(named), uid or "", seat or "", row.received_at.timestamp(), row.disposition or ""
    )


def _moment(at: datetime | None) -> float | None:
    return at.timestamp() if at is not None else None
