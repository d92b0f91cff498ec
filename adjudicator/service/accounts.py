"""Players: guests, sign-in links, sessions, and what a player may change about themselves."""

import hashlib
import secrets
import zoneinfo
from dataclasses import dataclass
from datetime import datetime, timedelta

from email_validator import EmailNotValidError, validate_email
from sqlmodel import Session, col, delete, func, select, update

from adjudicator.db import Database
from adjudicator.service import bounces, keys, outbox
from adjudicator.service.errors import NotFound, NotNow, Refused
from adjudicator.service.tables import Link, Match, Player, Seat, SignedIn

LINK_LASTS = timedelta(minutes=10)
SESSION_LASTS = timedelta(days=60)
LINKS_AN_HOUR = 5  # to one address
LONGEST_NAME = 40
GUEST = "Guest"
_ADDRESS_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # Unicode calls them printable


@dataclass(frozen=True)
class Person:
    """A player as the doors know them."""

    id: int
    name: str
    address: str | None
    zone: str
    house: bool
    receipts: bool
    letters: bool
    bounced_at: datetime | None = None  # since when letters come back; None: they arrive, as far as we know
    bounce: str = ""  # what the mail server said of it


@dataclass(frozen=True)
class Entry:
    """A fresh session: the token belongs into the browser's cookie and nowhere else."""

    token: str
    person: Person


def token_hash(token: str) -> str:
    """Return what is stored of a secret token: enough to know it again, not enough to use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a fresh secret of 130 bits that may stand in an address of ours: mail servers are free to ignore its case."""
    return "".join(secrets.choice(_ADDRESS_LETTERS) for _ in range(26))


def clean_address(text: str) -> str:
    """Return the address in the spelling we keep (lower case); raises Refused with a sentence."""
    try:
        checked = validate_email(text.strip(), check_deliverability=False, test_environment=True, allow_smtputf8=False)
    except EmailNotValidError as error:
        raise Refused(f"“{text.strip()[:60]}” does not read as an e-mail address. {error}") from error
    return checked.normalized.lower()


def clean_zone(text: str) -> str:
    """Return an IANA zone name; raises Refused with a sentence naming examples."""
    try:
        return zoneinfo.ZoneInfo(text.strip()).key
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Refused(f"“{text[:60]}” is no time zone known here; write it like Europe/Paris or America/New_York.") from error


def one_line(text: str) -> str:
    """Return a text without what cannot be seen: control characters, marks that turn the reading direction, letters that are blank."""
    return " ".join("".join(char for char in text if char.isprintable() and char not in _BLANK).split())


def clean_name(text: str) -> str:
    """Return a name for people to read, on one line; raises Refused with a sentence."""
    name = one_line(text)
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Refused(f"A name has 1 to {LONGEST_NAME} letters.")
    return name


def _zone_or_utc(zone: str) -> str:
    try:
        return clean_zone(zone)
    except Refused:
        return "UTC"


# --- sign-in


def ask_link(database: Database, address: str, *, zone: str, now: datetime, guest_id: int | None = None, next_page: str = "/") -> None:
    """Send a sign-in link to `address`; the answer is the same whether the address is known or not.

    Raises Refused where the text is no address. More than five links an hour to one address are not sent.
    """
    clean = clean_address(address)
    with database.writing() as session:
        session.exec(delete(Link).where(col(Link.made_at) < now - timedelta(days=1)))
        recent = select(func.count()).select_from(Link).where(Link.address == clean, Link.made_at > now - timedelta(hours=1))
        if session.exec(recent).one() >= LINKS_AN_HOUR:
            return
        token = secrets.token_urlsafe(32)
        session.add(
            Link(
                token_hash=token_hash(token), address=clean, guest_id=guest_id, zone=_zone_or_utc(zone), made_at=now, until=now + LINK_LASTS
            )
        )
        context = {"token": token, "until": now.isoformat(), "minutes": int(LINK_LASTS.total_seconds() // 60), "next": next_page}
        outbox.put(session, keys.current(session), kind="signin", address=clean, context=context, now=now)


def use_link(database: Database, token: str, *, now: datetime, browser: str = "") -> Entry:
    """Sign in with a link: once, within ten minutes. An address that is new becomes a player, a guest who asked gets the address.

    So does a player who asked because letters to the old address come back. The link arrived, so letters that were held go out.
    Every other session of that guest ends (`browser` is the session token of the one that pressed the button): a link that
    somebody else asked for leaves nobody else signed in.
    Raises NotNow with a sentence when the link was used, is too old, or never was.
    """
    with database.writing() as session:
        used = session.exec(
            update(Link)
            .where(col(Link.token_hash) == token_hash(token), col(Link.used_at).is_(None), col(Link.until) > now)
            .values(used_at=now)
        )
        if used.rowcount != 1:
            raise NotNow("This link was used already, or its ten minutes are over. Ask for a new one: it takes a moment.")
        link = session.exec(select(Link).where(Link.token_hash == token_hash(token))).one()
        guest = session.get(Player, link.guest_id) if link.guest_id else None
        if guest is None or not _may_take(session, guest, link.address):
            return _enter(session, _arrived(session, for_address(session, link.address, zone=link.zone, now=now), now), now)
        player = _arrived(session, _name_guest(session, guest, link.address), now)
        others = (col(SignedIn.player_id) == guest.id, col(SignedIn.token_hash) != token_hash(browser))
        session.exec(delete(SignedIn).where(*others))
        return _enter(session, player, now)


def _may_take(session: Session, player: Player, address: str) -> bool:
    """Whether a link makes its address this player's: a guest's always, else a new one in place of one that does not work."""
    return player.address is None or (player.bounced_at is not None and not known(session, address))


def _arrived(session: Session, player: Player, now: datetime) -> Player:
    """Note that a letter to the player was opened."""
    session.flush()
    assert player.id is not None  # noqa: S101 flushed above
    bounces.arrives_again(session, player.id, now=now)
    return player


def _name_guest(session: Session, guest: Player, address: str) -> Player:
    """Give a guest the address, or, where it is somebody's, give that player what the guest began; returns whose it is now."""
    owner = session.exec(select(Player).where(Player.address == address)).first()
    if owner is not None:
        _hand_over(session, guest, owner)
        return owner
    guest.address = address
    if guest.name == GUEST:
        guest.name = _first_name(address)
    return guest


def for_address(session: Session, address: str, *, zone: str, now: datetime) -> Player:
    """Return the player of a confirmed address, made now if new; the name begins as the address's local part."""
    known = session.exec(select(Player).where(Player.address == address)).first()
    if known is not None:
        return known
    player = Player(address=address, name=_first_name(address), zone=_zone_or_utc(zone), stop_token=new_token(), made_at=now)
    session.add(player)
    session.flush()
    return player


def _first_name(address: str) -> str:
    """Return what a player is called until they say otherwise: the address's local part."""
    return address.partition("@")[0][:LONGEST_NAME]


def _hand_over(session: Session, guest: Player, owner: Player) -> None:
    """Give what a guest began to the player whose address it turned out to be; a seat in a match both sit in stays."""
    assert guest.id is not None and owner.id is not None  # noqa: S101 both come from the database
    theirs = set(session.exec(select(Seat.match_id).where(Seat.player_id == owner.id)))
    for seat in session.exec(select(Seat).where(Seat.player_id == guest.id)):
        if seat.match_id not in theirs:
            seat.player_id = owner.id
    session.exec(update(Match).where(col(Match.master_id) == guest.id).values(master_id=owner.id))


def _enter(session: Session, player: Player, now: datetime) -> Entry:
    session.flush()
    assert player.id is not None  # noqa: S101 flushed above
    token = secrets.token_urlsafe(32)
    session.exec(delete(SignedIn).where(col(SignedIn.until) <= now))
    session.add(SignedIn(token_hash=token_hash(token), player_id=player.id, made_at=now, until=now + SESSION_LASTS))
    return Entry(token, person(player))


def enter(database: Database, player_id: int, *, now: datetime) -> Entry:
    """Sign a known player in without a link: for a seat's invitation, which proved the address."""
    with database.writing() as session:
        return _enter(session, session.get_one(Player, player_id), now)


def enter_guest(database: Database, *, zone: str, now: datetime) -> Entry:
    """Make a guest, a player without an address yet, and sign them in."""
    with database.writing() as session:
        guest = Player(name=GUEST, zone=_zone_or_utc(zone), made_at=now)
        session.add(guest)
        return _enter(session, guest, now)


def who(session: Session, token: str, *, now: datetime) -> Person | None:
    """Return whose session `token` is, None when it is nobody's (any more)."""
    row = session.get(SignedIn, token_hash(token))
    if row is None or row.until <= now:
        return None
    return person(session.get_one(Player, row.player_id))


def sign_out(database: Database, token: str) -> None:
    """End one session; unknown tokens are nobody's."""
    with database.writing() as session:
        row = session.get(SignedIn, token_hash(token))
        if row is not None:
            session.delete(row)


# --- what a player may change


@dataclass(frozen=True)
class Wishes:
    """What the account page sends."""

    name: str
    zone: str
    receipts: bool
    letters: bool


def change(database: Database, person_id: int, wishes: Wishes) -> None:
    """Change a player's name, zone and letters; raises Refused with a sentence and changes nothing."""
    name, zone = clean_name(wishes.name), clean_zone(wishes.zone)
    with database.writing() as session:
        player = session.get(Player, person_id)
        if player is None:
            raise NotFound("There is no such player.")
        player.name, player.zone, player.receipts, player.letters = (name, zone, wishes.receipts, wishes.letters)


def set_zone(session: Session, player_id: int, zone: str) -> str:
    """Set a player's time zone, returning its proper name; raises Refused with a sentence."""
    player = session.get_one(Player, player_id)
    player.zone = clean_zone(zone)
    return player.zone


def set_letters(session: Session, player_id: int, *, wanted: bool) -> None:
    """Stop a player's letters, or let them come again; sign-in links and answers to the player's own letters come all the same."""
    session.get_one(Player, player_id).letters = wanted


def of_address(session: Session, address: str) -> Person | None:
    """Return the player of a confirmed address, None where there is none."""
    player = session.exec(select(Player).where(Player.address == address)).first()
    return person(player) if player is not None else None


def person(player: Player) -> Person:
    """Return a player as the doors know them."""
    assert player.id is not None  # noqa: S101 it comes from the database
    return Person(
        player.id, player.name, player.address, player.zone, player.house, player.receipts, player.letters,
        player.bounced_at, player.bounce or "",
    )  # fmt: skip


def house_bots(session: Session, count: int, *, now: datetime) -> list[Player]:
    """Return `count` house bots, the same ones in every match; missing ones are made."""
    bots = list(session.exec(select(Player).where(col(Player.house).is_(True)).order_by(col(Player.id)).limit(count)))
    for number in range(len(bots), count):
        bots.append(Player(name=f"House {'ABCDEFGH'[number]}", house=True, made_at=now))
        session.add(bots[-1])
    session.flush()
    return bots


def known(session: Session, address: str) -> bool:
    """Whether there is a player of this address."""
    return session.exec(select(Player.id).where(Player.address == address)).first() is not None


def add_demo(session: Session, name: str, address: str, *, now: datetime) -> int:
    """Return the id of a demonstration's player, added with an address that nobody confirmed where there is none yet."""
    player = session.exec(select(Player).where(Player.address == address)).first()
    if player is None:
        player = Player(name=name, address=address, made_at=now)
        session.add(player)
        session.flush()
    assert player.id is not None  # noqa: S101 flushed
    return player.id
