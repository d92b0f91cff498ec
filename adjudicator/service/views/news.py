"""News of a match for one viewer: a short mark that changes with what this viewer may know, and the
words for what has changed.

A page asks for it every few seconds. The mark is made of what everybody may see (status, phase,
deadline, the count of public changes), of the progress that the match shows, of the press that the
viewer may read, and of what the viewer's own seat handed in. It contains neither the match's
version nor what another seat did, because the mark must not reveal that another seat has sealed
orders.
"""

from contextlib import closing
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Self

from sqlalchemy import String, bindparam, cast
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, select

from adjudicator.platform.statements.records import Query
from adjudicator.service.base.press_rules import Reader, has_no_press, reader_of
from adjudicator.service.base.progress import read_progress
from adjudicator.service.base.rows import by_uid, dues_of, open_phase, seats_of, sitting
from adjudicator.service.base.tables import Match, PhaseRow, PressNote
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.requests.made_for import newest_seq

_SEPARATOR = "."
_TO_ALL = cast(col(PressNote.readers), String) == "[]"
# The queries are made once: to make one takes longer than to run it.
_OF_MATCH = col(PressNote.match_id) == bindparam("match")
_OTHER = aliased(PressNote)
_PUBLIC = select(func.count()).where(
    col(_OTHER.match_id) == bindparam("match"), cast(col(_OTHER.readers), String) == "[]"
)
_WRITTEN = (
    select(PressNote, _PUBLIC.scalar_subquery())
    .where(_OF_MATCH)
    .order_by(col(PressNote.id).desc())
    .execution_options(yield_per=50)
)
_NEWEST_PUBLIC = Query(_WRITTEN.where(_TO_ALL).limit(1))
_OVER = {
    "ended": "The match is over",
    "stuck": "The match stands still",
    "expired": "The match has expired",
}


@dataclass(frozen=True)
class Mark:
    """How far a match is, for one viewer; no field contains a full stop, which separates the fields
    in `str`.
    """

    status: str
    phase: str  # number of the open phase; "" where none is open
    shown: str  # how many changes everybody could see; press, which has its own field, is left out
    clock: str  # the open deadline; "paused"; "" where none is open
    seat: str  # 1 where the viewer has a seat
    handed_in: str  # by the viewer's own seat in the open phase, and what it said
    progress: str  # how many seats handed in, where the match shows it
    press: str  # when another seat wrote the newest press that the viewer may read

    def __str__(self) -> str:
        return _SEPARATOR.join(astuple(self))

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Parse what `str` returned; None if the text is no mark."""
        parts = text.split(_SEPARATOR)
        return cls(*parts) if len(parts) == len(cls.__dataclass_fields__) else None


@dataclass(frozen=True)
class MatchNews:
    """A viewer's current mark of a match, the name of its open phase, and its progress in a
    sentence.
    """

    mark: Mark
    phase: str
    progress: str

    def words(self, since: Mark | None) -> str:
        """Return what has changed since an earlier mark as the beginning of a sentence, "" if
        nothing has.
        """
        now = self.mark
        if since == now:
            return ""
        if since is None:
            return "There is news"
        if since.seat > now.seat:
            return "You are not signed in any more"
        if now.status != since.status and now.status in _OVER:
            return _OVER[now.status]
        if (now.status, now.phase) != (since.status, since.phase) and self.phase:
            return f"{self.phase} is open"
        return self._lesser(since)

    def _lesser(self, since: Mark) -> str:
        """Return the words for a change within the same phase."""
        now = self.mark
        if now.clock != since.clock:
            return "The match is paused" if now.clock == "paused" else "The deadline is another one"
        if now.handed_in != since.handed_in:
            return "You sealed or said something elsewhere"
        if self.progress and self.progress_only(since):
            return self.progress.removesuffix(".")
        return "There is new press" if self.press_only(since) else "The match was changed"

    def press_only(self, since: Mark | None) -> bool:
        """Whether only press is new, so that the match's page itself is unchanged."""
        return self.mark.press != "" and self._changes(since) == ["press"]

    def progress_only(self, since: Mark | None) -> bool:
        """Whether only the number of seats that have handed in is new, which disturbs nobody at
        work.
        """
        return self._changes(since) == ["progress"]

    def _changes(self, since: Mark | None) -> list[str]:
        """Return the fields that have changed; none are known without an earlier mark."""
        names = Mark.__dataclass_fields__ if since is not None else ()
        return [name for name in names if getattr(since, name) != getattr(self.mark, name)]


def of_match(session: Session, uid: str, player_id: int | None, *, now: datetime) -> MatchNews:
    """Return the news of a match for one viewer (None: somebody who is not signed in); raises
    NotFound.
    """
    match = by_uid(session, uid)
    seats = seats_of(session, match)
    own = sitting(seats, player_id)
    mine = own.name if own else None
    phase = open_phase(session, match)
    progress = read_progress(session, match, phase, mine, now)
    public, newest = _press(session, match, reader_of(session, match, player_id), player_id)
    mark = Mark(
        status=match.status,
        phase=str(phase.number) if phase else "",
        shown=str(match.shown - public),
        clock="paused" if match.paused_at else _moment(phase.deadline if phase else None),
        seat="1" if mine else "0",
        handed_in=_handed_in(session, match, phase, own),
        progress=str(progress.handed_in) if progress else "",
        press=_moment(newest),
    )
    return MatchNews(mark, phase.name if phase else "", progress.sentence if progress else "")


def _moment(at: datetime | None) -> str:
    return "" if at is None else f"{at.timestamp() * 1000:.0f}"


def _handed_in(session: Session, match: Match, phase: PhaseRow | None, mine: SeatRow | None) -> str:
    """Return how often the viewer handed something in for the open phase, and what the seat
    said.
    """
    if phase is None or mine is None:
        return ""
    says = next((due.says for due in dues_of(session, phase) if due.seat == mine.name), None)
    return f"{newest_seq(session, match, phase, mine)}{says or ''}"


def _press(
    session: Session, match: Match, reader: Reader, player_id: int | None
) -> tuple[int, datetime | None]:
    """Return how many texts everybody may read, each of which has raised `shown` once, and the time
    of the newest press that the viewer may read and did not write.
    """
    if has_no_press(session, match, player_id, reader):
        return 0, None
    if reader.seat is None and not reader.is_master and not reader.sees_all:
        newest = _NEWEST_PUBLIC.first(session.connection(), {"match": match.id})
        return (newest[1], newest[0].at) if newest else (0, None)
    public = 0
    with closing(session.exec(_WRITTEN, params={"match": match.id})) as rows:
        for row, public in rows:
            if reader.may_read(row) and not reader.is_named(row.seat):
                return public, row.at
    return public, None
