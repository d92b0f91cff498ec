"""Players who are away: they note, list and cancel absences by form and by letter, before and after
a deadline is announced.
"""

import random
from collections.abc import Callable
from datetime import date, timedelta

from sqlmodel import select

from adjudicator.mail import addresses
from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Match
from adjudicator.service.base.tables import Player as PlayerRow
from adjudicator.service.people import absence_calendar
from tests.simulation import clocks
from tests.simulation.correspondents import Carrier, plain_message, seat_token
from tests.simulation.ledger import Away, Ledger, Wrote
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.world import World

NOTED, CANCELLED = "an absence was noted", "an absence was cancelled"
KINDS = (NOTED, CANCELLED)
_EVERY = 70.0  # mean seconds between a player's acts
_ZONES = ("UTC", "Asia/Kamchatka", "Pacific/Kiritimati", "America/Los_Angeles")
# absences that follow each other: the length and the number of them
_CHAINED, _LINKS = timedelta(days=60), 10


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Let players be away in worlds with matches that honour it; the others are unchanged."""
    if (
        service.faults.quiet
        or service.faults.crash_at is not None
        or not clocks.is_long(world.seed)
    ):
        return
    with service.fixture_db.eyes.read_tx() as session:
        honouring = {match.uid for match in session.exec(select(Match)) if match.absence_days}
    away = [player for player in everybody if player.uid in honouring]
    if away:
        Absentees(world, service, ledger, away, random.Random(f"{world.seed}/absentees"))


class Absentees:
    """The players of a world who may be away: each for days of their own, all on the same days, or
    in turn without end.
    """

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        players: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        self._carrier = Carrier(world, service, dice)
        self._pick = dice.choice(
            (self._own_days, self._own_days, self._same_days, self._days_in_turn)
        )
        self._first = world.now().date() + timedelta(days=dice.choice((0, 0, 1, 2)))
        self._turn, self._letters = 0, 0
        with service.fixture_db.eyes.write_tx() as session:
            for player in players:
                session.get_one(PlayerRow, player.id).zone = dice.choice(_ZONES)
        for player in players:
            world.at(20.0 * dice.random(), self._act, player)

    # --- the days

    def _own_days(self) -> tuple[date, date]:
        first = self._world.now().date() + timedelta(days=self._dice.choice((0, 0, 0, 1, 3)))
        return first, first + timedelta(days=self._dice.choice((0, 0, 1, 1, 5, 20)))

    def _same_days(self) -> tuple[date, date]:
        return self._first, self._first + timedelta(days=4)

    def _days_in_turn(self) -> tuple[date, date]:
        self._turn += 1
        first = self._first + _CHAINED * (self._turn % _LINKS)
        return first, first + _CHAINED - timedelta(days=1)

    # --- what a player does

    def _act(self, player: Player) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._act, player)
        own = [
            each for each in self._ledger.away if each.player == player.id and each.what == NOTED
        ]
        since = self._world.commits
        if own and self._dice.random() < 0.25:
            away = Away(player.id, CANCELLED, self._dice.choice(own).first, since=since)
        else:
            away = Away(player.id, NOTED, *self._pick(), since=since)
        if self._dice.random() < 0.4:
            self._write(player, away)
            return
        self._ledger.away.append(away)
        work = self._work(away)

        def answered(_: object, fault: BaseException | None) -> None:
            if fault is None:
                away.until = self._world.commits
                self._world.fire(away.what)

        self._service.ask(
            "web",
            away.what,
            lambda process: work(self._service.fixture_db.databases[process.slot]),
            answered,
        )

    def _work(self, away: Away) -> Callable[[Database], object]:
        if away.what == CANCELLED:
            return lambda database: absence_calendar.cancel_absence(
                database, away.player, away.first, now=database.now()
            )
        return lambda database: absence_calendar.add_absence(
            database, away.player, away.first, away.last or away.first, now=database.now()
        )

    def _write(self, player: Player, away: Away) -> None:
        """Write to the address of the seat, as its player knows it; sometimes only ask for the
        list.
        """
        token = seat_token(self._service, player)
        if token is None:
            return
        number = self._letters = self._letters + 1
        line = (
            f"absence cancel {away.first}"
            if away.what == CANCELLED
            else f"absence {away.first} to {away.last}"
        )
        wrote = Wrote(
            player.uid, player.id, "absence list" if self._dice.random() < 0.2 else line, token
        )
        if wrote.line == line:
            away.letter = wrote
            self._ledger.away.append(away)
        self._ledger.wrote.append(wrote)
        to = addresses.token_address(self._service.fixture_db.settings, token).addr_spec
        message = plain_message(
            player.address, to, "Away", f"<a{number}@players.example.org>", self._world
        )
        message.set_content(wrote.line + "\n")
        self._world.fire(away.what)
        self._carrier.carry(to, message.as_bytes(), wrote.taken)
