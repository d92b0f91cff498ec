"""Add proposals and votes, who decides on more time, and seats that conceded."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from adjudicator.platform.db import UtcTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and columns; in matches from before the master alone decides on more time."""
    op.create_table(
        "proposal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("target", UtcTime(), nullable=True),
        sa.Column("was", UtcTime(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("until", UtcTime(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    where = sa.text("outcome IS NULL")
    op.create_index("ix_proposal_match_id", "proposal", ["match_id"], unique=False)
    op.create_index(
        "ix_proposal_open",
        "proposal",
        ["match_id", "kind"],
        unique=True,
        sqlite_where=where,
        postgresql_where=where,
    )
    op.create_table(
        "vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("proposal_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("yes", sa.Boolean(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["proposal_id"], ["proposal.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("proposal_id", "seat"),
    )
    op.add_column(
        "match", sa.Column("vote_rule", sa.String(), nullable=False, server_default="none")
    )
    op.add_column("match", sa.Column("extension_seconds", sa.Integer(), nullable=True))
    op.add_column("match", sa.Column("stop_note", sa.String(), nullable=False, server_default=""))
    op.add_column(
        "match",
        sa.Column(
            "conceded", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
    )


def downgrade() -> None:
    """Drop the columns and tables."""
    for column in ("conceded", "stop_note", "extension_seconds", "vote_rule"):
        op.drop_column("match", column)
    op.drop_table("vote")
    op.drop_index("ix_proposal_open", "proposal")
    op.drop_index("ix_proposal_match_id", "proposal")
    op.drop_table("proposal")
