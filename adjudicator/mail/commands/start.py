"""`start`: letters again, after `stop`."""

from adjudicator.mail.commands.command import Done, Writer, nothing_more
from adjudicator.service.people import accounts

WORD, USAGE, MEANING, CHANGES = "start", "start", "letters again, after you stopped them", True


def do(writer: Writer, said: str) -> Done:
    """Let the player have letters again."""
    nothing_more(said, USAGE)
    accounts.start_letters(writer.session, writer.known().id)
    return Done("You get letters again, from the next phase on; `status` tells how your matches stand now.")
