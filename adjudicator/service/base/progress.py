"""Progress: how many due seats have handed in, or which ones, as far as a match shows it to one
viewer.

Others know of a seat's first orders from the next full minute on, so that neither their moment nor
their order shows. Later changes show nothing. A viewer's own seat is known to it at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from adjudicator.core.game import Seat
from adjudicator.platform.words import plural
from adjudicator.service.base.rows import dues_of
from adjudicator.service.base.state import progress_of
from adjudicator.service.base.tables import Due, Match, PhaseRow


@dataclass(frozen=True)
class Progress:
    """Who has handed in for the open phase, as far as one viewer may know it."""

    due: int  # seats that owe orders
    handed_in: int  # seats of these that have handed in
    last: bool  # whether only the viewer's seat is missing, of several
    # those that have handed in, in seat order; () where the match shows their number alone
    seats: tuple[Seat, ...] = ()
    missing: tuple[Seat, ...] = ()  # the other due seats, likewise

    @property
    def sentence(self) -> str:
        """How far the phase is, in a sentence; "" where a single seat owes orders and has handed in
        none.
        """
        if self.last:
            return "Everybody else has handed in orders."
        if self.handed_in == self.due:
            return (
                "The orders are in." if self.due == 1 else f"All {self.due} have handed in orders."
            )
        if not self.handed_in:
            return "Nobody has handed in orders yet." if self.due > 1 else ""
        return plural(
            self.handed_in,
            "{n} of {due} has handed in orders.",
            "{n} of {due} have handed in orders.",
            due=self.due,
        )


def next_minute(at: datetime) -> datetime:
    """Return the next full minute after a moment."""
    return at.replace(second=0, microsecond=0) + timedelta(minutes=1)


def describe_progress(
    match: Match, dues: Sequence[Due], seat: Seat | None, now: datetime
) -> Progress | None:
    """Return what the viewer with this seat (None: an observer) may know, given all due seats; None
    where nothing is shown.
    """
    kind = progress_of(match)
    if kind == "none" or not dues:
        return None
    known = {due.seat for due in dues if _knows(due, seat, now)}
    missing = tuple(due.seat for due in dues if due.seat not in known)
    last = missing == (seat,) and len(dues) > 1
    if kind == "count":
        return Progress(len(dues), len(known), last)
    return Progress(
        len(dues), len(known), last, tuple(due.seat for due in dues if due.seat in known), missing
    )


def _knows(due: Due, seat: Seat | None, now: datetime) -> bool:
    if due.seat == seat:
        return due.handed_in_at is not None
    return due.known_at is not None and due.known_at <= now


def read_progress(
    session: Session, match: Match, phase: PhaseRow | None, seat: Seat | None, now: datetime
) -> Progress | None:
    """Do as `describe_progress` for the due seats of a phase; without a phase nothing is shown."""
    if phase is None or progress_of(match) == "none":
        return None
    dues = dues_of(session, phase)
    return describe_progress(match, dues, seat, now)
