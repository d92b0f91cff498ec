"""Add the forms that made something, so that one sent again makes nothing twice."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0060"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "sentform",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_index("ix_sentform_at", "sentform", ["at"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_sentform_at", "sentform")
    op.drop_table("sentform")
