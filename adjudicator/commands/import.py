# ruff: noqa: N999 the command is called `import`
"""`sealed import`: puts matches that were played elsewhere into the archive."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from adjudicator.commands.matches import open_database, refusals_told
from adjudicator.platform.errors import HostFault

MOST_BYTES = 64 * 1024 * 1024  # of a file
MOST_TOLD = 3  # differences of a match that are printed


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", default="", help="What the matches are called; by default a record of their game.")
@click.option("--player", "players", multiple=True, metavar="POWER=NAME", help="Who played a power, in each of these matches.")
def command(files: tuple[Path, ...], name: str, players: tuple[str, ...]) -> None:
    """Put matches of Diplomacy that were kept elsewhere into the archive, for everybody to read; docs/archive.md.

    A file has a phase on each line, or a saved game on each line or in all. Each match is adjudicated again. The same record twice
    makes one match. No letter is sent, and names are only those given here.
    """
    from adjudicator.games.diplomacy.exchange.lines import LineFault
    from adjudicator.games.diplomacy.exchange.records import read_records
    from adjudicator.service.archive.importing import ImportedMatch, import_match

    database, named, done = open_database(), dict(map(_named, players)), list[ImportedMatch]()
    for file in files:
        try:
            for record in read_records(_values(file)):
                with refusals_told():
                    done.append(import_match(database, record, name=name, players=named, now=database.now()))
                _tell(done[-1])
        except LineFault as fault:
            raise HostFault(f"{file}, after {len(done)} matches: {fault}") from fault
    new = sum(each.new for each in done)
    click.echo(f"{new} of {len(done)} matches are new.")


def _named(given: str) -> tuple[str, str]:
    power, said, name = given.partition("=")
    if not said or not name.strip():
        raise click.UsageError("A player is written POWER=NAME, such as --player FRANCE=Ann.")
    return power.strip().upper(), name


def _tell(done: object) -> None:
    from adjudicator.service.archive.importing import ImportedMatch

    assert isinstance(done, ImportedMatch)  # noqa: S101 the caller's
    same = f"{len(done.differences)} differences" if done.differences else "all as in the record"
    told = f"{done.uid}: {done.phases} phases, {same}."
    click.echo(told if done.new else f"{told} It was here already.")
    for difference in done.differences[:MOST_TOLD]:
        click.echo(f"  {difference}")


def _values(file: Path) -> Iterator[object]:
    """Yield a file's values: the whole file is one, or each line is. Raises HostFault for a file that is none of it."""
    if file.stat().st_size > MOST_BYTES:
        raise HostFault(f"{file} is larger than {MOST_BYTES // 1024**2} MB; split it.")
    try:
        text = file.read_text(encoding="utf-8")
        try:
            yield json.loads(text)
        except ValueError:
            for line in filter(str.strip, text.splitlines()):
                yield json.loads(line)
    except (ValueError, RecursionError) as error:
        raise HostFault(f"{file} holds no records: {error}.") from error
