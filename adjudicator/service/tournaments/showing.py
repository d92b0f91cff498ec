"""The list of tournaments and the page of one, as a viewer may see them; writes nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from sqlmodel import Session, col, func, select

from adjudicator import catalogue
from adjudicator.core import codec
from adjudicator.platform.words import join_list, plural
from adjudicator.play.scoring.systems import ScoringSystem, find_system
from adjudicator.play.tournaments.formats import Format, KnockOut, League, Mixer, RoundRobin
from adjudicator.service.base.names import shown_name
from adjudicator.service.base.tables import (
    Match,
    Player,
    Tournament,
    TournamentEntry,
    TournamentNote,
    TournamentRound,
    TournamentVoid,
)
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.notes import Note, noted_players
from adjudicator.service.matches.terms import reading
from adjudicator.service.tournaments.entering import is_late, offered_seats, takes_late, too_few
from adjudicator.service.tournaments.making import LATE, STALLED
from adjudicator.service.tournaments.records import (
    OVER,
    directors_of,
    entries_of,
    entry_of,
    final_at,
    find_tournament,
    format_of,
    free_round,
    granted_of,
    is_provisional,
    matches_of,
    may_direct,
    may_dismiss,
    name_of,
    points_at,
    rounds_of,
    rows_of,
    staying,
    tables_at,
)
from adjudicator.service.tournaments.results.corrections import void_tables
from adjudicator.service.tournaments.seasons import following_of
from adjudicator.service.tournaments.standing import (
    CrossTable,
    EntryStanding,
    cross_table,
    entrant_names,
    list_standings,
)

MOST_LISTED = 50  # tournaments of each kind in a list
MOST_CROSSED = 24  # entrants of a tournament whose page has the cross-table


@dataclass(frozen=True)
class TournamentCard:
    """A tournament in a list."""

    uid: str
    name: str
    game: str
    format: str
    status: str
    entrants: int
    round: int  # the round that is played, 0 before the first
    closes_at: datetime | None


@dataclass(frozen=True)
class TournamentLists:
    """Tournaments that take entries, those that are played, and those that are over, the newest
    first.
    """

    entering: tuple[TournamentCard, ...]
    running: tuple[TournamentCard, ...]
    ended: tuple[TournamentCard, ...]


@dataclass(frozen=True)
class TableFace:
    """A table of a round: who sits where, the points, and its matches with their status."""

    number: int
    names: tuple[str, ...]  # in seat order
    points: tuple[Fraction, ...] | None
    matches: tuple[tuple[str, str], ...]
    decided: str  # the reason of the director who decided it, "" where nobody did
    stalled: bool
    own: bool  # whether the viewer sits there


@dataclass(frozen=True)
class RoundFace:
    """A round with its tables."""

    number: int
    element: str  # of the chance, in hex
    paired_at: datetime
    until: datetime | None  # when its days are over
    tables: tuple[TableFace, ...]
    sitting_out: tuple[str, ...]
    outdated: bool  # whether it stands although results corrected since would give other tables
    voids: tuple["VoidFace", ...]  # its earlier pairings

    @property
    def matches(self) -> tuple[tuple[str, str], ...]:
        """The matches of all tables, with their status."""
        return tuple(match for table in self.tables for match in table.matches)

    @property
    def open(self) -> bool:
        """Whether a table has no result yet."""
        return any(table.points is None for table in self.tables)


@dataclass(frozen=True)
class VoidFace:
    """An earlier pairing of a round, which was taken back before a phase of it had closed."""

    at: datetime  # when it was taken back
    tables: tuple[tuple[str, ...], ...]  # the names of each, in seat order


@dataclass(frozen=True)
class TournamentPage:
    """A tournament as one viewer sees it."""

    card: TournamentCard
    game_key: str
    terms: tuple[str, ...]  # sentences: format, scoring, matches, who stalls
    scoring: ScoringSystem
    directors: tuple[str, ...]
    directs: bool
    is_director: bool  # and not only a master of all matches
    entered: bool  # and has not left
    may_enter: bool
    offered: tuple[str, ...]  # the seats that entrants can wish for, () where none are
    wishes: tuple[str, ...]  # those that the viewer prefers
    too_few: str  # why it cannot begin yet, "" if it can
    anchor: str  # of the public chain, in hex
    opened: str  # its first element once the tournament has ended
    rounds: int
    shown: RoundFace | None
    standings: tuple[EntryStanding, ...]
    tie_breaks: tuple[str, ...]
    cross: CrossTable | None
    notes: tuple[Note, ...]
    before: str  # the public name of the season before, "" where there is none
    following: str  # of the season after it
    makes_season: bool  # whether the viewer may make that
    # until when the next pairing waits for a director, None: it does not
    waits_until: datetime | None
    wait_hours: int
    # of a tournament that is over: when its results become final, None: they are
    final_at: datetime | None
    # and another round of it is paired by what entrants wish and directors set
    swiss_or_mixer: bool
    sits_out: bool  # whether the viewer sits out that round by wish
    # entrants who could be made directors: number and name; for directors
    others: tuple[tuple[int, str], ...]
    # entrants who direct, for who may dismiss them
    dismissible: tuple[tuple[int, str], ...]


# --- the list


def list_tournaments(session: Session) -> TournamentLists:
    """Return the newest tournaments of each kind."""
    return TournamentLists(
        *(_cards(session, kinds) for kinds in (("entering",), ("running",), OVER))
    )


def _cards(session: Session, kinds: Sequence[str]) -> tuple[TournamentCard, ...]:
    wanted = (
        select(Tournament)
        .where(col(Tournament.status).in_(kinds))
        .order_by(col(Tournament.id).desc())
        .limit(MOST_LISTED)
    )
    found = list(session.exec(wanted))
    ids = [each.id for each in found]
    there = select(TournamentEntry.tournament_id, func.count()).where(
        col(TournamentEntry.tournament_id).in_(ids), col(TournamentEntry.left_at).is_(None)
    )
    counts = dict(session.exec(there.group_by(col(TournamentEntry.tournament_id))).all())
    newest = select(TournamentRound.tournament_id, func.max(TournamentRound.number)).where(
        col(TournamentRound.tournament_id).in_(ids)
    )
    rounds = dict(session.exec(newest.group_by(col(TournamentRound.tournament_id))).all())
    return tuple(_card(each, counts.get(each.id, 0), rounds.get(each.id, 0)) for each in found)


def _card(tournament: Tournament, entrants: int, number: int) -> TournamentCard:
    title = catalogue.about(tournament.game).title
    return TournamentCard(
        tournament.uid,
        name_of(tournament),
        title,
        tournament.format,
        tournament.status,
        entrants,
        number,
        tournament.closes_at,
    )


# --- the page


def read_page(
    session: Session, uid: str, viewer_id: int | None, *, now: datetime, number: int | None = None
) -> TournamentPage:
    """Return the page of a tournament with one round, the last one unless `number` names another;
    raises NotFound.

    Names of entrants without a public page are told to entrants and directors alone.
    """
    tournament = find_tournament(session, uid)
    entries, rounds = entries_of(session, tournament), rounds_of(session, tournament)
    own = entry_of(entries, viewer_id)
    directs = may_direct(session, tournament, viewer_id)
    names = entrant_names(session, tournament, inside=directs or own is not None)
    shown = next((row for row in rounds if row.number == number), rounds[-1] if rounds else None)
    following = following_of(session, tournament)
    entrants = {entry.player_id: names[entry.number] for entry in entries}
    directing = set(directors_of(session, tournament))
    entered, there = own is not None and own.left_at is None, staying(entries)
    return TournamentPage(
        card=_card(tournament, len(there), len(rounds)),
        game_key=tournament.game,
        terms=_terms(tournament),
        scoring=find_system(tournament.scoring),
        directors=_directors(session, tournament, entrants, inside=directs),
        directs=directs,
        is_director=viewer_id in directing,
        entered=entered,
        may_enter=own is None and _is_open(session, tournament, now),
        offered=offered_seats(tournament),
        wishes=tuple(own.wishes) if own else (),
        too_few=too_few(session, tournament) if tournament.status == "entering" else "",
        anchor=(tournament.anchors or {}).get("public", ""),
        opened=(tournament.opened_chains or {}).get("public", ""),
        rounds=len(rounds),
        shown=_round(session, tournament, shown, names, own=own, now=now) if shown else None,
        standings=list_standings(session, uid, inside=directs or own is not None),
        tie_breaks=tuple(tournament.tie_breaks),
        cross=cross_table(session, uid, most=MOST_CROSSED, inside=directs or own is not None),
        notes=_notes(session, tournament, entrants, directs=directs),
        before=_uid_before(session, tournament),
        following=following.uid if following else "",
        makes_season=directs
        and tournament.format == "league"
        and tournament.status in OVER
        and following is None,
        waits_until=_waits_until(tournament, now),
        wait_hours=tournament.wait_hours,
        final_at=(
            final_at(tournament)
            if tournament.status in OVER and is_provisional(tournament, now)
            else None
        ),
        swiss_or_mixer=free_round(session, tournament) is not None,
        sits_out=own is not None and len(rounds) + 1 in granted_of(own).out,
        others=tuple((entry.number, names[entry.number]) for entry in there) if directs else (),
        dismissible=tuple(
            (entry.number, names[entry.number])
            for entry in entries
            if entry.player_id in directing - {viewer_id}
        )
        if may_dismiss(session, tournament, viewer_id)
        else (),
    )


def _waits_until(tournament: Tournament, now: datetime) -> datetime | None:
    until = tournament.waits_until
    return until if tournament.status == "running" and until is not None and now < until else None


def _uid_before(session: Session, tournament: Tournament) -> str:
    before = (
        session.get(Tournament, tournament.previous_id)
        if tournament.previous_id is not None
        else None
    )
    return before.uid if before is not None else ""


def _is_open(session: Session, tournament: Tournament, now: datetime) -> bool:
    return takes_late(session, tournament) or (
        tournament.status == "entering" and not is_late(tournament, now)
    )


def _round(
    session: Session,
    tournament: Tournament,
    row: TournamentRound,
    names: Mapping[int, str],
    *,
    own: TournamentEntry | None,
    now: datetime,
) -> RoundFace:
    tables = tables_at(session, tournament, row.number)
    matches = matches_of(session, tables)
    until = (
        row.paired_at + timedelta(days=tournament.round_days)
        if tournament.round_days is not None
        else None
    )
    over = until is not None and until <= now and tournament.status == "running"
    faces = tuple(
        TableFace(
            table.number,
            tuple(names[number] for number in table.entrants),
            points_at(table),
            _linked(matches.get(table.id, ())),
            table.corrected_why,
            stalled=over and table.scored_at is None,
            own=own is not None and own.number in table.entrants,
        )
        for table in tables
    )
    out = tuple(names[number] for number in row.sitting_out)
    return RoundFace(
        row.number,
        row.element,
        row.paired_at,
        until,
        faces,
        out,
        row.outdated,
        _voids(session, tournament, row.number, names),
    )


def _voids(
    session: Session, tournament: Tournament, number: int, names: Mapping[int, str]
) -> tuple[VoidFace, ...]:
    of_round = col(TournamentVoid.number) == number
    return tuple(
        VoidFace(
            void.voided_at,
            tuple(
                tuple(names[each] for each in table.entrants)
                for table in void_tables(session, void)
            ),
        )
        for void in rows_of(session, tournament, TournamentVoid, of_round)
    )


def _linked(matches: Sequence[Match]) -> tuple[tuple[str, str], ...]:
    return tuple((match.uid, match.status) for match in matches)


def _directors(
    session: Session, tournament: Tournament, entrants: Mapping[int, str], *, inside: bool
) -> tuple[str, ...]:
    """Return what the directors are called: who takes part as all entrants are, so that to direct
    tells no name.
    """
    people = [session.get_one(Player, player_id) for player_id in directors_of(session, tournament)]
    return tuple(entrants.get(each.id, shown_name(each, inside=inside)) for each in people)


def _notes(
    session: Session, tournament: Tournament, entrants: Mapping[int, str], *, directs: bool
) -> tuple[Note, ...]:
    """Return the public notes of a tournament, newest first: of entrants, also those who direct it,
    as the viewer may know them.
    """
    rows = rows_of(session, tournament, TournamentNote)[::-1]
    people: dict[int | None, str] = {
        each.id: shown_name(each, inside=directs) for each in noted_players(session, rows)
    }
    people.update(entrants.items())
    return tuple(Note(row.at, people.get(row.player_id, row.who), row.what) for row in rows)


# --- what it is


def describe_format(wanted: Format) -> str:
    """Return the sentence that says how a format pairs."""
    if isinstance(wanted, RoundRobin):
        one = "Round robin: at tables of two, everybody meets everybody."
        return plural(
            wanted.cycles,
            one,
            "Round robin: at tables of two, everybody meets everybody, {n} times.",
        )
    if isinstance(wanted, KnockOut):
        seeds = "drawn by lot" if wanted.seeds == "draw" else "the order of entry"
        return (
            f"Knock-out: at tables of two, the winner goes on; the seeds are {seeds}, and of a tied"
            f" table the {wanted.tie} wins."
        )
    sizes = join_list([str(size) for size in wanted.sizes], "or")
    if isinstance(wanted, League):
        return _describe_league(wanted, sizes)
    rounds = _describe_rounds(wanted.rounds, sizes)
    best = (
        plural(
            wanted.best, " The best round of each counts.", " The best {n} rounds of each count."
        )
        if wanted.best is not None
        else ""
    )
    if isinstance(wanted, Mixer):
        return (
            f"Mixer: {rounds}, in which everybody meets as many different opponents as"
            f" possible.{best}"
        )
    top = f" Then the first {wanted.top} meet at a top table, and rank by it." if wanted.top else ""
    return (
        f"Swiss: {rounds}, in which those with equal points meet, nobody twice while that is"
        f" possible.{best}{top}"
    )


def _describe_rounds(number: int, sizes: str) -> str:
    return plural(
        number, "{n} round at tables of {sizes}", "{n} rounds at tables of {sizes}", sizes=sizes
    )


def _describe_league(wanted: League, sizes: str) -> str:
    once = "everybody meets everybody once, at tables of two"
    often = "everybody meets everybody {n} times, at tables of two"
    played = (
        plural(wanted.cycles, once, often)
        if wanted.of_two
        else _describe_rounds(wanted.rounds, sizes)
    )
    divisions = f"League: divisions of {wanted.size} by the order of entry; in each, {played}."
    if not wanted.moving:
        return f"{divisions} After a season nobody goes up or down."
    one = "After a season the first of a division goes up and the last goes down."
    return (
        f"{divisions}"
        f" {plural(wanted.moving, one, 'After a season the first {n} of a division go up and the last {n} go down.')}"
    )


def _describe_ties(tie_breaks: Sequence[str]) -> list[str]:
    """Return the sentences about the tie breaks of a tournament, in their order."""
    if not tie_breaks:
        return []
    dummy = (
        " A round of sitting out counts as an opponent with one’s own points."
        if "opponents" in tie_breaks
        else ""
    )
    return [f"Among equal points: {join_list(list(tie_breaks))}.{dummy}"]


def _terms(tournament: Tournament) -> tuple[str, ...]:
    about, wish = catalogue.about(tournament.game), codec.load(Wish, tournament.wish)
    legs = (
        f" Each table plays {tournament.legs} matches at once, each with everybody one seat on."
        if tournament.legs > 1
        else ""
    )
    scoring = find_system(tournament.scoring)
    rows = [
        describe_format(format_of(tournament)),
        f"Points: {scoring.name.lower()}. {scoring.formula}",
        *_describe_ties(tournament.tie_breaks),
        f"Its matches: {wish.timetable.strip() or reading.rhythm(wish, about)}.{legs}",
        f"Who stalls: {STALLED[tournament.stalled][0].lower()}{STALLED[tournament.stalled][1:]}",
    ]
    one = (
        "After a result that a director typed, the next round waits {n} hour, or until a director"
        " lets it go on."
    )
    more = (
        "After a result that a director typed, the next round waits {n} hours, or until a director"
        " lets it go on."
    )
    if tournament.wait_hours:
        rows.append(plural(tournament.wait_hours, one, more))
    if tournament.late != "no":
        rows.append(LATE[tournament.late])
    if tournament.round_days is not None:
        rows.append(plural(tournament.round_days, "A round has {n} day.", "A round has {n} days."))
    return tuple(rows)
