"""`sealed adjudicate` and `script/check-games` with valid and invalid lines."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import sealed
from tools import check_games

GOOD = {
    "game": "one",
    "phase": "S1901M",
    "before": {"units": {"FRANCE": ["A PAR"]}},
    "orders": {"FRANCE": ["A PAR - BUR"]},
}


def asked(*arguments: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(sealed, ["adjudicate", *arguments], input=given)


def answers(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_line_is_answered_by_a_line() -> None:
    result = asked("--game", "diplomacy", given=f"{json.dumps(GOOD)}\n\n{json.dumps(GOOD)}\n")
    assert result.exit_code == 0
    assert [line["outcomes"] for line in answers(result)] == [{"A PAR": "moved"}] * 2
    assert [line["game"] for line in answers(result)] == ["one", "one"]


@pytest.mark.parametrize(
    "bad", [b"{", b"[1]", b"\xff\xfe", b'{"phase": NaN}', b"[" * 20_000, b"9" * 5000]
)
def test_a_bad_line_is_told_in_its_place_and_the_others_go_on(bad: bytes) -> None:
    good = json.dumps(GOOD).encode()
    result = asked("--game", "diplomacy", given=b"\n".join((good, bad, good)))
    first, second, third = answers(result)
    assert result.exit_code == 1 and first["outcomes"] == third["outcomes"] == {"A PAR": "moved"}
    assert second["line"] == 2 and second["error"].endswith(".")
    assert result.stderr == "1 of 3 lines could not be adjudicated; each tells why in its place.\n"


def test_a_byte_order_mark_and_the_ends_of_lines_do_not_matter() -> None:
    good = json.dumps(GOOD).encode()
    result = asked(
        "--game", "diplomacy", given=b"\xef\xbb\xbf" + good + b"\r\n\r\n" + good + b"\r\n"
    )
    assert result.exit_code == 0
    assert [line["outcomes"] for line in answers(result)] == [{"A PAR": "moved"}] * 2


@pytest.mark.parametrize(
    ("bad", "error"),
    [(b'{"phase" 1}', "no JSON: Expecting ':' delimiter, at sign 10"), (b"9" * 5000, "too long")],
)
def test_what_is_wrong_in_a_text_is_said_in_plain_words(bad: bytes, error: str) -> None:
    assert error in answers(asked("--game", "diplomacy", given=bad))[0]["error"]


def test_letters_that_cannot_be_written_come_back_as_they_came() -> None:
    given = json.dumps(GOOD | {"game": "\ud800 ü"})
    assert answers(asked("--game", "diplomacy", given=given))[0]["game"] == "\ud800 ü"


def test_packed_and_plain_files_are_read(tmp_path: Path) -> None:
    plain, packed = tmp_path / "games.jsonl", tmp_path / "games.jsonl.gz"
    plain.write_text(json.dumps(GOOD))
    packed.write_bytes(gzip.compress(json.dumps(GOOD).encode()))
    assert answers(asked("--game", "diplomacy", str(plain))) == answers(
        asked("--game", "diplomacy", str(packed))
    )


def test_a_file_that_breaks_off_is_told_in_a_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "games.jsonl.gz"
    broken.write_bytes(gzip.compress(json.dumps(GOOD).encode())[:-9])
    result = asked("--game", "diplomacy", str(broken))
    assert result.exit_code == 1 and "cannot be read to its end" in str(result.exception)


def test_reasons_are_told_where_they_are_asked_for() -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}
    orders = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    given = json.dumps({"phase": "S1901M", "before": {"units": units}, "orders": orders})
    assert "reasons" not in answers(asked("--game", "diplomacy", given=given))[0]
    assert answers(asked("--game", "diplomacy", "--reasons", given=given))[0]["reasons"][
        "A PAR"
    ] == {"why": "standoff", "by": ["A MUN"]}


@pytest.mark.parametrize(("option", "outcome"), [((), "void"), (("--build-anywhere",), "built")])
def test_new_units_are_built_anywhere_where_that_is_said(
    option: tuple[str, ...], outcome: str
) -> None:
    given = json.dumps(
        {
            "phase": "W1901A",
            "before": {"units": {}, "centres": {"FRANCE": ["SPA"]}},
            "orders": {"FRANCE": ["A SPA B"]},
        }
    )
    assert answers(asked("--game", "diplomacy", *option, given=given))[0]["outcomes"] == {
        "A SPA": outcome
    }


# --- script/check-games


def recorded(tmp_path: Path, after: dict[str, Any] | None) -> str:
    file = tmp_path / "recorded.jsonl"
    file.write_text(json.dumps(GOOD | {"after": after}) + "\n")
    return str(file)


def test_what_comes_out_as_recorded_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        check_games.main([recorded(tmp_path, {"units": {"ITALY": [], "FRANCE": ["A BUR"]}})]) == 0
    )
    assert "1 phases, 1 compared, 0 different" in capsys.readouterr().out


def test_a_line_without_a_record_is_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_games.main([recorded(tmp_path, None)]) == 0
    assert "1 phases, 0 compared" in capsys.readouterr().out


def test_a_difference_is_told_with_its_line_game_and_phase(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_games.main([recorded(tmp_path, {"units": {"FRANCE": ["A PAR"]}})]) == 1
    assert (
        "line 1 one S1901M: units: FRANCE recorded A PAR, the rules give A BUR"
        in capsys.readouterr().out
    )
