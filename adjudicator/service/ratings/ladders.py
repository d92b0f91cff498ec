"""Ladders and the ratings of a player, as anybody may see them. Only players who show a page of
themselves stand on a ladder.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from adjudicator import catalogue
from adjudicator.platform.words import plural
from adjudicator.play.scoring.rating import PROVISIONAL, Rating
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.tables import Ladder, Match, Player, PlayerRating, RatedPlace

PAGE = 50  # players on a page


@dataclass(frozen=True)
class Rung:
    """A player on a ladder."""

    place: int  # among the players listed; equal points share it
    name: str
    profile: str  # last part of the address of the player's page
    points: int
    matches: int


@dataclass(frozen=True)
class LadderPage:
    """One page of the ladder of a game."""

    game: str
    title: str
    matches: int  # rated ones, of all players
    rungs: tuple[Rung, ...]
    newcomers: tuple[Rung, ...]  # whose ratings are provisional; on the first page, at most PAGE
    page: int
    pages: int


@dataclass(frozen=True)
class OwnRating:
    """A player's rating in a game."""

    game: str
    title: str
    points: int
    matches: int
    provisional: bool


@dataclass(frozen=True)
class RatedMatch:
    """A player's rating after a match."""

    uid: str
    name: str
    ended_at: datetime
    points: int


def read_ladder(session: Session, game: str, page: int = 1) -> LadderPage:
    """Return a page of a game's ladder, from 1 on; raises NotFound where there is no such game or
    page.
    """
    if game not in [each.key for each in catalogue.ABOUTS]:
        raise NotFound("There is no game of this name here.")
    settled = col(PlayerRating.matches) >= PROVISIONAL
    newcomers = col(PlayerRating.matches) < PROVISIONAL
    pages = max(1, -(-_count(session, game, settled) // PAGE))
    if not 1 <= page <= pages:
        raise NotFound(plural(pages, "This ladder has {n} page.", "This ladder has {n} pages."))
    ladder = session.get(Ladder, game)
    return LadderPage(
        game,
        catalogue.about(game).title,
        ladder.matches if ladder else 0,
        _rungs(session, game, settled, page),
        _rungs(session, game, newcomers, 1) if page == 1 else (),
        page,
        pages,
    )


def _count(session: Session, game: str, *those: object) -> int:
    listed = select(func.count()).select_from(PlayerRating).join(Player)
    return int(
        session.exec(
            listed.where(  # conditions
                PlayerRating.game == game,
                col(Player.profile).is_not(None),
                *those,  # type: ignore[arg-type]
            )
        ).one()
    )


def _rungs(session: Session, game: str, those: object, page: int) -> tuple[Rung, ...]:
    """Return the players of a page who meet a condition, the best first."""
    listed = select(PlayerRating, Player).join(Player)
    listed = listed.where(PlayerRating.game == game, col(Player.profile).is_not(None), those)  # type: ignore[arg-type]  # a condition
    listed = (
        listed.order_by(col(PlayerRating.points).desc(), col(PlayerRating.player_id))
        .offset((page - 1) * PAGE)
        .limit(PAGE)
    )
    rows = session.exec(listed).all()
    points = [rating.points for rating, _ in rows]
    above = _count(session, game, those, col(PlayerRating.points) > points[0]) if points else 0
    return tuple(
        Rung(
            _place(points, own.points, above, (page - 1) * PAGE),
            player.name,
            player.profile or "",
            own.points,
            own.matches,
        )
        for own, player in rows
    )


def _place(points: Sequence[int], own: int, above: int, before: int) -> int:
    """Return the place of some points on a page: `before` players come before the page, `above`
    have more points than its first.
    """
    at = points.index(own)
    return 1 + (above if at == 0 else before + at)


def ratings_of(session: Session, player_id: int) -> tuple[OwnRating, ...]:
    """Return the present ratings of a player, the game with the most rated matches first."""
    rows = session.exec(select(PlayerRating).where(PlayerRating.player_id == player_id)).all()
    found = [
        OwnRating(
            row.game,
            catalogue.about(row.game).title,
            row.points,
            row.matches,
            row.matches < PROVISIONAL,
        )
        for row in rows
    ]
    return tuple(sorted(found, key=lambda each: (-each.matches, each.game)))


def rated_matches(session: Session, player_id: int, game: str) -> tuple[RatedMatch, ...]:
    """Return a player's rating after each rated match of a game, the oldest first."""
    wanted = select(RatedPlace, Match).join(Match)
    wanted = wanted.where(RatedPlace.player_id == player_id, RatedPlace.game == game)
    rows = session.exec(wanted.order_by(col(RatedPlace.ended_at), col(RatedPlace.match_id)))
    return tuple(
        RatedMatch(match.uid, match.name, row.ended_at, Rating(row.mu, row.sigma).points)
        for row, match in rows
    )
