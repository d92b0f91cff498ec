"""Add seats that are assigned by wishes and lot, and a separate duration for short phases."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

PLAIN = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    """Add the columns; existing matches keep their seats."""
    op.add_column(
        "match", sa.Column("seating", sa.String(), nullable=False, server_default="order")
    )
    op.add_column("match", sa.Column("lots", PLAIN, nullable=True))
    op.add_column("match", sa.Column("short_seconds", sa.Integer(), nullable=True))
    op.add_column("seat", sa.Column("wishes", PLAIN, nullable=False, server_default="[]"))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("seat", "wishes")
    op.drop_column("match", "short_seconds")
    op.drop_column("match", "lots")
    op.drop_column("match", "seating")
