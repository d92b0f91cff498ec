"""Ratings: what each rated match did to each of its players, and what follows for the ladders."""

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from adjudicator.service.base.tables import matches, people  # noqa: F401  are referred to
from adjudicator.service.base.tables.columns import Moment, NumberedRow, TableRow


class Ladder(TableRow, table=True):
    """A game with rated matches. Every transaction that changes its ratings locks this row."""

    game: str = Field(primary_key=True)
    matches: int = 0  # that are rated


class RatedPlace(NumberedRow, table=True):
    """The place of one player in a rated match, and the rating after it.

    The rating follows from the rows of earlier matches, by `ended_at` and `match_id`, so it can be
    worked out again at any time.
    """

    __table_args__ = (
        UniqueConstraint("match_id", "player_id"),
        Index("ix_ratedplace_order", "game", "ended_at", "match_id"),
        Index("ix_ratedplace_player", "player_id", "game", "ended_at", "match_id"),
    )

    match_id: int = Field(foreign_key="match.id")
    player_id: int = Field(foreign_key="player.id")
    game: str
    seat: str
    place: int  # equal places are a draw
    ended_at: Moment
    mu: float = 0.0
    sigma: float = 0.0
    matches: int = 0  # rated matches of the player in this game, with this one


class PlayerRating(NumberedRow, table=True):
    """A player's present rating in a game: that of the newest `RatedPlace`."""

    __table_args__ = (
        UniqueConstraint("player_id", "game"),
        Index("ix_playerrating_ladder", "game", "points", "player_id"),
    )

    player_id: int = Field(foreign_key="player.id")
    game: str
    mu: float
    sigma: float
    matches: int
    points: int  # as `play.scoring.rating.Rating.points`
