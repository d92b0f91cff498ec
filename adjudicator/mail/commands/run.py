"""A line of a letter is found to be a command, or not to be one."""

import re
from typing import cast

from adjudicator.mail.commands import (
    accept,
    decline,
    help_,
    history,
    join,
    leave,
    name,
    new_address,
    prefer,
    preview,
    rules,
    start,
    status,
    stop,
    zone,
)
from adjudicator.mail.commands.command import Command
from adjudicator.service.views import game_info

COMMANDS: tuple[Command, ...] = tuple(
    cast(Command, module)
    for module in (join, accept, decline, prefer, leave, status, preview, history, rules, zone, name, new_address, stop, start, help_)
)
_MOST_MORE = 2  # words after a command's own: a longer line is a person's sentence, whatever it begins with
_MOST_AFTER_GAME = 12  # where the first of them is a game: `join diplomacy 7 house edition 1976 victory 20 anonymous`
_MOST_WISHES = 8
_MORE = re.compile(r"[\w/+=-]{1,40}")  # a game, an option, a match, a time zone; a web address is none, and no question ever repeats one


def find(line: str) -> tuple[Command, str] | None:
    """Return the command that a line is, with what stands after its word; None where it is none."""
    words = _words(line)
    for command in COMMANDS:
        head = command.WORD.split()
        said = words[len(head) :]
        if [word.lower() for word in words[: len(head)]] == head and _is_short(command, said) and all(map(_MORE.fullmatch, said)):
            return command, " ".join(said)
    return None


def optional(command: Command) -> bool:
    """Whether a command may stand alone, though more can follow it."""
    return command in (status, history, rules, leave)


def _words(line: str) -> list[str]:
    """Return the words of a line; wishes and options are often parted by commas."""
    words = line.strip().strip(".,;:!`\"'“”").split()
    parted = prefer.WORD in map(str.lower, words) or (len(words) > 2 and words[0].lower() == join.WORD)
    return re.sub(r"\s*=\s*", "=", line.replace(",", " ")).strip(" \t.;:!`\"'“”").split() if parted else words


def _is_short(command: Command, said: list[str]) -> bool:
    """Whether so many words may follow a command's own."""
    lower = [word.lower() for word in said]
    wishes = len(said) - lower.index(prefer.WORD) if prefer.WORD in lower and command in (join, accept) else 0
    if wishes > _MOST_WISHES + 1:
        return False
    if command is prefer:
        return len(said) <= _MOST_WISHES + 1
    return len(said) - wishes <= (_most(said) if command.USAGE != command.WORD else 0)


def _most(said: list[str]) -> int:
    return _MOST_AFTER_GAME if said and game_info.named(said[0]) else _MOST_MORE
