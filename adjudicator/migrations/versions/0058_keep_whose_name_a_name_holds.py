"""Keep whose name the name of a match or tournament holds; take the names of unknown players out of
notes of older releases.

From then on nothing is searched for words where a player is erased.
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

_MADE = {
    "match": (
        "SELECT m.id, m.name, p.id, p.name, m.uid, m.again_uid FROM match m JOIN player p ON p.id ="
        " m.master_id ORDER BY m.id"
    ),
    "tournament": (
        """SELECT t.id, t.name, p.id, p.name, t.uid, NULL FROM tournament t JOIN player p ON p.id =
 (SELECT player_id FROM tournamentdirector d WHERE d.tournament_id = t.id ORDER BY d.id LIMIT 1) ORDER BY t.id"""
    ),
}
_TABLES = """UPDATE match SET named_after = (SELECT t.named_after FROM tournament t
 JOIN tournamenttable x ON x.tournament_id = t.id WHERE x.id = match.table_id) WHERE table_id IS NOT NULL"""
_NOBODY = """UPDATE {table} SET who = 'a player' WHERE player_id IS NULL {old}
 AND who NOT LIKE 'the player of %' AND who NOT LIKE 'Entrant %'
 AND who NOT IN ('the host', 'the service', 'the players', 'a new player', 'a player')"""
_LENT = re.compile(r"^(lent .+ to) .+ as (a substitute until .+)$")
_AWAY = re.compile(r"^(moved the deadline of .+, past) the absence of (.+)$")


def upgrade() -> None:
    """Add the columns and fill them; change the notes."""
    for table in ("match", "tournament"):
        op.add_column(table, sa.Column("named_after", sa.Integer(), nullable=True))
    known = sa.text("named_after IS NOT NULL")
    op.create_index(
        "ix_match_named_after", "match", ["named_after"], sqlite_where=known, postgresql_where=known
    )
    for table in ("match", "tournament"):
        _fill(table)
    op.execute(_TABLES)
    op.execute(_NOBODY.format(table="masternote", old="AND actor IS NULL"))
    op.execute(_NOBODY.format(table="tournamentnote", old=""))
    op.execute(
        "UPDATE tournamentnote SET what = 'named another director' WHERE what LIKE 'made % a"
        " director'"
    )
    _unname_notes()


def _fill(table: str) -> None:
    """Write whose name each name holds today: its maker's, or that of the match whose next one it
    is.
    """
    found, passed_on = [], dict[str | None, tuple[str, int]]()
    for row, title, player, name, uid, following in op.get_bind().execute(sa.text(_MADE[table])):
        before = passed_on.get(uid)
        held = (
            before[1]
            if before is not None and before[0] == title
            else player
            if _holds(title, name)
            else None
        )
        if held is not None:
            found.append({"row": row, "player": held})
            passed_on[following] = (title, held)
    if found:
        op.get_bind().execute(
            sa.text(f"UPDATE {table} SET named_after = :player WHERE id = :row"),  # noqa: S608 one of two names
            found,
        )


def _holds(title: str, name: str) -> bool:
    words = {name, *(word for word in re.findall(r"\w+", name) if len(word) > 2)}
    return (
        re.search(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", title, re.IGNORECASE)
        is not None
    )


def _unname_notes() -> None:
    """Take out of notes whom they named besides who did it; the seats that newer ones name stay."""
    notes = (
        "SELECT id, match_id, what FROM masternote WHERE actor IS NULL AND (what LIKE 'lent %' OR"
        " what LIKE '%, past the absence of %')"
    )
    changed = []
    for row, match, what in op.get_bind().execute(sa.text(notes)).all():
        away = _AWAY.match(what)
        said = (
            f"{away[1]} an absence"
            if away and not _seats(match, away[2])
            else _LENT.sub(r"\1 \2", what)
        )
        if said != what:
            changed.append({"row": row, "said": said})
    if changed:
        op.get_bind().execute(
            sa.text("UPDATE masternote SET what = :said WHERE id = :row"), changed
        )


def _seats(match: int, listed: str) -> bool:
    """Whether a list names seats of a match alone."""
    seats = (
        op.get_bind()
        .execute(sa.text("SELECT name FROM seat WHERE match_id = :match"), {"match": match})
        .scalars()
    )
    known = {name.casefold() for name in seats}
    return all(
        each.removeprefix("seat ").casefold() in known for each in re.split(r", | and ", listed)
    )


def downgrade() -> None:
    """Drop the columns."""
    op.drop_index("ix_match_named_after", "match")
    for table in ("tournament", "match"):
        op.drop_column(table, "named_after")
