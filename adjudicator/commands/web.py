"""`sealed web`: the site alone, for hosting on several machines."""

import click

from adjudicator.hosting.command_options import export_options, host_option, port_option


@click.command()
@host_option
@port_option
def command(host: str | None, port: int | None) -> None:
    """Run the site alone; needs REDIS_URL and a DATABASE_URL shared with the workers."""
    export_options(host=host, port=port)
    from adjudicator.hosting.serve import run_site

    run_site()
