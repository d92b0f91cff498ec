"""Results that a director decides or corrects, with a reason; and how long the next pairing waits
for whoever sees a mistake.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction

from sqlmodel import Session

from adjudicator.platform.words import plural
from adjudicator.play.scoring.systems import find_system, is_possible
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.tables import Tournament, TournamentDecision, TournamentTable
from adjudicator.service.matches.masters import clean_reason
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.making import check_wait
from adjudicator.service.tournaments.records import (
    OVER,
    count_paired,
    is_final,
    lock_to_direct,
    note_tournament,
    own_table,
    points_at,
    tables_of,
)
from adjudicator.service.tournaments.standing import list_standings
from adjudicator.service.tournaments.telling.directors import tell_waiting

_POINTS = re.compile(r"-?\d{1,6}(?:[.,]\d{1,6}|/\d{1,6})?", re.ASCII)
_HALF = re.compile(r"(-?)(\d{0,6}) ?½")  # `½`, `1½`


class Doubtful(Refused):
    """These points cannot come of the tournament's scoring; they count once the director says that
    they are meant.
    """


@act
def decide_table(
    session: Session,
    uid: str,
    director_id: int,
    place: tuple[int, int],
    points: Sequence[str],
    *,
    reason: str,
    now: datetime,
    seen: str | None = None,
    sure: str = "",
) -> None:
    """Decide the result of a table, as an adjudgement if it has none yet, else as a correction; a
    public note and letters tell it.

    `seen` is the result that the director saw, as `told_result` has it: if another director has
    changed it, nothing is done. `place` is the number of the round and of the table; `points` are
    in seat order: `1`, `1/2`, `0.5`, `1,5`, `½`. Points that the scoring cannot give raise Doubtful
    unless `sure` is what `told_result` makes of them. The table's matches go on and no longer
    count.

    While the tournament runs, the next pairing waits for `go_on`, or for as long as the director
    chose; the worker looks whether rounds that were paired from a corrected result stand
    (`corrections`). Once it is over, only results are corrected, until they are final. Idempotent.
    Raises NotAllowed for others than the directors and for who plays at the table, NotFound where
    there is no such table, NotNow for a changed or final result, Refused for what does not read as
    points, or without a reason.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    table, why = _find_table(session, tournament, place), clean_reason(reason)
    if own_table(session, tournament, [table], director_id) is not None:
        raise NotAllowed("You play at this table, so another director has to decide it.")
    wanted, before = read_points(points, len(table.entrants)), points_at(table)
    if before == tuple(wanted) and table.corrected_why == why:
        return
    _require_open(tournament, before, now)
    if seen is not None and seen != told_result(before):
        raise NotNow(
            f"Another director has just decided this table, as {told_result(before)}, and nothing"
            " was changed. Look again."
        )
    _ask_if_odd(tournament, wanted, sure)
    places = _list_places(session, tournament)
    act = (
        f"adjudged {told_result(wanted)} to"
        if before is None
        else f"corrected {told_result(before)} to {told_result(wanted)} at"
    )
    table.points, table.scored_at = list(map(str, wanted)), table.scored_at or now
    table.corrected_by, table.corrected_why = director_id, why
    note_tournament(
        session, tournament, now, who, f"{act} table {place[1]} of round {place[0]}: {why}"
    )
    session.flush()
    moved = places.items() ^ _list_places(session, tournament).items() if before is not None else ()
    _tell(
        session,
        tournament,
        table,
        before,
        concerned={*table.entrants, *(number for number, _ in moved)},
        now=now,
    )
    _hold(session, tournament, None if before is None else table.round_number, now)
    tell_waiting(session, tournament, now=now, but={director_id})


def _find_table(
    session: Session, tournament: Tournament, place: tuple[int, int]
) -> TournamentTable:
    found = next(
        (
            table
            for table in tables_of(session, tournament)
            if (table.round_number, table.number) == place
        ),
        None,
    )
    if found is None:
        raise NotFound(f"This tournament has no table {place[1]} in round {place[0]}.")
    return found


def _require_open(
    tournament: Tournament, before: tuple[Fraction, ...] | None, now: datetime
) -> None:
    """Raise NotNow where a tournament is over and this result cannot be corrected any more, or is
    none.
    """
    if is_final(tournament, now):
        raise NotNow("The results of this tournament are final, and nothing was changed.")
    if tournament.status in OVER and before is None:
        raise NotNow(
            "This tournament ended without a result of that table, and nothing was changed."
        )


def _ask_if_odd(tournament: Tournament, wanted: Sequence[Fraction], sure: str) -> None:
    """Raise Doubtful for points that the scoring cannot give, unless the director was asked about
    just these.
    """
    system = find_system(tournament.scoring)
    if sure != told_result(wanted) and not is_possible(system, wanted, tournament.legs):
        question = (
            f"Points of {told_result(wanted)} were not expected. The scoring is “{system.name}”:"
            f" {system.formula}"
        )
        matches = plural(tournament.legs, "A table plays {n} match.", "A table plays {n} matches.")
        raise Doubtful(f"{question} {matches} Nothing was changed yet.", field="points")


def _list_places(session: Session, tournament: Tournament) -> dict[int, int]:
    return {line.number: line.place for line in list_standings(session, tournament.uid)}


def _tell(
    session: Session,
    tournament: Tournament,
    table: TournamentTable,
    before: tuple[Fraction, ...] | None,
    *,
    concerned: set[int],
    now: datetime,
) -> None:
    """Have letters written of a decided table; a tournament that is over goes back to `ending`,
    where the worker finds it.
    """
    session.add(
        TournamentDecision(
            tournament_id=tournament.id,
            round_number=table.round_number,
            number=table.number,
            at=now,
            why=table.corrected_why,
            before=None if before is None else list(map(str, before)),
            points=table.points or [],
            concerned=sorted(concerned),
        )
    )
    if tournament.status == "ended":
        tournament.status = "ending"


def _hold(session: Session, tournament: Tournament, corrected: int | None, now: datetime) -> None:
    """Let the next pairing wait, and have the rounds looked at that were paired from the round with
    a corrected result.
    """
    if tournament.status != "running":
        return
    if tournament.wait_hours:
        tournament.waits_until = now + timedelta(hours=tournament.wait_hours)
    if corrected is not None and corrected < count_paired(session, tournament):
        tournament.recheck_from = min(tournament.recheck_from or corrected, corrected)


def read_points(points: Sequence[str], seats: int) -> list[Fraction]:
    """Return exact points; raises Refused with a sentence."""
    if len(points) != seats:
        raise Refused(
            f"This table has {seats} seats: give as many numbers of points.", field="points"
        )
    found = []
    for text in map(_spell_half, points):
        if not _POINTS.fullmatch(text) or re.search(r"/0+$", text):
            raise Refused(
                f"“{text[:20]}” does not read as points; write them like 1, 0.5, ½ or 1/3.",
                field="points",
            )
        found.append(Fraction(text.replace(",", ".")))
    return found


def _spell_half(text: str) -> str:
    """Return points with the sign of a half written as a decimal."""
    half = _HALF.fullmatch(text.strip())
    return f"{half[1]}{half[2] or 0}.5" if half else text.strip()


def told_result(points: Sequence[Fraction] | None) -> str:
    """Return the exact points of a table as notes and forms have them: `1 : 1/2`, "" without a
    result.
    """
    return " : ".join(map(str, points or ()))


# --- how long the next pairing waits


@act
def go_on(session: Session, uid: str, director_id: int, *, seen: str = "", now: datetime) -> None:
    """Let the next round be paired without waiting any longer, as a director.

    `seen` is the moment until which it waited as the director saw it, in ISO 8601: if a result was
    decided since, nothing is done. Raises NotAllowed for others than the directors, NotNow where
    nothing waits.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    until = tournament.waits_until
    if tournament.status != "running" or until is None or until <= now:
        raise NotNow("No round waits for a director, and nothing was changed.")
    if seen and seen != until.isoformat():
        raise NotNow("A result was decided since you looked, and nothing was changed. Look again.")
    tournament.waits_until = None
    note_tournament(session, tournament, now, who, "let the next round be paired")


@act
def set_wait(session: Session, uid: str, director_id: int, hours: int, *, now: datetime) -> None:
    """Set how long a pairing waits after a result that was typed by hand, also one that waits now;
    0: not at all.

    Raises NotAllowed for others than the directors, Refused for other hours, NotNow once it is over.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    check_wait(hours)
    if tournament.status in OVER:
        raise NotNow("This tournament is over, so no pairing waits. Nothing was changed.")
    if hours == tournament.wait_hours:
        return
    if tournament.waits_until is not None:
        tournament.waits_until += timedelta(hours=hours - tournament.wait_hours)
    tournament.wait_hours = hours
    one = "set pairings to wait {n} hour after a decided result"
    more = "set pairings to wait {n} hours after a decided result"
    note_tournament(session, tournament, now, who, plural(hours, one, more))
