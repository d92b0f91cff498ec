"""Add whether players enter a tournament between its rounds, and the first round that each entrant
can be paired for.
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; nobody has entered late."""
    op.add_column("tournament", sa.Column("late", sa.String(), nullable=False, server_default="no"))
    op.add_column(
        "tournamententry",
        sa.Column("first_round", sa.Integer(), nullable=False, server_default="1"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_column("tournamententry", "first_round")
    op.drop_column("tournament", "late")
