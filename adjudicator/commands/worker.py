"""`sealed worker`: a worker alone, for hosting on several machines."""

import click


@click.command()
@click.option(
    "--beat/--no-beat",
    default=True,
    show_default=True,
    help="Run the clock too; one is enough for all workers.",
)
@click.option(
    "--queues",
    type=click.Choice(["all", "matches", "letters"]),
    default="all",
    show_default=True,
    help="What it does: letters and push messages that go out, all else, or both.",
)
def command(beat: bool, queues: str) -> None:
    """Run a worker alone; needs REDIS_URL, a shared DATABASE_URL, and KEY_FILE, which workers alone
    read.
    """
    from adjudicator.hosting.serve import run_worker

    run_worker(beat=beat, queues=queues)
