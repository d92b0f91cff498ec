"""The search of the site: public matches, players who show a page, and tournaments whose names
begin as somebody typed.

Each kind reads an index of names and stops after MOST rows, so that one letter in front of a
million names costs as little as a whole name. Private matches, and players who show no page, are
found by nobody.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, or_
from sqlmodel import Session, col, func, select

from adjudicator import catalogue
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.names import one_line
from adjudicator.service.base.tables import Match, Player, Tournament
from adjudicator.service.views import match_list
from adjudicator.service.views.finding.thumbnails import NewestBoard, newest_boards
from adjudicator.service.views.match_list import Card

LEAST, LONGEST = 2, 80  # characters of what is typed
MOST = 12  # of each kind
_BEGUN_OR_OPEN = ("open", "running", "ended", "stuck")
_SHOWN = ("entering", "running", "ending", "ended")  # tournaments that everybody may see
_LAST = "\U0010ffff"  # sorts after every other character


@dataclass(frozen=True)
class FoundPlayer:
    """A player who shows a page of their matches."""

    name: str
    profile: str  # last part of its address


@dataclass(frozen=True)
class FoundTournament:
    """A tournament that everybody may see."""

    uid: str
    name: str
    game: str  # its title


@dataclass(frozen=True)
class SearchResults:
    """What a search found: the first MOST of each kind."""

    matches: tuple[Card, ...] = ()
    boards: Mapping[str, NewestBoard] | None = None
    players: tuple[FoundPlayer, ...] = ()
    tournaments: tuple[FoundTournament, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.matches or self.players or self.tournaments)


def read_query(text: str) -> str:
    """Return what to search for, "" for nothing; raises Refused for what is too short or too
    long.
    """
    words = one_line(text)
    if len(words) == 1:
        raise Refused(f"Write the first {LEAST} letters of a name, or more.", field="q")
    if len(words) > LONGEST:
        raise Refused(f"A name has {LONGEST} letters at most.", field="q")
    return words


def find_all(session: Session, words: str, *, now: datetime) -> SearchResults:
    """Return the matches, players and tournaments whose names begin with these words."""
    shown = select(Player.name, Player.profile).where(
        _begins(session, Player.name, words), _unindexed(col(Player.profile)) != ""
    )
    players = session.exec(
        shown.where(col(Player.house).is_(False), col(Player.erased_at).is_(None)).limit(MOST)
    ).all()
    held = (
        select(Tournament)
        .where(
            _begins(session, Tournament.name, words), _unindexed(col(Tournament.status)).in_(_SHOWN)
        )
        .limit(MOST)
    )
    tournaments = [
        FoundTournament(each.uid, each.name, catalogue.about(each.game).title)
        for each in session.exec(held)
    ]
    cards = _matches(session, words, now)
    return SearchResults(
        tuple(cards),
        newest_boards(session, [card.uid for card in cards]),
        tuple(
            sorted(
                (FoundPlayer(name, profile or "") for name, profile in players),
                key=lambda each: each.name.casefold(),
            )
        ),
        tuple(sorted(tournaments, key=lambda each: each.name.casefold())),
    )


def _matches(session: Session, words: str, now: datetime) -> list[Card]:
    """Return the found matches: a public name first, then those that run, wait for players and have
    ended.
    """
    public = (col(Match.private).is_not(True), _unindexed(col(Match.status)).in_(_BEGUN_OR_OPEN))
    by_name = (
        select(Match)
        .where(or_(_begins(session, Match.name, words), col(Match.uid) == words), *public)
        .limit(MOST)
    )
    order = {"running": 0, "open": 1, "stuck": 2, "ended": 3}
    found = sorted(
        session.exec(by_name),
        key=lambda each: (
            each.uid != words,
            order[each.status],
            not each.with_people,
            -(each.id or 0),
        ),
    )
    return match_list.cards_of(session, found, None, now=now)


def _unindexed(column: Any) -> ColumnElement[str]:
    """Return a column, "" for null, in a form that no index serves: databases would prefer that
    index to the one of names.
    """
    return func.coalesce(column, "")


def _begins(session: Session, column: Any, words: str) -> ColumnElement[bool]:
    """Return the condition of names that begin with these words, as they are written or with other
    capitals.

    Databases compare capitals exactly. PostgreSQL has an index for LIKE (`text_pattern_ops`),
    SQLite one in the order of bytes.
    """
    spelled = sorted({words, words.lower(), words.title(), words.capitalize()})
    if session.get_bind().dialect.name == "postgresql":
        return or_(*(col(column).startswith(each, autoescape=True) for each in spelled))
    return or_(*(and_(col(column) >= each, col(column) < each + _LAST) for each in spelled))
