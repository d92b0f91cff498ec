"""`sealed serve`: the whole service on this machine."""

import click

from adjudicator.hosting.command_options import export_options, host_option, port_option


@click.command()
@click.option(
    "--demo",
    is_flag=True,
    help="Add players, house bots and matches in different stages, with short deadlines.",
)
@host_option
@port_option
def command(demo: bool, host: str | None, port: int | None) -> None:
    """Run everything on this machine until Ctrl-C: site, worker, clock, inbox and, where REDIS_URL
    is unset, a broker.
    """
    export_options(host=host, port=port)
    from adjudicator.hosting.serve import serve

    serve(demo=demo)
