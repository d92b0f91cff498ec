"""What a letter to a seat or a master answers, what its address asks, and whom it may address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlmodel import Session, col, select

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform.words import MASTER
from adjudicator.service.base.rows import by_uid, may_run, open_phase
from adjudicator.service.base.tables import Letter, Match, Seat
from adjudicator.service.letters.receiving import Target
from adjudicator.service.matches import proposals
from adjudicator.service.press import press_by_letter
from adjudicator.service.starting import muster


@dataclass(frozen=True)
class Answered:
    """What a letter to a seat or a master answers, and whom it may address."""

    nearest: Letter | None = None  # the nearest of our letters of this match that it refers to
    press: bool = False  # whether that is press
    phase: int | None = None  # of the nearest one that names a phase
    to: tuple[SeatName, ...] | None = None  # who gets a plain reply, as `reply_recipients`
    names: Mapping[str, SeatName] = field(default_factory=dict)  # of those whom press may address
    runs: bool = False  # whether its writer may write as the match's master
    vote: str | None = None  # the kind of the proposal whose address it came to
    gathers: bool = False  # whether the match is open: prepared and not begun
    awaits: bool = False  # whether its muster waits for this seat


def find_answered(
    session: Session, target: Target, player_id: int, letters: Sequence[str]
) -> Answered:
    """Return what a letter to a seat or a master answers, given its player and the uids of the
    letters it refers to, nearest first.
    """
    match = session.get_one(Match, target.match_id)
    seat = session.get_one(Seat, target.seat_id) if target.seat_id is not None else None
    ours = select(Letter).where(col(Letter.uid).in_(letters), Letter.match_id == match.id)
    found = (
        sorted(session.exec(ours), key=lambda letter: letters.index(letter.uid)) if letters else []
    )
    nearest = found[0] if found else None
    gathers = seat is not None and match.status == "open"
    voted = int(target.ref) if seat and target.ref is not None else None
    return Answered(
        nearest,
        nearest is not None and nearest.kind == "press",
        next((each.phase_number for each in found if each.phase_number is not None), None),
        press_by_letter.reply_recipients(session, match, seat.name if seat else MASTER, nearest),
        press_by_letter.press_names(session, match),
        may_run(session, match, player_id),
        proposals.kind_of(session, match.uid, voted) if voted is not None else None,
        gathers,
        gathers and muster.awaits(session, match.uid, player_id),
    )


@dataclass(frozen=True)
class MatchNamed:
    """What an answer letter says of a match."""

    id: int | None
    name: str
    game: str
    phase: int | None  # the number of its open phase


def describe_match(session: Session, uid: str) -> MatchNamed:
    """Return what an answer letter says of a match; raises NotFound."""
    match = by_uid(session, uid)
    phase = open_phase(session, match)
    return MatchNamed(match.id, match.name, match.game, phase.number if phase is not None else None)
