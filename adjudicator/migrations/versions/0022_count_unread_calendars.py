"""Count how often a match's calendar of days off could not be read since it last could."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, 0 for all matches from before."""
    op.add_column(
        "match", sa.Column("unread_calendars", sa.Integer(), nullable=False, server_default="0")
    )


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("match", "unread_calendars")
