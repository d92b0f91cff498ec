"""A whole service for one scenario: servers, roles, mail server and players as processes, and the
faults so far.
"""

import contextlib
import http.client
import json
import smtplib
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlmodel import col, func, select, update

from adjudicator.platform import clock
from adjudicator.platform.db import FAULTS, Database
from adjudicator.seal import crypto
from adjudicator.service.base.tables import Incoming, Letter, Match, PhaseRow, Receipt
from adjudicator.service.letters import incoming, outbox
from tests.chaos import disk, ledger, tables
from tests.chaos.facts import Facts, read_facts
from tests.chaos.ledger import Fault, Ledger
from tests.chaos.roles import ROOT, Crew, Role, wait_until
from tests.chaos.servers import Server
from tests.servers import free_port

IDLE = timedelta(seconds=10)  # margin around the end of a lease, as nobody claimed the letter anew
START_SECONDS = 600.0  # a bound against hanging, as the next one
END_SECONDS = 600.0  # to finish the matches and send every letter


@dataclass(frozen=True)
class Layout:
    """The components of a scenario's service."""

    on_sqlite: bool = False
    small_disk: bool = False  # whether the database is on a disk that can be filled
    # a scheduler and two workers without one, instead of a worker that has it
    clock_apart: bool = False


class Unfit(AssertionError):
    """The service did not start or did not come to rest; the message says what is missing."""


@dataclass
class World:
    """What a scenario breaks and observes."""

    folder: Path
    layout: Layout
    say: Callable[[str], None]
    stack: ExitStack
    crew: Crew = field(default_factory=Crew)
    faults: list[Fault] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.data = self.folder / "data"
        self.home = (
            self.stack.enter_context(disk.mount_tmpfs(self.folder / "disk", 320))
            if self.layout.small_disk
            else self.folder
        )
        self.redis = self._server(Server.redis(self.folder / "redis"))
        self.postgres = (
            None if self.layout.on_sqlite else self._server(Server.postgres(self.home / "postgres"))
        )
        self.url = (
            f"sqlite:///{self.home / 'sealed.sqlite3'}"
            if self.postgres is None
            else self.postgres.url
        )
        self.web, self.inbox, self.smtp = free_port(), free_port(), free_port()
        self.stack.callback(self.crew.end)
        self.database = Database(self.url)
        self.stack.callback(self.database.engine.dispose)

    def _server(self, server: Server) -> Server:
        self.stack.callback(server.end)
        return server

    # --- the service

    def start(self, count: int, pace: float) -> None:
        """Set up the database, start every role, wait until all matches have begun, and start the
        players.
        """
        sitters = tables.set_up_matches(self.url, self.data, count, pace)
        plan = self.folder / "plan.json"
        plan.write_text(
            json.dumps(
                {"web": self.web, "inbox": self.inbox, "seats": [asdict(each) for each in sitters]}
            )
        )
        python = (sys.executable, "-P", "-m")
        self.sink = self._run(
            "sink",
            (*python, "tests.chaos.sink", str(self.smtp), str(self.folder / "sink.jsonl")),
            piped=True,
        )
        for name, words in self._roles().items():
            self._run(name, (*python, "adjudicator", *words))
        self.wait_for("the service to start", self._is_up, START_SECONDS)
        self.wait_for(
            "all matches to begin", lambda: not self._count_matches("making", "open"), START_SECONDS
        )
        self.players = self._run(
            "players",
            (*python, "tests.chaos.players", str(plan), str(self.folder / "players.jsonl")),
            piped=True,
        )

    def _roles(self) -> dict[str, tuple[str, ...]]:
        workers: dict[str, tuple[str, ...]] = {"worker": ("worker",)}
        if self.layout.clock_apart:
            workers = {
                "beat": ("beat",),
                "worker": ("worker", "--no-beat"),
                "other": ("worker", "--no-beat"),
            }
        return {"web": ("web",), "inbox": ("inbox",), **workers}

    def _run(self, name: str, command: tuple[str, ...], *, piped: bool = False) -> Role:
        return self.crew.add(
            Role(name, command, self.folder / f"{name}.log", self._settings(), piped)
        )

    def _settings(self) -> dict[str, str]:
        return {
            "DATABASE_URL": self.url,
            "REDIS_URL": self.redis.url,
            "DATA_DIR": str(self.data),
            "HOST": "127.0.0.1",
            "PORT": str(self.web),
            "SITE_URL": f"http://127.0.0.1:{self.web}",
            "MAIL_ADDRESS": tables.MAIL,
            "SMTP_URL": f"smtp://127.0.0.1:{self.smtp}",
            "INBOX_URL": f"smtp://127.0.0.1:{self.inbox}",
            "WORKER_CONCURRENCY": "2",
            "LOG_LEVEL": "INFO",
            "PYTHONPATH": str(ROOT),
        }

    def _is_up(self) -> bool:
        line = http.client.HTTPConnection("127.0.0.1", self.web, timeout=5)
        try:
            line.request("GET", "/healthz")
            with smtplib.SMTP("127.0.0.1", self.inbox, timeout=5):
                return line.getresponse().status == http.HTTPStatus.OK
        except (OSError, smtplib.SMTPException, http.client.HTTPException):
            return False
        finally:
            line.close()

    # --- time and faults

    def tick(self) -> None:
        """Restart what has ended and should run."""
        self.crew.look_after()
        for server in (self.redis, self.postgres):
            if server is not None:
                server.look_after()

    def wait(self, seconds: float) -> None:
        """Wait for `seconds`."""
        wait_until(seconds, lambda: False, self.tick)

    def wait_for(self, what: str, done: Callable[[], bool], seconds: float) -> None:
        """Wait until `done`; a database error counts as not done. Raises Unfit."""

        def asked() -> bool:
            try:
                return done()
            except FAULTS:
                return False

        if not wait_until(seconds, asked, self.tick):
            raise Unfit(f"{what}: waited {seconds:g} s for it")

    @contextlib.contextmanager
    def fault(self, name: str, *, between: bool = True) -> Iterator[None]:
        """Record a fault during the block; `between`: whether it could prevent an accepted letter
        from being marked.
        """
        begin = clock.now().timestamp()
        try:
            yield
        finally:
            self.faults.append(Fault(name, begin, clock.now().timestamp(), between))

    # --- observing

    def ledger(self) -> Ledger:
        """Return the entries written so far."""
        return ledger.read_ledger(
            [self.folder / "players.jsonl", self.folder / "sink.jsonl"], self.faults
        )

    def closings(self) -> list[float]:
        """Return the times of closings that players could cause; [] if the database cannot be
        asked.
        """
        closed = select(PhaseRow.closed_at).where(
            col(PhaseRow.closed_at).is_not(None), col(PhaseRow.deadline).is_not(None)
        )
        try:
            with self.database.read_tx() as session:
                return sorted(each.timestamp() for each in session.exec(closed) if each is not None)
        except FAULTS:
            return []

    def _count_matches(self, *statuses: str) -> int:
        with self.database.read_tx() as session:
            return int(
                session.exec(
                    select(func.count()).select_from(Match).where(col(Match.status).in_(statuses))
                ).one()
            )

    # --- the end

    def finish(self, *, hurry: bool) -> None:
        """Have all matches finished and every letter sent; with `hurry` the worker is killed and
        nobody's leases are waited for.
        """
        self.players.tell("hurry")
        self.wait_for(
            "all matches to end",
            lambda: not self._count_matches("making", "open", "running"),
            END_SECONDS,
        )
        self.players.wanted = False
        assert self.players.process is not None and self.players.process.stdin is not None
        self.players.process.stdin.close()
        self.wait_for("the players to leave", lambda: self.players.pid is None, END_SECONDS)
        if hurry:
            with self.fault("the worker at the end"):
                self.crew.roles["worker"].kill()
            self._let_pass(all_leases=True)

        def at_rest() -> bool:
            self._let_pass()
            return self._is_at_rest()

        with contextlib.suppress(Unfit):  # the audit names each unfinished item
            self.wait_for("the last letter", at_rest, END_SECONDS)

    def _let_pass(self, *, all_leases: bool = False) -> None:
        """Clear retries whose pause exceeds any lease, or all leases while no worker lives."""
        now = clock.now()
        each: list[tuple[type[Letter] | type[Incoming], Any, timedelta]] = [
            (Letter, col(Letter.state) == "waiting", outbox.LEASE),
            (Incoming, col(Incoming.disposition).is_(None), incoming.LEASE),
        ]
        with self.database.write_tx() as session:
            for table, waits, lease in each:
                when = col(table.next_try)
                over = when > now if all_leases else when > now + lease + IDLE
                session.exec(update(table).where(waits, over).values(next_try=now))

    def _is_at_rest(self) -> bool:
        with self.database.read_tx() as session:
            letters = select(func.count()).select_from(Letter).where(Letter.state == "waiting")
            unread = (
                select(func.count())
                .select_from(Incoming)
                .where(col(Incoming.disposition).is_(None))
            )
            unsigned = (
                select(func.count()).select_from(Receipt).where(col(Receipt.signature).is_(None))
            )
            return not any(session.exec(each).one() for each in (letters, unread, unsigned))

    def facts(self) -> Facts:
        """Read the facts from the database."""
        return read_facts(self.database, crypto.load_key_file(self.data / "keys" / "worker.key"))
