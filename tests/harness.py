"""The tests' harness: the service's use cases on a database, with a keyring and a clock set by
hand.
"""

import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from sqlmodel import Session, select

from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import public_keys, rows
from adjudicator.service.base.tables import Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches import creation, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import submitting
from adjudicator.service.orders.submission import Submission
from adjudicator.service.people import accounts
from adjudicator.service.people.sessions import NewSession
from adjudicator.service.phases import beginning, closing
from adjudicator.service.posting import claims
from adjudicator.service.tokens import references
from adjudicator.service.tokens.references import Reference
from adjudicator.service.views import conditions, match_page
from adjudicator.service.views.conditions import ToldTerm
from tests.cast import address
from tests.keychain import Keychain
from tests.prepared import Prepared, usual_keys
from tests.sampling import EVERY_CASE
from tests.tokens import tell_token

BEGIN = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)


class Harness:
    """Plays matches without any of the service's processes.

    `who` is a person's name or address. Players are created when they are first named.
    """

    def __init__(self, url: str, keyring: Keyring | None = None, *, now: datetime = BEGIN) -> None:
        """Open a migrated database and publish these keys in it, by default those of the test
        process.
        """
        self.keyring = keyring or (fresh_keys() if EVERY_CASE else usual_keys())
        self.keychain = Keychain(self.keyring)
        self.database = self.keychain.bind(Database(url))
        self.now = now
        self.people: dict[str, int] = {}
        with self.database.write_tx() as session:
            public_keys.publish_keys(session, self.keyring.public, self.now)
        self._prepared = Prepared(self.database, (type(self), self.keyring.signing))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.dispose()

    def dispose(self) -> None:
        """Close the database's connections."""
        self._prepared.close()
        self.database.engine.dispose()

    def later(self, **span: float) -> datetime:
        """Advance the clock by a `timedelta` of this span; return the new time."""
        self.now += timedelta(**span)
        return self.now

    # --- people

    def player(self, who: str, *, guest: bool = False, zone: str = "UTC") -> int:
        """Return a player's id; a new player has the address of their name, a guest has none."""
        if who not in self.people:
            with (
                self._prepared.passing(("player", who, guest, zone, self.now)),
                self.database.write_tx() as session,
            ):
                self.people[who] = (
                    self._guest(session, who) if guest else self._addressed(session, who, zone)
                )
        return self.people[who]

    def _guest(self, session: Session, name: str) -> int:
        row = Player(name=name, address=None, made_at=self.now)
        session.add(row)
        session.flush()
        self.keychain.enter(session, row)
        return row.id or 0

    def _addressed(self, session: Session, who: str, zone: str) -> int:
        known = session.exec(select(Player).where(Player.address == address(who))).first()
        row = known or accounts.for_address(session, address(who), zone=zone, now=self.now)
        if known is None:
            local = address(who).partition("@")[0]
            row.name = local.capitalize() if "@" in who else who
        return row.id or 0

    def enter(self, who: str) -> str:
        """Sign a player in, as the worker confirms it; return the session's token."""
        return self.sign_in(self.player(who)).token

    def sign_in(self, player_id: int) -> NewSession:
        """Do as `enter` for the player of an id."""
        return self.keychain.sign_in(self.database, player_id, now=self.now)

    # --- matches

    def prepare_match(self, wish: Wish, maker: str, *others: str) -> str:
        """Make and prepare a match and seat the others in order, without starting it. Return its
        uid.
        """
        if made := self._find("prepare", wish, maker, *others):
            return made
        uid = creation.make_match(self.database, self.player(maker), wish, now=self.now)
        assert beginning.prepare_match(self.database, self.keyring, uid, now=self.now)
        for who in others:
            seats.take_seat(self.database, uid, self.player(who), now=self.now)
        self._keep(uid)
        return uid

    def start_match(self, uid: str) -> bool:
        """Start a prepared match if it can be started."""
        if self._find("start", uid):
            return True
        if not beginning.start_match(self.database, self.keyring, uid, now=self.now):
            self._prepared.close()
            return False
        self._keep(uid)
        return True

    def _find(self, step: str, *given: object) -> str:
        """Return the match that a step made, if it was prepared; else ""."""
        made = self._prepared.find((step, self.now, repr(self.people), repr(given)))
        if made is None:
            return ""
        self.people = dict(made.people)
        self.keychain.recall(made.cookies)
        return made.uid

    def _keep(self, uid: str) -> None:
        self._prepared.keep(uid, self.people, self.keychain.cookies)

    def match(self, *people: str, wish: Wish | None = None) -> str:
        """Make and start a match of these people in seat order, by default a Pyramid match
        completed with house bots.
        """
        uid = self.prepare_match(
            wish or Wish("pyramid", "Table", {}, house=3 - len(people)), *people
        )
        assert self.start_match(uid)
        return uid

    def order(
        self, uid: str, who: str, text: str, *, phase: int | None = None, channel: str = "form"
    ) -> Acknowledgement:
        """Submit orders for a player."""
        return submitting.submit_orders(
            self.database, Submission(uid, self.player(who), text, channel, self.now, phase)
        )

    def close(self, uid: str) -> bool:
        """Close the match's phase if it is due."""
        return closing.close_phase(self.database, self.keyring, uid, now=self.now)

    def round(self, uid: str, orders: Iterable[tuple[str, str]]) -> None:
        """Submit orders of one round and close it."""
        for who, text in orders:
            assert self.order(uid, who, text).disposition == "accepted"
        assert self.close(uid)

    def page(self, uid: str, who: str | None = None) -> match_page.MatchPage:
        """Return the match's page as a player or an observer sees it."""
        with self.database.read_tx() as session:
            return match_page.match_page(
                session, uid, self.player(who) if who else None, now=self.now
            )

    def terms(self, uid: str, who: str | None = None) -> tuple[ToldTerm, ...]:
        """Return what a player or an observer is told of the match's terms."""
        with self.database.read_tx() as session:
            return conditions.told_terms(session, uid, self.player(who) if who else None)

    def story(self, uid: str, number: int, who: str | None = None) -> match_page.Story:
        """Return a closed phase's page."""
        with self.database.read_tx() as session:
            _, story = match_page.phase_page(
                session, uid, number, self.player(who) if who else None, now=self.now
            )
        assert story is not None
        return story

    def seats(self, uid: str) -> list[Seat]:
        """Return the rows of a match's seats."""
        with self.database.read_tx() as session:
            return rows.seats_of(session, rows.by_uid(session, uid))

    # --- letters

    def address_token(self, uid: str, place: int) -> str:
        """Return the secret part of the mail address of the seat at a place in seat order; its hash
        is stored, as by a letter.
        """
        with self.database.read_tx() as session:
            match = rows.by_uid(session, uid)
            return self.token(references.of_seat(match, rows.seats_of(session, match)[place]))

    def token(self, wanted: Reference) -> str:
        """Return a token, and let it work as after the letter that tells it."""
        return tell_token(self.database, self.keyring, wanted)

    def claim_waiting(self) -> list[LetterToSend]:
        """Claim the letters that wait, as a worker does; return them opened."""
        with self.database.read_tx() as session:
            waiting = outbox.waiting_letters(session, self.now)
        return [
            one
            for each in waiting
            for one in claims.claim_letters(self.database, self.keyring, [each], self.now)
        ]


def fresh_keys() -> Keyring:
    """Return a new keyring that is in no file."""
    with tempfile.TemporaryDirectory() as folder:
        return crypto.ensure_key_file(Path(folder) / "worker.key")
