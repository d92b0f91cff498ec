"""`sealed letters`: what went wrong with letters, in and out; their words and addresses are never shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from adjudicator.commands.matches import open_database
from adjudicator.service.errors import Refused
from adjudicator.words import as_seat

if TYPE_CHECKING:
    from adjudicator.service.troubles import Line


@click.group(invoke_without_command=True)
@click.option("--all", "every", is_flag=True, help="Also letters in that were passed over as they should be: automatic, repeated ...")
@click.pass_context
def command(ctx: click.Context, every: bool) -> None:
    """List letters that are held, came back or could not be read, with the reasons; send a held one again."""
    if ctx.invoked_subcommand is not None:
        return
    from adjudicator.service import troubles

    with open_database().reading() as session:
        out, came_in = troubles.out(session), troubles.incoming(session, every=every)
    _show("Letters out", out, "Every letter was sent, or waits for its turn.")
    _show("Letters in", came_in, "Every letter that was read could be acted on.")


def _show(title: str, lines: Sequence["Line"], otherwise: str) -> None:
    click.echo(f"{title}:" if lines else f"{title}: {otherwise}")
    for line in lines:
        where = f" {line.match}" + (f" {as_seat(line.seat)}" if line.seat else "") if line.match else ""
        click.echo(f"  {line.uid}  {line.at:%Y-%m-%d %H:%M} UTC  {line.kind}{where}  {line.fate}: {line.why}")


@command.command("resend")
@click.argument("uid")
def resend(uid: str) -> None:
    """Let a held letter go out now, once its fault is mended."""
    from adjudicator.service import troubles

    try:
        database = open_database()
        troubles.resend(database, uid, now=database.now())
    except Refused as error:
        raise click.ClickException(str(error)) from error
    click.echo("The letter goes out.")
