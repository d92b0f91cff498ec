"""`sealed witness`: keeps a log's last checkpoint, and tells whether the next one continues it."""

import sys
from pathlib import Path

import click


@click.command()
@click.argument("url")
@click.option(
    "--state",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file that keeps the last checkpoint.",
)
@click.option(
    "--vkey",
    default="",
    metavar="KEY",
    help="The log's verifier key; else that in the file, else the one that the site names.",
)
def command(url: str, state: Path, vkey: str) -> None:
    """Hold the checkpoint of a log (https://HOST/log) against the last one seen; for anybody, and
    it sends nothing but reads.

    Exit 1 when the log contradicts itself: both checkpoints are printed, and the file keeps the old
    one. Exit 2 when it cannot be judged.
    """
    from adjudicator.hosting.watching.log_watch import WatchFault, printable, watch_log
    from adjudicator.platform.words import plural

    try:
        found = watch_log(url, state, vkey)
    except WatchFault as fault:
        click.echo(str(fault), err=True)
        sys.exit(2)
    size = found.now.head.size
    if found.kept is not None and found.contradiction:
        click.echo(found.contradiction, err=True)
        click.echo(f"Kept:\n\n{printable(found.kept.note)}\nNow:\n\n{printable(found.now.note)}")
        sys.exit(1)
    if found.kept is None:
        click.echo(
            plural(
                size,
                "Kept the first checkpoint, of {n} entry.",
                "Kept the first checkpoint, of {n} entries.",
            )
        )
        click.echo(f"Its key is {found.key}: compare it with what others see.")
        return
    click.echo(
        plural(
            size, "The log continues: it has {n} entry.", "The log continues: it has {n} entries."
        )
    )
