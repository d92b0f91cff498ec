"""The host's view of players: who they are and where they play, never what they order or write."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, or_, select

from adjudicator.service.base.errors import NotFound, Refused
from adjudicator.service.base.rows import count_rows, seated_matches
from adjudicator.service.base.tables import Letter, Match, Player, SignedIn
from adjudicator.service.letters import suppression

MOST_NAMED = 10  # players of one name


@dataclass(frozen=True)
class PlayerDetails:
    """What the host sees of one player."""

    player: Player
    marks: tuple[str, ...]  # sentences on what is special
    sessions: int
    used_at: datetime | None  # when one of them was last used
    matches: tuple[Match, ...]  # that have not ended
    ended: int
    held: int  # letters that are held


def list_players(session: Session, *, search: str = "", most: int = 50) -> list[Player]:
    """Return players and guests, the newest first; `search` is a part of a name or an address.
    House bots and erased ones are left out.
    """
    wanted = select(Player).where(col(Player.house).is_(False), col(Player.erased_at).is_(None))
    if search:
        wanted = wanted.where(
            or_(
                *(
                    column.icontains(search, autoescape=True)
                    for column in (col(Player.name), col(Player.address))
                )
            )
        )
    return list(session.exec(wanted.order_by(col(Player.id).desc()).limit(most)))


def find_player(session: Session, who: str) -> Player:
    """Return the player of a number, an address or a whole name; raises NotFound, Refused where
    several have the name.
    """
    wanted = select(Player).where(col(Player.house).is_(False), col(Player.erased_at).is_(None))
    name = who.strip()
    if name.isdecimal() and len(name) < 10:
        wanted = wanted.where(Player.id == int(name))
    elif "@" in name:
        wanted = wanted.where(Player.address == name.lower())
    else:
        wanted = wanted.where(Player.name == name)
    found = session.exec(wanted.order_by(col(Player.id)).limit(MOST_NAMED)).all()
    if not found:
        raise NotFound(
            f"There is no player “{name[:100]}”: name one by number, address or whole name, as"
            " `sealed players list` does."
        )
    if len(found) > 1:
        numbers = ", ".join(str(each.id) for each in found)
        raise Refused(
            f"Several players are called {name}: name one by number ({numbers}) or by address."
        )
    return found[0]


def describe_player(session: Session, player: Player) -> PlayerDetails:
    """Return what the host sees of a player."""
    sessions, used_at = session.exec(
        select(func.count(), func.max(SignedIn.used_at)).where(SignedIn.player_id == player.id)
    ).one()
    known = (
        select(Match)
        .where(or_(col(Match.id).in_(seated_matches(player.id)), col(Match.master_id) == player.id))
        .order_by(col(Match.id))
    )
    matches = session.exec(known).all()
    held = count_rows(session, Letter, Letter.player_id == player.id, Letter.state == "held")
    going = tuple(each for each in matches if each.ended_at is None)
    return PlayerDetails(
        player,
        tuple(_marks(session, player)),
        sessions,
        used_at,
        going,
        len(matches) - len(going),
        held,
    )


def _marks(session: Session, player: Player) -> Sequence[str]:
    blocked = player.address is not None and suppression.why_suppressed(session, player.address)
    marks = {
        "This is a guest, who has no address.": player.address is None,
        "Runs every match.": player.master,
        "Wants no letters.": not player.letters or blocked == "reader",
        "Is blocked.": blocked == "host",
        f"Letters come back: {player.bounce or 'no reason was given'}.": (
            player.bounced_at is not None
        ),
    }
    return [sentence for sentence, so in marks.items() if so]
