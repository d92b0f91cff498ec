"""The archive: what searches and statistics read of the public matches that have ended. Private
matches have no row here.
"""

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from adjudicator.service.base.tables import matches, people  # noqa: F401  are referred to
from adjudicator.service.base.tables.columns import Moment, NumberedRow, TableRow, index_where

# part of the indexes, so that a search reads no row it does not list
_TOLD = ("game", "result", "winner", "people", "tournament_id")


class ArchivedMatch(TableRow, table=True):
    """An ended public match, in one narrow row. Names of players are not here: they are read where
    they are shown.
    """

    __table_args__ = (
        Index("ix_archivedmatch_newest", "ended_at", "match_id", "phases", *_TOLD),
        Index("ix_archivedmatch_longest", "phases", "match_id", "ended_at", *_TOLD),
        Index("ix_archivedmatch_lot", "lot", "game", "match_id"),
        Index("ix_archivedmatch_tournament", "tournament_id", "ended_at"),
    )

    match_id: int = Field(primary_key=True, foreign_key="match.id")
    game: str
    ended_at: Moment
    phases: int  # closed phases in which somebody owed orders
    result: str  # entries.RESULTS: won (by one seat alone), shared, stopped
    winner: str | None = None  # the seat that won alone
    # whether a person with an address had a seat; else it is erased from the archive after
    # GUEST_DAYS
    people: bool
    tournament_id: int | None = None
    imported: bool = False  # whether it was played elsewhere
    # drawn at random, by which *random classic* finds it; None where it is no classic
    # (entries.is_classic)
    lot: int | None = None


class ArchivedSeat(NumberedRow, table=True):
    """A seat of an archived match."""

    __table_args__ = (
        UniqueConstraint("match_id", "seat"),
        index_where("ix_archivedseat_player", "player_id, match_id", "player_id IS NOT NULL"),
        index_where("ix_archivedseat_named", "named, match_id", "named IS NOT NULL"),
        index_where("ix_archivedseat_opening", "opening, match_id", "opening IS NOT NULL"),
    )

    match_id: int = Field(foreign_key="archivedmatch.match_id", ondelete="CASCADE")
    seat: str
    # a person; None: a house bot, or nobody known here
    player_id: int | None = Field(default=None, foreign_key="player.id")
    named: str | None = None  # the name that the importer gave, as searches compare it
    # key of its first orders (openings.opening_key); None: it had none that were revealed
    opening: str | None = None


class ArchiveTally(NumberedRow, table=True):
    """A figure of the statistics of one game, over its archived matches with people."""

    __table_args__ = (UniqueConstraint("game", "kind", "label", "number"),)

    game: str
    kind: str  # tallies.Kind
    label: str  # a seat or a result; "" where the kind has none
    number: int  # a year, or the first number of phases of a class
    matches: int
    won: int  # alone
    shared: int  # won with others, or drew
    total: int  # of supply centres; 0 for other kinds


class ArchiveOpening(TableRow, table=True):
    """An opening of one seat, or its continuation in the next phase, and what came of it; over
    archived matches with people.
    """

    __table_args__ = (Index("ix_archiveopening_tree", "game", "seat", "parent", "matches"),)

    key: str = Field(primary_key=True)  # openings.opening_key
    game: str
    seat: str
    parent: str  # key of the opening that it continues; "" for an opening
    orders: str  # in canonical form, a line each
    matches: int
    won: int
    shared: int
