"""The simulator finds bugs that are planted into a copy of the tree."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.planted import (
    ROOT,
    Bug,
    Edit,
    Hunt,
    Rotted,
    apply,
    copy_tree,
    hunt_bugs,
    load,
)
from tests.waiting import LIMIT

BUGS = load()
QUICK = "view-of-another-seat"  # found in the first worlds
CODE = "def answer():\n    return 42\n"


def _laid_out(bug: Bug, folder: Path) -> Path:
    """Copy the files that a bug changes."""
    for edit in bug.edits:
        file = folder / edit.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text((ROOT / edit.file).read_text())
    return folder


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_each_patch_fits_the_tree_once_and_is_python(bug: Bug, tmp_path: Path) -> None:
    root = _laid_out(bug, tmp_path)
    apply(bug, root)
    for edit in bug.edits:
        assert (root / edit.file).read_text() != (ROOT / edit.file).read_text()
        compile((root / edit.file).read_text(), edit.file, "exec")


def test_each_bug_has_a_name_of_its_own() -> None:
    assert len({bug.name for bug in BUGS}) == len(BUGS) >= 24


@pytest.mark.parametrize(
    "old", ["return 41", "e"], ids=["it is gone", "it stands there more than once"]
)
def test_a_patch_that_has_rotted_is_told_and_changes_nothing(old: str, tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(CODE)
    bug = Bug(
        "wrong", "It is wrong.", (Edit("code.py", "42", "43"), Edit("code.py", old, "nothing"))
    )
    with pytest.raises(Rotted, match=r"wrong: this stands \d times in code\.py"):
        apply(bug, tmp_path)
    assert (tmp_path / "code.py").read_text() == CODE


def test_a_copy_has_all_that_worlds_need(tmp_path: Path) -> None:
    root = copy_tree(tmp_path / "copy")
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulation.planted", "--play", "1", "0"],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.nightly
def test_a_quick_bug_is_found_in_the_first_worlds_and_nothing_is_found_where_there_is_none(
    tmp_path: Path,
) -> None:
    hunter = Hunt(4, tmp_path)
    found = hunter.find(next(bug for bug in BUGS if bug.name == QUICK))
    assert found.seed is not None
    assert "letters show a seat what it may see" in found.checks
    assert hunter.is_well(found.seed)


@pytest.mark.skipif(not os.environ.get("PLANTED"), reason="takes an hour; PLANTED=1 asks for it")
def test_nearly_all_bugs_are_found_within_300_seeds() -> None:
    table: list[str] = []
    assert hunt_bugs(BUGS, seeds=300, jobs=os.cpu_count() or 1, say=table.append), "\n".join(table)
