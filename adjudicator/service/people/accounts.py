"""Players: their addresses, names, time zones and letter settings."""

import re
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from sqlalchemy import ColumnElement, Row
from sqlmodel import Session, col, or_, select, update

from adjudicator.platform.db import Database
from adjudicator.play.bots import Skill
from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.names import NOBODYS_TABLE, clean_chosen, table_name, unlinked
from adjudicator.service.base.rows import left_matches, new_token, seated_matches
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.letters import bounces, suppression
from adjudicator.service.people import likeness

if TYPE_CHECKING:
    from adjudicator.service.base.tables import Tournament

LONGEST_NAME = 40
GUEST = "Guest"
_BOTS: dict[Skill, str] = {"sensible": "House", "greedy": "Greedy", "random": "Random"}


@dataclass(frozen=True)
class Person:
    """A player as the site and the mail room see them."""

    id: int
    name: str
    address: str | None
    zone: str
    house: bool
    receipts: bool
    letters: bool
    reminders: bool = True
    bounced_at: datetime | None = None  # since when letters come back; None: no known bounce
    bounce: str = ""  # the mail server's reason
    profile: str = ""  # last part of the address of this player's page, "" while there is none
    name_hidden: bool = False  # whether onlookers read the seat's name instead

    @property
    def shown(self) -> "Shown":
        """What onlookers see of this player."""
        return "page" if self.profile else "seat" if self.name_hidden else "name"


def clean_address(text: str) -> str:
    """Return the address as it is stored, in lower case; raises Refused with a sentence."""
    from email_validator import EmailNotValidError, validate_email  # its tables take long to build

    try:
        checked = validate_email(
            text.strip(), check_deliverability=False, test_environment=True, allow_smtputf8=False
        )
    except EmailNotValidError as error:
        raise Refused(
            f"“{text.strip()[:60]}” does not read as an e-mail address. {error}"
        ) from error
    return checked.normalized.lower()


def clean_zone(text: str) -> str:
    """Return an IANA zone name; raises Refused with a sentence that gives examples."""
    try:
        return zoneinfo.ZoneInfo(text.strip()).key
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise Refused(
            f"“{text[:60]}” is no time zone known here; write it like Europe/Paris or"
            " America/New_York."
        ) from error


def clean_name(text: str, *, kept: str = "") -> str:
    """Return a player's name on one line; raises Refused with a sentence. `kept` is the player's
    current name.
    """
    name = clean_chosen(text, longest=LONGEST_NAME, kept=kept)
    if not name:
        raise Refused(f"A name has 1 to {LONGEST_NAME} letters.")
    if name != kept:
        likeness.require_own(name)
    return name


def zone_or_utc(zone: str) -> str:
    """Return an IANA zone name, UTC if the text is not one."""
    try:
        return clean_zone(zone)
    except Refused:
        return "UTC"


def for_address(session: Session, address: str, *, zone: str, now: datetime) -> Player:
    """Return the player of a confirmed address, created with the name `first_name` if new.

    A new player at a suppressed address gets no letters. Raises NotAllowed where the host blocks
    the address.
    """
    suppression.refuse_blocked(session, address)
    known = session.exec(select(Player).where(Player.address == address)).first()
    if known is not None:
        return known
    player = Player(address=address, name=first_name(address), zone=zone_or_utc(zone), made_at=now)
    player.letters = not suppression.why_suppressed(session, address)
    session.add(player)
    session.flush()
    return player


def first_name(address: str) -> str:
    """Return the default name of a player: the address's local part without links, `ann b smith`
    for `ann.b.smith`.
    """
    name = unlinked(address.partition("@")[0])[:LONGEST_NAME]
    return GUEST if not name or likeness.is_reserved(name) else name


def is_first_name(player: Player) -> bool:
    """Whether a player still has the default name, perhaps with a number that distinguishes it."""
    first = first_name(player.address) if player.address is not None else GUEST
    return re.fullmatch(rf"{re.escape(first)}(?: [0-9]+)?", player.name) is not None


def join_as_oneself(session: Session, match: Match, player_id: int) -> None:
    """See to it that a player who takes a seat of a match is called like nobody else in it; raises
    Refused with what can be done.
    """
    player = session.get_one(Player, player_id)
    _rename(
        session,
        player,
        likeness.distinguish(session, match, player_id, usual=is_first_name(player)),
    )


def enter_as_oneself(session: Session, tournament: "Tournament", player_id: int) -> None:
    """Do as `join_as_oneself` for a player who enters a tournament."""
    player = session.get_one(Player, player_id)
    _rename(
        session,
        player,
        likeness.distinguish_entrant(session, tournament, player_id, usual=is_first_name(player)),
    )


# --- what a player may change


# what onlookers see of a player: a page of the matches too, the name, the seat's name alone
Shown = Literal["page", "name", "seat"]
SHOWN: tuple[Shown, ...] = get_args(Shown)


@dataclass(frozen=True)
class AccountChanges:
    """The form of the account page."""

    name: str
    zone: str
    receipts: bool
    letters: bool
    reminders: bool = True
    shown: Shown = "name"


def change_account(database: Database, person_id: int, wishes: AccountChanges) -> None:
    """Change a player's name, zone, letter settings and page; raises Refused with a sentence, and
    then changes nothing.
    """
    zone = clean_zone(wishes.zone)
    with database.write_tx() as session:
        player = session.get(Player, person_id)
        if player is None:
            raise NotFound("There is no such player.")
        name = clean_name(wishes.name, kept=player.name)
        _rename(session, player, name)
        _show(session, player, wishes.shown)
        if player.letters and not wishes.letters:
            bounces.stop_letters(session, person_id)
        elif wishes.letters and not player.letters:
            suppression.lift_suppression(session, player.address)
        player.zone, player.receipts, player.letters = zone, wishes.receipts, wishes.letters
        player.reminders = wishes.reminders


def set_shown(session: Session, player_id: int, shown: Shown) -> str:
    """Set what onlookers see of a player; returns the last part of the address of the player's
    page, "" where there is none.
    """
    player = session.get_one(Player, player_id)
    _show(session, player, shown)
    return player.profile or ""


def _show(session: Session, player: Player, shown: Shown) -> None:
    """Set what onlookers see; who hides the own name is in the usual name of no table any more."""
    if shown == "seat" and not player.name_hidden:
        sits, sat = seated_matches(player.id), left_matches(player.id)
        namesakes = select(Player.id).where(Player.name == player.name, Player.id != player.id)
        copied = or_(col(Match.id).in_(sits), col(Match.id).in_(sat)) & col(Match.master_id).not_in(
            namesakes
        )
        _rename_tables(
            session,
            or_(col(Match.master_id) == player.id, copied),
            table_name(player.name),
            NOBODYS_TABLE,
        )
    # shown again, it has another address
    player.profile = (player.profile or new_token()) if shown == "page" else None
    player.name_hidden = shown == "seat"


def _rename(session: Session, player: Player, name: str) -> None:
    """Give a player another name, and with it the tables that have the usual name made from the old
    one. Raises Refused for a twin's.
    """
    if name == player.name:
        return
    likeness.require_unlike(session, player.id, name)
    _rename_tables(
        session, col(Match.master_id) == player.id, table_name(player.name), table_name(name)
    )
    player.name = name


def _rename_tables(session: Session, which: ColumnElement[bool], old: str, new: str) -> None:
    if old != new:
        renamed = {"name": new, "version": Match.version + 1, "shown": Match.shown + 1}
        session.exec(update(Match).where(which, col(Match.name) == old).values(renamed))


def set_zone(session: Session, player_id: int, zone: str) -> str:
    """Set a player's time zone and return its IANA name; raises Refused with a sentence.

    A chosen UTC is stored as Etc/UTC, because the default `UTC` means that the zone is unknown.
    """
    player = session.get_one(Player, player_id)
    chosen = clean_zone(zone)
    player.zone = "Etc/UTC" if chosen == "UTC" else chosen
    return player.zone


def start_letters(session: Session, player_id: int) -> None:
    """Send a player letters again, even if their address is suppressed by its reader."""
    player = session.get_one(Player, player_id)
    player.letters = True
    suppression.lift_suppression(session, player.address)


def set_reminders(session: Session, player_id: int, *, wanted: bool) -> None:
    """Set whether a player is reminded before deadlines."""
    session.get_one(Player, player_id).reminders = wanted


def set_name(session: Session, player_id: int, name: str) -> str:
    """Set a player's name and return it as stored; raises Refused with a sentence."""
    player = session.get_one(Player, player_id)
    _rename(session, player, clean_name(name, kept=player.name))
    return player.name


def of_address(session: Session, address: str) -> Person | None:
    """Return the player with this address, None if there is none."""
    player = session.exec(select(Player).where(Player.address == address)).first()
    return person(player) if player is not None else None


def of_id(session: Session, player_id: int) -> Person:
    """Return the player with this id."""
    return person(session.get_one(Player, player_id))


def person(player: Player | Row[Any]) -> Person:
    """Return a player, a whole row or only its columns that are here, as the site and the mail room
    see them.
    """
    return Person(
        player.id,
        player.name,
        player.address,
        player.zone,
        player.house,
        player.receipts,
        player.letters,
        player.reminders,
        player.bounced_at,
        player.bounce or "",
        player.profile or "",
        player.name_hidden,
    )


def house_bots(session: Session, count: int, *, skill: Skill, now: datetime) -> list[Player]:
    """Return the first `count` house bots of this skill, the same ones for every match; missing
    ones are created.
    """
    known = (
        select(Player)
        .where(col(Player.house).is_(True), Player.skill == skill)
        .order_by(col(Player.id))
    )
    bots = list(session.exec(known.limit(count)))
    for number in range(len(bots), count):
        bots.append(
            Player(
                name=f"{_BOTS[skill]} {'ABCDEFGH'[number]}", house=True, skill=skill, made_at=now
            )
        )
        session.add(bots[-1])
    session.flush()
    return bots


def idle_bots(session: Session, seats: Sequence[Seat], *, now: datetime) -> list[int]:
    """Return house bots that think ahead and have none of the seats of a match: one for each
    other seat.
    """
    seated = {seat.player_id for seat in seats}
    bots = house_bots(session, len(seats), skill="sensible", now=now)
    return [bot.id for bot in bots if bot.id not in seated]


def add_demo(session: Session, name: str, address: str, *, now: datetime) -> int:
    """Return the id of a demonstration's player, created with this unproved address if it does not
    exist.
    """
    player = session.exec(select(Player).where(Player.address == address)).first()
    if player is None:
        player = Player(name=name, address=address, made_at=now)
        session.add(player)
        session.flush()
    return player.id
