"""A match whose seats change hands: players vanish, resign, come back and name substitutes; others
stand by and take over.
"""

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from adjudicator.mail import addresses
from adjudicator.platform.db import Database
from adjudicator.service.base import tables
from adjudicator.service.base.press_rules import OPTION
from adjudicator.service.handover import leaving, offers, standbys, substitutes, takeovers
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from tests.simulation import correspondents, lookers, press, upgrades
from tests.simulation.checks_secrecy import plain_body
from tests.simulation.ledger import Handed, Ledger, Sat
from tests.simulation.newcomers import Hands, Peekers
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.sink import Taken
from tests.simulation.sittings import DESERTED, Sittings
from tests.simulation.world import World

RESIGNED, TOOK, BACK, NAMED, ACCEPTED = (
    "a seat was resigned",
    "a seat was taken over",
    "a player came back",
    "a substitute was named",
    "an offered seat was accepted",
)
OPENED, LENT, RETURNED = "a seat opened", "a seat was lent", "a lent seat was returned"
KINDS = (RESIGNED, TOOK, BACK, NAMED, ACCEPTED, OPENED, LENT, RETURNED, DESERTED)
_SHARE = 0.12  # of the worlds; such a match takes as long as two others
_EVERY = 30.0  # mean seconds between a person's acts
_SEATS, _PEOPLE = 3, 6
_PHASES = (60, 80)  # seconds
_SPANS = (30.0, 90.0, 200.0)  # seconds for which a seat is lent
_PACKING = 8.0  # seconds at most from orders to leaving
# seconds from the end of a span to orders of its substitute
_AROUND = (-2.0, -0.05, 0.0, 0.05, 2.0)


def is_planned(seed: int) -> bool:
    """Whether a world has such a match, which must not use what the last release did not have."""
    return random.Random(f"{seed}/handovers").random() < _SHARE and not upgrades.is_planned(seed)


def join(world: World, service: Service, ledger: Ledger) -> None:
    """Add such a match to some worlds; the others are unchanged."""
    if not service.faults.quiet and service.faults.crash_at is None and is_planned(world.seed):
        Handovers(world, service, ledger, random.Random(f"{world.seed}/handing over"))


class Handovers:
    """One match and twice as many people as it has seats."""

    def __init__(self, world: World, service: Service, ledger: Ledger, dice: random.Random) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._eyes, self._carrier = (
            service.fixture_db.eyes,
            correspondents.Carrier(world, service, dice),
        )
        self._offered: dict[str, list[str]] = {}  # addresses -> the secrets of their offers
        # whether few seats come back before their span ends
        self._patient = random.Random(f"{world.seed}/lenders").random() < 0.5
        game = dice.choice(("pyramid", "diplomacy"))
        self._people = self._add_people()
        self._uid = self._make(game)
        for person in self._people:
            person.uid = self._uid
            world.at(_EVERY * 2 * dice.random(), self._act, person)
        ledger.run_by_hand.add(self._uid)  # its deadlines move for newcomers
        self._sittings = Sittings(world, service, ledger, self._uid, self._tell)
        world.sink.readers.append(self._read)
        self._hands = Hands(world, service, ledger, self._people, at_the_close=dice.random() < 0.3)
        Peekers(world, service, ledger, self._people, dice)
        self._bring_others(game)
        if dice.random() < 0.3:
            world.at(dice.uniform(100.0, 350.0), self._all_go)

    def _add_people(self) -> list[Player]:
        people = []
        with self._eyes.write_tx() as session:
            for number in range(_PEOPLE):
                name = f"sitter{number}"
                row = tables.Player(
                    name=name,
                    address=f"{name}@example.org",
                    made_at=self._world.now(),
                    receipts=self._dice.random() < 0.5,
                )
                session.add(row)
                session.flush()
                people.append(
                    Player(
                        row.id or 0,
                        name,
                        row.address or "",
                        "",
                        self._dice.choice((0.0, 0.4, 1.0)),
                        0.0,
                    )
                )
        return people

    def _make(self, game: str) -> str:
        wish = Wish(
            game,
            "Handover",
            {OPTION: "private"} if game == "diplomacy" else {},
            players=_SEATS,
            every_seconds=self._dice.choice(_PHASES),
            grace_minutes=self._dice.choice((0, 0, 1)),
            misses=self._dice.choice((1, 2)),
            first_miss=self._dice.random() < 0.3,
        )
        uid = creation.make_match(self._eyes, self._people[0].id, wish, now=self._world.now())
        with self._eyes.write_tx() as session:
            for person in self._people[_SEATS:]:
                standbys.stand_by(session, person.id, now=self._world.now(), game=game)
        return uid

    def _bring_others(self, game: str) -> None:
        """Let these people write press and commands and look at their orders, too."""
        world, service, ledger, people = self._world, self._service, self._ledger, self._people
        if game == "diplomacy":
            press.Writers(world, service, ledger, people)
        if self._dice.random() < 0.6:
            lookers.Lookers(world, service, ledger, people, self._dice, stranger=False)
        if self._dice.random() < 0.6:
            correspondents.Writers(world, self._carrier, ledger, people, self._dice)

    def _all_go(self) -> None:
        """Let everybody who has a seat vanish at once."""
        for person in self._people:
            person.looked_at += 3
        for sat in list(self._sittings.last.values()):
            if sat.player is not None and self._dice.random() < 0.5:
                self._resign(self._person(sat.player), sat)

    # --- what people do

    def _act(self, person: Player) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._act, person)
        if not self._sittings.last:
            return
        own = next((sat for sat in self._sittings.last.values() if sat.player == person.id), None)
        lent = any(sat.owner == person.id for sat in self._sittings.last.values())
        if own is not None:
            self._sit(person, own)
        elif lent:
            if self._dice.random() < (0.02 if self._patient else 0.2):
                self._come_back(person, None)
        else:
            self._come(person)

    def _sit(self, person: Player, sat: Sat) -> None:
        """Vanish, leave, name a substitute, come back or hand in orders."""
        drawn = self._dice.random()
        if sat.open_since is not None and drawn < 0.6:
            self._come_back(person, sat)
        elif drawn < 0.15:
            person.looked_at = max(
                person.looked_at, (sat.phase or 0) + self._dice.choice((1, 2, 3))
            )
        elif drawn < 0.22 and not (self._patient and sat.owner is not None):
            if self._dice.random() < 0.6:
                self._hands.order_whole(person)
            self._world.at(_PACKING * self._dice.random(), self._resign, person, sat)
        elif drawn < 0.42:
            others = [
                other
                for other in self._people
                if all(other.id != each.player for each in self._sittings.last.values())
            ]
            self._name_substitute(person, self._dice.choice(others))
        elif drawn > 0.6:
            self._hands.order_now(person)

    def _come(self, person: Player) -> None:
        """Accept an offer, or take an open seat; often two people take it at once."""
        free = [sat for sat in self._sittings.last.values() if sat.open_since is not None]
        waiting = self._offered.get(person.address, [])
        if waiting and self._dice.random() < 0.8:
            self._answer(person, waiting.pop())
        elif free and self._dice.random() < 0.6:
            seat = self._dice.choice(free).seat
            takers = [
                person,
                *(self._dice.sample(self._people, 1) if self._dice.random() < 0.3 else ()),
            ]
            for taker in takers:
                self._take(taker, seat)

    def _resign(self, person: Player, sat: Sat) -> None:
        token = self._service.addresses.token_of(person.address, self._uid)
        if self._dice.random() < 0.3 and token is not None:
            self._write(person, token, f"resign {sat.seat}", RESIGNED)
        else:
            self._ask(
                person,
                RESIGNED,
                lambda database, now: leaving.resign(database, self._uid, person.id, now=now),
            )

    def _come_back(self, person: Player, sat: Sat | None) -> None:
        token = self._service.addresses.token_of(person.address, self._uid)
        if sat is not None and self._dice.random() < 0.3 and token is not None:
            self._write(person, token, "back", BACK)
        else:
            self._ask(
                person,
                BACK,
                lambda database, now: leaving.come_back(database, self._uid, person.id, now=now),
            )

    def _name_substitute(self, person: Player, other: Player) -> None:
        until = self._world.now() + timedelta(seconds=self._dice.choice(_SPANS))
        ask = substitutes.ask_substitute
        self._ask(
            person,
            NAMED,
            lambda database, now: ask(
                database, self._uid, person.id, other.address, until, now=now
            ),
        )

    def _take(self, person: Player, seat: str) -> None:
        self._ask(
            person,
            TOOK,
            lambda database, now: takeovers.take_seat(
                database, self._uid, person.id, seat, now=now
            ),
        )

    def _answer(self, person: Player, token: str) -> None:
        """Accept an offer by its link or by a letter, or decline it."""
        drawn = self._dice.random()
        if drawn < 0.1:
            self._ask(
                person,
                "an offer was declined",
                lambda database, now: offers.decline_offer(database, token, now=now),
            )
        elif drawn < 0.4:
            self._write(person, token, "take", ACCEPTED)
        else:
            accept = offers.accept_offer
            self._ask(
                person,
                ACCEPTED,
                lambda database, now: accept(
                    database, token, zone="UTC", now=now, viewer_id=person.id
                ),
            )

    def _ask(self, person: Player, what: str, work: Callable[[Database, datetime], object]) -> None:
        """Have the page do it once or twice; what follows is left to the sweep half of the time."""
        for _ in range(self._dice.choice((1, 1, 1, 2))):
            handed, woken = (
                Handed(self._uid, person.id, what, self._world.commits),
                self._dice.random() < 0.5,
            )
            self._ledger.handed.append(handed)

            def serve(process: Any, *, woken: bool = woken) -> None:
                database = self._service.database(process, woken=woken)
                work(database, database.now())

            def answered(_: object, fault: BaseException | None, handed: Handed = handed) -> None:
                if fault is None:
                    handed.done = True
                    self._world.fire(handed.what)

            self._service.ask("web", what, serve, answered)

    def _write(self, person: Player, token: str, line: str, what: str) -> None:
        handed = Handed(self._uid, person.id, what, self._world.commits)
        self._ledger.handed.append(handed)
        number, to = (
            len(self._ledger.handed),
            addresses.token_address(self._service.fixture_db.settings, token).addr_spec,
        )
        message = correspondents.plain_message(
            person.address, to, "The seat", f"<h{number}@players.example.org>", self._world
        )
        message.set_content(line + "\n")
        self._carrier.carry(to, message.as_bytes(), handed.taken)

    def _read(self, taken: Taken) -> None:
        """Keep the links of offers."""
        put = self._world.put.get(taken.uid)
        body = plain_body(taken) if put is not None and put.kind == "offer" else None
        if body is not None:
            self._offered.setdefault(taken.to, []).append(body["token"])

    def _person(self, player: int) -> Player:
        return next(person for person in self._people if person.id == player)

    # --- what becomes of it

    def _tell(self, before: Sat, sat: Sat) -> None:
        """Count what happened; most newcomers hand in orders soon, and substitutes at about the end
        of their span, too.
        """
        if sat.player not in (None, before.player) and self._dice.random() < 0.7:
            order = self._dice.choice((self._hands.order_now, self._hands.order_in_part))
            self._world.at(self._dice.random() * 30, order, self._person(sat.player or 0))
        if before.open_since is None and sat.open_since is not None:
            self._world.fire(OPENED)
        if before.owner is not None and sat.player == before.owner:
            self._world.fire(RETURNED)
        if (
            before.owner is None
            and sat.owner is not None
            and sat.player is not None
            and sat.returns_at is not None
        ):
            self._world.fire(LENT)
            seconds = (sat.returns_at - self._world.now()).total_seconds() + self._dice.choice(
                _AROUND
            )
            self._world.at(max(0.0, seconds), self._hands.order_now, self._person(sat.player))
