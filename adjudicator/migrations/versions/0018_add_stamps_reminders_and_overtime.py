"""Add when the service ran, when players are reminded, and overtime for those who are late."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from adjudicator.platform.db import UtcTime

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

COLUMNS: tuple[tuple[str, sa.Column[Any]], ...] = (
    ("match", sa.Column("overtime_seconds", sa.Integer(), nullable=False, server_default="0")),
    (
        "match",
        sa.Column(
            "reminders",
            sa.JSON().with_variant(postgresql.JSONB(), "postgresql"),
            nullable=False,
            server_default="[]",
        ),
    ),
    ("player", sa.Column("reminders", sa.Boolean(), nullable=False, server_default=sa.true())),
    (
        "phase",
        sa.Column("moved_for_outage", sa.Boolean(), nullable=False, server_default=sa.false()),
    ),
    ("phase", sa.Column("overtime_after", UtcTime(), nullable=True)),
    ("phase", sa.Column("overtime_until", UtcTime(), nullable=True)),
    ("phase", sa.Column("remind_at", UtcTime(), nullable=True)),
    ("phase", sa.Column("reminded_until", UtcTime(), nullable=True)),
    ("due", sa.Column("late", sa.Boolean(), nullable=False, server_default=sa.false())),
)


def upgrade() -> None:
    """Add the table, the columns and the index; matches from before have neither reminders nor
    overtime.
    """
    op.create_table(
        "servicestamp",
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("minute", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("role", "minute"),
    )
    for table, column in COLUMNS:
        op.add_column(table, column._copy())
    where = sa.text("remind_at IS NOT NULL")
    op.create_index(
        "ix_phase_remind_at",
        "phase",
        ["remind_at"],
        unique=False,
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    """Drop the index, the columns and the table."""
    op.drop_index("ix_phase_remind_at", "phase")
    for table, column in reversed(COLUMNS):
        op.drop_column(table, column.name)
    op.drop_table("servicestamp")
