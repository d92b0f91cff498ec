"""`sealed convert`: converts transcripts and other programs' saved games into each other, or into
lines of an exchange.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from adjudicator.commands.adjudicate import EDITIONS
from adjudicator.platform.errors import HostFault

FORMS = ("lines", "transcript", "saved")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", "form", required=True, type=click.Choice(FORMS), help="What to write.")
@click.option(
    "--edition",
    type=click.Choice(EDITIONS),
    default="via",
    show_default=True,
    help="How lines are played where the file leaves out phases.",
)
def command(file: Path, form: str, edition: str) -> None:
    """Turn a transcript, or games saved by the package diplomacy (one a line), into another form;
    docs/exchange.md.

    `lines` are what `sealed adjudicate` reads, with what the file says came of each; `transcript`
    is what `sealed replay` plays; `saved` is what that package loads. Writes JSON, a game or a
    phase a line.
    """
    from adjudicator import catalogue
    from adjudicator.games.diplomacy.exchange.lines import LineFault
    from adjudicator.games.diplomacy.exchange.loading import lines_of, transcript_of

    for number, game in _games(file):
        try:
            if form == "transcript":
                written = iter(
                    [
                        (
                            game
                            if _is_transcript(game)
                            else transcript_of(game, catalogue.game("diplomacy"))
                        )
                    ]
                )
            elif form == "saved":
                written = iter([_saved(game)])
            else:
                saved = _saved(game)
                written = lines_of(saved, _rules(saved, edition))
            for line in written:
                click.echo(json.dumps(line))
        except (LineFault, ValueError) as fault:
            raise HostFault(f"{file}, game {number}: {fault}") from fault


def _games(file: Path) -> Iterator[tuple[int, Any]]:
    """Yield a file's games with their numbers: the whole file is one game, or each line is."""
    try:
        text = file.read_text(encoding="utf-8")
        try:
            yield 1, json.loads(text)
        except ValueError:
            for number, line in enumerate(filter(str.strip, text.splitlines()), 1):
                yield number, json.loads(line)
    except (ValueError, RecursionError, OSError) as error:
        raise HostFault(f"{file} holds neither a transcript nor saved games: {error}.") from error


def _rules(saved: Any, edition: str) -> Any:
    """Return the rules of a saved game: those it names, else Diplomacy in the requested edition."""
    from adjudicator.games.diplomacy.exchange.exchange import GAMES, rules_of

    rules = saved if isinstance(saved, Mapping) else {}
    game = rules.get("game")
    return rules_of(game if game in GAMES else "diplomacy", str(rules.get("edition") or edition))


def _is_transcript(game: Any) -> bool:
    return isinstance(game, Mapping) and "seats" in game and "chance" in game


def _saved(game: Any) -> Any:
    """Return a saved game; a transcript is replayed and exported. Raises ValueError with a
    sentence.
    """
    if not _is_transcript(game):
        return game
    from adjudicator import catalogue
    from adjudicator.play.replay import read_transcript, replay_phases

    transcript = read_transcript(game)
    export = catalogue.game(transcript.game).export
    if export is None:
        raise ValueError("no other program keeps matches of this game.")
    closed, now = replay_phases(transcript)
    return export(transcript.match or "match", [(each.before, each.events) for each in closed], now)
