"""Keep of each phase how much time pauses gave it beyond their own length; those of before count as
nothing.
"""

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column(
        "phase", sa.Column("pause_capped", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column(
        "phase", sa.Column("pause_gain_seconds", sa.Integer(), nullable=False, server_default="0")
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_column("phase", "pause_gain_seconds")
    op.drop_column("phase", "pause_capped")
