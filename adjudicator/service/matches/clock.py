"""Changes of a match's clock: pause, resume, move a deadline, close a phase now, stop the match.

The caller has locked the match and checked who may do it. Each change is noted in public under the name `who`.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from adjudicator.play.loop import StopReason
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.rows import open_phase, set_closing, show_change
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.matches import timetables
from adjudicator.service.matches.notes import CLOSED, ClockChange, add_act, in_utc, write_notices

FURTHEST = timedelta(days=60)  # limit of a new deadline, counted from now


def pause(session: Session, match: Match, phase: PhaseRow, who: str, *, now: datetime) -> None:
    """Stop the clock of a match, whose open phase is `phase`."""
    match.paused_at, phase.closes_at, phase.remind_at = now, None, None
    add_act(session, match, now, who, f"paused the match in {phase.name}")
    write_notices(session, match, phase, ClockChange("paused", who), now=now)


def resume(session: Session, match: Match, who: str, *, now: datetime) -> None:
    """Let a match go on that is paused, or stuck after a fault that has been fixed since.

    The deadline of a paused match moves by the length of the pause, to at least timetables.BREATH from now; with fixed hours, on
    to the next of them. That of a stuck one stays.
    """
    was_stuck, paused_at = match.status == "stuck", match.paused_at
    if was_stuck:
        match.status, match.trouble = ("running" if match.started_at else "open" if match.anchors else "making"), None
    match.paused_at, match.deserted = None, False
    phase = open_phase(session, match)
    news: ClockChange | None = None
    if phase is not None and paused_at is not None and phase.deadline is not None:
        news = ClockChange("resumed", who, since=paused_at)
        phase.deadline = timetables.after_pause(match, phase, paused_at, now)
    add_act(session, match, now, who, "set the match going again" + (", which had stood still because of a fault" if was_stuck else ""))
    if phase is None:
        return
    if news is not None:
        write_notices(session, match, phase, news, now=now)
    set_closing(session, match, phase, now)


def check_deadline(new: datetime, now: datetime) -> None:
    """Raise Refused where a new deadline is past or too far ahead."""
    if new <= now:
        raise Refused("That moment is past. To close the phase at once, say so: everybody is told that it was closed.", field="deadline")
    if new > now + FURTHEST:
        raise Refused(f"A deadline may be {FURTHEST.days} days ahead at most; pause the match for longer.", field="deadline")


def move(session: Session, match: Match, phase: PhaseRow, new: datetime, who: str, *, now: datetime) -> None:
    """Give the open phase another deadline. The phase still closes earlier once every due seat is ready."""
    old, phase.deadline = phase.deadline or now, new
    set_closing(session, match, phase, now)
    add_act(session, match, now, who, f"moved the deadline of {phase.name} from {in_utc(old)} to {in_utc(new)}")
    write_notices(session, match, phase, ClockChange("deadline", who, was=old), now=now)


def close(session: Session, match: Match, phase: PhaseRow, who: str, *, now: datetime) -> None:
    """Set the open phase's deadline to now, without grace, so that the next sweep closes it."""
    phase.deadline, phase.grace_seconds, phase.why = now, 0, "master"
    set_closing(session, match, phase, now)
    add_act(session, match, now, who, f"closed {phase.name} before its deadline", CLOSED)


def stop(session: Session, match: Match, phase: PhaseRow, why: StopReason, *, now: datetime) -> None:
    """Stop a match before its rules end it: no more orders are taken, and the next sweep ends it with its standing.

    The open phase is never adjudicated; what was sealed for it stays sealed.
    """
    match.stopped_after, match.stopped_why, match.paused_at = phase.number - 1, why, None
    phase.why, phase.closes_at = "stopped", now
    show_change(match)
    session.flush()
