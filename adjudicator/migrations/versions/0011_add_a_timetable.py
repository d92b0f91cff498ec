"""Add when the phases of a match end, and its days off."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from adjudicator.platform.db import UtcTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the change; matches from before keep the length of their phases."""
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.add_column(sa.Column("timetable", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("calendar", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("days_off", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True))
        batch_op.add_column(sa.Column("next_days_at", UtcTime(), nullable=True))
        batch_op.create_index(
            "ix_match_next_days",
            ["next_days_at"],
            unique=False,
            sqlite_where=sa.text("next_days_at IS NOT NULL"),
            postgresql_where=sa.text("next_days_at IS NOT NULL"),
        )


def downgrade() -> None:
    """Take it back."""
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.drop_index("ix_match_next_days")
        for column in ("next_days_at", "days_off", "calendar", "timetable"):
            batch_op.drop_column(column)
