"""What the worker does for tournaments: it fixes their chance, closes entries, takes results, pairs
rounds and publishes the chance.
"""

from collections.abc import Iterator
from datetime import datetime

from sqlmodel import Session, col, or_, select

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Match, Tournament, TournamentDecision, TournamentTable
from adjudicator.service.matches.masters import clean_reason
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.entering import close_by_moment
from adjudicator.service.tournaments.making import fix_chance
from adjudicator.service.tournaments.records import (
    OVER,
    end_now,
    find_tournament,
    lock_to_direct,
    lock_tournament,
    note_tournament,
)
from adjudicator.service.tournaments.results.corrections import recheck_rounds
from adjudicator.service.tournaments.results.taking import take_results
from adjudicator.service.tournaments.rounds import (
    draw_round,
    find_position,
    make_matches,
    unmade_tables,
    write_round,
)
from adjudicator.service.tournaments.seasons import carry_over
from adjudicator.service.tournaments.stalling import (
    adjudge_open,
    end_days,
    end_deserted,
    waits_for_nobody,
)
from adjudicator.service.tournaments.telling.decisions import next_untold, tell_decisions
from adjudicator.service.tournaments.telling.directors import tell_end
from adjudicator.service.tournaments.telling.rounds import write_letters
from adjudicator.service.tournaments.vacancies import begin_without, has_vacant_match

# tables or letters that one transaction writes, so that none holds its lock for long
MOST_AT_ONCE = 20


def to_advance(session: Session, now: datetime, *, most: int = 200) -> list[str]:
    """Return the public names of tournaments that wait for `advance_steps`, the oldest first;
    indexes find them.
    """
    unscored = select(TournamentTable.id).where(
        TournamentTable.tournament_id == Tournament.id, col(TournamentTable.scored_at).is_(None)
    )
    going_on = select(Match.id).where(Match.table_id == TournamentTable.id, Match.status != "ended")
    waits = col(Tournament.waits_until).is_not(None) & (col(Tournament.waits_until) > now)
    moved = or_(
        ~unscored.exists() & ~waits,
        unscored.where(or_(~going_on.exists(), has_vacant_match())).exists(),
    )
    gone = (
        select(Match.id)
        .where(Match.table_id == TournamentTable.id, waits_for_nobody(now))
        .correlate(Tournament, TournamentTable)
    )
    deserted = unscored.where(gone.exists()).exists()
    over = or_(
        deserted,
        col(Tournament.round_until) <= now,
        col(Tournament.adjudging),
        col(Tournament.tell_round).is_not(None),
    )
    untold = select(TournamentDecision.id).where(TournamentDecision.tournament_id == Tournament.id)
    decided = or_(
        col(Tournament.recheck_from).is_not(None),
        col(Tournament.undoing).is_not(None),
        untold.where(col(TournamentDecision.told_at).is_(None)).exists(),
    )
    late = (col(Tournament.status) == "entering") & or_(
        col(Tournament.closes_at) <= now, col(Tournament.tell_round).is_not(None)
    )
    running = (col(Tournament.status) == "running") & or_(moved, over, decided)
    waiting = select(Tournament.uid).where(
        or_(col(Tournament.status).in_(("making", "ending")), late, running)
    )
    return list(session.exec(waiting.order_by(col(Tournament.id)).limit(most)))


def advance_steps(
    database: Database, keyring: Keyring, uid: str, *, now: datetime
) -> Iterator[tuple[str, ...]]:
    """Do whatever is due in a tournament, a short transaction a step; each yields the matches it
    made, for the worker to prepare.

    1. Fix its chance once it is made, and enter the players of the season before; close its entries
       when their moment has come.
    2. Take the results of matches that have ended. Look whether rounds stand that were paired from
       a corrected result. Write the letters that one who was killed left unwritten.
    3. Pair the next round when every table has a result, or end the tournament. It is drawn outside
       of any transaction, and drawn again if somebody changed the tournament meanwhile.
    4. Make the matches of its tables; they begin also without who was erased. End those whose
       players have all gone. If the days of the round are over, do what was chosen for who stalls.
    5. Write the letters about the round before and about what directors decided, and publish the
       chance of a tournament that has ended.

    Idempotent: whoever comes second, or after one that was killed, finds only what is left to do.
    Raises NotFound.
    """
    _open_or_close(database, keyring, uid, now=now)
    yield ()
    while take_results(database, uid, now=now, most=MOST_AT_ONCE):
        yield ()
    while recheck_rounds(database, keyring, uid, now=now):
        yield ()
    while write_letters(database, uid, now=now, most=MOST_AT_ONCE):
        yield ()
    while not _pair(database, keyring, uid, now=now):
        yield ()
    while made := _make(database, uid, now=now):
        yield made
    while begin_without(database, uid, now=now, most=MOST_AT_ONCE):
        yield ()
    while end_deserted(database, uid, now=now, most=MOST_AT_ONCE):
        yield ()
    if end_days(database, uid, now=now):
        yield ()
    while adjudge_open(database, uid, now=now, most=MOST_AT_ONCE):
        yield ()
    while write_letters(database, uid, now=now, most=MOST_AT_ONCE):
        yield ()
    while tell_decisions(database, uid, now=now, most=MOST_AT_ONCE):
        yield ()
    _publish(database, keyring, uid)


def _open_or_close(database: Database, keyring: Keyring, uid: str, *, now: datetime) -> None:
    with database.write_tx() as session:
        tournament = lock_tournament(session, uid)
        if fix_chance(tournament, keyring):
            carry_over(session, tournament, now=now)
        close_by_moment(session, tournament, now=now)


def _pair(database: Database, keyring: Keyring, uid: str, *, now: datetime) -> bool:
    """Pair the next round of a tournament if it is due; returns whether it need not be tried
    again.
    """
    with database.read_tx() as session:
        tournament = find_tournament(session, uid)
        position = find_position(session, tournament, now=now)
    if position is None:
        return True
    paired = draw_round(position, MatchChains.recall(keyring, tournament))
    with failpoints.killable_tx(database, "round") as session:
        done = write_round(
            session, lock_tournament(session, uid), position, paired, keyring, now=now
        )
    return done


def _make(database: Database, uid: str, *, now: datetime) -> tuple[str, ...]:
    """Make some of the matches that tables wait for; returns their public names."""
    with database.read_tx() as session:
        tournament = find_tournament(session, uid)
        if tournament.status != "running" or not unmade_tables(session, tournament, most=1):
            return ()
    with failpoints.killable_tx(database, "tables") as session:
        made = make_matches(session, lock_tournament(session, uid), now=now, most=MOST_AT_ONCE)
    return made


def _publish(database: Database, keyring: Keyring, uid: str) -> None:
    with database.write_tx() as session:
        tournament = lock_tournament(session, uid)
        if (
            tournament.status == "ending"
            and tournament.tell_round is None
            and next_untold(session, tournament) is None
        ):
            tournament.opened_chains = MatchChains.recall(keyring, tournament).opened
            tournament.status = "ended"


@act
def end_tournament(
    session: Session, uid: str, director_id: int, reason: str, *, now: datetime
) -> None:
    """End a tournament as it stands. Matches that are played go on, but count no more. Idempotent.

    Raises NotAllowed for others than its directors, Refused without a reason, NotNow while it is
    being set up.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    if tournament.status in OVER:
        return
    if tournament.status == "making":
        raise NotNow("This tournament is still being set up; try again in a moment.")
    why = clean_reason(reason)
    end_now(session, tournament, now)
    note_tournament(session, tournament, now, who, f"ended the tournament: {why}")
    tell_end(session, tournament, f"A director ended it: {why}.", now=now, but={director_id})
