"""Add the public names of matches of guests that were erased."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "gonematch",
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("gone_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("uid"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("gonematch")
