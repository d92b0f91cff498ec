"""`sealed backup`: a copy of the database in a folder."""

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(1),
    metavar="N",
    help="Then remove the oldest copies there, so that N stay; by default all do.",
)
def command(folder: Path, keep: int | None) -> None:
    """Copy the database into FOLDER while the service runs: SQLite by itself, PostgreSQL by pg_dump
    as the owner of its tables.

    The worker's key file is not in it; back that up apart, since both together open everybody's
    sealed orders.
    """
    from adjudicator.hosting.backup import back_up
    from adjudicator.platform.clock import now
    from adjudicator.platform.config import current_settings
    from adjudicator.platform.words import format_number, plural

    done = back_up(current_settings(), folder, keep=keep, now=now())
    click.echo(
        f"{done.path} holds the database,"
        f" {format_number(max(done.size / 1_000_000, 0.1), digits=1)} MB."
    )
    click.echo(
        plural(done.kept, "{folder} has {n} copy.", "{folder} has {n} copies.", folder=folder)
    )
    click.echo(
        "The key file is not in it: back that up apart, once and after `sealed keys rotate`."
    )
    if done.removed:
        click.echo(plural(done.removed, "The oldest was removed.", "The {n} oldest were removed."))
