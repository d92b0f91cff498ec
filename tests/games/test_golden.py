"""The golden playthroughs have the results that were recorded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator import catalogue
from tests.games.golden import changed, files, files_before


@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_playthrough_comes_to_the_same_again(path: Path) -> None:
    match = json.loads(path.read_text(encoding="utf-8"))
    assert not changed(path), (
        "the rules changed: raise rules_version, then python -m tests.games.golden"
    )
    assert match["rules_version"] == catalogue.game(match["game"]).about.rules_version


@pytest.mark.parametrize("path", files_before(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_match_begun_under_older_rules_comes_to_the_same_again(path: Path) -> None:
    """Genesis R16, pyramid R4: such a match keeps what it began with."""
    match = json.loads(path.read_text(encoding="utf-8"))
    assert match["rules_version"] < catalogue.game(match["game"]).about.rules_version
    assert not changed(path)


def test_every_game_has_a_golden_playthrough() -> None:
    assert {game.about.key for game in catalogue.every_game()} <= {
        path.parent.name for path in files()
    }


@pytest.mark.parametrize("hash_seed", ["1", "2", "3"])
def test_G1_no_playthrough_depends_on_how_a_process_orders_its_sets(hash_seed: str) -> None:
    command = [sys.executable, "-m", "tests.games.golden", "check"]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
