"""Commands about press: `mute`, `unmute`, `report`; and those of masters about one seat: `warn`,
`replace`, `excuse`.
"""

import re
from collections.abc import Callable

from adjudicator.mail.commands.command import OF_MATCH, Command, Done, Writer, read_line
from adjudicator.mail.commands.masters import done_as_master
from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.errors import Refused
from adjudicator.service.handover import replacing
from adjudicator.service.press import complaints, messages, mutes

_NAME = r"(?:seat\s+)?(?P<to>[\w-]{1,30})"  # of a seat: `france`, `2` or `seat 2`
_SEAT = re.compile(rf"{OF_MATCH}{_NAME}", re.IGNORECASE)
_REASON = re.compile(r":\s*(?P<why>.*)", re.DOTALL)
_SEAT_AND_REASON = re.compile(
    rf"{OF_MATCH}{_NAME}\s*(?::\s*(?P<why>.*))?", re.IGNORECASE | re.DOTALL
)


def _mute(writer: Writer, arguments: str) -> Done:
    """Hide the press of a seat from the writer."""
    uid, seat = _set_mute(MUTE, writer, arguments)
    sentence = (
        "You get no more letters of its press and do not see it on the site; its player is not"
        " told."
    )
    return Done(f"The press of {seat_phrase(seat)} is muted. {sentence}", uid=uid)


def _unmute(writer: Writer, arguments: str) -> Done:
    uid, seat = _set_mute(UNMUTE, writer, arguments)
    return Done(
        f"You read the press of {seat_phrase(seat)} again, also what was written meanwhile, on the"
        " site.",
        uid=uid,
    )


def _set_mute(command: Command, writer: Writer, arguments: str) -> tuple[str, str]:
    uid, found = read_line(command, writer, arguments)
    return uid, mutes.mute_seat(*writer.at(uid), found["to"], mute=command is MUTE)


def _report(writer: Writer, arguments: str) -> Done:
    """Report the text that the letter answers to the match's master."""
    found = _REASON.fullmatch(arguments)
    if writer.sitter is None or found is None:
        raise Refused(
            "It reports the text that you answer: write `report: why` in answer to a letter that"
            " brought press."
        )
    sitter, letter = writer.sitter, writer.answered.nearest
    complaints.report_by_letter(
        writer.session, sitter.uid, sitter.player.id, letter, found["why"], now=writer.now
    )
    return Done(
        "The text was reported to the match’s master, with your reason. Its writer is not told.",
        uid=writer.sitter.uid,
    )


def _act(
    command: Command, writer: Writer, arguments: str, act: Callable[..., str], outcome: str
) -> Done:
    """Do what a master does about one seat, with a reason that everybody can read."""
    uid, found = read_line(command, writer, arguments)
    if not found["why"]:
        raise Refused(f"It needs a seat and a reason, which everybody can read: `{command.usage}`.")
    seat = act(*writer.at(uid), found["to"], found["why"], now=writer.now)
    return done_as_master(
        writer, uid, f"{seat_phrase(seat).capitalize()} {outcome}, and everybody is told why."
    )


def _warn(writer: Writer, arguments: str) -> Done:
    return _act(WARN, writer, arguments, messages.warn_seat, "was warned by a letter")


def _replace(writer: Writer, arguments: str) -> Done:
    return _act(REPLACE, writer, arguments, replacing.replace_player, "looks for a new player")


def _excuse(writer: Writer, arguments: str) -> Done:
    return _act(EXCUSE, writer, arguments, replacing.excuse_player, "is excused")


MUTE = Command(
    "mute",
    "mute france",
    "hide that seat’s press from you; its player is not told",
    _mute,
    more=_SEAT,
)
UNMUTE = Command("unmute", "unmute france", "read that seat’s press again", _unmute, more=_SEAT)
REPORT = Command(
    "report",
    "report: why",
    "tell the master of the press that you answer",
    _report,
    more=_REASON,
    text=True,
)
WARN = Command(
    "warn",
    "warn france: why",
    "a letter to that seat’s player; everybody can read the reason",
    _warn,
    more=_SEAT_AND_REASON,
    master=True,
    text=True,
)
REPLACE = Command(
    "replace",
    "replace france: why",
    "let that seat look for a new player",
    _replace,
    more=_SEAT_AND_REASON,
    master=True,
    text=True,
)
EXCUSE = Command(
    "excuse",
    "excuse france: why",
    "forgive what that seat’s player missed",
    _excuse,
    more=_SEAT_AND_REASON,
    master=True,
    text=True,
)
