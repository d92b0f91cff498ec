"""Add which season of a league a tournament is, and the season before it."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; every tournament is a first season."""
    op.add_column(
        "tournament", sa.Column("season", sa.Integer(), nullable=False, server_default="1")
    )
    op.add_column("tournament", sa.Column("previous_id", sa.Integer(), nullable=True))
    op.create_index("ix_tournament_previous_id", "tournament", ["previous_id"], unique=True)


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_tournament_previous_id", "tournament")
    op.drop_column("tournament", "previous_id")
    op.drop_column("tournament", "season")
