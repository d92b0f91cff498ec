"""`preview`: what would come of a letter's orders; the letter seals nothing."""

from adjudicator.core.game import Refusal
from adjudicator.mail.commands.command import Done, Writer, nothing_more
from adjudicator.play.submission import TooLong
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters.kinds import ReplySection
from adjudicator.service.views import trials
from adjudicator.service.views.trials import Tried

WORD, USAGE, MEANING, CHANGES = (
    "preview",
    "preview",
    "what would come of the orders in the same letter, everybody else doing nothing or what you write for them; nothing is sealed",
    False,
)


def do(writer: Writer, said: str) -> Done:
    """Try the other lines of the letter on the open position of the match whose address was written to."""
    nothing_more(said, USAGE)
    if writer.sitter is None:
        raise Refused("It needs a match: write it in answer to one of its letters, with the orders that you want to try.")
    board = trials.of_seat(writer.session, writer.sitter.uid, writer.sitter.player.id)
    if not writer.talk:
        raise Refused("It tries the orders that stand in the same letter, and there are none.")
    try:
        tried = board.tried("\n".join(writer.talk))
    except TooLong as fault:
        raise Refused(str(fault)) from fault
    return Done(f"Your orders for {board.name} were only tried, and nothing was sealed.", _sections(tried), view=tried.view)


def _sections(tried: Tried) -> tuple[ReplySection, ...]:
    refused = tuple(_refused(refusal) for refusal in tried.refusals)
    told = [ReplySection("What was not tried", refused)] if refused else []
    story = (*tried.remarks, *tried.lines) or (() if refused else ("Nothing would happen.",))
    told += [ReplySection("What would come of it", story)] if story else []
    told += [ReplySection("The table then", board=tried.board)] if tried.lines else []
    return tuple(told)


def _refused(refusal: Refusal) -> str:
    possible = f" Possible: {', '.join(refusal.remedies[:6])}." if refusal.remedies else ""
    return f"“{refusal.line[:80]}”: {refusal.reason}{possible}"
