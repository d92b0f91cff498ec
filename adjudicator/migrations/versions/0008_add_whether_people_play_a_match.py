"""Add whether a player with a confirmed address plays a match, for lists, with its index."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# A guest's match against house bots; an anonymous match keeps the default, which reveals nothing.
GUESTS = """
UPDATE match SET with_people = false WHERE NOT EXISTS (
    SELECT 1 FROM seat JOIN player ON player.id = seat.player_id
    WHERE seat.match_id = match.id AND player.house = false AND player.address IS NOT NULL
)
"""
ANONYMOUS = {
    "postgresql": " AND coalesce(options ->> 'anonymous', 'false') <> 'true'",
    "sqlite": " AND coalesce(json_extract(options, '$.anonymous'), 0) <> 1",
}


def upgrade() -> None:
    """Add the column, false for existing matches of guests alone, and its index."""
    op.add_column(
        "match", sa.Column("with_people", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.execute(GUESTS + ANONYMOUS[op.get_bind().dialect.name])
    op.create_index("ix_match_lists", "match", ["status", "with_people", "id"])


def downgrade() -> None:
    """Drop the index and the column."""
    op.drop_index("ix_match_lists", "match")
    op.drop_column("match", "with_people")
