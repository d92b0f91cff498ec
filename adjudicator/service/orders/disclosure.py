"""Disclosure of a seat's own sealed orders: the worker seals them to a key made for this one answer
(SEAL/1, At rest).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select, update

from adjudicator.platform import entropy, wakeups
from adjudicator.platform.db import Database
from adjudicator.seal import commitments as seals
from adjudicator.seal import crypto
from adjudicator.seal.commitments import Contents, Place
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import SignedRequest
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.phase_records import recall_phase_key
from adjudicator.service.base.rows import by_uid, hold_matches, open_phase, seats_of, sitting
from adjudicator.service.base.tables import Envelope, Match, PhaseRow, Reading, ReadingNote, Seat
from adjudicator.service.log.catching_up import catch_up
from adjudicator.service.log.vouching import Vouching
from adjudicator.service.orders.known_envelopes import newest_known
from adjudicator.service.people import sessions
from adjudicator.service.requests.signing import session_key

LASTS = timedelta(minutes=1)
NOT_YOURS = "These are not your orders to see."


@dataclass(frozen=True, repr=False)
class Asked:
    """A requested disclosure; the reply key is kept only in the memory of the web request."""

    uid: str
    reply_private: bytes


@dataclass(frozen=True)
class Shown:
    """A seat's own sealed orders: one text a part, the first for the open phase unless
    `for_later`.
    """

    parts: tuple[str, ...]
    nonces: tuple[str, ...]
    commitments: tuple[str, ...]
    seq: int
    for_later: bool
    phase: int


def request_disclosure(database: Database, uid: str, session_token: str, *, now: datetime) -> Asked:
    """Request the orders of this session's player in a match; the stored row is signed by the
    session and sealed to the worker.

    Raises NotAllowed where the player has no seat, SignInAgain where the session has no key.
    """
    private, public = crypto.new_pair()
    reading = entropy.token_urlsafe(18)
    with database.write_tx() as session:
        match, person = (
            by_uid(session, uid),
            sessions.signed_in_player(session, session_token, now=now),
        )
        seat, phase = (
            sitting(seats_of(session, match), person.id if person is not None else None),
            open_phase(session, match),
        )
        if seat is None:
            raise NotAllowed(NOT_YOURS)
        key = session_key(session, session_token)
        request = reading_request(
            uid, phase.number if phase is not None else 0, seat.name, reading, public
        )
        asked = {
            "match": uid,
            "phase": request.phase,
            "seat": request.seat,
            "reply": public.hex(),
            "signer": key.public.hex(),
        }
        asked["signature"] = key.sign(request).hex()
        box = crypto.seal(
            public_keys.current_keys(session).wrapping,
            json.dumps(asked).encode(),
            bound_to=_bound(reading),
        )
        session.add(Reading(uid=reading, request=box, made_at=now))
        wakeups.wake(session, wakeups.DISCLOSE, reading)
        for old in session.exec(select(Reading).where(Reading.made_at < now - LASTS)):
            session.delete(old)
    return Asked(reading, private)


def reading_request(uid: str, phase: int, seat: str, reading: str, reply: bytes) -> SignedRequest:
    """Return what a session signs that asks for its seat's own orders; `reply` is the key that the
    answer is sealed to.
    """
    return SignedRequest("reading", uid, phase, seat, 0, {"reading": reading, "reply": reply.hex()})


def _bound(reading: str) -> bytes:
    return f"reading:{reading}".encode()


def fetch_disclosed(database: Database, asked: Asked) -> Shown | None:
    """Return the answer and erase the row; None while there is none. Raises NotAllowed if the
    worker refused.
    """
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
        tuple(answer["parts"]),
        tuple(answer["nonces"]),
        tuple(answer["commitments"]),
        answer["seq"],
        answer["for_later"],
        answer["phase"],
    )


# --- the worker's side


def unanswered_requests(session: Session, *, now: datetime) -> list[str]:
    """Return the disclosures that still wait for an answer."""
    waiting = select(Reading.uid).where(
        col(Reading.answered).is_(False), Reading.made_at > now - LASTS
    )
    return list(session.exec(waiting.order_by(col(Reading.made_at)).limit(100)))


def answer_request(database: Database, keyring: Keyring, reading: str, *, now: datetime) -> None:
    """Answer one request, at most once: its session determines the seat, and the disclosure is
    recorded for that seat.
    """
    with database.write_tx() as session:
        taken = session.exec(
            update(Reading)
            .where(col(Reading.uid) == reading, col(Reading.answered).is_(False))
            .values(answered=True)
        )
        if taken.rowcount != 1:
            return
        row = session.exec(select(Reading).where(Reading.uid == reading)).one()
        request = json.loads(keyring.unwrap(row.request, bound_to=_bound(reading)))
        reply = _reply(session, keyring, reading, request, row.made_at, now)
        row.answer = crypto.seal(
            bytes.fromhex(request["reply"]), json.dumps(reply).encode(), bound_to=_bound(reading)
        )


def _reply(
    session: Session,
    keyring: Keyring,
    reading: str,
    asked: Mapping[str, Any],
    at: datetime,
    now: datetime,
) -> dict[str, object]:
    match = hold_matches(session, {by_uid(session, asked["match"]).id or 0})[0]
    phase, seat = (
        open_phase(session, match),
        next((each for each in seats_of(session, match) if each.name == asked["seat"]), None),
    )
    request = reading_request(
        match.uid, asked["phase"], asked["seat"], reading, bytes.fromhex(asked["reply"])
    )
    if seat is None or not _is_players(session, keyring, match, seat, request, asked, at):
        return {"refused": NOT_YOURS}
    opened = _open_newest(session, keyring, match, phase, seat) if phase is not None else None
    if phase is None or opened is None:
        return {"refused": "You have nothing sealed in this phase."}
    assert match.id is not None  # noqa: S101 from the database
    session.add(ReadingNote(match_id=match.id, seat=seat.name, tenure=seat.tenure, at=now))
    contents, envelope = opened
    return {
        "parts": [part.orders for part in contents.parts],
        "nonces": [part.nonce for part in contents.parts],
        "commitments": [part.commitment for part in contents.parts],
        "seq": envelope.seq,
        "for_later": envelope.for_later,
        "phase": phase.number,
    }


def _is_players(
    session: Session,
    keyring: Keyring,
    match: Match,
    seat: Seat,
    request: SignedRequest,
    asked: Mapping[str, Any],
    at: datetime,
) -> bool:
    """Whether the session that asks is that of the seat's present player, by what the worker itself
    vouches for.
    """
    if match.sealing:
        catch_up(session, keyring, match, now=at)  # the seat may have changed hands just before
    signer, given = bytes.fromhex(asked["signer"]), bytes.fromhex(asked["signature"])
    vouching = Vouching(session, keyring, match)
    return not vouching.reject_signed(
        request, signer, given, at=at, scope="read", tenure=seat.tenure
    )


def _open_newest(
    session: Session, keyring: Keyring, match: Match, phase: PhaseRow, seat: Seat
) -> tuple[Contents, Envelope] | None:
    envelope = newest_known(session, keyring, match, phase, seat)
    if envelope is None:
        return None
    private = recall_phase_key(keyring, match, phase)
    place = Place(match.uid, phase.number, seat.name, envelope.seq)
    return seals.open_contents(private, place, envelope.commitments, envelope.sealed), envelope


def list_disclosures(session: Session, uid: str, player_id: int) -> list[datetime]:
    """Return when a player's own sealed orders were shown, newest first; [] for an observer."""
    match = by_uid(session, uid)
    seat = sitting(seats_of(session, match), player_id)
    if seat is None:
        return []
    shown = select(ReadingNote.at).where(
        ReadingNote.match_id == match.id,
        ReadingNote.seat == seat.name,
        ReadingNote.tenure == seat.tenure,
    )
    return list(session.exec(shown.order_by(col(ReadingNote.id).desc()).limit(50)))
