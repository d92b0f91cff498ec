"""Who sits where in a match whose seats change hands, recorded after each commit."""

from collections.abc import Callable

from sqlmodel import col, select

from adjudicator.service.base.tables import Match, PhaseRow, Seat
from tests.simulation.ledger import Ledger, Sat
from tests.simulation.service import Service
from tests.simulation.world import Strand, World

DESERTED = "every player had gone"


class Sittings:
    """The seats of a match as its last commit left them; `changed` gets each seat before and after
    a commit that changed it.
    """

    def __init__(
        self,
        world: World,
        service: Service,
        ledger: Ledger,
        uid: str,
        changed: Callable[[Sat, Sat], None],
    ) -> None:
        self._world, self._ledger, self._eyes, self._uid, self._changed = (
            world,
            ledger,
            service.fixture_db.eyes,
            uid,
            changed,
        )
        self.last: dict[str, Sat] = {}
        self._watched, world.committed = world.committed, self._committed

    def _committed(self, strand: Strand) -> None:
        """Record the seats that a commit has changed."""
        self._watched(strand)
        with self._eyes.read_tx() as session:
            match = session.exec(select(Match).where(Match.uid == self._uid)).one()
            if match.started_at is None:  # until then its seats are given, and get other names
                return
            opened = select(PhaseRow.number).where(
                PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None)
            )
            phase = session.exec(opened).first() if match.status == "running" else None
            rows = list(
                session.exec(
                    select(Seat).where(Seat.match_id == match.id).order_by(col(Seat.position))
                )
            )
        now = [self._sat(row, phase) for row in rows]
        changed = [sat for sat in now if _kept(self.last.get(sat.seat)) != _kept(sat)]
        for sat in changed:
            before = self.last.get(sat.seat)
            if before is not None:
                self._changed(before, sat)
            self._ledger.sat.append(sat)
            self.last[sat.seat] = sat
        gone = bool(now) and phase is not None and all(sat.open_since is not None for sat in now)
        if gone and match.paused_at is None:
            self._ledger.troubles.append(
                f"a deserted match is paused: {self._uid} goes on, and every player has gone"
            )
        if match.deserted and not gone and phase is not None:
            self._ledger.troubles.append(
                f"a deserted match is paused: {self._uid} is taken for deserted, and somebody sits"
                " there"
            )
        if gone and changed:
            self._world.fire(DESERTED)

    def _sat(self, row: Seat, phase: int | None) -> Sat:
        return Sat(
            self._uid,
            row.name,
            row.tenure,
            row.player_id,
            row.token_n,
            row.owner_id,
            row.returns_at,
            row.open_since,
            row.misses,
            row.taken_at,
            phase,
            self._world.commits,
            self._world.seconds,
            self._world.now(),
        )


def _kept(sat: Sat | None) -> object:
    """Return what makes a seat another one than before."""
    if sat is None:
        return None
    return (
        sat.tenure,
        sat.player,
        sat.address,
        sat.owner,
        sat.returns_at,
        sat.open_since,
        sat.misses,
        sat.phase,
    )
