"""A witness on another machine, which cosigns the world's log, and somebody who watches it as
`sealed witness` does.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from unittest import mock

from sqlmodel import Session

from adjudicator.hosting.watching import log_watch
from adjudicator.seal.checkpoints import Checkpoint, TilePath
from adjudicator.seal.notes import COSIGNATURE, NoteSigner, VerifierKey
from adjudicator.service.checkpoints import cosigning, growing, reading, witnessing
from adjudicator.service.checkpoints.cosigning import WitnessAnswer
from adjudicator.service.checkpoints.peers import Peers, Witness
from adjudicator.service.checkpoints.witnessing import Known
from tests.simulation import upgrades
from tests.simulation.service import Service
from tests.simulation.world import World

COSIGNED, LOST, UNANSWERED, LIED = (
    "a witness cosigned",
    "a witness was not reached",
    "a witness's answer was lost",
    "a witness lied",
)
WATCHED = "somebody watched the log grow"
KINDS = (COSIGNED, LOST, UNANSWERED, LIED, WATCHED)
EVERY = timedelta(seconds=45)  # instead of ten minutes, as a world lasts little longer
BACK_OFF = (5, 10, 20)
_SHARE = 0.5  # of the worlds
_LOOK_EVERY = 60.0  # mean seconds between two looks at the log
_SLOW = 15.0  # seconds


def join(world: World, service: Service) -> None:
    """Give some worlds a witness; the others are unchanged and make no checkpoints."""
    dice = random.Random(f"{world.seed}/witness")
    if (
        service.faults.quiet
        or service.faults.crash_at is not None
        or upgrades.is_planned(world.seed)
        or dice.random() >= _SHARE
    ):
        return
    world.witness = service.witness = OutsideWitness(world, service, dice)


@contextmanager
def hurried() -> Iterator[None]:
    """Make checkpoints and ask witnesses more often than the service does."""
    with (
        mock.patch.object(growing, "EVERY", EVERY),
        mock.patch.object(cosigning, "BACK_OFF", BACK_OFF),
    ):
        yield


class OutsideWitness:
    """Remembers the newest checkpoint that it cosigned, in memory of its own; at times it is away,
    slow, or wrong.
    """

    def __init__(self, world: World, service: Service, dice: random.Random) -> None:
        self._world, self._service, self._dice = world, service, dice
        self.signer = NoteSigner("witness.example/w", COSIGNATURE, bytes([7]) * 32)
        self._impostor = NoteSigner("witness.example/w", COSIGNATURE, bytes([8]) * 32)
        self.peers = Peers((Witness("https://witness.example/w", self.signer.verifier),), ())
        self.known = Known()
        self.kept: Checkpoint | None = None  # by who watches
        self.troubles: list[str] = []
        self._key: VerifierKey | None = None
        world.at(_LOOK_EVERY * dice.random(), self._look)

    def ask(self, _settings: object, _witness: Witness, body: str) -> WitnessAnswer:
        """Answer a request, in the worker's thread that posts it."""
        self._world.point("post to a witness")
        what = self._dice.random() if self._service.faults.on else 1.0
        if what < 0.1:
            self._world.fire(LOST)
            return WitnessAnswer(0, why="it did not answer")
        if what < 0.2:
            self._world.sleep(_SLOW)
        answer = self._judge(body)
        if what < 0.35:
            self._world.fire(UNANSWERED)
            return WitnessAnswer(0, why="it took too long to answer")
        if what < 0.55:
            self._world.fire(LIED)
            return WitnessAnswer(200, body=self._impostor.cosign("another\n", 1).encode())
        self._world.point("the witness's answer")
        return answer

    def _judge(self, body: str) -> WitnessAnswer:
        judged = witnessing.judge(body.encode(), Peers((), (self._log_key(),)), self.known)
        if judged.disputed or (judged.refusal is not None and judged.refusal.status != 409):
            self.troubles.append(
                f"it was shown what does not continue the {self.known.size} entries that it knew:"
                f" {judged.refusal}"
            )
        if judged.refusal is not None or judged.head is None or judged.request is None:
            refusal = judged.refusal or witnessing.Answer(400, "")
            return WitnessAnswer(refusal.status, refusal.kind, refusal.body.encode())
        self.known = Known(judged.head.size, judged.head.root)
        self._world.fire(COSIGNED)
        return WitnessAnswer(
            200,
            body=self.signer.cosign(
                judged.request.note.text, 1 + int(self._world.seconds)
            ).encode(),
        )

    def _log_key(self) -> VerifierKey:
        """Return the log's key, read once as a host does who writes it into the settings."""
        if self._key is None:
            with self._service.fixture_db.eyes.read_tx() as session:
                log = reading.growing_log(session)
            assert log is not None, "a worker has begun it before it posts"
            self._key = VerifierKey.read(log.log_key)
        return self._key

    # --- who watches

    def _look(self) -> None:
        if self._world.settled is not None:
            return
        self._world.at(_LOOK_EVERY * 2 * self._dice.random(), self._look)

        def answered(why: Any, fault: BaseException | None) -> None:
            if fault is None and why:
                self.troubles.append(f"who watches found: {why}")

        self._service.ask("web", "watch the log", self._watch, answered)

    def _watch(self, process: Any) -> str:
        """Hold the newest checkpoint against the kept one by what the site shows; return why it
        does not continue it.
        """
        with self._service.fixture_db.databases[process.slot].read_tx() as session:
            newest = reading.newest_checkpoint(session)
            if newest is None:
                return ""
            kept, now = self.kept or newest.head, newest.head
            why = log_watch.compare(kept, now, "", lambda path: _served(session, path))
        if not why and (self.kept is None or now.size > self.kept.size):
            self.kept = now
            self._world.fire(WATCHED)
        return why


def _served(session: Session, path: str) -> bytes:
    found = reading.published_tile(session, 1, TilePath.read(path.removeprefix("/tile/")))
    if found is None:
        raise log_watch.NoPage(f"there is no {path}")
    return found
