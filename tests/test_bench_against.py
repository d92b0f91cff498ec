"""`script/bench --against`: which figures are compared, and that both states are run in turns."""

import subprocess
from pathlib import Path

import pytest

from tools import bench_against
from tools.bench_against import NoSuchCommit, compare, figures_of

_BENCH = """#!/usr/bin/env bash
[ "$1" != load ] || [ {storms} = no ] || exit 2
echo "{state} $1" >>'{log}'
echo "$1: {figure} phases/s"
"""


def test_figures_have_the_same_names_whatever_else_a_line_tells() -> None:
    before = figures_of("SQLite: 186 submissions/s, 1,120 phases closed/s (150 of 3)\n")
    now = figures_of(
        "SQLite: 372 submissions/s, 90 receipts/s, 560 phases closed/s (150 of 3)\n"
        "to the first page, a new folder: median 2.9 s, 2.7-3.0 s of 5\nnothing to count\n"
    )
    assert before["SQLite: # phases closed/s (# of #)"] == 1120
    assert now["to the first page, a new folder: #-# s of # (2)"] == 3.0
    assert compare([now], [before]) == [
        "SQLite: # submissions/s: 372 and 186, 2.00 times (2.00 to 2.00)",
        "SQLite: # phases closed/s (# of #): 560 and 1120, 0.50 times (0.50 to 0.50)",
    ]


def test_a_ratio_is_the_median_of_pairs_with_the_lowest_and_the_highest() -> None:
    now, before = (
        [{"# a second": each} for each in figures] for figures in ((10, 30, 20), (10, 10, 10))
    )
    assert compare(now, before) == ["# a second: 20 and 10, 2.00 times (1.00 to 3.00)"]


def _commit(folder: Path, figure: int, log: Path, *, state: str, storms: str) -> None:
    script = folder / "script" / "bench"
    script.parent.mkdir(exist_ok=True)
    script.write_text(_BENCH.format(state=state, figure=figure, log=log, storms=storms))
    script.chmod(0o755)
    identity = ("-c", "user.name=Alice", "-c", "user.email=alice@example.org")
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", state)):
        subprocess.run(["git", "-C", folder, *words], check=True)


def test_both_states_are_run_in_turns_under_the_names_that_each_has(tmp_path: Path) -> None:
    here, log, said = tmp_path / "here", tmp_path / "log", list[str]()
    here.mkdir()
    _commit(here, 50, log, state="before", storms="yes")
    _commit(here, 100, log, state="now", storms="no")
    bench_against.bench_against(said.append, here, "HEAD~1", ["pages", "load"])
    assert log.read_text().splitlines() == [
        *["now pages", "before pages"] * bench_against.ROUNDS,
        *["now load", "before storm"] * bench_against.ROUNDS,
    ]
    assert "pages: # phases/s: 100 and 50, 2.00 times (2.00 to 2.00)" in said
    with pytest.raises(NoSuchCommit, match="nowhere"):
        bench_against.bench_against(said.append, here, "nowhere", [])
