"""Add who asked for a sign-in link."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the hash of the requester to sign-in links."""
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.add_column(sa.Column("requester_hash", sa.String(), nullable=True))


def downgrade() -> None:
    """Drop the column."""
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.drop_column("requester_hash")
