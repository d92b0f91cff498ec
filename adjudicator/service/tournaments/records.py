"""What every use case of tournaments reads: the locked row, entries, tables, notes, and the history
that pairing works on.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import TypeVar

from sqlalchemy import ColumnElement
from sqlalchemy.orm import defer
from sqlmodel import Session, SQLModel, col, func, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core import codec
from adjudicator.platform import wakeups
from adjudicator.platform.words import join_list
from adjudicator.play.tournaments.changes import Change, Results, list_results
from adjudicator.play.tournaments.formats import FORMATS, Format, Mixer, Swiss
from adjudicator.play.tournaments.past import with_byes, with_given
from adjudicator.play.tournaments.records import Played, Round
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.tables import (
    Match,
    Player,
    Tournament,
    TournamentDirector,
    TournamentEntry,
    TournamentNote,
    TournamentRound,
    TournamentTable,
)
from adjudicator.service.base.tables.columns import NumberedRow
from adjudicator.service.matches.notes import SERVICE

OVER = ("ending", "ended")  # status of a tournament in which no round follows
PROVISIONAL = timedelta(days=7)  # after the end, in which results can still be corrected


@dataclass(frozen=True)
class Granted:
    """What an entrant was granted: exact points besides those of tables, and rounds in which that
    one sits out by wish.
    """

    points: str = "0"
    out: tuple[int, ...] = ()


@dataclass(frozen=True)
class Directed:
    """What directors set for the next round: its tables by hand, and whether one player more can
    enter, with these points.
    """

    round: int  # that it is for
    tables: tuple[tuple[int, ...], ...] | None = None
    admits: str | None = None


Row = TypeVar("Row", bound=NumberedRow)
# what the rows of a table are ordered by, if not as they were added
_ORDERS: Mapping[type[SQLModel], tuple[str, ...]] = {
    TournamentEntry: ("number",),
    TournamentRound: ("number",),
    TournamentTable: ("round_number", "number"),
}
CHANGES = tuple[Change, ...]  # as a round keeps them
_WITHOUT_WHOLE = tuple(
    defer(column, raiseload=True)  # type: ignore[arg-type]  # a column of SQLModel
    for column in (TournamentRound.entrants, TournamentRound.changes, TournamentRound.results)
)


def find_tournament(session: Session, uid: str) -> Tournament:
    """Return the tournament of this public name; raises NotFound."""
    return _load(session, uid, lock=False)


def find_named(session: Session, name: str) -> Tournament:
    """Return the tournament of a public name, else the one of this name that is not over; raises
    NotFound, or Refused for several.
    """
    words = " ".join(name.split())
    known = (
        session.exec(select(Tournament).where(Tournament.uid == words.lower())).first()
        if "\0" not in words
        else None
    )
    if known is not None:
        return known
    going_on = session.exec(
        select(Tournament).where(col(Tournament.status).in_(("making", "entering", "running")))
    )
    found = [each for each in going_on if each.name.casefold() == words.casefold()]
    if len(found) > 1:
        raise Refused(
            "Several tournaments have this name; write the short name of one:"
            f" {join_list([each.uid for each in found], 'or')}."
        )
    if not found:
        raise NotFound(
            "There is no such tournament; the page Tournaments on the site lists all of them, each"
            " with its short name."
        )
    return found[0]


def open_to_entries(session: Session, game: str, now: datetime, *, most: int = 3) -> list[str]:
    """Return the public names of tournaments of a game that take entries, the newest first."""
    wanted = select(Tournament.uid).where(Tournament.game == game, Tournament.status == "entering")
    wanted = wanted.where(or_(col(Tournament.closes_at).is_(None), col(Tournament.closes_at) > now))
    return list(session.exec(wanted.order_by(col(Tournament.id).desc()).limit(most)))


def lock_tournament(session: Session, uid: str) -> Tournament:
    """Lock the tournament of this public name until the transaction ends and return it; raises
    NotFound.
    """
    return _load(session, uid, lock=True)


def _load(session: Session, uid: str, *, lock: bool) -> Tournament:
    wanted = select(Tournament).where(Tournament.uid == uid)
    if lock:
        wanted = wanted.with_for_update().execution_options(populate_existing=True)
    found = session.exec(wanted).first() if "\0" not in uid else None  # PostgreSQL takes no NUL
    if found is None:
        raise NotFound("There is no tournament at this address.")
    return found


def format_of(tournament: Tournament) -> Format:
    """Return the format of a tournament."""
    found: Format = codec.load(FORMATS[tournament.format], tournament.policies)
    return found


def select_of(
    tournament: Tournament, table: type[Row], *which: ColumnElement[bool]
) -> SelectOfScalar[Row]:
    """Return the query of a tournament's rows in a table, in the order of their numbers."""
    of = SQLModel.metadata.tables[str(table.__tablename__)].c
    wanted = select(table).where(of.tournament_id == tournament.id, *which)
    return wanted.order_by(*(of[name] for name in _ORDERS.get(table, ("id",))))


def rows_of(
    session: Session, tournament: Tournament, table: type[Row], *which: ColumnElement[bool]
) -> list[Row]:
    """Return a tournament's rows in a table that meet conditions, in the order of their numbers."""
    return list(session.exec(select_of(tournament, table, *which)))


def free_round(session: Session, tournament: Tournament) -> int | None:
    """Return the next round of a Swiss or a mixer, which may have other entrants than the one
    before; None where none is paired any more, and in other formats.
    """
    format_, number = format_of(tournament), count_paired(session, tournament) + 1
    goes_on = tournament.status in ("entering", "running")
    is_free = isinstance(format_, Swiss | Mixer) and number <= format_.rounds
    return number if goes_on and is_free else None


# --- people


def entries_of(session: Session, tournament: Tournament) -> list[TournamentEntry]:
    """Return the entries of a tournament in entry order, with those who left."""
    return rows_of(session, tournament, TournamentEntry)


def entry_numbered(session: Session, tournament: Tournament, number: int) -> TournamentEntry:
    """Return the entry of this number; raises Refused where there is none."""
    found = next(
        (entry for entry in entries_of(session, tournament) if entry.number == number), None
    )
    if found is None:
        raise Refused(f"This tournament has no entrant {number}.", field="entry")
    return found


def entry_of(entries: Iterable[TournamentEntry], player_id: int | None) -> TournamentEntry | None:
    """Return the entry of a player among `entries`, None without one."""
    return next((entry for entry in entries if entry.player_id == player_id), None)


def own_table(
    session: Session, tournament: Tournament, tables: Iterable[TournamentTable], player_id: int
) -> TournamentTable | None:
    """Return the first of these tables at which a player sits."""
    own = entry_of(entries_of(session, tournament), player_id)
    seated = (table for table in tables if own is not None and own.number in table.entrants)
    return next(seated, None)


def staying(entries: Iterable[TournamentEntry]) -> list[TournamentEntry]:
    """Return the entries of those who have not left."""
    return [entry for entry in entries if entry.left_at is None]


def directors_of(session: Session, tournament: Tournament) -> list[int]:
    """Return the players who direct a tournament, the first one first; nobody while it looks for a
    director.
    """
    directing = col(TournamentDirector.left_at).is_(None)
    return [row.player_id for row in rows_of(session, tournament, TournamentDirector, directing)]


def master_of(session: Session, tournament: Tournament) -> int:
    """Return the master of the next matches of a tournament: the first of its directors; without
    any, the one who left last.
    """
    wanted = select(TournamentDirector.player_id).where(
        TournamentDirector.tournament_id == tournament.id
    )
    last = col(TournamentDirector.left_at)
    return session.exec(
        wanted.order_by(last.is_not(None), last.desc(), col(TournamentDirector.id)).limit(1)
    ).one()


def appoint(session: Session, tournament: Tournament, player_id: int) -> None:
    """Make a player a director of a tournament that the caller has locked, also one who directed it
    before.
    """
    own = col(TournamentDirector.player_id) == player_id
    if known := rows_of(session, tournament, TournamentDirector, own):
        known[0].left_at = None
    else:
        session.add(TournamentDirector(tournament_id=tournament.id, player_id=player_id))
    session.flush()


def may_direct(session: Session, tournament: Tournament, player_id: int | None) -> bool:
    """Whether a player may direct a tournament: as one of its directors, or as a master of all
    matches.
    """
    player = session.get(Player, player_id) if player_id is not None else None
    return player is not None and (player.master or player.id in directors_of(session, tournament))


def may_dismiss(session: Session, tournament: Tournament, player_id: int | None) -> bool:
    """Whether a player may dismiss directors of a tournament: as the first of them, or as a master
    of all matches.
    """
    player = session.get(Player, player_id) if player_id is not None else None
    first = directors_of(session, tournament)[:1]
    return player is not None and (player.master or [player.id] == first)


def lock_to_direct(session: Session, uid: str, player_id: int) -> tuple[Tournament, str]:
    """Lock a tournament and return it with the name of the director who acts; raises NotFound or
    NotAllowed.
    """
    tournament = lock_tournament(session, uid)
    wakeups.wake(session, wakeups.ADVANCE, uid)
    if not may_direct(session, tournament, player_id):
        raise NotAllowed("Only a director of this tournament may do that.")
    return tournament, PlayerName(session.get_one(Player, player_id))


def name_of(tournament: Tournament) -> str:
    """Return the name of a tournament with its season, if it is not the first one."""
    if tournament.season == 1:
        return tournament.name
    return f"{tournament.name}, season {tournament.season}"


def public_name(player: Player, number: int) -> str:
    """Return the name under which everybody may know an entrant: without a public page it is the
    number of the entry.
    """
    return player.name if player.house or player.profile else f"Entrant {number}"


def final_at(tournament: Tournament) -> datetime | None:
    """Return when the results of a tournament that is over become final; None while it goes on, and
    where it ended without a round.
    """
    if tournament.ended_at is None or tournament.started_at is None:
        return None
    return tournament.ended_at + PROVISIONAL


def is_provisional(tournament: Tournament, now: datetime) -> bool:
    """Whether a tournament is over, and results of it can still be corrected."""
    final = final_at(tournament)
    return final is not None and now < final


def is_final(tournament: Tournament, now: datetime) -> bool:
    """Whether a tournament is over and nothing of it can be changed any more."""
    return tournament.status in OVER and not is_provisional(tournament, now)


def require_not_final(tournament: Tournament, now: datetime) -> None:
    """Raise NotNow where the results of a tournament are final."""
    if is_final(tournament, now):
        raise NotNow("This tournament is over, and nothing of it is left to direct.")


def end_now(session: Session, tournament: Tournament, now: datetime) -> None:
    """End a tournament that the caller has locked; letters tell it, then its chance is
    published.
    """
    tournament.status, tournament.ended_at = "ending", now
    tournament.tell_round, tournament.told_to = count_paired(session, tournament), 0


def has_new_reader(session: Session, tournament: Tournament) -> bool:
    """Whether another director than in the season before, as the master of its matches, reads all
    press of this one.
    """
    if tournament.previous_id is None or not tournament.wish["press"]["overseen"]:
        return False
    last = session.get_one(Tournament, tournament.previous_id)
    return master_of(session, last) != master_of(session, tournament)


def end_overseeing(session: Session, tournament: Tournament, what: str, now: datetime) -> None:
    """Let nobody read all press of matches to come; `what` is the service's note of it."""
    press = {**tournament.wish["press"], "overseen": False}
    tournament.wish = {**tournament.wish, "press": press}
    note_tournament(session, tournament, now, SERVICE, what)


def note_tournament(
    session: Session, tournament: Tournament, now: datetime, who: str, what: str
) -> None:
    """Add a public note to a tournament that the caller has locked; `who` and `what` are as for
    `notes.add_note`.
    """
    player_id = who.player_id if isinstance(who, PlayerName) else None
    session.add(
        TournamentNote(tournament_id=tournament.id, at=now, who=who, player_id=player_id, what=what)
    )


# --- rounds


def rounds_of(
    session: Session, tournament: Tournament, *, whole: bool = False
) -> list[TournamentRound]:
    """Return the rounds of a tournament that were paired, in order; `whole` with what each was
    paired from, which no page needs.
    """
    wanted = select_of(tournament, TournamentRound)
    return list(session.exec(wanted if whole else wanted.options(*_WITHOUT_WHOLE)))


def count_paired(session: Session, tournament: Tournament) -> int:
    """Return how many rounds of a tournament were paired, without one that is taken back."""
    newest = select(func.max(TournamentRound.number)).where(
        TournamentRound.tournament_id == tournament.id
    )
    return (session.exec(newest).one() or 0) - (tournament.undoing is not None)


def paired_from(session: Session, tournament: Tournament) -> list[Results | None]:
    """Return for each round the results of all earlier ones as they were when it was paired, None
    where that was not kept.
    """
    rounds = rounds_of(session, tournament, whole=True)
    sizes = Counter(table.round_number for table in tables_of(session, tournament))
    kept = [
        (None if row.changes is None else codec.load(CHANGES, row.changes), row.results)
        for row in rounds
    ]
    return list_results(kept, [sizes[row.number] for row in rounds])


def tables_of(session: Session, tournament: Tournament) -> list[TournamentTable]:
    """Return the tables of all rounds, in the order of rounds and numbers."""
    return rows_of(session, tournament, TournamentTable, col(TournamentTable.round_number) > 0)


def tables_at(session: Session, tournament: Tournament, number: int) -> list[TournamentTable]:
    """Return the tables of a round, in the order of numbers."""
    return rows_of(
        session, tournament, TournamentTable, col(TournamentTable.round_number) == number
    )


def matches_of(session: Session, tables: Iterable[TournamentTable]) -> dict[int, list[Match]]:
    """Return the matches of each table, by the table's id, the first leg first."""
    found: defaultdict[int, list[Match]] = defaultdict(list)
    for match in session.exec(
        select(Match)
        .where(col(Match.table_id).in_([table.id for table in tables]))
        .order_by(col(Match.id))
    ):
        found[match.table_id or 0].append(match)
    return found


def history_of(session: Session, tournament: Tournament) -> list[Played]:
    """Return the rounds so far with the results as they stand now, and all points that directors
    gave; entrants are numbers of entries.

    Where the tournament gives late entrants a bye for each round before their first one, they sat
    out in it.
    """
    return with_given(
        played_rounds(session, tournament), given_points(entries_of(session, tournament)).items()
    )


def played_rounds(session: Session, tournament: Tournament) -> list[Played]:
    """Return the history without the points that directors gave."""
    by_round: defaultdict[int, list[TournamentTable]] = defaultdict(list)
    for table in tables_of(session, tournament):
        by_round[table.round_number].append(table)
    history = [_played(row, by_round[row.number]) for row in rounds_of(session, tournament)]
    if tournament.late != "bye":
        return history
    return with_byes(
        history, {entry.number: entry.first_round for entry in entries_of(session, tournament)}
    )


def _played(row: TournamentRound, tables: list[TournamentTable]) -> Played:
    paired = Round(
        tuple(tuple(table.entrants) for table in tables),
        tuple(row.sitting_out),
        tuple(row.drawn),
        row.turn,
    )
    return Played(paired, tuple(points_at(table) for table in tables))


def read_given(plain: dict[str, str] | None) -> dict[int, Fraction]:
    """Return points that a round keeps as given by directors."""
    return {int(number): Fraction(points) for number, points in (plain or {}).items()}


def given_points(entries: Iterable[TournamentEntry]) -> dict[int, Fraction]:
    """Return the points that directors have given, by the number of the entry; nobody else has
    any.
    """
    given = {entry.number: Fraction(granted_of(entry).points) for entry in entries if entry.granted}
    return {number: points for number, points in given.items() if points}


def granted_of(entry: TournamentEntry) -> Granted:
    """Return what an entrant was granted."""
    found: Granted = codec.load(Granted, entry.granted or {})
    return found


def directed_of(tournament: Tournament, number: int) -> Directed:
    """Return what directors set for a round; what they set for another one is over."""
    found: Directed = (
        codec.load(Directed, tournament.directed) if tournament.directed else Directed(number)
    )
    return found if found.round == number else Directed(number)


def points_at(table: TournamentTable) -> tuple[Fraction, ...] | None:
    """Return the exact points of a table in seat order, None while it has no result."""
    return (
        None
        if table.scored_at is None
        else tuple(Fraction(points) for points in table.points or ())
    )
