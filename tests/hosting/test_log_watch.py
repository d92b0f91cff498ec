"""`sealed witness` against a real server: a log that continues, one that was rewritten, one that
cannot be judged.
"""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlmodel import select
from werkzeug.serving import make_server

from adjudicator.commands import witness
from adjudicator.service.base.tables import (
    LogCheckpoint,
    LogCosignature,
    LogEntry,
    LogPlace,
    LogTile,
    PublicLog,
)
from adjudicator.service.checkpoints import growing
from tests.service.logs import (
    Installation,
    append,
    checkpoint,
    grow,
    installation,
    match_with_log,
    public_log,
    rewrite_entry,
)
from tests.web.site import Site


class Served:
    """An installation whose site listens on loopback."""

    def __init__(self, folder: Path) -> None:
        self.own: Installation = installation(folder, "play.example.org")
        self.site = Site.create(self.own, folder)
        self.uid = match_with_log(self.own, 300)
        grow(self.own)
        self.server = make_server("127.0.0.1", 0, self.site.app, threaded=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}/log"

    def more(self, count: int = 1) -> list[str]:
        """Append entries and sign the next checkpoint; return the entries' hashes."""
        hashes = append(self.own, self.uid, count)
        grow(self.own)
        return hashes

    def rewrite(self, entry: str) -> None:
        """Change an entry and build the tree anew, with the key file."""
        with self.own.database.write_tx() as session:
            for table in (LogPlace, LogTile, LogCheckpoint, LogCosignature):
                for row in session.exec(select(table)):
                    session.delete(row)
            rewrite_entry(session, entry)
            log = session.get_one(PublicLog, 1)
            log.size, log.looked_from = 0, None


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.server.shutdown()
    made.own.dispose()


def watch(served: Served, folder: Path, *more: str) -> Result:
    return CliRunner().invoke(
        witness.command, [served.url, "--state", str(folder / "seen.json"), *more]
    )


def test_a_log_that_grows_continues_what_was_kept(served: Served, tmp_path: Path) -> None:
    first = watch(served, tmp_path)
    assert (
        first.exit_code == 0
        and "Kept the first checkpoint" in first.output
        and public_log(served.own).log_key in first.output
    )
    for count in (0, 1, 400, 3):
        if count:
            served.more(count)
        told = watch(served, tmp_path)
        assert told.exit_code == 0 and "The log continues" in told.output
        assert (
            json.loads((tmp_path / "seen.json").read_text())["checkpoint"]
            == checkpoint(served.own).note
        )


def test_a_log_that_was_rewritten_is_told_with_both_checkpoints(
    served: Served, tmp_path: Path
) -> None:
    hashes = served.more(4)
    watch(served, tmp_path)
    kept = checkpoint(served.own).note
    served.rewrite(hashes[1])
    served.more(2)
    for _ in range(2):  # the file keeps the old one
        told = watch(served, tmp_path)
        assert told.exit_code == 1 and "The log was rewritten" in told.output
        assert kept in told.output and checkpoint(served.own).note in told.output


def test_another_checkpoint_of_the_same_size_is_a_contradiction(
    served: Served, tmp_path: Path
) -> None:
    hashes = served.more(4)
    watch(served, tmp_path)
    served.rewrite(hashes[1])
    grow(served.own)
    assert watch(served, tmp_path).exit_code == 1


def forget_the_newest(served: Served) -> None:
    with served.own.database.write_tx() as session:
        session.delete(
            session.exec(select(LogCheckpoint).order_by(LogCheckpoint.size.desc())).first()
        )


def test_a_log_that_lost_entries_is_a_contradiction(served: Served, tmp_path: Path) -> None:
    """As after a restore from a backup without `sealed restored`."""
    served.more(4)
    watch(served, tmp_path)
    forget_the_newest(served)
    left = checkpoint(served.own).head.size - 256
    with served.own.database.write_tx() as session:
        for tile in session.exec(select(LogTile).where(LogTile.index == 1)):
            tile.hashes = tile.hashes[: 32 * left]
    told = watch(served, tmp_path)
    assert told.exit_code == 1 and "fewer entries" in told.output


def test_an_older_checkpoint_of_the_same_log_is_no_contradiction(
    served: Served, tmp_path: Path
) -> None:
    """As a cache, or somebody between, may show it again: its tree is still that of the kept
    one.
    """
    served.more(4)
    watch(served, tmp_path)
    kept = (tmp_path / "seen.json").read_text()
    forget_the_newest(served)
    told = watch(served, tmp_path)
    assert (
        told.exit_code == 2
        and "older checkpoint" in told.output
        and (tmp_path / "seen.json").read_text() == kept
    )


def test_an_older_checkpoint_of_another_tree_is_a_contradiction(
    served: Served, tmp_path: Path
) -> None:
    hashes = served.more(4)
    watch(served, tmp_path)
    forget_the_newest(served)
    size = checkpoint(served.own).head.size
    served.rewrite(hashes[0])
    with served.own.database.write_tx() as session:
        log = session.get_one(PublicLog, 1)
        some = session.exec(select(LogEntry.hash).order_by(LogEntry.id).limit(size)).all()
        growing.add_leaves(session, log, [bytes.fromhex(each) for each in [*some[:-1], hashes[1]]])
        growing.sign_checkpoint(session, served.own.keyring, log, now=served.own.now)
    assert watch(served, tmp_path).exit_code == 1


def test_tiles_that_are_not_the_checkpoints_are_told(served: Served, tmp_path: Path) -> None:
    watch(served, tmp_path)
    served.more(20)
    with served.own.database.write_tx() as session:
        tile = session.get_one(LogTile, (1, 0, 1))
        tile.hashes = tile.hashes[:-32] + bytes(32)
    told = watch(served, tmp_path)
    assert told.exit_code == 1 and "tiles are not those" in told.output


def test_what_cannot_be_judged_changes_nothing(served: Served, tmp_path: Path) -> None:
    watch(served, tmp_path)
    kept = (tmp_path / "seen.json").read_text()
    other = installation(tmp_path, "other.example.org")
    assert watch(served, tmp_path, "--vkey", public_log(other).log_key).exit_code == 2
    assert watch(served, tmp_path, "--vkey", public_log(served.own).witness_key).exit_code == 2
    assert (tmp_path / "seen.json").read_text() == kept
    for url in ("ftp://host/log", "nothing", "http://127.0.0.1:9/log"):
        told = CliRunner().invoke(witness.command, [url, "--state", str(tmp_path / "new.json")])
        assert (
            told.exit_code == 2
            and told.output.endswith(".\n")
            and not (tmp_path / "new.json").exists()
        )
    (tmp_path / "seen.json").write_text("{}")
    assert watch(served, tmp_path).exit_code == 2


def test_a_watcher_only_reads(served: Served, tmp_path: Path) -> None:
    seen: list[str] = []
    real = served.site.app.wsgi_app
    served.site.app.wsgi_app = lambda environ, start: (
        seen.append(environ["REQUEST_METHOD"]) or real(environ, start)
    )  # type: ignore[method-assign]
    watch(served, tmp_path)
    served.more(3)
    watch(served, tmp_path)
    assert set(seen) == {"GET"}
