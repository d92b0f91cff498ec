"""Disclosure of a seat's own sealed orders: the worker seals them to a key made for this one answer (SEAL/1, At rest)."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select, update

from adjudicator.platform import entropy
from adjudicator.platform.db import Database
from adjudicator.seal import commitments as seals
from adjudicator.seal import crypto
from adjudicator.seal.commitments import Contents, Place
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.rows import bound_to_phase, by_uid, open_phase, seats_of, sitting
from adjudicator.service.base.tables import Envelope, Match, PhaseRow, Reading, ReadingNote, Seat
from adjudicator.service.orders.envelopes import newest_envelope
from adjudicator.service.people import sessions

LASTS = timedelta(minutes=1)


@dataclass(frozen=True, repr=False)
class Asked:
    """A requested disclosure; the reply key is kept only in the memory of the web request."""

    uid: str
    reply_private: bytes


@dataclass(frozen=True)
class Shown:
    """A seat's own sealed orders: one text a part, the first for the open phase unless `for_later`."""

    parts: tuple[str, ...]
    nonces: tuple[str, ...]
    commitments: tuple[str, ...]
    seq: int
    for_later: bool
    phase: int


def request_disclosure(database: Database, uid: str, session_token: str, *, now: datetime) -> Asked:
    """Request the orders of this session's player in a match; the stored row is sealed to the worker."""
    private, public = crypto.new_pair()
    reading = entropy.token_urlsafe(18)
    with database.write_tx() as session:
        request = json.dumps({"session": session_token, "match": uid, "reply": public.hex()}).encode()
        box = crypto.seal(public_keys.current_keys(session).wrapping, request, bound_to=_bound(reading))
        session.add(Reading(uid=reading, request=box, made_at=now))
        for old in session.exec(select(Reading).where(Reading.made_at < now - LASTS)):
            session.delete(old)
    return Asked(reading, private)


def _bound(reading: str) -> bytes:
    return f"reading:{reading}".encode()


def fetch_disclosed(database: Database, asked: Asked) -> Shown | None:
    """Return the answer and erase the row; None while there is none. Raises NotAllowed if the worker refused."""
    with database.read_tx() as session:
        row = session.get(Reading, asked.uid)
        box = row.answer if row else None
    if box is None:
        return None
    with database.write_tx() as session:
        row = session.get(Reading, asked.uid)
        if row is not None:
            session.delete(row)
    answer = json.loads(crypto.unseal(asked.reply_private, box, bound_to=_bound(asked.uid)))
    if "refused" in answer:
        raise NotAllowed(answer["refused"])
    return Shown(
        tuple(answer["parts"]), tuple(answer["nonces"]), tuple(answer["commitments"]), answer["seq"], answer["for_later"], answer["phase"]
    )  # fmt: skip


# --- the worker's side


def unanswered_requests(session: Session, *, now: datetime) -> list[str]:
    """Return the disclosures that still wait for an answer."""
    waiting = select(Reading.uid).where(col(Reading.answered).is_(False), Reading.made_at > now - LASTS)
    return list(session.exec(waiting.order_by(col(Reading.made_at)).limit(100)))


def answer_request(database: Database, keyring: Keyring, reading: str, *, now: datetime) -> None:
    """Answer one request, at most once: its session determines the seat, and the disclosure is recorded for that seat."""
    with database.write_tx() as session:
        taken = session.exec(update(Reading).where(col(Reading.uid) == reading, col(Reading.answered).is_(False)).values(answered=True))
        if taken.rowcount != 1:
            return
        row = session.exec(select(Reading).where(Reading.uid == reading)).one()
        request = json.loads(keyring.unwrap(row.request, bound_to=_bound(reading)))
        reply = _reply(session, keyring, request["session"], request["match"], now)
        row.answer = crypto.seal(bytes.fromhex(request["reply"]), json.dumps(reply).encode(), bound_to=_bound(reading))


def _reply(session: Session, keyring: Keyring, token: str, uid: str, now: datetime) -> dict[str, object]:
    person = sessions.signed_in_player(session, token, now=now)
    match = by_uid(session, uid)
    seat = sitting(seats_of(session, match), person.id if person is not None else None)
    if seat is None:
        return {"refused": "These are not your orders to see."}
    phase = open_phase(session, match)
    opened = _open_newest(session, keyring, match, phase, seat) if phase is not None else None
    if phase is None or opened is None:
        return {"refused": "You have nothing sealed in this phase."}
    assert match.id is not None  # noqa: S101 from the database
    session.add(ReadingNote(match_id=match.id, seat=seat.name, tenure=seat.tenure, at=now))
    contents, envelope = opened
    return {
        "parts": [part.orders for part in contents.parts], "nonces": [part.nonce for part in contents.parts],
        "commitments": [part.commitment for part in contents.parts], "seq": envelope.seq, "for_later": envelope.for_later,
        "phase": phase.number,
    }  # fmt: skip


def _open_newest(session: Session, keyring: Keyring, match: Match, phase: PhaseRow, seat: Seat) -> tuple[Contents, Envelope] | None:
    envelope = newest_envelope(session, phase, seat)
    if envelope is None:
        return None
    private = keyring.unwrap(phase.wrapped_key or b"", bound_to=bound_to_phase(match, phase.number))
    place = Place(match.uid, phase.number, seat.name, envelope.seq)
    return seals.open_contents(private, place, envelope.commitments, envelope.sealed), envelope


def list_disclosures(session: Session, uid: str, player_id: int) -> list[datetime]:
    """Return when a player's own sealed orders were shown, newest first; [] for an observer."""
    match = by_uid(session, uid)
    seat = sitting(seats_of(session, match), player_id)
    if seat is None:
        return []
    shown = select(ReadingNote.at).where(
        ReadingNote.match_id == match.id, ReadingNote.seat == seat.name, ReadingNote.tenure == seat.tenure
    )  # fmt: skip
    return list(session.exec(shown.order_by(col(ReadingNote.id).desc()).limit(50)))
