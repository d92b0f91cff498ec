"""`sealed migrate`: brings the database up to date."""

import click


@click.command()
def command() -> None:
    """Bring the database at DATABASE_URL up to date, and grant the logins of DATABASE_ROLES;
    `sealed serve` does this by itself.
    """
    from adjudicator.hosting.messages import hide_password
    from adjudicator.hosting.starting.startup import migrate
    from adjudicator.platform.config import current_settings
    from adjudicator.platform.db import revisions

    url = current_settings().database_url
    logins = migrate(current_settings())
    click.echo(f"{hide_password(url)} is at revision {revisions(url)[0]}, the newest.")
    for role, name in logins.items():
        click.echo(f"The role {role} has the login {name}, which may do what it needs and no more.")
