"""Commands about a player's own seat: `accept`, `decline`, `prefer`, `salt`, `leave`, `new
address`.
"""

import re

from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.mail.commands.joining.join import split_preferences
from adjudicator.mail.commands.joining.terms import seated
from adjudicator.mail.commands.tenure import TAKE
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.handover import offers
from adjudicator.service.letters import acknowledgements
from adjudicator.service.letters.receiving import Target
from adjudicator.service.log import salts
from adjudicator.service.matches import masters, preferences, seats
from adjudicator.service.tokens.master_addresses import RunMatch

_NEW_ADDRESS = (
    "This seat has a new address for its orders: answer this letter to use it. Answers to older"
    " letters are refused from now on."
)

_NEW_MASTERS = (
    "You have a new address as master of this match: answer this letter to use it. The old one"
    " stops working."
)


def _accept(writer: Writer, arguments: str) -> Done:
    """Take the seat that an invitation keeps for the writer, or that a letter offers."""
    if writer.offered is not None:
        return TAKE.do(writer, arguments)
    _, wishes = split_preferences(arguments)
    kept = writer.kept
    if kept is None:
        raise NotNow(
            "There is no invitation to accept here: it was taken already, or the seat is no longer"
            " kept. Answer the invitation itself."
        )
    sentence, address = seats.accept_in(writer.session, kept.seat_id, now=writer.now, wishes=wishes)
    return seated(writer, kept.uid, sentence, reply_to=address)


def _decline(writer: Writer, arguments: str) -> Done:
    """Give back the seat that an invitation keeps."""
    kept = writer.kept
    if writer.offered is not None:
        offers.decline_in(writer.session, writer.offered.id, now=writer.now)
        return Done(f"You declined the seat in {writer.offered.match}; nobody waits for you there.")
    if kept is None:
        raise NotNow(
            "There is no invitation to decline here: it was answered already, or the seat is no"
            " longer kept."
        )
    seats.decline_in(writer.session, kept.seat_id, now=writer.now)
    return Done(f"You declined the seat in {kept.match}; nobody waits for you there.")


def _prefer(writer: Writer, arguments: str) -> Done:
    """Store which seats the player would like in the match whose address was written to, or in the
    one that is named first.
    """
    words = arguments.split()
    uid = writer.sitter.uid if writer.sitter else words.pop(0).lower() if words else ""
    if not uid or not words:
        raise Refused(
            "It needs the match’s short name and those you would like: `prefer k3m7p2qrs france"
            " england`."
        )
    return Done(preferences.save_wishes(*writer.at(uid), words), uid=uid)


def _give_salt(writer: Writer, arguments: str) -> Done:
    """Let words stand as a salt for the match whose address was written to."""
    given = arguments.removeprefix(":")
    return Done(salts.give_salt(*writer.at(writer.here), given, now=writer.now), uid=writer.here)


def _leave(writer: Writer, arguments: str) -> Done:
    """Give back a seat before its match begins: in the match whose address was written to, or in
    the one that is named.
    """
    uid = writer.match(arguments, "leave k3m7p2qrs")
    return Done(seats.leave_seat(*writer.at(uid), now=writer.now))


def _change_address(writer: Writer, arguments: str) -> Done:
    """Give the seat that was written to another secret address, for a player whose old one came
    into the wrong hands.
    """
    if writer.run is not None:
        return _change_masters(writer, writer.run)
    if writer.sitter is None:
        raise Refused(
            "A seat’s address is changed by writing to it: answer any letter of that match."
        )
    seat_id = seats.seat_of(writer.session, writer.sitter.uid, writer.sitter.player.id)
    if not acknowledgements.answers_left(
        writer.session, Target("seat", seat_id), writer.address, writer.now
    ).left:
        raise NotNow(
            "No more answers go to your address for now, so the new address could not be told to"
            " you: the old one stands."
        )
    address = seats.new_address(writer.session, seat_id)
    return Done(_NEW_ADDRESS, uid=writer.sitter.uid, reply_to=address)


def _change_masters(writer: Writer, run: RunMatch) -> Done:
    """Give the master of a match another secret address there."""
    address = masters.change_address(writer.session, run.uid, run.player_id)
    return Done(_NEW_MASTERS, uid=run.uid, reply_to=address)


ACCEPT = Command(
    "accept",
    "accept",
    "take the seat that an invitation keeps for you (answer the invitation)",
    _accept,
)
DECLINE = Command(
    "decline", "decline", "leave that seat to others (answer the invitation)", _decline
)
PREFER = Command(
    "prefer",
    "prefer UID france",
    "which seats you would like, the dearest first, in a match that gives them as it begins (in its"
    " letters without the UID)",
    _prefer,
)
SALT = Command(
    "salt",
    "salt any words",
    "words that change the dice and draws of the next phase that opens, once, so that nobody can"
    " have known them before",
    _give_salt,
    more=re.compile(r"(?::\s*)?[^\s.,;:!?].*"),
    own_seat=True,
)
LEAVE = Command(
    "leave",
    "leave UID",
    "give your seat back before the match has begun, or leave its waiting list (in a match’s"
    " letters just `leave`)",
    _leave,
)
NEW_ADDRESS = Command(
    "new address",
    "new address",
    "another secret address for this seat’s orders; the old one stops working",
    _change_address,
)
