"""Changes of a match's clock: pause, resume, move a deadline, close a phase now, stop the match.

The caller has locked the match and checked who may do it. Each change is noted in public under the
name `who`.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from adjudicator.platform import wakeups
from adjudicator.play.loop import StopReason
from adjudicator.service.base.due.phase_clock import set_closing
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.rows import open_phase, show_change
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.matches import proposals, timetables
from adjudicator.service.matches.notes import CLOSED, add_act, in_utc
from adjudicator.service.matches.tenure_letters import ClockChange

FURTHEST = timedelta(days=60)  # limit of a new deadline, counted from now
BREATH = timedelta(hours=1)  # that a pause leaves to the deadline


def pause(
    session: Session, match: Match, phase: PhaseRow, who: str, *, now: datetime, capped: bool
) -> None:
    """Stop the clock of a match, whose open phase is `phase`; `capped` as `begin_pause` says."""
    begin_pause(match, phase, now=now, capped=capped)
    paused = f"paused the match in {phase.name}"
    add_act(session, match, now, who, paused, news=ClockChange("paused"))


def resume(session: Session, match: Match, who: str, *, now: datetime) -> None:
    """Let a match go on that is paused, or stuck after a fault that has been fixed since.

    The deadline of a paused match moves as `moved_by_pause` says; that of a stuck one stays.
    """
    was_stuck, paused_at = match.status == "stuck", match.paused_at
    if was_stuck:
        match.status = "running" if match.started_at else "open" if match.anchors else "making"
        match.trouble = None
    phase = open_phase(session, match)
    if phase is not None:
        end_pause(session, match, phase, now=now)
    match.paused_at, match.deserted = None, False
    moved = phase is not None and paused_at is not None and phase.deadline is not None
    add_act(
        session,
        match,
        now,
        who,
        "set the match going again"
        + (", which had stood still because of a fault" if was_stuck else ""),
        news=ClockChange("resumed", since=paused_at) if moved else None,
    )
    if phase is not None:
        set_closing(session, match, phase, now)


def check_deadline(new: datetime, now: datetime) -> None:
    """Raise Refused where a new deadline is past or too far ahead."""
    if new <= now:
        raise Refused(
            "That moment is past. To close the phase at once, say so: everybody is told that it was"
            " closed.",
            field="deadline",
        )
    if new > now + FURTHEST:
        raise Refused(
            f"A deadline may be {FURTHEST.days} days ahead at most; pause the match for longer.",
            field="deadline",
        )


def move(
    session: Session, match: Match, phase: PhaseRow, new: datetime, who: str, *, now: datetime
) -> None:
    """Give the open phase another deadline. The phase still closes earlier once every due seat is
    ready.
    """
    old, phase.deadline = phase.deadline or now, new
    set_closing(session, match, phase, now)
    add_act(
        session,
        match,
        now,
        who,
        f"moved the deadline of {phase.name} from {in_utc(old)} to {in_utc(new)}",
        news=ClockChange("deadline", was=old),
    )


def close(session: Session, match: Match, phase: PhaseRow, who: str, *, now: datetime) -> None:
    """Set the open phase's deadline to now, without grace, so that the next sweep closes it."""
    phase.deadline, phase.grace_seconds, phase.why = now, 0, "master"
    set_closing(session, match, phase, now)
    add_act(session, match, now, who, f"closed {phase.name} before its deadline", CLOSED)


def stop(
    session: Session, match: Match, phase: PhaseRow, why: StopReason, *, now: datetime
) -> None:
    """Stop a match before its rules end it: no more orders are taken, and the next sweep ends it
    with its standing.

    The open phase is never adjudicated; what was sealed for it stays sealed.
    """
    match.stopped_after, match.stopped_why, match.paused_at = phase.number - 1, why, None
    phase.why, phase.closes_at = "stopped", now
    wakeups.wake(session, wakeups.CLOSE, match.uid)
    show_change(match)
    session.flush()


# --- what a pause makes of a phase's deadline


def begin_pause(match: Match, phase: PhaseRow, *, now: datetime, capped: bool = False) -> None:
    """Stop the clock of a match, whose open phase is `phase`; the gain of a pause that is `capped`
    counts as more time by vote.
    """
    match.paused_at, phase.closes_at, phase.remind_at, phase.pause_capped = now, None, None, capped


def end_pause(session: Session, match: Match, phase: PhaseRow, *, now: datetime) -> None:
    """Let the clock of a paused match run again, with the deadline that `moved_by_pause` says."""
    paused_at, match.paused_at, match.deserted = match.paused_at, None, False
    if paused_at is None or phase.deadline is None:
        return
    most = None
    if phase.pause_capped:
        room = proposals.extension_room(session, match, phase)
        most = max(min(BREATH, room.end - phase.deadline), timedelta(0))
    old = phase.deadline
    phase.deadline = moved_by_pause(match, phase.deadline, now - paused_at, now=now, most=most)
    if phase.pause_capped:
        phase.pause_gain_seconds += round(
            (phase.deadline - old - (now - paused_at)).total_seconds()
        )


def moved_by_pause(
    match: Match,
    deadline: datetime,
    length: timedelta,
    *,
    now: datetime,
    most: timedelta | None = None,
) -> datetime:
    """Return a deadline after a pause of a length that ends `now`.

    It moves by exactly that, then on to leave BREATH, by `most` at most, and off a day without
    deadlines.
    """
    moved, breath = deadline + length, now + BREATH
    return timetables.past_days_off(
        match, max(moved, breath if most is None else min(breath, moved + most))
    )
