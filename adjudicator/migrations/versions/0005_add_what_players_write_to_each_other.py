"""Add what players write to each other."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of press."""
    op.create_table(
        "pressnote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column(
            "readers", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("pressnote", schema=None) as batch_op:
        batch_op.create_index("ix_pressnote_match", ["match_id", "id"], unique=False)


def downgrade() -> None:
    """Drop the table."""
    with op.batch_alter_table("pressnote", schema=None) as batch_op:
        batch_op.drop_index("ix_pressnote_match")

    op.drop_table("pressnote")
