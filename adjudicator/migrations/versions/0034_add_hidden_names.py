"""Add whether onlookers read the seat's name in place of a player's."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; everybody's name is shown as before."""
    op.add_column(
        "player", sa.Column("name_hidden", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_column("player", "name_hidden")
