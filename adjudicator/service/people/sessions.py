"""Sign-in without passwords: links that prove an address, sessions, and guests who can add an address later."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, func, select, update

from adjudicator.platform import entropy
from adjudicator.platform.db import Database
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import is_known, token_hash
from adjudicator.service.base.tables import Link, Match, Player, Seat, SignedIn
from adjudicator.service.letters import bounces, outbox, suppression
from adjudicator.service.letters.seat_content import SignInLetter
from adjudicator.service.people.accounts import GUEST, Person, clean_address, first_name, for_address, person, zone_or_utc

LINK_LASTS = timedelta(minutes=10)
SESSION_LASTS = timedelta(days=60)
LINKS_AN_HOUR = 5  # to one address
LINKS_FOR_ONE = 3  # of these, for one requester, so that a stranger leaves some to the address's owner


@dataclass(frozen=True)
class NewSession:
    """A new session; its token belongs only in the browser's cookie."""

    token: str
    person: Person


def ask_link(
    database: Database, address: str, *, zone: str, now: datetime, guest_id: int | None = None, next_page: str = "/", requester: str = ""
) -> None:  # fmt: skip
    """Send a sign-in link to `address`; nothing reveals whether the address is known or blocked.

    An address gets at most five links an hour, and three for one `requester` (the network that asks, "" for the service itself).
    A further request sends no letter and makes the newest unused link valid for ten more minutes, so repeated requests by a
    stranger do not lock out the address's owner. A blocked address gets no link. Raises Refused where the text is no address.
    """
    clean = clean_address(address)
    asks = token_hash(f"{requester} {clean}") if requester else None
    with database.write_tx() as session:
        if suppression.why_suppressed(session, clean) == "host":
            return
        _one_at_a_time(session, clean)
        session.exec(delete(Link).where(col(Link.made_at) < now - timedelta(days=1)))
        recent = session.exec(select(Link).where(Link.address == clean, Link.made_at > now - timedelta(hours=1))).all()
        if not _may_send(recent, asks):
            _prolong_newest(session, recent, now)
            return
        token = entropy.token_urlsafe(32)
        link = Link(token_hash=token_hash(token), address=clean, zone=zone_or_utc(zone), made_at=now, until=now + LINK_LASTS)
        link.guest_id, link.requester_hash = guest_id, asks
        session.add(link)
        letter = SignInLetter(token=token, minutes=int(LINK_LASTS.total_seconds() // 60), next=next_page)
        outbox.put_letter(session, public_keys.current_keys(session), letter, address=clean, now=now)


def _one_at_a_time(session: Session, address: str) -> None:
    """Serialize the requests for this address until the transaction ends, so that each counts the links of the others."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.exec(select(func.pg_advisory_xact_lock(int(token_hash(address)[:15], 16))))


def _may_send(recent: Sequence[Link], asks: str | None) -> bool:
    """Whether another link may go out after the `recent` ones. A requester's limit does not apply once all recent links are used."""
    if len(recent) >= LINKS_AN_HOUR:
        return False
    own = sum(1 for link in recent if asks is not None and link.requester_hash == asks)
    return own < LINKS_FOR_ONE or all(link.used_at is not None for link in recent)


def _prolong_newest(session: Session, recent: Sequence[Link], now: datetime) -> None:
    """Make the newest unused link valid for ten more minutes, and send its letter if that was held because the link had expired."""
    unused = [link for link in recent if link.used_at is None]
    newest = max((link.made_at for link in unused), default=now)
    for link in unused:
        if link.made_at == newest:
            link.until = now + LINK_LASTS
            outbox.send_prolonged(session, link, now)


def use_link(database: Database, token: str, *, now: datetime, browser: str = "") -> NewSession:
    """Sign in with a link, which works once and while it is valid.

    1. Mark the link as used; raises NotNow with a sentence if it is unknown, used or expired.
    2. Raise NotAllowed where the host blocks the address.
    3. Find the player: the guest who asked gets the address, as does a player whose old address bounces. Otherwise it is the
       player with the address, created if new.
    4. Send the held letters, because this letter arrived.
    5. After a change of address, end all other sessions of the one who asked, who may be a stranger. `browser` is the token of
       the session that remains.
    """
    with database.write_tx() as session:
        used = session.exec(
            update(Link)
            .where(col(Link.token_hash) == token_hash(token), col(Link.used_at).is_(None), col(Link.until) > now)
            .values(used_at=now)
        )
        if used.rowcount != 1:
            raise NotNow("This link was used already, or its ten minutes are over. Ask for a new one: it takes a moment.")
        link = session.exec(select(Link).where(Link.token_hash == token_hash(token))).one()
        suppression.refuse_blocked(session, link.address)
        guest = session.get(Player, link.guest_id) if link.guest_id else None
        if guest is None or not _may_take(session, guest, link.address):
            return _enter(session, _arrived(session, for_address(session, link.address, zone=link.zone, now=now), now), now)
        player = _arrived(session, _name_guest(session, guest, link.address), now)
        others = (col(SignedIn.player_id) == guest.id, col(SignedIn.token_hash) != token_hash(browser))
        session.exec(delete(SignedIn).where(*others))
        return _enter(session, player, now)


def _may_take(session: Session, player: Player, address: str) -> bool:
    """Whether a player gets the link's address: a guest always, others if their old address bounces and the new one is unknown."""
    return player.address is None or (player.bounced_at is not None and not is_known(session, address))


def _arrived(session: Session, player: Player, now: datetime) -> Player:
    """Clear the player's bounce, because a letter was opened."""
    session.flush()
    assert player.id is not None  # noqa: S101 flushed above
    bounces.arrives_again(session, player.id, now=now)
    return player


def _name_guest(session: Session, guest: Player, address: str) -> Player:
    """Give a guest the address; if it belongs to a player, merge the guest into that player. Returns the player with the address."""
    playing = select(Seat.match_id).where(Seat.player_id == guest.id)
    session.exec(update(Match).where(col(Match.id).in_(playing)).values(with_people=True))
    owner = session.exec(select(Player).where(Player.address == address)).first()
    if owner is not None:
        _hand_over(session, guest, owner)
        return owner
    guest.address = address
    if guest.name == GUEST:
        guest.name = first_name(address)
    return guest


def _hand_over(session: Session, guest: Player, owner: Player) -> None:
    """Move a guest's seats and matches to the owner of the address; a seat in a match where the owner has one stays."""
    assert guest.id is not None and owner.id is not None  # noqa: S101 both come from the database
    theirs = set(session.exec(select(Seat.match_id).where(Seat.player_id == owner.id)))
    for seat in session.exec(select(Seat).where(Seat.player_id == guest.id)):
        if seat.match_id not in theirs:
            seat.player_id = owner.id
    session.exec(update(Match).where(col(Match.master_id) == guest.id).values(master_id=owner.id))


def _enter(session: Session, player: Player, now: datetime) -> NewSession:
    session.flush()
    assert player.id is not None  # noqa: S101 flushed above
    token = entropy.token_urlsafe(32)
    session.exec(delete(SignedIn).where(col(SignedIn.until) <= now))
    session.add(SignedIn(token_hash=token_hash(token), player_id=player.id, made_at=now, until=now + SESSION_LASTS))
    return NewSession(token, person(player))


def sign_in(database: Database, player_id: int, *, now: datetime) -> NewSession:
    """Sign a player in without a link, after a seat's invitation proved the address."""
    with database.write_tx() as session:
        return _enter(session, session.get_one(Player, player_id), now)


def enter_by_letter(
    database: Database, player_id: int, address: str, *, is_new: bool, viewer_id: int | None, uid: str, zone: str, now: datetime
) -> NewSession | None:  # fmt: skip
    """Sign in who took a seat of a match by a letter's link, which proves the address; returns the session of a new player.

    A known player is not signed in, because such a link may be old; unless that player is the viewer, a sign-in link is sent.
    """
    if is_new:
        return sign_in(database, player_id, now=now)
    if player_id != viewer_id:
        ask_link(database, address, zone=zone, now=now, next_page=f"/matches/{uid}")
    return None


def enter_guest(database: Database, *, zone: str, now: datetime) -> NewSession:
    """Create a guest, a player without an address, and sign them in."""
    with database.write_tx() as session:
        guest = Player(name=GUEST, zone=zone_or_utc(zone), made_at=now)
        session.add(guest)
        return _enter(session, guest, now)


def signed_in_player(session: Session, token: str, *, now: datetime) -> Person | None:
    """Return the player of a session token, None if it is unknown or has expired."""
    row = session.get(SignedIn, token_hash(token))
    if row is None or row.until <= now:
        return None
    return person(session.get_one(Player, row.player_id))


def sign_out(database: Database, token: str) -> None:
    """End one session; an unknown token is ignored."""
    with database.write_tx() as session:
        row = session.get(SignedIn, token_hash(token))
        if row is not None:
            session.delete(row)
