"""Absences: deadlines move past them once, as far as their match honours them, and nobody is told
more than that.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import Absence, AbsenceUse, MasterNote, Match, PhaseRow
from adjudicator.service.matches import timetables
from adjudicator.service.matches.notes import SERVICE, in_utc
from tests.simulation.absentees import NOTED
from tests.simulation.checks_secrecy import plain_body
from tests.simulation.ledger import Away, ClockReading
from tests.simulation.scene import Check, Scene

_LATELY = 6  # phases whose due seats count where players are hidden
_DAY = timedelta(days=1)
_OWN, _OTHERS = "was moved past your absence", "was moved past an absence"

Used = dict[tuple[int, int], int]  # (player, year) -> days


def deadlines_move_past_absences(session: Session, scene: Scene) -> Iterator[str]:
    """As a phase opens its deadline is the first that falls into no absence of those it waits for
    who have days left.
    """
    for match in scene.matches.values():
        kept = _kept(session, match)
        used: Used = {}
        for phase in scene.of_match[match.uid]:
            reading = _announced(scene, match, phase)
            if reading is None or reading.deadline is None:
                continue
            deadline, days = _moved(match, reading, _waited_for(scene, match, phase, reading), used)
            if reading.deadline != deadline:
                yield (
                    f"phase {phase.number} of {match.uid}, opened at {reading.opened}, ends at"
                    f" {reading.deadline} and not at {deadline}"
                )
            if kept[phase.number] != days:
                yield (
                    f"phase {phase.number} of {match.uid} used the days {kept[phase.number]} and"
                    f" not {days}"
                )
            used = {key: used.get(key, 0) + days.get(key, 0) for key in used.keys() | days.keys()}
        for (player, year), number in used.items():
            if number > match.absence_days:
                yield (
                    f"{match.uid} honoured {number} days of player {player} in {year}, and honours"
                    f" {match.absence_days} a year"
                )


def _announced(scene: Scene, match: Match, phase: PhaseRow) -> ClockReading | None:
    """Return the clock of a phase as it was announced."""
    readings = scene.ledger.clocks.get((match.uid, phase.number))
    return readings[0] if readings else None


def _kept(session: Session, match: Match) -> dict[int, Used]:
    kept: dict[int, Used] = defaultdict(dict)
    for row in session.exec(select(AbsenceUse).where(AbsenceUse.match_id == match.id)):
        kept[row.phase_number][row.player_id, row.year] = row.days
    return kept


def _waited_for(scene: Scene, match: Match, phase: PhaseRow, reading: ClockReading) -> set[int]:
    """Return the players whose absences count: all of those who owe, where that may show."""
    # they were due as the phase opened
    conceding = [seat for seat, number in match.conceded or () if number == phase.number - 1]
    seats = {*phase.due, *conceding} if match.progress == "none" else set(reading.owing)
    if match.options.get(ANONYMOUS):
        lately = [
            each.due
            for each in scene.of_match[match.uid]
            if phase.number - _LATELY < each.number <= phase.number
        ]
        seats = (
            set(reading.people)
            if phase.number <= _LATELY
            else {seat for due in lately for seat in due}
        )
    return {player for seat, (player, *_) in reading.people.items() if seat in seats}


def _moved(
    match: Match, reading: ClockReading, players: set[int], used: Used
) -> tuple[datetime, Used]:
    """Return the deadline that a phase has to have, and the days that this uses."""
    zones = {player: ZoneInfo(zone) for player, _, zone in reading.people.values()}
    table = timetables.table_of(match)
    possible = _possible(match, reading.opened)
    deadline, spent = next(possible), Counter[tuple[int, int]]()
    if not match.absence_days:
        return deadline, {}
    while True:
        later = next(possible)
        first, last = (at.astimezone(ZoneInfo(table.zone)).date() for at in (deadline, later))
        years = Counter((first + number * _DAY).year for number in range((last - first).days)) or {
            first.year: 0
        }
        if table.not_on:
            days = [first + number * _DAY for number in range((last - first).days)]
            years = Counter(day.year for day in days if day.weekday() not in table.not_on) or {
                first.year: 0
            }
        away = [
            player
            for player in players
            if _is_away(deadline, zones[player], reading.away.get(player, ()))
        ]
        payers = [
            player
            for player in away
            if all(
                used.get((player, year), 0) + spent[player, year] + count <= match.absence_days
                for year, count in years.items()
            )
        ]
        if not payers:
            return deadline, dict(spent)
        for player in payers:
            spent.update({(player, year): count for year, count in years.items()})
        deadline = later


def _is_away(at: datetime, zone: ZoneInfo, spans: tuple[tuple[date, date], ...]) -> bool:
    """Whether the last moment before `at` belongs to an absence."""
    day = (at - timedelta.resolution).astimezone(zone).date()
    return any(first <= day <= last for first, last in spans)


def _possible(match: Match, opened: datetime) -> Iterator[datetime]:
    """Yield all deadlines that a phase could have: after its length and a day later each, or at
    fixed hours.
    """
    table = timetables.table_of(match)
    if table.usual.every is not None:
        at = opened + table.usual.every
        while True:
            yield at
            at += _DAY
    zone = ZoneInfo(table.zone)
    day = opened.astimezone(zone).date()
    while True:
        for hour in sorted(each.at for each in table.usual.hours):
            at = datetime.combine(day, hour, zone).astimezone(UTC)
            if at > opened and day.weekday() not in table.not_on:
                yield at
        day += _DAY


def an_announced_deadline_stays(_: Session, scene: Scene) -> Iterator[str]:
    """Only a master, a vote or an outage moves the deadline of an open phase."""
    for (uid, number), readings in scene.ledger.clocks.items():
        phase = scene.phase(uid, number)
        if phase is None or scene.moves_by_itself(phase) or not readings:
            continue
        if phase.deadline != readings[0].deadline:
            yield (
                f"phase {number} of {uid} was to end at {readings[0].deadline} and ends at"
                f" {phase.deadline}"
            )


def the_notes_tell_of_absences_without_names(session: Session, scene: Scene) -> Iterator[str]:
    """Each move past absences is noted once; seats stand there only where the match shows who has
    handed in, names never.
    """
    for match in scene.matches.values():
        rows = session.exec(
            select(MasterNote)
            .where(MasterNote.match_id == match.id, MasterNote.who == SERVICE)
            .order_by(col(MasterNote.id))
        )
        found = [row.what for row in rows if ", past " in row.what]
        wanted, kept = [], _kept(session, match)
        for phase in scene.of_match[match.uid]:
            reading = _announced(scene, match, phase)
            if reading is not None and reading.deadline is not None and kept[phase.number]:
                absent = {who for who, _ in kept[phase.number]}
                seats = [
                    seat_phrase(seat)
                    for seat, (player, *_) in reading.people.items()
                    if player in absent
                ]
                whose = (
                    f"the absence of {_listed(seats)}"
                    if match.progress == "seats"
                    else "an absence"
                )
                wanted.append(
                    f"moved the deadline of {phase.name} to {in_utc(reading.deadline)}, past"
                    f" {whose}"
                )
        if found != wanted:
            yield f"the notes of {match.uid} say {found} and not {wanted}"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def only_the_player_is_told_whose_absence_it_was(session: Session, scene: Scene) -> Iterator[str]:
    """A report of a phase whose deadline moved says so to each reader, and “your absence” to those
    alone whose it was.
    """
    known = {
        letter.uid: letter
        for letter in scene.letters
        if letter.kind == "report" and letter.phase_number is not None
    }
    kept = {
        match.id: _kept(session, match) for match in scene.matches.values() if match.absence_days
    }
    for taken in scene.sink.taken:
        letter = known.get(taken.uid)
        body = plain_body(taken) if letter is not None and letter.match_id in kept else None
        if letter is None or body is None:
            continue
        payers = {player for player, _ in kept[letter.match_id][letter.phase_number or 0]}
        notes = " ".join(map(str, body.get("notes", ())))
        if (_OWN in notes) != (letter.player_id in payers):
            yield (
                f"the report {letter.uid} of phase {letter.phase_number} tells player"
                f" {letter.player_id}: {notes}"
            )
        named = scene.matches[letter.match_id or 0].progress == "seats"
        if payers and letter.player_id not in payers and (_OTHERS in notes) == named:
            yield (
                f"the report {letter.uid} of phase {letter.phase_number} tells player"
                f" {letter.player_id}: {notes}"
            )


# --- the calendar


def calendars_hold_what_was_noted(session: Session, scene: Scene) -> Iterator[str]:
    """A calendar holds the days that were noted, as long as nobody cancelled any, and no others."""
    today = (scene.world.now() + timedelta(hours=14)).date()
    for player in sorted({each.player for each in scene.ledger.away}):
        own = [each for each in scene.ledger.away if each.player == player]
        rows = session.exec(select(Absence).where(Absence.player_id == player)).all()
        kept = {day for row in rows for day in _days(row.first, row.last)}
        asked = {
            day
            for each in own
            if each.what == NOTED and each.last is not None
            for day in _days(each.first, each.last)
        }
        noted = {
            day
            for each in own
            if _is_noted(scene, each) and each.last is not None
            for day in _days(each.first, each.last)
        }
        cancelled = any(each.what != NOTED for each in own)
        missing = sorted(day for day in noted - kept if day > today)
        if missing and not cancelled:
            yield (
                f"player {player} noted an absence on {missing[0]}, and the calendar has"
                f" {sorted(kept)}"
            )
        for each in own:
            if (
                each.what != NOTED
                and each.until is not None
                and each.first in kept
                and _covered_before(own, each)
            ):
                yield (
                    f"player {player} cancelled the absence of {each.first}, and the calendar has"
                    f" {sorted(kept)}"
                )
        if kept - asked:
            yield f"the calendar of player {player} has {min(kept - asked)}, which nobody noted"


def _covered_before(own: list[Away], cancelled: Away) -> bool:
    """Whether whatever was noted about a day was confirmed on the page before it was cancelled."""
    about = [
        each
        for each in own
        if each.what == NOTED and each.first <= cancelled.first <= (each.last or each.first)
    ]
    return all(
        each.letter is None and each.until is not None and each.until <= cancelled.since
        for each in about
    )


def _is_noted(scene: Scene, away: Away) -> bool:
    """Whether an absence was confirmed by the page, or its letter was read."""
    if away.letter is None:
        return away.what == NOTED and away.until is not None
    return away.what == NOTED and any(
        row.uid in away.letter.taken and row.disposition == "commands" for row in scene.incoming
    )


def _days(first: date, last: date) -> list[date]:
    return [first + number * _DAY for number in range((last - first).days + 1)]


CHECKS: tuple[Check, ...] = (
    deadlines_move_past_absences,
    an_announced_deadline_stays,
    the_notes_tell_of_absences_without_names,
    only_the_player_is_told_whose_absence_it_was,
    calendars_hold_what_was_noted,
)
