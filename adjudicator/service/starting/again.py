"""The next match of the same people: with the options of one that has ended, made by whoever of
them asks first.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.play.bots import SKILLS, Skill
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.names import NOBODYS_TABLE, PlayerName, table_name
from adjudicator.service.base.rows import by_uid, house_players, lock_by_uid, seats_of
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.notes import add_note
from adjudicator.service.matches.terms import reading
from adjudicator.service.people import invitation_limits
from adjudicator.service.people.invitation_limits import USUAL, Caps
from adjudicator.service.requests.acts import act
from adjudicator.service.starting.privacy import participants, visible


@dataclass(frozen=True)
class NextMatch:
    """What the page of an ended match says of the next one."""

    uid: str  # "" where nobody has made it, or the viewer may not know of it
    can_make: bool


def next_match(session: Session, match: Match, player_id: int | None) -> NextMatch:
    """Return what one viewer may know of the next match of the same people, and whether they can
    make it.
    """
    if match.again_uid is not None:
        seen = session.exec(
            select(Match.id).where(Match.uid == match.again_uid, visible(player_id))
        ).first()
        return NextMatch(match.again_uid if seen is not None else "", False)
    return NextMatch("", match.status == "ended" and player_id in participants(session, match))


@act
def make_again(
    session: Session, uid: str, player_id: int, *, now: datetime, caps: Caps = USUAL
) -> str:
    """Make the next match of an ended one, with its options and an invitation for each of its
    people; return its public name.

    It has the same name, but a usual one (`names.table_name`) is that of who asks, or the game's if
    they hide their name. One for each match: whoever asks again gets the same. Raises NotAllowed
    for others than the participants, NotNow before the end.
    """
    match = lock_by_uid(session, uid)
    if player_id not in participants(session, match):
        raise NotAllowed("Only those who took part in this match can make the next one.")
    if match.status != "ended":
        raise NotNow("The next match can be made once this one is over.")
    if match.again_uid is not None:
        return match.again_uid
    seats, bots = seats_of(session, match), house_players(session, match)
    players = [seat.owner_id or seat.player_id for seat in seats]
    plays = player_id in players
    others = [each for each in players if each not in {player_id, *bots, None}]
    addresses = _addresses(session, others, now)
    maker, usual = session.get_one(Player, player_id), _is_usual(session, match, players)
    name = (
        table_name(maker.name)
        if usual and not maker.name_hidden and not match.options.get(ANONYMOUS)
        else ""
    )
    wish = Wish(
        game=match.game,
        name=name,
        options=match.options,
        every_seconds=match.every_seconds,
        open_seats=True,
        private=_is_private(match),
        players=len(seats),
        house=sum(seat.player_id in bots for seat in seats),
        skill=_skill(session, bots),
        play=plays,
        invited=tuple(addresses),
        expire_days=None,
        seating="order" if match.seating == "order" else None,
    )
    copied = {column: getattr(match, column) for column in reading.copied_columns()} | {
        "ready_rule": match.ready_rule,
        "press_overseen": match.press_overseen and not plays,  # who reads all press cannot play
        "next_days_at": now if match.calendar or match.days_off is not None else None,
    }
    if not usual:
        copied |= {"name": match.name, "named_after": match.named_after}
    match.again_uid = creation.add_match(
        session, player_id, wish, now=now, caps=caps, copied=copied
    )
    following = by_uid(session, match.again_uid)
    for seat in session.exec(
        select(Seat).where(Seat.match_id == following.id, col(Seat.kept_for).is_not(None))
    ):
        seat.kept_secretly = True
    add_note(
        session,
        match,
        now,
        PlayerName(maker),
        "made the next match, with the same options for the same people",
    )
    session.flush()
    return match.again_uid


def _is_usual(session: Session, match: Match, players: list[int | None]) -> bool:
    """Whether a match has the name that the service makes from the name of its master, or of a
    player from whom it was copied.
    """
    names = session.exec(select(Player.name).where(col(Player.id).in_({match.master_id, *players})))
    return match.name in {NOBODYS_TABLE, *map(table_name, names)}


def _is_private(match: Match) -> bool:
    """Whether a match was made as a private one; its people may have opened it since."""
    return match.private or match.published_by is not None


def _addresses(session: Session, player_ids: list[int | None], now: datetime) -> list[str]:
    """Return the addresses of the players whom an invitation may go to: they have one, want
    letters, and got few invitations today.
    """
    people = session.exec(
        select(Player)
        .where(col(Player.id).in_(player_ids), col(Player.letters).is_(True))
        .order_by(col(Player.id))
    )
    known = [player.address for player in people if player.address is not None]
    return [address for address in known if invitation_limits.may_be_invited(session, address, now)]


def _skill(session: Session, bots: set[int]) -> Skill:
    """Return the weakest strength among these house bots, the default one where there are none."""
    found = set(session.exec(select(Player.skill).where(col(Player.id).in_(bots))))
    return next((skill for skill in reversed(SKILLS) if skill in found), SKILLS[0])
