"""Masters who pause, resume, move deadlines and close early; and the daily cleaning task."""

import contextlib
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from redis import RedisError
from sqlmodel import col, select

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Match
from adjudicator.service.matches import masters
from adjudicator.service.matches.votes import VoteResult
from tests.simulation.ledger import Act, Ledger
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.world import Strand, World
from worker.app import TIDY

PAUSED, RESUMED, MOVED, CLOSED = (
    "a match was paused",
    "a match was set going",
    "a deadline was moved",
    "a phase was closed by hand",
)
WROTE = "a master wrote"
ACTS = (PAUSED, RESUMED, MOVED, CLOSED)
_SHARE = 0.3  # of the worlds
_EVERY = 60.0  # mean seconds between a master's acts
# mean seconds between two phases that the host closes in a match with overtime, while somebody may
# be late
_EARLY_EVERY = 120.0
_TIDY_EVERY = 200.0


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Let the makers of matches manage them in some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/masters")
    if not service.faults.quiet and service.faults.crash_at is None and dice.random() < _SHARE:
        # the first player of each match made it
        makers = {player.uid: player for player in reversed(everybody)}
        Masters(world, service, ledger, list(makers.values()), dice)


class Masters:
    """The masters of a world's matches."""

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        makers: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._watched, world.committed = world.committed, self._committed
        for maker in makers:
            ledger.run_by_hand.add(maker.uid)
            world.at(_EVERY * 2 * dice.random(), self._act, maker)
        self._haste = random.Random(f"{world.seed}/haste")
        for uid in self._with_overtime():
            world.at(_EARLY_EVERY * 2 * self._haste.random(), self._close_early, uid)
        world.at(_TIDY_EVERY * dice.random(), self._tidy)

    def _tidy(self) -> None:
        self._world.at(_TIDY_EVERY, self._tidy)
        if self._service.faults.on:
            with contextlib.suppress(RedisError):  # the next day's task will do it
                self._service.broker.publish(TIDY)

    def _act(self, maker: Player) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._act, maker)
        act = Act(maker.uid, self._dice.choice((PAUSED, RESUMED, RESUMED, MOVED, CLOSED)))
        # makers play, so they are refused most acts that take time from others
        own = 0.2 if act.what in (MOVED, CLOSED) else 0.8
        # None is the host
        work, who = self._work(act), maker.id if self._dice.random() < own else None
        self._ask(act, who, work)

    def _with_overtime(self) -> list[str]:
        """Return the matches that grant overtime."""
        with self._service.fixture_db.eyes.read_tx() as session:
            granting = select(Match.uid).where(
                Match.overtime_seconds > 0, col(Match.uid).in_(self._ledger.run_by_hand)
            )
            return list(session.exec(granting.order_by(col(Match.id))))

    def _close_early(self, uid: str) -> None:
        """Have the host close a phase."""
        if self._service.faults.on:
            self._world.at(_EARLY_EVERY * 2 * self._haste.random(), self._close_early, uid)
            act = Act(uid, CLOSED)
            self._ask(act, None, self._work(act))

    def _ask(
        self, act: Act, who: int | None, work: Callable[[Database, int | None], VoteResult]
    ) -> None:
        """Have the page do it."""
        self._ledger.acts.append(act)

        def answered(result: VoteResult | None, fault: BaseException | None) -> None:
            if fault is None and result is not None and result.acted:  # else it was put to the vote
                act.done = True
                self._world.fire(act.what)

        self._service.ask(
            "web",
            act.what,
            lambda process: work(self._service.database(process), who),
            answered,
        )

    def _work(self, act: Act) -> Callable[[Database, int | None], VoteResult]:
        """Return what the page does; the closing that may follow is left to the sweep half of the
        time.
        """
        late, woken = self._dice.choice((3.0, 40.0, 120.0)), self._dice.random() < 0.5

        def work(database: Database, who: int | None) -> VoteResult:
            database = database if woken else database.waking(None)
            now: Any = database.now()
            if act.what == MOVED:
                result = masters.move_deadline(
                    database, act.uid, who, now + timedelta(seconds=late), now=now
                )
            else:
                work_of = {
                    PAUSED: masters.pause_match,
                    RESUMED: masters.resume_match,
                    CLOSED: masters.close_now,
                }[act.what]
                result = work_of(database, act.uid, who, now=now)
            return result

        return work

    def _committed(self, strand: Strand) -> None:
        """Record a phase of a paused match that was closed by this commit."""
        before = set(self._ledger.closings)
        self._watched(strand)
        closed = {uid for uid, _ in set(self._ledger.closings) - before}
        if closed:
            with self._service.fixture_db.eyes.read_tx() as session:
                stands = (
                    col(Match.paused_at).is_not(None),
                    col(Match.deserted).is_(False),
                )  # this closing may have found that all have gone
                paused = session.exec(select(Match.uid).where(col(Match.uid).in_(closed), *stands))
                self._ledger.troubles += [
                    f"nothing closes while it is paused: {uid} was" for uid in paused
                ]
