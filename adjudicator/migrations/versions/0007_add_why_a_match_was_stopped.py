"""Add why a match was stopped before its own rules ended it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; they stay empty for existing matches, which their rules ended."""
    op.add_column("match", sa.Column("stopped_after", sa.Integer(), nullable=True))
    op.add_column("match", sa.Column("stopped_why", sa.String(), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("match", "stopped_why")
    op.drop_column("match", "stopped_after")
