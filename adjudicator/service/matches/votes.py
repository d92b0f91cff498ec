"""Proposals and votes: players ask for more time, a pause, an end or a draw, and vote on it; a vote
that suffices acts at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.play.loop import StopReason
from adjudicator.service.base import public_keys
from adjudicator.service.base.due.phase_clock import on_its_clock
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.names import link_in, one_line
from adjudicator.service.base.rows import (
    count_rows,
    lock_by_uid,
    open_phase,
    plays,
    seats_of,
    show_change,
    why_not_open,
)
from adjudicator.service.base.state import about_of
from adjudicator.service.base.tables import Match, PhaseRow, Player, Proposal, Seat, Vote
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.match_content import ProposalLetter
from adjudicator.service.matches import clock, proposals, tenure_letters, timetables
from adjudicator.service.matches.notes import (
    PLAYERS,
    STOPPED,
    add_act,
    add_note,
    in_utc,
    phase_with_clock,
)
from adjudicator.service.matches.proposals import (
    BY_RULE,
    STANDS,
    ProposalKind,
    describe_proposal,
    describe_tally,
)
from adjudicator.service.matches.tenure_letters import AtOnce
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.bodies import vote_request
from adjudicator.service.requests.made_for import MadeFor, require_phase, require_tenure
from adjudicator.service.requests.rights import NO_SEAT, require_seat
from adjudicator.service.requests.sent_forms import make_once
from adjudicator.service.requests.signing import sign_request
from adjudicator.service.tokens.references import of_vote

MOST_PROPOSED = 3  # proposals of one kind by one seat in one phase: each is a letter to everybody
LONGEST_REASON = 200
_LAPSES: tuple[ProposalKind, ...] = ("end", "draw")
_LENT = "Your substitute votes for your seat. Write `back` to have it back, and vote then."
# what can be voted on while the match is paused
_WITHOUT_CLOCK: tuple[ProposalKind, ...] = ("resume", "end", "draw")


@dataclass(frozen=True)
class Ask:
    """What a player proposes."""

    kind: ProposalKind
    target: datetime | None = None  # the deadline, where the kind has one
    reason: str = ""


@dataclass(frozen=True)
class VoteResult:
    """What became of a proposal or a vote, in a sentence for the player; `acted` where it changed
    the match.
    """

    sentence: str
    acted: bool = False


@dataclass(frozen=True)
class Voter:
    """A player in a seat of a match that the caller has locked, and its open phase."""

    match: Match
    phase: PhaseRow
    seat: Seat
    player: Player
    arrived: datetime  # when the player's letter or request arrived

    def describe(self, proposal: Proposal) -> str:
        """Return a proposal in the player's zone."""
        return describe_proposal(proposal.kind, self.phase.name, proposal.target, self.player.zone)


@act
def propose(
    session: Session,
    uid: str,
    player_id: int,
    ask: Ask,
    *,
    now: datetime,
    made_for: MadeFor | None = None,
) -> VoteResult:
    """Put a change of the match to the vote; the proposer agrees to it. Raises Refused with a
    sentence.

    A proposal that stands already, or is so already, changes nothing, nor does a form that is sent
    again. One that was made for another phase or tenure is refused. More time until a day without
    deadlines is more time until the same local time of the next day that has them.
    """

    def do() -> VoteResult:
        voter = find_voter(session, lock_by_uid(session, uid), player_id, now, made_for)
        number = made_for.phase if made_for is not None else None
        return propose_in(session, voter, ask, now=now, phase_number=number)

    return vote_once(session, do)


@act
def vote(
    session: Session,
    uid: str,
    player_id: int,
    proposal_id: int,
    *,
    yes: bool,
    now: datetime,
    made_for: MadeFor | None = None,
) -> VoteResult:
    """Vote on a proposal, or change a vote. Raises Refused with a sentence, also for a form that
    was made for another phase or tenure.

    A repeated vote changes nothing.
    """
    voter = find_voter(session, lock_by_uid(session, uid), player_id, now, made_for)
    proposal = session.get(Proposal, proposal_id)
    if proposal is None or proposal.match_id != voter.match.id:
        raise NotFound("There is no such proposal in this match.")
    if proposal.outcome is None:
        require_phase(made_for, voter.phase)
    return vote_in(session, voter, proposal, yes=yes, now=now)


def vote_once(session: Session, act: Callable[[], VoteResult]) -> VoteResult:
    """Do what a form asks for; one that is sent again gets the sentence of the first time."""
    done: list[VoteResult] = []

    def make() -> str:
        done.append(act())
        return done[0].sentence

    sentence = make_once(session, make)
    return done[0] if done else VoteResult(sentence)


def find_voter(
    session: Session,
    match: Match,
    player_id: int | None,
    arrived: datetime,
    made_for: MadeFor | None = None,
) -> Voter:
    """Return a player's seat in a match that the caller has locked.

    Raises NotAllowed without one, NotNow without an open phase, or for a form that was made for
    another tenure of it.
    """
    lent = plays(seats_of(session, match), player_id)
    seat = require_seat(session, match, player_id, _LENT if lent else NO_SEAT)
    require_tenure(made_for, seat)
    phase = open_phase(session, match)
    if phase is None:
        raise NotNow(why_not_open(match))
    return Voter(match, phase, seat, session.get_one(Player, player_id), arrived)


# --- proposing


def propose_in(
    session: Session, voter: Voter, ask: Ask, *, now: datetime, phase_number: int | None = None
) -> VoteResult:
    """Do as `propose` in a match that the caller has locked."""
    match, phase = voter.match, voter.phase
    if ask.kind == "extend" and ask.target is not None and abs(ask.target - now) < clock.FURTHEST:
        ask = replace(ask, target=timetables.past_days_off(match, ask.target))
    _require_phase(session, voter, ask.kind, phase_number)
    _require_possible(session, voter, ask.kind)
    if ask.target is not None and ask.target == phase.deadline:
        return VoteResult(f"The deadline of {phase.name} is that already, so nothing was changed.")
    open_one = _standing(session, match, phase, ask.kind, now)
    if open_one is not None:
        return _asked_again(session, voter, open_one, ask, now=now)
    if ask.kind == "extend":
        _require_room(session, voter, ask.target, now)
    elif ask.target is not None:
        clock.check_deadline(ask.target, now)
    _require_few(session, voter, ask.kind)
    proposal = _add(session, voter, ask, now)
    result = vote_in(session, voter, proposal, yes=True, now=now, proposed=True)
    if proposal.outcome is None:
        _write_letters(session, voter, proposal, now)
    return result


def _require_phase(session: Session, voter: Voter, kind: str, number: int | None) -> None:
    """Raise NotNow where another phase than `number` is open, or no clock runs and the kind needs
    one.
    """
    if kind in _WITHOUT_CLOCK and voter.match.paused_at is not None:
        if number is not None and number != voter.phase.number:
            raise NotNow(
                f"That phase is closed by now, and nothing was changed; {voter.phase.name} is open."
            )
        return
    phase_with_clock(session, voter.match, on_its_clock(voter.match, voter.arrived), number)


def _require_possible(session: Session, voter: Voter, kind: ProposalKind) -> None:
    """Raise Refused where the match never decides this by vote, NotNow where it is so already."""
    match, about = voter.match, about_of(voter.match)
    if kind in BY_RULE and match.vote_rule == "none":
        raise NotAllowed("In this match its master alone decides on more time and pauses.")
    if kind == "resume" and match.paused_at is None:
        raise NotNow("This match is not paused.")
    if kind == "draw" and about.draws != "vote":
        by_orders = f"In {about.title} a vote for a draw is an order: write `draw` among yours."
        raise Refused(
            by_orders if about.draws == "orders" else f"{about.title} has no draws by agreement."
        )
    if voter.seat.name not in {
        seat.name for seat in proposals.seats_left(session, match, voter.phase)
    }:
        raise NotAllowed("Your seat is out of this match, so it votes no more.")


def _standing(
    session: Session, match: Match, phase: PhaseRow, kind: str, now: datetime
) -> Proposal | None:
    """Return the proposal of a kind that can be voted on; one that means nothing any more
    lapses.
    """
    rows = select(Proposal).where(
        Proposal.match_id == match.id, Proposal.kind == kind, col(Proposal.outcome).is_(None)
    )
    found = session.exec(rows).first()
    if found is not None and proposals.has_lapsed(session, match, phase, found, now):
        found.outcome = "lapsed"
        session.flush()
        return None
    return found


def _asked_again(
    session: Session, voter: Voter, proposal: Proposal, ask: Ask, *, now: datetime
) -> VoteResult:
    """Count a proposal that stands already as a vote for it; raises NotNow where another target
    stands.
    """
    if proposal.target != ask.target:
        stands = voter.describe(proposal)
        raise NotNow(
            f"Another proposal stands: {stands}. Vote on it first; once it is decided you can"
            " propose another."
        )
    return vote_in(session, voter, proposal, yes=True, now=now)


def _require_room(session: Session, voter: Voter, target: datetime | None, now: datetime) -> None:
    """Raise Refused unless an extension gives time, and no more than votes may give."""
    phase, room = voter.phase, proposals.extension_room(session, voter.match, voter.phase)
    if target is None or phase.deadline is None:
        raise Refused("It needs the time that is asked for: `extend 24h`.", field="deadline")
    if target < phase.deadline:
        raise Refused(
            f"The deadline of {phase.name} is later than that already; a vote gives only more"
            " time.",
            field="deadline",
        )
    if target > room.end:
        most = describe_proposal("extend", phase.name, room.end, voter.player.zone)
        why = (
            f"Votes can give {most} at the latest."
            if room.end > phase.deadline
            else f"Votes can give {phase.name} no more time."
        )
        raise Refused(f"{why} The master can give more.", field="deadline")
    clock.check_deadline(target, now)


def _require_few(session: Session, voter: Voter, kind: str) -> None:
    here = (Proposal.match_id == voter.match.id, Proposal.phase_number == voter.phase.number)
    same = (*here, Proposal.kind == kind, Proposal.seat == voter.seat.name)
    if count_rows(session, Proposal, *same) >= MOST_PROPOSED:
        raise NotNow(
            f"You proposed this {MOST_PROPOSED} times in {voter.phase.name} already; wait for the"
            " next phase."
        )


def _add(session: Session, voter: Voter, ask: Ask, now: datetime) -> Proposal:
    proposal = Proposal(
        match_id=voter.match.id,
        phase_number=voter.phase.number,
        kind=ask.kind,
        seat=voter.seat.name,
        target=ask.target,
        reason=clean_reason(ask.reason),
        at=now,
        until=now + STANDS if ask.kind in _LAPSES else None,
    )
    if not proposals.voters(session, voter.match, voter.phase, ask.kind):
        raise NotNow("Nobody who could vote on it owes orders now.")
    session.add(proposal)
    show_change(voter.match)
    session.flush()
    return proposal


def clean_reason(text: str) -> str:
    """Return a reason that others will read, on one line; raises Refused where it is too long or
    contains a web address.
    """
    reason = one_line(text)
    if len(reason) > LONGEST_REASON:
        raise Refused(f"A reason has {LONGEST_REASON} letters at most.", field="reason")
    if link_in(reason):
        raise Refused("A reason may hold no web address.", field="reason")
    return reason


def _write_letters(session: Session, voter: Voter, proposal: Proposal, now: datetime) -> None:
    """Write to every other player who may vote, has an address and wants letters."""
    match, phase, public = voter.match, voter.phase, public_keys.current_keys(session)
    tally = proposals.count_votes(session, match, phase, proposal)
    others = {seat.id for seat in proposals.voters(session, match, phase, proposal.kind)}
    for seat, player in tenure_letters.readers(session, match):
        if seat.id not in others - {voter.seat.id}:
            continue
        letter = ProposalLetter(
            match=match.name,
            uid=match.uid,
            game_key=match.game,
            seat=seat.name,
            zone=player.zone,
            reply_token=of_vote(match, seat, proposal.id),
            phase=phase.name,
            what=describe_proposal(proposal.kind, phase.name, proposal.target, player.zone),
            vote=proposal.kind,
            reason=proposal.reason,
            tally=describe_tally(tally),
            deadline=phase.deadline,
            until=proposal.until,
        )
        about = outbox.LetterReference(match.id, seat.name, phase=phase.number)
        outbox.write_to(session, player, letter, now=now, about=about, keys=public)


# --- voting


def vote_in(
    session: Session,
    voter: Voter,
    proposal: Proposal,
    *,
    yes: bool,
    now: datetime,
    proposed: bool = False,
) -> VoteResult:
    """Do as `vote` in a match that the caller has locked; `proposed`: by the proposer, who need not
    have a vote.
    """
    match, phase, what = voter.match, voter.phase, voter.describe(proposal)
    if proposal.outcome is None and proposals.has_lapsed(session, match, phase, proposal, now):
        proposal.outcome = "lapsed"
    if proposal.outcome is not None:
        return _decided(session, voter, proposal, yes=yes)
    _require_phase(session, voter, proposal.kind, None)
    if voter.seat.name in {
        seat.name for seat in proposals.voters(session, match, phase, proposal.kind)
    }:
        _cast(session, voter, proposal, yes=yes, now=now)
    elif not proposed:
        raise NotAllowed(_why_no_vote(voter, proposal))
    tally = proposals.count_votes(session, match, phase, proposal)
    if tally.passed:
        _date_vote(session, voter, proposal, now)
        proposal.outcome = "passed"
        return VoteResult(_carry_out(session, voter, proposal, now), acted=True)
    if tally.rejected:
        proposal.outcome = "rejected"
        add_note(
            session,
            match,
            now,
            PLAYERS,
            f"did not agree to a proposal: {_for_all(voter, proposal)}",
            news=AtOnce("A proposal was rejected", but=(voter.player.id,)),
        )
        return VoteResult(f"The proposal was rejected: {what}.")
    sentence = "You proposed" if proposed else "You voted yes:" if yes else "You voted no:"
    return VoteResult(f"{sentence} {what}. {describe_tally(tally)}.")


def _why_no_vote(voter: Voter, proposal: Proposal) -> str:
    if voter.seat.open_since is not None:
        return (
            "Your seat looks for a new player, so nobody waits for its vote. Write `back` first,"
            " and vote then."
        )
    return (
        f"Only the seats that owe orders vote on {voter.describe(proposal)}."
        if proposal.kind == "extend"
        else "Your seat votes no more."
    )


def _decided(session: Session, voter: Voter, proposal: Proposal, *, yes: bool) -> VoteResult:
    """Return the answer to a vote on a proposal that is decided: nothing changes; raises NotNow for
    anything but a repeated vote.
    """
    own = _own_vote(session, voter, proposal)
    became = {"passed": "was accepted", "rejected": "was rejected", "lapsed": "is over"}[
        proposal.outcome or "lapsed"
    ]
    sentence = (
        f"That proposal {became} already, so nothing was changed: {voter.describe(proposal)}."
    )
    own_yes = own.yes if own is not None and own.player_id == voter.player.id else None
    if own_yes is not yes or proposal.outcome == "lapsed":
        raise NotNow(sentence)
    return VoteResult(sentence)


def _cast(session: Session, voter: Voter, proposal: Proposal, *, yes: bool, now: datetime) -> None:
    """Store a vote in place of the seat's earlier one; an equal one of the same player stays."""
    own = _own_vote(session, voter, proposal)
    if own is None:
        own = Vote(
            proposal_id=proposal.id,
            seat=voter.seat.name,
            player_id=voter.player.id,
            yes=yes,
            at=now,
        )
    elif (own.yes, own.player_id, own.tenure) == (yes, voter.player.id, voter.seat.tenure):
        return
    own.yes, own.player_id, own.tenure = yes, voter.player.id, voter.seat.tenure
    _sign_vote(session, voter, proposal, own, now)
    show_change(voter.match)


def _date_vote(session: Session, voter: Voter, proposal: Proposal, now: datetime) -> None:
    """Give the vote that decides the moment of what it decides, which the log asks for, where it is
    one that was repeated.
    """
    own = _own_vote(session, voter, proposal)
    if own is not None and own.at != now:
        _sign_vote(session, voter, proposal, own, now)


def _own_vote(session: Session, voter: Voter, proposal: Proposal) -> Vote | None:
    """Return the vote of the voter's seat."""
    own = select(Vote).where(Vote.proposal_id == proposal.id, Vote.seat == voter.seat.name)
    return session.exec(own).first()


def _sign_vote(
    session: Session, voter: Voter, proposal: Proposal, own: Vote, now: datetime
) -> None:
    own.at = now
    if voter.match.sealing:
        own.signer, own.request_signature = sign_request(
            session, own.player_id, vote_request(voter.match.uid, proposal, own)
        )
    session.add(own)
    session.flush()


def _for_all(voter: Voter, proposal: Proposal) -> str:
    """Return a proposal as public notes tell it, in UTC."""
    if proposal.target is None:
        return describe_proposal(proposal.kind, voter.phase.name, None, "UTC")
    until = in_utc(proposal.target)
    return (
        f"more time, {voter.phase.name} until {until}"
        if proposal.kind == "extend"
        else f"less time, {voter.phase.name} until {until}"
    )


def _carry_out(session: Session, voter: Voter, proposal: Proposal, now: datetime) -> str:
    """Do what was agreed, and return the sentence for the player whose vote decided it."""
    match, phase = voter.match, voter.phase
    if proposal.target is not None:
        proposal.was = phase.deadline
        clock.move(session, match, phase, proposal.target, PLAYERS, now=now)
    elif proposal.kind == "close":
        clock.close(session, match, phase, PLAYERS, now=now)
    elif proposal.kind == "pause":
        tally = proposals.count_votes(session, match, phase, proposal)
        clock.pause(session, match, phase, PLAYERS, now=now, capped=len(tally.yes) < tally.of)
    elif proposal.kind == "resume":
        clock.resume(session, match, PLAYERS, now=now)
    else:
        why: StopReason = "agreed" if proposal.kind == "end" else "draw"
        clock.stop(session, match, phase, why, now=now)
        agreed = (
            f"agreed to end the match in {phase.name}"
            if proposal.kind == "end"
            else f"agreed to a draw in {phase.name}"
        )
        add_act(session, match, now, PLAYERS, agreed, STOPPED + why)
    return f"It is agreed: {voter.describe(proposal)}."


# --- which proposal is meant


@dataclass(frozen=True)
class VoteMeant:
    """What a letter says of the proposal that it votes on."""

    kind: str  # "": the only one
    answered: int | None  # the phase of the letter that it answers
    seen: datetime  # the moment until which its writer can have known of proposals
    proposal_id: int | None = None  # that of the address which it came to


def find_proposal(session: Session, voter: Voter, meant: VoteMeant, *, now: datetime) -> Proposal:
    """Return the proposal that a letter's vote is about.

    Raises NotNow where none stands that its writer can have known of, Refused where several do.
    """
    proposal = _of_address(session, voter, meant)
    if proposal is not None:
        return proposal
    rows = select(Proposal).where(
        Proposal.match_id == voter.match.id, Proposal.phase_number == voter.phase.number
    )
    standing = proposals.standing_proposals(session, voter.match, voter.phase, now)
    kind = meant.kind
    settled = session.exec(
        rows.where(col(Proposal.outcome).is_not(None)).order_by(col(Proposal.id).desc())
    ).all()
    found = [each for each in standing or settled[:1] if kind in ("", each.kind)] or [
        each for each in settled if each.kind == kind
    ][:1]
    if not found:
        raise NotNow("No proposal stands in this match that you could vote on.")
    if len(found) > 1:
        answers = " or ".join(f"`vote yes {each.kind}`" for each in found)
        raise Refused(f"{len(found)} proposals stand; say which one you mean: {answers}.")
    if (
        meant.answered is not None and meant.answered < found[0].phase_number
    ) or meant.seen < found[0].at:
        raise NotNow(
            f"Your letter answers one from before this was proposed: {voter.describe(found[0])}."
            " Answer a newer one to vote on it."
        )
    return found[0]


def _of_address(session: Session, voter: Voter, meant: VoteMeant) -> Proposal | None:
    """Return the proposal whose address the vote came to; None where the vote names another, or
    names none although a yes costs something. Raises NotNow where its phase is over.
    """
    proposal = session.get(Proposal, meant.proposal_id) if meant.proposal_id is not None else None
    if proposal is None or proposal.match_id != voter.match.id:
        return None
    if meant.kind != proposal.kind and (meant.kind or proposal.kind not in BY_RULE):
        return None
    if proposal.kind in proposals.OF_PHASE and proposal.phase_number < voter.phase.number:
        raise NotNow(
            "The phase of that proposal is closed by now, and nothing was changed;"
            f" {voter.phase.name} is open."
        )
    return proposal
