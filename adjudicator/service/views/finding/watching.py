"""Public matches to watch and open seats to take, a page at a time; indexes of `match` serve every
list.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Literal

from sqlalchemy import ColumnElement, Integer, bindparam
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator import catalogue
from adjudicator.service.archive.entries import LOTS
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Match
from adjudicator.service.views import match_list
from adjudicator.service.views.finding import match_queries
from adjudicator.service.views.finding.thumbnails import NewestBoard, newest_boards
from adjudicator.service.views.match_list import Card

PER_PAGE = 12
_DAY = 86_400
PACES: Mapping[str, tuple[int, int]] = {
    "live": (0, 7_199),
    "quick": (7_200, _DAY - 1),
    "daily": (_DAY, 2 * _DAY - 1),
    "slow": (2 * _DAY, 2**31 - 1),
}
RATED = ("yes", "no")
ASKS = ("nothing", "something")
Status = Literal["running", "ended"]


@dataclass(frozen=True)
class Cursor:
    """The last match of the page before: whether it is one of people, and its number."""

    with_people: bool
    match_id: int

    def __str__(self) -> str:
        return f"{int(self.with_people)}.{self.match_id}"


@dataclass(frozen=True)
class MatchFilter:
    """What somebody looks for among matches; what is empty does not limit it."""

    game: str = ""  # its key
    pace: str = ""  # one of PACES, by the seconds of a phase
    rated: str = ""  # one of RATED
    asks: str = ""  # one of ASKS: whether open seats ask for reliability or experience
    after: Cursor | None = None


@dataclass(frozen=True)
class Listing:
    """A page of a list of matches, with the boards of those that have begun."""

    cards: tuple[Card, ...]
    boards: Mapping[str, NewestBoard]
    following: str = ""  # `after` of the next page, "" where there is none


def read_wanted(given: Mapping[str, str]) -> MatchFilter:
    """Return what the fields of an address ask for; raises Refused with a sentence and the field
    that is wrong.
    """
    known = {
        "game": [each.key for each in catalogue.ABOUTS],
        "pace": list(PACES),
        "rated": list(RATED),
        "asks": list(ASKS),
    }
    chosen = {name: given.get(name, "") for name in known}
    for name, values in known.items():
        if chosen[name] and chosen[name] not in values:
            raise Refused("There is no such choice; take one from the list.", field=name)
    return MatchFilter(**chosen, after=_cursor(given.get("after", "")))


def _cursor(text: str) -> Cursor | None:
    if not text:
        return None
    kind, _, number = text.partition(".")
    if kind not in ("0", "1") or not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Refused("The list has no such page; begin with its first one.", field="after")
    return Cursor(kind == "1", int(number))


def watch_matches(
    session: Session, status: Status, wanted: MatchFilter, *, now: datetime, most: int = PER_PAGE
) -> Listing:
    """Return public matches of one status, those with people first, each kind with the newest
    first.
    """
    found = _page(
        session, [col(Match.status) == status], replace(wanted, pace="", rated="", asks=""), most
    )
    return _listing(session, found, None, most, now)


def open_seats(
    session: Session,
    player_id: int | None,
    wanted: MatchFilter,
    *,
    now: datetime,
    most: int = PER_PAGE,
) -> Listing:
    """Return public matches with a free seat for this viewer, those with people first, each kind
    with the newest first.
    """
    limits = match_queries.with_free_seats()
    if player_id is not None:
        limits += match_queries.for_player(session, player_id)
    return _listing(session, _page(session, limits, wanted, most), player_id, most, now)


def pictured_match(session: Session, *, now: datetime) -> Match | None:
    """Return the match whose board a visitor sees, None without any.

    It is one that runs, else a classic, another one each minute, else one that has ended, else one
    in which only house bots moved.
    """
    return session.exec(_pictured_wanted(), params={"lot": lot_of(now)}).first()


@cache
def _pictured_wanted() -> SelectOfScalar[Match]:
    return select(Match).where(
        col(Match.id) == match_queries.pictured_or_classic(bindparam("lot", type_=Integer()))
    )


def lot_of(now: datetime) -> int:
    """Return the lot of the classic that is shown in this minute; it is the same for all, so that
    the page can be kept.
    """
    return (
        int.from_bytes(hashlib.sha256(now.strftime("%Y-%m-%d %H:%M").encode()).digest()[:4]) % LOTS
    )


def _page(
    session: Session, limits: list[ColumnElement[bool]], wanted: MatchFilter, most: int
) -> Sequence[Match]:
    """Return a page of matches and the first one after it, in one statement."""
    return session.exec(page_query(limits, wanted, most)).all()


def page_query(
    limits: Sequence[ColumnElement[bool]], wanted: MatchFilter, most: int = PER_PAGE
) -> SelectOfScalar[Match]:
    """Return the query of a page of public matches and the first one after it."""
    limits, after = [*limits, *_conditions(wanted)], wanted.after
    if after is None:
        return match_queries.newest_first({True: limits, False: limits}, most + 1)
    older = [*limits, col(Match.id) < after.match_id]
    return match_queries.newest_first(
        {True: older, False: limits} if after.with_people else {False: older}, most + 1
    )


def _conditions(wanted: MatchFilter) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = [col(Match.game) == wanted.game] if wanted.game else []
    if wanted.pace:
        found.append(col(Match.every_seconds).between(*PACES[wanted.pace]))
    if wanted.rated:
        found.append(col(Match.rated).is_(wanted.rated == "yes"))
    if wanted.asks:
        nothing = (col(Match.least_reliability) == 0) & col(Match.beginners).is_(True)
        found.append(nothing if wanted.asks == "nothing" else ~nothing)
    return found


def _listing(
    session: Session, found: Sequence[Match], player_id: int | None, most: int, now: datetime
) -> Listing:
    shown = found[:most]
    following = str(Cursor(shown[-1].with_people, shown[-1].id or 0)) if len(found) > most else ""
    cards = match_list.cards_of(session, shown, player_id, now=now)
    return Listing(tuple(cards), newest_boards(session, [card.uid for card in cards]), following)
