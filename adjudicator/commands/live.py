"""`sealed live`: the live stream alone, for hosting on several machines."""

import click

from adjudicator.hosting.command_options import export_options, host_option


@click.command()
@host_option
@click.option("--port", type=click.IntRange(1, 65535), help="The port to listen on. [LIVE_PORT]")
def command(host: str | None, port: int | None) -> None:
    """Run the live stream, which tells open pages of changes; needs LIVE_PORT, a shared
    DATABASE_URL and the sites' SECRET_KEY.
    """
    export_options(host=host, live_port=port)
    from adjudicator.hosting.serve import run_live

    run_live()
