"""`prefer france england`: which seats a player would like, where they are given as the match begins."""

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service.base.errors import Refused
from adjudicator.service.matches import preferences

WORD, USAGE, MEANING, CHANGES = (
    "prefer",
    "prefer UID france",
    "which seats you would like, the dearest first, in a match that gives them as it begins (in its letters without the UID)",
    True,
)


def do(writer: Writer, said: str) -> Done:
    """Keep the wishes for the match whose address was written to, or for the one that is named first."""
    words = said.split()
    uid = writer.sitter.uid if writer.sitter else words.pop(0).lower() if words else ""
    if not uid or not words:
        raise Refused("It needs the match’s short name and those you would like: `prefer k3m7p2qrs france england`.")
    return Done(preferences.wish_in(writer.session, uid, writer.known().id, words), uid=uid)
