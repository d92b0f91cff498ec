"""Matches, their seats, and who may have them."""

from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from adjudicator.core.options import OptionValue
from adjudicator.service.base.tables import people  # noqa: F401  are referred to
from adjudicator.service.base.tables.columns import (
    PLAIN,
    Moment,
    MomentOrNone,
    NumberedRow,
    TableRow,
    added,
    index_of_beginnings,
    index_where,
)


class Match(NumberedRow, table=True):
    """One match of a game. Every transaction that changes any row of a match locks this row and
    raises its version.
    """

    __table_args__ = (
        Index("ix_match_lists", "status", "with_people", "id"),
        Index("ix_match_of_game", "status", "game", "with_people", "id"),
        index_of_beginnings("ix_match_begins", "name"),
        Index("ix_match_all_taken", "status", "all_taken"),
        index_where("ix_match_next_days", "next_days_at", "next_days_at IS NOT NULL"),
        Index("ix_match_muster", "status", "muster_until"),
        index_where("ix_match_named_after", "named_after", "named_after IS NOT NULL"),
        Index("ix_match_expires", "status", "expires_at"),
        index_where(
            "ix_match_uncounted",
            "ended_at, id",
            "rated IS TRUE AND counted_at IS NULL AND ended_at IS NOT NULL",
        ),
        Index("ix_match_to_archive", "archived", "status", "private", "ended_at"),
    )

    uid: str = Field(unique=True)  # public name, used in addresses and in every hash
    name: str
    # the player whose name that of the match holds, as far as its maker chose it; None: nobody's
    named_after: int | None = None
    game: str
    rules_version: int
    options: dict[str, OptionValue] = Field(sa_type=PLAIN)
    # making, open, running, ended, stuck, expired
    status: str = Field(default="making", index=True)
    trouble: str | None = None  # why the match is stuck, for its master
    # when the pause began; None: not paused
    paused_at: MomentOrNone = None
    version: int = 0
    # changes that everybody may see (rows.show_change)
    shown: int = added(0)
    # 1: it has a public log; 0: it is from before there were logs, or was played elsewhere
    sealing: int = 0
    log_size: int = added(0)  # entries of its log
    log_hash: str | None = None  # hash of the newest entry; None: it has no log yet
    # number of the newest public log with whose beginning its own log tells of a restore
    restored_in: int | None = None
    # submissions are numbered from above it, after a restore
    seq_from: int = added(0)
    # public signing key in force, in hex; None: the first one of the key file
    log_key: str | None = None
    master_id: int = Field(foreign_key="player.id", index=True)
    every_seconds: int
    grace_seconds: int
    # after a deadline that somebody missed, at most half of the phase; 0: none
    overtime_seconds: int = 0
    # minutes before a deadline; none in matches from before
    reminders: list[int] = Field(default_factory=list, sa_type=PLAIN)
    ready_rule: str  # complete: complete orders count as ready; said: a seat has to say ready
    open_seats: bool  # whether anybody may take a free seat
    # only its people and the bearers of a link see it
    private: bool = added(False)
    # secret part of the link that shows a private match
    watch_token: str | None = Field(default=None, unique=True, index=True)
    # secret part of the link that gives whoever opens it a free seat
    join_token: str | None = Field(default=None, unique=True, index=True)
    # players who let everybody see the private match; only once ended
    published_by: list[int] | None = Field(default=None, sa_type=PLAIN)
    # within which everybody confirms before the first phase; None: nobody is asked
    muster_seconds: int | None = None
    # end of the muster that runs
    muster_until: MomentOrNone = None
    # days within which the match has to fill; None: it waits without a limit
    expire_days: int | None = None
    # when it expires unless it is full
    expires_at: MomentOrNone = None
    sheet: str | None = None  # key of the rule sheet that its options are; None: they are its own
    # the table of a tournament that it is played at; None: of none
    table_id: int | None = Field(default=None, index=True)
    again_uid: str | None = None  # public name of the next match of the same people; once ended
    bots: bool = True  # whether house bots may take seats
    # whether a player with an address has a seat; lists show other matches last
    with_people: bool = True
    # whether every seat is taken at the start
    all_taken: bool = added(False)
    # order: players take named seats; preference: seats are assigned when the match begins
    seating: str = "order"
    # which players' agreement more time or a pause needs: majority, all; none: the master alone
    # decides
    vote_rule: str = "majority"
    # by which votes may extend a phase altogether; None: its usual length, at most a week
    extension_seconds: int | None = None
    # wishes and assigned seat of each place; only by preference, once begun
    lots: list[Any] | None = Field(default=None, sa_type=PLAIN)
    # what is shown of who handed in: none, count, seats
    progress: str = added("none")
    # when phases end, as play.timetable writes it; None: every_seconds and short_seconds alone
    timetable: str | None = None
    calendar: str | None = None  # https address of a calendar of days off
    # ISO dates without a deadline: public holidays and the calendar's
    days_off: list[str] | None = Field(default=None, sa_type=PLAIN)
    # when days_off is next computed; None: the match has none
    next_days_at: MomentOrNone = None
    # tries since days_off could be read
    unread_calendars: int = added(0)
    # percent that who takes an open seat must have
    least_reliability: int = added(0)
    beginners: bool = True  # whether players with few phases may take one
    # whether it counts for ratings, if people alone play
    rated: bool = added(False)
    # when its result went into the ratings, or was found not to count
    counted_at: MomentOrNone = None
    # when that is tried again, as its rows could not be counted
    rate_after: MomentOrNone = None
    # a year by which one player's absences move deadlines
    absence_days: int = added(0)
    # length of the game's short phases; None: as long as the others
    short_seconds: int | None = None
    press_rulebook: bool = False  # whether seats write no press in the game's short phases
    press_opened: bool = False  # whether everybody may read all press once the match has ended
    press_overseen: bool = False  # whether its master, who does not play then, reads all press
    # both chains' first elements (s0), wrapped by the worker's key
    wrapped_chains: bytes | None = None
    # as service.base.state.FormerChains has them
    former_chains: list[dict[str, Any]] | None = Field(default=None, sa_type=PLAIN)
    # both s0 in hex, published once the match has ended
    opened_chains: dict[str, str] | None = Field(default=None, sa_type=PLAIN)
    # last elements of both hash chains in hex
    anchors: dict[str, str] | None = Field(default=None, sa_type=PLAIN)
    result: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)
    # number of the last phase, if the match was stopped before its rules ended it
    stopped_after: int | None = None
    stopped_why: str | None = None  # reason of the stop: loop.StopReason
    stop_note: str = ""  # the reason that was given for the stop
    # pairs of a seat that conceded and the last phase closed before
    conceded: list[Any] | None = Field(default=None, sa_type=PLAIN)
    misses: int = 0  # missed phases in a row that open a seat; 0: never
    first_miss: bool = False  # whether a player's first phase missed opens the seat
    deserted: bool = False  # whether the service paused it: every player has gone
    made_at: Moment
    started_at: MomentOrNone = None
    ended_at: MomentOrNone = None
    # whether it was played elsewhere
    imported: bool = added(False)
    # whether the archive has looked at it, once ended
    archived: bool = added(False)


class Seat(NumberedRow, table=True):
    """A seat of a match and its player."""

    __table_args__ = (
        UniqueConstraint("match_id", "name"),
        index_where("ix_seat_next_ask", "next_ask_at", "next_ask_at IS NOT NULL"),
        index_where("ix_seat_returns", "returns_at", "returns_at IS NOT NULL"),
        index_where("ix_seat_open", "match_id", "open_since IS NOT NULL"),
    )

    match_id: int = Field(foreign_key="match.id")
    position: int
    name: str
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    kept_for: str | None = None  # the invited address that the seat is kept for
    # whether nobody may see `kept_for`
    kept_secretly: bool = added(False)
    # of the invitation's token; None: its letter is not written yet
    invitation_hash: str | None = Field(default=None, unique=True)
    # invitations written; 0: those of the previous release
    invitation_n: int = added(0)
    # the last one taken as proof
    invitation_spent: int = added(0)
    # of the secret part of its mail address; None: in no letter yet
    token_hash: str | None = Field(default=None, unique=True, index=True)
    # addresses that it had before
    token_n: int = added(0)
    # of its address in letters before tokens were computed
    earlier_hash: str | None = Field(default=None, unique=True, index=True)
    # that address, of the previous release, until the worker hashes it
    token: str | None = Field(default=None, unique=True)
    taken_at: MomentOrNone = None
    # when its player confirmed in a muster
    confirmed_at: MomentOrNone = None
    # seats that the player prefers, best first
    wishes: list[str] = Field(default_factory=list, sa_type=PLAIN)
    # number of the last phase reported to this seat; None: from before this column existed
    told: int | None = None
    tenure: int = 1  # number of the present tenure, raised as each one ends
    # nonce of the present tenure's hash in the log, told to its player; None: it is not in the log
    tenure_nonce: str | None = None
    # who that hash covers; an address that changes later does not change it
    tenure_who: str | None = None
    # `seal.requests.tenure_proof` of who has the seat
    tenure_proof: bytes | None = None
    misses: int = 0  # phases in a row for which nothing was handed in
    # since when it looks for a new player; None: it does not
    open_since: MomentOrNone = None
    # when standbys are next written to; None: never
    next_ask_at: MomentOrNone = None
    # the player whom a substitute sits in for, and who gets the seat back at `returns_at`
    owner_id: int | None = None
    returns_at: MomentOrNone = None
    named: str | None = None  # of an imported match: the player's name, as the importer gave it


class FormerTenure(NumberedRow, table=True):
    """A tenure that has ended: who had a seat of a running match, and how long. The present one
    stands on the seat.
    """

    __table_args__ = (UniqueConstraint("seat_id", "number"),)

    match_id: int = Field(foreign_key="match.id", index=True)
    seat_id: int = Field(foreign_key="seat.id")
    seat: str
    number: int
    player_id: int = Field(foreign_key="player.id", index=True)
    since: MomentOrNone = None
    until: Moment
    why: str  # tenures.Ending
    # of the secret part of the seat's mail address during this tenure; "": no letter told it
    token_hash: str = Field(index=True)
    # the number of that address
    token_n: int = added(0)
    # of the address in letters before tokens were computed
    earlier_hash: str | None = Field(default=None, index=True)
    tenure_proof: bytes | None = None  # as it was on the seat


class Standby(NumberedRow, table=True):
    """A player who would take over a seat: of one match, or of any match of a game."""

    __table_args__ = (
        UniqueConstraint("player_id", "match_id"),
        UniqueConstraint("player_id", "game"),
    )

    player_id: int = Field(foreign_key="player.id")
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    game: str | None = Field(default=None, index=True)  # a game's key; None: for one match only
    made_at: Moment


class Offer(NumberedRow, table=True):
    """A seat of a running match, offered by letter: to a standby, or to a substitute whom its
    player named.
    """

    token_hash: str = Field(unique=True)  # `rows.UNWRITTEN` and the uid until its letter is written
    # what its token is computed from; None: of the previous release
    uid: str | None = Field(default=None, unique=True, index=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    tenure: int  # the seat's as it was offered; the offer ends with that tenure
    address: str = Field(index=True)
    # the player who names a substitute; None: the service asks a standby
    asker_id: int | None = None
    # when a substitute's span ends
    returns_at: MomentOrNone = None
    made_at: Moment
    answered_at: MomentOrNone = None
    # when the worker took it as proof; the site cannot write this
    spent_at: MomentOrNone = None


class QueueEntry(NumberedRow, table=True):
    """A player who waits for a seat of a match that has none free; the entry with the lowest id is
    the first.
    """

    __table_args__ = (UniqueConstraint("match_id", "player_id"),)

    match_id: int = Field(foreign_key="match.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    at: Moment


class MasterAddress(NumberedRow, table=True):
    """The secret mail address of a master in a match. It works while that player may run the
    match.
    """

    __table_args__ = (UniqueConstraint("match_id", "player_id"),)

    match_id: int = Field(foreign_key="match.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    # of its secret part without prefix; None: in no letter yet
    token_hash: str | None = Field(default=None, unique=True, index=True)
    # the number of the address, drawn as the row is made
    token_n: int = added(0)
    # of the address in letters before tokens were computed
    earlier_hash: str | None = Field(default=None, unique=True, index=True)
    # that address, of the previous release, until the worker hashes it
    token: str | None = Field(default=None, unique=True)


class MasterNote(NumberedRow, table=True):
    """A public note of what a master did to a match."""

    __table_args__ = (index_where("ix_masternote_unlogged", "match_id", "log_as IS NOT NULL"),)

    match_id: int = Field(foreign_key="match.id", index=True)
    at: Moment
    who: str  # name of a player on that day, or "the host"
    # whose name `who` is; None: no known player's
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    # host, master, players: whose act the match's log is still to tell; service: only that
    # something changed
    log_as: str | None = None
    # who acted: host, master, players, seat, service; None: a release before acts were signed
    actor: str | None = None
    phase_number: int | None = None  # the phase that was open
    # entries that the log had: once it tells the act, the request is spent
    log_size: int | None = None
    # until when orders are taken since, as `phase_records.ends`
    clock: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)
    # what else it decides: `notes.STOPPED` ...
    decides: list[str] | None = Field(default=None, sa_type=PLAIN)
    # key of the session that acted; None: the worker
    signer: bytes | None = None
    # its signature; None: nobody could vouch for it
    request_signature: bytes | None = None
    what: str  # end of a sentence that names no player: "moved the deadline of Round 3 to ..."


class GoneMatch(TableRow, table=True):
    """The address of a public match of guests that was erased; nothing else of it is left."""

    uid: str = Field(primary_key=True)
    gone_at: Moment
