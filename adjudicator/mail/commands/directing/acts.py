"""`decide tournament NAME round 2 table 1: 1 : 0 because ...` and the other acts of directors, made
from their records.
"""

import re
from functools import partial

from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.mail.commands.joining.tournament import find_uid
from adjudicator.service.base.errors import Refused
from adjudicator.service.tournaments import showing
from adjudicator.service.tournaments.directing.acts import ACTS, OF_ENTRANTS, DirectorAct
from adjudicator.service.tournaments.telling.directors import REASON

# a line that is not written as it should be is answered with how it is
_ANY = re.compile(r".{0,600}", re.DOTALL)
LINKED = re.compile(r"//|www\.", re.IGNORECASE)


def usage(act: DirectorAct, name: str = "NAME") -> str:
    """Return how an act is written, by an example."""
    return f"{act.word} tournament {name} {act.follows}".strip().replace(f"{name} :", f"{name}:")


def _carry_out(act: DirectorAct, writer: Writer, arguments: str) -> Done:
    """Carry out an act in the tournament that the line names."""
    uid, fields = _read(act, writer, arguments)
    sentence = act.carry_out(*writer.at(uid), fields, now=writer.now)
    page = showing.read_page(*writer.at(uid), now=writer.now)
    if page.waits_until is None:
        return Done(sentence)
    waits = "What follows waits until {when}; `go on tournament {uid}` ends that."
    return Done(f"{sentence} {waits.format(when=writer.when(page.waits_until), uid=uid)}")


def _read(act: DirectorAct, writer: Writer, arguments: str) -> tuple[str, dict[str, str]]:
    """Return the tournament that a line names, and the fields of the act; raises Refused with how
    it is written.
    """
    wanted = re.fullmatch(
        rf"(?P<name>[^:]+?)(?:(?<=\S)\s+|(?=:)|$)(?:{act.pattern.pattern})",
        arguments,
        act.pattern.flags,
    )
    if wanted is None:
        raise Refused(
            f"It is written `{usage(act)}`, with the name or short name of the tournament."
        )
    found = wanted.groupdict()
    if found.get("reason") == REASON:
        raise Refused(f"Write your reason in place of {REASON}, and check the rest of the line.")
    return find_uid(writer, found.pop("name")), {
        name: text for name, text in found.items() if text is not None
    }


def _command(act: DirectorAct) -> Command:
    return Command(
        f"{act.word} tournament",
        usage(act),
        act.meaning,
        partial(_carry_out, act),
        more=_ANY,
        unasked=LINKED,
        text=True,
        seated=True,
    )


DIRECTING = tuple(map(_command, ACTS))
SITTING_OUT = tuple(map(_command, OF_ENTRANTS))
