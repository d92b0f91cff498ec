"""Commands of masters: `pause`, `resume`, `deadline`, `close`, `invite`, `fill`. Each also works
with the match's short name.
"""

import re

from adjudicator.mail.commands.command import ALONE, OF_MATCH, Command, Done, Writer, read_line
from adjudicator.service.matches import masters, seats
from adjudicator.service.matches.votes import VoteResult
from adjudicator.service.people.invitation_limits import Caps

_TO = re.compile(
    rf"{OF_MATCH}(?P<to>[+-]?\d{{1,4}} ?[mhd]|\d{{4}}-\d\d-\d\d[ T]\d\d:\d\d)", re.IGNORECASE
)
_ADDRESS = re.compile(rf"{OF_MATCH}(?P<to>\S{{1,120}}@\S{{1,120}})", re.IGNORECASE)


def done_as_master(writer: Writer, uid: str, sentence: str) -> Done:
    """Return what a master's command did, in an answer that the master can answer with more of
    them.
    """
    to = masters.reply_address(*writer.at(uid))
    return Done(sentence, uid=uid, reply_to=to)


def _voted(writer: Writer, uid: str, result: VoteResult, more: str = "") -> Done:
    """Return what a change of the clock did: at once, or as a proposal that the others vote on."""
    sentence = f"{result.sentence} {more if result.acted else ''}".strip()
    return done_as_master(writer, uid, sentence)


def _pause(writer: Writer, arguments: str) -> Done:
    """Pause a match as of the letter's arrival."""
    uid, _ = read_line(PAUSE, writer, arguments)
    masters.require_phase_of(writer.session, uid, writer.written)
    result = masters.pause_match(*writer.at(uid), now=writer.arrived)
    return _voted(writer, uid, result, "Nothing closes until you write `resume`.")


def _resume(writer: Writer, arguments: str) -> Done:
    uid, _ = read_line(RESUME, writer, arguments)
    return _voted(writer, uid, masters.resume_match(*writer.at(uid), now=writer.now))


def _move_deadline(writer: Writer, arguments: str) -> Done:
    """Move the deadline of the phase that was open when the letter arrived."""
    uid, found = read_line(DEADLINE, writer, arguments)
    masters.require_phase_of(writer.session, uid, writer.written)
    wanted = masters.read_deadline(found["to"], writer.zone)
    result = masters.move_deadline(*writer.at(uid), wanted, now=writer.arrived)
    deadline = masters.deadline_of(writer.session, uid)
    return _voted(writer, uid, result, f"It is {writer.when(deadline)}." if deadline else "")


def _close(writer: Writer, arguments: str) -> Done:
    """Close the phase that was open when the letter arrived, or when its question was asked."""
    uid, _ = read_line(CLOSE, writer, arguments)
    masters.require_phase_of(writer.session, uid, writer.written)
    return _voted(writer, uid, masters.close_now(*writer.at(uid), now=writer.arrived))


def _invite(writer: Writer, arguments: str) -> Done:
    uid, found = read_line(INVITE, writer, arguments)
    settings = writer.settings
    caps = Caps(settings.invites_a_day, settings.invites_in_all)
    seats.invite_another(*writer.at(uid), found["to"], now=writer.now, caps=caps)
    return done_as_master(
        writer, uid, "A seat is kept for that address, and an invitation goes there."
    )


def _fill(writer: Writer, arguments: str) -> Done:
    uid, _ = read_line(FILL, writer, arguments)
    filled = seats.fill_with_bots(*writer.at(uid), now=writer.now)
    taken = "House bots took the free seats" if filled else "No seat was free"
    return done_as_master(writer, uid, f"{taken}; the match begins in a moment.")


PAUSE = Command(
    "pause",
    "pause",
    "stop the match’s clock; players put it to the vote",
    _pause,
    more=ALONE,
    master=True,
)
RESUME = Command(
    "resume",
    "resume",
    "let the paused match go on; players put it to the vote",
    _resume,
    more=ALONE,
    master=True,
)
DEADLINE = Command(
    "deadline",
    "deadline +24h",
    "move the open phase’s deadline by a span, or to a moment in your zone: `deadline 2026-12-01"
    " 20:00`",
    _move_deadline,
    more=_TO,
    master=True,
)
CLOSE = Command(
    "close",
    "close",
    "close the open phase now; if you play, once all agree",
    _close,
    more=ALONE,
    master=True,
)
INVITE = Command(
    "invite",
    "invite ann@example.org",
    "keep a free seat for that address",
    _invite,
    more=_ADDRESS,
    master=True,
)
FILL = Command("fill", "fill", "give the free seats to house bots", _fill, more=ALONE, master=True)
