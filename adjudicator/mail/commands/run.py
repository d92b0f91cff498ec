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
    preview,
    rules,
    start,
    status,
    stop,
    zone,
)
from adjudicator.mail.commands.command import Command
from adjudicator.service import guides

COMMANDS: tuple[Command, ...] = tuple(
    cast(Command, module)
    for module in (join, accept, decline, leave, status, preview, history, rules, zone, name, new_address, stop, start, help_)
)
_MOST_MORE = 2  # words after a command's own: a longer line is a person's sentence, whatever it begins with
_MOST_AFTER_GAME = 4  # where the first of them is a game: `join phoenix 3 short house`
_MORE = re.compile(r"[\w/+-]{1,40}")  # a game, a match, a time zone; a web address is none, and no question ever repeats one


def find(line: str) -> tuple[Command, str] | None:
    """Return the command that a line is, with what stands after its word; None where it is none."""
    words = line.strip().strip(".,;:!`\"'“”").split()
    for command in COMMANDS:
        head = command.WORD.split()
        said = words[len(head) :]
        most = _most(said) if command.USAGE != command.WORD else 0
        if [word.lower() for word in words[: len(head)]] == head and len(said) <= most and all(map(_MORE.fullmatch, said)):
            return command, " ".join(said)
    return None


def _most(said: list[str]) -> int:
    is_game = bool(said) and said[0].lower() in {about.key for about in guides.games()}
    return _MOST_AFTER_GAME if is_game else _MOST_MORE
