"""What plain sentences ask for, so that their writer is told the line to send. Nothing is ever
carried out from prose.
"""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from adjudicator.mail.commands.help_ import HELP, RULES
from adjudicator.mail.commands.joining.events import EVENT_WORDS
from adjudicator.mail.commands.recognition import ORDER_WORDS, guess_command
from adjudicator.mail.consent import spell_out
from adjudicator.service.views import game_info

Kind = Literal["resign", "absence", "extend", "games", "rules", "tournament", "join", "help"]

_MOST_LINES = 5  # of a newcomer's letter: a longer one is more likely to be advertising
_MOST_OF_A_WISH = 10  # words of a sentence that only names a game
_SHORT_ENOUGH = 8  # words of a sentence about playing that names no game
_LONGEST = 2_000  # characters that are searched
_ENDS = re.compile(r"[.!?;\n]+")
_LINK = re.compile(r"//|www\.|@", re.IGNORECASE)
_NUMBERS = {
    word: n
    for n, words in enumerate(
        ("a an another one", "two couple few", "three", "four", "five", "six", "seven"), 1
    )
    for word in words.split()
}
_HOURS = {"hour": 1, "day": 24, "week": 168}
_MOST_HOURS = 168
_DAYS = "|".join(day.lower() for day in calendar.day_name)
_UNIT = r"(?:hours?|days?|weeks?)"
_SPAN = re.compile(
    rf"\b(\d{{1,2}}|{'|'.join(_NUMBERS)})(?: of)?(?: (?:more|extra|additional|further|whole))?"
    rf" ({'|'.join(_HOURS)})s?\b"
)
# in a letter about a game
_PLAYERS = re.compile(
    r"^\S+(?: \S+)? ([2-9]|\d{2})$|\b([2-9]|\d{2}) (?:players|people|persons|of us|friends)\b"
)
_WISH = (  # words between `i` and the verb
    r"(?:(?:really|just|think|hereby|now|then|sadly|unfortunately|also|still|will|would|want|like|love|have|need|must|may|wish|prefer"
    r"|am going|have decided|to|rather|i) )+"
)
_MODAL = rf"(?:{_WISH})?"
_PATTERNS: tuple[tuple[Kind, str], ...] = (
    (
        "resign",
        (
            rf"(?:i|we) {_MODAL}(?:quit|resign|give up|drop out|bow"
            r" out|withdraw|surrender|forfeit|stop playing)\b"
        ),
    ),
    ("resign", rf"(?:i|we) {_MODAL}leave(?: (?:the|this|your|our|my) (?:game|match|table|seat))?$"),
    (
        "resign",
        (
            r"i am (?:out|done|quitting|resigning|withdrawing|giving up|leaving)"
            r"(?: (?:with )?(?:the|this) (?:game|match|table))?$"
        ),
    ),
    (
        "resign",
        (
            r"i (?:want out|have had enough)$|(?:some(?:body|one)|anyone) else (?:can|may|could|should)"
            r" (?:have|take) my (?:seat|place)\b"
        ),
    ),
    ("resign", r"i (?:do not have|have no|have not got) (?:the |any )?time (?:for this|to play)\b"),
    ("resign", r"(?:take|remove|drop) me (?:out|from|off)\b"),
    ("resign", r"(?:i|we) (?:can|ca) ?not (?:continue|go on|play (?:on|any more|anymore))\b"),
    (
        "resign",
        r"(?:no longer|not) (?:want|wish|like) to play\b|find (?:a replacement|somebody|someone)\b",
    ),
    (
        "absence",
        (
            r"(?:i|we)\b.*\b(?:on|for|from) (?:(?:a|my|our|short|long|summer|family)"
            r" )*(?:holidays?|vacation|leave|trip|honeymoon)\b"
        ),
    ),
    (
        "absence",
        (
            r"(?:i|we)\b.*\b(?:am|are|be|will) (?:\w+"
            r" ){0,2}(?:away|absent|abroad|offline|unavailable|not available|travell?ing|out of"
            r"|in hospital)\b"
        ),
    ),
    (
        "absence",
        (
            r"(?:i|we) (?:am|are|will be) (?:gone|busy|ill|sick|unwell)"
            r" (?:until|till|this week|next week|from|for)\b"
        ),
    ),
    ("absence", r"(?:i|we) (?:will )?have no (?:internet|connection|computer|mail|e mail)\b"),
    ("absence", r"^(?:\w+ )?(?:away|on (?:holidays?|vacation|leave|a trip)) (?:until|till|from)\b"),
    (
        "absence",
        r"(?:i|we) (?:will )?(?:am |are |be )?(?:only )?back"
        rf" (?:on|in|by|from|after|next|only|tomorrow|{_DAYS})\b",
    ),
    (
        "absence",
        r"(?:i|we) (?:can|ca|will|wo) ?not (?:\w+ )+(?:until|till|before|this week|next week)\b",
    ),
    (
        "extend",
        (
            rf"(?:more|extra|additional|another|further|bit of) (?:\w+ )?(?:time|{_UNIT})\b|\w+"
            rf" (?:more|extra) {_UNIT}\b"
        ),
    ),
    (
        "extend",
        (
            r"(?:an?|the|some|for) extension\b|extend (?:(?:the|this|our|my)"
            r" )?(?:deadline|phase|turn|round|time)\b|later deadline\b|to extend\b"
        ),
    ),
    (
        "extend",
        (
            r"(?:can|could|may) (?:the|this|our) deadline be (?:moved|later|extended|postponed"
            r"|delayed|shifted|pushed)\b"
        ),
    ),
    (
        "extend",
        (
            r"(?:i|we) (?:can|ca|will|wo) ?not (?:make (?:it in time|the deadline)|be ready in"
            r" time|manage (?:it )?in time)\b"
        ),
    ),
    ("extend", rf"(?:i|we) need (?:until|till) (?:next )?(?:tomorrow|{_DAYS})\b"),
    ("extend", rf"^(?:{'|'.join(_NUMBERS)}|\d{{1,2}}) {_UNIT} more\b"),
    (
        "extend",
        (
            r"(?:move|push|postpone|delay|shift) (?:back )?(?:(?:the|this|our)"
            r" )?(?:deadline|phase|turn|round)\b"
        ),
    ),
    (
        "games",
        (
            r"(?:what|which) (?:\w+ )?games? (?:do|does|are|can|have|is)\b|list of (?:\w+"
            r" )?games\b|games (?:do you|are there)\b"
        ),
    ),
    ("games", r"do you (?:have|offer|run|host) (?:any |other |more )*(?:\w+ )?games?\b"),
    (
        "games",
        (
            r"(?:tell|information|info|learn|know|hear|ask) (?:\w+ ){0,2}about (?:your|the|these)"
            r" (?:\w+ )?games\b|^(?:list |show )?games(?: please)?$"
        ),
    ),
    ("games", r"what (?:can|could) (?:i|we|one) play\b|what do you (?:offer|have)$"),
    (
        "tournament",
        (
            r"(?:make|start|organi[sz]e|run|create|host|hold|set up|plan) (?:an?|the|our|some)"
            r" (?:\w+ ){0,3}(?:tournament|league|cup)\b"
        ),
    ),
    (
        "rules",
        (
            r"(?:what|where|which) (?:are|is|do|can) (?:i find |i read |we find )?the rules\b"
            r"|(?:explain|read|see|send|show|know|tell) (?:me |us )?(?:\w+ )?the rules\b"
        ),
    ),
    ("help", r"how (?:do|does|can|should) (?:i|we|one) (?:play|get started)\b"),
    ("join", r"^(?:please )?join (?:an?|the|some|your|this) "),
    ("join", rf"(?:i|we) {_WISH}(?:\w+ )?(?:play|join)\b"),
    ("join", r"(?:i|we)\b.*\b(?:want|would like|wish) to (?:play|join)\b"),
    (
        "join",
        (
            r"(?:is|are) there (?:\w+ ){0,2}(?:free|open|empty|new)(?: \w+)?"
            r" (?:seats?|places?|games?|match|matches|tables?)\b"
        ),
    ),
    ("join", r"(?:add|put|get|let) (?:me|us) (?:in|into|to)\b|^let (?:us|is) (?:play|start) \w+"),
    ("join", r"can (?:\w+ ){1,3}and (?:i|we) (?:play|join)\b|(?:i|we) start a game of\b"),
    (
        "join",
        (
            r"(?:can|could|may|do|where can) (?:i|we|one) (?:\w+ )?(?:play|join|register|sign"
            r" up|take part|get in)\b"
        ),
    ),
    (
        "join",
        (
            r"(?:count|sign|deal) (?:me|us) (?:in|up)\b|(?:i|we) (?:am|are) (?:in$|keen to"
            r" (?:play|join))"
        ),
    ),
    ("join", r"interested in (?:playing|joining|(?:your |the |a |any |some )?(?:\w+ )?games?)\b"),
    (
        "join",
        (
            r"(?:let|allow) (?:me|us) (?:to )?(?:play|join)\b|looking for (?:a|some|other)"
            r" (?:game|match|table|players|opponents?)\b"
        ),
    ),
    (
        "help",
        (
            r"how (?:does|do|is) (?:this|it|that|one|the game|your (?:service|site|games?))"
            r" (?:work|works|played)\b"
        ),
    ),
    (
        "help",
        (
            r"how (?:do|can|should|must) (?:i|we|one|you)"
            r" (?:start|begin|order|write|send|give|make|enter|move|use)\b"
        ),
    ),
    (
        "help",
        r"what (?:do|can|should|must|shall) (?:i|we|one) (?:do|write|send|type|answer|reply)\b",
    ),
    (
        "help",
        (
            r"(?:i|we) (?:do not|need|am|are) (?:understand|know how|get"
            r" (?:it|this)|help|lost|confused)\b"
        ),
    ),
    ("help", r"can (?:you|somebody) (?:help|explain)\b|^(?:please )?help(?: (?:me|please|us))+$"),
    ("help", r"^(?:what is this|who (?:are you|is this))$|(?:i|we) have no idea\b"),
)
_KNOWN = tuple((kind, re.compile(rf"\b(?:{pattern})")) for kind, pattern in _PATTERNS)
_OF_STRANGERS = frozenset({"games", "rules", "join", "help"})
_ABOUT_GAMES = frozenset(
    {"game", "games", "match", "table", "round", "players", "opponent", "opponents"}
)
_ASKING = frozenset(
    {
        "subscribe",
        "register",
        "registration",
        "signup",
        "sign up",
        "enroll",
        "enrol",
        "play",
        "playing",
        "begin",
        "info",
        "games",
        "game",
        "information",
        "join",
        "start",
        "menu",
        "commands",
        "let play",
        "how to play",
        "i want to play",
        "want to play",
        "new game",
    }
)
_POLITE = frozenset(
    {
        "please",
        "now",
        "me",
        "a",
        "the",
        "hi",
        "hello",
        "hey",
        "there",
        "thanks",
        "i",
        "we",
        "us",
        "can",
        "could",
        "may",
        "would",
        "like",
        "d",
        "to",
        "do",
        "does",
        "this",
        "it",
        "is",
        "still",
        "also",
        "with",
        "you",
        "here",
        "one",
        "your",
        "some",
        "work",
        "works",
    }
)
_ABOUT_PLAYING = frozenset(
    {
        "how",
        "play",
        "playing",
        "join",
        "start",
        "begin",
        "register",
        "sign",
        "up",
        "in",
        "want",
        "game",
        "games",
        "match",
    }
)


@dataclass(frozen=True)
class Intent:
    """What somebody asks for in plain words."""

    kind: Kind
    sentence: str  # the words that say so, in lower case
    game: str = ""  # key of the game that the letter names

    @property
    def hours(self) -> int:
        """How much time it asks for, a day where it does not say."""
        found = _SPAN.search(self.sentence)
        number = (
            1 if found is None else int(found[1]) if found[1].isdecimal() else _NUMBERS[found[1]]
        )
        return min(max(1, number * (_HOURS[found[2]] if found else 24)), _MOST_HOURS)


def find_intent(lines: Sequence[str]) -> Intent | None:
    """Return what these lines ask for in plain words, None where that is unclear; sentences may run
    over several lines.
    """
    text = "\n".join(lines)[:_LONGEST]
    sentences = [
        " ".join(spell_out(each))
        for each in (*_ENDS.split(text), *_ENDS.split(text.replace("\n", " ")))
    ]
    found = ((kind, each) for kind, pattern in _KNOWN for each in sentences if pattern.search(each))
    kind, sentence = next(found, (None, ""))
    return (
        Intent(kind, sentence, game_info.named_within(re.findall(r"[\w-]+", text)))
        if kind
        else None
    )


def guess_wish(lines: Sequence[str]) -> str:
    """Return the command that a newcomer's letter without one probably meant, `help` for a
    question, "" where it is unclear.
    """
    if len(lines) > _MOST_LINES:
        return ""
    return next((wish for line in lines if (wish := _wish(line))), "") or _strangers_intent(lines)


def _strangers_intent(lines: Sequence[str]) -> str:
    """Return the command that answers a newcomer's sentences; "" where they may be advertising: a
    link, or many words about no game.
    """
    found = None if any(map(_LINK.search, lines)) else find_intent(lines)
    if found is None or found.kind not in _OF_STRANGERS:
        return ""
    words = found.sentence.split()
    if not found.game and len(words) > _SHORT_ENOUGH and not _ABOUT_GAMES & set(words):
        return ""
    if found.game and found.kind == "rules":
        return f"{found.kind} {found.game}"
    if found.game and found.kind == "join":
        return _join(found.game, words)
    return HELP.word


def _join(game: str, words: Sequence[str]) -> str:
    """Return the line that joins a game, with the number of players if these words name one of
    which no table is: it leads to tournaments.
    """
    counted = _PLAYERS.search(" ".join(words))
    number = int(counted[1] or counted[2]) if counted else 0
    return (
        f"join {game} {number}"
        if number and number not in game_info.about(game).seats
        else f"join {game}"
    )


def _wish(line: str) -> str:
    words = [word.casefold() for word in re.findall(r"[\w-]+", line)]
    if not words:
        return HELP.word if line.strip(" !.") and set(line.strip(" !.")) == {"?"} else ""
    meant = guess_command(line)
    if meant and meant not in ORDER_WORDS:
        return meant
    game = game_info.named_within(words) if len(words) <= _MOST_OF_A_WISH else ""
    if game and RULES.word in words:
        return f"{RULES.word} {game}"
    if game:
        return f"join {game} tournament" if EVENT_WORDS & set(words) else _join(game, words)
    if (
        len(words) <= _SHORT_ENOUGH
        and set(words) & _ABOUT_PLAYING
        and set(words) <= _ABOUT_PLAYING | _POLITE
    ):
        return HELP.word
    return HELP.word if " ".join(word for word in words if word not in _POLITE) in _ASKING else ""
