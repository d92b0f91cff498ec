"""The host's commands on a desk's database, at a desk's time."""

import pytest
from click.testing import CliRunner, Result

from adjudicator.commands import master as master_command
from adjudicator.commands import matches as commands
from tests import clocks
from tests.harness import Harness


def sealed(*arguments: str, desk: Harness, monkeypatch: pytest.MonkeyPatch) -> Result:
    """Run `sealed matches ...` or `sealed master ...`."""
    for module in (commands, master_command):
        monkeypatch.setattr(module, "open_database", lambda: desk.database)
    clocks.turn(monkeypatch, lambda: desk.now)
    command = {"matches": commands.command, "master": master_command.command}[arguments[0]]
    return CliRunner().invoke(command, list(arguments[1:]))
