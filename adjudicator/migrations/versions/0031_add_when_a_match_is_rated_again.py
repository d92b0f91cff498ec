"""Add when a match that could not be counted for the ratings is tried again."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nothing waits."""
    op.add_column("match", sa.Column("rate_after", UtcTime(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("match", "rate_after")
