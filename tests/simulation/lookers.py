"""Players who look at their own sealed orders, and strangers who try to see others'."""

import random
from datetime import timedelta
from typing import Any

from adjudicator.platform import clock
from adjudicator.service.base import tables
from adjudicator.service.base.errors import NotAllowed, SignInAgain
from adjudicator.service.orders import disclosure
from adjudicator.service.orders.disclosure import Shown
from tests.simulation.ledger import Ledger, Looked
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.world import World

SHOWN, NOT_SHOWN, NOT_THEIRS = (
    "sealed orders were shown",
    "sealed orders were not shown in time",
    "a stranger was shown nothing",
)
KINDS = (SHOWN, NOT_SHOWN, NOT_THEIRS)
_SHARE = 0.4  # of the worlds
_EVERY = 90.0  # mean seconds between a player's requests
_WAITS = timedelta(seconds=2)  # as the page does


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Add requests for disclosure to some worlds; the others are unchanged."""
    dice = random.Random(f"{world.seed}/lookers")
    if not service.faults.quiet and service.faults.crash_at is None and dice.random() < _SHARE:
        Lookers(world, service, ledger, everybody, dice, stranger=True)


class Lookers:
    """All players, and by wish a stranger, who request disclosure."""

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        everybody: list[Player],
        dice: random.Random,
        *,
        stranger: bool,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._again: dict[str, str] = {}  # by the token of a session that has no key
        stranger_id = self._add_stranger() if stranger else 0
        for player in everybody:
            self._begin(player.uid, player.id, player.id)
        if stranger:
            self._begin(everybody[0].uid, 0, stranger_id)

    def _begin(self, uid: str, player: int, signed_in: int) -> None:
        self._world.at(
            _EVERY * self._dice.random(), self._look, uid, player, self._sign_in(signed_in)
        )

    def _sign_in(self, signed_in: int) -> str:
        fixture_db = self._service.fixture_db
        return fixture_db.keychain.sign_in(fixture_db.eyes, signed_in, now=self._world.now()).token

    def _add_stranger(self) -> int:
        with self._service.fixture_db.eyes.write_tx() as session:
            stranger = tables.Player(
                name="Stranger", address="stranger@example.org", made_at=self._world.now()
            )
            session.add(stranger)
            session.flush()
            return stranger.id or 0

    def _look(self, uid: str, player: int, token: str) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._look, uid, player, token)
        looked = Looked(uid, player, self._world.commits)
        self._ledger.looked.append(looked)

        def answered(shown: Any, fault: BaseException | None) -> None:
            looked.until, looked.refused = self._world.commits, isinstance(fault, NotAllowed)
            looked.shown = shown if fault is None else None
            # after an upgrade: the player signs in anew, and has seen nothing this time
            if isinstance(fault, SignInAgain):
                self._again[token], looked.refused = self._sign_in(player), False
            if looked.refused and not player:
                self._world.fire(NOT_THEIRS)
            elif fault is None:
                self._world.fire(SHOWN if shown is not None else NOT_SHOWN)

        self._service.ask(
            "web",
            "look",
            lambda process: self._ask(process, uid, self._again.get(token, token)),
            answered,
        )

    def _ask(self, process: Any, uid: str, token: str) -> Shown | None:
        """Ask and wait as the page does. Raises NotAllowed if the worker refused."""
        database = self._service.database(process)
        asked = disclosure.request_disclosure(database, uid, token, now=database.now())
        end = clock.monotonic() + _WAITS.total_seconds()
        while clock.monotonic() < end:
            shown = disclosure.fetch_disclosed(database, asked)
            if shown is not None:
                return shown
            clock.sleep(0.05)
        return None
