"""`sealed serve`: the whole service on this machine."""

import click

from adjudicator.hosting.command_options import host_option, port_option, use


@click.command()
@click.option("--demo", is_flag=True, help="Add players, house bots and matches in different stages, with short deadlines.")
@host_option
@port_option
def command(demo: bool, host: str | None, port: int | None) -> None:
    """Run everything on this machine until Ctrl-C: site, worker, clock, inbox and, where REDIS_URL is unset, a broker."""
    use(host=host, port=port)
    from adjudicator.hosting.serve import serve

    serve(demo=demo)
