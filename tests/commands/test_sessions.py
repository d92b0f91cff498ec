"""`sealed sessions end --all`."""

import pytest
from click.testing import CliRunner
from sqlmodel import select

from adjudicator.cli import sealed
from adjudicator.commands import sessions as command
from adjudicator.service.base.tables import SignedIn
from adjudicator.service.people import sessions
from tests.harness import Harness


def test_everybody_is_signed_out_and_signs_in_anew(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Harness(sqlite_url) as harness:
        monkeypatch.setattr(command, "open_database", lambda **_: harness.database)
        tokens = [harness.enter("Alice"), harness.enter("Alice"), harness.enter("Bob")]
        asked = CliRunner().invoke(sealed, ["sessions", "end"])
        assert asked.exit_code == 2 and "Say --all" in asked.output
        told = CliRunner().invoke(sealed, ["sessions", "end", "--all"])
        assert told.exit_code == 0 and "3 sessions have ended." in told.output
        with harness.database.read_tx() as session:
            assert not session.exec(select(SignedIn)).all()
            assert all(
                sessions.signed_in_player(session, each, now=harness.now) is None for each in tokens
            )
        assert harness.enter("Alice")
