"""The simulated service: web, inbox and two workers as processes that are started, killed and
restarted; and their entry points.
"""

import contextlib
import random
from collections.abc import Callable
from functools import partial
from typing import Any

from redis import RedisError
from sqlmodel import col, select

from adjudicator.mail import addresses
from adjudicator.mail.sending.post import Carrier
from adjudicator.platform import clock, wakeups
from adjudicator.platform.queues import Wakeups
from adjudicator.seal.tokens import derive_token, hash_token
from adjudicator.service.base import public_keys
from adjudicator.service.base.tables import Letter
from adjudicator.service.checkpoints import cosigning, growing
from adjudicator.service.letters import receiving
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.letters.receiving import Arrival
from adjudicator.service.matches import seats
from adjudicator.service.orders import readiness, submitting
from adjudicator.service.orders.submission import Submission
from adjudicator.service.phases import stamps
from adjudicator.service.requests import signing
from adjudicator.service.requests.made_for import MadeFor
from tests.simulation.broker import Broker, Message
from tests.simulation.faults import APART, SET_BACK, UNTIL, Faults
from tests.simulation.fixture_db import SLOTS, FixtureDb
from tests.simulation.seat_addresses import SeatAddresses
from tests.simulation.stubs import InHouse
from tests.simulation.world import Process, World
from worker import letters, sweep, tasks
from worker.app import SWEEP
from worker.context import WorkerContext

SWEEP_EVERY = 30.0  # seconds
FARTHEST_OFF = 30.0  # seconds that a machine's clock may be off
_TASKS = {
    task.name: task
    for task in (vars(sweep) | vars(tasks) | vars(letters)).values()
    if hasattr(task, "apply_async")
}
_LONGEST_DOWN = 20.0  # seconds until an ended process is restarted

Ended = Callable[[Any, BaseException | None], None]


class Service:
    """All processes of an installation."""

    def __init__(
        self,
        world: World,
        fixture_db: FixtureDb,
        faults: Faults,
        broker: Broker,
        *,
        second_beat: bool,
    ) -> None:
        self.world, self.fixture_db, self.faults, self.broker = world, fixture_db, faults, broker
        # uids of incoming letters -> the commit that stored each, as far as known
        self.stored: dict[str, int] = {}
        self.addresses = SeatAddresses(fixture_db, world.sink)
        world.sink.uid_of = self._uid_of
        self.witness: Any = None  # on another machine
        self._idle: dict[str, bool] = {}
        self._down_since: dict[str, float] = {}
        self._wakeups: dict[Process, Wakeups] = {}
        self._stampers: dict[Process, stamps.Stamper] = {}
        # slots whose processes do not start before a second of the world
        self._held: dict[str, float] = {}
        faults.down, broker.wake = self._went_down, self._wake
        self._ahead = self._clocks()
        for slot in SLOTS:
            self._start(slot)
        for number in range(2 if second_beat else 1):
            world.at(1.0 + number * 0.5, self._beat)

    def _uid_of(self, token: str) -> str:
        """Return the letter with this token in its return address, "" if there is none.

        An upgrade forgets the hashes of letters that the simulated last release had sent, so there
        the token is computed again.
        """
        with self.fixture_db.eyes.read_tx() as session:
            found = session.exec(
                select(Letter.uid).where(Letter.return_hash == hash_token(token))
            ).first()
            forgotten = (
                ()
                if found
                else session.exec(select(Letter.uid).where(col(Letter.return_hash).is_(None))).all()
            )
        keyring = self.fixture_db.keyring
        return found or next(
            (
                uid
                for uid in forgotten
                if derive_token(keyring, "return", row=uid, whom=uid) == token
            ),
            "",
        )

    # --- processes

    def _clocks(self) -> dict[str, float]:
        """Return each process's clock error, which half of the worlds have; some clocks are set
        back later.
        """
        dice, none = random.Random(f"{self.world.seed}/clocks"), dict.fromkeys(SLOTS, 0.0)
        if self.faults.quiet or self.faults.crash_at is not None or dice.random() < 0.5:
            return none
        self.world.fire(APART)
        for slot in SLOTS:
            if dice.random() < 0.3:
                self.world.at(
                    dice.random() * UNTIL, self._set_back, slot, dice.random() * FARTHEST_OFF
                )
        return {slot: dice.uniform(-FARTHEST_OFF, FARTHEST_OFF) for slot in SLOTS}

    def _set_back(self, slot: str, seconds: float) -> None:
        self.world.fire(SET_BACK)
        self._ahead[slot] -= seconds
        self.world.slots[slot].ahead = self._ahead[slot]

    def _start(self, slot: str) -> None:
        held = self._held.get(slot, 0.0) - self.world.seconds
        if held > 0:
            self.world.at(held, self._start, slot)
            return
        process = self.world.slots[slot] = Process(slot, ahead=self._ahead[slot])
        if slot.startswith("worker"):
            self._idle[slot] = False
            self.world.spawn(
                process,
                "start",
                lambda: self._open_bench(process),
                lambda _, fault: self._opened(process, fault),
            )
        else:
            self._wakeups[process] = Wakeups("redis://broker.invalid")

    def _open_bench(self, process: Process) -> None:
        fixture_db, database = self.fixture_db, self.fixture_db.databases[process.slot]
        keyring = public_keys.open_keyring(
            database, fixture_db.settings.key_file, now=database.now()
        )
        database = signing.as_worker(database, keyring)
        database = database.waking(Wakeups("redis://broker.invalid").send)
        process.bench = WorkerContext(
            fixture_db.settings, database, keyring, Carrier(fixture_db.settings), InHouse()
        )  # type: ignore[arg-type]  # a stand-in
        if self.witness is not None:
            # in the place of those that the settings name
            vars(process.bench)["peers"] = self.witness.peers
            growing.begin_log(database, keyring, fixture_db.settings.log_origin, now=database.now())
            cosigning.name_witnesses(database, self.witness.peers, now=database.now())

    def _opened(self, process: Process, fault: BaseException | None) -> None:
        if fault is not None:  # it could not start: its supervisor retries
            self.world.kill(process)
            self._went_down(process)
            return
        self._idle[process.slot] = True
        self.world.out.append(
            (process.slot, self._down_since.pop(process.slot, 0.0), self.world.seconds)
        )
        self._wake()

    def _went_down(self, process: Process) -> None:
        """Restart a process after a while."""
        self.fixture_db.databases[process.slot].engine.dispose(close=False)
        self._idle[process.slot] = False
        self._down_since.setdefault(process.slot, self.world.seconds)
        self.broker.lost_worker(process)
        down = self.world.dice.random() * _LONGEST_DOWN
        self.faults.last = max(self.faults.last, self.world.seconds + down)
        self.world.at(down, self._start, process.slot)

    def take_down(self, slot: str, seconds: float) -> None:
        """End a slot's process, and start none there for so many seconds."""
        process = self.world.slots[slot]
        self._held[slot] = self.world.seconds + seconds
        self.faults.last = max(self.faults.last, self._held[slot])
        if not process.dead:
            self.world.ambiguous(process)
            self.world.kill(process)
            self._went_down(process)

    def stamp_doors(self) -> None:
        """Have site and inbox note each minute that they run, as their threads do."""
        for slot, role in (("web", stamps.WEB), ("inbox", stamps.INBOX)):
            self.world.at(stamps.STAMP_SECONDS, self._stamp, slot, role)

    def _stamp(self, slot: str, role: str) -> None:
        if self.world.settled is None:
            self.world.at(stamps.STAMP_SECONDS, self._stamp, slot, role)
        process = self.world.slots[slot]
        stamper = self._stampers.setdefault(process, stamps.Stamper(self._database(process), role))
        self.ask(slot, "stamp", lambda _: stamper.stamp(), lambda *_: None)

    def _beat(self) -> None:
        self.world.at(SWEEP_EVERY, self._beat)
        with contextlib.suppress(RedisError):  # beat tries again
            if (SWEEP, ()) not in self.broker.queued():
                self.broker.publish(SWEEP)

    # --- tasks

    def _wake(self) -> None:
        self.world.at(self.world.dice.random() * 0.01, self._take)

    def _take(self) -> None:
        for slot in SLOTS:
            process = self.world.slots[slot]
            if not self._idle.get(slot) or process.frozen_until > self.world.seconds:
                continue
            message = self.broker.take(process)
            if message is None:
                return
            self._idle[slot] = False
            work = partial(_TASKS[message.name].run, *message.arguments)
            self.world.spawn(
                process, message.name, work, partial(self._finished, process, message), is_task=True
            )

    def _finished(self, process: Process, message: Message, *_told: object) -> None:
        self.broker.done(message)
        self._idle[process.slot] = True
        self._wake()

    # --- entry points; players' submissions use the same use cases as the pages and the inbox

    def ask(self, slot: str, name: str, work: Callable[[Process], Any], ended: Ended) -> bool:
        """Have an entry point do something; return False if its process is down. `ended` gets the
        result, unless the process is killed.
        """
        process = self.world.slots[slot]
        if process.dead or process.frozen_until > self.world.seconds:
            return False
        self.world.spawn(process, name, lambda: work(process), ended)
        return True

    def hand_in(
        self, process: Process, uid: str, player: int, text: str, made_for: MadeFor
    ) -> Acknowledgement:
        """Submit orders as the page does: seal, send wakeups, answer."""
        now = self._database(process).now()
        submission = Submission(uid, player, text, "form", now, made_for.phase, made_for=made_for)
        answer = submitting.submit_orders(self.database(process), submission)
        self.world.point("answer")
        return answer

    def say(self, process: Process, uid: str, player: int, word: Any, made_for: MadeFor) -> None:
        """Say ready or wait as the page does."""
        readiness.say_readiness(
            self.database(process),
            uid,
            player,
            word,
            now=self._database(process).now(),
            made_for=made_for,
        )
        self.world.point("answer")

    def take_seat(self, process: Process, uid: str, player: int) -> None:
        """Take a free seat as the page does."""
        seats.take_seat(self.database(process), uid, player, now=self._database(process).now())
        self.world.point("answer")

    def take_letter(
        self, process: Process, address: str, raw: bytes, *, null_sender: bool = False
    ) -> Any:
        """Receive a letter as the inbox does: look up the address, store the letter, answer 250.
        Return its uid, or None.
        """
        with self._database(process).read_tx() as session:
            target = receiving.find_target(
                session, addresses.token_of(self.fixture_db.settings, address) or ""
            )
        if target is None:
            return None
        self.world.point("the letter itself")
        came_at = clock.monotonic()
        at = clock.moment_of(self._database(process).now(), came_at)
        uid = receiving.store_letters(
            self._database(process), [Arrival(target, raw, at, "smtp", null_sender)]
        )[0]
        self.stored[uid] = self.world.current.committed if self.world.current else 0
        self._wakeups[process].send(wakeups.READ_LETTERS)
        self.world.point("250")
        return uid

    def database(self, process: Process, *, woken: bool = True) -> Any:
        """Return the database of an entry point's process, whose commits send wakeups if `woken`."""
        send = self._wakeups[process].send if woken else None
        return self._database(process).waking(send)

    def _database(self, process: Process) -> Any:
        return self.fixture_db.databases[process.slot]
