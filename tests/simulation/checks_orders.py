"""Accepted orders count, late ones do not, and every envelope has its receipt."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.seal import commitments
from adjudicator.service.base.phase_records import recall_phase_key
from adjudicator.service.base.tables import Envelope, LogEntry, PhaseRow, Receipt
from tests.simulation.scene import Check, Scene, ends


def what_was_accepted_counts(session: Session, scene: Scene) -> Iterator[str]:
    """A phase was closed with each seat's newest accepted orders."""
    newest: dict[tuple[str, int, str], Receipt] = {}
    for receipt in sorted(scene.receipts, key=lambda each: (each.tenure, each.id)):
        if receipt.disposition != "refused":
            newest[scene.matches[receipt.match_id].uid, receipt.phase_number, receipt.seat] = (
                receipt
            )
    for (uid, number, seat), receipt in newest.items():
        phase = scene.phase(uid, number)
        if (
            phase is None
            or phase.closed_at is None
            or seat not in phase.due
            or phase.why == "forced"
        ):
            continue
        taken = (phase.taken or {}).get(seat, {})
        if taken.get("commitment") != receipt.commitments[0][1] and taken.get("how") not in (
            "default",
            "conceded",
        ):
            yield (
                f"seat {seat} of {uid} was closed in phase {number} with other orders than its"
                " newest"
            )
        if taken.get("how") == "default" and not _said_nothing(session, phase, seat, scene):
            yield f"seat {seat} of {uid} had orders in phase {number}, and the default was played"


def _said_nothing(session: Session, phase: PhaseRow, seat: str, scene: Scene) -> bool:
    """Whether a seat's newest envelope, opened with the worker's keys, holds no order for this
    phase.
    """
    match = scene.matches[phase.match_id]
    newest = select(Envelope).where(Envelope.phase_id == phase.id, Envelope.seat == seat)
    envelope = session.exec(
        newest.order_by(col(Envelope.tenure).desc(), col(Envelope.id).desc())
    ).first()
    if envelope is None:
        return True
    private = recall_phase_key(scene.fixture_db.keyring, match, phase)
    place = commitments.Place(match.uid, phase.number, seat, envelope.seq)
    inside = commitments.open_contents(private, place, envelope.commitments, envelope.sealed)
    return not inside.parts or not inside.parts[0].orders.strip()


def what_players_were_told_is_kept(_: Session, scene: Scene) -> Iterator[str]:
    """Every answer of the site has a receipt with the same commitments; orders at or after the last
    call were refused.
    """
    kept = {
        (scene.matches[each.match_id].uid, each.phase_number, each.seat, each.seq): each
        for each in scene.receipts
    }
    for told in scene.ledger.told:
        answer = told.answer
        receipt = kept.get((told.uid, answer.phase, answer.seat, answer.seq))
        if (
            receipt is None
            or receipt.disposition != answer.disposition
            or receipt.channel != "form"
        ):
            yield (
                f"seat {told.seat} of {told.uid} was told {answer.disposition} in phase"
                f" {answer.phase}, and no receipt says so"
            )
        elif [each.commitment for each in answer.parts] != [
            each[1] for each in receipt.commitments
        ]:
            yield f"seat {told.seat} of {told.uid} was told other commitments than were kept"


def no_form_replaced_what_it_did_not_know_of(_: Session, scene: Scene) -> Iterator[str]:
    """Between what a form's page knew of and the orders that the form sealed, its seat's player
    sealed no others.
    """
    sealed = [each for each in scene.receipts if each.disposition != "refused" and each.commitments]
    for told in scene.ledger.told:
        answer, place = told.answer, (told.uid, told.answer.phase, told.answer.seat)
        if answer.disposition == "refused":
            continue
        here = [
            each
            for each in sealed
            if (scene.matches[each.match_id].uid, each.phase_number, each.seat) == place
        ]
        own = next((each.tenure for each in here if each.seq == answer.seq), None)
        between = [
            each.seq for each in here if each.tenure == own and told.knew < each.seq < answer.seq
        ]
        if between:
            yield (
                f"submission {answer.seq} of seat {answer.seat} of {told.uid} replaced {between},"
                " which its page did not know"
            )


def nothing_late_counts(_: Session, scene: Scene) -> Iterator[str]:
    for receipt in scene.receipts:
        uid = scene.matches[receipt.match_id].uid
        phase = scene.phase(uid, receipt.phase_number)
        if phase is None or phase.deadline is None or scene.moves_by_itself(phase):
            continue
        last_call = ends(phase)
        right = (
            {"refused"}
            if receipt.at >= last_call
            else {"late", "refused"}
            if receipt.at >= phase.deadline
            else {"accepted", "refused"}
        )
        if receipt.disposition not in right:
            yield (
                f"orders of seat {receipt.seat} of {uid} at {receipt.at} were"
                f" {receipt.disposition}; the last call was {last_call}"
            )


def no_request_was_refused(session: Session, scene: Scene) -> Iterator[str]:
    """Nobody writes to the database but the service, so the worker believes all that is stored;
    what is forged is refused.
    """
    for each in scene.rejected:
        yield (
            f"submission {each.seq} of seat {each.seat} in phase {each.phase_number} was not"
            f" believed: {each.rejected}"
        )
    forged = {("letter", each.uid) for each in scene.ledger.intruded} | {
        ("act", uid) for uid in scene.ledger.forged
    }
    # A vote may pass while a seat is said to look for a player, and is taken back with what it
    # decided.
    forged |= {
        (kind, uid) for uid in scene.ledger.usurped for kind in ("tenure", "act", "deadline")
    }
    for entry in session.exec(select(LogEntry).where(LogEntry.type == "tampering")):
        if (entry.body["kind"], scene.matches[entry.match_id].uid) in forged:
            continue
        yield f"the log of match {entry.match_id} tells of tampering: {entry.body}"


def envelopes_have_receipts(session: Session, scene: Scene) -> Iterator[str]:
    """Every envelope belongs to a receipt or a plan, and none was added after its phase was
    closed.
    """
    taken = {
        (r.match_id, r.phase_number, r.seat, r.seq): r
        for r in scene.receipts
        if r.disposition != "refused"
    }
    phases = {phase.id: phase for phase in scene.phases}
    found: Counter[Any] = Counter()
    for envelope in session.exec(select(Envelope)):
        phase = phases[envelope.phase_id]
        place = (phase.match_id, phase.number, envelope.seat, envelope.seq)
        found[place] += 1
        receipt = taken.get(place)
        if envelope.seq and (
            receipt is None or [each[1] for each in receipt.commitments] != envelope.commitments
        ):
            yield f"an envelope of seat {envelope.seat} in phase {phase.number} has no receipt"
    yield from (f"{count} envelopes for {place}" for place, count in found.items() if count > 1)
    yield from (f"a receipt without an envelope: {place}" for place in taken if place not in found)


CHECKS: tuple[Check, ...] = (
    what_was_accepted_counts,
    what_players_were_told_is_kept,
    no_form_replaced_what_it_did_not_know_of,
    nothing_late_counts,
    no_request_was_refused,
    envelopes_have_receipts,
)
