"""The session keys of the tests' players: what their browsers' cookies give, and the worker's word
for each.
"""

import base64
import hashlib
from datetime import datetime, timedelta
from functools import cache
from threading import Lock

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database, begin_write
from adjudicator.seal import requests
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import SessionKey, Voucher, WorkerSigner
from adjudicator.service.base.rows import token_hash
from adjudicator.service.base.tables import Player, SignedIn
from adjudicator.service.people import sessions
from adjudicator.service.people.sessions import NewSession
from adjudicator.service.requests import confirming
from adjudicator.service.requests.confirming import Evidence
from adjudicator.service.requests.signing import SIGNERS

LONG_AGO, FOREVER = datetime.fromisoformat("2020-01-01T00:00:00Z"), timedelta(days=36500)


class Keychain:
    """Signs what players ask: each has a session that the worker looked at. The worker vouches for
    house bots and for the host.
    """

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self.cookies: dict[int, str] = {}
        self.begun: set[str] = set()  # the token hashes of all sessions that it ever began
        self._entering = Lock()  # submissions that come together lock nothing before they sign

    def bind(self, database: Database) -> Database:
        """Return the database for tests that act as the site and as the worker."""
        return database.knowing(**{SIGNERS: self.find})

    def hold(self, player_id: int, cookie: str) -> None:
        """Let a player act by the session of this cookie from now on."""
        self.cookies[player_id] = cookie

    def recall(self, cookies: dict[int, str]) -> None:
        """Know the sessions that are in a database which was copied."""
        self.cookies = dict(cookies)
        self.begun |= {token_hash(each) for each in cookies.values()}

    def find(self, session: Session, player_id: int | None) -> Voucher | None:
        """Return who vouches for a player's request."""
        if player_id in self.cookies:
            return _key_of(self.cookies[player_id])
        player = session.get(Player, player_id) if player_id else None
        if player is None or player.house:
            return WorkerSigner(self._keyring)
        return _key_of(self.enter(session, player))

    def sign_in(self, database: Database, player_id: int, *, now: datetime) -> NewSession:
        """Begin another session of a player, and have the worker vouch for it."""
        entry = sessions.sign_in(database, player_id, Evidence("invitation"), now=now)
        self.begun.add(token_hash(entry.token))
        with database.write_tx() as session:
            row, player = (
                session.get_one(SignedIn, token_hash(entry.token)),
                session.get_one(Player, player_id),
            )
            confirming.vouch(self._keyring, row, self._who(session, player))
        return entry

    def enter(self, session: Session, player: Player) -> str:
        """Sign a player in, unless that was done before, and have the worker vouch for it; returns
        the cookie.
        """
        assert player.id is not None
        if player.id in self.cookies:
            return self.cookies[player.id]
        begin_write(session.connection())  # on SQLite its lock comes before ours
        with self._entering:
            return self._enter(session, player, _cookie_of(player.id))

    def _enter(self, session: Session, player: Player, cookie: str) -> str:
        self.begun.add(token_hash(cookie))
        row = session.get(SignedIn, token_hash(cookie))
        if row is None:
            row = SignedIn(
                token_hash=token_hash(cookie),
                player_id=player.id or 0,
                made_at=LONG_AGO,
                until=LONG_AGO + FOREVER,
                used_at=LONG_AGO,
            )
            session.add(row)
        if row.public != (public := _key_of(cookie).public):  # an upgraded database has none
            row.public = public
        if row.proof is None or row.who != self._who(session, player):
            confirming.vouch(self._keyring, row, self._who(session, player))
            session.flush()
        return cookie

    def _who(self, session: Session, player: Player) -> str:
        if player.address is not None:
            return requests.who_of_address(self._keyring, player.address)
        keyed = (SignedIn.player_id == player.id, col(SignedIn.public).is_not(None))
        first = session.exec(
            select(SignedIn.public).where(*keyed).order_by(col(SignedIn.made_at)).limit(1)
        ).first()
        return requests.who_of_guest(first or _key_of(_cookie_of(player.id or 0)).public)


@cache
def _key_of(cookie: str) -> SessionKey:
    return SessionKey.of_cookie(cookie)


@cache
def _cookie_of(player_id: int) -> str:
    secret = hashlib.sha256(f"the cookie of player {player_id}".encode()).digest()
    return base64.urlsafe_b64encode(secret).rstrip(b"=").decode()
