"""Add what a match shows of who has handed in, and the count of changes that everybody may see."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; matches from before show nothing."""
    op.add_column(
        "match", sa.Column("progress", sa.String(), nullable=False, server_default="none")
    )
    op.add_column("match", sa.Column("shown", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("due", sa.Column("known_at", UtcTime(), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("due", "known_at")
    for column in ("shown", "progress"):
        op.drop_column("match", column)
