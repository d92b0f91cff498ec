"""`sealed adjudicate`: reads positions and orders as JSON lines and writes them with their
outcomes.
"""

import gzip
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from adjudicator.platform.errors import HostFault

GAMES = ("diplomacy", "rsp-diplomacy")
EDITIONS = ("2023", "1976", "via")


@click.command()
@click.argument(
    "file",
    default="-",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option("--game", required=True, type=click.Choice(GAMES), help="Whose rules.")
@click.option(
    "--edition", type=click.Choice(EDITIONS), help="By default 2023, for rsp-diplomacy 1976."
)
@click.option("--build-anywhere", is_flag=True, help="New units may be built in every own centre.")
@click.option("--reasons", is_flag=True, help="Also tell why, and because of which units.")
def command(
    file: Path, game: str, edition: str | None, build_anywhere: bool, reasons: bool
) -> None:
    """Adjudicate phases: JSON lines from FILE (plain or packed with gzip) or from standard input.

    Each line is written again with "after" and "outcomes"; docs/exchange.md describes them. For a
    line that cannot be adjudicated there is an object with its number, "line", and a sentence,
    "error"; the others go on, and at the end the exit is 1.
    """
    from dataclasses import replace

    from adjudicator.games.diplomacy.exchange.exchange import answer_line, rules_of
    from adjudicator.games.diplomacy.exchange.lines import LineFault

    rules = replace(rules_of(game, edition), anywhere=build_anywhere)
    lines = faults = 0
    for number, raw in numbered_lines(file):
        lines += 1
        try:
            answered = answer_line(rules, load_line(raw), reasons=reasons)
        except LineFault as fault:
            faults += 1
            answered = {"line": number, "error": str(fault)}
        _write(answered)
    if faults:
        click.echo(
            f"{faults} of {lines} lines could not be adjudicated; each tells why in its place.",
            err=True,
        )
        sys.exit(1)


def _write(answered: dict[str, Any]) -> None:
    """Write a line and flush it, because another program may be waiting for it."""
    sys.stdout.write(json.dumps(answered, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def numbered_lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the non-empty lines of a file (plain or gzip), or of standard input for `-`, with their
    numbers.

    Raises HostFault if the file cannot be read to its end.
    """
    with _opened(file) as source:
        try:
            for number, raw in enumerate(source, 1):
                if raw.strip():
                    yield number, raw
        except (OSError, EOFError, zlib.error) as error:
            raise HostFault(f"{file} cannot be read to its end: {error}.") from error


@contextmanager
def _opened(file: Path) -> Iterator[Iterable[bytes]]:
    if str(file) == "-":
        yield sys.stdin.buffer
        return
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as source:
        yield source


def load_line(raw: bytes) -> Any:
    """Return the JSON value of one line, with or without a byte order mark. Raises LineFault if it
    is not JSON.
    """
    from adjudicator.games.diplomacy.exchange.lines import LineFault

    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise LineFault("This line is not written in UTF-8.") from error
    except json.JSONDecodeError as error:
        raise LineFault(f"This line is no JSON: {error.msg}, at sign {error.pos + 1}.") from error
    except (ValueError, RecursionError) as error:
        raise LineFault(
            "This line has a number that is none or is too long, or is nested too deeply."
        ) from error


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number there")
