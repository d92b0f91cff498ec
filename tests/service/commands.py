"""Runs the host's commands on a harness's database, at the harness's time."""

import pytest
from click.testing import CliRunner, Result

from adjudicator.commands import master, matches, ratings
from tests import clocks
from tests.harness import Harness


def sealed(*arguments: str, harness: Harness, monkeypatch: pytest.MonkeyPatch) -> Result:
    """Run `sealed matches ...`, `sealed master ...` or `sealed ratings ...` and return its
    result.
    """
    for module in (matches, master, ratings):
        monkeypatch.setattr(module, "open_database", lambda **_: harness.database)
    clocks.set_clocks(monkeypatch, lambda: harness.now)
    command = {"matches": matches.command, "master": master.command, "ratings": ratings.command}[
        arguments[0]
    ]
    return CliRunner().invoke(command, list(arguments[1:]))
