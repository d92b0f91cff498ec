"""Replays the examples of docs/transcripts.md; `python -m tests.play.test_transcript_examples`
writes their stories anew.
"""

import json
import re
from pathlib import Path

import pytest

from adjudicator import catalogue
from adjudicator.commands.replay import for_people
from adjudicator.play.replay import read_transcript, replay_transcript

PAGE = Path(__file__).parents[2] / "docs" / "transcripts.md"
_EXAMPLE = re.compile(r"```json\n(?P<file>.*?)\n```\n\n```text\n(?P<story>.*?)\n```", re.DOTALL)
EXAMPLES = {
    json.loads(found["file"])["game"]: found
    for found in _EXAMPLE.finditer(PAGE.read_text(encoding="utf-8"))
}


def story(found: re.Match[str]) -> str:
    """Return the story of an example."""

    return for_people(replay_transcript(read_transcript(json.loads(found["file"]))).output)


def test_there_is_an_example_of_each_game() -> None:
    assert set(EXAMPLES) == {game.about.key for game in catalogue.every_game()}


@pytest.mark.parametrize("game", EXAMPLES)
def test_an_example_comes_to_the_story_that_is_told(game: str) -> None:
    done = replay_transcript(read_transcript(json.loads(EXAMPLES[game]["file"])))
    assert for_people(done.output) == EXAMPLES[game]["story"]
    assert done.output["chance_left"] == 0 and not any(
        phase["refused"] for phase in done.output["phases"]
    )


def write() -> None:
    """Write the stories anew."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        _EXAMPLE.sub(lambda found: found[0].replace(found["story"], story(found)), text),
        encoding="utf-8",
    )


if __name__ == "__main__":
    write()
