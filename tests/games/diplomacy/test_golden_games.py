"""Golden games: recorded phases of random house bots have the recorded results
(`tools/record_diplomacy.py`).
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from adjudicator.games.diplomacy.exchange.exchange import answer_line, rules_of

FOLDER = Path(__file__).parent
FILES = [("diplomacy", "golden_games.jsonl"), ("rsp-diplomacy", "golden_rsp_games.jsonl")]


def lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / file).read_text().splitlines()]


@pytest.mark.parametrize(("game", "file"), FILES)
def test_every_phase_comes_out_as_recorded(game: str, file: str) -> None:
    for line in lines(file):
        assert answer_line(rules_of(game), line) == line, f"{line['game']} {line['phase']}"


@pytest.mark.parametrize(("game", "file"), FILES)
def test_a_match_goes_on_from_what_the_exchange_says(game: str, file: str) -> None:
    """The match skips phases without a choice, and does not wait for a unit without a retreat."""
    compared = 0
    for line, following in pairwise(lines(file)):
        if line["game"] == following["game"] and not line["after"]["dislodged"]:
            assert following["before"]["units"] == line["after"]["units"]
            assert following["before"]["centres"] == line["after"]["centres"]
            compared += 1
    assert compared > 40


@pytest.mark.parametrize(("game", "file"), FILES)
def test_what_house_bots_write_can_be_read(game: str, file: str) -> None:
    assert not any("unread" in line for line in lines(file))
