"""`sealed restored`: what the host runs once after a restore from a backup, before the service
starts.
"""

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from adjudicator.service.upkeep.restoring import Plan


@click.command()
@click.argument("checkpoint", required=False)
@click.option(
    "--without-checkpoint",
    is_flag=True,
    help="No checkpoint from after the backup was kept anywhere.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(checkpoint: str | None, without_checkpoint: bool, yes: bool) -> None:
    """Begin a new public log after a restore from a backup, give running matches new chance, and
    write to their players.

    CHECKPOINT is the last checkpoint of the log before: a file, or an https address. `sealed
    witness` keeps it in its file; so does whoever saved a match's log.json. Stop the service first.
    It may be run again where it was cut short.
    """
    from adjudicator.commands.matches import open_database
    from adjudicator.hosting.messages import CannotStart
    from adjudicator.hosting.starting.stopped import stopped_service
    from adjudicator.hosting.watching.saved_checkpoints import read_checkpoint
    from adjudicator.platform.config import current_settings
    from adjudicator.platform.words import plural
    from adjudicator.seal.crypto import KeyFileError
    from adjudicator.service.base import public_keys
    from adjudicator.service.upkeep import restoring

    if (checkpoint is None) is not without_checkpoint:
        raise click.UsageError(
            "Give the last checkpoint that anybody kept, or say --without-checkpoint if there is"
            " none."
        )
    note = read_checkpoint(checkpoint) if checkpoint is not None else None
    with stopped_service(current_settings(), "sealed restored"):
        database = open_database()
        try:
            keyring = public_keys.open_keyring(
                database, current_settings().key_file, now=database.now()
            )
            with database.read_tx() as session:
                plan = restoring.plan_restore(session, keyring, note)
            click.echo(describe_plan(plan))
            if not yes and not click.confirm("Do it?"):
                sys.exit(1)
            done = restoring.finish_restore(database, keyring, note, now=database.now)
        except restoring.NothingRestored as nothing:
            click.echo(str(nothing))
            sys.exit(0 if isinstance(nothing, restoring.AlreadyTold) else 1)
        except (KeyFileError, restoring.UnfitCheckpoint) as fault:
            raise CannotStart(str(fault)) from None
        finally:
            database.engine.dispose()
    click.echo(
        plural(
            done.matches, "{n} match goes on with new chance.", "{n} matches go on with new chance."
        )
    )
    click.echo(
        f"The public log is {done.origin} now. Give these keys to whoever watches or witnesses it:"
    )
    click.echo(f"  log      {done.log_key}\n  witness  {done.witness_key}")
    click.echo("Start the service; it sends the letters.")


def describe_plan(plan: "Plan") -> str:
    """Return what the host is asked to agree to."""
    from adjudicator.platform.words import plural

    when = f"{plan.backup:%Y-%m-%d %H:%M} UTC" if plan.backup is not None else "an unknown time"
    lines = [f"The backup is of {when}; what came after it is gone."]
    if plan.lost is not None:
        lines.append(
            plural(
                plan.lost,
                "At least {n} entry of the public log is lost.",
                "At least {n} entries of the public log are lost.",
            )
        )
    if plan.resumed:
        lines.append(f"The log {plan.origin} was begun for it before; the rest is done now.")
    else:
        lines.append(f"A new public log, {plan.origin}, begins and cites the checkpoint.")
    lines.append(
        plural(
            plan.matches,
            "{n} match that has not ended gets new chance and a whole phase; its players get a"
            " letter.",
            "{n} matches that have not ended get new chance and a whole phase; their players get"
            " letters.",
        )
    )
    return "\n".join(lines)
