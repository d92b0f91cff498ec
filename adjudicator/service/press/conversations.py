"""Press as conversations: one viewer's texts by who takes part, and how many of them that viewer
has not read.

What a player has read belongs to that player alone: it changes neither a match's version nor
`shown`, and locks only the player.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import bindparam
from sqlmodel import Session, col, delete, select

from adjudicator.core.game import Seat
from adjudicator.platform.words import MASTER
from adjudicator.service.base.errors import NotAllowed, NotFound
from adjudicator.service.base.memory import basis_of
from adjudicator.service.base.press_rules import Reader, has_no_press, reader_of
from adjudicator.service.base.rows import by_uid, hold_player, seats_of
from adjudicator.service.base.tables import Match, Player, PressNote, PressRead
from adjudicator.service.press.messages import (
    MOST_SHOWN,
    PressEntry,
    PressPage,
    find_note,
    name_notes,
    show_note,
)
from adjudicator.service.requests.acts import act

Role = Literal["seat", "master", "between", "unnamed"]
_ALL = "*"  # the thread of a mark that counts for all conversations
_BEFORE_ALL = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Key:
    """Who takes part in a conversation beside the viewer.

    `role` is what the viewer is in it: a seat, the master, one who reads what others write, or
    (`unnamed`) the reader of writers who stay hidden. `names` are the others in seat order, or
    MASTER alone; () is everybody, and unnamed writers.
    """

    role: Role
    names: tuple[Seat, ...]

    def __str__(self) -> str:
        return " ".join((self.role, *self.names))


EVERYBODY = Key("seat", ())
UNNAMED = Key("unnamed", ())


@dataclass(frozen=True)
class Conversation:
    """The texts of one conversation as one viewer may see them, the oldest first."""

    key: Key
    notes: tuple[PressEntry, ...] = ()
    unread: int = 0
    first_unread: str = ""  # `PressEntry.ref` of the oldest text that was not read yet


def key_of(note: PressEntry, reader: Reader, seats: Sequence[Seat]) -> Key:
    """Return the conversation of a text as its reader sees it; `seats` are all of the match, in
    their order.
    """
    people = {note.seat, *note.readers}
    if not note.readers:
        return EVERYBODY
    if MASTER in people:
        role: Role = "master" if reader.is_master else "seat"
        return Key(
            role, tuple(name for name in seats if name in people) if reader.is_master else (MASTER,)
        )
    if not note.seat:
        return UNNAMED
    others = tuple(name for name in seats if name in people and name != reader.seat)
    return Key("seat" if reader.seat in people else "between", others)


def conversations_of(
    session: Session, uid: str, player_id: int | None, page: PressPage
) -> tuple[Conversation, ...]:
    """Return the conversations of a viewer's page of press, and empty ones with all seats that the
    viewer can write to.

    First everybody, then the seats, the master, groups, what the viewer writes as master, and what
    others write to each other.
    """
    match = by_uid(session, uid)
    seats, reader = _names(session, match), reader_of(session, match, player_id)
    marks = _marks(session, match, player_id) if _counts(reader) else None
    found: dict[Key, list[PressEntry]] = {key: [] for key in _offered(page, reader)}
    for note in reversed(page.notes):
        found.setdefault(key_of(note, reader, seats), []).append(note)
    conversations = [_conversation(key, notes, marks) for key, notes in found.items()]
    return tuple(sorted(conversations, key=lambda each: _place(each.key, seats)))


def _offered(page: PressPage, reader: Reader) -> Iterable[Key]:
    """Yield the conversations that a viewer could begin."""
    if reader.seat is not None and page.kind != "none":
        yield EVERYBODY
        yield from (Key("seat", (name,)) for name in page.to if not page.closed)
    if page.to_master:
        yield Key("seat", (MASTER,))
    if page.as_master and reader.seat is None:
        yield EVERYBODY
        yield from (Key("master", (name,)) for name in page.as_master)


def _place(key: Key, seats: Sequence[Seat]) -> tuple[int, int, tuple[int, ...]]:
    roles = ("seat", "unnamed", "master", "between")
    rank = 0 if key == EVERYBODY else 2 if key.names == (MASTER,) else 1
    return (
        roles.index(key.role),
        len(key.names) if rank == 1 else rank,
        tuple(seats.index(name) for name in key.names if name in seats),
    )


def _conversation(
    key: Key, notes: list[PressEntry], marks: dict[str, datetime] | None
) -> Conversation:
    new = (
        []
        if marks is None
        else [note for note in notes if not note.yours and note.at > _until(marks, key)]
    )
    return Conversation(key, tuple(notes), len(new), new[0].ref if new else "")


# --- what was read


def unread_texts(session: Session, match: Match, player_id: int | None) -> list[PressEntry]:
    """Return the texts of a match that a player has not read, at most MOST_SHOWN; none for who
    neither plays nor is its master.
    """
    reader = reader_of(session, match, player_id)
    if not _counts(reader) or has_no_press(session, match, player_id, reader):
        return []
    marks, seats = _marks(session, match, player_id), _names(session, match)
    notes = name_notes(
        show_note(match, row, reader)
        for row in _newer(session, match, reader, marks.get(_ALL, _BEFORE_ALL))
    )
    return [
        note
        for note in notes
        if not note.yours and note.at > _until(marks, key_of(note, reader, seats))
    ]


@act
def mark_read(session: Session, uid: str, player_id: int, ref: str, *, every: bool = False) -> None:
    """Note that a player has read a conversation up to a text, or all conversations; `ref` is that
    of the text's `PressEntry`, and `every` says all.

    Raises NotAllowed for who neither plays nor is the master, NotFound where there is no such text
    to read. A mark never goes back.
    """
    match = by_uid(session, uid)
    reader = reader_of(session, match, player_id)
    if not _counts(reader):
        raise NotAllowed("Only who plays in this match, or runs it, has press to read here.")
    note = find_note(session, match, reader, ref)
    if note is None:
        raise NotFound("There is no such text.")
    session.get_one(Player, player_id, with_for_update={"key_share": True})
    hold_player(session, player_id)
    seats = _names(session, match)
    _raise_mark(
        session,
        match,
        player_id,
        _ALL if every else str(key_of(show_note(match, note, reader), reader, seats)),
        note.at,
    )
    _merge_marks(session, match, player_id, reader)


def _raise_mark(
    session: Session, match: Match, player_id: int, thread: str, until: datetime
) -> None:
    marked = select(PressRead).where(
        PressRead.match_id == match.id, PressRead.player_id == player_id, PressRead.thread == thread
    )
    row = session.exec(marked).first()
    if row is None:
        session.add(PressRead(match_id=match.id, player_id=player_id, thread=thread, until=until))
    elif row.until < until:
        row.until = until
    session.flush()


def _merge_marks(session: Session, match: Match, player_id: int, reader: Reader) -> None:
    """Once everything is read, keep one mark instead of one for each conversation, so that later
    counts read only newer rows.
    """
    if unread_texts(session, match, player_id):
        return
    newest = next(iter(_newer(session, match, reader, _BEFORE_ALL, most=1)), None)
    if newest is None:
        return
    _raise_mark(session, match, player_id, _ALL, newest.at)
    own = (
        col(PressRead.match_id) == match.id,
        col(PressRead.player_id) == player_id,
        col(PressRead.thread) != _ALL,
    )
    session.exec(delete(PressRead).where(*own))


_NEWER = (
    select(PressNote)
    .where(col(PressNote.match_id) == bindparam("match"), col(PressNote.at) > bindparam("since"))
    .order_by(col(PressNote.id).desc())
    .execution_options(yield_per=MOST_SHOWN)
)
_MARKS = select(PressRead).where(
    col(PressRead.match_id) == bindparam("match"), col(PressRead.player_id) == bindparam("player")
)


def _newer(
    session: Session, match: Match, reader: Reader, since: datetime, *, most: int = MOST_SHOWN
) -> list[PressNote]:
    """Return the texts after a moment that the reader may read, the newest first."""
    with closing(session.exec(_NEWER, params={"match": match.id, "since": since})) as rows:
        readable = (row for row in rows if reader.may_read(row))
        return [row for row, _ in zip(readable, range(most), strict=False)]


def _counts(reader: Reader) -> bool:
    """Whether it is kept what this viewer has read."""
    return reader.seat is not None or reader.is_master


def _marks(session: Session, match: Match, player_id: int | None) -> dict[str, datetime]:
    if basis_of(session, match.uid, player_id, "read") == []:
        return {}
    rows = session.exec(_MARKS, params={"match": match.id, "player": player_id})
    return {row.thread: row.until for row in rows}


def _until(marks: dict[str, datetime], key: Key) -> datetime:
    return max(marks.get(str(key), _BEFORE_ALL), marks.get(_ALL, _BEFORE_ALL))


def _names(session: Session, match: Match) -> tuple[Seat, ...]:
    return tuple(seat.name for seat in seats_of(session, match))
