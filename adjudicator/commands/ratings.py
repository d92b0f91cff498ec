"""`sealed ratings`: the ratings of players."""

import click

from adjudicator.commands.matches import open_database
from adjudicator.platform.words import plural


@click.group()
def command() -> None:
    """Look after the ratings of players; the worker counts each rated match as it ends."""


@command.command("rebuild")
@click.argument("games", nargs=-1, metavar="[GAME]...")
def rebuild(games: tuple[str, ...]) -> None:
    """Work out the ratings of these games, or of all, again from the places in their rated
    matches.
    """
    from adjudicator.service.ratings import counting

    database = open_database()
    with database.read_tx() as session:
        known = counting.rated_games(session)
    unknown = sorted(set(games) - set(known))
    if unknown:
        raise click.ClickException(
            f"There is no ladder of {unknown[0]}; there are {', '.join(known) or 'none'}."
        )
    for game in games or known:
        rated = counting.rebuild_ratings(database, game)
        click.echo(
            plural(rated, "{game}: {n} rated match.", "{game}: {n} rated matches.", game=game)
        )
