"""`rules pyramid`: the rules of a game, with the way its orders are written."""

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service import guides
from adjudicator.service.errors import Refused

WORD, USAGE, MEANING, CHANGES = "rules", "rules pyramid", "the rules of a game, and how its orders are written", False


def do(writer: Writer, said: str) -> Done:
    """Send the rules of the game that is named, or of the match whose address was written to."""
    key = said.lower() or (writer.sitter.game if writer.sitter else writer.kept.game if writer.kept else "")
    if not key:
        raise Refused(f"It needs a game: {', '.join(about.key for about in guides.games())}.")
    about = guides.about(key)
    return Done(f"The rules of {about.title} stand below.", rules_of=about.key)
