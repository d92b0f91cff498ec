"""Matches before they run: made, founded by the worker, seats taken by invitation or free choice."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator import catalogue
from adjudicator.db import Database
from adjudicator.game import Game, OptionError, complete_options
from adjudicator.service import accounts, keys, outbox
from adjudicator.service.accounts import token_hash
from adjudicator.service.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.tables import Match, Player, Seat

_UID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that are mistaken for another when read aloud
_ADDRESS_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
LONGEST_NAME = 60
SHORTEST_HOURS, LONGEST_HOURS = 1, 24 * 30
MOST_GRACE_MINUTES = 24 * 60


@dataclass(frozen=True)
class Wish:
    """What the page *Make a match* asks for."""

    game: str
    name: str
    options: Mapping[str, object]
    every_hours: int = 48
    grace_minutes: int = 10
    invited: tuple[str, ...] = ()  # addresses; each gets a seat kept and a letter
    open_seats: bool = True  # whether anybody may take the seats that are left
    house: int = 0  # seats given to house bots
    play: bool = True  # whether the maker takes the first seat
    every_seconds: int | None = None  # a demonstration's haste, instead of hours


def make(database: Database, master_id: int, wish: Wish, *, now: datetime) -> str:
    """Make a match and return its public name; the worker founds it at once, then its seats can be taken.

    Raises Refused with a sentence that names what is wrong; then nothing was made.
    """
    game = _game(wish.game)
    try:
        options = complete_options(game.about, wish.options)
    except OptionError as error:
        raise Refused(str(error)) from error
    every, grace = _rhythm(wish)
    names = game.about.seats[max(game.about.seats)]
    invited = _invited(wish, len(names))
    with database.writing() as session:
        match = Match(
            uid=_word(_UID_LETTERS, 9), name=_name(wish, game.about.title), game=wish.game, rules_version=game.about.rules_version,
            options=dict(options), master_id=master_id, every_seconds=every, grace_seconds=grace, ready_rule=game.about.ready,
            open_seats=wish.open_seats, made_at=now,
        )  # fmt: skip
        session.add(match)
        session.flush()
        _lay_seats(session, match, names, _sitters(session, master_id, wish, now), invited)
        return match.uid


def _game(key: str) -> Game:
    try:
        return catalogue.game(key)
    except catalogue.UnknownGame as error:
        raise Refused(str(error)) from error


def _rhythm(wish: Wish) -> tuple[int, int]:
    if wish.every_seconds is not None:
        return wish.every_seconds, wish.grace_minutes * 60
    if not SHORTEST_HOURS <= wish.every_hours <= LONGEST_HOURS:
        raise Refused(
            f"A phase may last from {SHORTEST_HOURS} to {LONGEST_HOURS} hours; {wish.every_hours} is outside of that.", field="every_hours"
        )
    if not 0 <= wish.grace_minutes <= MOST_GRACE_MINUTES:
        raise Refused(
            f"The grace may be 0 to {MOST_GRACE_MINUTES} minutes; {wish.grace_minutes} is outside of that.", field="grace_minutes"
        )
    return wish.every_hours * 3600, wish.grace_minutes * 60


def _invited(wish: Wish, seats: int) -> list[str]:
    invited = list(dict.fromkeys(accounts.clean_address(address) for address in wish.invited if address.strip()))
    wanted = len(invited) + wish.house + int(wish.play)
    if wish.house < 0 or wanted > seats:
        raise Refused(f"That is {wanted} players for {seats} seats: invite fewer, or let fewer house bots play.", field="house")
    if wanted < seats and not wish.open_seats:
        raise Refused(f"{seats - wanted} of the {seats} seats would stay empty: invite more players, add house bots, or leave seats open.")
    return invited


def _name(wish: Wish, title: str) -> str:
    name = accounts.one_line(wish.name)
    if len(name) > LONGEST_NAME:
        raise Refused(f"A match's name has {LONGEST_NAME} letters at most.", field="name")
    return name or title


def _word(letters: str, length: int) -> str:
    return "".join(secrets.choice(letters) for _ in range(length))


def _sitters(session: Session, master_id: int, wish: Wish, now: datetime) -> list[int]:
    bots = [bot.id for bot in accounts.house_bots(session, wish.house, now=now)]
    return [*([master_id] if wish.play else []), *(bot for bot in bots if bot is not None)]


def _lay_seats(session: Session, match: Match, names: tuple[str, ...], sitters: list[int], invited: list[str]) -> None:
    """Reserve the seats; they are *taken* once the match is founded."""
    assert match.id is not None  # noqa: S101 flushed
    for position, name in enumerate(names):
        seat = Seat(match_id=match.id, position=position, name=name, token=_word(_ADDRESS_LETTERS, 26))
        if position < len(sitters):
            seat.player_id = sitters[position]
        elif position < len(sitters) + len(invited):
            seat.kept_for = invited[position - len(sitters)]
        session.add(seat)


# --- invitations


def invite(session: Session, match: Match, seat: Seat, *, now: datetime) -> None:
    """Write to whom a seat is kept for; an older invitation to the seat is no longer good."""
    if seat.kept_for is None or seat.player_id is not None:
        raise NotNow("This seat is not kept for anybody.")
    token = secrets.token_urlsafe(24)
    seat.invitation_hash = token_hash(token)
    master = session.get_one(Player, match.master_id)
    game = catalogue.game(match.game)
    context = {
        "token": token, "match": match.name, "uid": match.uid, "game": game.about.title, "game_key": match.game,
        "summary": game.about.summary, "seat": seat.name, "master": master.name, "every_seconds": match.every_seconds,
    }  # fmt: skip
    about = outbox.About(match.id, seat.name)
    outbox.put(session, keys.current(session), kind="invitation", address=seat.kept_for, context=context, now=now, about=about)


# --- taking a seat


@dataclass(frozen=True)
class Invitation:
    """What the page of an invitation tells."""

    match: str
    uid: str
    game: str
    game_key: str
    seat: str
    master: str
    address: str
    every_seconds: int


def invitation(session: Session, token: str) -> Invitation:
    """Return what an invitation is for; raises NotFound when it is not good (any more). Looking changes nothing."""
    seat, match = _invited_seat(session, token)
    master = session.get_one(Player, match.master_id)
    title = catalogue.game(match.game).about.title
    return Invitation(match.name, match.uid, title, match.game, seat.name, master.name, seat.kept_for or "", match.every_seconds)


def _invited_seat(session: Session, token: str) -> tuple[Seat, Match]:
    seat = session.exec(select(Seat).where(Seat.invitation_hash == token_hash(token))).first()
    if seat is None or seat.player_id is not None:
        raise NotFound("This invitation was taken already, or the seat is no longer kept. Whoever makes the match can write again.")
    return seat, session.get_one(Match, seat.match_id)


def _locked_invitation(session: Session, token: str) -> tuple[Seat, Match]:
    _, match = _invited_seat(session, token)
    lock(session, match)
    session.expire_all()
    return _invited_seat(session, token)


def accept(database: Database, token: str, *, zone: str, now: datetime) -> tuple[accounts.Entry, str]:
    """Take the seat an invitation is for. The letter proved the address, so its player is signed in.

    Returns the session and the match's public name; raises NotFound, or Refused when the player sits there already.
    """
    with database.writing() as session:
        seat, match = _locked_invitation(session, token)
        player = accounts.for_address(session, seat.kept_for or "", zone=zone, now=now)
        assert player.id is not None  # noqa: S101 from the database
        _sit(session, match, seat, player.id, now)
        uid, player_id = match.uid, player.id
    return accounts.enter(database, player_id, now=now), uid


def decline(database: Database, token: str) -> str:
    """Give an invited seat back; it is open to all. Returns the match's name."""
    with database.writing() as session:
        seat, match = _locked_invitation(session, token)
        seat.kept_for = seat.invitation_hash = None
        match.open_seats = True
        return match.name


def take_seat(database: Database, uid: str, player_id: int, *, now: datetime) -> None:
    """Take the first seat of an open match that is kept for nobody else; raises Refused with a sentence."""
    with database.writing() as session:
        match = by_uid(session, uid)
        lock(session, match)
        player = session.get_one(Player, player_id)
        seat = _free_seat(session, match, player)
        if seat is None:
            raise NotNow("Every seat of this match is taken or kept for somebody.")
        _sit(session, match, seat, player_id, now)


def _free_seat(session: Session, match: Match, player: Player) -> Seat | None:
    seats = [seat for seat in seats_of(session, match) if seat.player_id is None]
    own = [seat for seat in seats if seat.kept_for is not None and seat.kept_for == player.address]
    open_ones = [seat for seat in seats if seat.kept_for is None and match.open_seats]
    return next(iter([*own, *open_ones]), None)


def _sit(session: Session, match: Match, seat: Seat, player_id: int, now: datetime) -> None:
    """Take a seat of a match that the caller has locked."""
    if match.status != "open":
        raise NotNow("This match is still being set up; try again in a moment." if match.status == "making" else "This match has begun.")
    if any(other.player_id == player_id for other in seats_of(session, match)):
        raise Refused("You have a seat in this match already.")
    seat.player_id, seat.taken_at, seat.invitation_hash = player_id, now, None


def leave(database: Database, uid: str, player_id: int) -> None:
    """Give one's seat back before the match has begun; raises NotNow afterwards, NotAllowed without a seat."""
    with database.writing() as session:
        match = by_uid(session, uid)
        lock(session, match)
        seat = next((seat for seat in seats_of(session, match) if seat.player_id == player_id), None)
        if seat is None:
            raise NotAllowed("You have no seat in this match.")
        if match.status != "open":
            raise NotNow("This match has begun; its seats cannot be given back.")
        seat.player_id = seat.taken_at = seat.kept_for = None
        match.open_seats = True


def fill_with_bots(database: Database, uid: str, player_id: int, *, now: datetime) -> None:
    """Give every seat that is not taken to a house bot; the master may, before the match has begun."""
    with database.writing() as session:
        match = by_uid(session, uid)
        lock(session, match)
        if match.master_id != player_id:
            raise NotAllowed("Only the master of this match may do that.")
        if match.status != "open":
            raise NotNow("This match has begun.")
        empty = [seat for seat in seats_of(session, match) if seat.player_id is None]
        sitting = {seat.player_id for seat in seats_of(session, match)}
        bots = [bot for bot in accounts.house_bots(session, 8, now=now) if bot.id not in sitting]
        for seat, bot in zip(empty, bots, strict=False):
            seat.player_id, seat.taken_at, seat.kept_for, seat.invitation_hash = (bot.id, now, None, None)


# --- shared by the use cases of a match


def by_uid(session: Session, uid: str) -> Match:
    """Return the match of this public name; raises NotFound."""
    match = session.exec(select(Match).where(Match.uid == uid)).first() if "\0" not in uid else None  # PostgreSQL takes no NUL
    if match is None:
        raise NotFound("There is no match at this address.")
    return match


def lock(session: Session, match: Match) -> None:
    """Lock the match row until the transaction ends, see its newest values, and raise its version."""
    session.refresh(match, with_for_update=True)
    match.version += 1
    session.flush()


def seats_of(session: Session, match: Match) -> list[Seat]:
    """Return the seats of a match in seat order."""
    return list(session.exec(select(Seat).where(Seat.match_id == match.id).order_by(col(Seat.position))))
