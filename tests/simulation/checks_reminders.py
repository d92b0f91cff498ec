"""Reminders: before a deadline, to those alone who owe orders, each once, none in the first quarter
of a phase.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlmodel import Session, select

from adjudicator.service.base.tables import Due, Player
from tests.simulation.checks_delays import excused_spans, lost_addresses, uncovered_seconds
from tests.simulation.checks_overtime import handed_in_by_tenure
from tests.simulation.leaps import PASSED
from tests.simulation.ledger import Reminded
from tests.simulation.scene import Check, Scene

_SWEPT = 100.0  # seconds within which a reminder is written, faults aside


def _before_deadlines(scene: Scene) -> list[Reminded]:
    """Return the reminders, without the letters that go out as overtime begins."""
    return [
        each
        for each in scene.ledger.reminded
        if each.reading.overtime is None or each.at > each.reading.at
    ]


def only_those_who_owe_are_reminded(session: Session, scene: Scene) -> Iterator[str]:
    """A player owes until handing something in, also where the orders of the player before
    count.
    """
    tenures = {letter.uid: letter.tenure for letter in scene.letters}
    for each in _before_deadlines(scene):
        phase = scene.phase(each.uid, each.phase)
        if phase is None or each.seat not in phase.due:
            yield (
                f"seat {each.seat} of {each.uid} was reminded in phase {each.phase}, and owed"
                " nothing"
            )
            continue
        if (each.seat, tenures.get(each.letter)) in handed_in_by_tenure(
            session, scene, phase, each.newest
        ):
            yield (
                f"seat {each.seat} of {each.uid} was reminded at {each.at} of phase {each.phase},"
                " for which it had handed in"
            )
        if each.seat not in each.reading.people:
            yield f"seat {each.seat} of {each.uid}, a house bot's, was reminded"


def reminders_come_in_their_time(_: Session, scene: Scene) -> Iterator[str]:
    """None comes in the first quarter of a phase, earlier than its match says, or once the deadline
    has passed.
    """
    if scene.world.fired["step"]:
        return
    made = {letter.uid: letter.made_at for letter in scene.letters}
    for each in _before_deadlines(scene):
        match = next(match for match in scene.matches.values() if match.uid == each.uid)
        phase, at = scene.phase(each.uid, each.phase), made.get(each.letter)
        if (
            phase is None
            or at is None
            or each.reading.deadline is None
            or each.uid in scene.ledger.run_by_hand
        ):
            continue
        first = each.reading.opened + (each.reading.deadline - each.reading.opened) / 4
        earliest = max(
            first, each.reading.deadline - timedelta(minutes=max(match.reminders, default=0))
        )
        if not earliest <= at < each.reading.deadline:
            yield (
                f"seat {each.seat} of {each.uid} was reminded at {at}, between {earliest} and"
                f" {each.reading.deadline}"
            )


def each_reminder_comes_once(_: Session, scene: Scene) -> Iterator[str]:
    """No seat gets two for one of the moments that the match names, nor more than it names for a
    deadline.
    """
    reminders = {
        match.uid: sorted(match.reminders, reverse=True) for match in scene.matches.values()
    }
    sent: dict[tuple[str, str, int, datetime | None], list[datetime]] = defaultdict(list)
    for each in _before_deadlines(scene):
        if each.uid not in scene.ledger.run_by_hand:
            sent[each.uid, each.seat, each.phase, each.reading.deadline].append(each.at)
    for (uid, seat, phase, deadline), moments in sent.items():
        if len(moments) > len(reminders[uid]):
            yield (
                f"seat {seat} of {uid} was reminded {len(moments)} times of {deadline} in phase"
                f" {phase}"
            )


def who_owes_is_reminded(session: Session, scene: Scene) -> Iterator[str]:
    """Who gave no sign until a phase closed was reminded, if a reminder fell into it and nothing
    was wrong meanwhile.
    """
    if scene.world.fired["step"] or scene.world.fired[PASSED]:
        return
    lost, people = (
        lost_addresses(scene),
        {player.id: player for player in session.exec(select(Player))},
    )
    spans, reminded = (
        excused_spans(scene.world.troubled, scene.world.out),
        {(each.uid, each.phase, each.seat) for each in scene.ledger.reminded},
    )
    for phase in scene.phases:
        match, readings = (
            scene.matches[phase.match_id],
            scene.ledger.clocks.get((scene.matches[phase.match_id].uid, phase.number)),
        )
        if (
            not readings
            or phase.why != "deadline"
            or match.uid in scene.ledger.run_by_hand
            or phase.deadline is None
        ):
            continue
        first = phase.opened_at + (phase.deadline - phase.opened_at) / 4
        moments = [
            at
            for minutes in match.reminders
            if (at := phase.deadline - timedelta(minutes=minutes)) >= first
        ]
        if (
            not moments
            or uncovered_seconds(*_seconds(scene, moments[0], phase.deadline), spans) < _SWEPT
        ):
            continue
        for due in session.exec(select(Due).where(Due.phase_id == phase.id)):
            player = people.get(readings[0].people.get(due.seat, (0, "", ""))[0])
            silent = (
                due.handed_in_at is None
                and due.says is None
                and due.seat not in {seat for seat, _ in match.conceded or ()}
            )
            if (
                silent
                and player is not None
                and player.address not in lost
                and (match.uid, phase.number, due.seat) not in reminded
            ):
                yield (
                    f"seat {due.seat} of {match.uid} owed orders in phase {phase.number} and was"
                    " never reminded"
                )


def _seconds(scene: Scene, since: datetime, until: datetime) -> tuple[float, float]:
    """Return a span of the wall clock as seconds of the world."""
    now = scene.world.now()
    return tuple(scene.world.seconds - (now - at).total_seconds() for at in (since, until))  # type: ignore[return-value]  # two


CHECKS: tuple[Check, ...] = (
    only_those_who_owe_are_reminded,
    reminders_come_in_their_time,
    each_reminder_comes_once,
    who_owes_is_reminded,
)
