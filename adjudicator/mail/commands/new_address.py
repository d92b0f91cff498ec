"""`new address`: another address for a seat's letters, where the old one came into the wrong hands."""

from adjudicator.mail.commands.command import Done, Writer, nothing_more
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.letters import acknowledgements
from adjudicator.service.letters.incoming import Target
from adjudicator.service.matches import seats

WORD, USAGE, MEANING, CHANGES = (
    "new address",
    "new address",
    "another secret address for this seat’s orders; the old one stops working",
    True,
)


_SENTENCE = "This seat has a new address for its orders: answer this letter to use it. Answers to older letters are refused from now on."


def do(writer: Writer, said: str) -> Done:
    """Change the address of the seat that was written to."""
    nothing_more(said, USAGE)
    if writer.sitter is None:
        raise Refused("A seat’s address is changed by writing to it: answer any letter of that match.")
    seat_id = seats.seat_of(writer.session, writer.sitter.uid, writer.sitter.player.id)
    if not acknowledgements.left(writer.session, Target("seat", seat_id), writer.address, writer.now):
        raise NotNow("No more answers go to your address today, so the new address could not be told to you: the old one stands.")
    token = seats.new_address(writer.session, seat_id)
    return Done(_SENTENCE, uid=writer.sitter.uid, reply_token=token)
