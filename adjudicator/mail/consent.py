"""Whether the answer to a question is a plain yes: the lenient reader for questions whose yes costs
nothing.

A line is a yes if all of its words are known ones and some of them agree. Any other word, a
question mark or the mark of a quoted line makes it none: `yes, but`, `not me`, `yes?`, an away
note.
"""

import re
from collections.abc import Sequence

_AGREE = (
    "yes",
    "yes sir",
    "yeah",
    "yep",
    "yup",
    "yea",
    "aye",
    "y",
    "ok",
    "okay",
    "oki",
    "k",
    "sure",
    "certainly",
    "absolutely",
    "definitely",
    "affirmative",
    "agreed",
    "agree",
    "correct",
    "gladly",
    "all right",
    "alright",
    "of course",
    "go ahead",
    "with pleasure",
    "please do",
    "confirm",
    "confirmed",
    "accept",
    "accepted",
    "i am in",
    "i am",
    "i do",
    "i did",
    "i will",
    "count me in",
    "fine by me",
    "fine with me",
    "(?:it|that|this) (?:was|is) (?:me|mine|i|right|correct)",
    "(?:i|we) (?:would like|want) to play",
    "i will play",
    "i play",
    "ja",
    "jawohl",
    "jep",
    "klar",
    "gerne",
    "natürlich",
    "oui",
    "daccord",
    "si",
    "sí",
    "vale",
    "claro",
    "certo",
    "sim",
    "tak",
    "ano",
    "áno",
    "igen",
    "evet",
    "jo",
    "joo",
    "kyllä",
    "da",
    "да",
    "так",
    "ναι",
    "hai",
    "はい",
    "是",
    "是的",
)
_FILLING = (
    "please",
    "thanks",
    "thank",
    "you",
    "very",
    "much",
    "many",
    "hi",
    "hello",
    "hey",
    "dear",
    "all",
    "there",
    "and",
    "i",
    "it",
    "that",
    "this",
    "me",
    "my",
    "mine",
    "was",
    "is",
    "am",
    "are",
    "did",
    "do",
    "will",
    "would",
    "like",
    "want",
    "to",
    "play",
    "join",
    "we",
    "in",
    "the",
    "a",
    "really",
    "indeed",
    "again",
    "wrote",
    "sent",
    "asked",
    "for",
    "address",
    "letter",
    "mail",
    "email",
    "here",
    "can",
    "so",
    "bitte",
    "danke",
    "merci",
    "gracias",
    "grazie",
    "obrigado",
    "obrigada",
    "tack",
    "dank",
    "je",
    "ich",
    "bin",
    "dabei",
    "das",
    "war",
)
_AGREES = re.compile(rf"\b(?:{'|'.join(sorted(_AGREE, key=len, reverse=True))})\b")
_KNOWN = (
    frozenset(_FILLING)
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
_ASKS = re.compile(r"[?¿？]")
_MOST_WORDS = 12


def says_yes(lines: Sequence[str]) -> bool:
    """Whether the first of these lines is a plain yes, and the next one does not limit it."""
    own = [line for line in lines if line.strip()]
    if (
        not own
        or _QUOTED.match(own[0])
        or _ASKS.search(own[0])
        or (len(own) > 1 and _LIMITS.match(own[1]))
    ):
        return False
    words = spell_out(own[0])
    return (
        0 < len(words) <= _MOST_WORDS
        and _KNOWN.issuperset(words)
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
