"""Searches of the archive: by game, player, tournament, length, opening and result, in any order,
page after page.

Every search reads only the narrow rows of the archive and its indexes, then the matches that it
lists. No private match has such a row.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, false, or_, tuple_
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from adjudicator import catalogue
from adjudicator.core.game import AnyGame
from adjudicator.platform.words import display_seat, join_list, seat_phrase
from adjudicator.service.archive import entries, openings
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.names import one_line
from adjudicator.service.base.tables import (
    ArchivedMatch,
    ArchivedSeat,
    Match,
    Player,
    Seat,
    Tournament,
)

PER_PAGE = 20
LONGEST = 80  # characters of a name
MOST_PHASES = 100_000
ORDERS = {
    "newest": "the newest first",
    "oldest": "the oldest first",
    "longest": "the longest first",
    "shortest": "the shortest first",
}
_NAMESAKES = 50  # players, or tournaments, of one name
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR = re.compile(r"(?P<value>[0-9]{1,17})\.(?P<match>[0-9]{1,9})")
_FEW = 1_000  # matches that a search names one by one
# makes a database read in order and stop early, instead of sorting many matches
_UNINDEXED = col(ArchivedMatch.match_id) + 0
_KEY = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Search:
    """What somebody looks for; what is empty does not limit it."""

    game: str = ""  # its key
    player: str = ""
    tournament: str = ""  # its name or its public name
    opening: str = ""  # first orders of one seat, or the key of an opening
    least: int | None = None  # phases
    most: int | None = None
    result: str = ""  # one of `entries.RESULTS`
    winner: str = ""  # the seat that won alone
    people: bool = False  # leave out matches in which no person with an address played
    order: str = "newest"  # one of ORDERS
    # the last line of the page before: what the order compares, and the match
    after: tuple[int, int] | None = None


def read_search(given: Mapping[str, str]) -> Search:
    """Return the search that the fields of a form ask for; raises Refused with a sentence and the
    field that is wrong.
    """
    game = _word(given, "game")
    if game and game not in {each.key for each in catalogue.ABOUTS}:
        raise Refused("There is no such game here; choose one from the list.", field="game")
    result, order = _word(given, "result"), _word(given, "order") or "newest"
    if result and result not in entries.RESULTS:
        raise Refused("A match is won, shared or stopped.", field="result")
    if order not in ORDERS:
        raise Refused(f"The list can have {join_list(list(ORDERS.values()), 'or')}.", field="order")
    opening = given.get("opening", "").strip()
    if len(opening) > openings.LONGEST or "\0" in opening:
        raise Refused(f"An opening has {openings.LONGEST} characters at most.", field="opening")
    if opening and not game and not _KEY.fullmatch(opening):
        raise Refused("Choose the game whose opening this is.", field="game")
    return Search(
        game,
        _word(given, "player"),
        _word(given, "tournament"),
        opening,
        _phases(given, "least"),
        _phases(given, "most"),
        result,
        _word(given, "winner"),
        _word(given, "with") == "people",
        order,
        _cursor(given.get("after", "")),
    )


def _word(given: Mapping[str, str], field: str) -> str:
    text = one_line(given.get(field, ""))
    if len(text) > LONGEST:
        raise Refused(f"A name has {LONGEST} letters at most.", field=field)
    return text


def _phases(given: Mapping[str, str], field: str) -> int | None:
    text = given.get(field, "").strip()
    if not text:
        return None
    if not (
        text.isascii()
        and text.isdecimal()
        and len(text) < len(str(MOST_PHASES))
        and int(text) < MOST_PHASES
    ):
        raise Refused("A length is a number of phases, such as 12.", field=field)
    return int(text)


def _cursor(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    found = _CURSOR.fullmatch(text) if text.isascii() else None
    if found is None:
        raise Refused("The list has no such page; begin with its first one.", field="after")
    return int(found["value"]), int(found["match"])


# --- finding


@dataclass(frozen=True)
class FoundSeat:
    """A seat of a listed match: who played it, as everybody may know it."""

    seat: str
    player: str  # "" where the player shows no page of their matches
    house: bool


@dataclass(frozen=True)
class FoundMatch:
    """A match in the list."""

    uid: str
    name: str
    game: str  # its title
    ended_at: datetime
    phases: int
    result: str  # in words: "won by France"
    seats: tuple[FoundSeat, ...]
    tournament: tuple[str, str] | None  # its name and its public name
    imported: bool


@dataclass(frozen=True)
class FoundPage:
    """One page of what a search found."""

    lines: tuple[FoundMatch, ...]
    following: str  # `after` of the next page, "" where there is none


def find_matches(session: Session, search: Search, *, most: int = PER_PAGE) -> FoundPage:
    """Return a page of the matches that a search finds."""
    by_length = search.order in ("longest", "shortest")
    descending = search.order in ("newest", "longest")
    column = col(ArchivedMatch.phases) if by_length else col(ArchivedMatch.ended_at)
    match_id = col(ArchivedMatch.match_id)
    wanted = select(ArchivedMatch.match_id, ArchivedMatch.ended_at, ArchivedMatch.phases).where(
        *_conditions(session, search)
    )
    if search.after is not None:
        last = tuple_(_compared(search.after[0], by_length=by_length), search.after[1])
        wanted = wanted.where(
            tuple_(column, match_id) < last if descending else tuple_(column, match_id) > last
        )
    order = (column.desc(), match_id.desc()) if descending else (column, match_id)
    found = session.exec(wanted.order_by(*order).limit(most + 1)).all()
    following = ""
    if len(found) > most:
        last_id, ended_at, phases = found[most - 1]
        following = (
            f"{phases if by_length else (ended_at - _EPOCH) // timedelta(microseconds=1)}.{last_id}"
        )
    return FoundPage(_lines(session, [row[0] for row in found[:most]]), following)


def _compared(value: int, *, by_length: bool) -> int | datetime:
    if by_length:
        return min(value, MOST_PHASES)
    try:
        return _EPOCH + timedelta(microseconds=value)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _conditions(session: Session, search: Search) -> list[ColumnElement[bool]]:
    entry = ArchivedMatch
    exact = (
        (entry.game, search.game),
        (entry.result, search.result),
        (entry.winner, search.winner),
    )
    limits = [col(column) == value for column, value in exact if value]
    if search.winner:
        limits[-1] = col(entry.winner).in_({search.winner, search.winner.upper()})
    if search.people:
        limits.append(col(entry.people).is_(True))
    if search.least is not None:
        limits.append(col(entry.phases) >= search.least)
    if search.most is not None:
        limits.append(col(entry.phases) <= search.most)
    if search.player:
        limits.append(_with_seat(session, *_played_by(session, search.player)))
    if search.tournament:
        limits.append(col(entry.tournament_id).in_(_tournaments(session, search.tournament)))
    if search.opening:
        keys = (
            [search.opening]
            if _KEY.fullmatch(search.opening)
            else openings.read_opening(search.game, search.opening)
        )
        limits.append(_with_seat(session, col(ArchivedSeat.opening).in_(keys)))
    return limits


def _with_seat(session: Session, *seats: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition of matches with a seat of one of these kinds, each found by an index of
    its own.

    Databases estimate badly how many these are, so a few are looked up first.
    """
    found: list[ColumnElement[bool]] = [false()]
    for seat in seats:
        wanted = select(ArchivedSeat.match_id).where(seat)
        few = session.exec(wanted.limit(_FEW + 1)).all()
        if few:
            found.append(
                _UNINDEXED.in_(wanted)
                if len(few) > _FEW
                else col(ArchivedMatch.match_id).in_(set(few))
            )
    return or_(*found)


def _spellings(name: str) -> set[str]:
    """Return a name as it is written and with other capitals; databases compare names exactly."""
    return {name, name.lower(), name.title(), name.capitalize()}


def _played_by(session: Session, name: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions of seats whose player shows this name, and of seats whose importer gave
    it.
    """
    shown = select(Player.id).where(
        col(Player.name).in_(_spellings(name)),
        col(Player.house).is_(False),
        col(Player.profile).is_not(None),
    )
    players = session.exec(shown.order_by(col(Player.id)).limit(_NAMESAKES)).all()
    return col(ArchivedSeat.player_id).in_(players), col(ArchivedSeat.named) == name.casefold()


def _tournaments(session: Session, name: str) -> Sequence[int | None]:
    by_name = or_(col(Tournament.uid) == name, col(Tournament.name).in_(_spellings(name)))
    return session.exec(select(Tournament.id).where(by_name).limit(_NAMESAKES)).all()


def find_random(session: Session, lot: int, game: str = "") -> str | None:
    """Return the public name of a match of people that reached a result: the next one from this lot
    on; None while there is none.
    """
    limits = [col(ArchivedMatch.game) == game] if game else []
    for least in (lot, 0):
        wanted = select(Match.uid).join(
            ArchivedMatch, onclause=col(ArchivedMatch.match_id) == col(Match.id)
        )
        found = session.exec(
            wanted.where(col(ArchivedMatch.lot) >= least, *limits)
            .order_by(col(ArchivedMatch.lot))
            .limit(1)
        ).first()
        if found is not None:
            return found
    return None


# --- what is listed


def _lines(session: Session, ids: Sequence[int]) -> tuple[FoundMatch, ...]:
    columns: tuple[Any, ...] = (
        col(Match.id),
        col(Match.uid),
        col(Match.name),
        col(Match.game),
        col(Match.result),
        col(ArchivedMatch.ended_at),
        col(ArchivedMatch.phases),
        col(ArchivedMatch.winner),
        col(ArchivedMatch.imported),
        col(ArchivedMatch.result).label("kind"),
        col(Tournament.name).label("tournament"),
        col(Tournament.uid).label("tournament_uid"),
    )
    entry = select_columns(*columns).join(
        ArchivedMatch, onclause=col(ArchivedMatch.match_id) == col(Match.id)
    )
    entry = entry.join(
        Tournament, onclause=col(ArchivedMatch.tournament_id) == col(Tournament.id), isouter=True
    )
    rows = {row.id: row for row in session.execute(entry.where(col(Match.id).in_(ids)))}
    who: tuple[Any, ...] = (
        col(Player.id).label("player_id"),
        col(Player.name).label("player"),
        col(Player.house),
        col(Player.profile),
    )
    sitting = select_columns(col(Seat.match_id), col(Seat.name), col(Seat.named), *who).select_from(
        Seat
    )
    sitting = sitting.join(Player, onclause=col(Seat.player_id) == col(Player.id), isouter=True)
    seats: dict[int, list[FoundSeat]] = {}
    for seat in session.execute(
        sitting.where(col(Seat.match_id).in_(ids)).order_by(col(Seat.position))
    ):
        seats.setdefault(seat.match_id, []).append(_seat(seat))
    return tuple(_line(rows[each], tuple(seats.get(each, ()))) for each in ids)


def _line(row: Row[Any], seats: tuple[FoundSeat, ...]) -> FoundMatch:
    return FoundMatch(
        row.uid,
        row.name,
        catalogue.about(row.game).title,
        row.ended_at,
        row.phases,
        _result(row),
        seats,
        (row.tournament, row.tournament_uid) if row.tournament_uid else None,
        row.imported,
    )


def _seat(row: Row[Any]) -> FoundSeat:
    """Return a seat with the name that everybody may read; players who show no page of their
    matches have none.
    """
    if row.player_id is None:
        return FoundSeat(row.name, row.named or "", house=False)
    shown = row.house or row.profile is not None
    return FoundSeat(row.name, row.player if shown else "", row.house)


def _result(row: Row[Any]) -> str:
    if row.winner is not None:
        return f"won by {seat_phrase(row.winner)}"
    if row.kind == "stopped":
        return "stopped before its end"
    sharing = [
        seat for seat, each in (row.result or {}).items() if each["outcome"] in ("shared", "drew")
    ]
    return (
        f"shared by {join_list([display_seat(seat) for seat in sharing])}"
        if sharing
        else "without a winner"
    )


def seats_of_game(game: AnyGame) -> tuple[str, ...]:
    """Return the seats of a game with all its players, in order."""
    return max(game.about.seats.items())[1]
