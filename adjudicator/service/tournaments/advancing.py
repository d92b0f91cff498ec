"""What the worker does for tournaments: it fixes their chance, closes entries, takes results, pairs rounds and publishes the chance."""

from datetime import datetime

from sqlmodel import Session, col, or_, select

from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.state import MatchChains
from adjudicator.service.base.tables import Match, Tournament, TournamentTable
from adjudicator.service.matches.masters import clean_reason
from adjudicator.service.tournaments.entering import close_by_moment
from adjudicator.service.tournaments.making import fix_chance
from adjudicator.service.tournaments.records import OVER, lock_to_direct, lock_tournament, note_tournament
from adjudicator.service.tournaments.results import take_results
from adjudicator.service.tournaments.rounds import pair_next


def to_advance(session: Session, now: datetime, *, most: int = 200) -> list[str]:
    """Return the public names of tournaments that wait for `advance_tournament`, the oldest first; indexes find them."""
    unscored = select(TournamentTable.id).where(TournamentTable.tournament_id == Tournament.id, col(TournamentTable.scored_at).is_(None))
    going_on = select(Match.id).where(Match.table_id == TournamentTable.id, Match.status != "ended")
    moved = (col(Tournament.status) == "running") & or_(~unscored.exists(), unscored.where(~going_on.exists()).exists())
    late = (col(Tournament.status) == "entering") & (col(Tournament.closes_at) <= now)
    waiting = select(Tournament.uid).where(or_(col(Tournament.status).in_(("making", "ending")), late, moved))
    return list(session.exec(waiting.order_by(col(Tournament.id)).limit(most)))


def advance_tournament(database: Database, keyring: Keyring, uid: str, *, now: datetime) -> tuple[str, ...]:
    """Do whatever is due in a tournament; returns the public names of the matches that were made, for the worker to prepare.

    1. Fix its chance once it is made; close its entries when their moment has come.
    2. Take the results of matches that have ended; pair the next round when every table has one, or end the tournament.
    3. Publish its chance once it has ended.

    All in one transaction, and idempotent: whoever comes second finds nothing to do.
    """
    with database.write_tx() as session:
        tournament = lock_tournament(session, uid)
        fix_chance(tournament, keyring)
        close_by_moment(session, tournament, now=now)
        made: tuple[str, ...] = ()
        if tournament.status == "running":
            take_results(session, tournament, now=now)
            made = pair_next(session, tournament, keyring, now=now)
        if tournament.status == "ending":
            tournament.opened_chains = MatchChains.unwrap(keyring, tournament).opened
            tournament.status = "ended"
    return made


def end_tournament(database: Database, uid: str, director_id: int, reason: str, *, now: datetime) -> None:
    """End a tournament as it stands. Matches that are played go on, but count no more. Idempotent.

    Raises NotAllowed for others than its directors, Refused without a reason, NotNow while it is being set up.
    """
    with database.write_tx() as session:
        tournament, who = lock_to_direct(session, uid, director_id)
        if tournament.status in OVER:
            return
        if tournament.status == "making":
            raise NotNow("This tournament is still being set up; try again in a moment.")
        why = clean_reason(reason)
        tournament.status, tournament.ended_at = "ending", now
        note_tournament(session, tournament, now, who, f"ended the tournament: {why}")
