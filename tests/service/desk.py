"""A desk for service tests: a database, a keyring, a clock that is turned by hand, and the use cases by short names."""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adjudicator.platform.db import Database
from adjudicator.seal import keyfile
from adjudicator.seal.keyfile import Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.tables import Player
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import envelopes
from adjudicator.service.orders.envelopes import Answer, Submission
from adjudicator.service.people import sessions
from adjudicator.service.phases import closing, opening
from adjudicator.service.views import match_page

BEGIN = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)


@dataclass
class Desk:
    """Everything a test needs to play matches without any process around them."""

    database: Database
    keyring: Keyring
    now: datetime = BEGIN
    people: dict[str, int] = field(default_factory=dict)

    @classmethod
    def at(cls, url: str, keyring: Keyring | None = None) -> "Desk":
        """Open a desk on a migrated database, with these keys published, fresh ones unless given."""
        with tempfile.TemporaryDirectory() as folder:
            keyring = keyring or keyfile.ensure(Path(folder) / "worker.key")
        desk = cls(Database(url), keyring)
        with desk.database.writing() as session:
            public_keys.publish(session, keyring.public, desk.now)
        return desk

    def later(self, **span: float) -> datetime:
        """Turn the clock on."""
        self.now += timedelta(**span)
        return self.now

    def player(self, name: str, *, address: str | None = "") -> int:
        """Return the id of a player called `name`, made at the first call, with an address of example.org unless None."""
        if name not in self.people:
            with self.database.writing() as session:
                given = f"{name.lower()}@example.org" if address == "" else address
                row = Player(name=name, address=given, made_at=self.now)
                session.add(row)
                session.flush()
                self.people[name] = row.id or 0
        return self.people[name]

    def match(self, *names: str, wish: Wish | None = None) -> str:
        """Make, found and start a Pyramid match of these players, in seat order; house bots fill what is left."""
        first, *rest = [self.player(name) for name in names]
        uid = creation.make(self.database, first, wish or Wish("pyramid", "Table", {}, house=3 - len(names)), now=self.now)
        opening.found(self.database, self.keyring, uid, now=self.now)
        for player in rest:
            seats.take_seat(self.database, uid, player, now=self.now)
        opening.start(self.database, self.keyring, uid, now=self.now)
        return uid

    def order(self, uid: str, name: str, text: str, *, phase: int | None = None, channel: str = "form") -> Answer:
        """Hand in orders for a player."""
        return envelopes.submit(self.database, Submission(uid, self.people[name], text, channel, self.now, phase))

    def close(self, uid: str) -> bool:
        """Close the match's phase if it is time."""
        return closing.close(self.database, self.keyring, uid, now=self.now)

    def page(self, uid: str, name: str | None = None) -> match_page.MatchPage:
        """Return the match's page as a player, or an observer, sees it."""
        with self.database.reading() as session:
            return match_page.match_page(session, uid, self.people[name] if name else None)

    def story(self, uid: str, number: int, name: str | None = None) -> match_page.Story:
        """Return a closed phase's page."""
        with self.database.reading() as session:
            _, story = match_page.phase_page(session, uid, number, self.people[name] if name else None)
        assert story is not None
        return story

    def round(self, uid: str, orders: Iterable[tuple[str, str]]) -> None:
        """Hand in one round and close it."""
        for name, text in orders:
            assert self.order(uid, name, text).disposition == "accepted"
        assert self.close(uid)

    def dispose(self) -> None:
        """Close the database's connections."""
        self.database.engine.dispose()


def enter(desk: Desk, name: str) -> str:
    """Sign a player in and return the session token."""
    return sessions.enter(desk.database, desk.player(name), now=desk.now).token
