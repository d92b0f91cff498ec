"""Add up to when each player has read the conversations of a match; what was written before counts
as read.
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

_READ_BEFORE = """
    INSERT INTO pressread (match_id, player_id, thread, until)
    SELECT match_id, player_id, '*', max(at) FROM (
        SELECT pressnote.match_id AS match_id, seat.player_id AS player_id, pressnote.at AS at
        FROM pressnote JOIN seat ON seat.match_id = pressnote.match_id WHERE seat.player_id IS NOT NULL
        UNION
        SELECT pressnote.match_id, "match".master_id, pressnote.at FROM pressnote JOIN "match" ON "match".id = pressnote.match_id
    ) AS readers GROUP BY match_id, player_id
"""


def upgrade() -> None:
    """Create the table and fill it."""
    op.create_table(
        "pressread",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "player_id", "thread"),
    )
    op.create_index(op.f("ix_pressread_player_id"), "pressread", ["player_id"])
    op.execute(_READ_BEFORE)


def downgrade() -> None:
    """Drop it."""
    op.drop_table("pressread")
