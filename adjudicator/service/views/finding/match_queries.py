"""The queries of the lists of matches, built once where they are the same for all: to build one
takes longer than to run it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, literal, union_all
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.service.base.tables import ArchivedMatch, Match, PhaseRow, Receipt, Seat
from adjudicator.service.people import reliability

LOOKED_AT = 50  # newest matches of each kind among which `pictured_or_classic` chooses
SHOWS_MUCH = 3  # closed phases after which a board has something on it
# closed phases; `pictured_or_classic` wants orders of a person in one of the last so many
LATELY = 12
_OPEN, _TAKES_PLAYERS = col(Match.status) == "open", col(Match.status).in_(("open", "making"))
_LISTED = col(Match.private).is_(False)
_Query = SelectOfScalar[Match]


def open_matches(session: Session, player_id: int | None, most: int) -> _Query:
    """Return the query of open matches with a free seat for a viewer, the oldest first; those of
    guests alone come last.
    """
    found = visitors_open(most)
    return found if player_id is None else found.where(*for_player(session, player_id))


@cache
def visitors_open(most: int) -> _Query:
    """Return the query of `open_matches` for a visitor."""
    return (
        select(Match)
        .where(*with_free_seats(), _LISTED)
        .order_by(col(Match.with_people).desc(), col(Match.id))
        .limit(most)
    )


def tables_to_join(session: Session, player_id: int, game: str, most: int) -> _Query:
    """Return the query of a game's matches with a free seat for a player, those included that the
    worker has not prepared yet.

    The oldest come first, those of guests alone last.
    """
    free = with_free_seats(_TAKES_PLAYERS)
    wanted = select(Match).where(
        *free, col(Match.game) == game, _LISTED, *for_player(session, player_id)
    )
    return wanted.order_by(col(Match.with_people).desc(), col(Match.id)).limit(most)


def with_free_seats(gathers: ColumnElement[bool] = _OPEN) -> list[ColumnElement[bool]]:
    """Return the conditions of matches with a seat that anybody may take."""
    free = _at_table().where(col(Seat.player_id).is_(None), col(Seat.kept_for).is_(None))
    return [gathers, col(Match.open_seats).is_(True), free.exists()]


def for_player(session: Session, player_id: int) -> list[ColumnElement[bool]]:
    """Return the conditions of matches that a player may join and does not sit in."""
    return [reliability.admits(reliability.of_player(session, player_id)), _without(player_id)]


def looking_matches(player_id: int | None, most: int) -> _Query:
    """Return the query of running matches with a seat that looks for a new player, the longest
    waiting first.
    """
    found = visitors_looking(most)
    return found if player_id is None else found.where(_without(player_id))


@cache
def visitors_looking(most: int) -> _Query:
    """Return the query of `looking_matches` for a visitor."""
    limits = (
        col(Match.status) == "running",
        col(Match.with_people).is_(True),
        col(Match.open_seats).is_(True),
        _LISTED,
    )
    return (
        select(Match)
        .where(*limits, _at_table().where(col(Seat.open_since).is_not(None)).exists())
        .order_by(col(Match.id))
        .limit(most)
    )


def _at_table() -> Any:
    return select(Seat.id).where(Seat.match_id == Match.id)


def _without(player_id: int) -> ColumnElement[bool]:
    sits: ColumnElement[bool] = _at_table().where(Seat.player_id == player_id).exists()
    return ~sits


@cache
def recent_matches(most: int) -> _Query:
    """Return the query of running matches, then ended ones, the newest first; those of guests alone
    come last.
    """
    kinds = [
        _newest(status, with_people, most)
        for with_people in (True, False)
        for status in ("running", "ended")
    ]
    found = union_all(*kinds).subquery()
    order = col(Match.with_people).desc(), col(Match.status).desc(), col(Match.id).desc()
    return select(Match).join(found, found.c.id == col(Match.id)).order_by(*order).limit(most)


def newest_first(kinds: Mapping[bool, Sequence[ColumnElement[bool]]], most: int) -> _Query:
    """Return the query of public matches, those with people (True) first, each kind under its own
    conditions with the newest first.
    """
    found = union_all(
        *(_limited(_of_kind(people).where(*limits), most) for people, limits in kinds.items())
    ).subquery()
    order = col(Match.with_people).desc(), col(Match.id).desc()
    return select(Match).join(found, found.c.id == col(Match.id)).order_by(*order).limit(most)


def _newest(status: str, with_people: bool, most: int) -> Any:
    """Return the query for the ids of the newest matches of a kind; an index serves it."""
    return _limited(_of_kind(with_people).where(col(Match.status) == status), most)


def _of_kind(with_people: bool) -> Any:
    return select(Match.id).where(col(Match.with_people).is_(with_people), _LISTED)


def _limited(kind: Any, most: int) -> Any:
    return select(kind.order_by(col(Match.id).desc()).limit(most).subquery())


# --- the match whose board visitors see


def pictured_or_classic(lot: ColumnElement[int]) -> ScalarSelect[int]:
    """Return the id of the match whose board a visitor sees, as an expression that looks no further
    than it has to.

    1. A running match with people, else a classic, the next one from this lot on, else an ended
       match with people, else one of guests.
    2. Of those that are no classic, one whose board has something on it, since phase SHOWS_MUCH is
       closed; of several the newest.
    3. In it phase 1 is closed, and nobody stopped it before its rules ended it.
    4. A person handed in orders for it within the last LATELY closed phases. The open phase does
       not count: the picture must not reveal that somebody has handed in orders for it (G4).
    5. Where there is none, whoever moved in it: the newest that runs, else the newest of guests
       that has ended.
    """
    running = [_moved(_newest("running", True, LOOKED_AT), number) for number in (SHOWS_MUCH, 1)]
    classics = [_classic(least) for least in (lot, literal(0))]
    ended = [
        _moved(_newest("ended", people, LOOKED_AT), number)
        for people in (True, False)
        for number in (SHOWS_MUCH, 1)
    ]
    return select(func.coalesce(*running, *classics, *ended, *_of_bots())).scalar_subquery()


def _of_bots() -> list[ScalarSelect[Any]]:
    runs = union_all(*(_newest("running", people, LOOKED_AT) for people in (True, False)))
    return [
        _newest_of(kind, SHOWS_MUCH).scalar_subquery()
        for kind in (runs, _newest("ended", False, LOOKED_AT))
    ]


def _moved(kind: Any, number: int) -> ScalarSelect[Any]:
    """Return the newest match of a kind whose phase of this number is closed, and in which a person
    has moved lately.
    """
    last = select(func.max(PhaseRow.number)).where(
        PhaseRow.match_id == Match.id, col(PhaseRow.closed_at).is_not(None)
    )
    last_closed = last.correlate(Match).scalar_subquery()  # of this match, not of all
    recent = col(Receipt.phase_number).between(last_closed - LATELY + 1, last_closed)
    acted = select(Receipt.id).where(
        Receipt.match_id == Match.id, recent, Receipt.channel != "house"
    )
    found: ScalarSelect[Any] = (
        _newest_of(kind, number).where(_has_closed(1), acted.exists()).scalar_subquery()
    )
    return found


def _newest_of(kind: Any, number: int) -> Any:
    found = kind.subquery()
    wanted = (
        select(Match.id)
        .join(found, found.c.id == col(Match.id))
        .where(col(Match.stopped_why).is_(None), _has_closed(number))
    )
    return wanted.order_by(col(Match.id).desc()).limit(1)


def _has_closed(number: int) -> ColumnElement[bool]:
    closed = col(PhaseRow.number) == number, col(PhaseRow.closed_at).is_not(None)
    return select(PhaseRow.id).where(PhaseRow.match_id == Match.id, *closed).exists()


def _classic(least: ColumnElement[int]) -> ScalarSelect[Any]:
    """Return the next match of people from this lot on that reached a result, as
    `archive_search.find_random`.
    """
    lots = select(ArchivedMatch.match_id).where(col(ArchivedMatch.lot) >= least)
    return lots.order_by(col(ArchivedMatch.lot)).limit(1).scalar_subquery()
