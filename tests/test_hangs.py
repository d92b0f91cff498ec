"""A test that hangs: its process dumps the stacks and exits; the run goes on, and the second look
tells that it failed.
"""

from pathlib import Path

import pytest

from tests.hangs import limit_of

pytest_plugins = ("pytester",)
_HANG = """
import threading
import pytest
from tests import hangs

def hang():
    hangs._armed[:] = [(0.1, hangs._armed[0][1])]  # from here on, so that a busy machine ends nothing before
    hangs.note_progress()
    threading.Event().wait()

@pytest.fixture
def held():
    yield
    hang()
"""


def run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, test: str, *options: str
) -> tuple[int, str]:
    """Run a test that hangs; return the exit status and the output."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    pytester.makeconftest('pytest_plugins = ("tests.hangs", "tests.second_look")')
    pytester.makepyfile(test_hangs=_HANG + test)
    done = pytester.runpytest_subprocess(*options)
    return int(done.ret), done.stdout.str() + done.stderr.str()


def test_a_test_that_hangs_is_dumped_and_fails_the_run_at_the_second_look_too(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, said = run(
        pytester, monkeypatch, "def test_that_hangs(): hang()\n", "--second-look", "-n", "1"
    )
    assert (
        status == 1
        and said.count("Timeout (0:00:00.100000)!") == 2
        and "in test_that_hangs" in said
    )
    assert (
        "crashed while running 'test_hangs.py::test_that_hangs'" in said and "UNSTABLE" not in said
    )


def test_a_fixture_that_hangs_after_a_failure_is_dumped_and_ended(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, said = run(pytester, monkeypatch, "def test_that_fails(held): assert False\n")
    assert status == 1 and "Timeout" in said and "in held" in said


def test_only_long_tests_have_a_longer_limit() -> None:
    assert limit_of("tests/service/test_races.py::test_x", 300.0) == 300.0
    assert limit_of("tests/simulation/test_simulation.py::test_x", 300.0) == 3600.0
