"""The second look of a whole run: bad luck fails no run, and everything else does."""

from pathlib import Path

import pytest

pytest_plugins = ("pytester",)

_LUCK = """
from pathlib import Path
def test_that_is_well(): pass
def test_luck():
    met = Path("met")
    met.write_text(met.read_text() + "x" if met.exists() else "x")
    assert met.read_text() == "xx", "the first time is bad luck"
"""
_BROKEN = "def test_broken(): assert 1 == 2\n"
_FIXTURE = """
import pytest
from pathlib import Path
@pytest.fixture
def server():
    if not Path("up").exists():
        Path("up").touch()
        raise OSError("no server yet")
def test_with_server(server): pass
"""


@pytest.mark.parametrize(
    ("tests", "status", "unstable", "processes"),
    [
        (
            {"test_luck": _LUCK},
            0,
            ["test_luck.py::test_luck - AssertionError: the first time is bad luck"],
            0,
        ),
        (
            {"test_luck": _LUCK, "test_server": _FIXTURE},
            0,
            ["test_luck.py::test_luck", "test_with_server - OSError: no server yet"],
            2,
        ),
        ({"test_luck": _LUCK, "test_broken": _BROKEN}, 1, ["test_luck.py::test_luck"], 0),
        (
            {
                f"test_luck_{number}": _LUCK.replace('"met"', f'"met{number}"')
                for number in range(4)
            },
            1,
            [],
            0,
        ),
        ({"test_syntax": "def"}, 2, [], 0),
        ({"test_well": "def test_well(): pass"}, 0, [], 0),
    ],
)
def test_what_passes_alone_is_told_and_what_fails_again_fails(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    tests: dict[str, str],
    status: int,
    unstable: list[str],
    processes: int,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makepyfile(**tests)
    run = pytester.runpytest_subprocess(
        "-p", "tests.second_look", "--second-look", "-n", str(processes)
    )
    told = [line for line in run.outlines if line.startswith("UNSTABLE ")]
    assert run.ret == status
    assert len(told) == len(unstable) and all(
        any(name in line for line in told) for name in unstable
    ), told
