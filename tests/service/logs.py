"""Entries for a tree, and installations that witness each other's, without any process."""

from collections.abc import Callable
from pathlib import Path

from sqlmodel import Session, col, select

from adjudicator.core.jcs import H
from adjudicator.seal import log
from adjudicator.seal.log import LogHead
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import LogEntry, PublicLog
from adjudicator.service.checkpoints import cosigning, growing, peers, reading, witnessing
from adjudicator.service.checkpoints.cosigning import WitnessAnswer
from adjudicator.service.checkpoints.peers import Peers, Witness
from adjudicator.service.checkpoints.reading import PublishedCheckpoint, newest_checkpoint
from tests.cast import ALICE
from tests.databases import new_sqlite
from tests.harness import Harness


def append(harness: Harness, uid: str, count: int = 1) -> list[str]:
    """Append signed entries to a match's log; return their hashes."""
    hashes = []
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        last = session.exec(
            select(LogEntry)
            .where(LogEntry.match_id == match.id)
            .order_by(col(LogEntry.index).desc())
        ).first()
        head = LogHead(last.index, last.hash) if last is not None else None
        for _ in range(count):
            made = log.make_entry(
                harness.keyring,
                head,
                "master",
                {"time": "now", "by": "host", "what": f"{uid} {head}"},
            )
            head = LogHead(made.index, made.hash)
            hashes.append(made.hash)
            session.add(
                LogEntry(
                    match_id=match.id,
                    index=made.index,
                    prev=made.prev,
                    type=made.type,
                    body=dict(made.body),
                    hash=made.hash,
                    sig=made.sig,
                    at=harness.now,
                )
            )
    return hashes


def match_with_log(harness: Harness, entries: int = 3) -> str:
    """Begin a match and append entries to its log; return its uid."""
    uid = harness.match(ALICE)
    append(harness, uid, entries)
    return uid


def grow(harness: Harness) -> PublishedCheckpoint:
    """Have everything that waits put into the tree; return the checkpoint."""
    while growing.grow_log(harness.database, harness.keyring, now=harness.now):
        pass
    return checkpoint(harness)


def checkpoint(harness: Harness) -> PublishedCheckpoint:
    with harness.database.read_tx() as session:
        found = newest_checkpoint(session)
    assert found is not None
    return found


def public_log(harness: Harness) -> PublicLog:
    with harness.database.read_tx() as session:
        found = reading.growing_log(session)
    assert found is not None
    return found


class Installation(Harness):
    """A harness with a log of its own name, and the witnesses and logs that its settings name."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url)
        self.name = name
        self.peers = Peers((), ())
        growing.begin_log(self.database, self.keyring, f"{name}/log", now=self.now)

    @property
    def entry(self) -> str:
        """What another host puts into WITNESSES."""
        own = public_log(self)
        return f"https://{self.name}/witness {own.witness_key} {own.log_key}"

    def configure(self, *, witnesses: str = "", witness_for: str = "") -> None:
        """Set the two settings and start anew."""
        self.peers = peers.read_peers(witnesses, witness_for, on_this_machine=False)
        cosigning.name_witnesses(self.database, self.peers, now=self.now)

    def answer(self, body: str) -> WitnessAnswer:
        """Answer a request as the site and the worker do."""
        asked = witnessing.request_cosignature(
            self.database, self.peers, body.encode(), now=self.now
        )
        if isinstance(asked, str):
            witnessing.answer_request(self.database, self.keyring, self.peers, asked, now=self.now)
            found = witnessing.fetch_answer(self.database, asked)
            assert found is not None
            asked = found
        return WitnessAnswer(asked.status, asked.kind, asked.body.encode())

    def collect(self, ask: Callable[[Witness, str], WitnessAnswer]) -> int:
        """Ask all witnesses that are due; return how many cosigned."""
        with self.database.read_tx() as session:
            due = cosigning.due_witnesses(session, self.now)
        return sum(
            cosigning.ask_witness(self.database, self.peers, each, ask, lambda: self.now)
            for each in due
        )


def installation(folder: Path, name: str) -> Installation:
    """Return an installation on a new SQLite file."""
    return Installation(new_sqlite(folder / f"{name}.sqlite3"), name)


def rewrite_entry(session: Session, entry_hash: str) -> str:
    """Change an entry that was made already, as one who writes the database can; return its new
    hash.
    """
    row = session.exec(select(LogEntry).where(LogEntry.hash == entry_hash)).one()
    row.hash = H("entry", {"forged": entry_hash}).hex()
    session.add(row)
    return row.hash
