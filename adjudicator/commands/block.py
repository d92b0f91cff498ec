"""`sealed block`: the list of blocked addresses and domains."""

import click

from adjudicator.commands.matches import open_database
from adjudicator.hosting.command_options import HostCommand


@click.command(cls=HostCommand)
@click.argument("what", nargs=-1, metavar="[ADDRESS|DOMAIN]...")
@click.option("--list", "show", is_flag=True, help="List what is blocked.")
@click.option("--remove", is_flag=True, help="Take it off the list instead.")
def command(what: tuple[str, ...], show: bool, remove: bool) -> None:
    """Send no letters to an address, or to a domain and all below it, let nobody play with it, and
    read none of its letters.
    """
    if not what and not show:
        raise click.UsageError(
            "Name an address such as ann@example.org or a domain such as example.org, or say"
            " --list."
        )
    for each in what:
        _unblock(each) if remove else _block(each)
    if show:
        _show()


def _block(what: str) -> None:
    from adjudicator.platform.words import plural
    from adjudicator.service.people import block_list

    database = open_database()
    blocked, players = block_list.block_address(database, what, now=database.now())
    click.echo(f"{blocked} is blocked.")
    if players:
        one = "{n} blocked player is signed out; their seats stay."
        click.echo(plural(players, one, "{n} blocked players are signed out; their seats stay."))


def _unblock(what: str) -> None:
    from adjudicator.service.people import block_list

    click.echo(f"{block_list.unblock_address(open_database(), what)} is not blocked any more.")


def _show() -> None:
    from adjudicator.service.people import block_list

    with open_database(changes=False).read_tx() as session:
        click.echo("\n".join(block_list.list_blocked(session)) or "Nothing is blocked.")
