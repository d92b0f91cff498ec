"""The phases of a match as its pages show them, all read by one statement.

What a closed phase says, and its board, are kept in memory by everything that they are made from:
the stored texts of the phase, and what its viewer may know.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from sqlalchemy import String, bindparam, case, cast, literal
from sqlalchemy import select as select_columns
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from adjudicator.core.game import AnyGame, Seat
from adjudicator.platform.byte_cache import ByteCache
from adjudicator.service.base.memory import memory_of
from adjudicator.service.base.rows import open_phase
from adjudicator.service.base.state import Viewer, load_events, load_state
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.posting.phase_sections import tell_phase

TOLD_AT_ONCE = 6  # phases that the match's page retells at most
T = TypeVar("T")
MOST_KEPT = 8 * 1024 * 1024  # bytes of the stories and boards of a process, about


@dataclass(frozen=True)
class PhaseLine:
    """A phase in the list of a match."""

    number: int
    name: str
    closed_at: datetime | None
    why: str


@dataclass(frozen=True)
class ClosedPhase(PhaseLine):
    """A closed phase with its contents, as the JSON texts that are stored."""

    closed_at: datetime
    opened_at: datetime
    rules_version: int
    due: str
    dropped: str
    after: str
    events: str
    taken: str

    @cached_property
    def row(self) -> PhaseRow:
        """The contents as a row that belongs to no transaction."""
        texts = ("due", "dropped", "after", "events", "taken")
        return PhaseRow(
            match_id=0,
            number=self.number,
            name=self.name,
            closed_at=self.closed_at,
            why=self.why,
            opened_at=self.opened_at,
            rules_version=self.rules_version,
            **{name: json.loads(getattr(self, name) or "null") for name in texts},
        )

    def is_due(self, seat: Seat | None) -> bool:
        """Whether a seat owed orders in it."""
        return seat in json.loads(self.due)


@dataclass(frozen=True)
class Phases:
    """The phases of a match."""

    lines: tuple[PhaseLine, ...]  # all but the one in which it was stopped, in order
    open: PhaseRow | None
    newest: tuple[ClosedPhase, ...]  # the closed ones, newest first, at most TOLD_AT_ONCE


@dataclass(frozen=True)
class PhaseBoard:
    """The board after a phase, as one viewer may see it."""

    picture: str
    text: str
    scores: Mapping[str, int]


# The queries are made once: to make one takes longer than to run it.
_OF_MATCH = col(PhaseRow.match_id) == bindparam("match")
_CLOSED = col(PhaseRow.closed_at).is_not(None)
_LINE = (col(PhaseRow.number), col(PhaseRow.name), col(PhaseRow.closed_at), col(PhaseRow.why))
_SHORT = (col(PhaseRow.opened_at), col(PhaseRow.rules_version))
_TEXTS = tuple(
    cast(col(each), String)
    for each in (PhaseRow.due, PhaseRow.dropped, PhaseRow.after, PhaseRow.events, PhaseRow.taken)
)
_other, _open = aliased(PhaseRow), aliased(PhaseRow)
_first = (
    select_columns(col(_other.number))
    .where(col(_other.match_id) == bindparam("match"), col(_other.closed_at).is_not(None))
    .order_by(col(_other.number).desc())
    .offset(TOLD_AT_ONCE - 1)
    .limit(1)
)
_TOLD = _CLOSED & (col(PhaseRow.number) >= func.coalesce(_first.scalar_subquery(), literal(0)))
_ALL = (
    select_columns(_open, *_LINE, *_SHORT, *(case((_TOLD, text)) for text in _TEXTS))
    .join_from(
        PhaseRow,
        _open,
        (col(_open.id) == col(PhaseRow.id)) & col(_open.closed_at).is_(None),
        isouter=True,
    )
    .where(_OF_MATCH)
    .order_by(col(PhaseRow.number))
)
_SOME = (
    select_columns(*_LINE, *_SHORT, *_TEXTS)
    .where(_OF_MATCH, _CLOSED, col(PhaseRow.number).between(bindparam("since"), bindparam("until")))
    .order_by(col(PhaseRow.number).desc())
    .limit(bindparam("most"))
)
_kept: ByteCache[bytes, tuple[AnyGame, Any]] = ByteCache(MOST_KEPT)


def read_phases(session: Session, match: Match) -> Phases:
    """Return the phases of a match; the open one is not asked for again in this transaction."""
    lines, newest, opened = [], [], None
    for row, number, name, closed_at, why, *rest in session.execute(_ALL, {"match": match.id}):
        opened = row or opened
        if closed_at is not None and rest[2] is not None:
            newest.append(ClosedPhase(number, name, closed_at, why or "", *rest))
        if why != "stopped":
            lines.append(PhaseLine(number, name, closed_at, why or ""))
    if opened is not None:
        memory_of(session)["phase", match.id] = opened
    return Phases(tuple(lines), open_phase(session, match), tuple(reversed(newest)))


def closed_phases(
    session: Session, match: Match, since: int, until: int, *, most: int = 1
) -> list[ClosedPhase]:
    """Return the closed phases of these numbers, at most so many, the newest first."""
    wanted = {"match": match.id, "since": since, "until": until, "most": most}
    return [
        ClosedPhase(number, name, closed_at, why or "", *rest)
        for number, name, closed_at, why, *rest in session.execute(_SOME, wanted)
    ]


def tell_lines(game: AnyGame, phase: ClosedPhase, viewer: Viewer) -> tuple[str, ...]:
    """Return what happened in a closed phase as far as a viewer may know it."""

    def tell() -> tuple[str, ...]:
        state = load_state(game, phase.row.after)
        return tell_phase(game, phase.row, viewer, state, load_events(game, phase.row))

    told_to = (viewer.seat, sorted(viewer.names.items()), viewer.orders_open, viewer.all_open)
    facts = (phase.name, phase.why, str(phase.closed_at), repr((*told_to, viewer.seated_at)))
    texts = (phase.due, phase.after, phase.events, phase.taken or "")
    return _keep(game, ("story", *facts, *texts), tell, lambda told: sum(map(len, told)))


def board_after(game: AnyGame, phase: ClosedPhase, viewer: Viewer) -> PhaseBoard:
    """Return the board after a closed phase as far as a viewer may know it."""

    def draw() -> PhaseBoard:
        view = viewer.view(game, load_state(game, phase.row.after))
        return PhaseBoard(game.draw(view), game.text_board(view), dict(view.scores))

    told_to = repr((viewer.seat, viewer.all_open))
    return _keep(
        game, ("board", told_to, phase.after), draw, lambda drawn: len(drawn.picture + drawn.text)
    )


def _keep(
    game: AnyGame, facts: Sequence[str], make: Callable[[], T], size: Callable[[T], int]
) -> T:
    """Return what a game has made from these facts, which are all that it depends on; make it where
    it is not kept.
    """
    key = hashlib.sha256("\0".join((game.about.key, *facts)).encode()).digest()
    found = _kept.get(key)
    if found is None or found[0] is not game:
        found = game, make()
        _kept.put(key, found, 500 + size(found[1]))
    made: T = found[1]
    return made
