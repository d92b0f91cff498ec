"""Two installations witness each other over HTTP, as processes with real workers; one of them is
forked, and the other says so.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from pathlib import Path

import pytest
from sqlmodel import col, select

from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.seal.checkpoints import AddCheckpoint, Checkpoint
from adjudicator.seal.notes import NoteError, SignedNote, VerifierKey
from adjudicator.service.base import public_keys
from adjudicator.service.base.tables import (
    LogCheckpoint,
    LogCosignature,
    LogEntry,
    LogPlace,
    LogTile,
    LogWitness,
    PublicLog,
    WitnessDispute,
)
from adjudicator.service.checkpoints import growing
from tests.databases import new_sqlite
from tests.hosting.conftest import run_here
from tests.hosting.service import ROOT, Service
from tests.hosting.test_check import sealed
from tests.hosting.visitor import Visitor
from tests.servers import free_port
from tests.service.logs import rewrite_entry


@dataclass
class Host:
    """An installation on this machine: its folder, its database, its port, and the settings that
    its host wrote.
    """

    folder: Path
    url: str
    settings: dict[str, str]
    service: Service | None = None

    @property
    def running(self) -> Service:
        assert self.service is not None
        return self.service

    @property
    def site(self) -> str:
        return f"localhost:{self.settings['PORT']}"

    @cached_property
    def database(self) -> Database:
        return Database(self.url)

    def end(self) -> None:
        if self.service is not None:
            self.service.end()
        self.database.engine.dispose()

    def found(self) -> None:
        """Make its keys and its log, as its first start does."""
        keyring = crypto.ensure_key_file(self.folder / "keys" / "worker.key")
        with self.database.write_tx() as session:
            public_keys.publish_keys(session, keyring.public, self.database.now())
        growing.begin_log(self.database, keyring, f"{self.site}/log", now=self.database.now())

    def start(self) -> None:
        self.service = Service(self.folder, "serve", PYTHONPATH=str(ROOT), **self.settings)
        self.service.wait_until_ready()

    def stop(self) -> None:
        assert self.running.stop() == 0, self.running.said

    def entry(self) -> str:
        """Return what the other host writes into WITNESSES."""
        with self.database.read_tx() as session:
            own = session.exec(select(PublicLog)).one()
        return f"http://{self.site}/witness {own.witness_key} {own.log_key}"

    def keys(self) -> tuple[VerifierKey, VerifierKey]:
        """Return the keys of the log's checkpoints and of this installation's cosignatures, as the
        site tells them.
        """
        with self.database.read_tx() as session:
            own = session.exec(select(PublicLog)).one()
        page = self.running.get("/.well-known/sealed-keys.json")
        assert own.log_key in page and own.witness_key in page
        return VerifierKey.read(own.log_key), VerifierKey.read(own.witness_key)

    def play(self, name: str) -> None:
        """Begin a match, whose first entries go into the log."""
        alice = Visitor(self.running, f"{name.lower()}@example.org")
        alice.sign_in()
        alice.play_bots(name)

    def checkpoint(self) -> SignedNote | None:
        """Return the newest checkpoint that the site shows."""
        try:
            return SignedNote.read(self.running.get("/log/checkpoint").encode())
        except OSError:
            return None

    def ten_minutes_pass(self) -> None:
        """Date the last checkpoint back, so that the next one is due now; and ask witnesses at
        once.
        """
        with self.database.write_tx() as session:
            for made in session.exec(select(LogCheckpoint)):
                made.at -= timedelta(minutes=10)
            for witness in session.exec(select(LogWitness)):
                witness.next_try -= timedelta(hours=1)

    def disputes(self) -> bool:
        """Whether it keeps the proof that a log which it witnesses was forked."""
        with self.database.read_tx() as session:
            return session.exec(select(WitnessDispute)).first() is not None

    def check(self) -> str:
        """Return what `sealed check` says."""
        return run_here("check", DATA_DIR=str(self.folder), **self.settings).stdout

    def wait_for(self, happened: Callable[[], bool], what: str) -> None:
        self.running.wait_for(happened, what)


@pytest.fixture
def hosts(tmp_path: Path, postgres_url: str) -> Iterator[tuple[Host, Host]]:
    """Two installations, one on SQLite and one on PostgreSQL; neither runs or knows of the other
    yet.
    """
    folder = tmp_path / "one"
    folder.mkdir(mode=0o700)
    new_sqlite(folder / "sealed.sqlite3")
    (folder / "sealed.sqlite3").chmod(0o600)
    one = Host(folder, f"sqlite:///{folder / 'sealed.sqlite3'}", {"PORT": str(free_port())})
    other = Host(
        tmp_path / "other", postgres_url, {"PORT": str(free_port()), "DATABASE_URL": postgres_url}
    )
    try:
        for each in (one, other):
            each.found()
        yield one, other
    finally:
        for each in (one, other):
            each.end()


def cosigned(host: Host, witness: VerifierKey, *, above: int = 0) -> bool:
    """Whether the newest checkpoint is of more than so many entries, signed by its log and cosigned
    by the witness.
    """
    note, (own, _) = host.checkpoint(), host.keys()
    if note is None or Checkpoint.read(note.text).size <= above:
        return False
    try:
        return [each.key for each in note.verify([own, witness])] == [own, witness]
    except NoteError:
        return False


def size_of(host: Host) -> int:
    note = host.checkpoint()
    return Checkpoint.read(note.text).size if note is not None else 0


def watch(host: Host, state: Path) -> subprocess.CompletedProcess[str]:
    """Run `sealed witness` as anybody does."""
    return run_here(
        "witness", f"http://{host.site}/log", "--state", str(state), DATA_DIR=os.devnull
    )


def fork(host: Host) -> None:
    """Write another history into the database: an entry is changed, and the tree is forgotten, so
    that the worker makes a new one.
    """
    with host.database.write_tx() as session:
        for table in (LogPlace, LogTile, LogCheckpoint, LogCosignature):
            for row in session.exec(select(table)):
                session.delete(row)
        rewrite_entry(
            session, session.exec(select(LogEntry.hash).order_by(col(LogEntry.id))).first() or ""
        )
        log = session.exec(select(PublicLog)).one()
        log.size, log.looked_from = 0, None
        for witness in session.exec(select(LogWitness)):
            witness.size = 0


@pytest.mark.nightly
def test_two_hosts_witness_each_other_and_the_one_that_forks_is_found_out(
    hosts: tuple[Host, Host], tmp_path: Path
) -> None:
    one, other = hosts
    for each, its_witness in ((one, other), (other, one)):  # one setting on each side
        each.settings["WITNESSES"] = its_witness.entry()
    for each in hosts:
        each.start()
        each.play("Alice")
    (one_log, one_witness), (_, other_witness) = one.keys(), other.keys()
    one.wait_for(lambda: cosigned(one, other_witness), "a cosignature of the other's")
    other.wait_for(lambda: cosigned(other, one_witness), "a cosignature of the one's")
    for each, its_witness in ((one, other), (other, one)):
        told = each.check()
        assert (
            f"The witness {its_witness.site}/witness has cosigned the newest checkpoint" in told
        ), told
        # one entry, or several
        assert (
            f"The log {its_witness.site}/log is witnessed here, up to {size_of(its_witness)} entr"
            in told
        ), told

    first = watch(one, tmp_path / "seen.json")
    assert first.returncode == 0 and str(one_log) in first.stdout, first.stderr
    before = size_of(one)
    one.play("Bob")
    one.ten_minutes_pass()
    one.wait_for(
        lambda: cosigned(one, other_witness, above=before), "a cosignature of the next checkpoint"
    )
    again = watch(one, tmp_path / "seen.json")
    assert (
        again.returncode == 0
        and f"The log continues: it has {size_of(one)} entries" in again.stdout
    ), again.stderr

    kept, before = one.checkpoint(), size_of(one)
    one.stop()
    fork(one)
    one.start()
    one.wait_for(lambda: size_of(one) == before, "the tree to be made anew")
    one.play("Charlie")
    one.ten_minutes_pass()
    one.wait_for(
        lambda: size_of(one) > before and "checkpoint.refused" in one.running.said,
        "the other to refuse",
    )
    forked = one.checkpoint()
    assert kept is not None and forked is not None and not cosigned(one, other_witness)
    other.wait_for(other.disputes, "the other to note it")
    evidence, own = other.check(), one.check()
    assert f"WRONG  The log {one.site}/log has forked" in evidence, evidence
    refused = re.search(r"\n\n(old .*\n)\d+ to put right", evidence, re.DOTALL)
    assert refused and kept.text in evidence
    shown = AddCheckpoint.read(refused[1].encode()).note
    assert shown.verify([one_log]) and shown.text != kept.text
    assert (
        f"WRONG  The witness {other.site}/witness refuses the newest checkpoint" in own
        and "the log was rewritten" in own
    ), own
    assert "sealed_log_refused 1.0" in one.running.get("/metrics")
    assert "sealed_witnessed_logs_forked 1.0" in other.running.get("/metrics")
    told = watch(one, tmp_path / "seen.json")
    assert told.returncode == 1 and "The log was rewritten" in told.stderr
    assert kept.text in told.stdout and forked.text in told.stdout


@pytest.mark.parametrize(
    ("command", "name", "value", "sentence"),
    [
        ("serve", "WITNESSES", "https://b.example/witness", "WITNESSES must read ADDRESS KEY"),
        ("serve", "WITNESS_FOR", "b.example/log", "WITNESS_FOR holds a key that cannot be read"),
        ("check", "WITNESSES", "https://[::1 key", "WITNESSES must read ADDRESS KEY"),
    ],
)
def test_a_wrong_setting_is_one_sentence_at_the_start(
    tmp_path: Path, command: str, name: str, value: str, sentence: str
) -> None:
    told = sealed(
        command,
        DATA_DIR=str(tmp_path / "data"),
        PORT=str(free_port()),
        PYTHONPATH=str(ROOT),
        **{name: value},
    )
    if command == "serve":
        assert (
            (told.returncode, told.stdout) == (78, "")
            and told.stderr.startswith(sentence)
            and told.stderr.count("\n") == 1
        )
        assert not (tmp_path / "data").exists()
    else:
        assert told.returncode == 1 and f"WRONG  {sentence}" in told.stdout
