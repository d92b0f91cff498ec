"""Hours and days that pass in a moment, in worlds with long phases; and outages, in which parts of
the service are down meanwhile.
"""

import random
from datetime import datetime, timedelta

from sqlalchemy import insert
from sqlmodel import col, or_, select

from adjudicator.service.base.tables import Match, PhaseRow, ServiceStamp
from adjudicator.service.phases import stamps
from tests.simulation import clocks
from tests.simulation.faults import UNTIL
from tests.simulation.fixture_db import SLOTS
from tests.simulation.ledger import Down, Ledger
from tests.simulation.service import Service
from tests.simulation.world import World

PASSED, OUT, HALF_OUT, SHORTLY_OUT = (
    "hours passed",
    "the service was down",
    "a part of the service was down",
    "the service was down shortly",
)
KINDS = (PASSED, OUT, HALF_OUT, SHORTLY_OUT)
_EVERY = (10.0, 30.0)  # seconds between two leaps
_FURTHEST = timedelta(days=14)  # that all leaps of a world pass together
_NEAR = (15.0, 60.0)  # seconds before a deadline or a reminder to which the time leaps
_BEFORE = (240.0, 3300.0)  # seconds before a deadline at which an outage may begin
_OUTAGES = 6  # of a world, at most
# seconds of an outage
_SHORT, _USUAL, _LONGEST = (120.0, 560.0), (800.0, 3000.0), (25 * 3600.0, 30 * 3600.0)
# share of the worlds with an outage of more than a day, and its second of the world
_HAVE_LONGEST, _LONGEST_AT = 0.6, (60.0, 240.0)
_UP_LATE = (1.0, 150.0)  # seconds after the leap until those that were down are started
# before the end of a leap, in which the processes that run leave their stamps
_SEEN_BACK = timedelta(hours=2)
_ROLES = {
    "web": stamps.WEB,
    "inbox": stamps.INBOX,
    "worker 1": stamps.WORKER,
    "worker 2": stamps.WORKER,
}
_WORKERS, _DOORS = ("worker 1", "worker 2"), ("web", "inbox")
# that are down together
_PARTS = (SLOTS, SLOTS, SLOTS, _DOORS, _WORKERS, _WORKERS, ("web",), ("web",), ("inbox",))


def join(world: World, service: Service, ledger: Ledger) -> None:
    """Let time pass in worlds with long phases; the others are unchanged."""
    if not service.faults.quiet and service.faults.crash_at is None and clocks.is_long(world.seed):
        Leaps(world, service, ledger, random.Random(f"{world.seed}/leaps"))


class Leaps:
    """The time of a world with long phases: it leaps to shortly before the next thing that is due,
    sometimes with an outage.
    """

    def __init__(self, world: World, service: Service, ledger: Ledger, dice: random.Random) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._outages, self._last = _OUTAGES, world.now() + _FURTHEST
        service.faults.likely["step"] = 0.0  # else nobody could tell what moved a deadline
        service.stamp_doors()
        self._longest = random.Random(f"{world.seed}/longest outages")
        self._longest_at = (
            self._longest.uniform(*_LONGEST_AT) if self._longest.random() < _HAVE_LONGEST else UNTIL
        )
        world.at(60.0 + 60 * dice.random(), self._step)

    def _step(self) -> None:
        if not self._service.faults.on:
            return
        # a leap would interrupt them
        if not self._world.at_rest() or any(process.dead for process in self._world.slots.values()):
            self._world.at(0.2, self._step)
            return
        self._world.at(self._dice.uniform(*_EVERY), self._step)
        due, deadline = self._next_due()
        if due is None:
            return
        ahead, now = (due - self._world.now()).total_seconds(), self._world.now()
        before = (deadline - now).total_seconds() if deadline is not None else 0.0
        if self._longest_at < self._world.seconds and before > _BEFORE[0]:
            self._longest_at = UNTIL
            self._world.fire(OUT)
            self._leap(
                self._longest.uniform(*_LONGEST), down=SLOTS, late=self._longest.uniform(*_UP_LATE)
            )
        elif self._outages and _BEFORE[0] < before < _BEFORE[1] and self._dice.random() < 0.85:
            self._have_outage(before)
        elif self._outages and ahead > _BEFORE[1] and self._dice.random() < 0.8:
            self._leap(ahead - self._dice.uniform(*_BEFORE))
        elif ahead > _NEAR[1]:
            self._leap(ahead - self._dice.uniform(*_NEAR))

    def _next_due(self) -> tuple[datetime | None, datetime | None]:
        """Return when something is due next in any match, and the next deadline."""
        with self._service.fixture_db.eyes.read_tx() as session:
            running = select(PhaseRow.closes_at, PhaseRow.remind_at, PhaseRow.deadline).join(Match)
            rows = session.exec(
                running.where(col(PhaseRow.closed_at).is_(None), Match.status == "running")
            ).all()
            first = select(Match.made_at).where(
                or_(Match.status == "making", Match.status == "open", Match.status == "stuck")
            )
            waiting = session.exec(first.where(Match.name.startswith("Match"))).first()  # type: ignore[attr-defined]  # a column
        now = self._world.now()
        moments = [at for row in rows for at in row[:2] if at is not None]
        if waiting is not None or not moments:
            return None, None
        return min(moments), min(
            (row[2] for row in rows if row[2] is not None and row[2] > now), default=None
        )

    # --- what passes

    def _have_outage(self, before: float) -> None:
        """Have parts of the service down, so many seconds before the next deadline; the doors
        sometimes until after it.
        """
        parts = self._dice.choice(_PARTS)
        drawn = self._dice.random()
        span = _SHORT if drawn < 0.25 else _LONGEST if drawn > 0.5 and parts == SLOTS else _USUAL
        self._outages -= 1
        self._world.fire(SHORTLY_OUT if span is _SHORT else OUT if parts == SLOTS else HALF_OUT)
        seconds = self._dice.uniform(*span)
        if parts == _DOORS and span is _USUAL and self._dice.random() < 0.5:
            self._leap(max(before - 10, 0.0), down=parts, late=_UP_LATE[1])
        else:
            self._leap(seconds, down=parts, late=self._dice.uniform(*_UP_LATE))

    def _leap(self, seconds: float, down: tuple[str, ...] = (), late: float = 0.0) -> None:
        """Let the wall clock go on, if it may; `down` are down meanwhile and `late` seconds longer,
        and the others stamp each minute.
        """
        begun = self._world.now()
        if begun + timedelta(seconds=seconds) > self._last:
            return
        for slot in down:
            self._service.take_down(slot, late)
        self._world.skew += int(seconds)
        self._world.fire(PASSED)
        if down:
            self._ledger.outages.append(
                Down(down, begun, self._world.now() + timedelta(seconds=late))
            )
        self._stamp(begun, {_ROLES[slot] for slot in SLOTS if slot not in down})

    def _stamp(self, begun: datetime, roles: set[str]) -> None:
        """Leave the stamps of those that ran, up to the present minute, which they stamp
        themselves.
        """
        now = self._world.now()
        first = max(begun, now - _SEEN_BACK).replace(second=0, microsecond=0) + stamps.MINUTE
        minutes = [
            first + number * stamps.MINUTE
            for number in range(max(0, (now - first) // stamps.MINUTE))
        ]
        rows = [{"role": role, "minute": minute} for role in sorted(roles) for minute in minutes]
        if rows:
            with self._service.fixture_db.eyes.write_tx() as session:
                session.execute(insert(ServiceStamp), rows)
