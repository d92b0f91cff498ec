"""Add private matches, links, waiting lists, musters, expiry, rule sheets and the next match of the
same people.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from adjudicator.platform.db import UtcTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

INDEXES = (
    ("ix_match_muster", "muster_until", "status = 'open' AND muster_seconds IS NOT NULL"),
    ("ix_match_expires", "expires_at", "status = 'open' AND expires_at IS NOT NULL"),
)


def upgrade() -> None:
    """Add the columns, the table and the indexes; matches from before are public, begin without a
    muster and never expire.
    """
    op.add_column(
        "match", sa.Column("private", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("match", sa.Column("watch_token", sa.String(), nullable=True))
    op.add_column("match", sa.Column("join_token", sa.String(), nullable=True))
    op.add_column(
        "match",
        sa.Column(
            "published_by", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
    )
    op.create_index("ix_match_watch_token", "match", ["watch_token"], unique=True)
    op.create_index("ix_match_join_token", "match", ["join_token"], unique=True)
    op.create_table(
        "queueentry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "player_id"),
    )
    op.create_index("ix_queueentry_player_id", "queueentry", ["player_id"], unique=False)
    op.add_column("match", sa.Column("muster_seconds", sa.Integer(), nullable=True))
    op.add_column("match", sa.Column("muster_until", UtcTime(), nullable=True))
    op.add_column("match", sa.Column("expire_days", sa.Integer(), nullable=True))
    op.add_column("match", sa.Column("expires_at", UtcTime(), nullable=True))
    op.add_column("seat", sa.Column("confirmed_at", UtcTime(), nullable=True))
    for name, column, condition in INDEXES:
        where = sa.text(condition)
        op.create_index(
            name, "match", [column], unique=False, sqlite_where=where, postgresql_where=where
        )
    op.add_column("match", sa.Column("sheet", sa.String(), nullable=True))
    op.add_column("match", sa.Column("again_uid", sa.String(), nullable=True))
    op.add_column(
        "seat", sa.Column("kept_secretly", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_column("seat", "kept_secretly")
    op.drop_column("match", "again_uid")
    op.drop_column("match", "sheet")
    for name, _, _ in reversed(INDEXES):
        op.drop_index(name, "match")
    op.drop_column("seat", "confirmed_at")
    for column in ("expires_at", "expire_days", "muster_until", "muster_seconds"):
        op.drop_column("match", column)
    op.drop_index("ix_queueentry_player_id", "queueentry")
    op.drop_table("queueentry")
    op.drop_index("ix_match_join_token", "match")
    op.drop_index("ix_match_watch_token", "match")
    for column in ("published_by", "join_token", "watch_token", "private"):
        op.drop_column("match", column)
