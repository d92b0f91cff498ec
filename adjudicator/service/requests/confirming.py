"""Sessions that the worker vouches for, once it has looked at what proves who they are (SEAL/1,
Sessions).
"""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import cache
from typing import Literal

from pydantic import TypeAdapter
from sqlmodel import Session, col, or_, select

from adjudicator.core.jcs import format_timestamp
from adjudicator.platform.db import Database
from adjudicator.seal import crypto, requests
from adjudicator.seal.crypto import CannotOpen, Keyring, PublicKeys
from adjudicator.seal.requests import SignedRequest, Tenure, WorkerSigner
from adjudicator.service.base.errors import SignInAgain
from adjudicator.service.base.memory import memory_of
from adjudicator.service.base.phase_records import KnownMatch, keep_known, recall_known
from adjudicator.service.base.rows import hold_matches, token_hash
from adjudicator.service.base.tables import Link, Match, PhaseRow, Player, Seat, SignedIn
from adjudicator.service.requests import signing
from adjudicator.service.requests.bodies import appointment
from adjudicator.service.tokens.proofs import find_reference, spend_token
from adjudicator.service.tokens.references import Reference

ALL = "orders read vote act seat"  # the scopes of a browser's session


@dataclass(frozen=True)
class Evidence:
    """What a session shows the worker: the token of a letter and the row that it opens, or nothing,
    where it is a new guest's.
    """

    kind: Literal["signin", "invitation", "offer", "guest"]
    token: str = ""
    # `tokens.references.Reference.row`; None: of a token of the previous release, which proves
    # nothing
    row: str | None = None
    # of an invitation or offer that a guest opens: the key of the guest's session in hex, and what
    # it signed, as `address_request` of the address
    signer: str = ""
    signature: str = ""


def of_token(
    session: Session, kind: Literal["signin", "invitation", "offer"], token: str
) -> Evidence:
    """Return what the token of a letter proves, before it is used."""
    found = find_reference(session, kind, token)
    return Evidence(kind, token, found.row if found is not None else None)


def asked_by(session: Session, guest_id: int, address: str, evidence: Evidence) -> Evidence:
    """Return the evidence with the guest's own word that the address is to have the guest's seats;
    without it where the guest's session is from before there were keys.
    """
    with suppress(SignInAgain):
        signer, signature = signing.sign_request(session, guest_id, address_request(address))
        if signer is not None:
            return replace(evidence, signer=signer.hex(), signature=signature.hex())
    return evidence


def seal_evidence(keys: PublicKeys, public: bytes, evidence: Evidence) -> bytes:
    """Return the evidence of a session with this key, in a box that only the worker opens."""
    # the previous release knows no signer
    values = {name: value for name, value in asdict(evidence).items() if value != ""}
    return crypto.seal(keys.wrapping, json.dumps(values).encode(), bound_to=_bound(public))


def _bound(public: bytes) -> bytes:
    return b"session:" + public.hex().encode()


def address_request(address: str) -> SignedRequest:
    """Return what a session signs that asks for another address; the link that goes there carries
    it out.
    """
    return SignedRequest("address", "", 0, "", 0, {"address": address})


# --- the worker's side


def any_waiting(session: Session) -> bool:
    """Whether a session waits for the worker to look at it."""
    return (
        session.exec(
            select(SignedIn.token_hash).where(col(SignedIn.box).is_not(None)).limit(1)
        ).first()
        is not None
    )


def confirm_sessions(database: Database, keyring: Keyring, *, most: int = 200) -> int:
    """Look at the sessions that wait, the oldest first; returns how many there were."""
    with database.read_tx() as session:
        if not any_waiting(session):
            return 0
    with database.write_tx() as session:
        waiting = (
            select(SignedIn)
            .where(col(SignedIn.box).is_not(None))
            .order_by(col(SignedIn.made_at))
            .limit(most)
        )
        rows = session.exec(waiting.with_for_update(skip_locked=True)).all()
        for row in rows:
            confirm_in(session, keyring, row)
    return len(rows)


def confirm_in(session: Session, keyring: Keyring, row: SignedIn) -> None:
    """Vouch for a session, unless its evidence proves nothing; a second call changes nothing."""
    if row.box is None or row.public is None:
        return
    evidence = _open_evidence(keyring, row.public, row.box)
    who = _who(session, keyring, row, row.public, evidence) if evidence is not None else None
    if who is not None:
        vouch(keyring, row, who)
    row.box = None
    if who is not None and evidence is not None:
        wanted = _find_wanted(session, row, evidence)
        if wanted is not None:
            _move_tenures(session, keyring, row, wanted, who)
    session.flush()


def vouch(keyring: Keyring, row: SignedIn, who: str, *, scopes: str = ALL) -> None:
    """Write into a session's row who it is, and the worker's proof of it."""
    assert row.public is not None  # noqa: S101 the caller looked
    row.who, row.scopes, row.box = who, scopes, None
    row.proof = requests.session_proof(
        keyring, public=row.public, who=who, scopes=scopes, until=format_timestamp(row.until)
    )


def is_vouched_for(keyring: Keyring, row: SignedIn) -> bool:
    """Whether the worker wrote who a session is."""
    if row.public is None or row.who is None or row.scopes is None or row.proof is None:
        return False
    until = format_timestamp(row.until)
    return row.proof == requests.session_proof(
        keyring, public=row.public, who=row.who, scopes=row.scopes, until=until
    )


def _open_evidence(keyring: Keyring, public: bytes, box: bytes) -> Evidence | None:
    try:
        return _reader().validate_json(keyring.unwrap(box, bound_to=_bound(public)))
    except (CannotOpen, ValueError):  # the site's login can put anything into a box
        return None


@cache
def _reader() -> TypeAdapter[Evidence]:
    return TypeAdapter(Evidence)


def _who(
    session: Session, keyring: Keyring, row: SignedIn, public: bytes, evidence: Evidence
) -> str | None:
    """Return who a session is by its evidence, None where that proves nothing."""
    if evidence.kind == "guest":
        return requests.who_of_guest(public)
    # anybody who writes rows could make a link or an invitation look like one of the previous
    # release
    if evidence.row is None:
        return None
    proof = spend_token(
        session, keyring, Reference(evidence.kind, evidence.row), evidence.token, at=row.made_at
    )
    return proof.who if proof is not None else None


@dataclass(frozen=True)
class _Wanted:
    """An address that somebody wants, by the word of their session's key."""

    address: str
    signer: bytes
    signature: bytes
    at: datetime


def _find_wanted(session: Session, row: SignedIn, evidence: Evidence) -> _Wanted | None:
    """Return by whose word a session's player has an address, None where nobody asked for it."""
    if evidence.kind == "signin":
        link = session.exec(select(Link).where(Link.token_hash == token_hash(evidence.token))).one()
        signature = link.request_signature or b""
        return _Wanted(link.address, link.signer, signature, link.made_at) if link.signer else None
    address = session.get_one(Player, row.player_id).address
    if address is None or not evidence.signer:
        return None
    with suppress(ValueError):
        signer, signature = bytes.fromhex(evidence.signer), bytes.fromhex(evidence.signature)
        return _Wanted(address, signer, signature, row.made_at)
    return None


def _move_tenures(
    session: Session, keyring: Keyring, row: SignedIn, wanted: _Wanted, who: str
) -> None:
    """Vouch that `who` has the seats, and runs the matches, of the person whose session signed that
    they want this address.
    """
    session_row = find_sessions(session, keyring, {wanted.signer}).get(wanted.signer)
    signed = requests.is_signed(wanted.signer, address_request(wanted.address), wanted.signature)
    proved = requests.who_of_address(keyring, wanted.address) == who
    if session_row is None or not signed or not proved or session_row.until < wanted.at:
        return
    seats = session.exec(
        select(Seat).where(Seat.player_id == row.player_id, col(Seat.tenure_proof).is_not(None))
    ).all()
    names = {
        match.id: match.uid for match in hold_matches(session, {seat.match_id for seat in seats})
    }
    for seat in seats:
        since = format_timestamp(seat.taken_at) if seat.taken_at is not None else None
        tenure = Tenure(names[seat.match_id], seat.name, seat.tenure, since)
        if seat.tenure_proof == requests.tenure_proof(keyring, tenure, session_row.who):
            seat.tenure_proof = requests.tenure_proof(keyring, tenure, who)
    _move_known(session, keyring, row.player_id, session_row.who, who)


def _move_known(session: Session, keyring: Keyring, player_id: int, before: str, who: str) -> None:
    """Vouch that `who` runs the matches, and has or lent the seats, that the same person did
    `before`, as open phases' records say.
    """
    player = session.get_one(Player, player_id)
    if player.appointed is not None and requests.is_workers(
        keyring, appointment(before), player.appointed
    ):
        player.appointed = WorkerSigner(keyring).sign(appointment(who))
    sits = select(Seat.match_id).where(
        (col(Seat.player_id) == player_id) | (col(Seat.owner_id) == player_id)
    )
    part = or_(col(Match.master_id) == player_id, col(Match.id).in_(sits))
    own = session.exec(
        select(Match.id).where(part, col(Match.status).in_(("running", "stuck")))
    ).all()
    for match in hold_matches(session, own):
        kept = (PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))
        phase = session.exec(select(PhaseRow).where(*kept)).first()
        with suppress(CannotOpen):
            known = recall_known(keyring, match, phase)
            after = _moved(known, before, who) if known is not None else None
            if phase is not None and after is not None and after != known:
                keep_known(keyring, match, phase, after)


def _moved(known: KnownMatch, before: str, who: str) -> KnownMatch:
    """Return what is known of a match with `who` in the place of the one that the person was
    `before`.
    """

    def move(each: str | None) -> str | None:
        return who if each == before else each

    seats = {
        name: replace(seat, who=move(seat.who), owner=move(seat.owner))
        for name, seat in (known.seats or {}).items()
    }
    return replace(
        known,
        master=move(known.master) or known.master,
        seats=seats if known.seats is not None else None,
    )


@dataclass(frozen=True)
class KnownSession:
    """A session that the worker vouches for."""

    who: str
    until: datetime  # when it ends, or ended
    scopes: frozenset[str]


def find_sessions(
    session: Session, keyring: Keyring, publics: set[bytes]
) -> dict[bytes, KnownSession]:
    """Return those of the sessions with these keys that the worker vouches for, once it has looked
    at those that wait.
    """
    read = memory_of(session)
    found = {
        public: known for public in publics if (known := read.get(("session", public))) is not None
    }
    unread = publics - found.keys()
    for row in (
        session.exec(select(SignedIn).where(col(SignedIn.public).in_(unread))) if unread else ()
    ):
        confirm_in(session, keyring, row)
        if (
            row.public is not None
            and row.who is not None
            and row.scopes is not None
            and is_vouched_for(keyring, row)
        ):
            until = min(row.until, row.ended_at) if row.ended_at is not None else row.until
            found[row.public] = read["session", row.public] = KnownSession(
                row.who, until, frozenset(row.scopes.split())
            )
    return found
