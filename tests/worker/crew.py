"""Real worker processes on a real database and a real Redis, each ended by its pid."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path

from sqlmodel import col, func, select, update

from adjudicator.hosting.process import die_with_parent
from adjudicator.mail.sending.mailbox import LocalMailbox, Posted
from adjudicator.platform import clock
from adjudicator.seal import crypto
from adjudicator.service.base.tables import Letter, Match, PhaseRow
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views import transcripts
from tests.databases import as_role
from tests.harness import Harness
from tests.waiting import wait_for_end, wait_until

ROOT = Path(__file__).parent.parent.parent


class Crew(Harness):
    """A harness on this machine's clock, a broker, and the workers that a test starts and kills."""

    def __init__(self, url: str, redis: str, folder: Path) -> None:
        super().__init__(url, crypto.ensure_key_file(folder / "worker.key"), now=clock.now())
        self.url, self.redis, self.folder = url, redis, folder
        self.workers: list[subprocess.Popen[bytes]] = []

    def start(
        self,
        *,
        points: Iterable[str] = (),
        processes: int = 2,
        ahead: float = 0,
        queues: str = "all",
    ) -> subprocess.Popen[bytes]:
        """Start a worker with its beat, its machine's clock `ahead` seconds fast; it kills itself
        at each of `points` that is armed.
        """
        environment = os.environ | {
            "DATABASE_URL": as_role(self.url, "worker"),
            "REDIS_URL": self.redis,
            "DATA_DIR": str(self.folder),
            "KEY_FILE": str(self.folder / "worker.key"),
            "SWEEP_SECONDS": "0.3",
            "WORKER_CONCURRENCY": str(processes),
            "LOG_LEVEL": "INFO",
            "SEALED_CLOCK_AHEAD": str(ahead),
        }
        if points:
            environment["SEALED_CRASH_AT"] = ",".join(
                f"{point}@{self._flag(point)}" for point in points
            )
        with (self.folder / "worker.log").open("ab") as log:
            worker = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "adjudicator",
                    "worker",
                    "--queues",
                    queues,
                    *([] if queues != "letters" else ["--no-beat"]),
                ],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,
            )
        self.workers.append(worker)
        return worker

    def arm(self, point: str) -> None:
        """Have whichever process first reaches a point be killed there, once."""
        self._flag(point).touch()

    def has_crashed(self, point: str) -> bool:
        """Whether a process has been killed at a point that was armed."""
        return not self._flag(point).exists()

    def _flag(self, point: str) -> Path:
        return self.folder / f"crash-{point}"

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """Kill a worker; its child processes die with it."""
        worker.send_signal(signal.SIGKILL)
        wait_for_end(worker)
        self.workers.remove(worker)

    def dismiss(self) -> None:
        """Kill every worker; a graceful stop is tested with the supervisor."""
        for worker in list(self.workers):
            self.kill(worker)
        self.dispose()

    # --- players

    def make_match(self, who: str, *, house: int = 2, every_seconds: int = 3600) -> str:
        """Ask for a match of one player and house bots; workers prepare and start it."""
        self.now = clock.now()
        wish = Wish(
            "pyramid", "Crew", {}, house=house, grace_minutes=0, every_seconds=every_seconds
        )
        return creation.make_match(self.database, self.player(who), wish, now=self.now)

    def order_now(self, uid: str, who: str, text: str) -> Acknowledgement:
        """Submit orders now."""
        self.now = clock.now()
        return self.order(uid, who, text)

    # --- reading

    def row(self, uid: str) -> Match:
        """Return the match's row."""
        with self.database.read_tx() as session:
            return session.exec(select(Match).where(Match.uid == uid)).one()

    def open_number(self, uid: str) -> int | None:
        """Return the number of the open phase."""
        with self.database.read_tx() as session:
            wanted = select(PhaseRow.number).join(
                Match, onclause=col(PhaseRow.match_id) == col(Match.id)
            )
            return session.exec(
                wanted.where(Match.uid == uid, col(PhaseRow.closed_at).is_(None))
            ).first()

    def phases(self, uid: str) -> list[PhaseRow]:
        """Return all phases in order."""
        with self.database.read_tx() as session:
            wanted = (
                select(PhaseRow)
                .join(Match, onclause=col(PhaseRow.match_id) == col(Match.id))
                .where(Match.uid == uid)
            )
            return list(session.exec(wanted.order_by(col(PhaseRow.number))))

    def unsent(self) -> int:
        """Return the number of unsent letters."""
        with self.database.read_tx() as session:
            return session.exec(
                select(func.count()).select_from(Letter).where(Letter.state != "sent")
            ).one()

    def letters(self) -> list[Posted]:
        """Return the letters in the local mailbox."""
        return LocalMailbox(self.folder / "mailbox").letters(1000)

    def uids(self, kind: str) -> set[str]:
        """Return the uids in the Message-IDs of a kind of letter."""
        with self.database.read_tx() as session:
            return set(session.exec(select(Letter.uid).where(Letter.kind == kind)))

    def leases_over(self) -> None:
        """End every lease and back-off."""
        with self.database.write_tx() as session:
            session.exec(
                update(Letter)
                .where(col(Letter.state) == "waiting")
                .values(next_try=clock.now() - timedelta(seconds=1))
            )

    def transcript(self, uid: str) -> dict[str, object]:
        """Return the transcript of an ended match."""
        with self.database.read_tx() as session:
            return transcripts.export_transcript(session, uid)

    def until(self, what: str, done: Callable[[], bool]) -> None:
        """Wait until `done` is true; a failure tells the workers' log and stacks."""
        wait_until(done, what, of=self.workers, said=lambda: self.said)

    @property
    def said(self) -> str:
        """The workers' log."""
        return (self.folder / "worker.log").read_text(errors="replace")
