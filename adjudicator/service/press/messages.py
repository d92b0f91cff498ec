"""Press: what players of a match write to each other; who may write, to whom, and who may read it and know the writer (diplomacy R6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from sqlmodel import Session, col, func, select

from adjudicator.core.game import Seat
from adjudicator.platform.db import Database
from adjudicator.platform.words import display_seat, join_list
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.names import one_line
from adjudicator.service.base.rows import by_uid, lock_by_uid, open_phase, seats_of, sitting
from adjudicator.service.base.tables import Match, PhaseRow, Player, PressNote
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.letters import outbox
from adjudicator.service.letters.kinds import PressLetter
from adjudicator.service.matches import preferences
from adjudicator.service.press import press_recipients
from adjudicator.service.press.press_recipients import Named

Kind = Literal["none", "public", "private", "anonymous-private"]

_KINDS: Mapping[object, Kind] = {kind: kind for kind in get_args(Kind)}
OPTION = "press"  # a game whose matches can have press lists this option
LONGEST = 8_000  # characters of one text
MOST_A_DAY = 40  # texts that one seat may write within 24 hours
MOST_SHOWN = 500  # texts on the page, the newest ones
_KEPT = frozenset("\u200c\u200d")  # zero-width (non-)joiners of Persian and of emoji, which are not printable


def press_kind(match: Match) -> Kind:
    """Return a match's kind of press; "none" too if its game has no press."""
    return _KINDS.get(match.options.get(OPTION), "none")


def hides_writers(match: Match) -> bool:
    """Whether the writer and the other readers are hidden from readers; the other readers would narrow down the writer."""
    return press_kind(match) == "anonymous-private"


# --- reading


@dataclass(frozen=True)
class PressEntry:
    """One text as one viewer may see it."""

    at: datetime
    phase: int
    seat: str  # who wrote, "" where the viewer is not told
    readers: tuple[Seat, ...]  # as far as the viewer is told; () is everybody
    yours: bool
    lines: tuple[str, ...]


@dataclass(frozen=True)
class PressPage:
    """A match's press for one viewer."""

    kind: Kind
    notes: tuple[PressEntry, ...]  # the newest first
    to: tuple[Seat, ...]  # the seats that the viewer may write to; () where only everybody
    closed: str  # why the viewer cannot write, "" where they can


def press_page(session: Session, uid: str, player_id: int | None) -> PressPage:
    """Return what one viewer may read, and whether and to whom they may write; raises NotFound."""
    match = by_uid(session, uid)
    seats = seats_of(session, match)
    own = sitting(seats, player_id)
    mine = own.name if own else None
    others = tuple(seat.name for seat in seats if seat.name != mine) if press_kind(match) != "public" else ()
    closed = _closed(match) if mine is not None else "Only who has a seat in this match can write."
    return PressPage(press_kind(match), _notes(session, match, mine), others, closed)


def _notes(session: Session, match: Match, mine: Seat | None) -> tuple[PressEntry, ...]:
    written = select(PressNote).where(PressNote.match_id == match.id).order_by(col(PressNote.id).desc())
    rows = session.exec(written.execution_options(yield_per=MOST_SHOWN))
    readable = (_note(match, row, mine) for row in rows if _may_read(row, mine))
    return tuple(note for note, _ in zip(readable, range(MOST_SHOWN), strict=False))


def _may_read(row: PressNote, mine: Seat | None) -> bool:
    return not row.readers or (mine is not None and (mine == row.seat or mine in row.readers))


def _note(match: Match, row: PressNote, mine: Seat | None) -> PressEntry:
    yours = mine is not None and row.seat == mine
    hidden = hides_writers(match) and not yours
    readers = tuple(name for name in row.readers if name == mine) if hidden else tuple(row.readers)
    return PressEntry(row.at, row.phase_number, "" if hidden else row.seat, readers, yours, tuple(row.text.split("\n")))


# --- writing


@dataclass(frozen=True)
class PressDraft:
    """What a seat wants to write, and to which seats; () is all of them, and the observers."""

    to: tuple[Seat, ...]
    text: str


def write_press(database: Database, uid: str, player_id: int, draft: PressDraft, *, now: datetime) -> None:
    """Write press as the seat of a player; its readers get letters. Raises Refused with a sentence if nothing was sent."""
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        seat = sitting(seats_of(session, match), player_id)
        if seat is None:
            raise NotAllowed("Only who has a seat in this match can write.")
        write_in(session, match, seat, draft, now=now)


@dataclass(frozen=True)
class Sent:
    """What was sent: to which seats, () being everybody, and the lines as they are kept."""

    to: tuple[Seat, ...]
    lines: tuple[str, ...]


def press_names(session: Session, uid: str) -> Named:
    """Return the names by which a letter may address the seats of a match; raises NotFound."""
    match = by_uid(session, uid)
    return press_recipients.named(preferences.plays(match, len(seats_of(session, match))))


def write_by_letter(session: Session, seat_id: int, said: str, text: str, *, now: datetime) -> Sent:
    """Write press to the seats that `said` names; the caller has locked the match. Raises Refused with a sentence if nothing was sent."""
    seat = session.get_one(SeatRow, seat_id)
    match = session.get_one(Match, seat.match_id)
    closed = _closed(match)
    if closed:
        raise NotNow(closed)
    public = press_kind(match) == "public" and not said.strip()
    to = press_recipients.EVERYBODY if public else press_recipients.read_recipients(said, press_names(session, match.uid))
    return write_in(session, match, seat, PressDraft(to, text), now=now)


def write_in(session: Session, match: Match, seat: SeatRow, draft: PressDraft, *, now: datetime) -> Sent:
    """Write press in a match that the caller has locked. Raises Refused with a sentence if nothing was sent."""
    closed, phase = _closed(match), open_phase(session, match)
    if closed or phase is None:
        raise NotNow(closed or "No phase of this match is open just now, so nothing was sent; try again in a moment.")
    readers = _readers(match, seat.name, [each.name for each in seats_of(session, match)], draft.to)
    text = _text(draft.text)
    _within_limit(session, match, seat.name, now)
    row = PressNote(match_id=match.id or 0, phase_number=phase.number, at=now, seat=seat.name, readers=readers, text=text)
    session.add(row)
    _send(session, match, phase, row)
    return Sent(tuple(readers), tuple(text.split("\n")))


def _closed(match: Match) -> str:
    """Return why nobody can write now, "" if the seats can."""
    if press_kind(match) == "none":
        return "This match is played without press, so nothing can be sent."
    told = {"ended": "The match is over, and its press with it.", "stuck": "The match stands still because of a fault; press waits for it."}
    return "" if match.status == "running" else told.get(match.status, "Press begins when the match does.")


def _readers(match: Match, own: Seat, seats: Sequence[Seat], to: Sequence[Seat]) -> list[Seat]:
    """Return the seats written to in seat order, [] for everybody."""
    if press_kind(match) == "public" and to:
        raise Refused("The press of this match is public: it can be written to everybody only, not to single seats.")
    unknown = next((name for name in to if name not in seats), None)
    if unknown is not None:
        others = join_list([display_seat(name) for name in seats if name != own], "or")
        raise Refused(f"“{unknown[:40]}” has no seat in this match; write to {others}.")
    readers = [name for name in seats if name in to and name != own]
    if to and not readers:
        raise Refused("That is your own seat; choose whom else to write to.")
    return readers


def _text(written: str) -> str:
    """Return a text as it is stored: without invisible characters or repeated empty lines; raises Refused."""
    lines = [_line(line) for line in written.splitlines()]
    kept = [line for line, above in zip(lines, ["", *lines], strict=False) if line or above]
    text = "\n".join(kept).strip()
    if not one_line(text):
        raise Refused("Write something first: nothing was sent.", field="text")
    if len(text) > LONGEST:
        raise Refused(f"That is {len(text):,} characters long, and {LONGEST:,} are sent at once; nothing was sent.", field="text")
    return text


def _line(line: str) -> str:
    return "".join(char for char in " ".join(line.split()) if char.isprintable() or char in _KEPT).strip()


def _within_limit(session: Session, match: Match, seat: Seat, now: datetime) -> None:
    since = now - timedelta(days=1)
    written = (
        select(func.count()).select_from(PressNote).where(PressNote.match_id == match.id, PressNote.seat == seat, PressNote.at > since)
    )
    if session.exec(written).one() >= MOST_A_DAY:
        raise NotNow(f"You have written {MOST_A_DAY} times within a day, which is the most; nothing was sent. Try again later today.")


# --- letters


def _send(session: Session, match: Match, phase: PhaseRow, row: PressNote) -> None:
    """Add a letter for every reader whose player has an address and wants letters; it shows no more than the page does."""
    public = public_keys.current_keys(session)
    for seat in seats_of(session, match):
        player = session.get(Player, seat.player_id) if seat.player_id is not None else None
        reads = seat.name != row.seat and (not row.readers or seat.name in row.readers)
        if not reads or player is None or player.address is None or player.house or not player.letters:
            continue
        note = _note(match, row, seat.name)
        letter = PressLetter(
            match=match.name, uid=match.uid, game_key=match.game, seat=seat.name, phase=phase.name, zone=player.zone,
            reply_token=seat.token, press=press_kind(match), writer=note.seat, readers=tuple(note.readers),
            others=tuple(name for name in (note.seat, *note.readers) if name not in ("", seat.name)), lines=tuple(note.lines),
        )  # fmt: skip
        about = outbox.LetterReference(match.id, seat.name, phase=phase.number)
        outbox.put_letter(session, public, letter, address=player.address, now=row.at, player_id=player.id, about=about)
