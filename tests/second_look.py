"""`pytest --second-look`: a test that failed runs once more, alone; if it passes then, it is
unstable and fails no run.

1. Collect every failure with its first error, in the controlling process.
2. If more than MOST tests failed, or the run ended otherwise, leave its exit status alone.
3. Else run each failed test in a process of its own, one after the other.
4. Print those that pass under the heading "Unstable"; exit with 0 if no other is left.

An unstable test is looked into before anything else (CONTRIBUTING.md): the product may be at fault.
"""

import os
import subprocess
import sys

import pytest

MOST = 3  # failed tests that are looked at again; more than these are no bad luck
_SECONDS = 40_000  # for a test alone, which has a limit of its own (tests/hangs.py)
_failed = pytest.StashKey[dict[str, str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--second-look`."""
    parser.addoption(
        "--second-look",
        action="store_true",
        help=f"run up to {MOST} failed tests once more, each alone",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collect failures in the process that decides on the exit status."""
    if config.getoption("second_look") and "PYTEST_XDIST_WORKER" not in os.environ:
        config.stash[_failed] = {}
        config.pluginmanager.register(_Failures(config.stash[_failed]), "second-look-failures")


class _Failures:
    """Notes failed tests by name, with the first error of each."""

    def __init__(self, failed: dict[str, str]) -> None:
        self._failed = failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure of a test, or of its fixtures."""
        if report.failed:
            self._failed.setdefault(report.nodeid, _first_error(report))


def _first_error(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else report.longreprtext
    return next((line.strip() for line in text.splitlines() if line.strip()), "no message")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Run failed tests again and exit with 0 if all of them pass."""
    failed = session.config.stash.get(_failed, {})
    if session.exitstatus != pytest.ExitCode.TESTS_FAILED or not 1 <= len(failed) <= MOST:
        return
    unstable = {
        name: error for name, error in failed.items() if _passes_alone(session.config, name)
    }
    reporter = session.config.get_terminal_writer()
    if unstable:
        reporter.line()
        reporter.sep("=", "Unstable: failed once, passed alone")
        for name, error in unstable.items():
            reporter.line(f"UNSTABLE {name} - {error}")
    if len(unstable) == len(failed):
        session.exitstatus = pytest.ExitCode.OK


def _passes_alone(config: pytest.Config, name: str) -> bool:
    command = [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", "-q", name]
    own = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    try:
        again = subprocess.run(command, cwd=config.rootpath, env=own, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return again.returncode == 0
