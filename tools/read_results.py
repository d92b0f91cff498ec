"""An example of a reader of results: `python -m tools.read_results ADDRESS` prints a match as
tables. It needs no other package.

ADDRESS is that of a match's page or of its record, such as
https://games.example/matches/abcdefgh.json.
"""

import json
import sys
import urllib.request
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

SECONDS = 20  # for which the site may take its time


def main(arguments: Sequence[str]) -> int:
    """Print the match at an address; return the exit code."""
    if len(arguments) != 1 or urlsplit(arguments[0]).scheme not in ("http", "https"):
        sys.stderr.write("Give the address of a match: https://HOST/matches/ID.\n")
        return 2
    try:
        found = fetch_record(arguments[0])
    except (OSError, ValueError) as fault:
        sys.stderr.write(f"{arguments[0]} gives no record of a match: {fault}\n")
        return 1
    sys.stdout.write("\n".join(tell_match(found)) + "\n")
    return 0


def fetch_record(address: str) -> dict[str, Any]:
    """Return the record at a match's address; raises OSError where it cannot be read, ValueError
    where it is no record.
    """
    wanted = address if address.endswith(".json") else f"{address.rstrip('/')}.json"
    with urllib.request.urlopen(wanted, timeout=SECONDS) as answer:  # noqa: S310 the scheme was checked
        found = json.load(answer)
    if not isinstance(found, dict) or "/schemas/match-1.json" not in str(found.get("schema")):
        raise ValueError("it has another form than match-1")
    return found


def tell_match(found: dict[str, Any]) -> list[str]:
    """Return a match as lines: what it is, its seats, and the supply centres by year if its game
    has any.
    """
    lines = [f"{found['name']} ({found['game_title']}): {_state(found)}", ""]
    seats = [
        (
            each["seat"],
            _player(each),
            _text(each["place"]),
            _text(each["score"]),
            each["outcome"] or "",
        )
        for each in found["seats"]
    ]
    lines += table([("seat", "player", "place", "score", "outcome"), *seats])
    years = found["centres"]["by_year"] if found["centres"] else []
    if years:
        powers = list(years[0]["counts"])
        counts = [
            (str(each["year"]), *(str(each["counts"][power]) for power in powers)) for each in years
        ]
        lines += ["", *table([("year", *powers), *counts])]
    return lines


def _state(found: dict[str, Any]) -> str:
    if found["end"]:
        return (
            f"ended {found['ended_at'][:10]} after {found['phases']} phases."
            f" {found['end']['sentence']}".rstrip()
        )
    if found["phase"] is None:
        return f"{found['status']}, no phase is open"
    until = (
        f"until {found['phase']['deadline']}"
        if found["phase"]["deadline"]
        else "without a deadline"
    )
    return f"{found['phase']['name']}, {until}"


def _player(seat: dict[str, Any]) -> str:
    if seat["hidden"]:
        return "(hidden)"
    if seat.get("former"):
        return "(a former player)"
    return f"{seat['player']}{' (bot)' if seat['house'] else ''}" if seat["player"] else "(free)"


def _text(number: int | None) -> str:
    return "" if number is None else str(number)


def table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return rows of equal length as lines, in columns as wide as their widest text."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
