"""What a viewer sees of the proposals in a match, and what this viewer can propose or vote."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, select

from adjudicator.service.base.memory import basis_of
from adjudicator.service.base.rows import by_uid, open_phase, seats_of, sitting
from adjudicator.service.base.state import about_of, conceded_in, progress_of
from adjudicator.service.base.tables import Match, PhaseRow, Proposal, Seat, Vote
from adjudicator.service.matches import proposals
from adjudicator.service.matches.proposals import describe_proposal, describe_tally, describe_voters


@dataclass(frozen=True)
class ShownProposal:
    """A proposal that can be voted on."""

    id: int
    kind: str
    what: str  # "more time: Round 3 until Tue 24 Nov 20:00 (Paris)"
    reason: str
    tally: str  # "1 of 3 agrees; 2 have to"
    until: datetime | None  # when it lapses; None: with its phase or with the pause
    may_vote: bool
    voted: bool | None  # the viewer's own vote
    who_votes: str  # a clause: "the seats that owe orders vote"
    # the seats that voted yes, where the match shows which seats hand in; else ()
    agree: tuple[str, ...] = ()
    against: tuple[str, ...] = ()  # those that voted no, likewise


@dataclass(frozen=True)
class Voting:
    """The votes of a match for one viewer."""

    proposals: tuple[ShownProposal, ...] = ()
    # the latest moment that the viewer can ask a vote to extend the phase to; None: not at all
    extend_until: datetime | None = None
    may_pause: bool = False  # whether the viewer can propose a pause
    may_resume: bool = False  # whether the viewer can propose that a paused match goes on
    may_draw: bool = False
    may_end: bool = False
    may_concede: bool = False
    # whether a concession counts only when the phase closes, and can be taken back until then
    conceding_is_order: bool = False


def votes_of(
    session: Session, uid: str, player_id: int | None, *, zone: str, now: datetime
) -> Voting:
    """Return the votes of a match as one viewer sees them (None: somebody who is not signed in);
    raises NotFound.
    """
    match = by_uid(session, uid)
    phase, seat = open_phase(session, match), sitting(seats_of(session, match), player_id)
    if phase is None:
        return Voting()
    none = basis_of(session, uid, player_id, "proposal") == []
    shown = tuple(
        _shown(session, match, phase, each, seat, zone)
        for each in (() if none else proposals.standing_proposals(session, match, phase, now))
    )
    if seat is None or seat.name not in {
        each.name for each in proposals.seats_left(session, match, phase)
    }:
        return Voting(shown)
    about, running = about_of(match), match.paused_at is None
    by_vote, kinds = match.vote_rule != "none", {each.kind for each in shown}
    end = (
        proposals.extension_room(session, match, phase, none_passed=none).end
        if by_vote and running and "extend" not in kinds
        else None
    )
    return Voting(
        shown,
        extend_until=(
            end if end is not None and phase.deadline is not None and end > phase.deadline else None
        ),
        may_pause=by_vote and running and "pause" not in kinds,
        may_resume=by_vote and not running and "resume" not in kinds,
        may_draw=about.draws == "vote" and "draw" not in kinds,
        may_end="end" not in kinds,
        may_concede=seat.name not in conceded_in(match) and seat.owner_id is None,
        conceding_is_order=bool(about.concede),
    )


def _shown(
    session: Session,
    match: Match,
    phase: PhaseRow,
    proposal: Proposal,
    seat: Seat | None,
    zone: str,
) -> ShownProposal:
    may = seat is not None and seat.id in {
        each.id for each in proposals.voters(session, match, phase, proposal.kind)
    }
    own = select(Vote.yes).where(Vote.proposal_id == proposal.id)
    own = (
        own.where(Vote.seat == seat.name, Vote.player_id == seat.player_id)
        if seat is not None
        else own.where(False)
    )
    tally = proposals.count_votes(session, match, phase, proposal)
    by_seat = progress_of(match) == "seats"
    return ShownProposal(
        proposal.id or 0,
        proposal.kind,
        describe_proposal(proposal.kind, phase.name, proposal.target, zone),
        proposal.reason,
        describe_tally(tally),
        proposal.until,
        may,
        session.exec(own).first() if may else None,
        describe_voters(proposal.kind),
        tally.yes if by_seat else (),
        tally.no if by_seat else (),
    )
