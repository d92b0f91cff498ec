"""`sealed replay`: plays a transcript again from the file alone, or draws a tournament again;
compares with what the file claims.
"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from adjudicator.hosting.messages import printable

if TYPE_CHECKING:
    from adjudicator.seal.evidence import Compared

_LONGEST = 1500  # characters of a sentence
EVIDENCE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--text", is_flag=True, help="Print the story for people instead of JSON.")
@click.option(
    "--receipts",
    multiple=True,
    type=EVIDENCE,
    help="A receipt.json that a player kept, or a match's log.json; may be repeated.",
)
@click.option(
    "--keys",
    metavar="FINGERPRINT|FILE",
    help="The fingerprint in the footer of letters, or the file sealed-keys.json.",
)
@click.option(
    "--anchors",
    type=EVIDENCE,
    help="The anchors of a first letter (its seal.json), or a match's log.json.",
)
def command(
    file: Path, text: bool, receipts: tuple[Path, ...], keys: str | None, anchors: Path | None
) -> None:
    """Play a transcript again, or draw the rounds of a tournament's file: JSON on standard output,
    exit 0.

    Exit 1 when the file claims something else than its own orders and chance give (the phase is
    named), or differs from receipts and anchors that were given; 2 when it cannot be played. What
    could not be compared is said.
    """
    from adjudicator.play.replay import TranscriptError, read_transcript, replay_transcript
    from adjudicator.play.tournaments import replay

    try:
        plain = _load(file)
        if replay.is_tournament(plain):
            _replay_tournament(plain, text=text)
        done = replay_transcript(read_transcript(plain))
        evidence = _evidence(plain, receipts, keys, anchors)
    except TranscriptError as error:
        _print_sentence(str(error))
        sys.exit(2)
    click.echo(
        printable(for_people(done.output))
        if text
        else json.dumps(done.output, indent=1, ensure_ascii=False)
    )
    for difference in done.differences:
        note = " (The file was written under other rules.)" if done.other_rules else ""
        _print_sentence(difference + note)
    for line in (*evidence.differences, *evidence.unchecked):
        _print_sentence(line)
    sys.exit(1 if done.differences or evidence.differences else 0)


def _evidence(
    plain: Any, receipts: tuple[Path, ...], keys: str | None, anchors: Path | None
) -> "Compared":
    """Compare the transcript with what a player kept; raises TranscriptError for files that cannot
    be read.
    """
    from adjudicator.play.replay import TranscriptError
    from adjudicator.seal import evidence

    files = [_load(path) for path in receipts]
    bundles = [each for each in files if isinstance(each, dict) and "entries" in each]
    own = [each for each in files if isinstance(each, dict) and "entries" not in each]
    is_file = keys is not None and Path(keys).is_file()
    document: Any = (
        _load(Path(keys))
        if keys is not None and is_file
        else next((each for each in bundles if "keys" in each), None)
    )
    if isinstance(document, dict) and isinstance(document.get("keys"), dict):
        document = {**document["keys"], "former_keys": document.get("former_keys", [])}
    fixed: Any = _load(anchors) if anchors is not None else None
    try:
        own += [each for bundle in bundles for each in evidence.receipts_in(bundle)]
        trouble = (
            evidence.check_keys(document, None if is_file else keys) if document is not None else ""
        )
        found = evidence.compare_evidence(
            plain,
            receipts=own,
            keys=document,
            anchors=_anchors_in(fixed) if fixed is not None else None,
        )
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise TranscriptError(
            "What was given beside the transcript is no receipt, no keys or no anchors of SEAL/1."
        ) from error
    found.differences[:0] = [trouble] if trouble else []
    found.unchecked += [*_not_given(plain, receipts, anchors), *evidence.missing_claims(plain)]
    return found


def _not_given(plain: Any, receipts: tuple[Path, ...], anchors: Path | None) -> list[str]:
    """Return sentences for what was not compared, as nothing was given to compare it with, and for
    what was not read at all.
    """
    from adjudicator.play.transcript import unread_names

    wanted = (
        ("receipts that players kept (--receipts)", receipts),
        ("the anchors of a first letter (--anchors)", anchors),
    )
    absent, unread = [words for words, given in wanted if not given], unread_names(plain)
    return [
        *([f"Not compared, as none were given: {' and '.join(absent)}."] if absent else []),
        *(
            [f"Not read, as the format does not know them: {', '.join(unread)[:200]}."]
            if unread
            else []
        ),
    ]


def _anchors_in(plain: Any) -> dict[str, Any]:
    """Return the anchors of a seal.json, of a bundle, or those that the file itself holds."""
    found = (
        plain["entries"][0]["body"]["anchors"]
        if "entries" in plain
        else plain.get("anchors", plain)
    )
    if not isinstance(found, dict):
        raise TypeError("anchors are an object")
    return found


def _replay_tournament(plain: Any, *, text: bool) -> NoReturn:
    """Draw a tournament's rounds again and exit: 0 if all agree, 1 naming each difference, 2 where
    nothing can be drawn.
    """
    from adjudicator.play.tournaments import replay
    from adjudicator.play.tournaments.records import TournamentError

    try:
        done = replay.replay_tournament(replay.read_tournament(plain))
    except TournamentError as error:
        _print_sentence(str(error))
        sys.exit(2)
    words = {True: "Round {number}: drawn again alike", False: "Round {number}: not alike"}
    rounds = [
        words[bool(each["agrees"])].format(number=each["round"]) for each in done.output["rounds"]
    ]
    click.echo("\n".join(rounds) if text else json.dumps(done.output, indent=1))
    unread = f"Not read, as no round follows from it: {', '.join(replay.unread_names(plain))}."
    for line in (*done.differences, *replay.NOT_COMPARED, unread):
        _print_sentence(line)
    sys.exit(1 if done.differences else 0)


def _load(file: Path) -> object:
    from adjudicator.play.replay import TranscriptError

    try:
        return json.loads(
            file.read_text(encoding="utf-8"),
            object_pairs_hook=_once_each,
            parse_constant=_no_number,
        )
    except (ValueError, RecursionError) as error:
        raise TranscriptError(f"{file} is no JSON file: {error}.") from error


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError for a repeated name, which people and programs could
    read differently.
    """
    read = dict(pairs)
    if len(read) != len(pairs):
        twice = next(name for number, (name, _) in enumerate(pairs) if name in dict(pairs[:number]))
        raise ValueError(f"“{twice[:40]}” stands twice in one object")
    return read


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number in JSON")


def _print_sentence(text: str) -> None:
    """Print a sentence to standard error; of one that quotes much, its begin and its end."""
    long = len(text) > _LONGEST
    click.echo(printable(f"{text[:_LONGEST]} ... {text[-80:]}" if long else text), err=True)


def for_people(output: dict[str, Any]) -> str:
    """Return a replay's output as a story."""
    from adjudicator.play.loop import START, stop_sentence

    lines = (
        ["Start", *(f"  {event}" for event in output["start"]["events"])]
        if output["start"]["events"]
        else []
    )
    for phase in output["phases"]:
        lines += [
            "",
            phase["name"],
            *(
                f"  {seat}: {', '.join(orders.splitlines())}"
                for seat, orders in phase["orders"].items()
            ),
        ]
        lines += [f"  refused: {refusal}" for refusal in phase["refused"]]
        lines += [f"  {event}" for event in phase["events"]]
    if "stopped" in output:
        lines += [
            "",
            stop_sentence(
                output["stopped"]["why"],
                output["phases"][-1]["name"] if output["phases"] else START.name,
            ),
        ]
    result = output["result"]
    if result is None:
        return "\n".join([*lines, "", "The match is not over."]).lstrip()
    places = sorted(result.items(), key=lambda item: (item[1]["place"], item[0]))
    return "\n".join(
        [
            *lines,
            "",
            *(f"{row['place']}. {seat}, {row['score']} ({row['outcome']})" for seat, row in places),
        ]
    ).lstrip()
