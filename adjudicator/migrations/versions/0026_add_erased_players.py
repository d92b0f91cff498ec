"""Add when a player was erased; nobody from before was."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("player", sa.Column("erased_at", UtcTime(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("player", "erased_at")
