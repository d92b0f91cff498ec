"""`sealed block` on the command line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.commands.block import command
from tests.databases import new_sqlite
from tests.hosting.test_check import sealed


@pytest.mark.nightly
def test_the_host_blocks_lists_and_unblocks(
    tmp_path: Path, settings_of: Callable[..., None]
) -> None:
    new_sqlite(tmp_path / "sealed.sqlite3")

    def block(*words: str) -> str:
        """Run the command in this process, since a process takes seconds to start."""
        done = CliRunner().invoke(command, words)
        return f"{done.exit_code} {done.output}".strip()

    assert sealed("block", "--list", DATA_DIR=str(tmp_path)).stdout == "Nothing is blocked.\n"
    settings_of(DATA_DIR=str(tmp_path))
    assert (
        block("Mallory@evil.example", "evil.test")
        == "0 mallory@evil.example is blocked.\nevil.test is blocked."
    )
    assert block("--list") == "0 evil.test\nmallory@evil.example"
    assert (
        block("--remove", "evil.test", "--list")
        == "0 evil.test is not blocked any more.\nmallory@evil.example"
    )
    assert block("--remove", "evil.test").startswith("1 Error: evil.test is not blocked")
    assert block("no domain").startswith("1 Error: “no domain” is neither an address nor a domain")
    assert block().startswith("2 ")
