"""Tournaments: who directs and plays them, their rounds and tables. A match points back to its
table by `Match.table_id`.
"""

from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from adjudicator.service.base.tables import people  # noqa: F401  are referred to
from adjudicator.service.base.tables.columns import (
    PLAIN,
    Moment,
    MomentOrNone,
    NumberedRow,
    added,
    index_of_beginnings,
    index_where,
)


class Tournament(NumberedRow, table=True):
    """A tournament of one game. Every transaction that changes any row of a tournament locks this
    row.
    """

    __table_args__ = (
        Index("ix_tournament_due", "status", "closes_at"),
        index_of_beginnings("ix_tournament_begins", "name"),
    )

    uid: str = Field(unique=True)  # public name, to which every draw is bound
    name: str
    # the player whose name that of the tournament holds; None: nobody's
    named_after: int | None = None
    game: str
    format: str  # key in tournaments.records.FORMATS
    policies: dict[str, Any] = Field(sa_type=PLAIN)  # the fields of that format
    scoring: str  # key of the scoring system
    tie_breaks: list[str] = Field(sa_type=PLAIN)
    legs: int = 1  # matches that one table plays at once
    # the fields of `creation.Wish` that its matches are made with
    wish: dict[str, Any] = Field(sa_type=PLAIN)
    # after which a table without a result counts as stalled; None: never
    round_days: int | None = None
    stalled: str = "wait"  # what happens to who stalls, key in tournaments.making.STALLED
    late: str = "no"  # whether players enter between rounds, key in tournaments.making.LATE
    # that a pairing waits after a result typed by hand
    wait_hours: int = added(24)
    # before which no round is paired; None: it waits for nobody
    waits_until: MomentOrNone = None
    # the first round of which a result was corrected; the worker still looks at those paired from
    # it
    recheck_from: int | None = None
    undoing: str | None = None  # why a director takes back the last round, until a worker has
    # `records.Directed`: what directors set for the next round
    directed: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)
    # making, entering, running, ending (its chance is still to be published), ended
    status: str = "making"
    season: int = 1  # of a league
    # the season before; None: there is none
    previous_id: int | None = Field(default=None, unique=True, index=True)
    # when entries close by themselves; None: a director closes them
    closes_at: MomentOrNone = None
    # 1: its chains are the worker's own record; 0: a box
    sealing: int = added(0)
    # both chains' s0, wrapped by the worker's key
    wrapped_chains: bytes | None = None
    # last elements of both chains in hex, before anybody enters
    anchors: dict[str, str] | None = Field(default=None, sa_type=PLAIN)
    # both s0 in hex, published once it has ended
    opened_chains: dict[str, str] | None = Field(default=None, sa_type=PLAIN)
    made_at: Moment
    started_at: MomentOrNone = None  # when entries closed
    ended_at: MomentOrNone = None
    # when the days of the round are over; None: never, or dealt with
    round_until: MomentOrNone = None
    # whether the tables of the round that have no result are being adjudged as they are
    adjudging: bool = False
    # the director who closed the round; None: its days are over
    adjudged_by: int | None = Field(default=None, foreign_key="player.id")
    tell_round: int | None = None  # the round after which letters are being written; None: all are
    told_to: int = 0  # the last entry that got its letter


class TournamentDirector(NumberedRow, table=True):
    """A player who directs a tournament, or did; of those who do, the one with the lowest id is the
    master of its matches.
    """

    __table_args__ = (UniqueConstraint("tournament_id", "player_id"),)

    tournament_id: int = Field(foreign_key="tournament.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    # since when the player directs it no more
    left_at: MomentOrNone = None


class TournamentEntry(NumberedRow, table=True):
    """A player who takes part in a tournament; erased if they leave before it begins."""

    __table_args__ = (
        UniqueConstraint("tournament_id", "number"),
        UniqueConstraint("tournament_id", "player_id"),
    )

    tournament_id: int = Field(foreign_key="tournament.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    number: int  # the order of entry, and the entrant's id in pairings
    first_round: int = 1  # that the entrant could be paired for
    entered_at: Moment
    # later rounds are paired without the player
    left_at: MomentOrNone = None
    # seats that the player prefers at every table, best first
    wishes: list[str] = Field(default_factory=list, sa_type=PLAIN)
    # `records.Granted`: points, and rounds of sitting out by wish
    granted: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)


class TournamentRound(NumberedRow, table=True):
    """A round as it was paired; entrants are the numbers of entries."""

    __table_args__ = (UniqueConstraint("tournament_id", "number"),)

    tournament_id: int = Field(foreign_key="tournament.id")
    number: int
    # the order that later rounds go on from: a circle, a grid or a bracket
    drawn: list[int | None] = Field(sa_type=PLAIN)
    turn: int = 0  # how far the circle or grid has turned
    sitting_out: list[int] = Field(sa_type=PLAIN)
    element: str  # of the public chain, in hex, from which the round was drawn
    pairing_version: int  # `pairing.PAIRING_VERSION` of the release that paired it
    # who was there to be paired; None: of a version that kept it not
    entrants: list[int] | None = Field(default=None, sa_type=PLAIN)
    # `changes.Change`s since the round before was paired
    changes: list[dict[str, Any]] | None = Field(default=None, sa_type=PLAIN)
    # of an older release, instead: all earlier results
    results: list[list[list[str]]] | None = Field(default=None, sa_type=PLAIN)
    # exact points that directors had given, by entry, when it was paired
    given: dict[str, str] | None = Field(default=None, sa_type=PLAIN)
    # corrected results would give other tables
    outdated: bool = added(False)
    paired_at: Moment


class TournamentTable(NumberedRow, table=True):
    """A table of a round, with its result. That of a void pairing stays for its matches, without
    one, in no round.
    """

    __table_args__ = (
        UniqueConstraint("tournament_id", "round_number", "number"),
        index_where("ix_tournamenttable_open", "tournament_id", "scored_at IS NULL"),
    )

    tournament_id: int = Field(foreign_key="tournament.id")
    round_number: int  # of a void pairing: minus the id of its `TournamentVoid`
    number: int  # from 1 in each round
    entrants: list[int] = Field(sa_type=PLAIN)  # numbers of entries in seat order
    # exact, in the same order: "3", "1/2"; once it has a result
    points: list[str] | None = Field(default=None, sa_type=PLAIN)
    # when it got its result; None: it has none
    scored_at: MomentOrNone = None
    # the director who decided the result; None: nobody did
    corrected_by: int | None = Field(default=None, foreign_key="player.id")
    corrected_why: str = ""


class TournamentVoid(NumberedRow, table=True):
    """The first pairing of a round that was paired again, since a result was corrected before a
    phase of it had closed.
    """

    tournament_id: int = Field(foreign_key="tournament.id", index=True)
    number: int
    voided_at: Moment
    # the round as the tournament's file has it, without its tables
    paired: dict[str, Any] = Field(sa_type=PLAIN)


class TournamentDecision(NumberedRow, table=True):
    """A result that a director decided or corrected, for the letters that tell it."""

    __table_args__ = (
        index_where("ix_tournamentdecision_untold", "tournament_id", "told_at IS NULL"),
    )

    tournament_id: int = Field(foreign_key="tournament.id")
    round_number: int
    number: int  # of the table
    at: Moment
    why: str
    # the exact points until then, in seat order; None: it is no correction
    before: list[str] | None = Field(default=None, sa_type=PLAIN)
    points: list[str] = Field(sa_type=PLAIN)
    # numbers of entries: those at the table, and those whose place changed
    concerned: list[int] = Field(sa_type=PLAIN)
    voided: int | None = None  # the round that is paired again because of it
    told_to: int = 0  # the last entry that got its letter
    told_at: MomentOrNone = None  # when all had theirs


class TournamentNote(NumberedRow, table=True):
    """A public note of what a director or the service did to a tournament."""

    tournament_id: int = Field(foreign_key="tournament.id", index=True)
    at: Moment
    who: str  # name of a player on that day, or "the service"
    # whose name `who` is; None: no known player's
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    what: str  # end of a sentence that names no player: "closed the entries"
