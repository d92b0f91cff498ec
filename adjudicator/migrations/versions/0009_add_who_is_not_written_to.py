"""Add unconfirmed addresses that refuse letters, and blocked addresses."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

INVITATIONS = sa.text("kind = 'invitation'")


def upgrade() -> None:
    """Create the tables of unconfirmed and of blocked addresses, and an index of invitations."""
    op.create_table(
        "stranger",
        sa.Column("address_hash", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("never_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("address_hash"),
        sa.UniqueConstraint("token"),
    )
    op.create_table(
        "blocked",
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("what"),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(
            "ix_letter_invitations",
            ["made_at"],
            unique=False,
            sqlite_where=INVITATIONS,
            postgresql_where=INVITATIONS,
        )


def downgrade() -> None:
    """Drop the index and the tables."""
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_letter_invitations", sqlite_where=INVITATIONS, postgresql_where=INVITATIONS
        )

    op.drop_table("blocked")
    op.drop_table("stranger")
