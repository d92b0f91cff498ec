"""Add the address of the page that a player shows of their matches; nobody has one by default."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for all players from before."""
    op.add_column("player", sa.Column("profile", sa.String(), nullable=True))
    op.create_index("ix_player_profile", "player", ["profile"], unique=True)


def downgrade() -> None:
    """Drop the column."""
    op.drop_index("ix_player_profile", table_name="player")
    op.drop_column("player", "profile")
