"""Add how house bots play, whether a match takes them, and the last phase reported to a seat."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; existing bots become sensible ones."""
    op.add_column(
        "match", sa.Column("bots", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.add_column("player", sa.Column("skill", sa.String(), nullable=True))
    op.add_column("seat", sa.Column("told", sa.Integer(), nullable=True))
    op.execute("UPDATE player SET skill = 'sensible' WHERE house")


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("seat", "told")
    op.drop_column("player", "skill")
    op.drop_column("match", "bots")
