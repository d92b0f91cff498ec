"""`sealed keys`: the rotation of the worker's keys."""

import click


@click.group()
def command() -> None:
    """Change the worker's keys; needs the key file and the worker's database."""


@command.command("rotate")
def rotate() -> None:
    """Make new keys while the service runs, and bring all running matches to them. Run again where
    it was cut short.
    """
    from adjudicator.commands.matches import open_database
    from adjudicator.hosting.messages import CannotStart
    from adjudicator.platform.config import current_settings
    from adjudicator.platform.words import plural
    from adjudicator.seal.crypto import KeyFileError
    from adjudicator.service.upkeep import rotation

    path, database = current_settings().key_file, open_database()
    try:
        if not path.exists():
            raise KeyFileError(
                f"The worker's key file {path} is not there: run this where the worker runs, with"
                " its KEY_FILE."
            )
        done = rotation.rotate_keys(database, path, now=database.now)
    except KeyFileError as fault:
        raise CannotStart(str(fault)) from None
    finally:
        database.engine.dispose()
    click.echo(
        "A rotation that was cut short is finished." if done.resumed else "The keys are new."
    )
    click.echo(
        plural(done.matches, "{n} running match has them.", "{n} running matches have them.")
    )
    for uid in done.left:
        click.echo(
            f"! The match {uid} keeps its former keys: its stored records cannot be opened with"
            " this key file."
        )
    click.echo(f"Their fingerprint is {done.fingerprint}.")
    click.echo(
        f"Back {path} up again, apart from the database, and copy it to the other machines that run"
        " workers."
    )
    click.echo(
        "Sites and inboxes follow by themselves; set KEY_FINGERPRINT to the new one before they"
        " start next."
    )
