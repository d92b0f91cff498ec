"""Which command a line of a letter is, and which one it was probably meant as: a slip of the pen or
another language.
"""

import re

from adjudicator.core.near import nearest
from adjudicator.mail.commands.absence import ABSENCE, ABSENCES, CANCEL_ABSENCE
from adjudicator.mail.commands.account import (
    ERASE,
    LADDER,
    NAME,
    ONLOOKERS,
    RATING,
    REMINDERS,
    SEND_DATA,
    START,
    STOP,
    ZONE,
)
from adjudicator.mail.commands.command import Command
from adjudicator.mail.commands.directing.acts import DIRECTING, SITTING_OUT
from adjudicator.mail.commands.directing.making import MAKE_TOURNAMENT
from adjudicator.mail.commands.help_ import HELP, RULES
from adjudicator.mail.commands.joining.join import JOIN
from adjudicator.mail.commands.joining.texts import may_follow, part_texts, written_texts
from adjudicator.mail.commands.joining.tournament import (
    JOIN_TOURNAMENT,
    LEAVE_TOURNAMENT,
    SEASON_TOURNAMENT,
    STATUS_TOURNAMENT,
)
from adjudicator.mail.commands.masters import CLOSE, DEADLINE, FILL, INVITE, PAUSE, RESUME
from adjudicator.mail.commands.match import ARCHIVE, HISTORY, NOTES, PREVIEW
from adjudicator.mail.commands.press import EXCUSE, MUTE, REPLACE, REPORT, UNMUTE, WARN
from adjudicator.mail.commands.seat import ACCEPT, DECLINE, LEAVE, NEW_ADDRESS, PREFER, SALT
from adjudicator.mail.commands.starting import (
    AGAIN,
    CONFIRM,
    PUBLISH,
    QUEUE,
    RENEW,
    SEAT_LINK,
    WATCH_LINK,
)
from adjudicator.mail.commands.status import STATUS
from adjudicator.mail.commands.tenure import BACK, RESIGN, STANDBY, SUBSTITUTE, TAKE
from adjudicator.mail.commands.votes import CONCEDE, END_MATCH, EXTEND, OFFER_DRAW, VOTE
from adjudicator.service.views import game_info

COMMANDS = (
    JOIN_TOURNAMENT,
    LEAVE_TOURNAMENT,
    SEASON_TOURNAMENT,
    STATUS_TOURNAMENT,
    MAKE_TOURNAMENT,
    *DIRECTING,
    *SITTING_OUT,
    JOIN,
    ACCEPT,
    DECLINE,
    PREFER,
    LEAVE,
    QUEUE,
    CONFIRM,
    RENEW,
    AGAIN,
    SEAT_LINK,
    WATCH_LINK,
    PUBLISH,
    STATUS,
    PREVIEW,
    HISTORY,
    NOTES,
    MUTE,
    UNMUTE,
    REPORT,
    SALT,
    RULES,
    EXTEND,
    VOTE,
    OFFER_DRAW,
    END_MATCH,
    CONCEDE,
    TAKE,
    STANDBY,
    SUBSTITUTE,
    BACK,
    RESIGN,
    ABSENCES,
    CANCEL_ABSENCE,
    ABSENCE,
    RATING,
    LADDER,
    ARCHIVE,
    ZONE,
    NAME,
    ONLOOKERS,
    REMINDERS,
    NEW_ADDRESS,
    STOP,
    START,
    SEND_DATA,
    ERASE,
    HELP,
)
MASTERS = (PAUSE, RESUME, DEADLINE, CLOSE, INVITE, FILL, WARN, REPLACE, EXCUSE)
_ABOUT_PRESS = (MUTE, UNMUTE, REPORT)
_GUESSED = tuple(each for each in COMMANDS if each not in _ABOUT_PRESS)
_STAND_ALONE = (
    STATUS,
    RATING,
    HISTORY,
    NOTES,
    RULES,
    LEAVE,
    CONFIRM,
    RENEW,
    AGAIN,
    SEAT_LINK,
    WATCH_LINK,
    PUBLISH,
)  # words may follow theirs, or none
# where the first of them is a game: `join diplomacy 7 house edition 1976 victory 20 anonymous`
_MOST_AFTER_GAME = 30
_MOST_WISHES = 8
# a game, an option, a match or a time zone; never a web address, which a question would repeat
_MORE = re.compile(r"[\w/+=-]{1,40}")
ORDER_WORDS = ("ready", "wait", "clear", "end press")  # words about orders, which are no commands
_IN_OTHERS = {
    "ready": "bereit fertig prêt pret listo lista pronto klaar gotowy hazır готов готова",
    "wait": "warten warte attendre esperar aspetta wacht ждать",
    "help": "hilfe aide ayuda aiuto помощь",
    "status": "stand état estado stato статус",
    "rules": "regeln règles reglas regole правила",
    "stop": "unsubscribe",
}
_TRANSLATED = {word: meant for meant, words in _IN_OTHERS.items() for word in words.split()} | {
    "sign up": "help",
    "sign me up": "help",
}
_MOST_SLIP_WORDS = 4  # of a command that was misspelt
_SHORTEST = 3  # letters of a word that can be a slip
_ALIKE = 0.8  # of 1
_PLEASE = re.compile(r"^\W*please[\s,]+|[\s,]+please[\s.!]*$", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b(?:for|with) (\d{1,2})\b(?: (?:players?|people|persons?|seats?))?", re.IGNORECASE
)
_POLITELY = frozenset({JOIN.word, HELP.word, RULES.word, STATUS.word})
_EDGES = ".,;:!?`\"'“”„«»()[]"


def find_command(line: str) -> tuple[Command, str] | None:
    """Return the command that a line is, and the text after its word; None where it is no
    command.
    """
    line = _without_please(line)
    line, texts = (
        part_texts(line) if line.strip(_EDGES).lower().startswith(f"{JOIN.word} ") else (line, {})
    )
    words = _words(line)
    if texts and not may_follow(texts):
        return None
    for command in _GUESSED:
        head = command.word.split()
        if [word.lower() for word in words[: len(head)]] != head:
            continue
        arguments = _with_key(words[len(head) :]) if command.of_game else words[len(head) :]
        if _may_follow(command, arguments):
            return command, " ".join([*arguments, *written_texts(texts)])
    return _find_by_pattern(line)


def _without_please(line: str) -> str:
    """Return a line about joining, the rules, help or the state of a match without the polite words
    around it, and without those around a number of players.
    """
    bare = _PLEASE.sub("", line)
    first = bare.lower().split()[:1]
    if not first or first[0].strip(_EDGES) not in _POLITELY:
        return line
    return _COUNTED.sub(r"\1", bare) if first[0] == JOIN.word else bare


def _with_key(words: list[str]) -> list[str]:
    """Return the words after a command's own with the key of the game that the first or second of
    them begins to name.
    """
    for start in (0, 1):
        game, count = game_info.named_first(words[start:])
        if game:
            return [*words[:start], game, *words[start + count :]]
    return words


def _find_by_pattern(line: str) -> tuple[Command, str] | None:
    """Return the command whose word and pattern a line fits, and the text after the word."""
    for command in (*MASTERS, *_ABOUT_PRESS, SALT):
        found = re.fullmatch(
            rf"\W{{0,3}}{command.word}\b\s*(.*?)[.!`\s]*", line, re.IGNORECASE | re.DOTALL
        )
        if found and command.more and command.more.fullmatch(found[1]):
            return command, found[1]
    return None


def _may_follow(command: Command, arguments: list[str]) -> bool:
    """Whether these words may follow a command's own."""
    if command.more is not None:
        return command.more.fullmatch(" ".join(arguments)) is not None
    if command.own_seat and command.fits is not None:
        return command.fits(arguments)
    fits = command.fits is None or command.fits(arguments)
    return fits and _is_short(command, arguments) and all(map(_MORE.fullmatch, arguments))


def _words(line: str) -> list[str]:
    """Return the words of a line; preferences and options may be separated by commas."""
    words = line.strip().strip(".,;:!`\"'“”").split()
    parted = PREFER.word in map(str.lower, words) or (
        len(words) > 2 and words[0].lower() == JOIN.word
    )
    return (
        re.sub(r"\s*=\s*", "=", line.replace(",", " ")).strip(" \t.;:!`\"'“”").split()
        if parted
        else words
    )


def _is_short(command: Command, arguments: list[str]) -> bool:
    """Whether the command allows as many words after its own."""
    lower = [word.lower() for word in arguments]
    wishes = (
        len(arguments) - lower.index(PREFER.word)
        if PREFER.word in lower and command in (JOIN, ACCEPT)
        else 0
    )
    if wishes > _MOST_WISHES + 1:
        return False
    if command is PREFER:
        return len(arguments) <= _MOST_WISHES + 1
    return len(arguments) - wishes <= (
        _most(command, arguments) if command.usage != command.word else 0
    )


def _most(command: Command, arguments: list[str]) -> int:
    return _MOST_AFTER_GAME if arguments and game_info.named(arguments[0]) else command.most


# --- what a line was probably meant as


def guess_command(line: str, *, masters: bool = False) -> str:
    """Return the command that a line resembles, as it would be written: `ready`, `join pyramid`; ""
    where it resembles none.

    Those of masters and those about press are not guessed: in press their words are plain English.
    `masters` says whether the line was written to a master's address.
    """
    words = [bare for word in line.split() if (bare := word.strip(_EDGES))]
    if not words or len(words) > _MOST_SLIP_WORDS:
        return ""
    translated = _TRANSLATED.get(" ".join(words).casefold())
    if translated:
        return translated
    known = dict.fromkeys(ORDER_WORDS) | {
        each.word: each for each in (*(MASTERS if masters else ()), *_GUESSED)
    }
    for word, found in sorted(known.items(), key=lambda each: -len(each[0].split())):
        length = len(word.split())
        if _alike(" ".join(words[:length]).casefold(), word):
            return _as_written(word, found, words[length:])
    return ""


def _as_written(word: str, found: Command | None, more: list[str]) -> str:
    """Return a command as it can be written, with the words that followed it where it allows
    them.
    """
    if found is None or not more:
        return (
            word if found is None or word == found.usage or found in _STAND_ALONE else found.usage
        )
    if found.master and found.text:  # what it lacks is a seat or a reason
        return found.usage
    whole = f"{word} {' '.join(more)}"
    if find_command(whole) is not None:
        return whole
    game = game_info.named_within(more) if found.of_game else ""
    return f"{word} {game}" if game else word if found in _STAND_ALONE else found.usage


def _alike(typed: str, word: str) -> bool:
    if typed == word:
        return True
    if len(typed) < _SHORTEST or abs(len(typed) - len(word)) > 2:
        return False
    return sorted(typed) == sorted(word) or nearest(typed, (word,), alike=_ALIKE) == word


def describe_slip(line: str) -> str:
    """Return a sentence that names the command a line resembles, with a trailing space; "" where it
    is one or resembles none.
    """
    meant = "" if find_command(line) else guess_command(line)
    return (
        f"It looks like the command `{meant}`. "
        if meant and meant != line.strip(" .,;:!").lower()
        else ""
    )
