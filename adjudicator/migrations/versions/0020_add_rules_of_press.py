"""Add the rules of a match's press, what players do not want to read, and what they report."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_RULES = ("press_rulebook", "press_opened", "press_overseen")


def upgrade() -> None:
    """Add the columns, false for all matches from before, and the tables."""
    for name in _RULES:
        op.add_column(
            "match", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.create_table(
        "mute",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "player_id", "seat"),
    )
    op.create_table(
        "pressreport",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("note_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["note_id"], ["pressnote.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("note_id", "seat"),
    )
    op.create_index("ix_pressreport_match_id", "pressreport", ["match_id"])


def downgrade() -> None:
    """Drop the tables and the columns."""
    op.drop_table("pressreport")
    op.drop_table("mute")
    for name in _RULES:
        op.drop_column("match", name)
