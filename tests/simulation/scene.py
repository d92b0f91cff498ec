"""What checks can see: the ledger, the letters that the mail server accepted, and all rows of the
database.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adjudicator.service.base.tables import Incoming, Letter, Match, PhaseRow, Receipt, Seat
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.ledger import Ledger
from tests.simulation.sink import Sink
from tests.simulation.world import World


def ends(phase: PhaseRow) -> datetime:
    """Return the last call of a phase with a deadline: the end of the grace, or of the overtime
    that followed its deadline.
    """
    assert phase.deadline is not None, "the caller looked"
    if phase.overtime_until is not None and phase.overtime_after == phase.deadline:
        return phase.overtime_until
    return phase.deadline + timedelta(seconds=phase.grace_seconds)


Check = Callable[[Session, "Scene"], Iterator[str]]


class Scene:
    """Everything that checks can see."""

    def __init__(
        self, world: World, fixture_db: FixtureDb, sink: Sink, ledger: Ledger, session: Session
    ) -> None:
        self.world, self.fixture_db, self.sink, self.ledger = world, fixture_db, sink, ledger
        self.matches = {
            match.id: match for match in session.exec(select(Match).order_by(col(Match.id)))
        }
        self.phases = list(
            session.exec(select(PhaseRow).order_by(col(PhaseRow.match_id), col(PhaseRow.number)))
        )
        self.of_match = defaultdict(list)
        for phase in self.phases:
            self.of_match[self.matches[phase.match_id].uid].append(phase)
        self.submissions = list(session.exec(select(Receipt).order_by(col(Receipt.id))))
        # the others are bare words, without parts
        self.receipts = [each for each in self.submissions if each.commitments]
        self.rejected = [each for each in self.submissions if each.rejected is not None]
        self.letters = list(session.exec(select(Letter).order_by(col(Letter.id))))
        self.incoming = list(session.exec(select(Incoming).order_by(col(Incoming.id))))
        self.seats = list(session.exec(select(Seat).order_by(col(Seat.id))))
        self.changing = {sat.uid for sat in ledger.sat}  # the matches whose seats change hands
        present = {
            (self.matches[seat.match_id].uid, seat.name, seat.tenure): seat.player_id
            for seat in self.seats
        }
        self._sat = present | {
            (sat.uid, sat.seat, sat.tenure): sat.player
            for sat in ledger.sat
            if sat.player is not None
        }

    def sitter(self, match_id: int | None, seat: str | None, tenure: int) -> int | None:
        """Return the player of a tenure."""
        return (
            self._sat.get((self.matches[match_id].uid, seat or "", tenure))
            if match_id is not None
            else None
        )

    def sitters(self, match_id: int | None, seat: str) -> set[int]:
        """Return everybody who ever had a seat."""
        uid = self.matches[match_id].uid
        return {
            player
            for (of, name, _), player in self._sat.items()
            if (of, name) == (uid, seat) and player is not None
        }

    def moves_by_itself(self, phase: PhaseRow) -> bool:
        """Whether a phase's deadline moved while it was open, by hand or as the service was
        down.
        """
        return phase.moved_for_outage or self.matches[phase.match_id].uid in self.ledger.run_by_hand

    def phase(self, uid: str, number: int) -> PhaseRow | None:
        """Return a phase of a match."""
        return next((phase for phase in self.of_match[uid] if phase.number == number), None)
