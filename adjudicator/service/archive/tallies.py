"""The figures of the statistics: rows that grow with each archived match, so that a page reads a
few hundred rows of any number of matches.

Private matches, and matches without people, are never counted.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, col, func, select

from adjudicator.core.game import View
from adjudicator.service.archive.openings import opening_key
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import ArchiveOpening, ArchiveTally, Match

Kind = Literal[
    "result",  # how matches ended: label a result, number the year of the end
    "seat",  # results of a seat: label the seat, number the year of the end
    "length",  # lengths: number the fewest phases of the class
    # supply centres: label a power, number a year of the game; total their sum at its end
    "centres",
    "imported",  # matches that were played elsewhere
]
CLASS = 5  # phases in a class of lengths
_AT_ONCE = 50  # rows in one statement


@dataclass(frozen=True)
class Counted:
    """A match as statistics count it."""

    match: Match
    phases: int
    result: str
    outcomes: Mapping[str, str]  # by seat
    # canonical orders of the first phase, and of the next one, by seat
    openings: Mapping[str, tuple[str, ...]]
    views: Sequence[View] = ()  # an observer's, of every position in a game with supply centres


@dataclass(frozen=True)
class Figure:
    """What one match adds to a row."""

    matches: int = 1
    won: int = 0
    shared: int = 0


def count(session: Session, match: Counted) -> None:
    """Add a match to the figures. Rows are written in one order, so that two matches that end
    together do not wait for each other.
    """
    game = match.match.game
    tallied = sorted(
        (
            {
                "game": game,
                "kind": kind,
                "label": label,
                "number": number,
                **vars(figure),
                "total": total,
            }
            for kind, label, number, figure, total in _tallied(match)
        ),
        key=lambda row: (str(row["kind"]), str(row["label"]), row["number"]),
    )
    _add(session, ArchiveTally, ("game", "kind", "label", "number"), tallied)
    _add(session, ArchiveOpening, ("key",), sorted(_opened(match), key=lambda row: str(row["key"])))


def _add(
    session: Session, table: type[SQLModel], key: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> None:
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    grown = [name for name in ("matches", "won", "shared", "total") if name in table.model_fields]
    for first in range(0, len(rows), _AT_ONCE):
        insert = dialect.insert(table).values(rows[first : first + _AT_ONCE])
        added = {name: getattr(table, name) + insert.excluded[name] for name in grown}
        session.execute(insert.on_conflict_do_update(index_elements=list(key), set_=added))


def _tallied(match: Counted) -> Iterable[tuple[Kind, str, int, Figure, int]]:
    ended = match.match.ended_at
    year = ended.year if ended else 0
    how = Figure(won=int(match.result == "won"), shared=int(match.result == "shared"))
    yield "result", match.result, year, how, 0
    yield "length", "", match.phases // CLASS * CLASS, how, 0
    if match.match.imported:
        yield "imported", "", 0, how, 0
    for seat in match.outcomes:
        yield "seat", seat, year, _of_seat(match, seat), 0
    ownership = game_of(match.match).ownership
    if ownership is not None and match.views:
        for at, counts in ownership(match.views).by_year.items():
            for power, centres in counts.items():
                yield "centres", power, at, how, centres


def _of_seat(match: Counted, seat: str) -> Figure:
    counts = match.result != "stopped"
    return Figure(
        won=int(counts and match.outcomes.get(seat) == "won"),
        shared=int(counts and match.outcomes.get(seat) in ("shared", "drew")),
    )


def _opened(match: Counted) -> Iterable[dict[str, Any]]:
    """Yield the rows of the openings, and of what followed them; only of matches in which every
    seat of the game is taken.
    """
    game = game_of(match.match)
    if not game.about.centres or len(match.outcomes) < max(game.about.seats):
        return
    for seat, played in match.openings.items():
        for depth in range(1, len(played) + 1):
            key, parent = (
                opening_key(match.match.game, seat, *played[:at]) if at else ""
                for at in (depth, depth - 1)
            )
            events = {
                "key": key,
                "game": match.match.game,
                "seat": seat,
                "parent": parent,
                "orders": played[depth - 1],
            }
            yield events | vars(_of_seat(match, seat))


# --- reading


@dataclass(frozen=True)
class SeatShare:
    """Matches, and how they ended for one seat or altogether."""

    matches: int = 0
    won: int = 0
    shared: int = 0

    def percent(self, count: int) -> int:
        """Return a number of these matches as a rounded percentage."""
        return round(100 * count / self.matches) if self.matches else 0


@dataclass(frozen=True)
class Statistics:
    """The figures of one game."""

    matches: int
    imported: int
    results: Mapping[str, int]  # by result
    seats: Mapping[str, SeatShare]  # in seat order
    # by the year in which matches ended, the newest first
    by_year: Mapping[int, Mapping[str, SeatShare]]
    lengths: Mapping[int, int]  # matches by the fewest phases of each class, empty classes included
    centres: Mapping[str, Mapping[int, float]]  # the mean by power and year of the game

    def years_of_game(self) -> list[int]:
        """Return the years of the game that have a mean, in order."""
        return sorted({year for means in self.centres.values() for year in means})


MOST_YEARS = 40  # of the game, in plots and tables


def count_matches(session: Session, game: str) -> int:
    """Return how many matches the statistics of a game count; it changes whenever any figure
    does.
    """
    counted = select(func.sum(ArchiveTally.matches)).where(
        ArchiveTally.game == game, ArchiveTally.kind == "result"
    )
    return session.exec(counted).one() or 0


def read_statistics(session: Session, game: str, order: Sequence[str]) -> Statistics:
    """Return the figures of a game; `order` has its seats in the order in which they are told."""
    found: dict[str, list[ArchiveTally]] = defaultdict(list)
    for row in session.exec(
        select(ArchiveTally).where(ArchiveTally.game == game).order_by(col(ArchiveTally.number))
    ):
        found[row.kind].append(row)
    results: dict[str, int] = defaultdict(int)
    for row in found["result"]:
        results[row.label] += row.matches
    places = {seat: place for place, seat in enumerate(order)}
    rows = sorted(
        found["seat"], key=lambda row: (-row.number, places.get(row.label, len(places)), row.label)
    )
    years: dict[int, dict[str, SeatShare]] = defaultdict(dict)
    for row in rows:
        years[row.number][row.label] = SeatShare(row.matches, row.won, row.shared)
    names = sorted(
        {row.label for row in rows}, key=lambda seat: (places.get(seat, len(places)), seat)
    )
    means: dict[str, dict[int, float]] = defaultdict(dict)
    for row in found["centres"]:
        means[row.label][row.number] = row.total / row.matches
    shown = {power: dict(sorted(own.items())[:MOST_YEARS]) for power, own in sorted(means.items())}
    return Statistics(
        sum(results.values()),
        sum(row.matches for row in found["imported"]),
        dict(results),
        {seat: _sum(each[seat] for each in years.values() if seat in each) for seat in names},
        dict(years),
        _classes(found["length"]),
        shown,
    )


def _sum(shares: Iterable[SeatShare]) -> SeatShare:
    shares = list(shares)
    return SeatShare(
        *(sum(getattr(each, name) for each in shares) for name in ("matches", "won", "shared"))
    )


def _classes(rows: Sequence[ArchiveTally]) -> dict[int, int]:
    """Return the number of matches of each class of lengths from the shortest to the longest, at
    most MOST_CLASSES of them.
    """
    known = {row.number: row.matches for row in rows}
    if not known:
        return {}
    width = CLASS
    while (max(known) - min(known)) // width >= MOST_CLASSES:
        width *= 2
    first, classes = min(known) // width * width, defaultdict[int, int](int)
    for number in range(first, max(known) + 1, width):
        classes[number] = 0
    for number, matches in known.items():
        classes[number // width * width] += matches
    return dict(classes)


MOST_CLASSES = 24
MOST_OPENINGS = 25


@dataclass(frozen=True)
class OpeningTally:
    """An opening of a seat, or its continuation, with what came of it."""

    key: str
    orders: tuple[str, ...]
    share: SeatShare


def read_openings(session: Session, game: str, seat: str, parent: str = "") -> list[OpeningTally]:
    """Return the openings of a seat, or what followed one of them (`parent`, its key): the
    commonest first, at most MOST_OPENINGS.
    """
    wanted = select(ArchiveOpening).where(
        ArchiveOpening.game == game, ArchiveOpening.seat == seat, ArchiveOpening.parent == parent
    )
    rows = session.exec(
        wanted.order_by(col(ArchiveOpening.matches).desc(), col(ArchiveOpening.key)).limit(
            MOST_OPENINGS
        )
    )
    return [_opening(row) for row in rows]


def find_opening(session: Session, game: str, seat: str, key: str) -> OpeningTally | None:
    """Return the opening of this key if it is one of this seat, else None."""
    row = session.get(ArchiveOpening, key) if "\0" not in key else None  # PostgreSQL takes no NUL
    return (
        _opening(row)
        if row is not None and (row.game, row.seat, row.parent) == (game, seat, "")
        else None
    )


def _opening(row: ArchiveOpening) -> OpeningTally:
    return OpeningTally(
        row.key, tuple(row.orders.splitlines()), SeatShare(row.matches, row.won, row.shared)
    )
