"""Commands before a match begins and after its end: `queue`, `confirm`, `renew`, `again`, `seat
link`, `watch link`, `publish`.
"""

from functools import partial

from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.mail.commands.joining.terms import seated
from adjudicator.service.base.errors import Refused
from adjudicator.service.starting import again, expiry, links, muster, privacy
from adjudicator.service.starting.links import Kind
from adjudicator.service.views import match_list


def _queue(writer: Writer, arguments: str) -> Done:
    """Put the player on the waiting list of the match that is named, or of the one that the secret
    of a link names.
    """
    if not arguments or len(arguments.split()) > 1:
        raise Refused(f"It is written `{QUEUE.usage}`, with the match’s short name.")
    uid, place = links.queue(
        writer.session, arguments.lower(), writer.enrolled().id, now=writer.now
    )
    name = match_list.named(writer.session, uid)
    stands = (
        f"You are the first on the waiting list of {name}."
        if place == 1
        else f"You are number {place} on the waiting list of {name}."
    )
    sentence = (
        f"{stands} If a seat becomes free before it begins, it is yours, and a letter tells you."
    )
    return seated(writer, uid, sentence)


def _confirm(writer: Writer, arguments: str) -> Done:
    """Confirm that the player plays, in a match that asks before it begins."""
    uid = writer.match(arguments, "confirm k3m7p2qrs")
    muster.confirm(*writer.at(uid), now=writer.now)
    name = match_list.named(writer.session, uid)
    return Done(
        f"You confirmed your seat in {name}. It begins once everybody has, or when the time to"
        " confirm is over.",
        uid=uid,
    )


def _renew(writer: Writer, arguments: str) -> Done:
    """Give an open match its days anew."""
    uid = writer.match(arguments, "renew k3m7p2qrs")
    until = expiry.renew_match(*writer.at(uid), now=writer.now)
    return Done(
        f"{match_list.named(writer.session, uid)} waits for players until {writer.when(until)}.",
        uid=uid,
    )


def _again(writer: Writer, arguments: str) -> Done:
    """Make the next match of the same people, or name it if somebody has made it."""
    uid = again.make_again(
        writer.session,
        writer.match(arguments, "again k3m7p2qrs"),
        writer.known().id,
        now=writer.now,
    )
    name = match_list.named(writer.session, uid)
    return seated(
        writer,
        uid,
        f"The next match is {name} ({uid}), with the same options. The others who played are"
        " invited.",
    )


_NEW, _OFF = "new", "off"


def _link(kind: Kind, writer: Writer, arguments: str) -> Done:
    """Tell the master a secret link of a match; make it first with `new`, switch it off with
    `off`.
    """
    words = arguments.lower().split()
    wanted = words.pop() if words and words[-1] in (_NEW, _OFF) else ""
    uid = writer.match(" ".join(words), f"{_WORDS[kind]} k3m7p2qrs")
    player = writer.known()
    if wanted:
        links.change_link(writer.session, uid, player.id, kind, off=wanted == _OFF, now=writer.now)
    found = links.links_for(writer.session, uid, player.id)
    token = found.watch if kind == "watch" else found.join
    name = match_list.named(writer.session, uid)
    if token is None:
        return Done(
            f"There is no such link to {name} now: `{_WORDS[kind]} {uid} {_NEW}` makes one.",
            uid=uid,
        )
    notice, path = _TOLD[kind]
    more = f"; `join {token}` by letter does the same" if kind == "join" else ""
    sentence = (
        f"{notice} {name}{more}. `{_WORDS[kind]} {uid} {_NEW}` makes another, and this one stops"
        " working."
    )
    return Done(sentence, uid=uid, links=((f"The link to {name}", f"{path}{token}"),))


_WORDS: dict[Kind, str] = {"watch": "watch link", "join": "seat link"}
_TOLD: dict[Kind, tuple[str, str]] = {
    "watch": ("Whoever opens the link below sees", "/watch/"),
    "join": ("Whoever opens the link below may take a free seat in", "/seats/"),
}


def _publish(writer: Writer, arguments: str) -> Done:
    """Agree that everybody may see an ended private match."""
    if len(arguments.split()) > 1:
        raise Refused(f"It is written `{PUBLISH.usage}`.")
    uid = writer.match(arguments, "publish k3m7p2qrs")
    is_public = privacy.publish_match(*writer.at(uid), now=writer.now)
    name = match_list.named(writer.session, uid)
    return Done(
        (
            f"Everybody can see {name} from now on."
            if is_public
            else f"You agreed; {name} stays private until all have."
        ),
        uid=uid,
    )


QUEUE = Command(
    "queue", "queue UID", "the waiting list of a match whose seats are all taken", _queue
)
CONFIRM = Command(
    "confirm",
    "confirm UID",
    "that you play, when a match asks before it begins (in answer to its letter `yes`)",
    _confirm,
)
AGAIN = Command(
    "again",
    "again UID",
    "the next match with the same options and people, once yours is over",
    _again,
)
RENEW = Command("renew", "renew UID", "more days for your match to find players", _renew)
SEAT_LINK = Command(
    "seat link",
    "seat link UID",
    "the link that gives a free seat in your match; `new` makes or renews it, `off` ends it",
    partial(_link, "join"),
)
WATCH_LINK = Command(
    "watch link",
    "watch link UID",
    "the link that shows your private match; `new` makes or renews it, `off` ends it",
    partial(_link, "watch"),
)
PUBLISH = Command(
    "publish",
    "publish UID",
    "agree that everybody may see your private match, once it is over",
    _publish,
)
