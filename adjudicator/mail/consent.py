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
    "yess",
    "yesss",
    "yea",
    "aye",
    "y",
    "ok",
    "okay",
    "oki",
    "okey",
    "k",
    "sure",
    "sure thing",
    "roger",
    "approve",
    "approved",
    "happily",
    "happy to",
    "sounds good",
    "let (?:us|is) (?:go|play|start|begin)",
    "you bet",
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
    "(?:i|we) (?:would (?:like|love)|want) to (?:play|join)",
    "i will play",
    "i play",
    "ja",
    "jawohl",
    "jawoll",
    "jep",
    "klar",
    "gerne",
    "natürlich",
    "oui",
    "daccord",
    "si",
    "sí",
    "sì",
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
    "好",
    "好的",
    "네",
    "예",
    "نعم",
    "כן",
)
_SIGNS = re.compile("[👍👌✅☑✔]")  # of agreement, which programs insert for a word
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
    "love",
    "start",
    "begin",
    "go",
    "let",
    "us",
    "great",
    "good",
    "fine",
    "perfect",
    "happy",
    "who",
    "one",
    "from",
    "be",
    "best",
    "regards",
    "cheers",
    "cest",
    "cétait",
    "moi",
    "soy",
    "yo",
    "sono",
    "io",
    "sou",
    "eu",
    "это",
    "я",
    "ben",
    "benim",
    "jsem",
    "já",
    "en",
    "voltam",
    "そうです",
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
