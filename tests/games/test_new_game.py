"""`script/new-game`, as the README says: in a copy of the tree it makes a game that meets the
contract and can be played at once.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import new_game

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).parents[2]
NAME = "orchard"
# compiled files stay valid; those with two ends are being written
NOT_COPIED = shutil.ignore_patterns(".*", "*.pyc.*", "var", "dist")
HOLDS = (
    "tests/games",
    "tests/play/test_transcript_examples.py",
    "tests/web/test_every_game.py",
    "tests/mail/test_every_game.py",
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this tree in which a game was made."""
    copied = tmp_path_factory.mktemp("copy") / "tree"
    shutil.copytree(ROOT, copied, ignore=NOT_COPIED)
    for environment in (".venv", ".boot"):
        (copied / environment).symlink_to(ROOT / environment)
    run(copied, "script/new-game", NAME)
    return copied


def run(tree: Path, *command: str) -> str:
    """Run a command in a tree as its user would; return its output."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST", "PYTHON", "COV"))
    }
    done = subprocess.run(
        command,
        cwd=tree,
        env=kept | {"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def python(tree: Path, *arguments: str) -> str:
    return run(tree, sys.executable, "-P", "-m", *arguments)


def pytest_in(tree: Path, *arguments: str) -> str:
    return python(tree, "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments)


def test_the_game_holds_the_contract_and_is_played_by_form_and_by_letter(tree: Path) -> None:
    told = pytest_in(
        tree,
        "-v",
        *HOLDS,
        "-k",
        f"{NAME} or every_game_has or every_game_declares or example_of_each",
    )
    for test in (
        f"test_contract.py::test_the_default_is_legal[{NAME}-2-1] PASSED",
        f"test_golden.py::test_a_golden_playthrough_comes_to_the_same_again[{NAME}-first] PASSED",
        f"test_an_example_comes_to_the_story_that_is_told[{NAME}] PASSED",
        f"test_the_first_phase_is_played_by_the_form[{NAME}] PASSED",
        f"test_the_first_phase_is_played_by_letter[{NAME}] PASSED",
        f"tests/games/{NAME}/test_rules.py::test_a_silent_seat_plays_a_card_by_chance PASSED",
        "test_every_game_has_a_golden_playthrough PASSED",
        "test_every_game_declares_whether_it_has_secrets PASSED",
        "test_there_is_an_example_of_each_game PASSED",
    ):
        assert test in told


def test_the_game_is_clean_by_lint_format_types_and_rooms(tree: Path) -> None:
    python(tree, "ruff", "check", ".")
    python(tree, "ruff", "format", "--check", ".")
    python(tree, "mypy", "--strict", f"adjudicator/games/{NAME}", "adjudicator/catalogue.py")
    pytest_in(tree, "tests/test_rooms.py")


def test_nothing_of_the_skeleton_is_left_in_the_game(tree: Path) -> None:
    made = [
        path
        for path in tree.rglob("*")
        if NAME in str(path.relative_to(tree)) and path.suffix in (".py", ".html", ".json")
    ]
    assert len(made) > 8
    assert [
        path for path in made if re.search("skeleton", path.read_text("utf-8"), re.IGNORECASE)
    ] == []


@pytest.mark.parametrize("name", ["pyramid", "Chess", "ab", "two words", "../up", "class"])
def test_a_name_that_no_new_game_can_have_is_refused(name: str) -> None:
    with pytest.raises(new_game.NameFault, match=re.escape(name)):
        new_game.check_name(name)
