"""Plain text as its program meant it: flowed lines joined (RFC 3676), entities of HTML that a
program left in it replaced.
"""

import html
import re

from adjudicator.mail.reading.orderlike import any_of, compile_text, is_order

_QUOTES = re.compile(r"^>*")
_LONGEST = 4000  # characters of a joined line
_NARROWEST = 55  # columns that a program fills at least before it wraps a line
_ENDED = (".", "!")  # a sentence
_UNFINISHED = (",", ";", "/", "-", "–", "→")
_GOES_ON = re.compile(r"\b(?:OR|THEN|[SC]|to|via|supports?|convoys?)$")
_COMMAND = compile_text(rf"{any_of('command_words')}\b")
_ENTITY = "&nbsp;"  # nobody types it


def unflow(text: str, *, delete_spaces: bool) -> str:
    """Return the text with flowed lines of the same quote depth joined; `delete_spaces` is
    DelSp=yes.
    """
    out: list[str] = []
    open_depth, above = -1, ""  # quote depth of the flowed line above, -1 for none, and that line
    for raw in text.split("\n"):
        depth = len(_QUOTES.match(raw)[0])  # type: ignore[index]  # it matches everything
        line = raw[depth:].removeprefix(" ")
        flows = line.endswith(" ") and line != "-- "
        kept = line[:-1] if flows and delete_spaces else line
        if (
            depth == open_depth
            and line != "-- "
            and not (depth == 0 and _are_two_lines(above, line))
        ):
            out[-1] += kept
        else:
            out.append(("> " if depth else "") + kept)
        open_depth, above = depth if flows else -1, line
        if len(out[-1]) > _LONGEST:
            open_depth = -1
    return "\n".join(out)


def _are_two_lines(above: str, line: str) -> bool:
    """Whether the blank at the end of a line was typed: there was room for the next word, and one
    of the two is an order or a command by itself, or the sentence was over.
    """
    above, word = above.rstrip(), line.partition(" ")[0]
    if len(above) + 1 + len(word) > _NARROWEST or _GOES_ON.search(above):
        return False
    if is_order(above) or _COMMAND.match(above):
        return not above.endswith(_UNFINISHED)
    return above.endswith(_ENDED) or is_order(line) or bool(_COMMAND.match(line))


def without_entities(text: str) -> str:
    """Return plain text of a program that leaves the entities of HTML in it, as QQ does, with the
    characters that they name.
    """
    return html.unescape(text) if _ENTITY in text else text
