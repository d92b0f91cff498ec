"""Add what lets a tournament be run and its rounds be drawn again: deadlines, letters, and what
each round was paired from.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from adjudicator.platform.db import UtcTime

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

PLAIN = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    """Add the columns; tournaments from before wait for their directors, and their rounds cannot be
    drawn again.
    """
    op.add_column(
        "tournament", sa.Column("stalled", sa.String(), nullable=False, server_default="wait")
    )
    op.add_column("tournament", sa.Column("round_until", UtcTime(), nullable=True))
    op.add_column(
        "tournament",
        sa.Column("adjudging", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("tournament", sa.Column("tell_round", sa.Integer(), nullable=True))
    op.add_column(
        "tournament", sa.Column("told_to", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("tournamentround", sa.Column("entrants", PLAIN, nullable=True))
    op.add_column("tournamentround", sa.Column("results", PLAIN, nullable=True))


def downgrade() -> None:
    """Drop them."""
    for name in ("entrants", "results"):
        op.drop_column("tournamentround", name)
    for name in ("stalled", "round_until", "adjudging", "tell_round", "told_to"):
        op.drop_column("tournament", name)
