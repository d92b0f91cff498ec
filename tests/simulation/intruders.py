"""An intruder who can write the database and has no key file: forges addresses of seats, acts of
masters and changes of seats.
"""

import random
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from sqlmodel import col, select, update

from adjudicator.mail import addresses
from adjudicator.platform.db import Database
from adjudicator.seal.tokens import hash_token
from adjudicator.service.base.phase_records import ends
from adjudicator.service.base.rows import open_phase, show_change
from adjudicator.service.base.tables import MasterNote, Match, Seat, SeatRequest
from tests.simulation import upgrades
from tests.simulation.correspondents import Carrier, plain_message
from tests.simulation.ledger import Intruded, Ledger
from tests.simulation.players import Player
from tests.simulation.service import Service
from tests.simulation.world import World

INTRUDED, FORGED, USURPED = (
    "a forged address was written to",
    "an act was forged",
    "a change of a seat was forged",
)
KINDS = (INTRUDED, FORGED, USURPED)
CLAIMED = "let the intruder run the match"  # what forged notes tell
_SHARE = 0.25  # of the worlds
# mean seconds between two letters to a match, two forged acts, and two forged changes of its seats
_EVERY = 120.0
_CHANGES = ("leave", "replace", "take", "ask", "substitute", "return", "keep")


def join(world: World, service: Service, ledger: Ledger, everybody: list[Player]) -> None:
    """Add an intruder to some worlds; the others are unchanged. Matches of the last release believe
    what the database says.
    """
    dice = random.Random(f"{world.seed}/intruders")
    if (
        service.faults.quiet
        or service.faults.crash_at is not None
        or upgrades.is_planned(world.seed)
        or dice.random() >= _SHARE
    ):
        return
    Intruder(world, Carrier(world, service, dice), ledger, everybody, dice)
    Forger(world, service, ledger, everybody, random.Random(f"{world.seed}/forgers"))
    Usurper(world, service, ledger, everybody, random.Random(f"{world.seed}/usurpers"))


class Intruder:
    """Writes the hash of a known token into a seat's row, and orders to that address."""

    def __init__(
        self,
        world: World,
        carrier: Carrier,
        ledger: Ledger,
        everybody: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._carrier, self._ledger, self._dice = world, carrier, ledger, dice
        self._numbers = count()
        for uid in dict.fromkeys(player.uid for player in everybody):
            world.at(_EVERY * dice.random(), self._write, uid)

    def _write(self, uid: str) -> None:
        if not self._carrier.service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._write, uid)
        number, databases = next(self._numbers), self._carrier.service.fixture_db.databases
        token = f"intruder{number}".ljust(26, "x")

        def given(done: Any, fault: BaseException | None) -> None:
            if fault is None and done:
                self._post(uid, token, number)

        self._carrier.service.ask(
            "web", "intrude", lambda process: self._give(databases[process.slot], uid, token), given
        )

    def _post(self, uid: str, token: str, number: int) -> None:
        self._world.fire(INTRUDED)
        intruded = Intruded(uid)
        self._ledger.intruded.append(intruded)
        to = addresses.token_address(self._carrier.service.fixture_db.settings, token).addr_spec
        message = plain_message(
            "intruder@example.net", to, "Orders", f"<i{number}@intruder.example.net>", self._world
        )
        message.set_content("ready\n")
        self._carrier.carry(to, message.as_bytes(), intruded.taken)

    def _give(self, database: Database, uid: str, token: str) -> bool:
        """Store the hash of a token as an earlier address of a seat; returns whether there is one
        to be had.
        """
        with database.write_tx() as session:
            wanted = (
                select(Seat.id)
                .join(Match, onclause=col(Seat.match_id) == col(Match.id))
                .where(Match.uid == uid)
            )
            seat_id = session.exec(
                wanted.where(Match.status == "running", col(Seat.player_id).is_not(None))
            ).first()
            session.exec(
                update(Seat).where(col(Seat.id) == seat_id).values(earlier_hash=hash_token(token))
            )
            return seat_id is not None


class Forger:
    """Stores notes of acts that no session signed, as the site stores those of masters."""

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        everybody: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        for uid in dict.fromkeys(player.uid for player in everybody):
            world.at(_EVERY * dice.random(), self._forge, uid)

    def _forge(self, uid: str) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._forge, uid)
        databases, given = self._service.fixture_db.databases, self._dice.random() < 0.5
        self._ledger.forged.add(uid)

        def noted(done: Any, fault: BaseException | None) -> None:
            if fault is None and done:
                self._world.fire(FORGED)

        self._service.ask(
            "web",
            "forge",
            lambda process: _note(databases[process.slot], uid, given=given, now=self._world.now()),
            noted,
        )


def _note(database: Database, uid: str, *, given: bool, now: datetime) -> bool:
    """Note an act of the master of a running match, with a signature that is none where one is
    `given`; returns whether it runs.
    """
    with database.write_tx() as session:
        match = session.exec(
            select(Match).where(Match.uid == uid, Match.status == "running")
        ).first()
        phase = open_phase(session, match) if match is not None else None
        if match is None or phase is None or not match.sealing:
            return False
        note = MasterNote(
            match_id=match.id or 0,
            at=now,
            who="Mallory",
            what=CLAIMED,
            log_as="master",
            actor="master",
        )
        note.phase_number, note.log_size, note.clock = (
            phase.number,
            match.log_size,
            ends(match, phase),
        )
        note.request_signature = bytes(32) if given else None
        session.add(note)
        show_change(match)
    return True


class Usurper:
    """Stores requests that no session signed by which a seat would change hands, or would look for
    a player.
    """

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        everybody: list[Player],
        dice: random.Random,
    ) -> None:
        self._world, self._service, self._ledger, self._dice = world, service, ledger, dice
        for uid in dict.fromkeys(player.uid for player in everybody):
            world.at(_EVERY * dice.random(), self._usurp, uid)

    def _usurp(self, uid: str) -> None:
        if not self._service.faults.on:
            return
        self._world.at(_EVERY * 2 * self._dice.random(), self._usurp, uid)
        databases, dice, now = self._service.fixture_db.databases, self._dice, self._world.now()
        signer = dice.randbytes(32) if dice.random() < 0.5 else None
        forged = _ForgedChange(dice.choice(_CHANGES), dice.random(), signer, dice.random() < 0.5)

        def asked(done: Any, fault: BaseException | None) -> None:
            if fault is None and done:
                self._ledger.usurped.add(uid)
                self._world.fire(USURPED)

        self._service.ask(
            "web", "usurp", lambda process: _ask(databases[process.slot], uid, forged, now), asked
        )


@dataclass(frozen=True)
class _ForgedChange:
    """What an intruder asks for."""

    what: str
    which: float  # of the seats, as a fraction of them
    signer: bytes | None  # the key of no session; None: as if the worker had signed it
    opens: bool  # whether the seat is said to look for a player


def _ask(database: Database, uid: str, forged: _ForgedChange, now: datetime) -> bool:
    """Store a request for a change of a seat of a running match, with a signature that is none;
    returns whether it runs.
    """
    with database.write_tx() as session:
        match = session.exec(
            select(Match).where(Match.uid == uid, Match.status == "running")
        ).first()
        if match is None or not match.sealing:
            return False
        seats = list(
            session.exec(select(Seat).where(Seat.match_id == match.id).order_by(col(Seat.position)))
        )
        seat = seats[int(forged.which * len(seats))]
        begins = forged.what in ("take", "substitute")
        row = SeatRequest(
            match_id=match.id or 0,
            seat=seat.name,
            tenure=seat.tenure + begins,
            what=forged.what,
            at=now,
            until=now,
        )
        row.signer, row.request_signature = forged.signer, bytes(64 if forged.signer else 32)
        session.add(row)
        if forged.opens and seat.open_since is None:
            seat.open_since = now
            show_change(match)
    return True
