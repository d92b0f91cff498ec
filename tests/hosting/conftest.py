"""Settings of commands that a test runs in its own process, and the commands themselves."""

import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout

import pytest

from adjudicator import cli
from adjudicator.hosting import loading
from adjudicator.hosting.health import checks, role_health
from adjudicator.platform import heartbeat
from adjudicator.platform.config import current_settings

SealedHere = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def settings_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """What sets environment variables and has them read anew, until the test ends."""

    def set_up(**environ: str) -> None:
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        current_settings.cache_clear()

    yield set_up
    current_settings.cache_clear()


@pytest.fixture
def sealed_here() -> SealedHere:
    """What runs a `sealed` command that ends by itself, with these settings, in this process: one
    of its own takes seconds to start.
    """
    return run_here


def run_here(*arguments: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    """Do what `sealed_here` does."""
    told, faults, code = io.StringIO(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(told), redirect_stderr(faults):
        patch.setattr(loading, "end_with_a_sentence", lambda: None)
        for module in (checks, role_health, heartbeat):
            # what listens and never answers is among what is tested
            patch.setattr(module, "_SECONDS", 30)
        patch.setattr(sys, "argv", ["sealed", *arguments])
        for name, value in environ.items():
            patch.setenv(name, value)
        current_settings.cache_clear()
        try:
            cli.main()
        except SystemExit as end:
            code = int(end.code or 0)
    current_settings.cache_clear()
    return subprocess.CompletedProcess(arguments, code, told.getvalue(), faults.getvalue())
