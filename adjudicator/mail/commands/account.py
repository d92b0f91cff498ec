"""Commands about an account: `zone`, `name`, `onlookers`, `reminders`, `stop`, `start`, `send my
data`, `erase me`; `rating`, `ladder`.
"""

from adjudicator.mail.commands.command import Command, Done, Writer, need_game
from adjudicator.platform.words import plural
from adjudicator.service.base.errors import Refused
from adjudicator.service.erasure import erasing
from adjudicator.service.letters import bounces
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.people import accounts, data_letter
from adjudicator.service.ratings import ladders
from adjudicator.service.ratings.ladders import Rung

MOST_RUNGS = 20  # players of a ladder that a letter lists
_SHOWN = {
    "page": "Everybody may see a page of your public matches from now on, and your name.",
    "name": (
        "The pages of your matches show your name from now on; a page of your matches is not shown."
    ),
    "seat": "Onlookers read your seat’s name from now on. Who plays with you still reads yours.",
}


def _set_zone(writer: Writer, arguments: str) -> Done:
    if not arguments:
        raise Refused(
            "It needs a time zone, such as `zone Europe/Paris` or `zone America/New_York`."
        )
    zone = accounts.set_zone(*writer.me, arguments)
    return Done(f"Your letters tell times as they are in {zone} from now on.")


def _set_name(writer: Writer, arguments: str) -> Done:
    if not arguments:
        raise Refused("It needs a name, such as `name Ann`.")
    return Done(f"The others call you {accounts.set_name(*writer.me, arguments)} from now on.")


def _set_shown(writer: Writer, arguments: str) -> Done:
    """Set what onlookers see of the player: a page of the matches, the name, or the seat's name
    alone.
    """
    shown = next((each for each in accounts.SHOWN if each == arguments.lower()), None)
    if shown is None:
        raise Refused("It needs what they see of you, `seat`, `name` or `page`: `onlookers seat`.")
    profile = accounts.set_shown(*writer.me, shown)
    links = (("The page of your matches", f"/players/{profile}"),) if profile else ()
    return Done(_SHOWN[shown], links=links)


def _set_reminders(writer: Writer, arguments: str) -> Done:
    wanted = {"on": True, "off": False}.get(arguments.lower())
    if wanted is None:
        raise Refused("It needs `on` or `off`: `reminders off`.")
    accounts.set_reminders(*writer.me, wanted=wanted)
    if wanted:
        return Done(
            "You are reminded again before a deadline, where you owe orders and have handed in"
            " nothing."
        )
    return Done("You get no more reminders before a deadline; `reminders on` brings them back.")


def _stop(writer: Writer, arguments: str) -> Done:
    """Stop the player's letters, or all letters to a proved address of nobody who plays here."""
    if writer.player is None and writer.proved:
        bounces.never_to(writer.session, writer.address, now=writer.now)
        return Done(
            "Nothing goes to your address any more, whoever asks for it, but links to sign in."
        )
    bounces.stop_letters(*writer.me)
    return Done(
        "You get no more letters, only answers to your own. Your seats stay yours, and phases close"
        " without asking you: `start` brings the letters back."
    )


def _start(writer: Writer, arguments: str) -> Done:
    accounts.start_letters(*writer.me)
    return Done(
        "You get letters again, from the next phase on; `status` tells how your matches stand now."
    )


def _rating(writer: Writer, arguments: str) -> Done:
    """List the player's ratings."""
    own = ladders.ratings_of(*writer.me)
    if not own:
        return Done("You have no rating yet: a match between people changes it as it ends.")
    lines = [
        (
            f"{each.title}: {each.points} points, {_rested(each.matches)}, provisional."
            if each.provisional
            else f"{each.title}: {each.points} points, {_rested(each.matches)}."
        )
        for each in own
    ]
    return Done(
        "Your ratings are below; the site says how they are computed.",
        (ReplySection("Your ratings", tuple(lines)),),
    )


def _ladder(writer: Writer, arguments: str) -> Done:
    """List the best players of a game; to an address that is not proved only where the ladder
    is.
    """
    game = need_game(arguments)
    shown = ladders.read_ladder(writer.session, game)
    if not writer.proved:
        return Done(
            f"The ladder of {shown.title} is on the site.",
            links=((f"The ladder of {shown.title}", f"/ladder/{game}"),),
        )
    titles = (
        (f"The ladder of {shown.title}", shown.rungs),
        ("Provisional ratings", shown.newcomers),
    )
    sections = tuple(
        ReplySection(title, tuple(map(_rung, rungs[:MOST_RUNGS])))
        for title, rungs in titles
        if rungs
    )
    if not sections:
        return Done(f"Nobody is on the ladder of {shown.title} yet.")
    return Done(
        f"The ladder of {shown.title} is below: players who show a page of their matches.", sections
    )


def _send_data(writer: Writer, arguments: str) -> Done:
    """Send what the service keeps about the player, to the address that the player has proved."""
    address = data_letter.send_own_data(*writer.me, now=writer.now)
    return Done(f"What is kept about you goes to {address} as a file, in a letter of its own.")


def _erase(writer: Writer, arguments: str) -> Done:
    """Erase the player, if the line says that it is for good; else say what that means."""
    known, backups = writer.known(), erasing.describe_backups(writer.settings.backup_days)
    if arguments.lower() != "for good":
        return Done(
            "Nothing was erased. `erase me for good` takes your name and address out of the"
            " service, resigns your running matches and cannot be undone. Matches that have ended"
            f" stay, with “a former player” in place of your name. {backups}"
        )
    erasing.erase_player(writer.session, known.id, now=writer.now)
    gone = "Your account is erased, and your seats look for new players."
    return Done(f"{gone} {backups} This is the last letter. Thank you for playing.")


def _rung(rung: Rung) -> str:
    return f"{rung.place}. {rung.name}: {rung.points} points, {_rested(rung.matches)}."


def _rested(matches: int) -> str:
    return plural(matches, "after {n} rated match", "after {n} rated matches")


ONLOOKERS = Command(
    "onlookers",
    "onlookers seat",
    "what onlookers see of you: the `seat` alone, your `name`, or a `page` of your matches",
    _set_shown,
)
ZONE = Command(
    "zone", "zone Europe/Paris", "the time zone in which your letters tell times", _set_zone
)
NAME = Command(
    "name",
    "name Ann",
    "what the others call you; it begins as the first part of your address",
    _set_name,
)
REMINDERS = Command(
    "reminders",
    "reminders off",
    "no more reminders before a deadline; `reminders on` brings them back",
    _set_reminders,
)
STOP = Command("stop", "stop", "no more letters; your seats stay yours", _stop)
START = Command("start", "start", "letters again, after you stopped them", _start)
RATING = Command("rating", "rating", "your ratings", _rating, changes=False)
LADDER = Command(
    "ladder", "ladder redeux", "the best players of a game", _ladder, of_game=True, changes=False
)
SEND_DATA = Command(
    "send my data", "send my data", "what is kept about you, as a file; once a day", _send_data
)
ERASE = Command(
    "erase me",
    "erase me for good",
    "your name and address go for good, and you leave your running matches",
    _erase,
)
