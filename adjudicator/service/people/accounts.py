"""Players: their addresses, names and zones, and what they may change about themselves."""

import zoneinfo
from dataclasses import dataclass
from datetime import datetime

from email_validator import EmailNotValidError, validate_email
from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.play.bots import Skill
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.names import clean_chosen, unlinked
from adjudicator.service.base.rows import new_token
from adjudicator.service.base.tables import Player
from adjudicator.service.letters import bounces, suppression

LONGEST_NAME = 40
GUEST = "Guest"
_BOTS: dict[Skill, str] = {"sensible": "House", "random": "Random"}


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


def clean_name(text: str, *, kept: str = "") -> str:
    """Return a name for people to read, on one line; raises Refused with a sentence. `kept` is the player's name so far."""
    name = clean_chosen(text, longest=LONGEST_NAME, kept=kept)
    if not name:
        raise Refused(f"A name has 1 to {LONGEST_NAME} letters.")
    return name


def zone_or_utc(zone: str) -> str:
    """Return an IANA zone name, UTC where the text is none."""
    try:
        return clean_zone(zone)
    except Refused:
        return "UTC"


def for_address(session: Session, address: str, *, zone: str, now: datetime) -> Player:
    """Return the player of a confirmed address, made now if new; the name begins as the address's local part.

    Who asked never to be written to begins without letters. Raises NotAllowed where the host blocks the address.
    """
    suppression.refuse_blocked(session, address)
    known = session.exec(select(Player).where(Player.address == address)).first()
    if known is not None:
        return known
    player = Player(address=address, name=first_name(address), zone=zone_or_utc(zone), stop_token=new_token(), made_at=now)
    player.letters = not suppression.why_suppressed(session, address)
    session.add(player)
    session.flush()
    return player


def first_name(address: str) -> str:
    """Return what a player is called until they say otherwise: the address's local part, `ann.b.smith` as `ann b smith`."""
    return unlinked(address.partition("@")[0])[:LONGEST_NAME] or GUEST


# --- what a player may change


@dataclass(frozen=True)
class AccountChanges:
    """What the account page sends."""

    name: str
    zone: str
    receipts: bool
    letters: bool


def change_account(database: Database, person_id: int, wishes: AccountChanges) -> None:
    """Change a player's name, zone and letters; raises Refused with a sentence and changes nothing."""
    zone = clean_zone(wishes.zone)
    with database.write_tx() as session:
        player = session.get(Player, person_id)
        if player is None:
            raise NotFound("There is no such player.")
        name = clean_name(wishes.name, kept=player.name)
        if player.letters and not wishes.letters:
            bounces.stop_letters(session, person_id)
        elif wishes.letters and not player.letters:
            suppression.lift_suppression(session, player.address)
        player.name, player.zone, player.receipts, player.letters = (name, zone, wishes.receipts, wishes.letters)


def set_zone(session: Session, player_id: int, zone: str) -> str:
    """Set a player's time zone, returning its proper name; raises Refused with a sentence.

    Who chooses UTC gets Etc/UTC, which tells that apart from a zone that nobody knows.
    """
    player = session.get_one(Player, player_id)
    chosen = clean_zone(zone)
    player.zone = "Etc/UTC" if chosen == "UTC" else chosen
    return player.zone


def start_letters(session: Session, player_id: int) -> None:
    """Let a player's letters come again, also to one who asked never to be written to."""
    player = session.get_one(Player, player_id)
    player.letters = True
    suppression.lift_suppression(session, player.address)


def set_name(session: Session, player_id: int, name: str) -> str:
    """Set a player's name, returning it as it is kept; raises Refused with a sentence."""
    player = session.get_one(Player, player_id)
    player.name = clean_name(name, kept=player.name)
    return player.name


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


def house_bots(session: Session, count: int, *, skill: Skill, now: datetime) -> list[Player]:
    """Return `count` house bots that play like this, the same ones in every match; missing ones are made."""
    known = select(Player).where(col(Player.house).is_(True), Player.skill == skill).order_by(col(Player.id))
    bots = list(session.exec(known.limit(count)))
    for number in range(len(bots), count):
        bots.append(Player(name=f"{_BOTS[skill]} {'ABCDEFGH'[number]}", house=True, skill=skill, made_at=now))
        session.add(bots[-1])
    session.flush()
    return bots


def add_demo(session: Session, name: str, address: str, *, now: datetime) -> int:
    """Return the id of a demonstration's player, added with an address that nobody confirmed where there is none yet."""
    player = session.exec(select(Player).where(Player.address == address)).first()
    if player is None:
        player = Player(name=name, address=address, made_at=now)
        session.add(player)
        session.flush()
    assert player.id is not None  # noqa: S101 flushed
    return player.id
