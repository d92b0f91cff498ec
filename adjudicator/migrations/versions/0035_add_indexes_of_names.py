"""Add indexes by which people find matches: lists of one game, and the beginnings of names."""

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

NAMED = ("match", "player", "tournament")


def upgrade() -> None:
    """Add them."""
    op.create_index("ix_match_of_game", "match", ["status", "game", "with_people", "id"])
    for table in NAMED:
        op.create_index(
            f"ix_{table}_begins", table, ["name"], postgresql_ops={"name": "text_pattern_ops"}
        )


def downgrade() -> None:
    """Drop them."""
    for table in NAMED:
        op.drop_index(f"ix_{table}_begins", table)
    op.drop_index("ix_match_of_game", "match")
