"""`leave`: give one's seat back before the match has begun."""

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service.base.errors import Refused
from adjudicator.service.matches import seats

WORD, USAGE, MEANING, CHANGES = (
    "leave",
    "leave UID",
    "give your seat back before the match has begun (in a match’s letters just `leave`)",
    True,
)


def do(writer: Writer, said: str) -> Done:
    """Give the seat back: of the match whose address was written to, or of the one that is named."""
    uid = said or (writer.sitter.uid if writer.sitter else "")
    if not uid:
        raise Refused("It needs the match’s short name, as `status` tells it: `leave k3m7p2qrs`.")
    name = seats.leave_in(writer.session, uid.lower(), writer.known().id)
    return Done(f"You gave your seat in {name} back.")
