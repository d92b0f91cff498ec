"""Runs the verifier on files, as a player does."""

import json
from pathlib import Path
from typing import Any

import pytest

import verify_match
from tests.verifier.made import World, write_letter


def write(folder: Path, name: str, plain: object) -> str:
    """Write a JSON file; return its path."""
    path = folder / name
    path.write_text(json.dumps(plain), "utf-8")
    return str(path)


def verify(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    """Return the exit code and the lines printed."""
    try:
        code = verify_match.main(arguments)
    except SystemExit as error:  # of a command line that names no file
        code = int(str(error.code))
    told = capsys.readouterr()
    return code, [*told.out.splitlines(), *told.err.splitlines()]


def broken(lines: list[str]) -> set[str]:
    """Return the numbers of the rules that are named as broken."""
    # the last line counts them
    return {line.split()[1] for line in lines if line.startswith("BROKEN  ")}


def evidence(folder: Path, world: World, seat: str) -> list[str]:
    """Return arguments that give one player's receipts and letters: the first, the last report and
    the last letter.
    """
    arguments: list[str] = []
    for number, receipt in enumerate(
        each for each in world.receipts if each["receipt"]["seat"] == seat
    ):
        arguments += ["--receipt", write(folder, f"receipt{number}.json", receipt)]
    for number, seal in enumerate(world.letters[seat]):
        arguments += ["--letter", str(write_letter(folder / f"letter{number}.eml", seal))]
    return arguments


def rules(found: tuple[int, list[str]]) -> dict[str, Any]:
    """Return exit code and broken rules, for an assert that shows both."""
    return {"exit": found[0], "broken": broken(found[1])}
