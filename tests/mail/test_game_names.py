"""Every printed title of a game names it in a letter, as people write it."""

import re
from collections.abc import Iterator
from pathlib import Path

from adjudicator.mail.commands.recognition import find_command
from adjudicator.service.views import game_info

PAGES = Path(__file__).parents[2] / "templates/web/rules"
COMMANDS = ("join", "rules", "ladder", "standby", "archive", "help join")


def titles() -> Iterator[tuple[str, str]]:
    """Yield every printed title with the key of its game: of lists and forms, and above the rules
    in each language.
    """
    for about in game_info.games():
        yield about.title, about.key
        for language in about.languages:
            page = (PAGES / f"{game_info.article(about.key, language)}.html").read_text("utf-8")
            heads = re.findall("<h1>(.*?)</h1>", page)
            assert heads, about.key
            yield from ((head, about.key) for head in heads)


def spellings(title: str) -> set[str]:
    plain = title.replace(",", "")
    short = re.sub("^RPS ", "", title)
    return {
        title,
        title.upper(),
        title.lower(),
        plain,
        plain.replace(" ", "-"),
        plain.replace(" ", ""),
        short,
        f"“{title}”",
    }


def meant(line: str) -> str:
    command = find_command(line)
    return command[1] if command else ""


def test_every_printed_title_names_its_game_after_every_command_that_takes_one() -> None:
    for title, key in set(titles()):
        for spelling in spellings(title):
            for word in COMMANDS:
                assert meant(f"{word} {spelling}").removeprefix("join ") == key, (
                    f"{word} {spelling}"
                )


def test_names_as_people_write_them() -> None:
    for line, said in (
        ("join Rock, Scissors, Paper Diplomacy", "rsp-diplomacy"),
        ("join rps diplomacy", "rsp-diplomacy"),
        ("join RSP Diplomacy, 5, house", "rsp-diplomacy 5 house"),
        ("join Rock / Paper / Scissors Diplomacy prefer france", "rsp-diplomacy prefer france"),
        ("join R.P.S. Phoenix 4 team", "phoenix 4 team"),
        ("join rps phoe", "phoenix"),
        ("join rps pyramid red", "pyramid red"),
        ("rules Генезис ru", "genesis ru"),
        ("join rock paper", "rock paper"),  # two games begin so
        ("join rps", "rps"),
        ("join phoenix, please!", "phoenix"),
        ("Please join redeux", "redeux"),
        ("join phoenix for 3 players please", "phoenix 3"),
        ("name Please", "Please"),
        ("join ge", "ge"),
        ("name Rock Paper", "Rock Paper"),
    ):
        assert meant(line) == said, line
