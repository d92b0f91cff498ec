"""Public notes of what changed in a match, and the letters that tell its players of a change of the clock."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, NoReturn

from sqlmodel import Session, col, select

from adjudicator.platform import words
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.progress import read_progress
from adjudicator.service.base.rows import EXPIRED, last_call, open_phase, seats_of, show_change
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import MasterNote, Match, PhaseRow, Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.content import OwedOrders
from adjudicator.service.letters.match_content import NoticeLetter

HOST = "the host"
SERVICE = "the service"  # who did what no person did
PLAYERS = "the players"


@dataclass(frozen=True)
class Note:
    """A public note of a match: who changed what."""

    at: datetime
    who: str
    what: str


def list_notes(session: Session, match: Match) -> tuple[Note, ...]:
    """Return the public notes of a match, newest first."""
    rows = session.exec(select(MasterNote).where(MasterNote.match_id == match.id).order_by(col(MasterNote.id).desc()))
    return tuple(Note(row.at, row.who, row.what) for row in rows)


def in_utc(at: datetime) -> str:
    """Return a moment as public notes tell it: in UTC, with the year."""
    return words.format_moment(at.astimezone(UTC), "UTC", year=True)


def add_note(session: Session, match: Match, now: datetime, who: str, what: str) -> None:
    """Add a public note to a match that the caller has locked; `what` is the end of a sentence."""
    assert match.id is not None  # noqa: S101 from the database
    session.add(MasterNote(match_id=match.id, at=now, who=who, what=what))
    show_change(match)


def readers(session: Session, match: Match) -> Iterator[tuple[Seat, Player, str]]:
    """Yield every seat whose player has an address and wants letters, with the player and the address, in seat order."""
    for seat in seats_of(session, match):
        player = session.get(Player, seat.player_id) if seat.player_id is not None else None
        if player is not None and player.address is not None and not player.house and player.letters:
            yield seat, player, player.address


# --- changes of the clock


def phase_with_clock(session: Session, match: Match, now: datetime, number: int | None = None) -> PhaseRow:
    """Return the open phase of a match; raises NotNow with a sentence if no clock runs or the phase is not `number`."""
    phase = open_phase(session, match)
    if phase is None:
        _raise_not_running(match)
    if number is not None and phase.number != number:
        raise NotNow(f"That phase is closed by now, and nothing was changed; {phase.name} is open.")
    if match.paused_at is not None:
        raise NotNow("This match is paused. Set it going first; its deadline moves by as long as the pause was.")
    if phase.why is not None or now >= last_call(phase):
        raise NotNow(f"The time of {phase.name} is over; it is being closed.")
    return phase


def _raise_not_running(match: Match) -> NoReturn:
    if match.status == "stuck":
        raise NotNow("This match stands still because of a fault. Set it going first, once the fault is mended.")
    if match.status == "expired":
        raise NotNow(EXPIRED)
    raise NotNow("This match is over." if match.status == "ended" else "This match has not begun.")


@dataclass(frozen=True)
class ClockChange:
    """A change of a match's clock. `who` is a player's name, HOST, SERVICE or PLAYERS."""

    what: Literal["paused", "resumed", "deadline"]
    who: str
    was: datetime | None = None  # the old deadline
    since: datetime | None = None  # when the pause began
    outage: bool = False  # whether the deadline moves because the service was down
    newcomer: bool = False  # whether it moves for a seat's new player


def write_notices(session: Session, match: Match, phase: PhaseRow, news: ClockChange, *, now: datetime) -> None:
    """Add a letter for every seat whose player has an address and wants letters. The caller has locked and changed the match."""
    public = public_keys.current_keys(session)
    title, owed = game_of(match).about.title, OwedOrders(phase.name, phase.number, phase.deadline) if phase.deadline else None
    for seat, player, address in readers(session, match):
        due = seat.name in phase.due
        progress = read_progress(session, match, phase, seat.name, now)
        letter = NoticeLetter(
            match=match.name, uid=match.uid, game_key=match.game, seat=seat.name, zone=player.zone, reply_token=seat.token,
            phase=phase.name, what=news.what, who=news.who, deadline=phase.deadline, was=news.was, since=news.since, due=due,
            game=title, owed=owed if due and news.what != "paused" else None, progress=progress.sentence if progress else "",
            outage=news.outage, newcomer=news.newcomer,
        )  # fmt: skip
        about = outbox.LetterReference(match.id, seat.name, phase=phase.number)
        outbox.put_letter(session, public, letter, address=address, now=now, player_id=player.id, about=about)
