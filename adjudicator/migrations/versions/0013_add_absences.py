"""Add players' absences, and the days of them that a match honours."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and the column; matches from before honour no days."""
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_absence_player_id"), "absence", ["player_id"], unique=False)
    op.create_table(
        "absenceuse",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "player_id", "phase_number", "year"),
    )
    op.create_index(op.f("ix_absenceuse_player_id"), "absenceuse", ["player_id"], unique=False)
    op.add_column(
        "match", sa.Column("absence_days", sa.Integer(), server_default="0", nullable=False)
    )


def downgrade() -> None:
    """Drop what was added."""
    op.drop_column("match", "absence_days")
    op.drop_table("absenceuse")
    op.drop_table("absence")
