"""Pairs the rounds of a tournament from its own chance, and makes their matches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, cast

from sqlmodel import Session, col, select

from adjudicator.core import codec
from adjudicator.play.tournaments.changes import list_changes
from adjudicator.play.tournaments.formats import Format
from adjudicator.play.tournaments.pairing import BY_HAND, PAIRING_VERSION, pair_round, rotate_legs
from adjudicator.play.tournaments.past import list_idle
from adjudicator.play.tournaments.records import Played, Round
from adjudicator.play.tournaments.standings import TieBreak
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import by_uid, note_people, seats_of
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import (
    Match,
    Player,
    Tournament,
    TournamentRound,
    TournamentTable,
)
from adjudicator.service.matches.creation import Wish, add_match
from adjudicator.service.matches.notes import SERVICE, add_note
from adjudicator.service.tournaments.making import table_wish
from adjudicator.service.tournaments.records import (
    CHANGES,
    directed_of,
    entries_of,
    format_of,
    given_points,
    granted_of,
    has_new_reader,
    history_of,
    master_of,
    note_tournament,
    paired_from,
    select_of,
    staying,
)
from adjudicator.service.tournaments.telling.directors import tell_drawn, tell_end, tell_paired
from adjudicator.service.tournaments.vacancies import without_erased


@dataclass(frozen=True)
class Position:
    """What the next round is paired from. Two looks at a tournament that nobody has touched between
    them are equal.
    """

    uid: str
    format: Format
    entrants: tuple[int, ...]  # numbers of entries, in entry order
    history: tuple[Played, ...]
    tie_breaks: tuple[str, ...] = ()
    # points that directors gave, which the history has as well
    given: tuple[tuple[int, Fraction], ...] = ()
    # tables that a director set instead of the draw
    by_hand: tuple[tuple[int, ...], ...] | None = None

    @property
    def number(self) -> int:
        """The number of the next round."""
        return len(self.history) + 1


def find_position(session: Session, tournament: Tournament, *, now: datetime) -> Position | None:
    """Return what the next round of a tournament is to be paired from.

    None while it does not run, a table has no result, a decided result lets the pairing wait, a
    correction is still to be looked at, a round is still to be taken back, or letters about the
    round before are still to be written.
    """
    waits = tournament.waits_until is not None and now < tournament.waits_until
    if (
        tournament.status != "running"
        or tournament.tell_round is not None
        or tournament.recheck_from is not None
        or tournament.undoing is not None
        or waits
    ):
        return None
    history = tuple(history_of(session, tournament))
    if any(None in played.points for played in history):
        return None
    entries, number = entries_of(session, tournament), len(history) + 1
    there = [entry for entry in staying(entries) if number not in granted_of(entry).out]
    entrants = tuple(entry.number for entry in there if entry.first_round <= number)
    return Position(
        tournament.uid,
        format_of(tournament),
        entrants,
        history,
        tuple(tournament.tie_breaks),
        tuple(given_points(entries).items()),
        _tables_by_hand(tournament, number, set(entrants)),
    )


def _tables_by_hand(
    tournament: Tournament, number: int, there: set[int]
) -> tuple[tuple[int, ...], ...] | None:
    """Return the tables that a director set for a round, None without any, or where somebody at one
    is not there any more.
    """
    tables = directed_of(tournament, number).tables
    return (
        tables
        if tables is not None and {who for table in tables for who in table} <= there
        else None
    )


def draw_round(position: Position, chains: MatchChains) -> Round | None:
    """Return the next round, drawn from the element of the public chain with its number; None if
    the tournament is played out.

    It takes half a second with 500 entrants, so it belongs outside of any transaction.
    """
    if position.by_hand is not None:
        return Round(
            position.by_hand, tuple(map(int, list_idle(position.entrants, position.by_hand)))
        )
    draw = chains.of_phase(position.uid, position.number).public
    ties = cast("tuple[TieBreak, ...]", position.tie_breaks)
    paired = pair_round(position.format, position.entrants, position.history, draw, tie_breaks=ties)
    return paired if paired is not None and paired.tables else None


def write_round(
    session: Session,
    tournament: Tournament,
    position: Position,
    paired: Round | None,
    keyring: Keyring,
    *,
    now: datetime,
) -> bool:
    """Write a round that was drawn from a position, or end the tournament, in a tournament that the
    caller has locked.

    Returns False and writes nothing if the position is another by now. What the round was paired
    from is kept with it, since results may be corrected later; its element of the chain is
    published at once, and the anchor proves it.
    """
    if find_position(session, tournament, now=now) != position:
        return False
    unused = position.by_hand is None and directed_of(tournament, position.number).tables
    tournament.tell_round, tournament.told_to = len(position.history), 0
    tournament.adjudging = False
    tournament.round_until = None
    tournament.waits_until = None
    tournament.directed = None
    if paired is None:
        tournament.status, tournament.ended_at = "ending", now
        note_tournament(
            session, tournament, now, SERVICE, "ended the tournament, which is played out"
        )
        tell_end(session, tournament, "All of its rounds are played, so it is over.", now=now)
        return True
    if tournament.round_days is not None:
        tournament.round_until = now + timedelta(days=tournament.round_days)
    chains = MatchChains.recall(keyring, tournament)
    element = chains.chains["public"].element(position.number)
    changes, results = _list_new(
        session, tournament, [_plain_results(played) for played in position.history]
    )
    version = PAIRING_VERSION if position.by_hand is None else BY_HAND
    session.add(
        TournamentRound(
            tournament_id=tournament.id,
            number=position.number,
            drawn=[None if place is None else int(place) for place in paired.order],
            turn=paired.turn,
            sitting_out=list(map(int, paired.sitting_out)),
            element=element.hex(),
            pairing_version=version,
            entrants=list(position.entrants),
            changes=changes,
            results=results,
            paired_at=now,
            given={str(number): str(points) for number, points in position.given} or None,
        )
    )
    session.add_all(
        TournamentTable(
            tournament_id=tournament.id,
            round_number=position.number,
            number=place,
            entrants=list(map(int, entrants)),
            corrected_why="",
        )
        for place, entrants in enumerate(paired.tables, 1)
    )
    session.flush()
    tell_paired(session, tournament, len(paired.tables), now=now)
    if unused:
        note = (
            f"drew round {position.number}, as somebody at the tables that were set by hand is not"
            " there any more"
        )
        note_tournament(session, tournament, now, SERVICE, note)
        tell_drawn(session, tournament, position.number, now=now)
    return True


def _list_new(
    session: Session, tournament: Tournament, now: list[list[list[str]]]
) -> tuple[Any, list[list[list[str]]] | None]:
    """Return what a new round keeps: the changes of results, or all of them after rounds whose
    results were not kept.
    """
    known = next(reversed(paired_from(session, tournament)), ())
    return (None, now) if known is None else (codec.dump(CHANGES, list_changes(known, now)), None)


def _plain_results(played: Played) -> list[list[str]]:
    return [[str(points) for points in table or ()] for table in played.points]


# --- their matches


def unmade_tables(session: Session, tournament: Tournament, *, most: int) -> list[TournamentTable]:
    """Return tables without a result and without a match, the first ones first."""
    matched = select(Match.id).where(Match.table_id == TournamentTable.id)
    unscored = col(TournamentTable.scored_at).is_(None)
    wanted = select_of(tournament, TournamentTable, unscored, ~matched.exists())
    return list(session.exec(wanted.limit(most)))


def make_matches(
    session: Session, tournament: Tournament, *, now: datetime, most: int
) -> tuple[str, ...]:
    """Make the matches of at most so many tables, in a tournament that the caller has locked;
    returns their public names.

    The worker prepares and begins them like all others, and everybody gets the letter of a match
    that begins.
    """
    if tournament.status != "running":
        return ()
    entries = entries_of(session, tournament)
    players = without_erased(session, {entry.number: entry.player_id for entry in entries})
    wishes = {entry.number: entry.wishes for entry in entries if players[entry.number] is not None}
    master = master_of(session, tournament)
    made = tuple(
        _make_match(
            session,
            tournament,
            table,
            [(players[int(each)], wishes.get(int(each), [])) for each in leg],
            master=master,
            now=now,
        )
        for table in unmade_tables(session, tournament, most=most)
        for leg in rotate_legs(tuple(table.entrants), tournament.legs)
    )
    if has_new_reader(session, tournament):
        for match in made:
            reader = PlayerName(session.get_one(Player, master))
            add_note(
                session,
                match,
                now,
                reader,
                "reads all press of this match; another director read that of the season before",
            )
    return tuple(match.uid for match in made)


def _make_match(
    session: Session,
    tournament: Tournament,
    table: TournamentTable,
    players: Sequence[tuple[int | None, list[str]]],
    *,
    master: int,
    now: datetime,
) -> Match:
    """Make one match of a table, with these players in seat order, None for a vacant seat, and the
    seats that each wishes for.

    Where anybody wishes for one, all seats are given by preference and lot as the match begins.
    """
    name = f"{tournament.name}, round {table.round_number}, table {table.number}"
    wish = table_wish(codec.load(Wish, tournament.wish), name=name, seats=len(players))
    wish = replace(wish, seating="preference" if any(wishes for _, wishes in players) else "order")
    match = by_uid(session, add_match(session, master, wish, now=now, again=True))
    match.table_id, match.open_seats, match.named_after = table.id, False, tournament.named_after
    for seat, (player_id, wishes) in zip(seats_of(session, match), players, strict=True):
        seat.player_id, seat.wishes = player_id, list(wishes)
    note_people(session, match)
    return match
