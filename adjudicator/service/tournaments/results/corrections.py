"""What a corrected result does to rounds that were paired from it: one in which no phase has closed
is void, others stand. The last round, that a director takes back.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.platform.words import format_utc
from adjudicator.play.tournaments.formats import KnockOut, Swiss
from adjudicator.play.tournaments.pairing import BY_HAND
from adjudicator.play.tournaments.past import with_given
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import exists, lock_by_uid, open_phase, show_change
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import (
    Match,
    PhaseRow,
    Tournament,
    TournamentDecision,
    TournamentRound,
    TournamentTable,
    TournamentVoid,
)
from adjudicator.service.matches import masters
from adjudicator.service.matches.masters import clean_reason
from adjudicator.service.matches.notes import SERVICE, add_note
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.records import (
    entries_of,
    find_tournament,
    format_of,
    lock_to_direct,
    lock_tournament,
    matches_of,
    note_tournament,
    played_rounds,
    read_given,
    rounds_of,
    rows_of,
    staying,
    tables_at,
    tables_of,
)
from adjudicator.service.tournaments.rounds import Position, draw_round

# that the pairing of a round waits which a director took back, where decided results let none wait
UNDONE_HOURS = 24


@dataclass(frozen=True)
class _Look:
    """The rounds that could be others after a correction."""

    tournament: Tournament
    stamp: tuple[int | None, ...]  # is another one once somebody has corrected or paired meanwhile
    positions: tuple[Position, ...]  # what each round would be paired from now
    matches: tuple[str, ...]  # public names of those of the last round


def recheck_rounds(database: Database, keyring: Keyring, uid: str, *, now: datetime) -> bool:
    """Draw the rounds again that were paired from a result that was corrected since, and take the
    last one back as a director asked; returns whether there was something to do.

    1. Only a Swiss and a knock-out pair by results. Each round is drawn from its own element, with
       who was there and the results of now, outside of any transaction; this is repeated if
       somebody corrected or paired meanwhile.
    2. A round that would be the same stands. Of those that would not, the last is void if no phase
       of it has closed and no table has a result: its matches end, and it is paired again from the
       same element. All others stand and are marked.
    3. A round that a director takes back is void in the same way, or stands if it has begun.

    Idempotent. Raises NotFound.
    """
    with database.read_tx() as session:
        look = _look(session, uid)
    if look is None:
        return False
    chains = MatchChains.recall(keyring, look.tournament)
    drawn = {position.number: draw_round(position, chains) for position in look.positions}
    with failpoints.killable_tx(database, "recheck") as session:
        # before the tournament, as who erases a player does
        matches = [lock_by_uid(session, match) for match in look.matches]
        tournament = lock_tournament(session, uid)
        if _stamp(session, tournament) != look.stamp:
            return True
        rounds = rounds_of(session, tournament, whole=True)
        for row in rounds:
            if row.number in drawn:
                again = drawn[row.number]
                row.outdated = again is None or (again.tables, again.sitting_out) != _paired(
                    session, tournament, row
                )
        last, begun = rounds[-1], _has_begun(session, tournament, rounds[-1], matches)
        if tournament.undoing is not None:
            if begun:
                kept = f"kept round {last.number}, of which a phase had closed meanwhile"
                note_tournament(session, tournament, now, SERVICE, kept)
            else:
                why = f"was taken back: {tournament.undoing}"
                _void(session, tournament, last, matches, now, why)
        elif last.outdated and last.number in drawn and not begun:
            why = "is paired again, as a result was corrected"
            _void(session, tournament, last, matches, now, why)
            _tell_corrected(session, tournament, last.number, now)
        tournament.recheck_from = tournament.undoing = None
    return True


def _look(session: Session, uid: str) -> _Look | None:
    tournament = find_tournament(session, uid)
    if tournament.recheck_from is None and tournament.undoing is None:
        return None
    format_ = format_of(tournament)
    history = played_rounds(session, tournament)
    rounds = rounds_of(session, tournament, whole=True)
    later = (
        [row for row in rounds if row.number > tournament.recheck_from]
        if tournament.recheck_from is not None and isinstance(format_, Swiss | KnockOut)
        else []
    )
    positions = tuple(
        Position(
            uid,
            format_,
            tuple(row.entrants),
            tuple(with_given(history[: row.number - 1], read_given(row.given).items())),
            tuple(tournament.tie_breaks),
        )
        for row in later
        if row.entrants is not None and row.pairing_version != BY_HAND
    )
    tables = [
        table for table in tables_of(session, tournament) if table.round_number == len(rounds)
    ]
    matches = sorted(
        (each for of_table in matches_of(session, tables).values() for each in of_table),
        key=lambda each: each.id,
    )
    return _Look(
        tournament, _stamp(session, tournament), positions, tuple(match.uid for match in matches)
    )


def _stamp(session: Session, tournament: Tournament) -> tuple[int | None, ...]:
    newest = session.exec(
        select(func.max(TournamentDecision.id)).where(
            TournamentDecision.tournament_id == tournament.id
        )
    ).one()
    at_table = select(TournamentTable.id).where(TournamentTable.tournament_id == tournament.id)
    made = session.exec(select(func.count()).where(col(Match.table_id).in_(at_table))).one()
    return tournament.recheck_from, newest, len(rounds_of(session, tournament)), made


def _paired(session: Session, tournament: Tournament, row: TournamentRound) -> tuple[Any, Any]:
    return tuple(
        tuple(table.entrants) for table in tables_at(session, tournament, row.number)
    ), tuple(row.sitting_out)


def _has_begun(
    session: Session, tournament: Tournament, row: TournamentRound, matches: list[Match]
) -> bool:
    """Whether a table of a round has a result, or a phase of one of its matches has closed."""
    if any(table.scored_at is not None for table in tables_at(session, tournament, row.number)):
        return True
    # at the start itself those close in which nobody has a choice
    later = col(PhaseRow.closed_at) > col(Match.started_at)
    closed = select(PhaseRow.id).join(Match).where(later)
    closed = closed.where(col(Match.id).in_([match.id for match in matches]))
    over = any(match.status == "ended" or match.stopped_why is not None for match in matches)
    return over or exists(session, closed)


@act
def undo_round(
    session: Session, uid: str, director_id: int, number: int, *, reason: str, now: datetime
) -> None:
    """Take back the last round, as a director, if no phase of it has closed and no table has a
    result; a worker does it at once, as rounds are kept from the site.

    It is paired again from the same element of the chance: without who was taken out meanwhile, or
    by hand. The pairing waits for `go_on`, or a day. Raises NotAllowed for others than the
    directors, Refused without a reason, NotNow for another round or one that has begun.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    rounds, why = rounds_of(session, tournament, whole=True), clean_reason(reason)
    last = rounds[-1] if rounds and tournament.undoing is None else None
    if tournament.status != "running" or last is None or last.number != number:
        raise NotNow(
            "Only the last round of a tournament that is played can be taken back, and nothing was"
            " changed."
        )
    at = matches_of(session, tables_at(session, tournament, number))
    if _has_begun(session, tournament, last, [match for found in at.values() for match in found]):
        raise NotNow(
            "A phase of this round has closed, or a table has a result, so it stands. Nothing was"
            " changed."
        )
    what = f"took back round {number}, of which no phase had closed: {why}"
    note_tournament(session, tournament, now, who, what)
    tournament.undoing = why
    tournament.waits_until = now + timedelta(hours=tournament.wait_hours or UNDONE_HOURS)


def _void(
    session: Session,
    tournament: Tournament,
    row: TournamentRound,
    matches: list[Match],
    now: datetime,
    why: str,
) -> None:
    """Take a round back: its pairing and tables stay as void, its matches end, and it is paired
    next; `why` is what a sentence says of the round.
    """
    void = TournamentVoid(
        tournament_id=tournament.id, number=row.number, voided_at=now, paired=plain_round(row)
    )
    session.add(void)
    session.flush()
    for table in tables_at(session, tournament, row.number):
        table.round_number, table.scored_at = -void.id, now
    for match in matches:
        _end(session, match, f"round {row.number} of its tournament {why}", now)
    session.delete(row)
    tournament.adjudging = False
    tournament.round_until = None
    tournament.tell_round = None
    tournament.told_to = 0


def _tell_corrected(session: Session, tournament: Tournament, number: int, now: datetime) -> None:
    """Note that a corrected result would pair a round otherwise, and have everybody told."""
    sentence = (
        f"took back round {number}, of which no phase had closed: it is paired again from the"
        " corrected result"
    )
    note_tournament(session, tournament, now, SERVICE, sentence)
    concerned = [entry.number for entry in staying(entries_of(session, tournament))]
    untold = col(TournamentDecision.told_at).is_(None)
    before = col(TournamentDecision.round_number) < number
    for decision in rows_of(session, tournament, TournamentDecision, untold, before):
        decision.voided, decision.concerned = number, concerned


def _end(session: Session, match: Match, why: str, now: datetime) -> None:
    """End a match of a void pairing; it counts for no rating."""
    match.rated = False
    if open_phase(session, match) is not None:
        masters.stop_as(session, match, SERVICE, why, now=now, adjudged=True)
        return
    match.status, match.ended_at, match.join_token = "expired", now, None
    add_note(session, match, now, SERVICE, f"ended the match, which had not begun: {why}")
    show_change(match)


def void_tables(session: Session, void: TournamentVoid) -> list[TournamentTable]:
    """Return the tables of a void pairing, in the order of their numbers."""
    at = select(TournamentTable).where(
        TournamentTable.tournament_id == void.tournament_id,
        TournamentTable.round_number == -void.id,
    )
    return list(session.exec(at.order_by(col(TournamentTable.number))))


def plain_round(row: TournamentRound) -> dict[str, Any]:
    """Return a round as the tournament's file has it, but for its tables; read it with what it was
    paired from.
    """
    return {
        "number": row.number,
        "paired_at": format_utc(row.paired_at),
        "pairing_version": row.pairing_version,
        "element": row.element,
        "entrants": row.entrants,
        "changes": row.changes,
        "order": row.drawn,
        "turn": row.turn,
        "sitting_out": row.sitting_out,
        "given": row.given or {},
    }
