"""`rules pyramid`: the rules of a game, with the way its orders are written."""

from adjudicator.mail.commands.command import Done, Writer
from adjudicator.service.base.errors import Refused
from adjudicator.service.views import game_info

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
    if here and key in game_info.about(here).languages:
        key, rest = here, [key]
    if not key:
        raise Refused(f"It needs a game: {', '.join(about.key for about in game_info.games())}.")
    about = game_info.about(game_info.named(key) or key)
    language = " ".join(rest) or about.languages[0]
    if language not in about.languages:
        raise Refused(f"The rules of {about.title} are written in {', '.join(about.languages)}; “{language[:40]}” is not among them.")
    if not writer.proved:
        path = f"/rules/{about.key}" + (f"/{language}" if language != about.languages[0] else "")
        return Done(f"The rules of {about.title} are on the site. {_WHOLE}", links=((f"The rules of {about.title}", path),))
    return Done(f"The rules of {about.title} stand below.", rules_of=game_info.article(about.key, language))
