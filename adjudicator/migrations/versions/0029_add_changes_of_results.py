"""Add what has changed in the results since the round before was paired, instead of all results
with each round.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

PLAIN = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    """Add the column; rounds from before keep all their results, and are read as they are."""
    op.add_column("tournamentround", sa.Column("changes", PLAIN, nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("tournamentround", "changes")
