"""What plain sentences ask for, so that their writer is told the line to send. Nothing is ever
carried out from prose.
"""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.commands.help_ import HELP, RULES
from adjudicator.mail.commands.joining.events import EVENT_WORDS
from adjudicator.mail.commands.recognition import ORDER_WORDS, guess_command
from adjudicator.mail.consent import spell_out
from adjudicator.mail.reading.orderlike import lines_of
from adjudicator.service.views import game_info

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
_PARTS = {"MODAL": rf"(?:{_WISH})?", "WISH": _WISH, "NUMBERS": "|".join(_NUMBERS)}
_PARTS |= {"UNIT": r"(?:hours?|days?|weeks?)", "DAYS": "|".join(calendar.day_name).lower()}
_KNOWN = tuple(
    (kind, re.compile(rf"\b(?:{re.sub('[A-Z]{4,}', lambda part: _PARTS[part[0]], pattern)})"))
    for kind, pattern in (line.split(" ", 1) for line in lines_of("intents"))
)
_OF_STRANGERS = frozenset({"games", "rules", "join", "help"})
_ABOUT_GAMES = frozenset(
    {"game", "games", "match", "table", "round", "players", "opponent", "opponents"}
)
_ASKING, _POLITE, _ABOUT_PLAYING = (
    frozenset(lines_of(name)) for name in ("asking", "asking_filling", "asking_playing")
)


@dataclass(frozen=True)
class Intent:
    """What somebody asks for in plain words."""

    kind: str  # as `words/intents.txt` names it
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
