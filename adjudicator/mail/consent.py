"""Whether the answer to a question is a plain yes: the lenient reader for questions whose yes costs
nothing.

A line is a yes if all of its words are known ones and some of them agree. Any other word, a
question mark or the mark of a quoted line makes it none: `yes, but`, `not me`, `yes?`, an away
note.
"""

import re
from collections.abc import Sequence

from adjudicator.mail.reading.orderlike import lines_of

_AGREE = lines_of("agree")
_SIGNS = re.compile("[👍👌✅☑✔]")  # of agreement, which programs insert for a word
_AGREES = re.compile(rf"\b(?:{'|'.join(sorted(_AGREE, key=len, reverse=True))})\b")
_KNOWN = (
    frozenset(lines_of("agree_filling"))
    | {word for phrase in _AGREE if "(" not in phrase for word in phrase.split()}
    | {"right"}
)
_SHORT = (
    ("n't", " not"),
    ("'ll", " will"),
    ("'m", " am"),
    ("'d ", " would "),
    ("'s", " is"),
    ("'re", " are"),
    ("'", ""),
)
_LIMITS = re.compile(
    r"\W*(?:but|if|unless|except|only|however|aber|wenn|mais|pero|ma|но)\b", re.IGNORECASE
)
_QUOTED = re.compile(r"\s*[>|]")
_ASKS = re.compile(
    r"[?¿？]|^\W*(?:(?:is|was|are|am|did|can|would|will) (?:i|it|that|this|we|you|there)|do (?:i|we|you))\b",
    re.IGNORECASE,
)
_MOST_WORDS = 12


def says_yes(lines: Sequence[str], names: str = "") -> bool:
    """Whether the first of these lines is a plain yes, and the next one does not limit it; words of
    the writer's `names` may stand beside it.
    """
    own = [line for line in lines if line.strip()]
    if (
        not own
        or _QUOTED.match(own[0])
        or _ASKS.search(own[0])
        or (len(own) > 1 and _LIMITS.match(own[1]))
    ):
        return False
    words = spell_out(_SIGNS.sub(" yes ", own[0]))
    return (
        0 < len(words) <= _MOST_WORDS
        and _KNOWN.union(spell_out(names)).issuperset(words)
        and _AGREES.search(" ".join(words)) is not None
    )


def spell_out(line: str) -> list[str]:
    """Return the words of an English line in lower case, with short forms written out: `I'd` as `i
    would`.
    """
    text = line.casefold().replace("’", "'")
    for short, whole in _SHORT:
        text = text.replace(short, whole)
    return re.findall(r"[^\W_]+", text)
