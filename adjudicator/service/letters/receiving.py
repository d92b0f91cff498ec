"""Letters that come in: what their addresses stand for, and storing them sealed before they are
acknowledged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Literal

from sqlmodel import Session, col, func, or_, select, update

from adjudicator.platform import entropy, failpoints
from adjudicator.platform.db import Database
from adjudicator.seal.tokens import hash_token
from adjudicator.service.base import public_keys
from adjudicator.service.base.tables import (
    Confirmation,
    FormerTenure,
    Incoming,
    Letter,
    Match,
    Offer,
    Player,
    Seat,
)
from adjudicator.service.letters import suppression
from adjudicator.service.tokens import master_addresses
from adjudicator.service.tokens.references import split_vote

Kind = Literal[
    "service", "seat", "invitation", "offer", "master", "confirmation", "bounce", "stop", "never"
]

# unread letters to one seat or master: the match's phase cannot close before they are read
MOST_WAITING = 5
MOST_UNSEATED = 10_000  # unread letters of one kind that are about no match
LARGEST = 5 * 1024 * 1024  # bytes in a letter, and in all unread letters to one seat or master


class Full(Exception):
    """Too many letters to this address are unread; the sender's server should retry later."""


class HandedOver(Full):
    """The seat of this address changed hands while the letter came; the sender's server finds the
    address unknown as it retries.
    """


@dataclass(frozen=True)
class Target:
    """What one of our addresses stands for."""

    kind: Kind
    seat_id: int | None = None
    match_id: int | None = None
    # a letter's uid, a row's id (question, player, offer, master; the proposal that a seat votes
    # on), an address's hash
    ref: str | None = None
    tenure: int | None = None  # the tenure that a seat's own address belongs to
    # the address's secret part; None: an older release stored the letter
    token: str | None = field(default=None, compare=False)


def find_target(session: Session, token: str) -> Target | None:
    """Return the target of an address by its secret part ("" is the service itself), None if the
    address is unknown.

    It reads single columns, as the inbox may read no others.
    """
    found = _find(session, token)
    return replace(found, token=token) if found is not None else None


def _find(session: Session, token: str) -> Target | None:
    if not token:
        return Target("service")
    secret, proposal = split_vote(token)
    if proposal is not None:
        return _of_seat(session, hash_token(secret), proposal)
    head, _, rest = token.partition("-")
    if rest:
        return _of_prefix(session, head, rest)
    hashed = hash_token(token)
    seat = _of_seat(session, hashed, None)
    if seat is not None:
        return seat
    kept = session.exec(
        select(Seat.id, Seat.match_id).where(Seat.invitation_hash == hashed)
    ).first()
    if kept is not None:
        return Target("invitation", *kept)
    offer = session.exec(
        select(Offer.seat_id, Offer.match_id, Offer.id).where(Offer.token_hash == hashed)
    ).first()
    if offer is not None:
        return Target("offer", offer[0], offer[1], str(offer[2]))
    question = session.exec(
        select(Confirmation.id).where(Confirmation.token_hash == hashed)
    ).first()
    return Target("confirmation", ref=str(question)) if question is not None else None


def _of_seat(session: Session, hashed: str, proposal: str | None) -> Target | None:
    own = or_(col(Seat.token_hash) == hashed, col(Seat.earlier_hash) == hashed)
    seat = session.exec(select(Seat.id, Seat.match_id, Seat.tenure).where(own)).first()
    if seat is None:
        return None
    return Target("seat", seat[0], seat[1], ref=proposal, tenure=seat[2])


def was_seat(session: Session, token: str) -> bool:
    """Whether an address was a seat's in a tenure that has ended."""
    hashed = hash_token(split_vote(token)[0])
    had = or_(col(FormerTenure.token_hash) == hashed, col(FormerTenure.earlier_hash) == hashed)
    return session.exec(select(FormerTenure.id).where(had).limit(1)).first() is not None


def _of_prefix(session: Session, prefix: str, secret: str) -> Target | None:
    if prefix == "b":
        # by the previous release
        sent = col(Letter.return_hash).is_(None) & col(Letter.state).in_(("sent", "bounced"))
        earlier = (col(Letter.uid) == secret) & sent
        letter = session.exec(
            select(Letter.uid).where(or_(col(Letter.return_hash) == hash_token(secret), earlier))
        ).first()
        return Target("bounce", ref=letter) if letter is not None else None
    if prefix == "s":
        hashed = hash_token(secret)
        stops = or_(col(Player.stop_hash) == hashed, col(Player.earlier_stop_hash) == hashed)
        player = session.exec(select(Player.id).where(stops)).first()
        return Target("stop", ref=str(player)) if player is not None else None
    if prefix == "n":
        stranger = suppression.of_token(session, secret)
        return Target("never", ref=stranger) if stranger is not None else None
    if prefix == "m":
        found = master_addresses.of_secret(session, secret)
        return Target("master", match_id=found[1], ref=str(found[0])) if found is not None else None
    return None


# --- storing, which is all that the inbox does


@dataclass(frozen=True, repr=False)
class Arrival:
    """A letter as it arrived. `received_at` decides whether its orders are in time."""

    target: Target
    raw: bytes
    received_at: datetime
    via: str  # smtp, lmtp, imap
    null_sender: bool = False  # whether the envelope sender is <>


def store_letters(database: Database, arrivals: Sequence[Arrival]) -> list[str]:
    """Store letters in one transaction and return their uids once they are committed.

    Each is sealed to the inbox's key together with the address that it came to.

    The match of a letter to a seat or a master is locked and its version raised, so no closing can
    miss an acknowledged letter. Raises Full, HandedOver, NotNow while no worker has ever started,
    or a database error; then nothing was stored.
    """
    from adjudicator.seal.sealed_box import seal  # what encrypts comes with the first letter

    with database.write_tx() as session:
        public = public_keys.current_keys(session).inbox
        uids = [
            _add(session, partial(seal, public), each)
            for each in sorted(arrivals, key=lambda each: each.target.match_id or 0)
        ]
        failpoints.kill_here("inbox.before_commit")
    failpoints.kill_here("inbox.after_commit")
    return uids


def _add(session: Session, seal: Callable[..., bytes], arrival: Arrival) -> str:
    to, uid = arrival.target, entropy.token_hex(12)
    if to.match_id is not None:
        # this also locks the row
        session.exec(
            update(Match).where(col(Match.id) == to.match_id).values(version=Match.version + 1)
        )
    if (
        to.tenure is not None
        and session.exec(select(Seat.tenure).where(Seat.id == to.seat_id)).one() != to.tenure
    ):
        raise HandedOver
    _require_room(session, to, len(arrival.raw))
    session.add(
        Incoming(
            uid=uid,
            kind=to.kind,
            seat_id=to.seat_id,
            match_id=to.match_id,
            tenure=to.tenure,
            ref=to.ref,
            via=arrival.via,
            null_sender=arrival.null_sender,
            received_at=arrival.received_at,
            next_try=arrival.received_at,
            raw=seal(f"{to.token or ''}\n".encode() + arrival.raw, bound_to=bound_to(uid)),
            size=len(arrival.raw),
        )
    )
    session.flush()
    return uid


def _require_room(session: Session, to: Target, size: int) -> None:
    """Raise Full where so many letters, or so large ones, to the same address are unread that this
    one has to wait at its sender's.
    """
    wanted = select(func.count(), func.coalesce(func.sum(Incoming.size), 0)).where(
        Incoming.kind == to.kind
    )
    wanted = wanted.where(col(Incoming.disposition).is_(None), Incoming.seat_id == to.seat_id)
    unread, held = session.exec(
        wanted.where(Incoming.ref == to.ref) if to.kind == "master" else wanted
    ).one()
    if unread >= (MOST_WAITING if to.match_id else MOST_UNSEATED) or (
        to.match_id and unread and held + size > LARGEST
    ):
        raise Full


def bound_to(uid: str) -> bytes:
    return f"incoming/2:{uid}".encode()
