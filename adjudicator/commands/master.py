"""`sealed master`: the players who may run every match, beside each match's own master."""

import click

from adjudicator.commands.matches import open_database
from adjudicator.hosting.command_options import HostCommands


@click.group(cls=HostCommands)
def command() -> None:
    """Say who runs every match: they may pause them, move deadlines, close phases, and are told of
    stuck ones.
    """


@command.command("add")
@click.argument("address")
def add(address: str) -> None:
    """Let the player of ADDRESS run every match; the address shows at their first sign-in that it
    is theirs.
    """
    from adjudicator.service.matches import masters

    database = open_database()
    new = masters.appoint_master(database, address, now=database.now())
    click.echo("They run every match from now on." if new else "They run every match already.")


@command.command("remove")
@click.argument("address")
def remove(address: str) -> None:
    """Let the player of ADDRESS run only matches of their own again."""
    from adjudicator.service.matches import masters

    masters.dismiss_master(open_database(), address)
    click.echo("They run only matches of their own now.")


@command.command("list")
def list_() -> None:
    """List the addresses of those who run every match."""
    from adjudicator.service.matches import masters

    with open_database(changes=False).read_tx() as session:
        click.echo(
            "\n".join(masters.list_masters(session))
            or "Nobody runs every match; each has its own master."
        )
