"""Salts: in some worlds players give salts, on the page of their match and in letters to it, each
with words of its own.
"""

import random
from typing import Any

from adjudicator.mail import addresses
from adjudicator.service.log import salts
from tests.simulation import upgrades
from tests.simulation.correspondents import Carrier, plain_message, seat_token
from tests.simulation.faults import WRITING
from tests.simulation.ledger import Ledger, Salted
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.world import World

GIVEN, MAILED, BESIDE = (
    "a salt was given",
    "a salt was sent by letter",
    "a salt came beside a closing",
)
KINDS = (GIVEN, MAILED, BESIDE)
_SHARE = 0.5  # of the worlds
_EVERY = 150.0  # mean seconds between one player's salts
_BY_LETTER = 0.3
# of these worlds, those whose players give salts also while a closing is worked out; of its
# closings
_HASTY, _BESIDE = 0.3, 0.3


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Let the players of some worlds give salts; the others are unchanged, and the last release
    knew none.
    """
    dice = random.Random(f"{world.seed}/salters")
    if (
        not service.faults.quiet
        and service.faults.crash_at is None
        and not upgrades.is_planned(world.seed)
        and dice.random() < _SHARE
    ):
        Salters(world, service, ledger, everybody, dice)


class Salters:
    """All players, who give salts now and then."""

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        everybody: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._carrier = Carrier(world, service, dice)
        for player in everybody:
            world.at(_EVERY * dice.random(), self._give, player)
        self._everybody, self._haste = (
            everybody,
            random.Random(f"{world.seed}/salts beside closings"),
        )
        if self._haste.random() < _HASTY:
            world.reached = self._pass

    def _pass(self, what: str) -> None:
        """Have somebody give a salt while a closing is worked out, which takes longer than
        usual.
        """
        if what == WRITING and self._service.faults.on and self._haste.random() < _BESIDE:
            self._world.fire(BESIDE)
            player = self._haste.choice(self._everybody)
            self._world.at(0.0, self._hand_in, player, self._salt_of(player))
            self._world.wait(self._haste.random())

    def _give(self, player: Player) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._give, player)
        salted = self._salt_of(player)
        token = seat_token(self._service, player) if self._dice.random() < _BY_LETTER else None
        if token is not None:
            self._mail(player, salted, token)
        else:
            self._hand_in(player, salted)

    def _salt_of(self, player: Player) -> Salted:
        """Return a salt with words of its own, noted as given from now on."""
        salted = Salted(
            player.uid, player.id, f"grain {len(self._ledger.salted):04}", since=self._world.commits
        )
        self._ledger.salted.append(salted)
        return salted

    def _hand_in(self, player: Player, salted: Salted) -> None:
        """Give a salt on the page of the match."""

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                salted.until = self._world.commits
                self._world.fire(GIVEN)

        def work(process: Any) -> None:
            database = self._service.fixture_db.databases[process.slot]
            salts.give_salt(database, player.uid, player.id, salted.text, now=database.now())

        self._service.ask("web", "salt", work, answered)

    def _mail(self, player: Player, salted: Salted, token: str) -> None:
        """Send a salt by letter; when it is read stays open."""
        to = addresses.token_address(self._service.fixture_db.settings, token).addr_spec
        number = self._ledger.salted.index(salted)
        message = plain_message(
            player.address, to, "Salt", f"<s{number}@players.example.org>", self._world
        )
        message.set_content(f"salt {salted.text}\n")
        self._world.fire(MAILED)
        self._carrier.carry(to, message.as_bytes(), salted.mailed)
