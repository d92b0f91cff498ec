"""Misspelt commands and newcomers' wishes: which command a line was probably meant as."""

import pytest

from adjudicator.mail.commands.recognition import guess_command
from adjudicator.mail.intents import guess_wish


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("jion pyramid", "join pyramid"),
        ("raedy", "ready"),
        ("Ready please", "ready"),
        ("reddy!", "ready"),
        ("staus", "status"),
        ("bereit", "ready"),
        ("Bereit.", "ready"),
        ("hepl", "help"),
        ("help me", "help"),
        ("claer", "clear"),
        ("zonne Europe/Paris", "zone Europe/Paris"),
        ("zoen", "zone Europe/Paris"),
        ("ruels genesis", "rules genesis"),
        ("new adress", "new address"),
        ("unsubscribe", "stop"),
        ("A Par - Bur", ""),
        ("B3", ""),
        ("paper 3,4", ""),
        ("Why not, or rather later", ""),
        ("?", ""),
        ("", ""),
    ],
)
def test_a_line_resembles_a_command(line: str, command: str) -> None:
    assert guess_command(line) == command


@pytest.mark.parametrize(
    ("lines", "wish"),
    [
        (["I want to play diplomacy"], "join diplomacy"),
        (["jion pyramid"], "join pyramid"),
        (["subscribe"], "help"),
        (["Subscribe me, please"], "help"),
        (["?"], "help"),
        (["???"], "help"),
        (["Sign me up!"], "help"),
        (["Dear all", "I would like to play Phoenix, please"], "join phoenix"),
        (["Buy our watches", "They are very good indeed, look at them"], ""),
        (["The art of diplomacy is a book that you can buy today from us for less than ten"], ""),
        (["diplomacy", "a", "b", "c", "d", "e"], ""),
        (["ready"], ""),
        ([], ""),
    ],
)
def test_a_newcomers_wish(lines: list[str], wish: str) -> None:
    assert guess_wish(lines) == wish
