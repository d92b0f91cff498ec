"""A tournament in some worlds: people and house bots enter, some leave, a director decides and
corrects tables.

It is a Swiss of two rounds, or a league of two divisions, whose director makes the next season, in
which a newcomer plays too.
"""

import random
from collections.abc import Callable
from typing import Any

from adjudicator.platform.db import Database
from adjudicator.play.tournaments.formats import Format, League, Swiss
from adjudicator.service.base.tables import Player
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.tournaments import entering, making, seasons
from adjudicator.service.tournaments.making import TournamentWish
from adjudicator.service.tournaments.records import OVER, find_tournament, tables_of
from adjudicator.service.tournaments.results.deciding import decide_table
from tests.simulation import upgrades
from tests.simulation.service import Service
from tests.simulation.world import World

ENTERED, BEGUN, LEFT, DECIDED = (
    "somebody entered a tournament",
    "a tournament began",
    "somebody left a tournament",
    "a table was decided",
)
LATE = "somebody entered a tournament late"
SEASON = "a league went into its next season"
KINDS = (ENTERED, BEGUN, LEFT, DECIDED, LATE, SEASON)
_SHARE, _LEAGUES = 0.15, 0.1  # of the worlds
_EVERY = 40.0  # mean seconds between acts
_BEGINS = 60.0  # seconds until the director begins
_PEOPLE, _BOTS = 2, 3  # an odd number: somebody sits out
_PHASE = 40  # seconds


def join(world: World, service: Service) -> None:
    """Add a tournament to some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/tournaments")
    if (
        service.faults.quiet
        or service.faults.crash_at is not None
        or upgrades.is_planned(world.seed)
    ):
        return  # an upgraded world must not use what the last release did not have
    if dice.random() < _SHARE:
        Cup(world, service, dice)
    elif (dice := random.Random(f"{world.seed}/leagues")).random() < _LEAGUES:
        Circuit(world, service, dice)


class Cup:
    """One tournament, its director, and its entrants."""

    format_: Format = Swiss(2, (2,), 1)
    late = "bye"

    def __init__(self, world: World, service: Service, dice: random.Random) -> None:
        self._world, self._service, self._dice = world, service, dice
        eyes = service.fixture_db.eyes
        with eyes.write_tx() as session:
            names = ("director", "latecomer", *(f"entrant{number}" for number in range(_PEOPLE)))
            people = [
                Player(name=name, address=f"{name}@example.org", made_at=world.now())
                for name in names
            ]
            session.add_all(people)
            session.flush()
            bots = accounts.house_bots(session, _BOTS, skill="random", now=world.now())
            self._director, self._latecomer, *self._people = (each.id or 0 for each in people)
            self._bots = [each.id or 0 for each in bots]
        wish = Wish("genesis", "", {"turn_limit": 1}, every_seconds=_PHASE, grace_minutes=0)
        # a world lasts too few hours to wait for go on
        cup = TournamentWish("Cup", self.format_, wish, late=self.late, wait_hours=0)
        self._uid = making.make_tournament(eyes, self._director, cup, now=world.now())
        for person in (*self._people, *self._bots):
            world.at(_BEGINS / 2 * dice.random(), self._enter, person)
        world.at(_BEGINS, self._begin)
        world.at(_BEGINS + _EVERY, self._act)

    def _enter(self, person: int) -> None:
        """Enter until it succeeded, sometimes twice."""

        def again(fault: BaseException | None) -> None:
            if self._status() in ("making", "entering") and (
                fault is not None or self._dice.random() < 0.2
            ):
                self._world.at(_EVERY / 8, self._enter, person)

        self._ask(
            ENTERED,
            lambda database: entering.enter(database, self._uid, person, now=database.now()),
            again,
        )

    def _begin(self) -> None:
        """Ask until it has begun: a page that is killed answers nothing."""
        if self._service.faults.on and self._status() in ("making", "entering"):
            self._world.at(_EVERY / 2, self._begin)
            self._ask(
                BEGUN,
                lambda database: entering.close_entries(
                    database, self._uid, self._director, now=database.now()
                ),
            )

    def _act(self) -> None:
        """Leave as one of the people, or decide or correct a table as the director."""
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._act)
        if self._dice.random() < 0.05:
            self._leave()
            return
        tables = self._tables()
        if tables and tables[-1][0] == 1 and self._dice.random() < 0.2:
            self._ask(
                LATE,
                lambda database: entering.enter(
                    database, self._uid, self._latecomer, now=database.now()
                ),
            )
            return
        if tables and self._dice.random() >= 0.6:
            self._decide(self._dice.choice(tables))

    def _leave(self) -> None:
        person = self._people[-1]
        self._ask(
            LEFT, lambda database: entering.leave(database, self._uid, person, now=database.now())
        )

    def _decide(self, place: tuple[int, int]) -> None:
        """Decide or correct a table, sometimes twice."""
        points = self._dice.choice((("1", "0"), ("0", "1"), ("1/2", "1/2")))
        for _ in range(self._dice.choice((1, 1, 2))):
            self._ask(
                DECIDED,
                lambda database: decide_table(
                    database,
                    self._uid,
                    self._director,
                    place,
                    points,
                    reason="a dispute",
                    now=database.now(),
                ),
            )

    def _status(self) -> str:
        with self._service.fixture_db.eyes.read_tx() as session:
            return find_tournament(session, self._uid).status

    def _tables(self, *, waiting: bool = False) -> list[tuple[int, int]]:
        """Return the round and number of each table, or of those without a result."""
        with self._service.fixture_db.eyes.read_tx() as session:
            found = tables_of(session, find_tournament(session, self._uid))
            return [
                (table.round_number, table.number)
                for table in found
                if not waiting or table.scored_at is None
            ]

    def _ask(
        self,
        what: str,
        work: Callable[[Database], Any],
        then: Callable[[BaseException | None], None] | None = None,
    ) -> None:
        """Have the page do it; what follows is left to the sweep half of the time."""
        woken = self._dice.random() < 0.5

        def serve(process: Any) -> None:
            work(self._service.database(process, woken=woken))

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                self._world.fire(what)
            if then is not None:
                then(fault)

        if not self._service.ask("web", what, serve, answered) and then is not None:
            then(ConnectionError())


class Circuit(Cup):
    """A league: once a season is over its director makes the next one, in which a newcomer enters
    too.
    """

    format_ = League(3, 1)
    late = "no"
    _season = 1

    def _act(self) -> None:
        """Leave, decide a table that has no result, or make the next season."""
        if not self._service.faults.on:
            return
        self._world.at(_EVERY / 2 * self._dice.random(), self._act)
        tables = self._tables(waiting=True)
        if self._season == 1 and self._status() in OVER:
            self._ask(
                SEASON,
                lambda database: seasons.make_season(
                    database, self._uid, self._director, days=1, now=database.now()
                ),
                self._go_on,
            )
        elif self._dice.random() < 0.02:
            self._leave()
        elif tables and self._dice.random() < 0.5:
            self._decide(tables[0])

    def _go_on(self, _: BaseException | None) -> None:
        """Follow the league into its next season if that was made, whether or not the page could
        still say so.
        """
        with self._service.fixture_db.eyes.read_tx() as session:
            made = seasons.following_of(session, find_tournament(session, self._uid))
            if made is None or self._season > 1:
                return
            self._uid, self._season = made.uid, 2
        self._world.at(_EVERY / 4, self._enter, self._latecomer)
        self._world.at(_EVERY / 2, self._begin)
