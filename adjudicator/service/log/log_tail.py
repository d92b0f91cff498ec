"""The newest entries of a match's log, which a transaction reads once: those since the newest
opening of a phase.
"""

from collections.abc import Collection
from dataclasses import dataclass, field

from sqlmodel import Session, and_, col, func, select

from adjudicator.seal.log import EntryType
from adjudicator.service.base.memory import OF, RowsOf, memory_of
from adjudicator.service.base.tables import LogEntry, Match

# of the newest phase that was opened
_BEGINS = func.coalesce(func.max(LogEntry.index), 0).label("begins")
_OPENED = select(LogEntry.match_id, _BEGINS).where(
    col(LogEntry.match_id).in_(OF), LogEntry.type == "open"
)
_NEWEST = _OPENED.group_by(col(LogEntry.match_id)).subquery()
_SINCE = and_(col(LogEntry.match_id) == _NEWEST.c.match_id, col(LogEntry.index) >= _NEWEST.c.begins)
_TAILS = RowsOf(
    "tails",
    select(LogEntry.match_id, LogEntry)
    .join(_NEWEST, onclause=_SINCE)
    .order_by(col(LogEntry.index)),
)
_OF_MATCH = col(LogEntry.match_id).in_(OF)
_BEGINNING = func.coalesce(
    select(func.max(LogEntry.index)).where(_OF_MATCH, LogEntry.type == "open").scalar_subquery(), 0
)
# of one match, which may have no opening yet
_TAIL = RowsOf(
    "tail entries",
    select(LogEntry.match_id, LogEntry)
    .where(_OF_MATCH, col(LogEntry.index) >= _BEGINNING)
    .order_by(col(LogEntry.index)),
)
_ANCHORING: tuple[EntryType, ...] = "genesis", "anchor"
_ANCHORS = RowsOf(
    "anchors",
    select(LogEntry.match_id, LogEntry)
    .where(_OF_MATCH, col(LogEntry.type).in_(_ANCHORING))
    .order_by(col(LogEntry.index)),
)


@dataclass
class _Tail:
    """The newest entries of a log of this size, and what was found before them."""

    size: int
    rows: list[LogEntry]
    # the newest entry of these types before `rows`
    earlier: dict[tuple[EntryType, ...], LogEntry | None] = field(default_factory=dict)


def newest_entry(session: Session, match: Match, *kinds: EntryType) -> LogEntry | None:
    """Return the newest entry of these types, None where there is none. An entry that this
    transaction has read is not read again.
    """
    tail = _tail(session, match)
    found = next((row for row in reversed(tail.rows) if row.type in kinds), None)
    if found is not None:
        return found
    if kinds not in tail.earlier:
        wanted = select(LogEntry).where(
            LogEntry.match_id == match.id, col(LogEntry.type).in_(kinds)
        )
        tail.earlier[kinds] = session.exec(
            wanted.order_by(col(LogEntry.index).desc()).limit(1)
        ).first()
    return tail.earlier[kinds]


def read_ahead(session: Session, matches: Collection[Match], *, anchors: bool = True) -> None:
    """Read the newest entries of the logs of many matches, and what their chance is anchored in if
    `anchors`.
    """
    memory, of = memory_of(session), [match.id or 0 for match in matches]
    entries: dict[int | None, list[LogEntry]] = {}
    for match_id, row in _TAILS.find(session, of):
        entries.setdefault(match_id, []).append(row)
    anchored: dict[int | None, LogEntry] = dict(_ANCHORS.find(session, of)) if anchors else {}
    for match in matches:
        if match.id in entries:  # one that is not running has no opening
            earlier = {_ANCHORING: anchored.get(match.id)} if anchors else {}
            memory["tail", match.id] = _Tail(match.log_size, entries[match.id], earlier)


def head_entry(session: Session, match: Match) -> LogEntry | None:
    """Return the newest entry that the log of a match has by its size; None where there is none."""
    rows = _tail(session, match).rows
    return next((row for row in reversed(rows) if row.index == match.log_size - 1), None)


def extend(session: Session, match: Match, row: LogEntry) -> None:
    """Add an entry to the tail of a match, if it was read, before the entry is counted in the log's
    size.
    """
    tail: _Tail | None = memory_of(session).get(("tail", match.id))
    if tail is not None and tail.size == match.log_size:
        tail.size += 1
        tail.rows.append(row)


def _tail(session: Session, match: Match) -> _Tail:
    tail: _Tail | None = memory_of(session).get(("tail", match.id))
    if tail is None or tail.size != match.log_size:
        rows = [row for _, row in _TAIL.find(session, [match.id or 0])]
        tail = memory_of(session)["tail", match.id] = _Tail(match.log_size, rows)
    return tail
