"""What the worker keeps of a match in the record of each phase that it opens, carried from phase to
phase.
"""

from collections.abc import Collection
from dataclasses import replace

from sqlmodel import Session, col, select

from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import WorkerSigner
from adjudicator.service.base.phase_records import KnownMatch, keep_known, recall_known
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.state import conceded_in
from adjudicator.service.base.tables import Match, PhaseRow, Proposal, TournamentTable, Vote
from adjudicator.service.log.seats.rows import plain_time
from adjudicator.service.phases.known_seats import know_seats
from adjudicator.service.requests.bodies import vote_request
from adjudicator.service.requests.identities import find_who


def know_match(
    session: Session, keyring: Keyring, match: Match, last: PhaseRow | None
) -> KnownMatch | None:
    """Return what the worker knows of a match as it opens another phase after the one that was open
    `last`; None without a log.

    The rows are believed in the first phase, and in the first one that a worker of this release
    opens: who runs the match, its tournament and its rules, who has the seats, and the votes that
    were cast before. Raises CannotOpen where the record before is not the worker's. The record of
    the phase before forgets who has the seats.
    """
    if not match.sealing:
        return None
    looking = [seat.name for seat in seats_of(session, match) if seat.open_since is not None]
    before = recall_known(keyring, match, last)
    conceded = list(conceded_in(match).items())  # the closing has settled them
    if before is not None:
        if last is not None and before.seats is not None:
            keep_known(keyring, match, last, replace(before, seats=None))
        vacant = [name for name in before.vacant if name in looking]
        return replace(
            before,
            conceded=conceded,
            vacant=vacant,
            seats=before.seats or know_seats(session, keyring, match),
        )
    with session.no_autoflush:  # an opening phase changes nothing of what is asked for
        _vouch_for_votes(session, keyring, match)
        table = session.get(TournamentTable, match.table_id) if match.table_id is not None else None
        tournament = table.tournament_id if table is not None else None
        seats = know_seats(session, keyring, match)
        master = find_who(session, keyring, match.master_id)
    return KnownMatch(
        master, tournament, match.vote_rule, match.ready_rule, conceded, looking, seats
    )


def know_vacant(
    session: Session,
    keyring: Keyring,
    match: Match,
    phase: PhaseRow | None,
    opened: Collection[str],
) -> None:
    """Keep in the open phase's record that these seats look for a new player, as their players
    missed the phase before.

    The span of a substitute who missed it is over.
    """
    known = recall_known(keyring, match, phase) if opened else None
    if phase is None or known is None:
        return
    lent = {
        seat.name: seat.returns_at for seat in seats_of(session, match) if seat.owner_id is not None
    }
    vacant = [*known.vacant, *sorted(set(opened) - set(lent) - set(known.vacant))]
    seats = dict(known.seats or {})
    for name in set(opened) & set(lent) & set(seats):
        seats[name] = replace(seats[name], until=plain_time(lent[name]))
    keep_known(
        keyring,
        match,
        phase,
        replace(known, vacant=vacant, seats=seats if known.seats is not None else None),
    )


def _vouch_for_votes(session: Session, keyring: Keyring, match: Match) -> None:
    """Vouch for the votes on proposals that stand since before votes were signed."""
    seats = {seat.name: seat for seat in seats_of(session, match)}
    stand = select(Proposal).where(Proposal.match_id == match.id, col(Proposal.outcome).is_(None))
    for proposal in session.exec(stand).all():
        for vote in session.exec(select(Vote).where(Vote.proposal_id == proposal.id)).all():
            if vote.request_signature is None and vote.seat in seats:
                vote.tenure, vote.signer = seats[vote.seat].tenure, None
                vote.request_signature = WorkerSigner(keyring).sign(
                    vote_request(match.uid, proposal, vote)
                )
