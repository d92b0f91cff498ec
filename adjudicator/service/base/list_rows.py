"""The rows that a list of matches shows: seats, open phases, due seats. The number of statements
does not grow with the list.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, case
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select

from adjudicator.platform.statements.records import Query
from adjudicator.service.base.due.phase_clock import in_overtime
from adjudicator.service.base.memory import OF, keep_read, memory_of, only_looks
from adjudicator.service.base.rows import by_uid, require_seen
from adjudicator.service.base.state import progress_of
from adjudicator.service.base.tables import Due, Envelope, Match, PhaseRow, Player, Seat

NAMED_AT_ONCE = 1000  # matches in one statement
# with their players, in seat order, by match id
Seats = Mapping[int | None, Sequence[tuple[Seat, Player | None]]]
_Person = tuple[Seat, Player | None, Due | None]
_Columns = tuple[int | None, int | None, str, datetime | None, datetime | None]


@dataclass(frozen=True)
class OpenPhase:
    """What a line shows of an open phase."""

    name: str
    deadline: datetime | None
    overtime_until: datetime | None
    # of the due seats, in seat order; empty for an observer where no progress is shown
    dues: Sequence[Due]
    # whether the viewer handed in nothing, and orders of the seat's former player count
    inherited: bool


_SEATED = "seated"  # the kind of seats with their players in what a transaction has read
# The queries are made once: to make one takes longer than to run it.
_PEOPLE = (
    select(Seat, Player, Due)
    .join(Player, onclause=col(Seat.player_id) == col(Player.id), isouter=True)
    .join(
        PhaseRow,
        onclause=(col(PhaseRow.match_id) == col(Seat.match_id)) & col(PhaseRow.closed_at).is_(None),
        isouter=True,
    )
    .join(
        Due,
        onclause=(col(Due.phase_id) == col(PhaseRow.id)) & (col(Due.seat) == col(Seat.name)),
        isouter=True,
    )
    .order_by(col(Seat.position))
)
_SITTING = _PEOPLE.where(col(Seat.match_id).in_(OF))
_NAMED = select(Match.id).where(col(Match.uid) == bindparam("uid"))
# the match itself stands beside its first seat
_TABLE = Query(
    _PEOPLE.add_columns(Match)
    .join(
        Match,
        onclause=(col(Match.id) == col(Seat.match_id)) & (col(Seat.position) == 0),
        isouter=True,
    )
    .where(col(Seat.match_id) == _NAMED.scalar_subquery())
)
# as `phase_clock.in_overtime`
_OVERTIME = case(
    (col(PhaseRow.overtime_after) == col(PhaseRow.deadline), col(PhaseRow.overtime_until))
)
_PHASES = select_columns(
    col(PhaseRow.match_id), col(PhaseRow.id), col(PhaseRow.name), col(PhaseRow.deadline), _OVERTIME
).where(col(PhaseRow.closed_at).is_(None) & col(PhaseRow.match_id).in_(OF))


def read_table(session: Session, uid: str) -> Match:
    """Return the match of this public name; raises NotFound. A transaction that only looks keeps,
    for `seats_of` that comes next, its seats with their players, which the same statement reads.
    """
    looks = only_looks(session) and "\0" not in uid
    rows = _TABLE.all(session.connection(), {"uid": uid}) if looks else []
    if not rows or rows[0][3] is None:
        return by_uid(session, uid)
    match = memory_of(session)["match", uid] = require_seen(session, uid, rows[0][3])
    memory_of(session)[_SEATED, match.id] = [row[:3] for row in rows]
    return match


def seats_of(session: Session, matches: Sequence[Match]) -> Seats:
    """Return the seats of matches with their players; keep which of them are due in open phases."""
    by_match: dict[int | None, list[tuple[Seat, Player | None]]] = {}
    dues: dict[int | None, list[Due]] = {}
    for seat, player, due in _people(session, matches):
        by_match.setdefault(seat.match_id, []).append((seat, player))
        if due is not None:
            dues.setdefault(due.phase_id, []).append(due)
    for match_id, found in by_match.items():
        keep_read(session, ("seats", match_id), (seat for seat, _ in found))
        # so that neither `rows.players_of` nor `Session.get` asks for one of them again
        players = {player.id: player for _, player in found if player is not None}
        keep_read(session, ("players", frozenset(players)), players.values())
    for phase_id, due_seats in dues.items():
        due_seats.sort(key=lambda due: due.id or 0)
        keep_read(session, ("dues", phase_id), due_seats)
    return by_match


def _people(session: Session, matches: Sequence[Match]) -> Iterator[_Person]:
    read, others = memory_of(session), []
    for match in matches:
        if (known := read.pop((_SEATED, match.id), None)) is not None:
            yield from known
        else:
            others.append(match.id)
    for some in _parts(others):
        yield from session.exec(_SITTING, params={OF.key: some})


def open_phases(
    session: Session,
    matches: Sequence[Match],
    seats: Seats,
    player_id: int | None,
    now: datetime | None,
) -> dict[int | None, OpenPhase]:
    """Return the open phases of the running ones of these matches, whose `seats` this transaction
    has read, by match id, as a viewer sees them (None: an observer).
    """
    running, read = [match for match in matches if match.status == "running"], memory_of(session)
    with_progress = {
        match.id
        for match in running
        if player_id is not None or (now is not None and progress_of(match) != "none")
    }
    found = list(_phases(session, running))
    taken = _taken_seats(seats, player_id)
    inherited = _inherited(
        session,
        {phase_id: taken[match_id] for match_id, phase_id, *_ in found if match_id in taken},
    )
    return {
        match_id: OpenPhase(
            name,
            deadline,
            overtime,
            read.get(("dues", phase_id), ()) if match_id in with_progress else (),
            phase_id in inherited,
        )
        for match_id, phase_id, name, deadline, overtime in found
    }


def _phases(session: Session, matches: Sequence[Match]) -> Iterator[_Columns]:
    """Yield the columns of `_PHASES` for matches, of a phase that was read from its row."""
    read = memory_of(session)
    known = [phase for match in matches if (phase := read.get(("phase", match.id))) is not None]
    for phase in known:
        overtime = phase.overtime_until if in_overtime(phase) else None
        yield phase.match_id, phase.id, phase.name, phase.deadline, overtime
    others = {match.id for match in matches} - {phase.match_id for phase in known}
    for some in _parts(list(others)):
        for match_id, phase_id, name, deadline, overtime in session.execute(
            _PHASES, {OF.key: some}
        ):
            yield match_id, phase_id, name, deadline, overtime


def _taken_seats(seats: Seats, player_id: int | None) -> dict[int | None, Seat]:
    """Return the viewer's seats that others had before, by match id."""
    own = (
        seat
        for found in seats.values()
        for seat, _ in found
        if player_id is not None and seat.player_id == player_id
    )
    return {seat.match_id: seat for seat in own if seat.tenure > 1}


def _inherited(session: Session, taken: Mapping[int | None, Seat]) -> set[int | None]:
    """Return the phases in which only earlier tenures of these seats, given by phase id, sealed
    something; as `envelopes.is_inherited`.
    """
    if not taken:
        return set()
    columns = col(Envelope.phase_id), col(Envelope.seat), func.max(Envelope.tenure)
    newest = select_columns(*columns).group_by(col(Envelope.phase_id), col(Envelope.seat))
    found = [
        row
        for some in _parts(list(taken))
        for row in session.execute(newest.where(col(Envelope.phase_id).in_(some)))
    ]
    return {
        phase_id
        for phase_id, name, tenure in found
        if name == taken[phase_id].name and tenure < taken[phase_id].tenure
    }


def _parts(ids: Sequence[int | None]) -> list[Sequence[int | None]]:
    """Return ids in batches of NAMED_AT_ONCE."""
    return [ids[at : at + NAMED_AT_ONCE] for at in range(0, len(ids), NAMED_AT_ONCE)]
