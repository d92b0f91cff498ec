"""`rules pyramid`: the rules of a game, with the way its orders are written."""

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service import guides
from adjudicator.service.errors import Refused

WORD, USAGE, MEANING, CHANGES = (
    "rules",
    "rules pyramid",
    "the rules of a game, and how its orders are written; `rules genesis ru` in Russian",
    False,
)

_WHOLE = "Once you play, `rules` in answer to any letter of your match brings all of them by letter."


def do(writer: Writer, said: str) -> Done:
    """Send the rules of the game that is named, or of the match whose address was written to."""
    here = writer.sitter.game if writer.sitter else writer.kept.game if writer.kept else ""
    key, *rest = said.lower().split() or [here]
    if here and key in guides.about(here).languages:
        key, rest = here, [key]
    if not key:
        raise Refused(f"It needs a game: {', '.join(about.key for about in guides.games())}.")
    about = guides.about(guides.named(key) or key)
    language = " ".join(rest) or about.languages[0]
    if language not in about.languages:
        raise Refused(f"The rules of {about.title} are written in {', '.join(about.languages)}; “{language[:40]}” is not among them.")
    if not writer.proved:
        path = f"/rules/{about.key}" + (f"/{language}" if language != about.languages[0] else "")
        return Done(f"The rules of {about.title} are on the site. {_WHOLE}", links=((f"The rules of {about.title}", path),))
    return Done(f"The rules of {about.title} stand below.", rules_of=guides.article(about.key, language))
