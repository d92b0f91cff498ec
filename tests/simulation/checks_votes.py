"""Votes and ends: what passed had the votes it needs, what has them passed, it was done once, and
who conceded comes last.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import Session, col, select

from adjudicator.service.base.state import ANONYMOUS, game_of, load_state
from adjudicator.service.base.tables import Due, MasterNote, Match, Player, Proposal, Vote
from tests.simulation.scene import Check, Scene

_BY_MAJORITY = ("extend", "pause", "resume")
_WEEK = timedelta(days=7)


def _electors(session: Session, scene: Scene, proposal: Proposal) -> set[str]:
    """Return the seats that may vote on a proposal at the end of its phase: fewer than before,
    where somebody conceded.

    House bots have no vote but on draws, unless nobody could learn who they were: their match was
    anonymous until it ended.
    """
    match = scene.matches[proposal.match_id]
    abstain = proposal.kind != "draw" and not match.options.get(ANONYMOUS)
    bots = {player.id for player in session.exec(select(Player)) if player.house and abstain}
    gone = {seat for seat, after in match.conceded or () if after < proposal.phase_number}
    phase = scene.phase(match.uid, proposal.phase_number)
    left = {
        each.name
        for each in scene.seats
        if each.match_id == match.id and each.player_id not in bots
    } - gone
    if phase is not None:
        left -= set(game_of(match).out(load_state(game_of(match), phase.before)))
    return left & set(phase.due) if proposal.kind == "extend" and phase is not None else left


def _votes(session: Session, proposal: Proposal) -> dict[str, bool]:
    return {
        vote.seat: vote.yes
        for vote in session.exec(select(Vote).where(Vote.proposal_id == proposal.id))
    }


def _proposals(session: Session) -> list[Proposal]:
    return list(session.exec(select(Proposal).order_by(col(Proposal.id))))


def a_vote_passes_at_once_and_only_with_enough(session: Session, scene: Scene) -> Iterator[str]:
    handed_over = {
        seat.match_id for seat in scene.seats if seat.open_since is not None or seat.tenure > 1
    }
    # there seats came and went
    for proposal in (each for each in _proposals(session) if each.match_id not in handed_over):
        votes, may = _votes(session, proposal), _electors(session, scene, proposal)
        yes = sum(said for seat, said in votes.items() if seat in may)
        enough = yes > 0 and (
            yes * 2 > len(may) if proposal.kind in _BY_MAJORITY else yes == len(may)
        )
        conceded = any(
            after == proposal.phase_number - 1
            for _, after in scene.matches[proposal.match_id].conceded or ()
        )
        if proposal.outcome == "passed" and not enough and not conceded:
            yield f"{proposal.kind} {proposal.id} passed with {yes} votes of {len(may)}"
        if proposal.outcome == "rejected" and all(votes.values()):
            yield f"{proposal.kind} {proposal.id} was rejected, and nobody was against it"
        if proposal.outcome is None and enough and not conceded:
            yield f"{proposal.kind} {proposal.id} has {yes} votes of {len(may)} and did not pass"


def every_vote_of_a_page_is_kept(session: Session, scene: Scene) -> Iterator[str]:
    """A vote that a page confirmed stands, unless its player voted otherwise, or proposed the same
    again, which is a vote for it.
    """
    seats = {(seat.match_id, seat.player_id): seat.name for seat in scene.seats}
    match_ids = {match.uid: match.id for match in scene.matches.values()}
    kinds = {each.id: each.kind for each in _proposals(session)}
    for cast in scene.ledger.cast:
        said = {
            each.yes
            for each in scene.ledger.cast
            if (each.player, each.proposal) == (cast.player, cast.proposal)
        }
        kind = kinds.get(cast.proposal)
        # masters ask for these two as well
        if kind in ("pause", "resume") or (cast.uid, cast.player, kind) in scene.ledger.proposed:
            said.add(True)
        seat = seats.get((match_ids[cast.uid], cast.player))
        kept = session.exec(
            select(Vote).where(Vote.proposal_id == cast.proposal, Vote.seat == seat)
        ).first()
        if cast.done and (kept is None or (len(said) == 1 and kept.yes is not cast.yes)):
            yield f"the vote of seat {seat} on {cast.proposal} was confirmed, and it is not kept"


def what_passed_was_done_once(session: Session, scene: Scene) -> Iterator[str]:
    """As many changes are noted under the players' name as proposals passed, and each extension
    ends where it said.
    """
    words = {
        "extend": "moved",
        "shorten": "moved",
        "close": "closed",
        "pause": "paused",
        "resume": "set",
        "draw": "agreed",
        "end": "agreed",
    }
    passed = [each for each in _proposals(session) if each.outcome == "passed"]
    done = Counter((each.match_id, words[each.kind]) for each in passed if each.kind in words)
    by_players = select(MasterNote).where(MasterNote.who == "the players")
    noted = Counter(
        (note.match_id, note.what.partition(" ")[0]) for note in session.exec(by_players)
    )
    for key in (done.keys() | noted.keys()) - {(match_id, "did") for match_id, _ in noted}:
        if done[key] != noted[key]:
            yield (
                f"{key[1]} was decided {done[key]} times in match {key[0]}, and noted {noted[key]}"
                " times"
            )
    extended: Counter[tuple[int, int]] = Counter()
    for each in passed:
        if each.kind == "extend" and each.target is not None and each.was is not None:
            extended[each.match_id, each.phase_number] += round(
                (each.target - each.was).total_seconds()
            )
    for (match_id, number), seconds in extended.items():
        if seconds > min(scene.matches[match_id].every_seconds, _WEEK.total_seconds()):
            yield f"votes gave phase {number} of match {match_id} {seconds} seconds"


def an_extended_phase_ends_where_it_was_agreed(session: Session, scene: Scene) -> Iterator[str]:
    noted = {
        note.match_id
        for note in session.exec(select(MasterNote))
        if note.who != "the players" and note.what.startswith("moved")
    }
    noted |= {
        each.match_id
        for each in _proposals(session)
        if each.kind == "shorten" and each.outcome == "passed"
    }
    moved = {
        note.match_id
        for note in session.exec(select(MasterNote))
        if note.what.startswith(("set", "closed"))
    }
    last = {
        (each.match_id, each.phase_number): each
        for each in _proposals(session)
        if each.kind == "extend" and each.outcome == "passed"
    }
    for (match_id, number), each in last.items():
        phase = scene.phase(scene.matches[match_id].uid, number)
        if match_id not in noted | moved and phase is not None and phase.deadline != each.target:
            yield (
                f"phase {number} of match {match_id} was to end at {each.target} and ends at"
                f" {phase.deadline}"
            )


def nobody_votes_on_more_time_for_a_closed_phase(session: Session, scene: Scene) -> Iterator[str]:
    closed = {(phase.match_id, phase.number): phase.closed_at for phase in scene.phases}
    for each in _proposals(session):
        end = closed.get((each.match_id, each.phase_number))
        late = [
            vote.seat
            for vote in session.exec(select(Vote).where(Vote.proposal_id == each.id))
            if end is not None and vote.at > end
        ]
        if each.kind == "extend" and late:
            yield (
                f"{late} voted on more time for phase {each.phase_number} of match {each.match_id}"
                " after it was closed"
            )


def one_proposal_of_a_kind_stands(session: Session, scene: Scene) -> Iterator[str]:
    standing = Counter(
        (each.match_id, each.kind) for each in _proposals(session) if each.outcome is None
    )
    yield from (
        f"{count} proposals of {kind} stand in match {match_id}"
        for (match_id, kind), count in standing.items()
        if count > 1
    )
    for each in _proposals(session):
        written = Counter(
            letter.seat
            for letter in scene.letters
            if letter.kind == "proposal" and letter.match_id == each.match_id
        )
        asked = sum(1 for other in _proposals(session) if other.match_id == each.match_id)
        yield from (
            f"seat {seat} got {count} letters of {asked} proposals"
            for seat, count in written.items()
            if count > asked
        )


def who_conceded_plays_no_more_and_comes_last(session: Session, scene: Scene) -> Iterator[str]:
    for match in scene.matches.values():
        for seat, after in match.conceded or ():
            yield from _still_plays(session, scene, match, seat, after)
        gone = {seat for seat, _ in match.conceded or ()}
        if match.status != "ended" or not gone or match.result is None:
            continue
        others = [each["place"] for seat, each in match.result.items() if seat not in gone]
        if any(
            match.result[seat]["place"] <= max(others) or match.result[seat]["outcome"] != "lost"
            for seat in gone
        ):
            yield f"{sorted(gone)} conceded in {match.uid}, and the result is {match.result}"
        if not any(
            each["outcome"] in ("won", "shared", "drew")
            for seat, each in match.result.items()
            if seat not in gone
        ):
            yield f"nobody won {match.uid}, in which {sorted(gone)} conceded"


def _still_plays(
    session: Session, scene: Scene, match: Match, seat: str, after: int
) -> Iterator[str]:
    for phase in scene.of_match[match.uid]:
        taken = (phase.taken or {}).get(seat)
        if (
            phase.number > after
            and taken is not None
            and taken["how"] not in ("conceded", "forced")
        ):
            yield (
                f"seat {seat} of {match.uid} conceded after phase {after}, and its orders of phase"
                f" {phase.number} were {taken['how']}"
            )
        owes = session.exec(select(Due).where(Due.phase_id == phase.id, Due.seat == seat)).first()
        if phase.number > after and owes is not None and phase.why != "stopped":
            yield (
                f"seat {seat} of {match.uid} conceded after phase {after} and owes orders in phase"
                f" {phase.number}"
            )


def a_stopped_match_ends_and_its_open_phase_is_never_played(
    _: Session, scene: Scene
) -> Iterator[str]:
    for phase in scene.phases:
        match = scene.matches[phase.match_id]
        if phase.why == "stopped" and (
            match.status != "ended" or phase.closed_at is not None or phase.taken
        ):
            yield f"{match.uid} was stopped in phase {phase.number}, and is {match.status}"
        if phase.why == "stopped" and match.stopped_after != phase.number - 1:
            yield (
                f"{match.uid} was stopped in phase {phase.number}, and after {match.stopped_after}"
            )


CHECKS: tuple[Check, ...] = (
    a_vote_passes_at_once_and_only_with_enough,
    every_vote_of_a_page_is_kept,
    what_passed_was_done_once,
    an_extended_phase_ends_where_it_was_agreed,
    nobody_votes_on_more_time_for_a_closed_phase,
    one_proposal_of_a_kind_stands,
    who_conceded_plays_no_more_and_comes_last,
    a_stopped_match_ends_and_its_open_phase_is_never_played,
)
