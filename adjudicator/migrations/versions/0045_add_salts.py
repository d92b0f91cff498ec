"""Add the salts that players give for the chance of the next phase."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "salt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "player_id"),
    )
    op.create_index("ix_salt_player_id", "salt", ["player_id"])


def downgrade() -> None:
    """Delete the table; salts that wait are forgotten."""
    op.drop_table("salt")
