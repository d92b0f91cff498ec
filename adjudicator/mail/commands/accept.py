"""`accept`: take the seat an invitation keeps."""

from adjudicator.mail.commands.command import Done, Writer, nothing_more
from adjudicator.mail.commands.join import wished
from adjudicator.service.base.errors import NotNow
from adjudicator.service.matches import seats

WORD, USAGE, MEANING, CHANGES = "accept", "accept", "take the seat that an invitation keeps for you (answer the invitation)", True


def do(writer: Writer, said: str) -> Done:
    """Take the seat that is kept for the writer."""
    before, wishes = wished(said)
    nothing_more(" ".join(before), USAGE)
    kept = writer.kept
    if kept is None:
        raise NotNow(
            "There is no invitation to accept here: it was taken already, or the seat is no longer kept. Answer the invitation itself."
        )
    sentence, token = seats.accept_in(writer.session, kept.seat_id, now=writer.now, wishes=wishes)
    return Done(sentence, uid=kept.uid, reply_token=token)
