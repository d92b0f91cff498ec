"""`sealed convert`: transcripts, saved games and lines, converted into each other."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import sealed
from tools import check_games

TRANSCRIPT = {
    "game": "diplomacy",
    "rules_version": 1,
    "match": "spring",
    "options": {},
    "seats": ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"],
    "chance": {"seed": ""},
    "phases": [{"orders": {"FRANCE": "A PAR - BUR"}}, {"orders": {"FRANCE": "A BUR - BEL"}}],
}


def converted(tmp_path: Path, given: Any, form: str) -> Result:
    file = tmp_path / "given.json"
    file.write_text(given if isinstance(given, str) else json.dumps(given))
    return CliRunner().invoke(sealed, ["convert", "--to", form, str(file)])


def lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_transcript_becomes_a_saved_game(tmp_path: Path) -> None:
    (saved,) = lines(converted(tmp_path, TRANSCRIPT, "saved"))
    assert [phase["name"] for phase in saved["phases"]] == ["S1901M", "F1901M", "W1901A"] and saved[
        "id"
    ] == "spring"
    assert (
        saved["phases"][0]["orders"]["FRANCE"] == ["A PAR - BUR"]
        and "BEL" in saved["phases"][2]["state"]["centers"]["FRANCE"]
    )


def test_a_saved_game_becomes_a_transcript_of_the_same_orders(tmp_path: Path) -> None:
    (saved,) = lines(converted(tmp_path, TRANSCRIPT, "saved"))
    (transcript,) = lines(converted(tmp_path, saved, "transcript"))
    assert [entry["orders"]["FRANCE"] for entry in transcript["phases"]] == [
        "A PAR - BUR",
        "A BUR - BEL",
    ]
    assert transcript["options"] == {"edition": "2023"}


def test_its_lines_are_adjudicated_as_the_match_was(tmp_path: Path) -> None:
    result = converted(tmp_path, TRANSCRIPT, "lines")
    (tmp_path / "lines.jsonl").write_text(result.stdout)
    assert (
        len(lines(result)) == 3
        and check_games.main([str(tmp_path / "lines.jsonl"), "--edition", "2023"]) == 0
    )


def test_each_line_of_a_file_may_be_a_saved_game(tmp_path: Path) -> None:
    one = converted(tmp_path, TRANSCRIPT, "saved").stdout
    assert len(lines(converted(tmp_path, one + one, "transcript"))) == 2


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("rubbish", "neither a transcript nor saved games"),
        ({"phases": []}, "game 1: A saved game has to be an object"),
        (
            TRANSCRIPT | {"game": "pyramid", "seats": ["1", "2", "3"]},
            "no other program keeps matches of this game",
        ),
        ({"game": "rsp-diplomacy", "phases": [{"name": "S1901M", "state": {}}]}, "characteristics"),
        (TRANSCRIPT | {"seats": ["ATLANTIS"]}, "game 1: "),
    ],
)
def test_what_cannot_be_converted_is_said(tmp_path: Path, given: Any, sentence: str) -> None:
    result = converted(tmp_path, given, "saved" if "seats" in given else "transcript")
    assert result.exit_code == 1 and sentence in str(result.exception)
