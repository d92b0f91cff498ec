"""Add how urgent a letter is, and the index of the queue of letters in this order."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_ASKED_FOR = "kind IN ('signin', 'confirm') OR receipt_id IS NOT NULL OR incoming_id IS NOT NULL"


def upgrade() -> None:
    """Add the column and the index; waiting and held letters get their urgency."""
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.add_column(sa.Column("urgency", sa.Integer(), nullable=False, server_default="1"))
        batch_op.create_index(
            "ix_letter_queue", ["state", "urgency", "next_try", "id"], unique=False
        )
    op.execute(
        f"UPDATE letter SET urgency = 0 WHERE state IN ('waiting', 'held') AND ({_ASKED_FOR})"  # noqa: S608 our own words
    )
    op.execute(
        "UPDATE letter SET urgency = 2 WHERE state IN ('waiting', 'held') AND kind = 'report'"
    )


def downgrade() -> None:
    """Drop the index and the column."""
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index("ix_letter_queue")
        batch_op.drop_column("urgency")
