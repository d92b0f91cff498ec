"""What a line that is no command was probably meant as: a command with a slip of the pen, a word of another language, a newcomer's wish."""

import re
from collections.abc import Sequence
from dataclasses import replace

from adjudicator.core.game import Refusal
from adjudicator.core.near import nearest
from adjudicator.mail.commands import run
from adjudicator.mail.commands.command import Command
from adjudicator.service.views import game_info

HELP = "help"
ORDER_WORDS = ("ready", "wait", "clear", "end press")  # words about orders, which are no commands of their own
_TRANSLATED = {
    "bereit": "ready", "fertig": "ready", "prêt": "ready", "pret": "ready", "listo": "ready", "lista": "ready", "pronto": "ready",
    "klaar": "ready", "gotowy": "ready", "hazır": "ready", "готов": "ready", "готова": "ready",
    "warten": "wait", "warte": "wait", "attendre": "wait", "esperar": "wait", "aspetta": "wait", "wacht": "wait", "ждать": "wait",
    "hilfe": "help", "aide": "help", "ayuda": "help", "aiuto": "help", "помощь": "help", "stand": "status", "état": "status",
    "estado": "status", "stato": "status", "статус": "status", "regeln": "rules", "règles": "rules", "reglas": "rules", "regole": "rules",
    "правила": "rules", "unsubscribe": "stop",
}  # fmt: skip
_ASKING = frozenset({
    "subscribe", "register", "registration", "signup", "sign up", "enroll", "enrol", "play", "playing", "begin", "info", "games",
    "game", "information", "join", "start", "menu", "commands", "let play", "how to play", "i want to play", "want to play", "new game",
})  # fmt: skip
_POLITE = frozenset({
    "please", "now", "me", "a", "the", "hi", "hello", "hey", "there", "thanks", "i", "we", "us", "can", "could", "may", "would", "like",
    "d", "to", "do", "does", "this", "it", "is", "still", "also", "with", "you", "here", "one", "your", "some", "work", "works",
})  # fmt: skip
_ABOUT_PLAYING = frozenset({
    "how", "play", "playing", "join", "start", "begin", "register", "sign", "up", "in", "want", "game", "games", "match",
})  # fmt: skip
_SHORT_ENOUGH = 8  # words of a sentence about playing
_MOST_WORDS = 4  # of a command that was misspelt
_MOST_OF_A_WISH = 10  # words of a newcomer's sentence
_MOST_LINES = 5  # of a newcomer's letter: a longer one is more likely to be advertising
_SHORTEST = 3  # letters of a word that can be a slip
_ALIKE = 0.8  # of 1
_EDGES = ".,;:!?`\"'“”„«»()[]"


def command(line: str) -> str:
    """Return the command that a line resembles, as it would be written: `ready`, `join pyramid`; "" where it resembles none."""
    words = [bare for word in line.split() if (bare := word.strip(_EDGES))]
    if not words or len(words) > _MOST_WORDS:
        return ""
    translated = _TRANSLATED.get(" ".join(words).casefold())
    if translated:
        return translated
    known = dict.fromkeys(ORDER_WORDS) | {each.WORD: each for each in run.COMMANDS}
    for word, found in sorted(known.items(), key=lambda each: -len(each[0].split())):
        length = len(word.split())
        if _alike(" ".join(words[:length]).casefold(), word):
            return _written(word, found, words[length:])
    return ""


def _written(word: str, found: Command | None, more: list[str]) -> str:
    """Return a command as it can be written, with what stood behind it where that may stand there."""
    if found is None or not more:
        return word if found is None or word == found.USAGE or run.optional(found) else found.USAGE
    whole = f"{word} {' '.join(more)}"
    return whole if run.find(whole) is not None else word if run.optional(found) else found.USAGE


def _alike(typed: str, word: str) -> bool:
    if typed == word:
        return True
    if len(typed) < _SHORTEST or abs(len(typed) - len(word)) > 2:
        return False
    return sorted(typed) == sorted(word) or nearest(typed, (word,), alike=_ALIKE) == word


def slip(line: str) -> str:
    """Return which command a line resembles and is not, as a sentence and a blank; "" where it is one, or resembles none."""
    meant = "" if run.find(line) else command(line)
    return f"It looks like the command `{meant}`. " if meant and meant != line.strip(" .,;:!").lower() else ""


def as_command(refusal: Refusal) -> Refusal:
    """Return what is told of a refused line, which may be no order but resemble a command."""
    meant = command(refusal.line) if refusal.kind == "invalid" else ""
    if not meant:
        return refusal
    return replace(refusal, reason=f"It is no order, but it looks like the command `{meant}`, which is written just so.", remedies=())


def newcomers_wish(lines: Sequence[str]) -> str:
    """Return what a newcomer may have meant with a letter that holds no command, "" where it may be anything; `help` where they ask."""
    if len(lines) > _MOST_LINES:
        return ""
    return next((wish for line in lines if (wish := _wish(line))), "")


def _wish(line: str) -> str:
    words = [word.casefold() for word in re.findall(r"[\w-]+", line)]
    if not words:
        return HELP if line.strip(" !.") and set(line.strip(" !.")) == {"?"} else ""
    meant = command(line)
    if meant and meant not in ORDER_WORDS:
        return meant
    games = {about.key for about in game_info.games()}
    game = next((word for word in words if word in games), "") if len(words) <= _MOST_OF_A_WISH else ""
    if game:
        return f"join {game}"
    if len(words) <= _SHORT_ENOUGH and set(words) & _ABOUT_PLAYING and set(words) <= _ABOUT_PLAYING | _POLITE:
        return HELP
    return HELP if " ".join(word for word in words if word not in _POLITE) in _ASKING else ""
