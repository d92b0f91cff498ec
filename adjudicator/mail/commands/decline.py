"""`decline`: give back the seat an invitation keeps."""

from adjudicator.mail.commands.command import Done, Writer, nothing_more
from adjudicator.service.base.errors import NotNow
from adjudicator.service.matches import seats

WORD, USAGE, MEANING, CHANGES = "decline", "decline", "leave that seat to others (answer the invitation)", True


def do(writer: Writer, said: str) -> Done:
    """Give the kept seat back."""
    nothing_more(said, USAGE)
    kept = writer.kept
    if kept is None:
        raise NotNow("There is no invitation to decline here: it was answered already, or the seat is no longer kept.")
    seats.decline_in(writer.session, kept.seat_id)
    return Done(f"You declined the seat in {kept.match}; nobody waits for you there.")
