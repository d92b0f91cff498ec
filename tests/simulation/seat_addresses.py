"""The addresses of seats as players know them: from the letters that they got."""

from email.message import EmailMessage

from sqlmodel import col, or_, select

from adjudicator.mail import addresses
from adjudicator.seal.tokens import hash_token
from adjudicator.service.base.tables import Link, Match, Seat
from adjudicator.service.tokens.references import split_vote
from tests.simulation.checks_secrecy import letter_body
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.ledger import Unknown
from tests.simulation.sink import Sink, Taken

# letters that are answered at other addresses
_NO_SEATS = frozenset({"invitation", "offer", "confirm", "signin"})


class SeatAddresses:
    """What the letters so far told of seats' addresses, by reader and match."""

    def __init__(self, fixture_db: FixtureDb, sink: Sink) -> None:
        self._fixture_db, self._sink = fixture_db, sink
        self._told: dict[tuple[str, str], str] = {}
        self.unknown: list[Unknown] = []  # letters that told what no row knew at that moment
        sink.readers.append(self._read)

    def token_of(self, address: str, uid: str) -> str | None:
        """Return the secret part of the address that leads to a seat of a match; None where no
        letter to `address` told it yet.
        """
        # after a seat changed hands its player waits for the next letter
        token = self._told.get((address, uid))
        return token if token is not None and self._is_known(token, uid) else None

    def _is_known(self, token: str, uid: str) -> bool:
        """Whether the row of a seat of this match has the hash of a token."""
        hashed = hash_token(split_vote(token)[0])
        own = (
            select(Seat.id)
            .join(Match, onclause=col(Seat.match_id) == col(Match.id))
            .where(Match.uid == uid)
        )
        with self._fixture_db.eyes.read_tx() as session:
            return (
                session.exec(
                    own.where(or_(col(Seat.token_hash) == hashed, col(Seat.earlier_hash) == hashed))
                ).first()
                is not None
            )

    def _read(self, taken: Taken) -> None:
        put = self._sink.world.put.get(taken.uid)
        if put is None:
            return
        if put.kind == "signin":
            self._read_link(taken)
        if put.kind in _NO_SEATS:
            return
        uid, token = self._answers(letter_body(taken))
        if uid and token and not token.startswith(addresses.MASTER):
            token, _ = split_vote(token)
            self._told[taken.to, uid] = token
            if not self._is_known(token, uid):
                self.unknown.append(Unknown(taken.uid, put.kind, uid))

    def _read_link(self, taken: Taken) -> None:
        body = letter_body(taken)
        if isinstance(body, dict):
            with self._fixture_db.eyes.read_tx() as session:
                known = session.exec(
                    select(Link.token_hash).where(Link.token_hash == hash_token(body["token"]))
                ).first()
            if known is None:
                self.unknown.append(Unknown(taken.uid, "signin", ""))

    def _answers(self, body: object) -> tuple[str, str]:
        """Return the match that a letter is about, and the secret part of the address to which it
        is answered.
        """
        if isinstance(body, EmailMessage):
            to, thread = body["Reply-To"], str(body["References"] or "").partition("@")[0]
            token = (
                addresses.token_of(self._fixture_db.settings, to.addresses[0].addr_spec)
                if to
                else None
            )
            return thread.removeprefix("<match-"), token or ""
        assert isinstance(body, dict)
        return body.get("uid", ""), body.get("reply_token") or ""
