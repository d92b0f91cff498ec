"""Press: in some matches of Diplomacy players write to each other and to the master, mute seats and
report texts.
"""

import random
from typing import Any

from sqlmodel import col, select

from adjudicator.platform.words import MASTER
from adjudicator.service.base import press_rules
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.base.tables import Match, Seat
from adjudicator.service.press import complaints, messages, mutes
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.requests.made_for import MadeFor
from tests.simulation import upgrades
from tests.simulation.ledger import Complained, Ledger, Muted, Whisper
from tests.simulation.players import Player
from tests.simulation.seat_forms import load_made_for
from tests.simulation.service import Service
from tests.simulation.world import World

WRITTEN, MUTED, REPORTED = "press was written", "a seat was muted", "a text was reported"
KINDS = (WRITTEN, MUTED, REPORTED)
SEATS = 3  # of a match with press: with three, some press is hidden from somebody
GAMES = ("diplomacy", "rsp-diplomacy")
_KINDS = ("", "private", "anonymous-private")
_EVERY = 200.0  # mean seconds between one player's press
_OVERSEEN = 0.4  # of the matches with press
READER = "Zoe"  # runs the matches whose press is read, and plays in none


def press_kind(seed: int, number: int, game: str) -> str:
    """Return the kind of press of a match, "" for none."""
    return random.Random(f"{seed}/press/{number}").choice(_KINDS) if game in GAMES else ""


def rules_of(seed: int, number: int, said: str) -> PressWish:
    """Return the rules of a match's press: some are read by their master, some rest in short
    phases; the last release knew neither.
    """
    dice = random.Random(f"{seed}/press rules/{number}")
    overseen, rulebook = dice.random() < _OVERSEEN, dice.random() < _OVERSEEN
    return (
        PressWish(rulebook=rulebook, overseen=overseen)
        if said and not upgrades.is_planned(seed)
        else PressWish()
    )


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Let the players of matches with press write."""
    if service.faults.crash_at is None:
        Writers(world, service, ledger, everybody)


class Writers:
    """All players who may write press."""

    def __init__(
        self, world: World, service: Service, ledger: Ledger, everybody: list[Player]
    ) -> None:
        self._world, self._service, self._ledger = world, service, ledger
        self._dice = random.Random(f"{world.seed}/writers")
        # the last release knows no press to masters, mutes or reports
        self._upgraded = upgrades.is_planned(world.seed)
        with service.fixture_db.eyes.read_tx() as session:
            talking = {
                match.uid
                for match in session.exec(select(Match))
                if press_rules.press_kind(match) != "none"
            }
        for player in everybody:
            if player.uid in talking:
                world.at(_EVERY * self._dice.random(), self._write, player)

    def _write(self, player: Player) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._write, player)
        others = self._others(player)
        to = tuple(self._dice.sample(others, self._dice.randrange(len(others) + 1)))
        to = (MASTER,) if self._dice.random() < 0.15 and not self._upgraded else to
        whisper = Whisper(
            player.uid,
            player.id,
            f"whisper {len(self._ledger.whispers):04}",
            since=self._world.commits,
            to=to,
        )
        self._ledger.whispers.append(whisper)

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                whisper.told, whisper.until = True, self._world.commits
                self._world.fire(WRITTEN)

        made_for = load_made_for(self._service, player.uid, player.id)
        self._service.ask(
            "web",
            "press",
            lambda process: self._hand_over(process, whisper, to, made_for),
            answered,
        )
        if self._upgraded:
            return
        if others and self._dice.random() < 0.15:
            self._mute(player, self._dice.choice(others))
        if self._dice.random() < 0.3:
            self._report(player)

    def _mute(self, player: Player, seat: str) -> None:
        """Mute a seat for good."""
        muted = Muted(player.uid, player.id, seat)
        self._ledger.muted.append(muted)

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                muted.until = self._world.commits
                self._world.fire(MUTED)

        database = self._service.fixture_db.databases
        work = lambda process: mutes.mute_seat(  # noqa: E731
            database[process.slot], player.uid, player.id, seat, mute=True
        )
        self._service.ask("web", "mute", work, answered)

    def _report(self, player: Player) -> None:
        """Report the newest text of somebody else that the player may read."""
        with self._service.fixture_db.eyes.read_tx() as session:
            notes = messages.press_page(session, player.uid, player.id).notes
        note = next(
            (note for note in notes if not note.yours and MASTER not in (note.seat, *note.readers)),
            None,
        )
        if note is None:
            return
        complaint = Complained(
            player.uid, player.id, note.lines[0], f"reason {len(self._ledger.complained):04}"
        )
        self._ledger.complained.append(complaint)

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                complaint.told = True
                self._world.fire(REPORTED)

        def work(process: Any) -> None:
            database = self._service.fixture_db.databases[process.slot]
            complaints.report_text(
                database, player.uid, player.id, note.ref, complaint.reason, now=self._world.now()
            )

        self._service.ask("web", "report", work, answered)

    def _others(self, player: Player) -> list[str]:
        with self._service.fixture_db.eyes.read_tx() as session:
            seats = (
                select(Seat.name)
                .join(Match, onclause=col(Seat.match_id) == col(Match.id))
                .order_by(col(Seat.position))
            )
            return list(
                session.exec(seats.where(Match.uid == player.uid, Seat.player_id != player.id))
            )

    def _hand_over(
        self, process: Any, whisper: Whisper, to: tuple[str, ...], made_for: MadeFor | None
    ) -> None:
        database, draft = (
            self._service.fixture_db.databases[process.slot],
            PressDraft(to, whisper.text),
        )
        messages.write_press(
            database, whisper.uid, whisper.player, draft, now=self._world.now(), made_for=made_for
        )
