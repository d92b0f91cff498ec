"""What a match's page tells of the people at the table beside names and scores: who is away."""

from sqlmodel import Session, select

from adjudicator.core.game import Seat
from adjudicator.service.base.memory import basis_of
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.state import hides_players, progress_of
from adjudicator.service.base.tables import AbsenceUse, Match, PhaseRow


def seats_away(
    session: Session, match: Match, phase: PhaseRow | None, viewer_id: int | None
) -> tuple[Seat, ...]:
    """Return the seats past whose players' absence the open deadline was moved.

    They are shown only where the match shows progress by seat; its notes name these players as well
    (`absences.move_past`).
    """
    if phase is None or progress_of(match) != "seats" or hides_players(match):
        return ()
    known = basis_of(session, match.uid, viewer_id, "away")
    used = select(AbsenceUse.player_id).where(
        AbsenceUse.match_id == match.id, AbsenceUse.phase_number == phase.number
    )
    away = set(session.exec(used)) if known is None else {player_id for (player_id,) in known}
    return tuple(seat.name for seat in seats_of(session, match) if seat.player_id in away)
