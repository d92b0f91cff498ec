"""Sign-in without passwords: links that prove an address, sessions, and guests who can add an
address later.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam
from sqlmodel import Session, col, delete, select, update

from adjudicator.platform import entropy
from adjudicator.platform.db import Database
from adjudicator.platform.statements.records import Query
from adjudicator.seal.requests import COOKIE_BYTES, SessionKey
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow, SignInAgain
from adjudicator.service.base.rows import is_known, one_at_a_time, token_hash
from adjudicator.service.base.tables import Link, MasterAddress, Match, Player, Seat, SignedIn
from adjudicator.service.letters import bounces, outbox, suppression
from adjudicator.service.letters.contents.seat_content import AsksFor, SignInLetter
from adjudicator.service.people import merging, pushes
from adjudicator.service.people.accounts import (
    GUEST,
    Person,
    clean_address,
    first_name,
    for_address,
    person,
    zone_or_utc,
)
from adjudicator.service.requests import confirming, signing
from adjudicator.service.requests.confirming import Evidence, of_token
from adjudicator.service.tokens.references import UNWRITTEN, Reference

LINK_LASTS = timedelta(minutes=10)
SESSION_LASTS = timedelta(days=60)
# key in Session.info: the token of the session that the asking browser has; another one takes its
# place
BROWSER = "browser"
IDLE_LASTS = timedelta(days=21)  # a session that is not used for so long has ended
_NOTED_EACH = timedelta(days=1)  # how exactly it is noted when a session was last used
# until the worker has looked at everything that a session signed before it was ended
_ENDED_STAYS = timedelta(days=1)
LINKS_AN_HOUR = 5  # to one address
# of these, for one requester, so that a stranger leaves some to the address's owner
LINKS_FOR_ONE = 3


@dataclass(frozen=True)
class NewSession:
    """A new session; its token belongs only in the browser's cookie."""

    token: str
    person: Person


def ask_link(
    database: Database,
    address: str,
    *,
    zone: str,
    now: datetime,
    guest_id: int | None = None,
    next_page: str = "/",
    requester: str = "",
) -> None:
    """Send a sign-in link to `address`; nothing reveals whether the address is known or blocked.

    An address gets at most five links an hour, and three for one `requester` (the network that
    asks, "" for the service itself). A further request sends no letter and makes the newest unused
    link valid for ten more minutes, so repeated requests by a stranger do not lock out the
    address's owner. A blocked address gets no link. Raises Refused where the text is no address.
    """
    clean = clean_address(address)
    asks = token_hash(f"{requester} {clean}") if requester else None
    with database.write_tx() as session:
        if suppression.why_suppressed(session, clean) == "host":
            return
        one_at_a_time(session, clean)  # so that each request counts the links of the others
        session.exec(delete(Link).where(col(Link.made_at) < now - timedelta(days=1)))
        recent = session.exec(
            select(Link).where(Link.address == clean, Link.made_at > now - timedelta(hours=1))
        ).all()
        if not _may_send(recent, asks):
            _prolong_newest(session, recent, now)
            return
        uid = entropy.token_hex(12)
        link = Link(
            token_hash=UNWRITTEN + uid,
            uid=uid,
            address=clean,
            zone=zone_or_utc(zone),
            made_at=now,
            until=now + LINK_LASTS,
        )
        link.guest_id, link.requester_hash = guest_id, asks
        if guest_id is not None:
            with suppress(SignInAgain):  # its session is from before there were keys
                link.signer, link.request_signature = signing.sign_request(
                    session, guest_id, confirming.address_request(clean)
                )
        session.add(link)
        letter = SignInLetter(
            token=Reference("signin", uid),
            minutes=int(LINK_LASTS.total_seconds() // 60),
            next=next_page,
            asks=_who_asks(session, guest_id),
        )
        outbox.put_letter(
            session, public_keys.current_keys(session), letter, address=clean, now=now
        )


def _who_asks(session: Session, asks_id: int | None) -> AsksFor:
    if asks_id is None:
        return ""
    return "guest" if session.get_one(Player, asks_id).address is None else "player"


def who_asked(session: Session, token: str, viewer_id: int | None) -> AsksFor:
    """Return who asked for a link that gives more than a session; "" too if that is the viewer, or
    if the link is unknown.
    """
    link = session.exec(select(Link).where(Link.token_hash == token_hash(token))).first()
    return (
        _who_asks(session, link.guest_id) if link is not None and link.guest_id != viewer_id else ""
    )


def _may_send(recent: Sequence[Link], asks: str | None) -> bool:
    """Whether another link may go out after the `recent` ones. A requester's limit does not apply
    once all recent links are used.
    """
    if len(recent) >= LINKS_AN_HOUR:
        return False
    own = sum(1 for link in recent if asks is not None and link.requester_hash == asks)
    return own < LINKS_FOR_ONE or all(link.used_at is not None for link in recent)


def _prolong_newest(session: Session, recent: Sequence[Link], now: datetime) -> None:
    """Make the newest unused link valid for ten more minutes, and send its letter if that was held
    because the link had expired.
    """
    unused = [link for link in recent if link.used_at is None]
    newest = max((link.made_at for link in unused), default=now)
    for link in unused:
        if link.made_at == newest:
            link.until = now + LINK_LASTS
            outbox.send_prolonged(session, link, now)


def use_link(database: Database, token: str, *, now: datetime) -> NewSession:
    """Sign in with a link, which works once and while it is valid.

    1. Mark the link as used; raises NotNow with a sentence if it is unknown, used or expired.
    2. Raise NotAllowed where the host blocks the address.
    3. Find the player: the guest who asked gets the address, as does a player whose old address
       bounces. Otherwise it is the player with the address, created if new.
    4. Send the held letters, because this letter arrived.
    5. After a change of address, end all sessions of the one who asked, who may be a stranger.
    """
    with database.write_tx() as session:
        used = session.exec(
            update(Link)
            .where(
                col(Link.token_hash) == token_hash(token),
                col(Link.used_at).is_(None),
                col(Link.until) > now,
            )
            .values(used_at=now)
        )
        if used.rowcount != 1:
            raise NotNow(
                "This link was used already, or its ten minutes are over. Ask for a new one: it"
                " takes a moment."
            )
        link = session.exec(select(Link).where(Link.token_hash == token_hash(token))).one()
        suppression.refuse_blocked(session, link.address)
        guest = session.get(Player, link.guest_id) if link.guest_id else None
        proves = of_token(session, "signin", token)
        if guest is None or not _may_take(session, guest, link.address):
            player = for_address(session, link.address, zone=link.zone, now=now)
            return _enter(session, _arrived(session, player, now), proves, now=now)
        player = _arrived(session, _name_guest(session, guest, link.address), now)
        return _enter_anew(session, player, guest.id, proves, now=now)


def _may_take(session: Session, player: Player, address: str) -> bool:
    """Whether a player gets the link's address: a guest always, others if their old address bounces
    and the new one is unknown.
    """
    return player.address is None or (
        player.bounced_at is not None and not is_known(session, address)
    )


def _arrived(session: Session, player: Player, now: datetime) -> Player:
    """Clear the player's bounce, because a letter was opened."""
    session.flush()
    bounces.arrives_again(session, player.id, now=now)
    return player


def _name_guest(session: Session, guest: Player, address: str) -> Player:
    """Give a guest the address; if it belongs to a player, merge the guest into that player.
    Returns the player with the address.
    """
    playing = select(Seat.match_id).where(Seat.player_id == guest.id)
    session.exec(update(Match).where(col(Match.id).in_(playing)).values(with_people=True))
    owner = session.exec(select(Player).where(Player.address == address)).first()
    if owner is not None:
        merging.hand_over(session, guest.id, owner.id)
        return owner
    _forget_mail_addresses(session, guest)
    guest.address = address
    guest.letters = guest.letters and not suppression.why_suppressed(session, address)
    if _is_unnamed(guest):
        guest.name = first_name(address)
    return guest


def _is_unnamed(guest: Player) -> bool:
    """Whether a guest never chose a name; the usual one may have a number."""
    return guest.name.rstrip("0123456789").rstrip() == GUEST


def _forget_mail_addresses(session: Session, player: Player) -> None:
    """Let the addresses of a player's seats and matches stop working: those that the next letters
    tell are for the new address.
    """
    session.exec(update(Seat).where(col(Seat.player_id) == player.id).values(token_hash=None))
    session.exec(
        update(MasterAddress)
        .where(col(MasterAddress.player_id) == player.id)
        .values(token_hash=None)
    )


def _enter_anew(
    session: Session, player: Player, former_id: int, proves: Evidence, *, now: datetime
) -> NewSession:
    """Begin a session, and end all of who asked to become this player, who may be a stranger."""
    _end(session, now, col(SignedIn.player_id) == former_id)
    pushes.remove_browsers(session, former_id)
    return _enter(session, player, proves, now=now)


def _enter(
    session: Session, player: Player, proves: Evidence, *, now: datetime, token: str = ""
) -> NewSession:
    """Begin a session with a key of its own, and end the one whose place it takes in the browser.

    The worker vouches for it once it has looked at what `proves` who it is. `token` is its own, by
    default a new one.
    """
    session.flush()
    if not token or session.get(SignedIn, token_hash(token)) is not None:
        token = entropy.token_urlsafe(COOKIE_BYTES)
    _end(session, now, col(SignedIn.token_hash) == token_hash(session.info.get(BROWSER, "")))
    session.exec(
        delete(SignedIn).where(
            (col(SignedIn.until) <= now) | (col(SignedIn.ended_at) <= now - _ENDED_STAYS)
        )
    )
    row = SignedIn(
        token_hash=token_hash(token), player_id=player.id, made_at=now, until=now + SESSION_LASTS
    )
    row.public = SessionKey.of_cookie(token).public
    row.box = confirming.seal_evidence(public_keys.current_keys(session), row.public, proves)
    session.add(row)
    return NewSession(token, person(player))


def _end(session: Session, now: datetime, *which: ColumnElement[bool]) -> None:
    """End sessions. Their rows stay for a day, since the worker may not have looked at all that
    they signed before.
    """
    session.exec(
        update(SignedIn).where(*which, col(SignedIn.ended_at).is_(None)).values(ended_at=now)
    )


def sign_in(database: Database, player_id: int, proves: Evidence, *, now: datetime) -> NewSession:
    """Sign a player in without a link, after a letter about a seat proved the address."""
    with database.write_tx() as session:
        return _enter(session, session.get_one(Player, player_id), proves, now=now)


@dataclass(frozen=True)
class OpenedLetter:
    """A letter's link that gives a seat, as somebody opens it."""

    address: str
    proves: Evidence
    is_new: bool  # whether no player had the address
    guest_id: int | None  # the guest in whose session it is opened
    viewer_id: int | None


def open_letter(
    session: Session, address: str, proves: Evidence, viewer_id: int | None
) -> OpenedLetter:
    """Begin to take a seat by a letter's link, which proves the address. A guest who opens it gets
    the address if it is new.
    """
    viewer = session.get(Player, viewer_id) if viewer_id is not None else None
    guest = viewer if viewer is not None and viewer.address is None else None
    is_new = not is_known(session, address)
    if guest is not None and is_new:
        proves = confirming.asked_by(session, guest.id, address, proves)
        _name_guest(session, guest, address)
    return OpenedLetter(address, proves, is_new, guest.id if guest is not None else None, viewer_id)


def enter_by_letter(
    database: Database, player_id: int, opened: OpenedLetter, *, uid: str, zone: str, now: datetime
) -> NewSession | None:
    """Sign in who took a seat of a match by a letter's link; returns the session of a new player.

    A known player is not signed in, because such a link may be old; unless that player is the
    viewer, a sign-in link is sent, which brings along what the guest has who opened the letter.
    """
    if not opened.is_new:
        if player_id != opened.viewer_id:
            ask_link(
                database,
                opened.address,
                zone=zone,
                now=now,
                guest_id=opened.guest_id,
                next_page=f"/matches/{uid}",
            )
        return None
    if opened.guest_id is None:
        return sign_in(database, player_id, opened.proves, now=now)
    with database.write_tx() as session:
        player = session.get_one(Player, player_id)
        return _enter_anew(session, player, opened.guest_id, opened.proves, now=now)


def enter_guest(database: Database, *, zone: str, now: datetime, token: str = "") -> NewSession:
    """Create a guest, a player without an address, and sign them in; who has a session with this
    `token` already stays who they are.
    """
    with database.write_tx() as session:
        known = _known_guest(session, token, now) if token else None
        if known is not None:
            return NewSession(token, known)
        guest = Player(name=GUEST, zone=zone_or_utc(zone), made_at=now)
        session.add(guest)
        return _enter(session, guest, Evidence("guest"), now=now, token=token)


def _known_guest(session: Session, token: str, now: datetime) -> Person | None:
    """Return whose session has this token, once nobody else begins it."""
    one_at_a_time(session, token)
    return signed_in_player(session, token, now=now)


@dataclass(frozen=True)
class Use:
    """The use of a session that has not ended."""

    person: Person
    # whether it is to be noted that the session is used, which is done once a day
    long_unnoted: bool
    keyed: bool  # whether the key of its cookie signs requests


_USED = Query(
    select(SignedIn, Player)
    .join(Player, col(Player.id) == col(SignedIn.player_id))
    .where(col(SignedIn.token_hash) == bindparam("hash"))
)


def signed_in_player(session: Session, token: str, *, now: datetime) -> Person | None:
    """Return the player of a session token, None if it is unknown or has ended."""
    use = use_of(session, token, now=now)
    return use.person if use is not None else None


def use_of(session: Session, token: str, *, now: datetime) -> Use | None:
    """Do as `signed_in_player`, in one statement, and say whether the use is to be noted."""
    found = _USED.first(session.connection(), {"hash": token_hash(token)})
    if found is None or not _is_open(found[0], now):
        return None
    signed, player = found
    long_unnoted = (signed.used_at or signed.made_at) <= now - _NOTED_EACH
    return Use(person(player), long_unnoted, signed.public is not None)


def _is_open(row: SignedIn, now: datetime) -> bool:
    return (
        row.ended_at is None and row.until > now and (row.used_at or row.made_at) > now - IDLE_LASTS
    )


def note_use(database: Database, token: str, *, now: datetime) -> None:
    """Note that a session is used, from which its idle time counts."""
    with database.write_tx() as session:
        session.exec(
            update(SignedIn)
            .where(col(SignedIn.token_hash) == token_hash(token))
            .values(used_at=now)
        )


def sign_out(database: Database, token: str, *, now: datetime) -> None:
    """End one session; an unknown token is ignored."""
    with database.write_tx() as session:
        _end(session, now, col(SignedIn.token_hash) == token_hash(token))


@dataclass(frozen=True)
class OpenSession:
    """A browser in which a player is signed in."""

    made_at: datetime
    until: datetime
    here: bool  # whether it is the one that asks


def open_sessions(
    session: Session, player_id: int, browser: str, *, now: datetime
) -> tuple[OpenSession, ...]:
    """Return the sessions of a player, the newest first; `browser` is the token of the one that
    asks.
    """
    rows = session.exec(
        select(SignedIn)
        .where(SignedIn.player_id == player_id)
        .order_by(col(SignedIn.made_at).desc())
    )
    return tuple(
        OpenSession(row.made_at, row.until, row.token_hash == token_hash(browser))
        for row in rows
        if _is_open(row, now)
    )


def end_other_sessions(database: Database, player_id: int, browser: str, *, now: datetime) -> None:
    """Sign a player out of every browser but the one with this token, and send no more push
    messages to any.
    """
    with database.write_tx() as session:
        _end(
            session,
            now,
            col(SignedIn.player_id) == player_id,
            col(SignedIn.token_hash) != token_hash(browser),
        )
        pushes.remove_browsers(session, player_id)  # which browser each is for is not known


def end_all_sessions(database: Database) -> int:
    """End every session of everybody, for the host after somebody else controlled the site; returns
    how many there were.

    Nothing that was signed and not looked at yet counts, since it may be that person's.
    """
    with database.write_tx() as session:
        return session.exec(delete(SignedIn)).rowcount
