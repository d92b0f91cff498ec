"""Which seats are ready by their signed requests; the rows that lists and sweeps read are held
against them before a phase closes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, select

from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.due.phase_clock import is_ready, set_closing
from adjudicator.service.base.phase_records import asks_for_signatures
from adjudicator.service.base.rows import dues_of, lock_by_uid, seats_of, waiting_phase
from adjudicator.service.base.state import conceded_in
from adjudicator.service.base.tables import Due, Envelope, Match, PhaseRow, Receipt, Seat
from adjudicator.service.log.checks import logged_opening
from adjudicator.service.log.receipt_chains import SIGNED
from adjudicator.service.log.tampering import tell_seat
from adjudicator.service.log.vouching import carried_on


@dataclass(frozen=True)
class Said:
    """What a seat's signed requests say of a phase: whether its orders are complete, and `ready` or
    `wait`.
    """

    complete: bool = False
    says: str | None = None

    def makes_ready(self, rule: str) -> bool:
        """Whether nobody waits for the seat any more."""
        return is_ready(rule, self)


def find_unready(
    session: Session, keyring: Keyring, match: Match, phase: PhaseRow, envelopes: Sequence[Envelope]
) -> Mapping[str, Said]:
    """Return the due seats that are stored as ready, or as owing nothing, and are not so by their
    signed requests.

    `envelopes` are those that may count. In overtime only late seats are waited for, by the rows.
    """
    if not match.sealing or not asks_for_signatures(keyring, match, phase):
        return {}
    due = [
        seat
        for seat in logged_opening(session, keyring, match, phase)["due"]
        if seat not in conceded_in(match)
    ]
    rows = {row.seat: row for row in dues_of(session, phase)}
    receipts = SIGNED.read(session, phase.id)
    seats = {seat.name: seat for seat in seats_of(session, match)}
    answers = {name: _said(keyring, match, phase, seats[name], envelopes, receipts) for name in due}
    return {
        name: each
        for name, each in answers.items()
        if not each.makes_ready(match.ready_rule)
        and (name not in rows or is_ready(match.ready_rule, rows[name]))
    }


def _said(
    keyring: Keyring,
    match: Match,
    phase: PhaseRow,
    seat: Seat,
    envelopes: Sequence[Envelope],
    receipts: Sequence[Receipt],
) -> Said:
    """Return what the present player of a seat said; of a seat without one, what the player before
    did.
    """
    own = [each for each in receipts if each.seat == seat.name and each.disposition != "refused"]
    plans = [each for each in envelopes if each.seat == seat.name and each.seq == 0]
    tenures = {each.tenure for each in own} | {each.tenure for each in plans}
    tenure = seat.tenure if seat.player_id is not None else max(tenures, default=0)
    carried = any(
        carried_on(keyring, match.uid, phase.number, each)
        for each in plans
        if each.tenure == tenure
    )
    answer = Said(complete=carried, says="ready" if carried else None)
    for receipt in (each for each in own if each.tenure == tenure):
        complete = bool(receipt.complete) if receipt.commitments else answer.complete
        answer = Said(complete, receipt.says)
    return answer


def restore_ready(
    database: Database, keyring: Keyring, uid: str, unready: Mapping[str, Said], *, seen: Match
) -> None:
    """Store of these seats what their signed requests say, and tell them; nothing where the match
    changed since it was `seen`.
    """
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        phase = waiting_phase(session, match)
        if phase is None or match.version != seen.version + 1:
            return
        now = phase.closes_at or phase.opened_at
        rows = {row.seat: row for row in session.exec(select(Due).where(Due.phase_id == phase.id))}
        for name, answer in unready.items():
            row = rows.get(name) or Due(phase_id=phase.id or 0, seat=name)
            row.complete, row.says = answer.complete, answer.says
            session.add(row)
            tell_seat(session, keyring, match, name, phase.number, "ready", now=now)
        session.flush()
        set_closing(session, match, phase, now)
