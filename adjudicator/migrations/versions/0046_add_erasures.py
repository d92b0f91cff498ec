"""Add what the worker has to take away of erased players, also of those who were erased before;
nothing opens their tenures any more.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from adjudicator.platform.db import UtcTime

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; the worker finishes the earlier erasures at its next sweep."""
    op.create_table(
        "erasure",
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("incoming", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id"),
    )
    none = "CAST('[]' AS JSONB)" if op.get_bind().dialect.name == "postgresql" else "'[]'"
    op.execute(
        f"INSERT INTO erasure (player_id, incoming, at) SELECT id, {none}, erased_at FROM player"  # noqa: S608 constants
        " WHERE erased_at IS NOT NULL"
    )
    op.execute(
        "UPDATE seat SET tenure_nonce = NULL WHERE player_id IN (SELECT id FROM player WHERE"
        " erased_at IS NOT NULL)"
    )


def downgrade() -> None:
    """Delete the table; what waits is not taken away."""
    op.drop_table("erasure")
