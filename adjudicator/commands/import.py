# ruff: noqa: N999 the command is called `import`
"""`sealed import`: puts matches that were played elsewhere into the archive."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from adjudicator.commands.matches import open_database
from adjudicator.hosting.command_options import HostCommand
from adjudicator.platform.errors import HostFault

MOST_BYTES = 64 * 1024 * 1024  # of a file
MOST_TOLD = 3  # differences of a match that are printed


@click.command(cls=HostCommand)
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option(
    "--name", default="", help="What the matches are called; by default a record of their game."
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="POWER=NAME",
    help="Who played a power, in each of these matches.",
)
def command(files: tuple[Path, ...], name: str, players: tuple[str, ...]) -> None:
    """Put matches of Diplomacy that were kept elsewhere into the archive, for everybody to read;
    docs/archive.md.

    A file has a phase on each line, or a saved game on each line or in all. Each match is
    adjudicated again. The same record twice makes one match. No letter is sent, and names are only
    those given here.
    """
    from adjudicator.games.diplomacy.exchange.lines import LineFault
    from adjudicator.games.diplomacy.exchange.records import read_records
    from adjudicator.service.archive.importing import ImportedMatch, import_match

    database, names, done = (
        open_database(),
        dict(map(_power_and_name, players)),
        list[ImportedMatch](),
    )
    for file in files:
        at: list[int] = []
        try:
            for record in read_records(_values(file, at)):
                done.append(
                    import_match(database, record, name=name, players=names, now=database.now())
                )
                _tell(done[-1])
        except LineFault as fault:
            line = at[fault.value - 1] if fault.value else 0
            raise HostFault(
                f"{file}, line {line}: {fault}" if line else f"{file}: {fault}"
            ) from fault
    new = sum(each.new for each in done)
    click.echo(f"{new} of {len(done)} matches are new.")


def _power_and_name(given: str) -> tuple[str, str]:
    power, equals, name = given.partition("=")
    if not equals or not name.strip():
        raise click.UsageError("A player is written POWER=NAME, such as --player FRANCE=Ann.")
    return power.strip().upper(), name


def _tell(done: object) -> None:
    from adjudicator.service.archive.importing import ImportedMatch

    assert isinstance(done, ImportedMatch)  # noqa: S101 the caller's
    same = f"{len(done.differences)} differences" if done.differences else "all as in the record"
    sentence = f"{done.uid}: {done.phases} phases, {same}."
    click.echo(sentence if done.new else f"{sentence} It was here already.")
    for difference in done.differences[:MOST_TOLD]:
        click.echo(f"  {difference}")


def _values(file: Path, at: list[int]) -> Iterator[object]:
    """Yield a file's values: the whole file is one, or each line is. Raises HostFault for a file
    that is none of it.

    Of each value the number of its line is added to `at`, 0 for a whole file.
    """
    if file.stat().st_size > MOST_BYTES:
        raise HostFault(f"{file} is larger than {MOST_BYTES // 1024**2} MB; split it.")
    try:
        text = file.read_text(encoding="utf-8")
    except ValueError as error:
        raise HostFault(f"{file} holds no records: it is no text in UTF-8.") from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    whole = _fault_of(text)
    for number, written in lines if whole else [(0, text)]:
        fault = _fault_of(written)
        if fault is not None:  # where not even the first line is a value, the file was meant as one
            line, column, why = whole if whole and number == lines[0][0] else (number, *fault[1:])
            raise HostFault(f"{file}, line {line}, column {column}: this is no JSON: {why}.")
        at.append(number)
        yield json.loads(written)


def _fault_of(text: str) -> tuple[int, int, str] | None:
    """Return line and column of what is no JSON, and why; None for JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno, error.colno, error.msg
    except (ValueError, RecursionError) as error:
        # a number of thousands of digits, very deep lists
        return 1, 1, str(error)
    return None
