"""`sealed beat`: the scheduler alone, for hosting on several machines."""

import click


@click.command()
def command() -> None:
    """Run the clock alone, beside workers started with --no-beat; of several, one leads. Needs
    REDIS_URL and DATABASE_URL.
    """
    from adjudicator.hosting.serve import run_clock

    run_clock()
