"""What checks can see: the ledger, the letters that the mail server accepted, and all rows of the database."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from sqlmodel import Session, col, select

from adjudicator.service.base.tables import Incoming, Letter, Match, PhaseRow, Receipt, Seat
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.ledger import Ledger
from tests.simulation.sink import Sink
from tests.simulation.world import World

Check = Callable[[Session, "Scene"], Iterator[str]]


class Scene:
    """Everything that checks can see."""

    def __init__(self, world: World, fixture_db: FixtureDb, sink: Sink, ledger: Ledger, session: Session) -> None:
        self.world, self.fixture_db, self.sink, self.ledger = world, fixture_db, sink, ledger
        self.matches = {match.id: match for match in session.exec(select(Match).order_by(col(Match.id)))}
        self.phases = list(session.exec(select(PhaseRow).order_by(col(PhaseRow.match_id), col(PhaseRow.number))))
        self.of_match = defaultdict(list)
        for phase in self.phases:
            self.of_match[self.matches[phase.match_id].uid].append(phase)
        self.receipts = list(session.exec(select(Receipt).order_by(col(Receipt.id))))
        self.letters = list(session.exec(select(Letter).order_by(col(Letter.id))))
        self.incoming = list(session.exec(select(Incoming).order_by(col(Incoming.id))))
        self.seats = list(session.exec(select(Seat).order_by(col(Seat.id))))

    def phase(self, uid: str, number: int) -> PhaseRow | None:
        """Return a phase of a match."""
        return next((phase for phase in self.of_match[uid] if phase.number == number), None)
