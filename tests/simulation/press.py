"""Press: in some matches of Diplomacy players write to each other while everything else happens."""

import random
from typing import Any

from sqlmodel import col, select

from adjudicator.service.base.tables import Match, Seat
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from tests.simulation.ledger import Ledger, Whisper
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.world import World

WRITTEN = "press was written"
SEATS = 3  # of a match with press: with three, some press is hidden from somebody
_GAMES = ("diplomacy", "rsp-diplomacy")
_KINDS = ("", "private", "anonymous-private")
_EVERY = 200.0  # mean seconds between one player's press


def press_kind(seed: int, number: int, game: str) -> str:
    """Return the kind of press of a match, "" for none."""
    return random.Random(f"{seed}/press/{number}").choice(_KINDS) if game in _GAMES else ""


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Let the players of matches with press write."""
    if service.faults.crash_at is None:
        Writers(world, service, ledger, everybody)


class Writers:
    """All players who may write press."""

    def __init__(self, world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
        self._world, self._service, self._ledger = world, service, ledger
        self._dice = random.Random(f"{world.seed}/writers")
        with service.fixture_db.eyes.read_tx() as session:
            talking = {match.uid for match in session.exec(select(Match)) if messages.press_kind(match) != "none"}
        for player in everybody:
            if player.uid in talking:
                world.at(_EVERY * self._dice.random(), self._write, player)

    def _write(self, player: Player) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._write, player)
        others = self._others(player)
        to = tuple(self._dice.sample(others, self._dice.randrange(len(others) + 1)))
        whisper = Whisper(player.uid, player.id, f"whisper {len(self._ledger.whispers):04}")
        self._ledger.whispers.append(whisper)

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                whisper.told = True
                self._world.fire(WRITTEN)

        self._service.ask("web", "press", lambda process: self._hand_over(process, whisper, to), answered)

    def _others(self, player: Player) -> list[str]:
        with self._service.fixture_db.eyes.read_tx() as session:
            seats = select(Seat.name).join(Match, onclause=col(Seat.match_id) == col(Match.id)).order_by(col(Seat.position))
            return list(session.exec(seats.where(Match.uid == player.uid, Seat.player_id != player.id)))

    def _hand_over(self, process: Any, whisper: Whisper, to: tuple[str, ...]) -> None:
        database = self._service.fixture_db.databases[process.slot]
        messages.write_press(database, whisper.uid, whisper.player, PressDraft(to, whisper.text), now=self._world.now())
