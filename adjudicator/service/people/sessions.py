"""Signing in without passwords: links that prove an address, sessions, guests who may get an address later."""

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
from adjudicator.service.letters.kinds import SignInLetter
from adjudicator.service.people.accounts import GUEST, Person, clean_address, first_name, for_address, person, zone_or_utc

LINK_LASTS = timedelta(minutes=10)
SESSION_LASTS = timedelta(days=60)
LINKS_AN_HOUR = 5  # to one address
LINKS_FOR_ONE = 3  # of these, for one requester: a stranger leaves some to the address's owner


@dataclass(frozen=True)
class NewSession:
    """A fresh session: the token belongs into the browser's cookie and nowhere else."""

    token: str
    person: Person


def ask_link(
    database: Database, address: str, *, zone: str, now: datetime, guest_id: int | None = None, next_page: str = "/", requester: str = ""
) -> None:  # fmt: skip
    """Send a sign-in link to `address`; the answer is the same whether the address is known or not.

    An address gets five links an hour, three of them for one `requester` (the network that asks, "" for the service itself). A
    further request sends nothing. It prolongs the newest link by ten minutes, so nobody who asks for others' links locks them out.
    An address that the host blocks gets none, and nobody is told. Raises Refused where the text is no address.
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
    """Serialize requests for this address, so that its links are counted once."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.exec(select(func.pg_advisory_xact_lock(int(token_hash(address)[:15], 16))))


def _may_send(recent: Sequence[Link], asks: str | None) -> bool:
    """Whether another link may go out beside those of the last hour; who used all of theirs up gets another, within the five."""
    if len(recent) >= LINKS_AN_HOUR:
        return False
    own = sum(1 for link in recent if asks is not None and link.requester_hash == asks)
    return own < LINKS_FOR_ONE or all(link.used_at is not None for link in recent)


def _prolong_newest(session: Session, recent: Sequence[Link], now: datetime) -> None:
    """Make the newest link that nobody has used good for ten more minutes: who reads the address has its letter, or gets it now."""
    unused = [link for link in recent if link.used_at is None]
    newest = max((link.made_at for link in unused), default=now)
    for link in unused:
        if link.made_at == newest:
            link.until = now + LINK_LASTS
            outbox.send_prolonged(session, link, now)


def use_link(database: Database, token: str, *, now: datetime, browser: str = "") -> NewSession:
    """Sign in with a link: once, within ten minutes. An address that is new becomes a player, a guest who asked gets the address.

    So does a player who asked because letters to the old address come back. The link arrived, so letters that were held go out.
    Every other session of that guest ends (`browser` is the session token of the one that pressed the button): a link that
    somebody else asked for leaves nobody else signed in.
    Raises NotNow with a sentence when the link was used, is too old, or never was; NotAllowed where the host blocks its address.
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
    """Whether a link makes its address this player's: a guest's always, else a new one in place of one that does not work."""
    return player.address is None or (player.bounced_at is not None and not is_known(session, address))


def _arrived(session: Session, player: Player, now: datetime) -> Player:
    """Note that letters reach the player, as one was opened."""
    session.flush()
    assert player.id is not None  # noqa: S101 flushed above
    bounces.arrives_again(session, player.id, now=now)
    return player


def _name_guest(session: Session, guest: Player, address: str) -> Player:
    """Give a guest the address, or, where it is somebody's, give that player what the guest began; returns whose it is now."""
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
    """Give what a guest began to the player whose address it turned out to be; a seat in a match both sit in stays."""
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
    """Sign a known player in without a link: for a seat's invitation, which proved the address."""
    with database.write_tx() as session:
        return _enter(session, session.get_one(Player, player_id), now)


def enter_guest(database: Database, *, zone: str, now: datetime) -> NewSession:
    """Make a guest, a player without an address yet, and sign them in."""
    with database.write_tx() as session:
        guest = Player(name=GUEST, zone=zone_or_utc(zone), made_at=now)
        session.add(guest)
        return _enter(session, guest, now)


def signed_in_player(session: Session, token: str, *, now: datetime) -> Person | None:
    """Return whose session `token` is, None when it is nobody's (any more)."""
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
