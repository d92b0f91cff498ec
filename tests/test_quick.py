"""Quick tests need no server and no browser, and end no process; a quick run refuses it."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.quick import PATHS, SLOW

ROOT = Path(__file__).parent.parent
FILE = """
import os, signal, subprocess, sys
import pytest

@pytest.fixture
def browser(): ...

@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request): return request.param

def test_runs(database_url): os.kill(os.getpid(), 0)
def test_forks():
    child = os.fork()
    if not child:
        try:
            os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
def test_is_left_out(browser): ...
def test_asks_late(request): request.getfixturevalue("browser")
def test_kills():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        child.kill()
    finally:
        child.communicate()
"""


def run(file: Path, *arguments: str) -> str:
    """Return pytest's output for a file, with only this plugin."""
    file.write_text(FILE)
    command = [
        sys.executable,
        "-P",
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.quick",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
        *arguments,
        str(file),
    ]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=file.parent, env=environ, capture_output=True, text=True, check=False
    ).stdout


def test_a_quick_run_leaves_out_servers_and_refuses_browsers_and_signals(tmp_path: Path) -> None:
    printed = run(tmp_path / "test_file.py", "--quick")
    assert "2 failed, 2 passed, 2 deselected" in printed
    # The summary repeats the message when the variable CI is set, so only the tracebacks' lines
    # count.
    refused = re.findall(
        r"^E .*ForbiddenInQuickTest: a quick test (asked for browser|sent signal 9):", printed, re.M
    )
    assert refused == ["asked for browser", "sent signal 9"]


def test_a_whole_run_refuses_nothing(tmp_path: Path) -> None:
    assert "6 passed" in run(tmp_path / "test_file.py")


def test_each_path_of_the_quick_tests_exists() -> None:
    assert [path for path in (*PATHS, *SLOW) if not (ROOT / path).exists()] == []
