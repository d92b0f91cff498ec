"""`sealed migrate`: the database brought up to date."""

import click


@click.command()
def command() -> None:
    """Bring the database at DATABASE_URL up to date; `sealed serve` does this by itself."""
    from adjudicator.config import settings
    from adjudicator.db import revisions
    from adjudicator.hosting.stages import migrate
    from adjudicator.hosting.words import shown

    url = settings().database_url
    migrate(url)
    click.echo(f"{shown(url)} is at revision {revisions(url)[0]}, the newest.")
