"""The host's commands on a desk's database, at a desk's time."""

import pytest
from click.testing import CliRunner, Result

from adjudicator.commands import master, matches
from tests import clocks
from tests.harness import Harness


def sealed(*arguments: str, desk: Harness, monkeypatch: pytest.MonkeyPatch) -> Result:
    """Run `sealed matches ...` or `sealed master ...`."""
    for module in (matches, master):
        monkeypatch.setattr(module, "open_database", lambda: desk.database)
    clocks.turn(monkeypatch, lambda: desk.now)
    command = {"matches": matches.command, "master": master.command}[arguments[0]]
    return CliRunner().invoke(command, list(arguments[1:]))
