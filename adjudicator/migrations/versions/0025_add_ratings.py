"""Add rated matches, places and ratings; matches from before are not rated."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_WAITS = sa.text("rated IS TRUE AND counted_at IS NULL AND ended_at IS NOT NULL")


def upgrade() -> None:
    """Add the tables, and whether a match is rated: none from before is."""
    op.create_table(
        "ladder",
        sa.Column("game", sa.String(), primary_key=True),
        sa.Column("matches", sa.Integer(), nullable=False),
    )
    op.create_table(
        "ratedplace",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.UniqueConstraint("match_id", "player_id"),
    )
    op.create_index("ix_ratedplace_order", "ratedplace", ["game", "ended_at", "match_id"])
    op.create_index(
        "ix_ratedplace_player", "ratedplace", ["player_id", "game", "ended_at", "match_id"]
    )
    op.create_table(
        "playerrating",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.UniqueConstraint("player_id", "game"),
    )
    op.create_index("ix_playerrating_ladder", "playerrating", ["game", "points", "player_id"])
    op.add_column(
        "match", sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("match", sa.Column("counted_at", UtcTime(), nullable=True))
    op.create_index(
        "ix_match_uncounted",
        "match",
        ["ended_at", "id"],
        sqlite_where=_WAITS,
        postgresql_where=_WAITS,
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_match_uncounted", table_name="match")
    op.drop_column("match", "counted_at")
    op.drop_column("match", "rated")
    for table in ("playerrating", "ratedplace", "ladder"):
        op.drop_table(table)
