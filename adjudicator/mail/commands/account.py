"""Commands about a player's account: `zone`, `name`, `reminders`, `stop`, `start`."""

from adjudicator.mail.commands.command import Command, Done, Writer, require_nothing_more
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters import bounces
from adjudicator.service.people import accounts


def _set_zone(writer: Writer, said: str) -> Done:
    if not said:
        raise Refused("It needs a time zone, such as `zone Europe/Paris` or `zone America/New_York`.")
    zone = accounts.set_zone(writer.session, writer.known().id, said)
    return Done(f"Your letters tell times as they are in {zone} from now on.")


def _set_name(writer: Writer, said: str) -> Done:
    if not said:
        raise Refused("It needs a name, such as `name Ann`.")
    return Done(f"The others call you {accounts.set_name(writer.session, writer.known().id, said)} from now on.")


def _set_reminders(writer: Writer, said: str) -> Done:
    wanted = {"on": True, "off": False}.get(said.lower())
    if wanted is None:
        raise Refused("It needs `on` or `off`: `reminders off`.")
    accounts.set_reminders(writer.session, writer.known().id, wanted=wanted)
    if wanted:
        return Done("You are reminded again before a deadline, where you owe orders and have handed in nothing.")
    return Done("You get no more reminders before a deadline; `reminders on` brings them back.")


def _stop(writer: Writer, said: str) -> Done:
    """Stop the player's letters, or all letters to a proved address of nobody who plays here."""
    require_nothing_more(said, STOP.usage)
    if writer.player is None and writer.proved:
        bounces.never_to(writer.session, writer.address, now=writer.now)
        return Done("Nothing goes to your address any more, whoever asks for it, but links to sign in.")
    bounces.stop_letters(writer.session, writer.known().id)
    return Done(
        "You get no more letters, only answers to your own. Your seats stay yours, and phases close without asking you: "
        "`start` brings the letters back."
    )


def _start(writer: Writer, said: str) -> Done:
    require_nothing_more(said, START.usage)
    accounts.start_letters(writer.session, writer.known().id)
    return Done("You get letters again, from the next phase on; `status` tells how your matches stand now.")


ZONE = Command("zone", "zone Europe/Paris", "the time zone in which your letters tell times", _set_zone, changes=True)
NAME = Command("name", "name Ann", "what the others call you; it begins as the first part of your address", _set_name, changes=True)
REMINDERS = Command(
    "reminders", "reminders off", "no more reminders before a deadline; `reminders on` brings them back", _set_reminders, changes=True
)
STOP = Command("stop", "stop", "no more letters; your seats stay yours", _stop, changes=True)
START = Command("start", "start", "letters again, after you stopped them", _start, changes=True)
