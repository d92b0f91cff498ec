"""`sealed sessions`: the browsers that are signed in."""

import click

from adjudicator.commands.matches import open_database


@click.group()
def command() -> None:
    """End the sessions of browsers that are signed in."""


@command.command("end")
@click.option("--all", "everybody", is_flag=True, help="Every session of everybody.")
def end(everybody: bool) -> None:
    """Sign everybody out, after somebody else controlled the site: cookies that were read there
    work no more.

    What was handed in and has no signature yet does not count, because it may be that person's.
    Guests, who have no address to sign in with again, lose their seats.
    """
    from adjudicator.platform.words import plural
    from adjudicator.service.people.sessions import end_all_sessions

    if not everybody:
        raise click.UsageError(
            "Say --all: the sessions of one player are ended on that player's account page."
        )
    click.echo(
        plural(
            end_all_sessions(open_database()), "{n} session has ended.", "{n} sessions have ended."
        )
    )
