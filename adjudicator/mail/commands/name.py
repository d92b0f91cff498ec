"""`name Ann`: what the others call the player."""

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service.base.errors import Refused
from adjudicator.service.people import accounts

WORD, USAGE, MEANING, CHANGES = "name", "name Ann", "what the others call you; it begins as the first part of your address", True


def do(writer: Writer, said: str) -> Done:
    """Set the player's name."""
    if not said:
        raise Refused("It needs a name, such as `name Ann`.")
    return Done(f"The others call you {accounts.set_name(writer.session, writer.known().id, said)} from now on.")
