"""`zone Europe/Paris`: the time zone that letters tell times in."""

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service.base.errors import Refused
from adjudicator.service.people import accounts

WORD, USAGE, MEANING, CHANGES = "zone", "zone Europe/Paris", "the time zone in which your letters tell times", True


def do(writer: Writer, said: str) -> Done:
    """Set the player's time zone."""
    if not said:
        raise Refused("It needs a time zone, such as `zone Europe/Paris` or `zone America/New_York`.")
    zone = accounts.set_zone(writer.session, writer.known().id, said)
    return Done(f"Your letters tell times as they are in {zone} from now on.")
