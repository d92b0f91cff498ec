"""Somebody who can write every row of the database, and what the tests of such attacks look at."""

from collections.abc import Callable
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place
from adjudicator.seal.requests import SessionKey
from adjudicator.service.base.rows import by_uid, open_phase
from adjudicator.service.base.storing import add_at_end
from adjudicator.service.base.tables import Match, PhaseRow, Receipt
from adjudicator.service.log.entries import list_entries
from adjudicator.service.log.vouching import receipt_request
from adjudicator.service.orders.envelopes import make_envelope
from tests.cast import MALLORY
from tests.harness import Harness


class Attacker:
    """A process that may write every row: it has a database, a session of its own, and nothing
    else.
    """

    def __init__(self, harness: Harness, uid: str) -> None:
        self.harness, self.uid = harness, uid
        self.database = Database(
            str(harness.database.engine.url.render_as_string(hide_password=False))
        )
        self.cookie = harness.enter(MALLORY)
        self.key = SessionKey.of_cookie(self.cookie)

    def change(self, work: Callable[[Session, Match, PhaseRow], None]) -> None:
        """Change rows of the open phase."""
        with self.database.write_tx() as session:
            match = by_uid(session, self.uid)
            phase = open_phase(session, match)
            assert phase is not None
            work(session, match, phase)

    def add_orders(self, seat: str, text: str, *, sign: bool) -> None:
        """Store orders of a seat as the site stores them, signed by the attacker's own session or
        by nobody.
        """

        def work(session: Session, match: Match, phase: PhaseRow) -> None:
            newest = (
                session.exec(
                    select(Receipt.seq)
                    .where(Receipt.seat == seat)
                    .order_by(col(Receipt.seq).desc())
                ).first()
                or 0
            )
            place = Place(match.uid, phase.number, seat, newest + 1)
            parts = commitments.commit_parts(place, [text], ready=True)
            envelope = make_envelope(phase, place, Contents(parts), self.harness.now, tenure=1)
            add_at_end(session, envelope)
            row = Receipt(
                match_id=match.id or 0,
                phase_number=phase.number,
                seat=seat,
                seq=place.seq,
                channel="form",
                at=self.harness.now,
                disposition="accepted",
                commitments=[(0, parts[0].commitment)],
                complete=True,
            )
            if sign:
                row.signer, row.request_signature = (
                    self.key.public,
                    self.key.sign(receipt_request(match.uid, row)),
                )
            session.add(row)

        self.change(work)

    def dispose(self) -> None:
        self.database.engine.dispose()


def entries(harness: Harness, uid: str, kind: str) -> list[dict[str, Any]]:
    with harness.database.read_tx() as session:
        return [
            each.plain for each in list_entries(session, by_uid(session, uid)) if each.type == kind
        ]


def played(harness: Harness, uid: str) -> dict[str, Any]:
    """Close the phase after its deadline; return what each seat played."""
    harness.later(hours=80)
    assert harness.close(uid)
    return {
        entry["seat"]: entry for entry in entries(harness, uid, "result")[-1]["body"]["openings"]
    }


def rejected(harness: Harness) -> list[Receipt]:
    with harness.database.read_tx() as session:
        return list(session.exec(select(Receipt).where(col(Receipt.rejected).is_not(None))))


def tampering(harness: Harness, uid: str) -> list[str]:
    return [each["body"]["kind"] for each in entries(harness, uid, "tampering")]
