"""What the lists of matches depend on for a visitor, as one short text from one statement: the
basis of a kept page.

As that of a match's pages (`table.page_basis`), it changes with whatever the lists show, and with
nothing that a visitor may not know.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum, auto
from functools import cache, lru_cache

from sqlalchemy import Integer, bindparam, literal_column
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.platform.db import UtcTime
from adjudicator.platform.statements.prepared import Prepared
from adjudicator.play.reliability import MOST, reliability
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import Match
from adjudicator.service.views import match_list
from adjudicator.service.views.finding import match_queries, watching
from adjudicator.service.views.finding.watching import MatchFilter
from adjudicator.service.views.table import page_basis

# columns of a match that no list shows
HIDDEN = page_basis.HIDDEN | {"trouble", "watch_token", "join_token", "published_by", "lots"}

_SQL = """
WITH lists(kind, id) AS ({lists}),
listed AS (SELECT *, {anonymous} AS anonymous FROM "match" WHERE id IN (SELECT id FROM lists)),
seats AS (SELECT match_id, position, seat.name, player_id, kept_for IS NULL AS free, open_since IS NULL AS kept, named,
    listed.status = 'open' AS open, anonymous AND listed.status <> 'ended' AS hidden FROM seat JOIN listed ON match_id = listed.id),
phases AS (SELECT match_id, phase.id, phase.name, deadline, CASE WHEN overtime_after = deadline THEN overtime_until END AS overtime,
    CASE WHEN anonymous THEN 'none' ELSE progress END AS tells FROM phase JOIN listed ON match_id = listed.id WHERE closed_at IS NULL),
known AS (SELECT match_id, tells, seat, CASE WHEN known_at <= :now THEN 1 ELSE 0 END AS known FROM due JOIN phases ON phase_id = phases.id)
SELECT kind, id AS number, {row}() AS part FROM lists
UNION ALL SELECT 'match', id, {row}({match}) FROM listed
UNION ALL SELECT 'seat', match_id, {row}(player_id, position, name, free, kept, named) FROM seats
UNION ALL SELECT 'player', id, {row}(name, name_hidden, erased_at IS NULL, house, profile) FROM player
    WHERE id IN (SELECT player_id FROM seats WHERE NOT hidden)
UNION ALL SELECT '{played}', sitting.player_id, {row}((SELECT {join}(one, '') FROM (
        SELECT CASE WHEN played THEN '1' ELSE '0' END AS one FROM attendance WHERE attendance.player_id = sitting.player_id
        AND (NOT hidden OR EXISTS (SELECT 1 FROM "match" WHERE "match".id = attendance.match_id AND "match".status = 'ended'))
        ORDER BY attendance.at DESC, attendance.id DESC LIMIT {most}) AS newest))
    FROM (SELECT DISTINCT player_id FROM seats WHERE player_id IS NOT NULL AND open AND NOT hidden) AS sitting
UNION ALL SELECT 'phase', match_id, {row}(id, name, deadline, overtime) FROM phases
UNION ALL SELECT 'moved', match_id, {row}(number, closed_at) FROM phase WHERE closed_at IS NOT NULL AND match_id IN (SELECT id FROM lists)
    AND number = (SELECT max(number) FROM phase AS newest WHERE newest.match_id = phase.match_id AND newest.closed_at IS NOT NULL)
UNION ALL SELECT 'due', match_id, {row}(seat, known) FROM known WHERE tells = 'seats'
UNION ALL SELECT 'known', match_id, {row}(count(*), sum(known)) FROM known WHERE tells = 'count' GROUP BY match_id
UNION ALL SELECT 'made', 0, {row}((SELECT max(made_at) FROM "match" WHERE status = 'open' AND open_seats AND NOT private))
"""
_PLAYED = "played"
_ANONYMOUS = {  # whether an option is on
    "sqlite": f"coalesce(json_extract(options, '$.{ANONYMOUS}'), 0)",
    "postgresql": f"coalesce(options ->> '{ANONYMOUS}', 'false') <> 'false'",
}
_JOIN = {"sqlite": "group_concat", "postgresql": "string_agg"}
_DIALECTS = {"sqlite": sqlite.dialect, "postgresql": postgresql.dialect}
_ANY = MatchFilter()


class Page(Enum):
    """A page of lists, as a visitor sees it at its plain address."""

    HOME = auto()
    WATCH = auto()
    PLAY = auto()


def read_basis(session: Session, page: Page, *, now: datetime) -> str:
    """Return what a page of lists depends on for a visitor."""
    given = {"now": now, "lot": watching.lot_of(now)} if page is Page.HOME else {"now": now}
    parts = page_basis.read_parts(session, _statement(session.get_bind().dialect.name, page), given)
    return page_basis.hash_parts(
        part if part[0] != _PLAYED else (_PLAYED, part[1], _reliability(part[2])) for part in parts
    )


def for_visitors(page: Page) -> Callable[[Session, int | None, datetime], str | None]:
    """Return the function that reads a visitor's basis of a page; that of a player is not kept."""

    def read(session: Session, viewer: int | None, now: datetime) -> str | None:
        return read_basis(session, page, now=now) if viewer is None else None

    return read


def _lists(page: Page) -> Mapping[str, SelectOfScalar[Match]]:
    """Return the queries of the matches on a page, by the name of their list."""
    looking = match_queries.visitors_looking(match_list.MOST_LOOKING)
    if page is Page.WATCH:
        return {"running": watching.page_query([col(Match.status) == "running"], _ANY)}
    if page is Page.PLAY:
        return {
            "open": watching.page_query(match_queries.with_free_seats(), _ANY),
            "looking": looking,
        }
    pictured = match_queries.pictured_or_classic(literal_column(":lot"))
    return {
        "open": match_queries.visitors_open(match_list.MOST_FREE),
        "looking": looking,
        "recent": match_queries.recent_matches(match_list.MOST_RECENT),
        "pictured": select(Match).where(col(Match.id) == pictured),
    }


@cache
def _statement(dialect: str, page: Page) -> Prepared:
    """Return the statement for a page, with the queries of its lists as text."""
    match = ", ".join(page_basis.name_columns(Match, HIDDEN))
    lists = [_ids_of(name, _as_text(query, dialect)) for name, query in _lists(page).items()]
    columns = {
        "row": page_basis.ROW[dialect],
        "join": _JOIN[dialect],
        "anonymous": _ANONYMOUS[dialect],
        "played": _PLAYED,
        "most": MOST,
    }
    sql = _SQL.format(lists=" UNION ALL ".join(lists), match=match, **columns)
    lot = [bindparam("lot", type_=Integer())] if page is Page.HOME else []
    return page_basis.in_one_row(sql, dialect, bindparam("now", type_=UtcTime()), *lot)


def _ids_of(name: str, query: str) -> str:
    return f"SELECT '{name}' AS kind, {name}.id FROM ({query}) AS {name}"  # noqa: S608 our own query


def _as_text(query: SelectOfScalar[Match], dialect: str) -> str:
    ids = query.with_only_columns(col(Match.id))
    return str(ids.compile(dialect=_DIALECTS[dialect](), compile_kwargs={"literal_binds": True}))


@lru_cache(maxsize=1024)
def _reliability(values: str) -> str:
    """Return the reliability that a list tells of a player."""
    return str(reliability(each == "1" for each in json.loads(values)[0] or ""))
