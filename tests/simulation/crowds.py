"""Crowds: many matches due at once, letters to a slow server, and workers killed or frozen while
the outbox is full.
"""

import random

from sqlmodel import select

from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from tests.simulation.faults import CHOICES
from tests.simulation.ledger import Ledger
from tests.simulation.service import Service
from tests.simulation.visitors import ask_link
from tests.simulation.world import Strand, World

FULL, KILLED, FROZEN = (
    "the outbox was full",
    "a worker was killed with the outbox full",
    "a worker stood still with the outbox full",
)
KINDS = (FULL, KILLED, FROZEN)
SEATS = 3
_SHARE, _CALM = 0.08, 0.6  # of the worlds; of those, the ones without other faults
_MATCHES = (6, 8, 10)
# seconds in which one worker sends the letters of one opening; the rest of the bound is for two
# kills
_SENDING = (140.0, 170.0)
_EVERY = 450  # seconds of a phase: a world sees the start and one closing
_MANY = 6  # waiting letters: the outbox is full
_ASKED_EVERY = 25.0  # seconds between two requests for a link
_KILLS, _FREEZES = 4, 1  # at most
_KILLED, _FROZEN = 0.1, 0.05  # probability for each letter
_LONGEST_FREEZE = 150.0  # seconds; longer than a letter's lease


def join(world: World, service: Service, ledger: Ledger) -> None:
    """Add a crowd of matches to some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/a crowd")
    if service.faults.quiet or service.faults.crash_at is not None or dice.random() >= _SHARE:
        return
    if dice.random() < _CALM:  # every delay there is caused by the crowd
        service.faults.likely = dict.fromkeys(CHOICES, 0.0)
    Crowd(world, service, ledger, dice)


class Crowd:
    """Matches of silent players with the same deadlines, and strangers who ask for links
    meanwhile.
    """

    def __init__(self, world: World, service: Service, ledger: Ledger, dice: random.Random) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._kills, self._freezes = _KILLS, _FREEZES
        size = dice.choice(_MATCHES)
        self._seconds = dice.uniform(*_SENDING) / (size * SEATS)
        self._addresses = [f"crowd{seat}@example.org" for seat in range(SEATS)]
        world.sink.takes_time = self._take_time
        people = self._people()
        for number in range(size):
            self._make(number, people)
        world.at(_ASKED_EVERY * dice.random(), self._ask, 0)

    # --- its members

    def _people(self) -> list[int]:
        with self._service.fixture_db.eyes.write_tx() as session:
            rows = [
                Player(name=each.partition("@")[0], address=each, made_at=self._world.now())
                for each in self._addresses
            ]
            session.add_all(rows)
            session.flush()
            return [row.id or 0 for row in rows]

    def _make(self, number: int, people: list[int]) -> None:
        """Make a match whose seats are all reserved, so that it begins when it is prepared."""
        wish = Wish(
            "pyramid", f"Crowd {number}", {}, players=SEATS, every_seconds=_EVERY, grace_minutes=0
        )
        uid = creation.make_match(
            self._service.fixture_db.eyes, people[0], wish, now=self._world.now()
        )
        with self._service.fixture_db.eyes.write_tx() as session:
            match = session.exec(select(Match).where(Match.uid == uid)).one()
            for seat in session.exec(select(Seat).where(Seat.match_id == match.id)):
                seat.player_id = people[seat.position]

    def _ask(self, number: int) -> None:
        if self._service.faults.on:
            self._world.at(_ASKED_EVERY * (0.5 + self._dice.random()), self._ask, number + 1)
            ask_link(self._world, self._service, self._ledger, f"newcomer{number}@example.org")

    # --- the mail server

    def _take_time(self, to: str) -> None:
        """Delay a letter to the crowd; meanwhile its worker may be killed or frozen."""
        strand = self._world.current
        if strand is None or to not in self._addresses:
            return
        self._world.wait(self._seconds * (0.5 + self._dice.random()))
        if self._service.faults.on and self._is_full() and self._another_works(strand):
            self._world.fire(FULL)
            self._take_over(strand, self._dice.random())

    def _take_over(self, strand: Strand, drawn: float) -> None:
        """Sometimes kill the process that is sending a letter, or freeze it until another may take
        the letter.
        """
        if drawn < _KILLED and self._kills:
            self._kills -= 1
            self._world.fire(KILLED)
            self._service.faults.kill(strand)
        elif drawn > 1 - _FROZEN and self._freezes:
            self._freezes -= 1
            self._world.fire(FROZEN)
            self._service.faults.freeze(strand, _LONGEST_FREEZE * (0.4 + 0.6 * self._dice.random()))
            self._world.wait(0.0)

    def _is_full(self) -> bool:
        with self._service.fixture_db.eyes.read_tx() as session:
            return len(outbox.waiting_letters(session, self._world.now(), most=_MANY)) == _MANY

    def _another_works(self, strand: Strand) -> bool:
        others = [
            each
            for each in self._world.living()
            if each.slot.startswith("worker") and each is not strand.process
        ]
        return any(each.frozen_until <= self._world.seconds for each in others)
