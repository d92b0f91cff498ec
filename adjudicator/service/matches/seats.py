"""Seats before a match begins: inviting, taking, giving back, and filling free seats with house
bots.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from adjudicator import catalogue
from adjudicator.platform.db import Database
from adjudicator.platform.words import seat_phrase
from adjudicator.play.bots import Skill
from adjudicator.service.base import public_keys, rows
from adjudicator.service.base.errors import NotFound, NotNow, Refused
from adjudicator.service.base.names import unlinked
from adjudicator.service.base.press_rules import overseen_by, refuse_overseer, told_rules
from adjudicator.service.base.rows import (
    by_uid,
    hold_player,
    lock_by_uid,
    lock_match,
    note_people,
    seats_of,
    show_change,
    sitting,
    token_hash,
)
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.seat_content import InvitationLetter
from adjudicator.service.matches.preferences import given_later, keep_wishes, told
from adjudicator.service.matches.tenure_letters import News, tell_player
from adjudicator.service.matches.timetables import rhythm_of
from adjudicator.service.matches.waiting_list import refill, stop_waiting, vacate
from adjudicator.service.people import accounts, invitation_limits, reliability, sessions
from adjudicator.service.people.invitation_limits import USUAL, Caps
from adjudicator.service.requests.acts import act, act_once
from adjudicator.service.requests.confirming import of_token
from adjudicator.service.requests.rights import require_runs, require_seat
from adjudicator.service.tokens.references import Reference, invitation_of, of_seat


def send_invitation(session: Session, match: Match, seat: Seat, *, now: datetime) -> None:
    """Send an invitation to the address that a seat is kept for, and invalidate an older one.
    Raises NotNow if it is kept for nobody.
    """
    if seat.kept_for is None or seat.player_id is not None:
        raise NotNow("This seat is not kept for anybody.")
    seat.invitation_n, seat.invitation_hash = seat.invitation_n + 1, None
    session.flush()
    master = session.get_one(Player, match.master_id)
    game = catalogue.game(match.game)
    letter = InvitationLetter(
        token=invitation_of(match, seat),
        match=unlinked(match.name),
        uid=match.uid,
        game=game.about.title,
        game_key=match.game,
        summary=game.about.summary,
        seat=seat.name,
        master=unlinked(master.name),
        every_seconds=match.every_seconds,
        rhythm=rhythm_of(match),
        given=given_later(match, seats_of(session, match)),
        press=told_rules(session, match),
    )
    about = outbox.LetterReference(match.id, seat.name)
    outbox.put_letter(
        session,
        public_keys.current_keys(session),
        letter,
        address=seat.kept_for,
        now=now,
        about=about,
    )


# --- taking a seat


@dataclass(frozen=True, kw_only=True)
class JoinedMatch:
    """What the page of a link tells of the match into which it leads."""

    match: str
    uid: str
    game: str
    game_key: str
    rhythm: str  # "2 days for each phase"
    # display names of the seats that are assigned when the match begins
    given: tuple[str, ...]
    press: tuple[str, ...]  # the conditions of the match's press, a sentence each


def describe_match(session: Session, match: Match) -> dict[str, Any]:
    """Return the fields of JoinedMatch."""
    return {
        "match": match.name,
        "uid": match.uid,
        "game": catalogue.about(match.game).title,
        "game_key": match.game,
        "rhythm": rhythm_of(match),
        "given": given_later(match, seats_of(session, match)),
        "press": told_rules(session, match),
    }


@dataclass(frozen=True, kw_only=True)
class Invitation(JoinedMatch):
    """The content of an invitation's page."""

    seat: str  # the actual one where no seats are still to be assigned
    master: str
    address: str
    plays: str  # the master's reliability: "plays 97 % of phases"


def invitation(session: Session, token: str) -> Invitation:
    """Return the content of an invitation's page; raises NotFound if the invitation is not valid
    (any more). Read-only.
    """
    seat, match = _invited_seat(session, token)
    return Invitation(
        **describe_match(session, match),
        seat=seat.name,
        master=session.get_one(Player, match.master_id).name,
        address=seat.kept_for or "",
        plays=str(reliability.of_player(session, match.master_id)),
    )


def _invited_seat(session: Session, token: str) -> tuple[Seat, Match]:
    seat = session.exec(select(Seat).where(Seat.invitation_hash == token_hash(token))).first()
    if seat is None or seat.player_id is not None:
        raise NotFound(
            "This invitation was taken already, or the seat is no longer kept. Whoever makes the"
            " match can write again."
        )
    return seat, session.get_one(Match, seat.match_id)


def _locked_invitation(session: Session, token: str) -> tuple[Seat, Match]:
    _, match = _invited_seat(session, token)
    lock_match(session, match)
    session.expire_all()
    return _invited_seat(session, token)


@dataclass(frozen=True)
class Accepted:
    """A seat that was taken by a letter's link."""

    uid: str
    address: str  # of the player who has the seat now
    entry: sessions.NewSession | None  # the session of a new player


def accept_invitation(
    database: Database, token: str, *, zone: str, now: datetime, viewer_id: int | None = None
) -> Accepted:
    """Take the seat of an invitation; a new player is signed in, and is the guest who opens it.
    Raises NotFound, or Refused if the player has a seat already.
    """
    with database.write_tx() as session:
        seat, match = _locked_invitation(session, token)
        opened = sessions.open_letter(
            session, seat.kept_for or "", of_token(session, "invitation", token), viewer_id
        )
        player_id = _accept(session, match, seat, zone, now)
        uid = match.uid
    entry = sessions.enter_by_letter(database, player_id, opened, uid=uid, zone=zone, now=now)
    return Accepted(uid, opened.address, entry)


def _accept(session: Session, match: Match, seat: Seat, zone: str, now: datetime) -> int:
    player = accounts.for_address(session, seat.kept_for or "", zone=zone, now=now)
    _sit(session, match, seat, player.id, now)
    return player.id


@act
def decline_invitation(session: Session, token: str, *, now: datetime) -> str:
    """Free the seat of an invitation and return the match's name. The first on the waiting list
    gets it, else it is open or free.
    """
    seat, match = _locked_invitation(session, token)
    _decline(session, match, seat, now)
    return match.name


def _decline(session: Session, match: Match, seat: Seat, now: datetime) -> None:
    """Free an invited seat, and tell the master of the match, who named the address."""
    address, seat.kept_for, seat.invitation_hash = seat.kept_for, None, None
    session.flush()
    if match.status != "open":
        return
    refill(session, match, now=now)
    free = (
        "Anybody can take the seat now."
        if match.open_seats
        else "The seat is free: invite somebody else, or `fill` it with a bot."
    )
    then = free if seat.player_id is None else "The first on the waiting list has the seat now."
    news = News(
        "An invitation was declined", (f"{address} declined {seat_phrase(seat.name)}.", then)
    )
    tell_player(session, match, match.master_id, news, now=now)


@dataclass(frozen=True)
class Kept:
    """A seat that an invitation keeps for an address."""

    seat_id: int
    uid: str
    match: str
    seat: str
    address: str
    game: str
    reference: Reference  # to the address of the invitation


def kept(session: Session, seat_id: int) -> Kept | None:
    """Return the seat that an invitation keeps, None if it is taken or no longer kept."""
    seat = session.get_one(Seat, seat_id)
    if seat.kept_for is None or seat.player_id is not None:
        return None
    match = session.get_one(Match, seat.match_id)
    return Kept(
        seat_id,
        match.uid,
        match.name,
        seat.name,
        seat.kept_for,
        match.game,
        invitation_of(match, seat),
    )


def accept_in(
    session: Session, seat_id: int, *, now: datetime, wishes: Sequence[str] = ()
) -> tuple[str, Reference]:
    """Take the seat whose invitation a letter accepts, in a match that the caller has locked.

    Returns the reply to the player and the reference to the seat's address. The letter came to the
    secret address of the invitation, which proves the player's address. Raises NotNow or Refused.
    """
    seat = session.get_one(Seat, seat_id)
    match = session.get_one(Match, seat.match_id)
    player_id = _accept(session, match, seat, "UTC", now)
    keep_wishes(session, match, seat, wishes)
    return (
        f"{told(session, match.uid, player_id)} {overseen_by(session, match, inside=True)}".strip(),
        of_seat(match, seat),
    )


def decline_in(session: Session, seat_id: int, *, now: datetime) -> None:
    """Free an invited seat, in a match that the caller has locked."""
    seat = session.get_one(Seat, seat_id)
    _decline(session, session.get_one(Match, seat.match_id), seat, now)


@act_once
def invite_another(
    session: Session, uid: str, master_id: int, address: str, *, now: datetime, caps: Caps = USUAL
) -> str:
    """Keep the first free seat for an address and invite it; only for the master, before the match
    begins. Returns the seat. Raises Refused.
    """
    clean = accounts.clean_address(address)
    match = _gathering(session, uid, master_id)
    seats = seats_of(session, match)
    if any(seat.kept_for == clean for seat in seats):
        raise Refused("A seat is kept for this address already.", field="invited")
    free = next((seat for seat in seats if seat.player_id is None and seat.kept_for is None), None)
    if free is None:
        raise NotNow("Every seat of this match is taken or kept for somebody.")
    invitation_limits.require_invitations(session, master_id, [clean], caps=caps, now=now)
    free.kept_for = clean
    show_change(match)
    send_invitation(session, match, free, now=now)
    return free.name


def _gathering(session: Session, uid: str, master_id: int) -> Match:
    """Lock and return a match with status open; raises NotAllowed for anybody but its master,
    NotNow in any other status.
    """
    match = lock_by_uid(session, uid)
    require_runs(session, match, master_id, own=True)
    if match.status != "open":
        raise NotNow(rows.why_not_gathering(match))
    return match


@act
def take_seat(
    session: Session, uid: str, player_id: int, *, now: datetime, wishes: Sequence[str] = ()
) -> str:
    """Take a seat of an open match: one kept for the player, else the first free one. Returns the
    reply to the player. Raises Refused with a sentence.

    In a match by preference `wishes` are the seats that the player prefers, best first.
    """
    return sit_anywhere(session, lock_by_uid(session, uid), player_id, now=now, wishes=wishes)


def sit_anywhere(
    session: Session,
    match: Match,
    player_id: int,
    *,
    now: datetime,
    wishes: Sequence[str] = (),
    any_free: bool = False,
) -> str:
    """Do as `take_seat` in a match that the caller has locked; `any_free`: a free seat may be taken
    although the match has no open seats.
    """
    player = session.get_one(Player, player_id)
    seat = _free_seat(session, match, player, any_free=any_free)
    if seat is None:
        may_wait = (
            f" `queue {match.uid}` puts you on its waiting list."
            if match.status == "open" and (match.open_seats or any_free)
            else ""
        )
        raise NotNow(f"Every seat of this match is taken or kept for somebody.{may_wait}")
    if seat.kept_for is None:
        reliability.require_admitted(session, match, player_id)
    _sit(session, match, seat, player_id, now)
    keep_wishes(session, match, seat, wishes)
    return (
        f"{told(session, match.uid, player_id)} {overseen_by(session, match, inside=True)}".strip()
    )


def _free_seat(session: Session, match: Match, player: Player, *, any_free: bool) -> Seat | None:
    seats = [seat for seat in seats_of(session, match) if seat.player_id is None]
    own = [seat for seat in seats if seat.kept_for is not None and seat.kept_for == player.address]
    open_ones = [seat for seat in seats if seat.kept_for is None and (match.open_seats or any_free)]
    return next(iter([*own, *open_ones]), None)


def _sit(session: Session, match: Match, seat: Seat, player_id: int, now: datetime) -> None:
    """Put a player on a seat, in a match that the caller has locked; raises NotNow, or Refused if
    the player has a seat already.
    """
    if match.status != "open":
        raise NotNow(rows.why_not_gathering(match))
    if sitting(seats_of(session, match), player_id):
        raise Refused("You have a seat in this match already.")
    refuse_overseer(match, player_id)
    hold_player(session, player_id)
    accounts.join_as_oneself(session, match, player_id)
    seat.player_id, seat.taken_at, seat.invitation_hash = player_id, now, None
    stop_waiting(session, match, player_id)
    note_people(session, match)
    show_change(match)


@act
def leave_seat(session: Session, uid: str, player_id: int, *, now: datetime) -> str:
    """Give a player's seat back, or take them off the waiting list; returns the reply. The seat
    gets a new mail address and, if one waits, a player.

    Raises NotNow once the match has begun, NotAllowed for others.
    """
    match = lock_by_uid(session, uid)
    if stop_waiting(session, match, player_id):
        return f"You wait for no seat in {match.name} any more."
    seat = require_seat(session, match, player_id)
    if match.status == "expired":
        raise NotNow(rows.why_expired(match))
    if match.status != "open":
        raise NotNow("This match has begun; its seats cannot be given back.")
    if match.table_id is not None:
        raise NotNow(
            "This match is played in a tournament; leave the tournament, or resign the seat once"
            " the match has begun."
        )
    vacate(seat)
    session.flush()
    refill(session, match, now=now)
    return f"You gave your seat in {match.name} back."


def new_address(session: Session, seat_id: int) -> Reference:
    """Give a seat a new mail address and return the reference to it; the old address stops
    working.
    """
    seat = session.get_one(Seat, seat_id)
    rows.renew_address(seat)
    return of_seat(session.get_one(Match, seat.match_id), seat)


@act
def fill_with_bots(
    session: Session, uid: str, player_id: int, *, now: datetime, skill: Skill = "sensible"
) -> int:
    """Give every seat that is not taken to a house bot; only for the master, before the match
    begins. Returns how many.

    Raises NotAllowed, or NotNow once the match has begun or where it allows no bots.
    """
    match = _gathering(session, uid, player_id)
    if not match.bots:
        raise NotNow("This match was made for people only: house bots take no seats in it.")
    empty = [seat for seat in seats_of(session, match) if seat.player_id is None]
    there = {seat.player_id for seat in seats_of(session, match)}
    bots = [
        bot for bot in accounts.house_bots(session, 8, skill=skill, now=now) if bot.id not in there
    ]
    for seat, bot in zip(empty, bots, strict=False):
        seat.player_id = bot.id
        seat.taken_at = now
        seat.kept_for = None
        seat.invitation_hash = None
    note_people(session, match)
    show_change(match)
    return len(empty)


def seat_of(session: Session, uid: str, player_id: int) -> int:
    """Return the id of a player's seat in a match; raises NotAllowed for a player without one."""
    return require_seat(session, by_uid(session, uid), player_id).id


def address_of(session: Session, uid: str, seat: str) -> Reference:
    """Return the reference to a seat's mail address, for a letter to its player."""
    match = by_uid(session, uid)
    return next(of_seat(match, each) for each in seats_of(session, match) if each.name == seat)
