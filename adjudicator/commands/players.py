"""`sealed players`: the host's view of players, without anybody's orders or press."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from adjudicator.commands.matches import open_database
from adjudicator.hosting.command_options import HostCommands
from adjudicator.platform.words import plural

if TYPE_CHECKING:
    from adjudicator.service.base.tables import Player
    from adjudicator.service.people.directory import PlayerDetails

_WHO = click.argument("who", metavar="WHO")


@click.group(cls=HostCommands)
def command() -> None:
    """List, show, export and erase players. WHO is a number, an address or a whole name, as the
    list has them.
    """


@command.command("list")
@click.argument("search", default="")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many, the newest first.",
)
def list_(search: str, limit: int) -> None:
    """List players and guests, or those whose name or address contains SEARCH."""
    from adjudicator.service.people import directory

    with open_database().read_tx() as session:
        found = directory.list_players(session, search=search, most=limit + 1)
    for line in found[:limit]:
        click.echo(_one_line(line))
    if not found:
        click.echo("There is no such player." if search else "There are no players.")
    if len(found) > limit:
        click.echo("There are more: say --limit, or a part of a name or an address.")


def _one_line(line: "Player") -> str:
    return f"{line.id:>6}  {line.made_at:%Y-%m-%d}  {line.name}  {line.address or 'a guest'}"


@command.command("show")
@_WHO
def show(who: str) -> None:
    """Show one player: address, matches, sessions, and what is wrong with letters."""
    from adjudicator.service.people import directory

    with open_database().read_tx() as session:
        details = directory.describe_player(session, directory.find_player(session, who))
    click.echo("\n".join(_player_lines(details)))


def _player_lines(details: "PlayerDetails") -> list[str]:
    used = f", used last on {details.used_at:%Y-%m-%d}" if details.used_at is not None else ""
    sessions = plural(
        details.sessions,
        "{n} browser is signed in{used}.",
        "{n} browsers are signed in{used}.",
        used=used,
    )
    held = [
        plural(
            details.held,
            "{n} letter is held; `sealed letters` says why.",
            "{n} letters are held; `sealed letters` says why.",
        )
    ]
    return [
        _one_line(details.player),
        f"The time zone is {details.player.zone}. {sessions}",
        *details.marks,
        *(held if details.held else []),
        *(f"  {match.uid}  {match.status}  {match.name}" for match in details.matches),
        plural(details.ended, "{n} match has ended.", "{n} matches have ended."),
    ]


@command.command("export")
@_WHO
@click.option(
    "--to",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A new file, for its owner only; by default it is printed.",
)
def export(who: str, file: Path | None) -> None:
    """Write what is kept about a player, the same file (JSON) that players get themselves."""
    from adjudicator.service.people import directory, own_data

    with open_database().read_tx() as session:
        data = own_data.own_file(session, directory.find_player(session, who).id)
    if file is None:
        click.echo(data, nl=False)
        return
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise click.ClickException(f"{file} is there already.") from None
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise click.ClickException(
            f"{file} cannot be made ({fault.strerror}): name a folder that is there."
        ) from None
    with os.fdopen(handle, "w", encoding="utf-8") as written:
        written.write(data)
    click.echo(f"{file} holds it.")


@command.command("erase")
@_WHO
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(who: str, yes: bool) -> None:
    """Erase a player for good, as players do on their account page: running matches are resigned,
    ended ones stay without the name.
    """
    from adjudicator.service.erasure import erasing
    from adjudicator.service.people import directory

    database = open_database()
    with database.read_tx() as session:
        details = directory.describe_player(session, directory.find_player(session, who))
    click.echo("\n".join(_player_lines(details)))
    if not yes:
        click.confirm("Erase this player for good?", abort=True)
    erasing.erase_player(database, details.player.id, now=database.now())
    click.echo(
        "The player is erased; the worker takes away press and letters. Backups from before hold"
        " all of it until they are removed."
    )
