"""Reports of texts to a match's master, with the reporter's reason. In anonymous press the writer
stays hidden there, too.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from adjudicator.platform.words import MASTER
from adjudicator.service.base import press_rules, public_keys
from adjudicator.service.base.errors import NotFound, NotNow, Refused
from adjudicator.service.base.rows import by_uid, exists, may_run, plays, seats_of
from adjudicator.service.base.tables import (
    FormerTenure,
    Letter,
    Match,
    Player,
    PressNote,
    PressReport,
    Seat,
)
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.match_content import ReportedLetter
from adjudicator.service.matches import masters
from adjudicator.service.press import press_letters
from adjudicator.service.press.messages import PressEntry, find_note, show_note
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.rights import lock_own_seat
from adjudicator.service.tokens import master_addresses

_STORED_WITHIN = timedelta(minutes=1)
_NO_SEAT = "Only who has a seat in this match can report."
REPORTED_BEFORE = "You reported this text before; the master has it."


@act
def report_text(
    session: Session, uid: str, player_id: int, ref: str, reason: str, *, now: datetime
) -> None:
    """Report a text that a player with a seat received to the match's master; `ref` is that of its
    `PressEntry`. Raises Refused with a sentence.
    """
    match, seat = lock_own_seat(session, uid, player_id, _NO_SEAT)
    note = find_note(session, match, press_rules.reader_of(session, match, player_id), ref)
    if note is None:
        raise NotFound("There is no such text.")
    _report(session, match, seat, note, reason, now)


def report_by_letter(
    session: Session, uid: str, player_id: int, letter: Letter | None, reason: str, *, now: datetime
) -> None:
    """Report the text that `letter` brought to a player's seat, as whoever answers it; raises
    Refused with a sentence.
    """
    match, seat = lock_own_seat(session, uid, player_id, _NO_SEAT)
    found = (
        press_letters.notes_of_letter(session, match, letter, seat.name)
        if letter is not None and letter.kind == "press"
        else []
    )
    if len(found) != 1:
        raise Refused(
            "It reports the text that you answer: write it in answer to a letter that brought"
            " press."
        )
    _report(session, match, seat, found[0], reason, now)


def _report(
    session: Session, match: Match, seat: Seat, note: PressNote, reason: str, now: datetime
) -> None:
    """Keep a report and write its letters; raises NotNow for a repetition, or where nobody can look
    at it.
    """
    if note.seat in (seat.name, MASTER):
        raise Refused("A text of your own, or of the master, cannot be reported to the master.")
    if (
        session.exec(
            select(PressReport.id).where(
                PressReport.note_id == note.id, PressReport.seat == seat.name
            )
        ).first()
        is not None
    ):
        raise NotNow(REPORTED_BEFORE)
    why = masters.clean_reason(reason)
    masters_told = _judges_of(session, match, note)
    if not masters_told:
        raise NotNow(
            "Nobody who runs this match can look at it, as its master wrote it: write to the host"
            " of this site."
        )
    session.add(PressReport(match_id=match.id, note_id=note.id, seat=seat.name, at=now, reason=why))
    _send(session, match, note, masters_told, seat=seat.name, why=why, now=now)


def _judges_of(session: Session, match: Match, note: PressNote) -> list[Player]:
    """Return who is told of a report: the match's master; of one who plays, those who run every
    match and do not play here.

    Without any such person a master who plays is told, too. Nobody is told of a text that they
    wrote.
    """
    seats = seats_of(session, match)
    master = session.get_one(Player, match.master_id)
    wrote = _may_have_written(session, match, master.id, note)
    if not plays(seats, master.id) and not wrote:
        return [master]
    others = session.exec(
        select(Player)
        .where(col(Player.master).is_(True), Player.id != master.id)
        .order_by(col(Player.id))
    )
    free = [player for player in others if not plays(seats, player.id)]
    aside = [player for player in free if not _may_have_written(session, match, player.id, note)]
    return aside or ([] if wrote else [master])


def _may_have_written(
    session: Session, match: Match, player_id: int | None, note: PressNote
) -> bool:
    """Whether a player has or lent the seat that wrote a text, or had it then; a text is dated a
    little before it is stored.
    """
    own = [
        seat.name
        for seat in seats_of(session, match)
        if player_id in (seat.player_id, seat.owner_id)
    ]
    had = select(FormerTenure.id).where(
        FormerTenure.match_id == match.id, FormerTenure.player_id == player_id
    )
    had = had.where(FormerTenure.seat == note.seat, FormerTenure.until > note.at - _STORED_WITHIN)
    had = had.where(func.coalesce(FormerTenure.since, note.at) <= note.at)
    return note.seat in own or exists(session, had)


def _send(
    session: Session,
    match: Match,
    note: PressNote,
    masters_told: list[Player],
    *,
    seat: str,
    why: str,
    now: datetime,
) -> None:
    public, shown = public_keys.current_keys(session), _shown(match, note, seat)
    for player in masters_told:
        if player.address is not None and player.letters:
            letter = ReportedLetter(
                match=match.name,
                uid=match.uid,
                game_key=match.game,
                zone=player.zone,
                reporter=seat,
                reason=why,
                at=note.at,
                reply_token=master_addresses.reply_address(session, match, player.id),
                writer=shown.seat,
                readers=shown.readers,
                lines=shown.lines,
            )
            about = outbox.LetterReference(match.id)
            outbox.write_to(session, player, letter, now=now, about=about, keys=public)


def _shown(match: Match, note: PressNote, reporter: str) -> PressEntry:
    """Return a reported text as its reporter sees it."""
    return show_note(
        match,
        note,
        press_rules.Reader(reporter, is_master=False, sees_all=False, muted=frozenset()),
    )


# --- the list of those who look at reports


@dataclass(frozen=True)
class Reported:
    """A report, as those see it who were told of it."""

    at: datetime
    reporter: str
    reason: str
    text: PressEntry


def list_reports(session: Session, uid: str, player_id: int | None) -> tuple[Reported, ...]:
    """Return the reports that a player was told of, newest first; () for everybody else. Raises
    NotFound.
    """
    match = by_uid(session, uid)
    if not may_run(session, match, player_id):
        return ()
    rows = session.exec(
        select(PressReport)
        .where(PressReport.match_id == match.id)
        .order_by(col(PressReport.id).desc())
    )
    pairs = [(row, session.get_one(PressNote, row.note_id)) for row in rows]
    seen = [
        (row, note)
        for row, note in pairs
        if player_id in [player.id for player in _judges_of(session, match, note)]
    ]
    return tuple(
        Reported(row.at, row.seat, row.reason, _shown(match, note, row.seat)) for row, note in seen
    )
