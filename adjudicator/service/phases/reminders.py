"""Reminders before a deadline, to players who owe orders and have handed in nothing; and the same
letter as overtime begins.
"""

from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.service.base.due.phase_clock import next_reminder, owing_seats
from adjudicator.service.base.rows import lock_by_uid, open_phase
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Match, PhaseRow, Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.match_content import ReminderLetter
from adjudicator.service.orders.envelopes import inherited_seats
from adjudicator.service.phases import reports
from adjudicator.service.posting.report_telling import list_choices
from adjudicator.service.tokens.references import of_seat


def due_matches(session: Session, now: datetime, *, most: int = 200) -> list[str]:
    """Return the public names of matches with a reminder to send now, the longest due first; an
    index finds them.
    """
    due = select(Match.uid).join(PhaseRow, onclause=col(PhaseRow.match_id) == col(Match.id))
    return list(
        session.exec(
            due.where(col(PhaseRow.remind_at) <= now).order_by(col(PhaseRow.remind_at)).limit(most)
        )
    )


def send_reminders(database: Database, uid: str, *, now: datetime) -> int:
    """Remind those who owe, if a reminder is due; returns how many letters were written.

    1. Note that all reminders up to now are done, and when the next one is due. So each is sent
       once for a deadline.
    2. Write to every seat that owes and whose player has handed in nothing, also where a former
       player's orders count. Reminders that were missed are one letter, and none comes too late.
    """
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        phase = open_phase(session, match)
        if phase is None or phase.remind_at is None or phase.remind_at > now:
            return 0
        phase.reminded_until = now
        phase.remind_at = next_reminder(match, phase)
        if phase.deadline is None or now >= phase.deadline:
            return 0
        inherited = inherited_seats(session, match, phase)
        owing = owing_seats(session, match, phase, inherited=inherited)
        return sum(
            write_reminder(session, match, phase, seat, now=now, inherited=seat.name in inherited)
            for seat in owing
        )


def write_reminder(
    session: Session,
    match: Match,
    phase: PhaseRow,
    seat: Seat,
    *,
    now: datetime,
    overtime: bool = False,
    inherited: bool = False,
) -> bool:
    """Write to a seat's player what the seat owes; returns whether a letter was added. `inherited`:
    a former player's orders count.

    Nobody gets it who has no address, wants no letters, or whose letters come back; a reminder (no
    overtime) nobody who turned reminders off.
    """
    player = session.get(Player, seat.player_id) if seat.player_id is not None else None
    if (
        player is None
        or player.address is None
        or player.house
        or not player.letters
        or player.bounced_at is not None
    ):
        return False
    game = game_of(match)
    owed = reports.owed(phase, seat.name)
    if owed is None or not (overtime or player.reminders):
        return False
    owed = replace(owed, slots=list_choices(game, load_state(game, phase.before), seat.name))
    letter = ReminderLetter(
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        seat=seat.name,
        zone=player.zone,
        reply_token=of_seat(match, seat),
        game=game.about.title,
        owed=owed,
        until=phase.overtime_until if overtime else None,
        note=reports.INHERITED.format(phase=phase.name) if inherited else "",
    )
    about = outbox.LetterReference(match.id, seat.name, phase=phase.number)
    outbox.write_to(session, player, letter, now=now, about=about)
    return True
