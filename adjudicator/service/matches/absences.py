"""What players' absences do to the deadlines of their matches, as a phase opens; and what each
player sees of that.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, func, select

from adjudicator.platform.words import join_list, seat_phrase
from adjudicator.play.absences import Absentee, Moved, Span, move_past_absences
from adjudicator.service.base.due.phase_clock import last_call
from adjudicator.service.base.memory import OF, RowsOf, memory_of
from adjudicator.service.base.rows import dues_of, players_of, seats_of
from adjudicator.service.base.state import hides_players, progress_of
from adjudicator.service.base.tables import Absence, AbsenceUse, Due, Match, PhaseRow, Player, Seat
from adjudicator.service.matches import timetables
from adjudicator.service.matches.notes import SERVICE, add_note, in_utc

_OF_PLAYERS = select(Seat.match_id, Absence).join(
    Absence, onclause=col(Absence.player_id) == col(Seat.player_id)
)
# of a match's players
ABSENCES = RowsOf(
    "absences", _OF_PLAYERS.where(col(Seat.match_id).in_(OF)).order_by(col(Absence.id))
)
USUAL_DAYS = 21  # a year, of a match whose phases last a day or longer
MOST_DAYS = 60
# a match with shorter ones honours none by default; fixed hours a day apart may lose an hour
SHORTEST_PHASE = timedelta(hours=22)
LATELY = 6  # phases whose due seats count in an anonymous match: at least a whole year of Diplomacy


def usual_days(phase_length: timedelta) -> int:
    """Return the days a year that a match with phases of this usual length honours if nothing else
    was chosen.
    """
    return USUAL_DAYS if phase_length >= SHORTEST_PHASE else 0


# --- as a phase opens


def move_past(
    session: Session, match: Match, phase: PhaseRow, *, short: bool, now: datetime
) -> None:
    """Move the deadline of a phase that opens past the absences of those it waits for; note it and
    the days that it used.

    The caller has locked the match and added the phase with its deadline and its `Due` rows. Days
    are used for good: a phase that closes early gives none back.
    """
    if not match.absence_days or phase.deadline is None:
        return
    memory_of(session)["absence uses", phase.id] = ()
    absentees = _absentees(session, match, phase)
    if not absentees:
        return
    natural, table, off = phase.deadline, timetables.table_of(match), timetables.days_off_of(match)
    moved = move_past_absences(table, natural, absentees, short=short, not_on=off.__contains__)
    if moved.deadline == natural:
        return
    phase.deadline = moved.deadline
    phase.closes_at = last_call(phase)
    _keep_use(session, match, phase, moved)
    whose = _whose(session, match, {player for player, _ in moved.days})
    add_note(
        session,
        match,
        now,
        SERVICE,
        f"moved the deadline of {phase.name} to {in_utc(moved.deadline)}, past {whose}",
    )


def _absentees(session: Session, match: Match, phase: PhaseRow) -> list[Absentee]:
    """Return the players for whom the phase waits and who have an absence from its deadline on."""
    assert phase.deadline is not None  # noqa: S101 the caller looked
    waited = _waited_for(session, match, phase)
    playing = [
        seat.player_id
        for seat in seats_of(session, match)
        if seat.name in waited and seat.player_id is not None
    ]
    near = (phase.deadline - timedelta(days=2)).date()  # no zone is a whole day off
    found: dict[int, Absentee] = {}
    with session.no_autoflush:
        announced = ABSENCES.read(session, match.id, keep=False)
        zones = {player.id: player.zone for player in players_of(session, match)}
    rows = [row for row in announced if row.player_id in playing and row.last >= near]
    used = _used(session, match, playing) if rows else {}
    for row in rows:
        before = found.get(row.player_id)
        spans = (*before.spans, (row.first, row.last)) if before else ((row.first, row.last),)
        found[row.player_id] = Absentee(
            row.player_id,
            spans,
            zones[row.player_id],
            match.absence_days,
            used.get(row.player_id, {}),
        )
    return list(found.values())


def _waited_for(session: Session, match: Match, phase: PhaseRow) -> set[str]:
    """Return the seats whose players' absences count: those that are due.

    A seat whose plan handed in orders for the phase counts only where nobody is shown who has
    handed in. Where players are hidden all seats that were due lately count: the deadline would
    else tell which of them people play.
    """
    if not hides_players(match):
        dues = dues_of(session, phase)
        return {
            due.seat for due in dues if due.handed_in_at is None or progress_of(match) == "none"
        }
    if phase.number <= LATELY:
        return {seat.name for seat in seats_of(session, match)}
    lately = select(PhaseRow).where(
        PhaseRow.match_id == match.id, PhaseRow.number > phase.number - LATELY
    )
    return {*phase.due, *(name for row in session.exec(lately) for name in row.due)}


def _used(session: Session, match: Match, players: list[int]) -> dict[int, dict[int, int]]:
    """Return the days that absences of these players used in a match, by player and year."""
    here = (col(AbsenceUse.match_id) == match.id, col(AbsenceUse.player_id).in_(players))
    return _sum_used(session, col(AbsenceUse.player_id), *here)


def _sum_used(
    session: Session, by: Mapped[int], *which: ColumnElement[bool]
) -> dict[int, dict[int, int]]:
    """Return the days that absences used, by one more column and year."""
    total = select(by, AbsenceUse.year, func.sum(AbsenceUse.days)).where(*which)
    used: dict[int, dict[int, int]] = {}
    for key, year, days in session.exec(total.group_by(by, col(AbsenceUse.year))):
        used.setdefault(key, {})[year] = int(days)
    return used


def _keep_use(session: Session, match: Match, phase: PhaseRow, moved: Moved) -> None:
    days = sorted(moved.days.items())
    uses = [
        AbsenceUse(
            match_id=match.id, player_id=who, phase_number=phase.number, year=year, days=used
        )
        for (who, year), used in days
    ]
    session.add_all(uses)
    memory_of(session)["absence uses", phase.id] = uses
    session.flush()


def _whose(session: Session, match: Match, players: Collection[int]) -> str:
    """Return whose absences moved a deadline, as far as everybody may know it: the seats, only
    where progress is told by seat.
    """
    if progress_of(match) != "seats":
        return "an absence"
    seats = [
        seat_phrase(seat.name) for seat in seats_of(session, match) if seat.player_id in players
    ]
    return f"the absence of {join_list(seats)}" if seats else "an absence"


# --- what a player sees


def uses_in(session: Session, match: Match, phase: PhaseRow | None) -> Sequence[AbsenceUse]:
    """Return the days of absences that moved the deadline of a phase."""
    if phase is None or not match.absence_days:
        return ()
    known: Sequence[AbsenceUse] | None = memory_of(session).get(("absence uses", phase.id))
    if known is not None:
        return known
    return session.exec(
        select(AbsenceUse).where(
            AbsenceUse.match_id == match.id, AbsenceUse.phase_number == phase.number
        )
    ).all()


def notes_for(
    session: Session,
    match: Match,
    phase: PhaseRow | None,
    moved: Sequence[AbsenceUse],
    player_id: int | None,
) -> list[str]:
    """Return the note of a report about a deadline that was `moved` past an absence, [] for any
    other.

    Only the player whose absence it was is told so, and what is left.
    """
    if phase is None:
        return []
    own = [row for row in moved if row.player_id == player_id]
    if not own:
        whose = _whose(session, match, {row.player_id for row in moved})
        return [f"The deadline of {phase.name} was moved past {whose}."] if moved else []
    left = join_list([_left(session, match, row) for row in own])
    return [
        f"The deadline of {phase.name} was moved past your absence. Of the days that this match"
        f" honours, {left}."
    ]


def _left(session: Session, match: Match, row: AbsenceUse) -> str:
    used = _used(session, match, [row.player_id])[row.player_id][row.year]
    return f"{match.absence_days - used} of {match.absence_days} are left for {row.year}"


@dataclass(frozen=True)
class Honoured:
    """What one of a player's matches makes of absences."""

    match: str
    uid: str
    days: int  # a year by which it moves deadlines
    used: Mapping[int, int]  # by year
    # the open phase whose deadline lies in an absence and stays there; "" if there is none
    phase: str = ""
    deadline: datetime | None = None  # of that phase

    def left(self, year: int) -> int:
        """Return the days that are left for a year."""
        return max(0, self.days - self.used.get(year, 0))

    def describe_left(self, years: Collection[int]) -> str:
        """Return the days that are left for some years: `6 for 2026 and 21 for 2027`."""
        return join_list([f"{self.left(year)} for {year}" for year in sorted(years)])


def years_ahead(spans: Collection[Span], now: datetime) -> set[int]:
    """Return the years for which a player wants to know what is left: this one, and those of
    absences.
    """
    return {now.year, *(year for first, last in spans for year in range(first.year, last.year + 1))}


def list_honoured(session: Session, player_id: int) -> list[Honoured]:
    """Return what the matches that a player sits in make of absences, without those that are over,
    the newest first.
    """
    player = session.get_one(Player, player_id)
    rows = session.exec(select(Absence).where(Absence.player_id == player_id)).all()
    absent = Absentee(player_id, [(row.first, row.last) for row in rows], player.zone, 0)
    seats = select(Match).join(Seat)
    matches = session.exec(
        seats.where(Seat.player_id == player_id, Match.status != "ended").order_by(
            col(Match.id).desc()
        )
    ).all()
    own = col(AbsenceUse.player_id) == player_id
    used, owing = _sum_used(session, col(AbsenceUse.match_id), own), _owing(session, player_id)
    found = []
    for match in matches:
        phase, deadline = owing.get(match.id, ("", None))
        stays = deadline is not None and absent.is_away(deadline)
        days = used.get(match.id, {})
        found.append(
            Honoured(
                match.name,
                match.uid,
                match.absence_days,
                days,
                phase if stays else "",
                deadline if stays else None,
            )
        )
    return found


def _owing(session: Session, player_id: int) -> dict[int | None, tuple[str, datetime | None]]:
    """Return name and deadline of the open phases in which a player's seats are due, by match."""
    wanted = select(PhaseRow.match_id, PhaseRow.name, PhaseRow.deadline).join(Due)
    wanted = wanted.join(
        Seat,
        onclause=(col(Seat.match_id) == col(PhaseRow.match_id)) & (col(Seat.name) == col(Due.seat)),
    )
    wanted = wanted.where(Seat.player_id == player_id, col(PhaseRow.closed_at).is_(None))
    return {match_id: (name, deadline) for match_id, name, deadline in session.exec(wanted)}
