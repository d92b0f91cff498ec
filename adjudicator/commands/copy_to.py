"""`sealed copy-to`: moves an installation from SQLite to PostgreSQL."""

import click

from adjudicator.hosting.command_options import HostCommand


@click.command(cls=HostCommand)
@click.argument("url")
def command(url: str) -> None:
    """Copy the SQLite database into the empty PostgreSQL database at URL
    (postgresql://user@host/name), whose owner connects.

    The password comes from PGPASSWORD or ~/.pgpass: everybody on this machine can read what a
    command is given. Stop the service first.
    """
    from adjudicator.hosting.databases import opened
    from adjudicator.hosting.messages import hide_password
    from adjudicator.hosting.starting.preflight import require_database
    from adjudicator.hosting.starting.startup import migrate
    from adjudicator.hosting.starting.stopped import stopped_service
    from adjudicator.platform.config import current_settings, read_settings
    from adjudicator.platform.words import plural
    from adjudicator.service.upkeep.copying import copy_database

    ours, wanted = current_settings(), read_settings(database_url=url)
    _require_urls(ours.on_sqlite, wanted.database_url)
    with stopped_service(ours, "sealed copy-to"):
        require_database(ours)
        migrate(wanted)
        with opened(ours.database_url) as source, opened(wanted.database_url) as target:
            rows = copy_database(
                source, target, lambda table, n: click.echo(f"{n:>9,}  {table}") if n else None
            )
    click.echo(
        plural(
            rows,
            "{n} row is in {url}, and reads as before.",
            "{n} rows are in {url}, and read as before.",
            url=hide_password(wanted.database_url),
        )
    )
    click.echo(
        "Set DATABASE_URL to it and start. Keep KEY_FILE and SITE_URL, and never start the service"
        " on the SQLite file again."
    )


def _require_urls(on_sqlite: bool, wanted: str) -> None:
    from sqlalchemy import make_url

    if not on_sqlite:
        raise click.ClickException(
            "DATABASE_URL is on PostgreSQL already; `pg_dump` and `pg_restore` copy that."
        )
    if wanted.startswith("sqlite"):
        raise click.UsageError("URL must begin with postgresql://.")
    if make_url(wanted).password is not None:
        raise click.UsageError(
            "Leave the password out of URL, where everybody on this machine can read it: set"
            " PGPASSWORD instead."
        )
