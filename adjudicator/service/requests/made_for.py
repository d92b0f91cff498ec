"""What a form of a seat was made for: the phase and the tenure that its page showed, and the newest
submission that the page knew of.

Use cases compare it inside the transaction that locks the match. Letters have none: what they say
is merged.
"""

from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.memory import basis_of, memory_of
from adjudicator.service.base.rows import exists
from adjudicator.service.base.tables import Match, PhaseRow, Receipt, Seat

OTHER_TENURE = (
    "Your seat has changed hands since this page was made, so nothing was changed. Look at the"
    " match again."
)
BEHIND = (
    "You sealed something or said “ready” or “wait” after this page was made, so nothing was"
    " changed. Look at it, and say so again."
)


@dataclass(frozen=True)
class MadeFor:
    """The fields of a form; one that lacks the last two is compared as if it had been made before
    anything was handed in.
    """

    phase: int
    tenure: int = 1  # of its seat
    seq: int = 0  # of the newest submission or bare word of this tenure in the phase; 0 for none


_SENT = select(func.max(Receipt.seq)).where(
    col(Receipt.match_id) == bindparam("match"),
    col(Receipt.phase_number) == bindparam("phase"),
    col(Receipt.seat) == bindparam("seat"),
    col(Receipt.tenure) == bindparam("tenure"),
)


def find_made_for(
    session: Session, match: Match, phase: PhaseRow | None, seat: Seat | None
) -> MadeFor | None:
    """Return what the forms of a seat are made for now; None without an open phase, and for who has
    no seat.
    """
    if phase is None or seat is None:
        return None
    return MadeFor(phase.number, seat.tenure, newest_seq(session, match, phase, seat))


def newest_seq(session: Session, match: Match, phase: PhaseRow, seat: Seat) -> int:
    """Return how often the present tenure of a seat handed something in for the open phase; read
    once in a transaction that writes nothing.
    """
    memory, key = memory_of(session), ("sent", (phase.id, seat.id))
    if known := basis_of(session, match.uid, seat.player_id, "handed in"):
        return known[0][0] or 0
    if key not in memory:
        wanted = {"match": seat.match_id, "phase": phase.number}
        found = session.exec(_SENT, params=wanted | {"seat": seat.name, "tenure": seat.tenure})
        memory[key] = found.one() or 0
    return int(memory[key])


def require_tenure(made_for: MadeFor | None, seat: Seat) -> None:
    """Raise NotNow for a form of another tenure of its seat."""
    if made_for is not None and made_for.tenure != seat.tenure:
        raise NotNow(OTHER_TENURE)


def require_phase(made_for: MadeFor | None, phase: PhaseRow) -> None:
    """Raise NotNow for a form of another phase than the open one."""
    if made_for is not None and made_for.phase != phase.number:
        raise NotNow(f"That phase is closed by now, and nothing was changed; {phase.name} is open.")


def require_newest(session: Session, made_for: MadeFor | None, match: Match, seat: Seat) -> None:
    """Raise NotNow where a form's page did not know what the seat handed in since; what was refused
    changed nothing.
    """
    if made_for is not None and is_behind(session, made_for, match, seat):
        raise NotNow(BEHIND)


def is_behind(session: Session, made_for: MadeFor, match: Match, seat: Seat) -> bool:
    """Whether the seat has handed in something since in the same phase and tenure that was not
    refused.
    """
    since = select(Receipt.id).where(
        Receipt.match_id == match.id,
        Receipt.phase_number == made_for.phase,
        Receipt.seat == seat.name,
    )
    since = since.where(
        Receipt.tenure == made_for.tenure,
        Receipt.seq > made_for.seq,
        Receipt.disposition != "refused",
    )
    return exists(session, since.where(col(Receipt.rejected).is_(None)))
