"""Add the marks of running sites, for which closings wait.

Sites of the previous release have none, so closings do not wait for them.
"""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "sitemark",
        sa.Column("site", sa.String(), nullable=False),
        sa.Column("answered_until", UtcTime(), nullable=False),
        sa.Column("told_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("site"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("sitemark")
