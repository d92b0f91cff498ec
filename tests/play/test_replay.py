"""`sealed replay`: a file alone gives the same result, and a changed file is detected with the
phase of the change.
"""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.commands.replay import command
from adjudicator.play.replay import TranscriptError, read_transcript, replay_transcript
from adjudicator.service.views import transcripts
from tests.databases import new_sqlite
from tests.harness import Harness
from tests.waiting import LIMIT

ROOT = Path(__file__).parents[2]
ROUNDS = [
    "B3 W2 C1",
    "W1 B3 B2",
    "C3 B2 B1",
    "B2 W1 C2",
    "W3 C3 W2",
    "C2 B1 W3",
    "B1 C1 B3",
    "W2 W3 C3",
]
NOTHING_GIVEN = (
    "Not compared, as none were given: receipts that players kept (--receipts) and the anchors of a"
    " first letter (--anchors).\n"
)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The transcript of a match with a red deal, a plan, a silent seat and a forced end, played
    through the service.
    """
    from adjudicator.service.matches.creation import Wish

    harness = Harness(new_sqlite(tmp_path_factory.mktemp("replay") / "match.sqlite3"))
    harness.player("Alice")
    uid = harness.match("Alice", "Bob", "Charlie", wish=Wish("pyramid", "Red", {"red": True}))
    harness.order(uid, "Alice", "B3 THEN B2 THEN B1")
    for name, text in (("Bob", "W3"), ("Charlie", "C3")):
        harness.order(uid, name, text)
    harness.close(uid)
    harness.order(uid, "Bob", "W2")
    harness.later(days=3)
    harness.close(uid)
    while harness.page(uid).card.status == "running":
        harness.later(days=3)
        harness.close(uid)
    with harness.database.read_tx() as session:
        plain = json.loads(json.dumps(transcripts.export_transcript(session, uid)))
    harness.dispose()
    assert isinstance(plain, dict)
    return plain


def written(folder: Path, plain: object) -> str:
    """Write a transcript into a file and return its name."""
    file = folder / "transcript.json"
    file.write_text(plain if isinstance(plain, str) else json.dumps(plain))
    return str(file)


def run(folder: Path, plain: object, *options: str) -> Result:
    """Run the command on a file."""
    return CliRunner().invoke(command, [written(folder, plain), *options])


def test_the_command_needs_no_database_no_settings_and_no_folder(
    exported: dict[str, Any], tmp_path: Path
) -> None:
    asked = [sys.executable, "-m", "adjudicator", "replay", written(tmp_path, exported)]
    bare = {"PYTHONPATH": str(ROOT), "DATABASE_URL": "nonsense", "PORT": "nonsense"}
    done = subprocess.run(
        asked, cwd=tmp_path, env=bare, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert (done.returncode, done.stderr) == (0, NOTHING_GIVEN)
    assert json.loads(done.stdout) == exported["claims"]
    assert [file.name for file in tmp_path.iterdir()] == ["transcript.json"]


def test_a_transcript_replays_to_its_own_claims_from_the_file_alone(
    exported: dict[str, Any], tmp_path: Path
) -> None:
    done = run(tmp_path, exported)
    assert (done.exit_code, done.stderr) == (0, NOTHING_GIVEN)
    assert json.loads(done.stdout) == exported["claims"]


def test_it_reads_as_a_story_too(exported: dict[str, Any], tmp_path: Path) -> None:
    done = run(tmp_path, exported, "--text")
    dealt = (
        "Start\n  Each seat was dealt one red piece, whose size it alone knows until it is shown.\n"
        "  Seat 1 was dealt the red "
    )
    assert done.exit_code == 0 and done.stdout.startswith(dealt) and "Round 10" in done.stdout


def changed(plain: dict[str, Any], *path: str | int, to: object) -> dict[str, Any]:
    """Return a copy with one value changed."""
    copied: Any = copy.deepcopy(plain)
    inside = copied
    for step in path[:-1]:
        inside = inside[step]
    assert inside[path[-1]] != to
    inside[path[-1]] = to
    assert isinstance(copied, dict)
    return copied


@pytest.mark.parametrize(
    ("path", "to", "named"),
    [
        (("phases", 0, "orders", "2"), "W1", "Round 1"),
        (("phases", 1, "orders", "2"), "C1", "Round 2"),
        (("claims", "phases", 2, "events", 0), "Nothing happened.", "Round 3"),
        (("claims", "phases", 3, "orders", "1"), "W9", "Round 4"),
        (("claims", "phases", 4, "scores", "1"), 99, "Round 5"),
        (("claims", "phases", 1, "draws", 0, 2), "nothing", "Round 2"),
        (("claims", "phases", 5, "due"), ["1"], "Round 6"),
        (("claims", "result", "1", "place"), 7, "The end"),
        (("claims", "chance_left"), 3, "The end"),
        (("chance", "chains", "public"), "00" * 32, "Start"),
        (("chance", "chains", "hidden"), "00" * 32, "Start"),
        (("options", "take"), "all", "Round"),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_changed_order_draw_or_claim_is_named_by_its_phase(
    exported: dict[str, Any], tmp_path: Path, path: tuple[str | int, ...], to: object, named: str
) -> None:
    done = run(tmp_path, changed(exported, *path, to=to))
    assert done.exit_code == 1
    assert done.stderr.startswith(named)


def test_claims_that_leave_a_phase_out_or_add_one_are_found(exported: dict[str, Any]) -> None:
    short, long = copy.deepcopy(exported), copy.deepcopy(exported)
    short["claims"]["phases"].pop()
    long["claims"]["phases"].append(long["claims"]["phases"][-1])
    assert "Round 10" in replay_transcript(read_transcript(short)).differences[0]
    assert (
        "does not lead to" in replay_transcript(read_transcript(long)).differences[0]
        or "do not lead to" in replay_transcript(read_transcript(long)).differences[0]
    )


def test_other_rules_are_told_apart_from_tampering(
    exported: dict[str, Any], tmp_path: Path
) -> None:
    done = run(
        tmp_path, changed(changed(exported, "rules_version", to=1), "claims", "result", to=None)
    )
    assert done.exit_code == 1 and "other rules" in done.stderr


def plain_match(**changes: Any) -> dict[str, Any]:
    phases = [{"orders": dict(zip("123", picks.split(), strict=True))} for picks in ROUNDS]
    return {
        "game": "pyramid",
        "rules_version": 1,
        "options": {},
        "seats": ["1", "2", "3"],
        "chance": {"seed": "00"},
        "phases": phases,
    } | changes


@pytest.mark.parametrize(
    ("version", "stream", "told"),
    [
        (1, "public", "The red pieces were dealt: seat 1 "),
        (2, "hidden", "Each seat was dealt one red piece"),
    ],
)
def test_R4_a_transcript_opens_as_the_rules_it_names_did(
    version: int, stream: str, told: str
) -> None:
    start = replay_transcript(
        read_transcript(plain_match(rules_version=version, options={"red": True}, phases=[]))
    ).output["start"]
    assert [draw[:2] for draw in start["draws"]] == [[stream, "deal"]]
    assert start["events"][0].startswith(told)


def test_forced_orders_need_not_be_in_the_file_and_may_be() -> None:
    without = replay_transcript(read_transcript(plain_match())).output
    forced = without["phases"][8]["orders"]
    with_them = replay_transcript(
        read_transcript(plain_match(phases=[*plain_match()["phases"], {"orders": forced}]))
    ).output
    assert with_them == without and without["result"] is not None and len(without["phases"]) == 9


def test_a_script_gives_the_draws_and_what_is_left_is_told() -> None:
    phases = [{"orders": {"1": "B3", "2": "W3"}}]
    script = ["R2", "R1", "R3"]
    done = replay_transcript(
        read_transcript(
            plain_match(
                options={"red": True}, chance={"script": [script, "R3", "W1"]}, phases=phases
            )
        )
    ).output
    assert done["phases"][0]["orders"] == {"1": "B3", "2": "W3", "3": "R3"}
    assert done["chance_left"] == 1 and done["result"] is None


def test_G5_a_plan_in_a_transcript_is_followed() -> None:
    entries = [
        {"orders": {"1": "B3 THEN W3", "2": "B3", "3": "B3"}},
        {"orders": {"2": "B2", "3": "B2"}},
    ]
    done = replay_transcript(read_transcript(plain_match(phases=entries))).output
    assert done["phases"][1]["orders"]["1"] == "W3"


def test_a_bad_line_in_a_plan_leaves_the_rest_of_it_as_in_the_service() -> None:
    entries = [
        {"orders": {"1": "B3 THEN W3\nnonsense", "2": "B3", "3": "B3"}},
        {"orders": {"2": "B2", "3": "B2"}},
    ]
    done = replay_transcript(read_transcript(plain_match(phases=entries))).output
    assert (
        done["phases"][0]["refused"][0].startswith("1: nonsense - ")
        and done["phases"][1]["orders"]["1"] == "W3"
    )


def test_orders_nobody_understands_leave_what_stood_before_as_in_the_service() -> None:
    entries = [
        {"orders": {"1": "B3 THEN W3", "2": "B3", "3": "B3"}},
        {"orders": {"1": "nonsense", "2": "B2", "3": "B2"}},
    ]
    assert (
        replay_transcript(read_transcript(plain_match(phases=entries))).output["phases"][1][
            "orders"
        ]["1"]
        == "W3"
    )


@pytest.mark.parametrize("almost", [1.0, True])
def test_a_claim_of_almost_the_same_number_is_another_claim(almost: object) -> None:
    claims = replay_transcript(read_transcript(plain_match())).output
    place = next(row for row in claims["result"].values() if row["place"] == 1)
    place["place"] = almost
    assert replay_transcript(read_transcript(plain_match(claims=claims))).differences == (
        "The end: the file claims another result than its orders and chance give.",
    )


def test_refused_lines_are_shown_with_their_reason() -> None:
    done = replay_transcript(
        read_transcript(
            plain_match(phases=[{"orders": {"1": "nonsense\nB3", "2": "B3", "3": "B3"}}])
        )
    ).output
    assert done["phases"][0]["orders"]["1"] == "B3" and done["phases"][0]["refused"][0].startswith(
        "1: nonsense - "
    )


@pytest.mark.parametrize(
    "plain",
    [
        "not json",
        "[" * 100_000,
        [],
        {},
        plain_match(game="chess"),
        plain_match(rules_version=99),
        plain_match(rules_version=-1),
        plain_match(options={"red": "perhaps"}),
        plain_match(seats=["1", "2"]),
        plain_match(chance={}),
        plain_match(chance={"seed": "00", "script": []}),
        plain_match(chance={"seed": "xyz"}),
        plain_match(chance={"script": []}, options={"red": True}),
        plain_match(chance={"script": [["R1", "R1", "R1"]]}, options={"red": True}),
        plain_match(phases=[{"orders": {"9": "B3"}}]),
        plain_match(phases=[{"orders": {"1": 5}}]),
        plain_match(phases=[{"number": 4, "orders": {}}]),
        plain_match(phases=[{"orders": {"1": "x" * 30_000}}]),
        plain_match(phases=[{"orders": {"1": "\ud800"}}]),
        plain_match(match="e\u0301", options={"red": True}),
        plain_match(claims={"phases": 7}),
        plain_match(claims={"phases": [5]}),
    ],
    ids=range(22),
)
def test_a_file_that_cannot_be_played_is_told_in_a_sentence(plain: object, tmp_path: Path) -> None:
    done = run(tmp_path, plain)
    assert done.exit_code == 2 and done.stdout == ""
    assert "Traceback" not in done.stderr and done.stderr.strip().endswith(".")


def test_what_was_not_checked_is_said(exported: dict[str, Any], tmp_path: Path) -> None:
    partial = changed(exported, "claims", "phases", 0, to={"name": "Round 1"})
    for plain, said in (
        (exported, NOTHING_GIVEN),
        (partial, "because claims leave them out: due, orders, refused, events, scores, draws."),
        (plain_match(winner="1"), "as the format does not know them: winner."),
        (
            plain_match(phases=[{"orders": {}, "order": {}}]),
            "as the format does not know them: phases: order.",
        ),
    ):
        done = run(tmp_path, plain)
        assert done.exit_code == 0 and said in done.stderr, (said, done.stderr)
    assert (
        "leave them out" not in run(tmp_path, exported).stderr
        and "Not read" not in run(tmp_path, exported).stderr
    )


def test_orders_after_the_end_are_found() -> None:
    entries = [*plain_match()["phases"], {"orders": {"1": "B3"}}]
    assert (
        "nobody owes"
        in replay_transcript(read_transcript(plain_match(phases=entries))).differences[0]
    )


def test_reading_says_what_is_wrong() -> None:
    with pytest.raises(TranscriptError, match="phases"):
        read_transcript(
            {"game": "pyramid", "rules_version": 1, "seats": [], "chance": {"seed": ""}}
        )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"1": "B2", "1": "B3"}', "“1” stands twice in one object"),
        ('{"a": NaN}', "NaN is no number in JSON"),
    ],
)
def test_a_file_that_says_one_thing_to_people_and_another_to_programs_is_not_played(
    text: str, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "odd.json").write_text(text)
    result = CliRunner().invoke(command, [str(tmp_path / "odd.json")])
    assert result.exit_code == 2 and sentence in result.stderr


def test_a_file_commands_no_terminal(tmp_path: Path) -> None:
    entry = {"orders": {"1": "B3", "2": "W2\n\x1b]0;owned\x07", "3": "C1"}}
    result = CliRunner().invoke(
        command, [written(tmp_path, plain_match(phases=[entry])), "--text"], color=True
    )
    assert "\ufffd]0;owned" in result.stdout and "\x1b" not in result.stdout
