"""How far matches are for everybody: the counter `shown` and the progress that a match tells, as
one short text for each match.

It is the same for every viewer. Pages, polls and the live stream compare it; none of them knows
`version`. Lists have steps too: the one of open seats, and each tournament. Last, the positions of
a match as an observer may know them.
"""

from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, case
from sqlalchemy import select as select_columns
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, func, select

from adjudicator.core.game import View
from adjudicator.platform.db import UtcTime
from adjudicator.service.base.memory import OF
from adjudicator.service.base.rows import dues_of, waiting_phase
from adjudicator.service.base.state import (
    game_of,
    load_state,
    progress_of,
    told_progress,
    viewer_of,
)
from adjudicator.service.base.tables import (
    Due,
    Match,
    PhaseRow,
    Tournament,
    TournamentNote,
    TournamentRound,
    TournamentTable,
)

# names the list of public matches that look for players; no public name has a hyphen
OPEN_SEATS = "open-seats"
_TOURNAMENT = "tournament-"

_IN_OPEN_PHASE = (col(PhaseRow.match_id) == col(Match.id)) & col(PhaseRow.closed_at).is_(None)


def name_tournament(uid: str) -> str:
    """Return the name by which the steps of a tournament are asked for."""
    return _TOURNAMENT + uid


def is_list(name: str) -> bool:
    """Whether a name is of a list, which everybody may see, rather than of a match."""
    return "-" in name


def read_steps(session: Session, names: Collection[str], now: datetime) -> dict[str, str]:
    """Return the step of each match with one of these public names, and of each list named so; one
    statement reads all of a kind.

    A step is `12`, or `12.3` where the match tells progress and three seats are known to have
    handed in (`progress.known_at`). A later step is greater, compared as a pair of numbers. Names
    of nothing are left out; the caller has checked who may see them.
    """
    wanted = [name for name in names if "\0" not in name]  # PostgreSQL takes no NUL
    tournaments = [
        name.removeprefix(_TOURNAMENT) for name in wanted if name.startswith(_TOURNAMENT)
    ]
    steps = _match_steps(session, [name for name in wanted if not is_list(name)], now)
    return (
        steps
        | _tournament_steps(session, tournaments)
        | (_open_seats(session) if OPEN_SEATS in wanted else {})
    )


def step_of(session: Session, match: Match, now: datetime) -> str:
    """Return the step of a loaded match, as `read_steps`, by the due seats that the transaction
    reads anyway.
    """
    phase = waiting_phase(session, match)
    if phase is None or progress_of(match) == "none":
        return str(match.shown)
    return _step(
        match.shown,
        sum(due.known_at is not None and due.known_at <= now for due in dues_of(session, phase)),
    )


def _open_seats(session: Session) -> dict[str, str]:
    """Return the step of the list of open seats: when the newest match on it was made, in whole
    seconds.
    """
    opened = (
        col(Match.status) == "open",
        col(Match.private).is_(False),
        col(Match.open_seats).is_(True),
    )
    made_at = session.execute(
        select_columns(func.max(col(Match.made_at))).where(*opened)
    ).scalar_one()
    return {OPEN_SEATS: f"{made_at.timestamp():.0f}" if made_at else "0"}


def _tournament_steps(session: Session, uids: Collection[str]) -> dict[str, str]:
    """Return the step of each tournament: how many rounds were paired and matches made, and how
    often its directors acted.
    """
    if not uids:
        return {}
    rounds = _count(col(TournamentRound.id), col(TournamentRound.tournament_id))
    notes = _count(col(TournamentNote.id), col(TournamentNote.tournament_id))
    made = _count(col(Match.id), col(TournamentTable.tournament_id))
    made = made.join(TournamentTable, col(Match.table_id) == col(TournamentTable.id))
    over = case((col(Tournament.ended_at).is_not(None), 1), else_=0)
    counted = [each.correlate(Tournament).scalar_subquery() for each in (rounds, notes, made)]
    rows = session.execute(
        select_columns(col(Tournament.uid), sum(counted, over)).where(col(Tournament.uid).in_(uids))
    )
    return {name_tournament(uid): str(step) for uid, step in rows}


def _count(of: Mapped[int | None], tournament: Mapped[int]) -> Select[int]:
    return select_columns(func.count(of)).where(tournament == col(Tournament.id))


@cache
def _steps_wanted() -> Select[Any]:
    known = select_columns(func.count(col(Due.id))).join(
        PhaseRow, col(Due.phase_id) == col(PhaseRow.id)
    )
    known = known.where(
        _IN_OPEN_PHASE, col(Due.known_at) <= bindparam("now", type_=UtcTime())
    ).correlate(Match)
    running = case((col(Match.status) == "running", known.scalar_subquery()), else_=0)
    columns = col(Match.uid), col(Match.shown), col(Match.progress), col(Match.options), running
    return select_columns(*columns).where(col(Match.uid).in_(OF))


def _match_steps(session: Session, wanted: Collection[str], now: datetime) -> dict[str, str]:
    if not wanted:
        return {}
    rows = session.execute(_steps_wanted(), {OF.key: list(wanted), "now": now})
    return {
        uid: _step(shown, told_progress(kind, options) != "none" and known)
        for uid, shown, kind, options, known in rows
    }


def _step(shown: int, known: int) -> str:
    return f"{shown}.{known}" if known else str(shown)


# --- positions


def read_views(session: Session, match: Match) -> list[View]:
    """Return what an observer may know of the newest position; of every position, oldest first, in
    a game with supply centres.
    """
    game, viewer = game_of(match), viewer_of(match, None, {})
    positions = select(col(PhaseRow.after)).where(
        PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None)
    )
    positions = positions.order_by(col(PhaseRow.number).desc())
    stored = session.exec(positions if game.ownership else positions.limit(1)).all()
    return [viewer.view(game, load_state(game, plain)) for plain in reversed(stored)]
