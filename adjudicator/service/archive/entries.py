"""Puts ended public matches into the archive, one row each. A sweep finds them; those of older
releases too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, select

from adjudicator.core.game import View
from adjudicator.platform import entropy
from adjudicator.platform.db import Database
from adjudicator.service.archive import tallies
from adjudicator.service.archive.openings import first_orders, opening_key
from adjudicator.service.base import shown
from adjudicator.service.base.rows import by_uid, lock_by_uid
from adjudicator.service.base.state import game_of, viewer_of
from adjudicator.service.base.tables import (
    ArchivedMatch,
    ArchivedSeat,
    Match,
    PhaseRow,
    Player,
    Seat,
    TournamentTable,
)

RESULTS = ("won", "shared", "stopped")
GUEST_DAYS = 90  # for which a match without people stays in the archive
LOTS = 2**31  # values of `ArchivedMatch.lot`
# reasons of a stop after which the result counts, as by the rules
_BY_AGREEMENT = (None, "draw", "conceded")
_ERASED_AT_ONCE = 500


def to_archive(session: Session, *, most: int) -> list[str]:
    """Return the public names of ended public matches that the archive has not looked at, the
    oldest first.
    """
    wanted = select(Match.uid).where(
        col(Match.archived).is_(False), Match.status == "ended", col(Match.private).is_(False)
    )
    return list(session.exec(wanted.order_by(col(Match.ended_at)).limit(most)))


def archive_match(database: Database, uid: str) -> bool:
    """Put a match into the archive and count it, once; returns whether this call did. Raises
    NotFound.

    A private match stays out until everybody who took part has opened it; one without a phase and
    without a result for good.
    """
    with database.read_tx() as session:
        match = by_uid(session, uid)
        read = _read(session, match) if _waits(match) else None
    if read is None:
        return False
    with database.write_tx() as session:
        current = lock_by_uid(session, uid)
        if not _waits(current):
            return False
        current.archived = True
        if not read.phases and (not match.result or read.result == "stopped"):
            return False
        session.add(read.entry())
        session.flush()
        session.add_all(read.seats())
        session.flush()
        if read.people:
            tallies.count(session, read.counted())
    return True


def leave_out(database: Database, uid: str) -> None:
    """Leave a match out of the archive for good, as its rows cannot be read."""
    with database.write_tx() as session:
        lock_by_uid(session, uid).archived = True


def _waits(match: Match) -> bool:
    return (
        match.status == "ended"
        and not match.private
        and not match.archived
        and match.ended_at is not None
    )


def erase_guests(database: Database, now: datetime) -> int:
    """Take matches without people out of the archive after GUEST_DAYS; returns how many."""
    before, erased = now - timedelta(days=GUEST_DAYS), 0
    old = select(ArchivedMatch.match_id).where(
        col(ArchivedMatch.people).is_(False), col(ArchivedMatch.ended_at) < before
    )
    while True:
        with database.write_tx() as session:
            ids = session.exec(old.limit(_ERASED_AT_ONCE)).all()
            session.exec(delete(ArchivedSeat).where(col(ArchivedSeat.match_id).in_(ids)))
            session.exec(delete(ArchivedMatch).where(col(ArchivedMatch.match_id).in_(ids)))
        erased += len(ids)
        if len(ids) < _ERASED_AT_ONCE:
            return erased


# --- what is read of a match


@dataclass(frozen=True)
class _Read:
    """An ended match with its closed phases, read for the archive."""

    match: Match
    rows: Sequence[tuple[Seat, Player | None]]
    phases: Sequence[PhaseRow]  # closed, in which somebody owed orders, oldest first
    tournament_id: int | None
    views: Sequence[View]  # an observer's, as `shown.read_views` returns them

    @property
    def persons(self) -> int:
        """How many seats people with an address had, erased ones included."""
        known = (player for _, player in self.rows if player is not None and not player.house)
        return sum(player.address is not None or player.erased_at is not None for player in known)

    @property
    def people(self) -> bool:
        return self.persons > 0 or self.imported

    @property
    def imported(self) -> bool:
        return self.match.imported

    @property
    def outcomes(self) -> dict[str, str]:
        return {seat: each["outcome"] for seat, each in (self.match.result or {}).items()}

    @property
    def result(self) -> str:
        if self.match.stopped_why not in _BY_AGREEMENT:
            return "stopped"
        return "won" if "won" in self.outcomes.values() else "shared"

    def entry(self) -> ArchivedMatch:
        """Return the row of the match."""
        match, classic = (
            self.match,
            bool(self.phases) and is_classic(self.result, self.persons, imported=self.imported),
        )
        assert match.ended_at is not None  # noqa: S101 it has ended
        return ArchivedMatch(
            match_id=match.id,
            game=match.game,
            ended_at=match.ended_at,
            phases=len(self.phases),
            result=self.result,
            winner=(
                next((seat for seat, how in self.outcomes.items() if how == "won"), None)
                if self.result == "won"
                else None
            ),
            people=self.people,
            tournament_id=self.tournament_id,
            imported=self.imported,
            lot=int.from_bytes(entropy.token_bytes(4)) % LOTS if classic else None,
        )

    def seats(self) -> list[ArchivedSeat]:
        """Return the rows of the seats."""
        opened = self.openings()
        return [
            ArchivedSeat(
                match_id=self.match.id or 0,
                seat=seat.name,
                player_id=player.id if player and not player.house else None,
                named=seat.named.casefold() if seat.named else None,
                opening=(
                    opening_key(self.match.game, seat.name, opened[seat.name][0])
                    if seat.name in opened
                    else None
                ),
            )
            for seat, player in self.rows
        ]

    def openings(self) -> dict[str, tuple[str, ...]]:
        """Return the first orders of each seat as a stranger may know them."""
        return dict(first_orders(self.phases[:3], viewer_of(self.match, None, {})))

    def counted(self) -> tallies.Counted:
        """Return what statistics count."""
        return tallies.Counted(
            self.match, len(self.phases), self.result, self.outcomes, self.openings(), self.views
        )


def is_classic(result: str, persons: int, *, imported: bool) -> bool:
    """Whether *random classic* may show a match: people played each other, and it reached a
    result.
    """
    return result != "stopped" and (persons > 1 or imported)


def _read(session: Session, match: Match) -> _Read:
    sitting = select(Seat, Player).join(
        Player, onclause=col(Seat.player_id) == col(Player.id), isouter=True
    )
    rows = session.exec(sitting.where(Seat.match_id == match.id).order_by(col(Seat.position))).all()
    closed = select(PhaseRow).where(
        PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None), PhaseRow.number > 0
    )
    phases = session.exec(closed.order_by(col(PhaseRow.number))).all()
    table = session.get(TournamentTable, match.table_id) if match.table_id is not None else None
    views = shown.read_views(session, match) if game_of(match).ownership is not None else ()
    return _Read(match, rows, phases, table.tournament_id if table else None, views)
