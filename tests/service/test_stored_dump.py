"""A stored dump of the release before the folders were moved: its running matches go on after the
migrations.
"""

import lzma
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import col, select

from adjudicator.platform import db
from adjudicator.seal import crypto
from adjudicator.service.base.tables import Match, PhaseRow
from tests.harness import Harness

# six matches, schema 0010, with the worker's key beside it
DUMP = Path(__file__).parents[1] / "data" / "running_matches_0010.sql.xz"
LATER = datetime(2026, 11, 20, tzinfo=UTC)  # every deadline of the dump has passed


@pytest.fixture
def restored(tmp_path: Path) -> Harness:
    file = tmp_path / "restored.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.executescript(lzma.decompress(DUMP.read_bytes()).decode())
    connection.close()
    key = tmp_path / "worker.key"
    key.touch(0o600)
    key.write_text(DUMP.with_name("running_matches_0010.key").read_text())
    db.migrate(f"sqlite:///{file}")
    return Harness(f"sqlite:///{file}", crypto.load_key_file(key), now=LATER)


def test_running_matches_of_an_older_database_go_on(restored: Harness) -> None:
    with restored, restored.database.read_tx() as session:
        matches = [
            (match.game, match.uid) for match in session.exec(select(Match).order_by(col(Match.id)))
        ]
    assert sorted(game for game, _ in matches) == [
        "diplomacy",
        "genesis",
        "phoenix",
        "pyramid",
        "redeux",
        "rsp-diplomacy",
    ]
    for _, uid in matches:
        assert restored.close(uid), uid
    with restored.database.read_tx() as session:
        assert session.exec(select(Match.uid).where(Match.status == "stuck")).all() == []
        for _, uid in matches:
            numbers = session.exec(
                select(PhaseRow.number)
                .join(Match)
                .where(Match.uid == uid, col(PhaseRow.closed_at).is_not(None))
            ).all()
            assert len(numbers) >= 2, uid
    restored.dispose()


def test_orders_that_were_sealed_before_the_upgrade_count(restored: Harness) -> None:
    with restored.database.read_tx() as session:
        uid = session.exec(select(Match.uid).where(Match.game == "pyramid")).one()
    assert restored.close(uid)
    page = restored.page(uid, "Alice")
    assert "B3" in repr(page)
    restored.dispose()
