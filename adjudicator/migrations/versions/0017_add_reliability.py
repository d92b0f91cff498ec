"""Add who played which phases, and what a match asks of those who join it."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the columns; matches from before ask for nothing."""
    op.create_table(
        "attendance",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("played", sa.Boolean(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "phase_number", "seat"),
    )
    op.create_index("ix_attendance_player", "attendance", ["player_id", "at"], unique=False)
    op.add_column(
        "match", sa.Column("least_reliability", sa.Integer(), server_default="0", nullable=False)
    )
    op.add_column(
        "match", sa.Column("beginners", sa.Boolean(), server_default=sa.true(), nullable=False)
    )
    op.add_column(
        "phase", sa.Column("stuck", sa.Boolean(), server_default=sa.false(), nullable=False)
    )


def downgrade() -> None:
    """Drop what was added."""
    op.drop_column("phase", "stuck")
    op.drop_column("match", "beginners")
    op.drop_column("match", "least_reliability")
    op.drop_table("attendance")
