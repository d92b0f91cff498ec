"""Add what a restore from a backup writes: whether a match tells of it, its former chains, and
where numbers go on.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from adjudicator.platform.db import UtcTime

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; nothing was restored so far."""
    with op.batch_alter_table("match") as table:
        table.add_column(sa.Column("restored_in", sa.Integer(), nullable=True))
        table.add_column(sa.Column("seq_from", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(
            sa.Column("former_chains", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=True)
        )
    with op.batch_alter_table("publiclog") as table:
        table.add_column(sa.Column("lost_since", UtcTime(), nullable=True))
        table.add_column(sa.Column("done_at", UtcTime(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("publiclog") as table:
        table.drop_column("done_at")
        table.drop_column("lost_since")
    for name in ("former_chains", "seq_from", "restored_in"):
        # not in a batch: it would drop and recreate a table that others refer to
        op.drop_column("match", name)
