"""The golden playthroughs come to what they came to."""

import json
from pathlib import Path

import pytest

from adjudicator import catalogue
from tests.games.golden import files, replay


@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_playthrough_comes_to_the_same_again(path: Path) -> None:
    match = json.loads(path.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(replay(match))) == match["comes_to"], (
        "rules changed: raise rules_version, then python -m tests.games.golden"
    )
    assert match["rules_version"] == catalogue.game(match["game"]).about.rules_version


def test_every_game_has_a_golden_playthrough() -> None:
    assert {game.about.key for game in catalogue.games()} <= {path.parent.name for path in files()}
