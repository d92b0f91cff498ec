"""`sealed replay`: plays a transcript again from the file alone, or draws a tournament again; compares with what the file claims."""

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import click


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--text", is_flag=True, help="Print the story for people instead of JSON.")
def command(file: Path, text: bool) -> None:
    """Play a transcript again, or draw the rounds of a tournament's file: JSON on standard output, exit 0.

    Exit 1 when the file claims something else than its own orders and chance give (the phase is named), 2 when it cannot be played.
    """
    from adjudicator.play.replay import TranscriptError, read_transcript, replay_transcript
    from adjudicator.play.tournaments import replay

    try:
        plain = _load(file)
        if replay.is_tournament(plain):
            _replay_tournament(plain, text=text)
        done = replay_transcript(read_transcript(plain))
    except TranscriptError as error:
        click.echo(_seen(str(error)), err=True)
        sys.exit(2)
    click.echo(_seen(for_people(done.output)) if text else json.dumps(done.output, indent=1, ensure_ascii=False))
    for difference in done.differences:
        note = " (The file was written under other rules.)" if done.other_rules else ""
        click.echo(_seen(difference) + note, err=True)
    sys.exit(1 if done.differences else 0)


def _replay_tournament(plain: object, *, text: bool) -> NoReturn:
    """Draw a tournament's rounds again and exit: 0 if all agree, 1 naming each difference, 2 where nothing can be drawn."""
    from adjudicator.play.tournaments import replay
    from adjudicator.play.tournaments.records import TournamentError

    try:
        done = replay.replay_tournament(replay.read_tournament(plain))
    except TournamentError as error:
        click.echo(_seen(str(error)), err=True)
        sys.exit(2)
    rounds = [f"Round {each['round']}: {'drawn again alike' if each['agrees'] else 'not alike'}" for each in done.output["rounds"]]
    click.echo("\n".join(rounds) if text else json.dumps(done.output, indent=1))
    for difference in done.differences:
        click.echo(_seen(difference), err=True)
    sys.exit(1 if done.differences else 0)


def _load(file: Path) -> object:
    from adjudicator.play.replay import TranscriptError

    try:
        return json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=_once_each, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise TranscriptError(f"{file} is no JSON file: {error}.") from error


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError for a repeated name, which people and programs could read differently."""
    read = dict(pairs)
    if len(read) != len(pairs):
        twice = next(name for number, (name, _) in enumerate(pairs) if name in dict(pairs[:number]))
        raise ValueError(f"“{twice[:40]}” stands twice in one object")
    return read


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number in JSON")


def _seen(text: str) -> str:
    """Return `text` with control characters replaced, since they could command a terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)


def for_people(output: dict[str, Any]) -> str:
    """Return a replay's output as a story."""
    from adjudicator.play.loop import stop_sentence

    lines = ["Start", *(f"  {event}" for event in output["start"]["events"])] if output["start"]["events"] else []
    for phase in output["phases"]:
        lines += ["", phase["name"], *(f"  {seat}: {', '.join(orders.splitlines())}" for seat, orders in phase["orders"].items())]
        lines += [f"  refused: {refusal}" for refusal in phase["refused"]]
        lines += [f"  {event}" for event in phase["events"]]
    if "stopped" in output:
        lines += ["", stop_sentence(output["stopped"]["why"], output["phases"][-1]["name"])]
    result = output["result"]
    if result is None:
        return "\n".join([*lines, "", "The match is not over."]).lstrip()
    places = sorted(result.items(), key=lambda item: (item[1]["place"], item[0]))
    return "\n".join([*lines, "", *(f"{row['place']}. {seat}, {row['score']} ({row['outcome']})" for seat, row in places)]).lstrip()
