"""Index what a sweep looks for: full matches, and what house bots owe."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, fill them in for matches that gather players and phases that are open, and
    add the indexes.
    """
    op.add_column(
        "match", sa.Column("all_taken", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column(
        "due", sa.Column("house", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    match, seat, phase, due, player = (_table(*each) for each in _TABLES)
    free = sa.exists().where(seat.c.match_id == match.c.id, seat.c.taken_at.is_(None))
    op.execute(match.update().where(match.c.status == "open", ~free).values(all_taken=sa.true()))
    bot = sa.select(seat.c.id).join(player, player.c.id == seat.c.player_id).where(player.c.house)
    bot = bot.join(phase, phase.c.match_id == seat.c.match_id).where(
        phase.c.id == due.c.phase_id, seat.c.name == due.c.seat
    )
    open_phases = sa.select(phase.c.id).where(phase.c.closed_at.is_(None))
    op.execute(
        due.update()
        .where(due.c.phase_id.in_(open_phases), bot.correlate(due).exists())
        .values(house=sa.true())
    )
    # SQLite prefers an index of the status alone to one where the status is a condition
    for name, column in _STATUS_FIRST.items():
        op.drop_index(name, "match")
        op.create_index(name, "match", ["status", column])
    op.create_index("ix_match_all_taken", "match", ["status", "all_taken"])
    on_sqlite, on_postgres = (
        sa.text(f"{each} AND handed_in_at IS NULL") for each in ("house = 1", "house")
    )
    op.create_index(
        "ix_due_house", "due", ["phase_id"], sqlite_where=on_sqlite, postgresql_where=on_postgres
    )


_STATUS_FIRST = {"ix_match_muster": "muster_until", "ix_match_expires": "expires_at"}
_TABLES = (
    ("match", "id", "status", "all_taken"),
    ("seat", "id", "match_id", "player_id", "taken_at", "name"),
    ("phase", "id", "match_id", "closed_at"),
    ("due", "phase_id", "seat", "house"),
    ("player", "id", "house"),
)


def _table(name: str, *columns: str) -> sa.TableClause:
    return sa.table(
        name,
        *(
            sa.column(each, sa.Boolean() if each in ("all_taken", "house") else None)
            for each in columns
        ),
    )


def downgrade() -> None:
    """Drop the indexes and the columns."""
    op.drop_index("ix_due_house", "due")
    op.drop_index("ix_match_all_taken", "match")
    for name, column in _STATUS_FIRST.items():
        op.drop_index(name, "match")
        where = sa.text(
            "status = 'open' AND "
            + ("muster_seconds" if column == "muster_until" else column)
            + " IS NOT NULL"
        )
        op.create_index(name, "match", [column], sqlite_where=where, postgresql_where=where)
    op.drop_column("due", "house")
    op.drop_column("match", "all_taken")
