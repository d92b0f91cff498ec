"""Press: what players of a match write to each other and to its master; who may write, to whom, and
who may read it (diplomacy R6).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from adjudicator.core.game import Seat
from adjudicator.platform.words import MASTER, display_seat, join_list
from adjudicator.service.base import press_rules
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.names import one_line
from adjudicator.service.base.press_rules import (
    Kind,
    Reader,
    hides_writers,
    name_text,
    of_master,
    press_kind,
    reader_of,
    time_of_name,
)
from adjudicator.service.base.rows import (
    by_uid,
    count_rows,
    is_inside,
    may_run,
    open_phase,
    seats_of,
    show_change,
)
from adjudicator.service.base.tables import Match, PhaseRow, PressNote
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.matches import masters
from adjudicator.service.matches.notes import add_note
from adjudicator.service.matches.tenure_letters import AtOnce, capitalize
from adjudicator.service.press import press_letters
from adjudicator.service.requests.acts import act, act_once
from adjudicator.service.requests.made_for import MadeFor, require_tenure
from adjudicator.service.requests.rights import lock_own_seat
from adjudicator.service.requests.sent_forms import do_once

LONGEST = 8_000  # characters of one text
MOST_A_DAY = 40  # texts that one seat, or a master, may write within 24 hours
MOST_SHOWN = 500  # texts on the page, the newest ones
# zero-width (non-)joiners of Persian and of emoji, which are not printable
_KEPT = frozenset("\u200c\u200d")


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
    ref: str = ""  # names it to this viewer; row ids would tell how much others write


@dataclass(frozen=True)
class PressPage:
    """A match's press for one viewer."""

    kind: Kind
    notes: tuple[PressEntry, ...]  # the newest first
    to: tuple[Seat, ...]  # the seats that the viewer may write to; () where only everybody
    closed: str  # why the viewer cannot write, "" where they can
    rules: tuple[str, ...]  # the conditions of this match's press, a sentence each
    to_master: str  # who reads what the viewer writes to the master; "" where they cannot
    as_master: tuple[Seat, ...]  # the seats that the viewer may write to as master
    muted: tuple[Seat, ...]  # the seats whose press the viewer does not want
    can_mute: bool
    opened: bool  # whether everybody may read all of it once the match has ended


def press_page(session: Session, uid: str, player_id: int | None) -> PressPage:
    """Return what one viewer may read, and whether and to whom they may write; raises NotFound."""
    match = by_uid(session, uid)
    names = tuple(seat.name for seat in seats_of(session, match))
    reader = reader_of(session, match, player_id)
    mine, kind, with_master = reader.seat, press_kind(match), not press_rules.why_not_master(match)
    as_master = names if may_run(session, match, player_id) and with_master else ()
    others = (
        "Only who has a seat in this match can write."
        if not as_master
        else "Its players write to each other."
    )
    closed = press_rules.why_closed(match, open_phase(session, match)) if mine else others
    return PressPage(
        kind,
        _notes(session, match, reader),
        tuple(name for name in names if name != mine) if kind != "public" else (),
        closed,
        rules=press_rules.told_rules(
            session, match, inside=is_inside(match, seats_of(session, match), player_id)
        ),
        to_master=(
            press_rules.told_master(session, match)
            if mine and with_master and not reader.is_master
            else ""
        ),
        as_master=as_master,
        muted=tuple(name for name in names if name in reader.muted),
        opened=match.press_opened,
        can_mute=mine is not None and kind != "none" and not hides_writers(match),
    )


def _notes(session: Session, match: Match, reader: Reader) -> tuple[PressEntry, ...]:
    written = (
        select(PressNote).where(PressNote.match_id == match.id).order_by(col(PressNote.id).desc())
    )
    with closing(session.exec(written.execution_options(yield_per=MOST_SHOWN))) as rows:
        readable = (show_note(match, row, reader) for row in rows if reader.may_read(row))
        return name_notes(note for note, _ in zip(readable, range(MOST_SHOWN), strict=False))


def name_notes(newest: Iterable[PressEntry]) -> tuple[PressEntry, ...]:
    """Return all texts that a viewer may read of some time, the newest first, each with its
    `ref`.
    """
    notes = list(newest)
    before = Counter(note.at for note in notes)
    for number, note in enumerate(notes):
        before[note.at] -= 1
        notes[number] = replace(note, ref=name_text(note.at, before[note.at]))
    return tuple(notes)


def find_note(session: Session, match: Match, reader: Reader, ref: str) -> PressNote | None:
    """Return the text that `PressEntry.ref` names to a viewer, None where there is none that they
    may read.
    """
    at, _, number = ref.partition(".")
    if not (
        at.isdecimal()
        and number.isdecimal()
        and len(at) <= len("9999999999999999")
        and len(number) <= len(str(MOST_SHOWN))
    ):
        return None
    then = time_of_name(int(at))
    same = (
        select(PressNote)
        .where(PressNote.match_id == match.id, PressNote.at == then)
        .order_by(col(PressNote.id))
    )
    readable = [row for row in session.exec(same) if reader.may_read(row)]
    return readable[int(number)] if int(number) < len(readable) else None


def show_note(match: Match, row: PressNote, reader: Reader) -> PressEntry:
    """Return a text as a viewer who may read it sees it."""
    yours = reader.is_named(row.seat)
    hidden = hides_writers(match) and not (yours or of_master(row) or reader.sees_all)
    readers = (
        tuple(name for name in row.readers if name == reader.seat) if hidden else tuple(row.readers)
    )
    return PressEntry(
        row.at,
        row.phase_number,
        "" if hidden else row.seat,
        readers,
        yours,
        tuple(row.text.split("\n")),
    )


# --- writing


@dataclass(frozen=True)
class PressDraft:
    """What a seat wants to write, and to which seats; () is all of them, and the observers. MASTER
    alone is the master.
    """

    to: tuple[Seat, ...]
    text: str


@act
def write_press(
    session: Session,
    uid: str,
    player_id: int,
    draft: PressDraft,
    *,
    now: datetime,
    made_for: MadeFor | None = None,
) -> None:
    """Write press as the seat of a player; its readers get letters. A form that is sent again sends
    nothing more.

    Raises Refused with a sentence if nothing was sent: also for a form that was made for another
    tenure of the seat or, unless it is for the master, for another phase.
    """
    refusal = "Only who has a seat in this match can write."
    match, seat = lock_own_seat(session, uid, player_id, refusal)
    do_once(session, lambda: _write_for(session, match, seat, draft, now, made_for))


def _write_for(
    session: Session,
    match: Match,
    seat: SeatRow,
    draft: PressDraft,
    now: datetime,
    made_for: MadeFor | None,
) -> None:
    require_tenure(made_for, seat)
    phase = open_phase(session, match)
    if (
        made_for is not None
        and phase is not None
        and phase.number != made_for.phase
        and draft.to != (MASTER,)
    ):
        raise NotNow(
            f"{phase.name} has begun since this page was made, so nothing was sent. If your text"
            " still holds, send it again."
        )
    write_in(session, match, seat, draft, now=now)


@dataclass(frozen=True)
class Sent:
    """What was sent: to which seats, () being everybody, and the lines as they are kept."""

    to: tuple[Seat, ...]
    lines: tuple[str, ...]
    whom: str  # the same as words: `England and France`
    readers: str = ""  # who reads what was sent to the master, a sentence


def write_in(
    session: Session, match: Match, seat: SeatRow, draft: PressDraft, *, now: datetime
) -> Sent:
    """Write press in a match that the caller has locked. Raises Refused with a sentence if nothing
    was sent.
    """
    if draft.to == (MASTER,):
        return _write_to_master(session, match, seat, draft, now)
    phase = open_phase(session, match)
    closed = press_rules.why_closed(match, phase)
    if closed or phase is None:
        raise NotNow(
            closed
            or "No phase of this match is open just now, so nothing was sent; try again in a moment."
        )
    names = [each.name for each in seats_of(session, match)]
    if press_kind(match) == "public" and draft.to:
        raise Refused(
            "The press of this match is public: it can be written to everybody only, not to single"
            " seats."
        )
    return _store(
        session, match, seat.name, PressDraft(_readers(seat.name, names, draft.to), draft.text), now
    )


def _write_to_master(
    session: Session, match: Match, seat: SeatRow, draft: PressDraft, now: datetime
) -> Sent:
    if seat.player_id == match.master_id:
        raise Refused("You run this match yourself, so nothing was sent.")
    _require_master_reachable(match)
    return _store(session, match, seat.name, draft, now)


def _require_master_reachable(match: Match) -> None:
    closed = press_rules.why_not_master(match)
    if closed:
        raise NotNow(closed)


def _store(session: Session, match: Match, writer: Seat, draft: PressDraft, now: datetime) -> Sent:
    """Keep a text and write its letters; its readers are checked."""
    text, phase = _text(draft.text), open_phase(session, match)
    _within_limit(session, match, writer, now)
    number = phase.number if phase is not None else _last_phase(session, match)
    row = PressNote(
        match_id=match.id,
        phase_number=number,
        at=now,
        seat=writer,
        readers=list(draft.to),
        text=text,
    )
    session.add(row)
    if not draft.to:
        show_change(match)
    session.flush()
    press_letters.send_letters(session, match, phase, row)
    return Sent(draft.to, tuple(text.split("\n")), press_rules.listed(draft.to))


def _last_phase(session: Session, match: Match) -> int:
    return (
        session.exec(select(func.max(PhaseRow.number)).where(PhaseRow.match_id == match.id)).one()
        or 0
    )


def _readers(own: Seat, seats: Sequence[Seat], to: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the seats written to in seat order, () for everybody; raises Refused. `own` writes,
    MASTER for the master.
    """
    if MASTER in to:
        raise Refused("Write to the master in a text of its own; nothing was sent.")
    unknown = next((name for name in to if name not in seats), None)
    if unknown is not None:
        others = join_list([display_seat(name) for name in seats if name != own], "or")
        raise Refused(f"“{unknown[:40]}” has no seat in this match; write to {others}.")
    readers = tuple(name for name in seats if name in to and name != own)
    if to and not readers:
        raise Refused("That is your own seat; choose whom else to write to.")
    return readers


def _text(written: str) -> str:
    """Return a text as it is stored: without invisible characters or repeated empty lines; raises
    Refused.
    """
    lines = [_line(line) for line in written.splitlines()]
    kept = [line for line, above in zip(lines, ["", *lines], strict=False) if line or above]
    text = "\n".join(kept).strip()
    if not one_line(text):
        raise Refused("Write something first: nothing was sent.", field="text")
    if len(text) > LONGEST:
        raise Refused(
            f"That is {len(text):,} characters long, and {LONGEST:,} are sent at once; nothing was"
            " sent.",
            field="text",
        )
    return text


def _line(line: str) -> str:
    return "".join(
        char for char in " ".join(line.split()) if char.isprintable() or char in _KEPT
    ).strip()


def _within_limit(session: Session, match: Match, seat: Seat, now: datetime) -> None:
    since = now - timedelta(days=1)
    written = (PressNote.match_id == match.id, PressNote.seat == seat, PressNote.at > since)
    if count_rows(session, PressNote, *written) >= MOST_A_DAY:
        raise NotNow(
            f"You have written {MOST_A_DAY} times within a day, which is the most; nothing was"
            " sent. Try again later today."
        )


# --- the master


@act_once
def write_as_master(
    session: Session, uid: str, player_id: int, draft: PressDraft, *, now: datetime
) -> str:
    """Write to seats, or to everybody, as master; public notes tell to whom. Returns to whom, in
    words. Raises Refused with a sentence if nothing was sent.
    """
    return press_rules.listed(send_as_master(session, uid, player_id, draft, now=now).to)


def send_as_master(
    session: Session, uid: str, player_id: int, draft: PressDraft, *, now: datetime
) -> Sent:
    """Do as `write_as_master` and return what was sent; also in a match without press, and in
    phases in which press rests.
    """
    match, name = masters.lock_to_run(session, uid, player_id, now=now)
    _require_master_reachable(match)
    readers = _readers(MASTER, [each.name for each in seats_of(session, match)], draft.to)
    sent = _store(session, match, MASTER, PressDraft(readers, draft.text), now)
    add_note(
        session,
        match,
        now,
        name,
        f"wrote to {press_rules.listed(sent.to)}" if sent.to else "wrote to all",
    )
    return sent


@act_once
def warn_seat(
    session: Session, uid: str, player_id: int, seat_name: str, reason: str, *, now: datetime
) -> Seat:
    """Warn a seat, as master: its player gets a letter, and public notes tell the reason. Returns
    the seat.
    """
    match, name = masters.lock_to_run(session, uid, player_id, now=now)
    _require_master_reachable(match)
    seat, why = masters.named_seat(session, match, seat_name), masters.clean_reason(reason)
    warned = f"warned {press_rules.listed((seat.name,))}: "
    masters.require_few_at(session, match, warned, now)
    _store(session, match, MASTER, PressDraft((seat.name,), f"Warning: {why}."), now)
    title = f"{capitalize(press_rules.listed((seat.name,)))} was warned"
    add_note(session, match, now, name, warned + why, news=AtOnce(title, but=(seat.player_id,)))
    return seat.name
