"""Overtime: once a phase, for those who are late, without names; what comes in is late, and it ends
once all of them are ready.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adjudicator.service.base.tables import Due, Envelope, MasterNote, Match, PhaseRow, Player
from adjudicator.service.matches.notes import SERVICE, in_utc
from tests.simulation.checks_delays import lost_addresses
from tests.simulation.ledger import ClockReading
from tests.simulation.scene import Check, Scene

_MINUTE = timedelta(minutes=1)


def overtime_is_granted_once_and_told_without_names(
    session: Session, scene: Scene
) -> Iterator[str]:
    for match in scene.matches.values():
        rows = session.exec(
            select(MasterNote).where(MasterNote.match_id == match.id).order_by(col(MasterNote.id))
        ).all()
        said = [row.what for row in rows if row.what.startswith("granted") and row.who == SERVICE]
        began = [phase for phase in scene.of_match[match.uid] if phase.overtime_until is not None]
        wanted = [
            f"granted {phase.name} overtime until {in_utc(phase.overtime_until)}"
            for phase in began
            if phase.overtime_until
        ]
        if said != wanted:
            yield f"the notes of {match.uid} say {said} and not {wanted}"
        if began and not match.overtime_seconds:
            yield (
                f"{match.uid} grants no overtime, and had it in {[phase.number for phase in began]}"
            )
        yield from (
            f"phase {phase.number} of {match.uid} was forced after overtime"
            for phase in began
            if phase.why == "forced"
        )
        told = [row.what for row in rows]
        for phase, granted in zip(began, wanted, strict=True):
            by_hand = f"closed {phase.name} before its deadline"
            if by_hand in told and granted in told and told.index(by_hand) < told.index(granted):
                yield f"phase {phase.number} of {match.uid} had overtime after its master closed it"


def overtime_is_as_long_as_agreed(_: Session, scene: Scene) -> Iterator[str]:
    """It begins with the end of the grace, after a delayed closing then, and lasts as agreed, at
    most half of the phase.
    """
    for phase, reading in _beginnings(scene):
        assert phase.overtime_until is not None
        match = scene.matches[phase.match_id]
        deadline = phase.overtime_after or phase.opened_at
        length = min(timedelta(seconds=match.overtime_seconds), (deadline - phase.opened_at) / 2)
        over = deadline + timedelta(seconds=match.grace_seconds)
        if reading.at < over and not scene.world.fired["step"]:
            yield (
                f"the overtime of phase {phase.number} of {match.uid} began at {reading.at}, and"
                f" the grace ended at {over}"
            )
        latest = max(over, reading.at) + length
        if not over + length <= phase.overtime_until <= latest:
            yield (
                f"the overtime of phase {phase.number} of {match.uid} ends at"
                f" {phase.overtime_until}, {length} after {over}"
            )


def _beginnings(scene: Scene) -> list[tuple[PhaseRow, ClockReading]]:
    """Return the phases that had overtime, with their clock as it began."""
    found = []
    for (uid, number), readings in scene.ledger.clocks.items():
        phase, began = (
            scene.phase(uid, number),
            next((each for each in readings if each.overtime is not None), None),
        )
        if phase is not None and began is not None:
            found.append((phase, began))
    return found


def overtime_is_for_those_who_are_late(session: Session, scene: Scene) -> Iterator[str]:
    """Those persons are late, all of them, who owed orders and had neither handed in nor said
    `ready` as it began.
    """
    for phase, reading in _beginnings(scene):
        match = scene.matches[phase.match_id]
        conceded = {seat for seat, _ in match.conceded or ()}
        out = {*handed_in(session, scene, phase, reading.newest), *reading.ready, *conceded}
        wanted = {seat for seat in phase.due if seat in reading.people} - out
        late = {
            due.seat
            for due in session.exec(select(Due).where(Due.phase_id == phase.id))
            if due.late
        } - conceded
        if late != wanted or not wanted | conceded:
            yield (
                f"in the overtime of phase {phase.number} of {match.uid} {sorted(late)} are late,"
                f" and {sorted(wanted)} owed orders"
            )


def handed_in(session: Session, scene: Scene, phase: PhaseRow, newest: int) -> set[str]:
    """Return the seats with orders for a phase, from a receipt up to `newest` or from a plan."""
    return {seat for seat, _ in handed_in_by_tenure(session, scene, phase, newest)}


def handed_in_by_tenure(
    session: Session, scene: Scene, phase: PhaseRow, newest: int
) -> set[tuple[str, int]]:
    """Return the seats with orders for a phase, with the tenures whose orders they are; as
    `handed_in`.
    """
    receipts = (
        each
        for each in scene.receipts
        if (each.match_id, each.phase_number) == (phase.match_id, phase.number)
    )
    by_receipt = {
        (each.seat, each.tenure)
        for each in receipts
        if each.disposition != "refused" and (each.id or 0) <= newest
    }
    plans = select(Envelope.seat, Envelope.tenure)
    plans = plans.where(
        Envelope.phase_id == phase.id, Envelope.seq == 0, col(Envelope.for_later).is_(False)
    )
    return by_receipt | set(session.exec(plans))


def nobody_late_goes_without_overtime(session: Session, scene: Scene) -> Iterator[str]:
    """Where a match grants overtime, no phase closes for its deadline alone while a person has
    given no sign.
    """
    for match in (each for each in scene.matches.values() if each.overtime_seconds):
        for phase in scene.of_match[match.uid]:
            if (
                phase.why != "deadline"
                or phase.overtime_until is not None
                or not phase.number
                or phase.public_key is None
            ):
                continue
            silent = (
                set(phase.due)
                - handed_in(session, scene, phase, 1 << 60)
                - {seat for seat, _ in match.conceded or ()}
            )
            said = {
                due.seat
                for due in session.exec(select(Due).where(Due.phase_id == phase.id))
                if due.says == "ready"
            }
            late = silent & persons(session, scene, match) - said
            if late:
                yield (
                    f"phase {phase.number} of {match.uid} closed without overtime, and"
                    f" {sorted(late)} owed orders"
                )


def persons(session: Session, scene: Scene, match: Match) -> set[str]:
    """Return the seats of persons."""
    people = {player.id for player in session.exec(select(Player)) if not player.house}
    return {
        seat.name for seat in scene.seats if seat.match_id == match.id and seat.player_id in people
    }


def overtime_ends_once_those_who_were_late_are_ready(
    session: Session, scene: Scene
) -> Iterator[str]:
    for phase, _ in _beginnings(scene):
        match = scene.matches[phase.match_id]
        late = [
            due for due in session.exec(select(Due).where(Due.phase_id == phase.id)) if due.late
        ]
        ready = [
            due.says == "ready"
            or (match.ready_rule == "complete" and due.complete and due.says != "wait")
            for due in late
        ]
        over = phase.overtime_after != phase.deadline  # the deadline moved since
        if (
            not late
            or not all(ready)
            or over
            or match.paused_at is not None
            or match.status == "stuck"
        ):
            continue
        waits = (
            phase.closed_at is None
            and phase.closes_at is not None
            and phase.closes_at > scene.world.now()
        )
        if phase.why == "deadline" or waits:
            yield (
                f"phase {phase.number} of {match.uid} waited for the end of its overtime, and all"
                " who were late were ready"
            )


def what_comes_in_overtime_is_late(_: Session, scene: Scene) -> Iterator[str]:
    """Nobody is turned away in overtime, and what is handed in then is told as late."""
    began = {
        (scene.matches[phase.match_id].uid, phase.number): (phase, reading)
        for phase, reading in _beginnings(scene)
    }
    for told in scene.ledger.told:
        phase, reading = began.get((told.uid, told.answer.phase), (None, None))
        if (
            phase is None
            or reading is None
            or scene.moves_by_itself(phase)
            or phase.overtime_until is None
        ):
            continue
        within = reading.at <= told.at and told.answer.at < phase.overtime_until
        if within and told.answer.disposition == "accepted":
            yield (
                f"orders of seat {told.seat} of {told.uid} in the overtime of phase {phase.number}"
                " were accepted as in time"
            )
        if within and told.answer.reason.startswith("The deadline"):
            yield (
                f"seat {told.seat} of {told.uid} was told at {told.answer.at} that phase"
                f" {phase.number} was over"
            )


def those_who_are_late_get_a_letter(session: Session, scene: Scene) -> Iterator[str]:
    """As overtime begins a letter goes to each seat that is late, once, and to nobody else."""
    lost, people = (
        lost_addresses(scene),
        {player.id: player for player in session.exec(select(Player))},
    )
    for phase, reading in _beginnings(scene):
        match = scene.matches[phase.match_id]
        written = [
            each.seat
            for each in scene.ledger.reminded
            if each.reading == reading and each.at == reading.at
        ]
        late = {
            due.seat
            for due in session.exec(select(Due).where(Due.phase_id == phase.id))
            if due.late
        }
        reached = {
            seat
            for seat in late & set(reading.people)
            if people[reading.people[seat][0]].address not in lost
        }
        if len(written) != len(set(written)) or not reached <= set(written) <= late:
            yield (
                f"as overtime began in phase {phase.number} of {match.uid} {sorted(written)} got"
                f" letters, and {sorted(late)} were late"
            )


def only_a_master_who_does_not_play_is_told_who_is_late(
    session: Session, scene: Scene
) -> Iterator[str]:
    for letter in scene.letters:
        if letter.kind == "late" and letter.match_id is not None:
            match = scene.matches[letter.match_id]
            sits = any(
                seat.match_id == match.id and seat.player_id == letter.player_id
                for seat in scene.seats
            )
            if letter.player_id != match.master_id or sits or match.progress == "none":
                yield f"player {letter.player_id} was told who is late in {match.uid}"
    for phase, reading in _beginnings(scene):
        match = scene.matches[phase.match_id]
        master = session.get_one(Player, match.master_id)
        plays = any(
            seat.match_id == match.id and seat.player_id == master.id for seat in scene.seats
        )
        told = any(
            each.kind == "late"
            and (each.match_id, each.made_at) == (match.id, _noted_at(session, phase))
            for each in scene.letters
        )
        if not plays and match.progress != "none" and not told and master.letters:
            yield (
                f"the master of {match.uid} was not told who was late in phase {phase.number} at"
                f" {reading.at}"
            )


def _noted_at(session: Session, phase: PhaseRow) -> datetime | None:
    """Return when the overtime of a phase was noted."""
    noted = select(MasterNote.at).where(
        MasterNote.match_id == phase.match_id,
        col(MasterNote.what).startswith(f"granted {phase.name} "),
    )
    return session.exec(noted).first()


CHECKS: tuple[Check, ...] = (
    overtime_is_granted_once_and_told_without_names,
    overtime_is_as_long_as_agreed,
    overtime_is_for_those_who_are_late,
    nobody_late_goes_without_overtime,
    overtime_ends_once_those_who_were_late_are_ready,
    what_comes_in_overtime_is_late,
    those_who_are_late_get_a_letter,
    only_a_master_who_does_not_play_is_told_who_is_late,
)
