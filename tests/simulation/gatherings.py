"""A match that gathers: people take seats, leave, wait and confirm; it may expire, or be private
while outsiders look.
"""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from sqlmodel import select

from adjudicator.platform.db import Database
from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.tables import Match, Player, QueueEntry
from adjudicator.service.matches import creation, seats, waiting_list
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.terms.record import SHORTEST_MUSTER
from adjudicator.service.starting import links, muster, privacy
from tests.simulation import upgrades
from tests.simulation.ledger import Gathered, Glimpse, Ledger
from tests.simulation.service import Service
from tests.simulation.world import World

TAKEN, LEFT, WAITED, CONFIRMED, RENEWED, SEEN = (
    "a gathering seat was taken",
    "a gathering seat was given back",
    "somebody waited for a seat",
    "a seat was confirmed",
    "a link was renewed",
    "an outsider looked",
)
KINDS = (TAKEN, LEFT, WAITED, CONFIRMED, RENEWED, SEEN)
_ACTS = (TAKEN, TAKEN, TAKEN, LEFT, WAITED, WAITED, CONFIRMED, CONFIRMED, CONFIRMED)
_SHARE = 0.25  # of the worlds
_EVERY = 45.0  # mean seconds between a person's acts
_PEOPLE = 5  # for three seats
_PHASE = 3600  # seconds: nobody plays once it has begun
_EXPIRES = (150.0, 500.0)  # seconds in which a match expires, in some worlds


def join(world: World, service: Service, ledger: Ledger) -> None:
    """Add a gathering match to some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/gatherings")
    # such a match must not use what the last release did not have
    upgraded = upgrades.is_planned(world.seed)
    if (
        not service.faults.quiet
        and service.faults.crash_at is None
        and dice.random() < _SHARE
        and not upgraded
    ):
        Gathering(world, service, ledger, dice)


class Gathering:
    """One match, its master, more people than seats, and an outsider."""

    def __init__(self, world: World, service: Service, ledger: Ledger, dice: random.Random) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._people = self._add_people()
        self._outsider = self._people.pop()
        self._tokens: list[str] = []  # of the links that the master was told, the newest last
        private, mustered = dice.random() < 0.5, dice.random() < 0.7
        self._uid = self._make(private=private, mustered=mustered)
        self._join_token = self._open_to_all() if private else ""
        for person in self._people:
            world.at(_EVERY * dice.random(), self._act, person)
        if dice.random() < 0.4:
            world.at(dice.uniform(*_EXPIRES), self._hurry)
        if private:
            world.at(_EVERY * dice.random(), self._renew)
            world.at(_EVERY * dice.random(), self._look)

    def _add_people(self) -> list[int]:
        with self._service.fixture_db.eyes.write_tx() as session:
            names = (*(f"gatherer{number}" for number in range(_PEOPLE)), "outsider")
            people = [
                Player(name=name, address=f"{name}@example.org", made_at=self._world.now())
                for name in names
            ]
            session.add_all(people)
            session.flush()
            return [row.id or 0 for row in people]

    def _make(self, *, private: bool, mustered: bool) -> str:
        minutes = SHORTEST_MUSTER if mustered else None
        wish = Wish(
            "pyramid",
            "Gathering",
            {},
            every_seconds=_PHASE,
            private=private,
            muster_minutes=minutes,
            expire_days=1,
        )
        return creation.make_match(
            self._service.fixture_db.eyes, self._people[0], wish, now=self._world.now()
        )

    def _open_to_all(self) -> str:
        """Make the link to a free seat; everybody but the outsider is given it."""
        eyes = self._service.fixture_db.eyes
        with eyes.write_tx() as session:
            links.change_link(
                session, self._uid, self._people[0], "join", off=False, now=self._world.now()
            )
            return links.links_for(session, self._uid, self._people[0]).join or ""

    def _hurry(self) -> None:
        """Let the match expire now: a day is longer than a world."""

        def hurry(process: Any) -> None:
            database = self._service.fixture_db.databases[process.slot]
            with database.write_tx() as session:
                match = session.exec(select(Match).where(Match.uid == self._uid)).one()
                if match.status == "open":
                    match.expires_at = database.now() - timedelta(seconds=1)
                    match.version += 1

        if not self._service.ask("web", "hurry", hurry, lambda _, __: None):
            self._world.at(_EVERY, self._hurry)

    # --- what people do

    def _act(self, person: int) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._act, person)
        act = Gathered(self._uid, person, self._dice.choice(_ACTS))
        self._ledger.gathered.append(act)
        work = self._work(act)

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                act.done = True
                self._world.fire(act.what)
            self._look_for_free_seat()

        self._service.ask(
            "web",
            act.what,
            lambda process: work(self._service.database(process)),
            answered,
        )

    def _work(self, act: Gathered) -> Callable[[Database], None]:
        """Return what the page does; the match's beginning is left to the sweep half of the
        time.
        """
        uid, person, woken = act.uid, act.player, self._dice.random() < 0.5

        def work(database: Database) -> None:
            database = database if woken else database.waking(None)
            now = database.now()
            if act.what == TAKEN and self._join_token:
                links.join_by_link(database, self._join_token, person, now=now)
            elif act.what == TAKEN:
                seats.take_seat(database, uid, person, now=now)
            elif act.what == LEFT:
                seats.leave_seat(database, uid, person, now=now)
            elif act.what == WAITED and self._join_token:
                links.queue_by_link(database, self._join_token, person, now=now)
            elif act.what == WAITED:
                waiting_list.wait_for_seat(database, uid, person, now=now)
            else:
                muster.confirm(database, uid, person, now=now)

        return work

    def _look_for_free_seat(self) -> None:
        """Note it if a seat is free now while somebody waits for one; at the end of the world
        somebody may have taken it.
        """
        with self._service.fixture_db.eyes.read_tx() as session:
            match = session.exec(select(Match).where(Match.uid == self._uid)).one()
            free = [
                seat.name
                for seat in rows.seats_of(session, match)
                if seat.player_id is None and seat.kept_for is None
            ]
            waiting = session.exec(
                select(QueueEntry).where(QueueEntry.match_id == match.id)
            ).first()
            if match.status == "open" and free and waiting is not None:
                self._ledger.beside.append(
                    f"at {self._world.now()} seat {free[0]} of {match.uid} was free, and somebody"
                    " waited"
                )

    # --- private matches

    def _renew(self) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._renew)

        def renew(process: Any) -> str:
            database = self._service.fixture_db.databases[process.slot]
            with database.write_tx() as session:
                links.change_link(
                    session, self._uid, self._people[0], "watch", off=False, now=database.now()
                )
                return links.links_for(session, self._uid, self._people[0]).watch or ""

        def answered(token: Any, fault: BaseException | None) -> None:
            if fault is None:
                self._tokens.append(token)
                self._world.fire(RENEWED)

        self._service.ask("web", "renew the link", renew, answered)

    def _look(self) -> None:
        """Have the outsider open the match's page, with the secret of a link that was renewed
        since, or with none.
        """
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._look)
        old = self._tokens[:-1]
        tokens = [self._dice.choice(old)] if old and self._dice.random() < 0.7 else []
        glimpse = Glimpse(self._uid, bool(tokens))
        self._ledger.glimpses.append(glimpse)

        def look(process: Any) -> bool:
            with self._service.fixture_db.databases[process.slot].read_tx() as session:
                try:
                    privacy.require_sight(session, self._uid, self._outsider, tokens)
                except NotFound:
                    return False
            return True

        def answered(seen: Any, fault: BaseException | None) -> None:
            if fault is None:
                glimpse.seen = seen
                self._world.fire(SEEN)

        self._service.ask("web", "look in", look, answered)
