"""Commands by which players decide together: `extend`, `vote`, `pause`, `resume`, `offer draw`,
`end match`; and `concede`.
"""

import re
from datetime import datetime, timedelta

from adjudicator.mail.commands.command import (
    ALONE,
    OF_MATCH,
    SHORT_NAME,
    Command,
    Done,
    Writer,
    read_line,
)
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import lock_by_uid
from adjudicator.service.matches import masters, proposals, votes
from adjudicator.service.matches.proposals import KINDS
from adjudicator.service.matches.votes import Ask, VoteMeant, Voter, VoteResult
from adjudicator.service.phases import concessions

_SPAN = r"(?:by\s+)?\+?(?P<span>\d{1,4}\s*[mhd])(?:ours?|ays?|in(?:utes?)?)?"
_MOMENT = r"(?:to\s+)?(?P<moment>\d{4}-\d\d-\d\d(?:[ T]\d\d?:\d\d)?)"
_EXTEND = re.compile(rf"{OF_MATCH}(?:{_SPAN}|{_MOMENT})", re.IGNORECASE)
_VOTE = re.compile(rf"{OF_MATCH}(?P<said>yes|no)(?:\s+(?P<kind>{'|'.join(KINDS)}))?", re.IGNORECASE)
_MATCH = re.compile(f"(?P<uid>{SHORT_NAME})", re.IGNORECASE)
_REASON = re.compile(rf"{OF_MATCH}(?:because\s+(?P<reason>.+))?", re.IGNORECASE)


def _voter(writer: Writer, uid: str) -> Voter:
    """Lock the match and return the writer's seat in it; raises NotNow where the letter was written
    in an earlier phase.
    """
    voter = votes.find_voter(
        writer.session, lock_by_uid(writer.session, uid), writer.known().id, writer.arrived
    )
    answered = _answered(writer, uid)
    if answered is not None and answered < voter.phase.number:
        raise NotNow(
            f"Your letter answers one about an earlier phase; {voter.phase.name} is open now."
            " Answer its letter."
        )
    if voter.phase.opened_at > writer.written:
        raise NotNow(
            "The phase that was open when you wrote is closed by now, and nothing was changed;"
            f" {voter.phase.name} is open."
        )
    return voter


def _answered(writer: Writer, uid: str) -> int | None:
    """Return the phase of the match's letter that the writer answers, None where it answers none of
    this match.
    """
    here = writer.sitter is not None and writer.sitter.uid == uid
    return writer.answered.phase if here else None


def _seen(writer: Writer) -> datetime:
    """Return the moment until which the writer can have known of proposals: when the letter or
    question was written that is answered.
    """
    letter = writer.answered.nearest
    is_question = letter is not None and letter.kind == "proposal"
    return min(writer.written, letter.made_at) if letter and is_question else writer.written


def _done(uid: str, result: VoteResult) -> Done:
    return Done(result.sentence, uid=uid)


def _extend(writer: Writer, arguments: str) -> Done:
    """Ask for more time: until a moment, or for a span from the deadline without extensions, so
    that a repeat changes nothing.
    """
    uid, found = read_line(EXTEND, writer, arguments)
    voter = _voter(writer, uid)
    target = masters.read_deadline(found["moment"] or re.sub(r"\s", "", found["span"]), writer.zone)
    if isinstance(target, timedelta):
        target += proposals.extension_room(writer.session, voter.match, voter.phase).start
    return _propose(writer, voter, Ask("extend", target))


def _propose(writer: Writer, voter: Voter, ask: Ask) -> Done:
    return _done(voter.match.uid, votes.propose_in(writer.session, voter, ask, now=writer.now))


def _vote(writer: Writer, arguments: str) -> Done:
    """Vote on the proposal that stands; its kind is named where several do."""
    uid, found = read_line(VOTE, writer, arguments)
    voter = votes.find_voter(
        writer.session, lock_by_uid(writer.session, uid), writer.known().id, writer.arrived
    )
    kind = (found["kind"] or "").lower()
    here = writer.votes_on if uid == writer.here else None
    meant = VoteMeant(kind, _answered(writer, uid), _seen(writer), here)
    proposal = votes.find_proposal(writer.session, voter, meant, now=writer.now)
    yes = found["said"].lower() == "yes"
    return _done(uid, votes.vote_in(writer.session, voter, proposal, yes=yes, now=writer.now))


def _offer_draw(writer: Writer, arguments: str) -> Done:
    """Offer a draw to everybody, in games where seats agree to one by a vote."""
    uid, _ = read_line(OFFER_DRAW, writer, arguments)
    return _propose(writer, _voter(writer, uid), Ask("draw"))


def _end(writer: Writer, arguments: str) -> Done:
    """End the match: at once by a master who may decide alone, else by the consent of all."""
    uid, found = read_line(END_MATCH, writer, arguments)
    return _done(uid, masters.end_match(*writer.at(uid), found["reason"] or "", now=writer.now))


def _concede(writer: Writer, arguments: str) -> Done:
    """Concede the match that is named; the name is the confirmation."""
    uid, _ = read_line(CONCEDE, writer, arguments)
    _voter(writer, uid)
    result = concessions.concede(
        *writer.at(uid), now=writer.now, arrived=writer.arrived, channel="letter"
    )
    return _done(uid, result)


EXTEND = Command(
    "extend",
    "extend 24h",
    "ask for more time for the open phase, which those who owe orders vote on; also `extend to"
    " 2026-12-01 20:00`",
    _extend,
    seated=True,
    more=_EXTEND,
)
VOTE = Command(
    "vote",
    "vote yes",
    "agree to the proposal that stands, `vote no` to reject it; `vote yes pause` where two stand",
    _vote,
    seated=True,
    more=_VOTE,
)
OFFER_DRAW = Command(
    "offer draw",
    "offer draw",
    "offer everybody a draw, in Genesis and Phoenix; all have to agree",
    _offer_draw,
    seated=True,
    more=ALONE,
)
END_MATCH = Command(
    "end match",
    "end match",
    "end the match as it stands, once all agree; its master writes `end match because ...`",
    _end,
    seated=True,
    more=_REASON,
)
CONCEDE = Command(
    "concede",
    "concede UID",
    "give the match with this short name up for good; the name is the confirmation",
    _concede,
    seated=True,
    more=_MATCH,
)
