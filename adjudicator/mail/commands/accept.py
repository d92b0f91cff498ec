"""`accept`: take the seat an invitation keeps."""

from adjudicator.mail.commands.command import Done, Writer, nothing_more
from adjudicator.service import seats
from adjudicator.service.errors import NotNow

WORD, USAGE, MEANING, CHANGES = "accept", "accept", "take the seat that an invitation keeps for you (answer the invitation)", True


def do(writer: Writer, said: str) -> Done:
    """Take the seat that is kept for the writer."""
    nothing_more(said, USAGE)
    kept = writer.kept
    if kept is None:
        raise NotNow(
            "There is no invitation to accept here: it was taken already, or the seat is no longer kept. Answer the invitation itself."
        )
    token = seats.accept_in(writer.session, kept.seat_id, now=writer.now)
    sentence = f"You have seat {kept.seat} in {kept.match}. It begins when every seat is taken; its first letter then asks for your orders."
    return Done(sentence, uid=kept.uid, reply_token=token)
