"""The timekeeper: reads the clocks of all open phases after each commit that may change them, for
the checks.
"""

from collections import defaultdict
from datetime import date, datetime

from sqlmodel import Session, col, func, select

from adjudicator.platform import wakeups
from adjudicator.service.base.tables import (
    Absence,
    Due,
    Letter,
    Match,
    PhaseRow,
    Player,
    Receipt,
    Seat,
    ServiceStamp,
)
from tests.simulation.ledger import ClockReading, Ledger, Reminded
from tests.simulation.service import Service
from tests.simulation.world import Strand, World
from worker.tasks import BATCH

# that change clocks by themselves
TASKS = (wakeups.START, wakeups.CLOSE, BATCH, "sealed.remind")


def join(world: World, service: Service, ledger: Ledger) -> None:
    """Keep the time of a world."""
    if service.faults.crash_at is None:
        Timekeeper(world, service, ledger)


class Timekeeper:
    """Looks after the commits of a world."""

    def __init__(self, world: World, service: Service, ledger: Ledger) -> None:
        self._world, self._service, self._ledger = world, service, ledger
        self._watched, world.committed = world.committed, self._committed
        self._last_letter = 0

    def _committed(self, strand: Strand) -> None:
        self._watched(strand)
        if strand.name in TASKS:
            with self._service.fixture_db.eyes.read_tx() as session:
                self._read_clocks(session)
                self._read_reminders(session)

    def _read_clocks(self, session: Session) -> None:
        """Read the clocks that a commit set or changed."""
        clock = col(PhaseRow.deadline), col(PhaseRow.overtime_until), col(PhaseRow.moved_for_outage)
        wanted = select(
            Match.uid, PhaseRow.number, PhaseRow.id, PhaseRow.match_id, PhaseRow.opened_at, *clock
        )  # type: ignore[call-overload]
        for uid, number, phase_id, match_id, opened, deadline, overtime, moved in session.exec(
            wanted.join(Match, onclause=col(PhaseRow.match_id) == col(Match.id)).where(
                col(PhaseRow.closed_at).is_(None)
            )
        ):
            known = self._ledger.clocks.setdefault((uid, number), [])
            if known and (known[-1].deadline, known[-1].overtime, known[-1].moved_for_outage) == (
                deadline,
                overtime,
                moved,
            ):
                continue
            dues = session.exec(select(Due).where(Due.phase_id == phase_id)).all()
            people = _people(session, match_id)
            known.append(
                ClockReading(
                    self._world.commits,
                    self._world.now(),
                    opened,
                    deadline,
                    overtime,
                    moved,
                    _newest_receipt(session, match_id),
                    tuple(due.seat for due in dues if due.handed_in_at is None),
                    tuple(due.seat for due in dues if due.says == "ready"),
                    people,
                    _away(session, [player for player, *_ in people.values()]),
                    _stamps(session) if moved else frozenset(),
                )
            )

    def _read_reminders(self, session: Session) -> None:
        written = select(
            Letter.id, Letter.uid, Match.uid, Letter.match_id, Letter.seat, Letter.phase_number
        )
        written = written.join(Match, onclause=col(Letter.match_id) == col(Match.id))
        found = session.exec(
            written.where(Letter.kind == "reminder", col(Letter.id) > self._last_letter).order_by(
                col(Letter.id)
            )
        )
        for letter_id, letter, uid, match_id, seat, phase in found:
            self._last_letter = letter_id or 0
            reading, newest = (
                self._ledger.clocks[uid, phase or 0][-1],
                _newest_receipt(session, match_id or 0),
            )
            self._ledger.reminded.append(
                Reminded(letter, uid, seat or "", phase or 0, self._world.now(), newest, reading)
            )


def _newest_receipt(session: Session, match_id: int) -> int:
    return session.exec(select(func.max(Receipt.id)).where(Receipt.match_id == match_id)).one() or 0


def _people(session: Session, match_id: int) -> dict[str, tuple[int, str, str]]:
    """Return the persons in the seats of a match."""
    sits = (
        select(Seat, Player)
        .join(Player, onclause=col(Seat.player_id) == col(Player.id))
        .where(Seat.match_id == match_id)
    )
    rows = session.exec(sits.where(col(Player.house).is_(False)).order_by(col(Seat.position)))
    return {seat.name: (player.id or 0, player.name, player.zone) for seat, player in rows}


def _away(session: Session, players: list[int]) -> dict[int, tuple[tuple[date, date], ...]]:
    """Return the absences of players."""
    found = defaultdict(list)
    for row in session.exec(
        select(Absence).where(col(Absence.player_id).in_(players)).order_by(col(Absence.id))
    ):
        found[row.player_id].append((row.first, row.last))
    return {player: tuple(spans) for player, spans in found.items()}


def _stamps(session: Session) -> frozenset[tuple[str, datetime]]:
    return frozenset(
        (role, minute)
        for role, minute in session.exec(select(ServiceStamp.role, ServiceStamp.minute))
    )
