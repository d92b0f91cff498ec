"""A thousand matches due at once, of three players or of seven at Diplomacy: the delay of
submissions, and the rates of closings and letters, on both databases.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import col, func, select

from adjudicator.platform import clock, db, wakeups
from adjudicator.platform.queues import Wakeups
from adjudicator.seal import crypto
from adjudicator.service.base.tables import Letter, PhaseRow
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import receipts
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import submit_orders
from adjudicator.service.people.sessions import ask_link
from tests.harness import Harness
from tests.mail_sink import sink_process
from tests.servers import start_postgres, start_redis, stop_server
from tools.handing_in import SEVEN, hand_in_at_random

ROOT = Path(__file__).parent.parent
DUE, CALM = (
    int(os.environ.get("LOAD_TEST_MATCHES", "1000")),
    40,
)  # matches that are due at once, and matches that get orders meanwhile
DIPLOMACY = bool(os.environ.get("LOAD_TEST_DIPLOMACY"))  # seven players instead of three
KNOCK_SECONDS = 2.0  # between two requests for a sign-in link
PATIENCE = 1800.0  # seconds for everything
NAMES = ("Alice", "Bob", "Charlie")


@contextmanager
def run_worker(folder: Path, url: str, redis: str, smtp: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `sealed worker` with its scheduler during the block."""
    settings = {
        "DATABASE_URL": url,
        "REDIS_URL": redis,
        "DATA_DIR": str(folder),
        "SMTP_URL": smtp,
        "LOG_LEVEL": "ERROR",
        "SITE_URL": "https://orders.example.org",
        "MAIL_ADDRESS": "orders@example.org",
    }
    quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    process = subprocess.Popen(
        [sys.executable, "-m", "adjudicator", "worker"],
        cwd=ROOT,
        env=os.environ | settings,
        **quiet,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


@dataclass
class _Submitter:
    """Submits orders to the calm matches with short pauses, and records each duration."""

    harness: Harness
    uids: list[str]
    seconds: list[float] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Run until stopped."""
        number = 0
        while not self.done.is_set():
            uid, name = self.uids[number % len(self.uids)], NAMES[number % 3]
            begin = time.perf_counter()
            submit_orders(
                self.harness.database,
                Submission(uid, self.harness.people[name], "B3\nwait", "form", clock.now()),
            )
            self.seconds.append(time.perf_counter() - begin)
            number += 1
            time.sleep(0.05)


@dataclass
class _Knocker:
    """Requests sign-in links as the site does."""

    harness: Harness
    sender: Wakeups
    done: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Run until stopped."""
        number = 0
        while not self.done.wait(KNOCK_SECONDS):
            ask_link(
                self.harness.database, f"visitor{number}@example.net", zone="UTC", now=clock.now()
            )
            self.sender.send(wakeups.POST)
            number += 1


def measure_database(say: Any, title: str, url: str, redis: str) -> None:
    """Measure one database."""
    with tempfile.TemporaryDirectory() as name, sink_process() as smtp:
        folder = Path(name)
        db.migrate(url)
        harness = Harness(url, crypto.ensure_key_file(folder / "keys" / "worker.key"))
        harness.now = clock.now() - timedelta(hours=49)
        reports = _make_due(harness) * DUE
        while receipts.sign_receipts(harness.database, harness.keyring):
            pass  # a deadline finds them signed
        harness.now = clock.now()
        _forget_letters(harness)
        submitter = _Submitter(harness, [harness.match(*NAMES) for _ in range(CALM)])
        calm = _calm_seconds(submitter)
        with run_worker(folder, url, redis, smtp):
            knocker = _Knocker(harness, Wakeups(redis))
            threads = [threading.Thread(target=each.run) for each in (submitter, knocker)]
            begin, at = _first_closed(harness), clock.now()
            for thread in threads:
                thread.start()
            closed = _until(harness, _all_closed) - begin
            submitter.done.set()
            letters = _until(harness, _all_sent) - begin
            knocker.done.set()
            for thread in threads:
                thread.join()
            _until(harness, _no_links_wait)
            links, first = _waits(harness, "signin"), _first_sent(harness, at)
        took = [seconds * 1000 for seconds in submitter.seconds]
        p99 = statistics.quantiles(took, n=100)[98]
        say(
            f"{title}: a submission alone {calm * 1000:.0f} ms; while {DUE} phases close median"
            f" {statistics.median(took):.0f} ms, p99 {p99:.0f} ms ({len(took)} of them, the longest"
            f" {max(took):.0f} ms)"
        )
        say(
            f"{title}: {DUE / closed:.0f} phases closed/s with {DUE} due at once, all after"
            f" {closed:.0f} s; their {reports} letters all out after {letters:.0f} s, {reports / letters:.0f}/s"
        )
        say(
            f"{title}: the first report went out {first:.0f} s after the first closing;"
            f" {len(links)} sign-in links asked for meanwhile took {statistics.median(links):.1f} s"
            f" (median), {max(links):.1f} s (longest)"
        )
        harness.dispose()


def _make_due(harness: Harness) -> int:
    """Make the matches that will be due; return the number of their seats, which get a report."""
    if DIPLOMACY:
        wish = Wish("diplomacy", "Board", {}, every_hours=48)
        hand_in_at_random(
            harness, [harness.match(*SEVEN, wish=wish) for _ in range(DUE)], SEVEN, "wait"
        )
        return len(SEVEN)
    for number, uid in enumerate([harness.match(*NAMES) for _ in range(DUE)]):
        harness.order(uid, NAMES[number % 3], "B3\nwait")
    return len(NAMES)


def _waits(harness: Harness, kind: str) -> list[float]:
    """Return the delays of all sent letters of a kind, in seconds."""
    with harness.database.read_tx() as session:
        sent = session.exec(
            select(Letter.made_at, Letter.sent_at).where(
                Letter.kind == kind, Letter.state == "sent"
            )
        ).all()
    return [(sent_at - made_at).total_seconds() for made_at, sent_at in sent if sent_at is not None]


def _first_sent(harness: Harness, since: datetime) -> float:
    with harness.database.read_tx() as session:
        first = session.exec(
            select(func.min(Letter.sent_at)).where(
                Letter.kind == "report", col(Letter.sent_at) >= since
            )
        ).one()
    return (first - since).total_seconds() if first is not None else PATIENCE


def _no_links_wait(harness: Harness) -> bool:
    with harness.database.read_tx() as session:
        return (
            session.exec(
                select(Letter.id).where(Letter.kind == "signin", Letter.state == "waiting")
            ).first()
            is None
        )


def _forget_letters(harness: Harness) -> None:
    with harness.database.write_tx() as session:
        for letter in session.exec(select(Letter)):
            session.delete(letter)


def _calm_seconds(submitter: _Submitter) -> float:
    """Return the duration of a submission without other load."""
    thread = threading.Thread(target=submitter.run)
    thread.start()
    time.sleep(5)
    submitter.done.set()
    thread.join()
    median = statistics.median(submitter.seconds)
    submitter.seconds.clear()
    submitter.done.clear()
    return median


def _open_due(harness: Harness) -> int:
    with harness.database.read_tx() as session:
        waiting = (
            select(func.count())
            .select_from(PhaseRow)
            .where(col(PhaseRow.closed_at).is_(None), col(PhaseRow.closes_at) <= clock.now())
        )
        return int(session.exec(waiting).one())


def _first_closed(harness: Harness) -> float:
    end = time.monotonic() + 120
    while _open_due(harness) == DUE and time.monotonic() < end:
        time.sleep(0.01)
    return time.monotonic()


def _all_closed(harness: Harness) -> bool:
    return _open_due(harness) == 0


def _all_sent(harness: Harness) -> bool:
    with harness.database.read_tx() as session:
        unsent = (
            select(func.count())
            .select_from(Letter)
            .where(Letter.kind == "report", Letter.state == "waiting")
        )
        return session.exec(unsent).one() == 0


def _until(harness: Harness, happened: Any) -> float:
    end = time.monotonic() + PATIENCE
    while not happened(harness) and time.monotonic() < end:
        time.sleep(0.5)
    return time.monotonic()


def main(say: Any) -> None:
    """Measure both databases."""
    with tempfile.TemporaryDirectory() as name:
        redis = start_redis(Path(name) / "redis")
        postgres = start_postgres(Path(name) / "postgres")
        try:
            if not os.environ.get("LOAD_TEST_POSTGRES_ONLY"):
                measure_database(say, "SQLite", f"sqlite:///{name}/load.sqlite3", redis.url)
            measure_database(say, "PostgreSQL (fsync off)", postgres.url, redis.url)
        finally:
            stop_server(redis)
            stop_server(postgres)
