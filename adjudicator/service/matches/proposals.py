"""Proposals that the players of a match vote on: who may vote, how many have to agree, how long a
proposal stands.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from sqlalchemy import bindparam
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform.words import format_moment, plural
from adjudicator.service.base.rows import house_players, seats_of
from adjudicator.service.base.state import conceded_in, game_of, hides_players, load_state
from adjudicator.service.base.tables import Match, PhaseRow, Proposal, Seat, Vote
from adjudicator.service.matches import timetables

ProposalKind = Literal["extend", "shorten", "close", "pause", "resume", "end", "draw"]
KINDS: tuple[ProposalKind, ...] = get_args(ProposalKind)
# what the match's rule of votes decides; the others need everybody
BY_RULE: tuple[ProposalKind, ...] = ("extend", "pause", "resume")
# what ends with its phase
OF_PHASE: tuple[ProposalKind, ...] = ("extend", "shorten", "close", "pause")
STANDS = timedelta(days=7)  # how long a proposal of an end or a draw stands
LONGEST_EXTENSION = timedelta(days=7)  # of one phase, by votes


def seats_left(
    session: Session, match: Match, phase: PhaseRow, still: Collection[SeatName] = ()
) -> list[Seat]:
    """Return the seats that are not out, in seat order; `still` are those that had not conceded yet
    at the moment in question.
    """
    game = game_of(match)
    gone = {*(conceded_in(match).keys() - set(still)), *game.out(load_state(game, phase.before))}
    return [seat for seat in seats_of(session, match) if seat.name not in gone]


def voters(session: Session, match: Match, phase: PhaseRow, kind: str) -> list[Seat]:
    """Return the seats whose votes count, in seat order: on more time those that owe orders, on
    everything else all that are left.

    House bots abstain, and seats that look for a new player are not waited for: they are not
    counted. But a draw needs every seat, and in an anonymous match bots count too, or the count
    would tell who is one.
    """
    left = seats_left(session, match, phase)
    if kind == "draw":
        return left
    bots = set() if hides_players(match) else house_players(session, match)
    here = [
        seat
        for seat in left
        if seat.player_id is not None and seat.player_id not in bots and seat.open_since is None
    ]
    return [seat for seat in here if seat.name in phase.due] if kind == "extend" else here


@dataclass(frozen=True)
class Tally:
    """The votes on a proposal so far."""

    yes: tuple[SeatName, ...]
    no: tuple[SeatName, ...]
    of: int  # seats that may vote
    needed: int  # yes votes that it needs

    @property
    def passed(self) -> bool:
        """Whether enough agree."""
        return 0 < self.needed <= len(self.yes)

    @property
    def rejected(self) -> bool:
        """Whether too many disagree for it ever to pass."""
        return len(self.no) > self.of - self.needed


def count_votes(session: Session, match: Match, phase: PhaseRow, proposal: Proposal) -> Tally:
    """Count the votes on a proposal; the vote of a player who left the seat does not count."""
    may = {seat.name: seat.player_id for seat in voters(session, match, phase, proposal.kind)}
    cast = session.exec(
        select(Vote).where(Vote.proposal_id == proposal.id).order_by(col(Vote.id))
    ).all()
    counted = [vote for vote in cast if vote.seat in may and may[vote.seat] == vote.player_id]
    yes, no = (tuple(vote.seat for vote in counted if vote.yes is said) for said in (True, False))
    majority = proposal.kind in BY_RULE and match.vote_rule == "majority"
    return Tally(yes, no, len(may), len(may) // 2 + 1 if majority else len(may))


# --- how long they stand


_OPEN = (
    select(Proposal)
    .where(col(Proposal.match_id) == bindparam("match"), col(Proposal.outcome).is_(None))
    .order_by(col(Proposal.id))
)


def standing_proposals(
    session: Session, match: Match, phase: PhaseRow | None, now: datetime
) -> list[Proposal]:
    """Return the proposals of a match that can be voted on, oldest first; `phase` is the open
    one.
    """
    if phase is None:
        return []
    rows = session.exec(_OPEN, params={"match": match.id})
    return [each for each in rows if not has_lapsed(session, match, phase, each, now)]


def kind_of(session: Session, uid: str, proposal_id: int) -> str | None:
    """Return the kind of a proposal of a match, None where there is no such one."""
    rows = select(Proposal.kind).join(Match)
    return session.exec(rows.where(Match.uid == uid, Proposal.id == proposal_id)).first()


def has_lapsed(
    session: Session, match: Match, phase: PhaseRow, proposal: Proposal, now: datetime
) -> bool:
    """Whether a proposal means nothing any more.

    Its phase or its time is over, or the clock stands as it wants already. An extension also lapses
    where the deadline became earlier meanwhile, so that it would give more than votes may give.
    """
    if proposal.kind in OF_PHASE and proposal.phase_number != phase.number:
        return True
    if proposal.kind in ("pause", "resume") and (match.paused_at is None) != (
        proposal.kind == "pause"
    ):
        return True
    if proposal.target is not None and phase.deadline is not None:
        if (
            proposal.kind == "extend"
            and proposal.target > extension_room(session, match, phase).end
        ):
            return True
        later = proposal.target > phase.deadline
        return proposal.target == phase.deadline or later != (proposal.kind == "extend")
    return proposal.until is not None and now >= proposal.until


# --- how far votes may extend a phase


@dataclass(frozen=True)
class ExtensionRoom:
    """From which deadline extensions by vote are counted, and the last moment that they may
    reach.
    """

    start: datetime
    end: datetime


def extension_room(
    session: Session, match: Match, phase: PhaseRow, *, none_passed: bool = False
) -> ExtensionRoom:
    """Return how far votes may extend the open phase; `start` is its deadline without what was
    voted before, which is nothing where `none_passed` says so.

    What pauses gave beyond their own length counts as voted.
    """
    voted = () if none_passed else session.exec(_extensions(match, phase)).all()
    gained = sum(
        (each.target - each.was for each in voted if each.target and each.was), timedelta(0)
    )
    start = (phase.deadline or phase.opened_at) - gained
    left = _most_extension(match, phase) - timedelta(seconds=phase.pause_gain_seconds)
    return ExtensionRoom(start, timetables.past_days_off(match, start + max(left, timedelta(0))))


def _extensions(match: Match, phase: PhaseRow) -> SelectOfScalar[Proposal]:
    return select(Proposal).where(
        Proposal.match_id == match.id,
        Proposal.phase_number == phase.number,
        Proposal.kind == "extend",
        Proposal.outcome == "passed",
    )


def _most_extension(match: Match, phase: PhaseRow) -> timedelta:
    if match.extension_seconds is not None:
        return timedelta(seconds=match.extension_seconds)
    return min(timetables.length_of(match, phase), LONGEST_EXTENSION)


# --- words


def describe_proposal(kind: str, phase: str, target: datetime | None, zone: str) -> str:
    """Return what is proposed, as it follows `proposes`: `more time: Round 3 until Tue 24 Nov 20:00
    (Paris)`.
    """
    until = format_moment(target, zone) if target is not None else ""
    return {
        "extend": f"more time: {phase} until {until}",
        "shorten": f"less time: {phase} until {until}",
        "close": f"to close {phase} now",
        "pause": "to pause the match",
        "resume": "to let the match go on",
        "end": "to end the match as it stands",
        "draw": "a draw of everybody who is left",
    }[kind]


def describe_voters(kind: str) -> str:
    """Return who votes on a kind of proposal, a clause."""
    who = {"extend": "the seats that owe orders vote", "draw": "all seats that are not out vote"}
    return who.get(kind, "the players whose seats are not out vote")


def describe_tally(tally: Tally) -> str:
    """Return how a vote stands: `2 of 5 agree, and 3 have to`."""
    agree = plural(len(tally.yes), "{n} of {all} agrees", "{n} of {all} agree", all=tally.of)
    needed = "all have to" if tally.needed == tally.of else f"{tally.needed} have to"
    if not tally.no:
        return f"{agree}; {needed}"
    return f"{agree}, {plural(len(tally.no), '{n} does not', '{n} do not')}; {needed}"
