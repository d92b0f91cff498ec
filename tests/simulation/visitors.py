"""Visitors: they ask for sign-in links, once or repeatedly, and press the button early, twice or
too late.
"""

import random
import re
from typing import Any

from adjudicator.service.base.errors import NotNow
from adjudicator.service.people import sessions
from tests.simulation.ledger import AskedLink, Ledger, Pressed
from tests.simulation.service import Service
from tests.simulation.sink import Taken
from tests.simulation.world import World

ENTERED, REFUSED = "a link signed somebody in", "a link was refused"
KINDS = (ENTERED, REFUSED)
_SHARE = 0.5  # of the worlds
_EVERY = 150.0  # mean seconds between a visitor's requests
_TOKEN = re.compile(rb'"token": "([\w-]{26})"|/sign-in/([\w-]{26})')


def join(world: World, service: Service, ledger: Ledger) -> None:
    """Let visitors sign in in some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/visitors")
    if not service.faults.quiet and service.faults.crash_at is None and dice.random() < _SHARE:
        Visitors(world, service, ledger, dice)


def ask_link(world: World, service: Service, ledger: Ledger, address: str) -> None:
    """Ask for a sign-in link on the page, and record the answer."""
    asked = AskedLink(address, world.now(), world.now())
    ledger.asked.append(asked)

    def answered(_: object, fault: BaseException | None) -> None:
        asked.answered, asked.at = fault is None, world.now()

    def send(process: Any) -> None:
        sessions.ask_link(
            service.database(process),
            address,
            zone="Europe/Paris",
            now=world.now(),
        )

    service.ask("web", "ask for a link", send, answered)


class Visitors:
    """People without a seat who want to sign in."""

    def __init__(self, world: World, service: Service, ledger: Ledger, dice: random.Random) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        world.sink.readers.append(self._read)
        for number in range(dice.choice((1, 2, 4))):
            world.at(
                dice.random() * _EVERY,
                self._ask,
                f"visitor{number}@example.org",
                dice.random() < 0.3,
            )

    def _ask(self, address: str, eager: bool) -> None:
        """Ask for a link; an eager visitor asks again before the letter can arrive."""
        if not self._service.faults.on:
            return
        self._world.at(
            (5.0 if eager else _EVERY) * (0.2 + 2 * self._dice.random()),
            self._ask,
            address,
            eager and self._dice.random() < 0.8,
        )
        ask_link(self._world, self._service, self._ledger, address)

    def _read(self, taken: Taken) -> None:
        """Read a letter with a link and press its button: once, twice at the same moment, or after
        it expired.
        """
        found, put = _TOKEN.search(taken.content), self._world.put.get(taken.uid)
        if found is None or put is None or put.kind != "signin":
            return
        token = (found[1] or found[2]).decode()
        self._ledger.links.setdefault(token, taken.to)
        delay = self._dice.choice((1.0, 20.0, 20.0, 400.0, 900.0)) * (0.5 + self._dice.random())
        for _ in range(self._dice.choice((0, 1, 1, 2))):
            self._world.at(delay, self._press, token, taken.to)
            delay += self._dice.choice((0.0, 0.0, 5.0))

    def _press(self, token: str, address: str) -> None:
        pressed = Pressed(token, address, self._world.now())
        self._ledger.pressed.append(pressed)

        def answered(entry: Any, fault: BaseException | None) -> None:
            pressed.until = self._world.now()
            pressed.entry, pressed.refused = entry, isinstance(fault, NotNow)
            if entry is not None or pressed.refused:
                self._world.fire(ENTERED if entry is not None else REFUSED)

        database = self._service.fixture_db.databases
        work = lambda process: sessions.use_link(  # noqa: E731 it is named once
            database[process.slot], token, now=self._world.now()
        )
        self._service.ask("web", "press the button", work, answered)
