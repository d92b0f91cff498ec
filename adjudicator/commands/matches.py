"""`sealed matches`: what a host sees of the matches, without anybody's orders."""

from typing import TYPE_CHECKING

import click

from adjudicator.service.errors import Refused

if TYPE_CHECKING:
    from adjudicator.db import Database


def _database() -> "Database":
    """Return the database of the settings; raises CannotStart with a sentence where it is not ready."""
    from adjudicator.config import settings
    from adjudicator.db import Database
    from adjudicator.hosting.stages import require_database

    require_database(settings().database_url)
    return Database(settings().database_url)


@click.group()
def command() -> None:
    """List and show matches; orders are never shown."""


@command.command("list")
@click.option("--status", type=click.Choice(["making", "open", "running", "ended", "stuck"]), help="Only matches of this status.")
def list_(status: str | None) -> None:
    """List matches, the newest first."""
    from adjudicator.service import cards

    with _database().reading() as session:
        rows = cards.all_matches(session, status)
    for row in rows:
        taken = f"{sum(1 for seat in row.seats if seat.player)}/{len(row.seats)}"
        until = f"{row.phase}, due {row.deadline:%Y-%m-%d %H:%M} UTC" if row.deadline else ""
        click.echo(f"{row.uid}  {row.status:8}{row.game_key:10}{taken:6}{row.name}{'  - ' + until if until else ''}")
    if not rows:
        click.echo("There are no matches yet." if status is None else f"No match is {status}.")


@command.command("show")
@click.argument("uid")
def show(uid: str) -> None:
    """Show one match: its seats, phases and troubles."""
    from adjudicator.service import pages

    try:
        with _database().reading() as session:
            page, troubles = pages.match_page(session, uid, None), pages.troubles(session, uid)
    except Refused as error:
        raise click.ClickException(str(error)) from error
    card = page.card
    click.echo(f"{card.name} ({card.uid}): {card.game}, {card.status}; master {page.master}")
    for seat in card.seats:
        click.echo(f"  seat {seat.name}: {seat.player or ('kept for somebody' if seat.kept else 'free')}")
    for phase in page.phases:
        closed = (
            f"closed {phase.closed_at:%Y-%m-%d %H:%M:%S} UTC ({phase.why})"
            if phase.closed_at
            else (f"open until {card.deadline:%Y-%m-%d %H:%M} UTC" if card.deadline else "standing still")
        )
        click.echo(f"  {phase.number:3} {phase.name}: {closed}")
    for line in troubles:
        click.echo(f"  ! {line}")


@command.command("resume")
@click.argument("uid")
def resume(uid: str) -> None:
    """Let a stuck match go on, once its fault is mended."""
    from adjudicator import clock
    from adjudicator.service import phases

    try:
        phases.set_going(_database(), uid, now=clock.now())
    except Refused as error:
        raise click.ClickException(str(error)) from error
    click.echo("The match goes on.")
