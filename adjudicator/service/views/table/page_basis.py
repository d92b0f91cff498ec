"""What the pages of a match depend on, for one viewer, as one short text from one statement: the
basis of a kept page.

A basis changes with whatever the pages of a match show this viewer, and with nothing else. It holds
the columns that everybody may see, with `shown`, and what the viewer's own seat did. It holds
neither the match's version nor what another seat did that nobody may know, because a page that is
made anew takes longer: its time would tell.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Integer, String, bindparam, text
from sqlmodel import Session, SQLModel

from adjudicator.platform.db import UtcTime
from adjudicator.platform.statements.prepared import Prepared
from adjudicator.service.base.memory import keep_basis
from adjudicator.service.base.state import ANONYMOUS, told_progress
from adjudicator.service.base.tables import Match

HIDDEN = {  # columns of a match that none of its pages shows; some change with what a seat hides
    "version",
    "log_size",
    "log_hash",
    "restored_in",
    "seq_from",
    "log_key",
    "wrapped_chains",
    "former_chains",
    "counted_at",
    "rate_after",
    "next_days_at",
    "unread_calendars",
    "archived",
}
OF_SEATS = (
    "name",
    "player_id",
    "owner_id",
    "returns_at",
    "taken_at",
    "tenure",
    "open_since",
    "kept_for",
    "kept_secretly",
    "named",
)
# of those who play in a match, have lent a seat or run it
OF_PLAYERS = ("name", "name_hidden", "erased_at", "house", "profile")

_SQL = """
WITH here AS (SELECT * FROM "match" WHERE uid = :uid AND status IN ('running', 'ended') AND (NOT private OR master_id = :player
    OR EXISTS (SELECT 1 FROM seat WHERE match_id = "match".id AND (player_id = :player OR owner_id = :player))
    OR EXISTS (SELECT 1 FROM player WHERE id = :player AND player.master))),
phase_now AS (SELECT id, number, name, due, opened_at, deadline, grace_seconds, overtime_after, overtime_until, why, dropped FROM phase
    WHERE match_id = (SELECT id FROM here) AND closed_at IS NULL),
seats AS (SELECT * FROM seat WHERE match_id = (SELECT id FROM here)),
own AS (SELECT name, tenure FROM seats WHERE player_id = :player ORDER BY position LIMIT 1),
runs AS (SELECT 1 AS one FROM player, here WHERE player.id = :player AND (player.id = here.master_id OR player.master)),
asked AS (SELECT * FROM proposal WHERE match_id = (SELECT id FROM here)
    AND (outcome IS NULL OR phase_number = (SELECT number FROM phase_now)))
SELECT 'told' AS kind, 0 AS number, {row}(progress, options, status) AS part FROM here
UNION ALL SELECT 'match', 0, {row}({match}, log_hash IS NULL) FROM here
UNION ALL SELECT 'seat', position, {row}({seat}) FROM seats
UNION ALL SELECT 'player', id, {row}({player}) FROM player
    WHERE id IN (SELECT player_id FROM seats UNION SELECT owner_id FROM seats UNION SELECT master_id FROM here)
UNION ALL SELECT 'viewer', id, {row}(master) FROM player WHERE id = :player
UNION ALL SELECT 'not reached', position, {row}(seats.name) FROM seats JOIN player ON player.id = seats.player_id
    WHERE player.bounced_at IS NOT NULL AND EXISTS (SELECT one FROM runs)
UNION ALL SELECT 'tournament', tournament.id, {row}(tournament.name, tournament.uid) FROM tournament
    JOIN tournamenttable ON tournamenttable.tournament_id = tournament.id WHERE tournamenttable.id = (SELECT table_id FROM here)
UNION ALL SELECT 'next', id, {row}(private) FROM "match" WHERE uid = (SELECT again_uid FROM here)
UNION ALL SELECT 'phase', number, {row}(id, name, due, opened_at, deadline, grace_seconds, overtime_after, overtime_until, why, dropped)
    FROM phase_now
UNION ALL SELECT 'newest', number, {row}(closed_at) FROM (
    SELECT number, closed_at FROM phase WHERE match_id = (SELECT id FROM here) ORDER BY number DESC LIMIT 2) AS newest
UNION ALL SELECT 'known', due.id, {row}(seat) FROM due JOIN phase_now ON due.phase_id = phase_now.id WHERE known_at <= :now
UNION ALL SELECT 'late', due.id, {row}(seat) FROM due JOIN phase_now ON due.phase_id = phase_now.id
    WHERE late AND EXISTS (SELECT one FROM runs)
UNION ALL SELECT 'proposal', asked.id, {row}(kind, phase_number, seat, target, was, reason, until, outcome, until > :now) FROM asked
UNION ALL SELECT 'vote', vote.id, {row}(proposal_id, vote.seat, player_id, yes) FROM vote JOIN asked ON asked.id = proposal_id
    WHERE outcome IS NULL
UNION ALL SELECT 'noted', 0, {row}(1) FROM here WHERE EXISTS (SELECT 1 FROM masternote WHERE match_id = here.id)
UNION ALL SELECT 'away', absenceuse.id, {row}(absenceuse.player_id) FROM absenceuse JOIN here ON here.id = match_id AND progress = 'seats'
    WHERE phase_number = (SELECT number FROM phase_now)
UNION ALL SELECT 'own', due.id, {row}(seat, complete, says, handed_in_at, late) FROM due JOIN phase_now ON due.phase_id = phase_now.id
    WHERE seat = (SELECT name FROM own)
UNION ALL SELECT 'sealed', 0, {row}(max(envelope.id), max(envelope.tenure)) FROM envelope JOIN phase_now ON phase_id = phase_now.id
    WHERE seat = (SELECT name FROM own)
UNION ALL SELECT 'handed in', 0, {row}(max(seq), max(receipt.id)) FROM receipt, own WHERE match_id = (SELECT id FROM here)
    AND phase_number = (SELECT number FROM phase_now) AND seat = own.name AND receipt.tenure = own.tenure
UNION ALL SELECT 'letter', letter.id, {row}(letter.seat, letter.tenure, kind, receipt_id IS NULL, incoming_id IS NULL)
    FROM letter LEFT JOIN own ON own.name = letter.seat AND own.tenure = letter.tenure LEFT JOIN player ON player.id = letter.player_id
    WHERE (EXISTS (SELECT name FROM own) OR :player = (SELECT master_id FROM here))
    AND letter.match_id = (SELECT id FROM here) AND letter.state IN ('held', 'bounced')
    AND (state = 'held' OR letter.player_id IS NULL OR player.bounced_at IS NOT NULL)
    AND (own.name IS NOT NULL OR :player = (SELECT master_id FROM here) AND receipt_id IS NULL AND incoming_id IS NULL
        AND kind NOT IN ('press', 'reminder', 'reported'))
UNION ALL SELECT 'read', id, {row}(thread, until) FROM pressread WHERE match_id = (SELECT id FROM here) AND player_id = :player
UNION ALL SELECT 'mute', id, {row}(seat) FROM mute WHERE match_id = (SELECT id FROM here) AND player_id = :player
UNION ALL SELECT 'press', 0, {row}(newest.id) FROM (
    SELECT pressnote.id FROM pressnote LEFT JOIN own ON 1 = 1 WHERE match_id = (SELECT id FROM here)
    AND (own.name IS NOT NULL OR :player = (SELECT master_id FROM here))
    AND (CAST(readers AS TEXT) = '[]' OR seat = own.name OR CAST(readers AS TEXT) LIKE '%"' || own.name || '"%'
        OR :player = (SELECT master_id FROM here)
        AND (seat = 'master' OR CAST(readers AS TEXT) LIKE '%"master"%' OR (SELECT press_overseen FROM here)))
    ORDER BY pressnote.id DESC LIMIT 1) AS newest
"""
# the function that makes the values of a part
ROW = {"sqlite": "json_array", "postgresql": "json_build_array"}
_ROWS = {"sqlite": "json_group_array", "postgresql": "json_agg"}
_TOLD, _KNOWN, _PLAYER = "told", "known", "player"


BasisPart = tuple[str, int, str]
"""Something that a page depends on, a row of a statement: its kind, a number, and values as a JSON
array.
"""


def read_basis(session: Session, uid: str, player_id: int | None, *, now: datetime) -> str | None:
    """Return what the pages of a match depend on for one viewer (None: a visitor); None where its
    pages are not kept.

    They are kept while it runs and once it has ended, unless its next match is private, which not
    everybody may know of. Of a private match only those have a basis who play in it or run it.
    """
    parts = read_parts(
        session,
        _statement(session.get_bind().dialect.name),
        {"uid": uid, "player": player_id, "now": now},
    )
    match_values = next((json.loads(values) for kind, _, values in parts if kind == _TOLD), None)
    if match_values is None or any(
        kind == "next" and json.loads(values)[0] for kind, _, values in parts
    ):
        return None
    keep_basis(session, uid, player_id, parts)
    return hash_parts(_tellable(parts, match_values, player_id))


def read_parts(
    session: Session, statement: Prepared, given: Mapping[str, object]
) -> list[BasisPart]:
    """Return the parts that a statement reads in this transaction."""
    ((found,),) = statement.run(session.connection(), given).fetchall()
    parts = json.loads(found or "[]")
    return [(kind, number, values) for kind, number, values in parts]


def hash_parts(parts: Iterable[BasisPart]) -> str:
    """Return the basis that these parts make, whatever their order."""
    return hashlib.sha256(repr(sorted(parts)).encode()).hexdigest()


def _tellable(
    parts: Iterable[BasisPart], values: list[Any], player_id: int | None
) -> Iterable[BasisPart]:
    """Leave out who has handed in as far as the match does not show it, and the names of an
    anonymous match.
    """
    kind, options, status = values
    options = json.loads(options) if isinstance(options, str) else options
    progress, known = told_progress(kind, options), 0
    readers = {player_id} if options.get(ANONYMOUS) and status != "ended" else None
    for part in parts:
        if part[0] == _KNOWN:
            known += 1
        if part[0] == _KNOWN and progress != "seats":
            continue
        if part[0] == _PLAYER and readers is not None and part[1] not in readers:
            continue
        yield part
    if progress != "none":
        yield _KNOWN, 0, str(known)


@cache
def _statement(dialect: str) -> Prepared:
    match = ", ".join(name_columns(Match, HIDDEN))
    seat, player = ", ".join(("id", *OF_SEATS)), ", ".join(("id", *OF_PLAYERS))
    sql = _SQL.format(row=ROW[dialect], match=match, seat=seat, player=player)
    given = (bindparam("player", type_=Integer()), bindparam("now", type_=UtcTime()))
    return in_one_row(sql, dialect, bindparam("uid", type_=String()), *given)


def in_one_row(sql: str, dialect: str, *given: BindParameter[Any]) -> Prepared:
    """Return a statement that returns all parts of another as one text: between two rows, another
    thread of the process may go first.
    """
    part = f"{ROW[dialect]}(kind, number, CAST(part AS TEXT))"
    sql = f"SELECT CAST({_ROWS[dialect]}({part}) AS TEXT) FROM ({sql}) AS parts"  # noqa: S608 ours
    return Prepared(text(sql).bindparams(*given))


def name_columns(table: type[SQLModel], hidden: Collection[str]) -> list[str]:
    """Return the quoted names of a table's columns that are not hidden; a new one counts as
    shown.
    """
    return [f'"{name}"' for name in table.model_fields if name not in hidden]
