"""News of a match for one viewer: a short mark that changes with what this viewer may know, and the words for what has changed.

A page asks for it every few seconds. The mark is made of what everybody may see (status, phases, seats, deadline, the masters' notes),
of the press that the viewer may read, and of what the viewer's own seat handed in. It contains neither the match's version nor what
another seat did, because the mark must not reveal that another seat has sealed orders.
"""

from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Self

from sqlalchemy import String, cast
from sqlmodel import Session, col, func, select

from adjudicator.core.game import Seat
from adjudicator.service.base.rows import by_uid, open_phase, seats_of, sitting
from adjudicator.service.base.tables import Due, MasterNote, Match, PhaseRow, PressNote, Receipt

_SEPARATOR = "."
_OVER = {"ended": "The match is over", "stuck": "The match stands still"}


@dataclass(frozen=True)
class Mark:
    """How far a match is, for one viewer; no field contains a full stop, which separates the fields in `str`."""

    status: str
    phases: str  # how many there are
    taken: str  # how many seats have a player
    notes: str  # how many things masters did
    clock: str  # the open deadline; "paused"; "" where none is open
    seat: str  # 1 where the viewer has a seat
    handed_in: str  # by the viewer's own seat in the open phase, and what it said
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
    """A viewer's current mark of a match, and the name of its open phase."""

    mark: Mark
    phase: str

    def words(self, since: Mark | None) -> str:
        """Return what has changed since an earlier mark as the beginning of a sentence, "" if nothing has."""
        now = self.mark
        if since == now:
            return ""
        if since is None:
            return "There is news"
        if since.seat > now.seat:
            return "You are not signed in any more"
        if now.status != since.status and now.status in _OVER:
            return _OVER[now.status]
        if (now.status, now.phases) != (since.status, since.phases) and self.phase:
            return f"{self.phase} is open"
        return self._lesser(since)

    def _lesser(self, since: Mark) -> str:
        """Return the words for a change within the same phase."""
        now = self.mark
        if now.clock != since.clock:
            return "The match is paused" if now.clock == "paused" else "The deadline is another one"
        if now.handed_in != since.handed_in:
            return "You handed in orders elsewhere"
        return "There is new press" if self.press_only(since) else "The match was changed"

    def press_only(self, since: Mark | None) -> bool:
        """Whether only press is new, so that the match's page itself is unchanged."""
        if since is None or self.mark.press in ("", since.press):
            return False
        return astuple(since)[:-1] == astuple(self.mark)[:-1]


def of_match(session: Session, uid: str, player_id: int | None) -> MatchNews:
    """Return the news of a match for one viewer (None: somebody who is not signed in); raises NotFound."""
    match = by_uid(session, uid)
    seats = seats_of(session, match)
    own = sitting(seats, player_id)
    mine = own.name if own else None
    phase = open_phase(session, match)
    mark = Mark(
        status=match.status,
        phases=_count(session, PhaseRow, match),
        taken=str(sum(seat.player_id is not None for seat in seats)),
        notes=_count(session, MasterNote, match),
        clock="paused" if match.paused_at else _moment(phase.deadline if phase else None),
        seat="1" if mine else "0",
        handed_in=_handed_in(session, match, phase, mine),
        press=_moment(_newest_press(session, match, mine)),
    )
    return MatchNews(mark, phase.name if phase else "")


def _count(session: Session, table: type[PhaseRow] | type[MasterNote], match: Match) -> str:
    return str(session.exec(select(func.count()).select_from(table).where(table.match_id == match.id)).one())


def _moment(at: datetime | None) -> str:
    return "" if at is None else f"{at.timestamp() * 1000:.0f}"


def _handed_in(session: Session, match: Match, phase: PhaseRow | None, mine: Seat | None) -> str:
    """Return how often the viewer's own seat handed something in for the open phase, and what it said."""
    if phase is None or mine is None:
        return ""
    sent = select(func.max(Receipt.seq)).where(Receipt.match_id == match.id, Receipt.phase_number == phase.number, Receipt.seat == mine)
    says = session.exec(select(Due.says).where(Due.phase_id == phase.id, Due.seat == mine)).first()
    return f"{session.exec(sent).one() or 0}{says or ''}"


def _newest_press(session: Session, match: Match, mine: Seat | None) -> datetime | None:
    """Return the time of the newest press that the viewer may read and did not write."""
    written = select(PressNote.at, PressNote.readers).where(PressNote.match_id == match.id).order_by(col(PressNote.id).desc())
    if mine is None:
        return next((at for at, _ in session.exec(written.where(cast(col(PressNote.readers), String) == "[]").limit(1))), None)
    rows = session.exec(written.where(PressNote.seat != mine).execution_options(yield_per=50))
    return next((at for at, readers in rows if not readers or mine in readers), None)
