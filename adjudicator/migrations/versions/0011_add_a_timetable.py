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
    """Add the columns and the index; matches from before keep the length of their phases."""
    op.add_column("match", sa.Column("timetable", sa.String(), nullable=True))
    op.add_column("match", sa.Column("calendar", sa.String(), nullable=True))
    op.add_column(
        "match",
        sa.Column(
            "days_off", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
    )
    op.add_column("match", sa.Column("next_days_at", UtcTime(), nullable=True))
    where = sa.text("next_days_at IS NOT NULL")
    op.create_index(
        "ix_match_next_days",
        "match",
        ["next_days_at"],
        unique=False,
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    """Drop the index and the columns."""
    op.drop_index("ix_match_next_days", "match")
    for column in ("next_days_at", "days_off", "calendar", "timetable"):
        op.drop_column("match", column)
