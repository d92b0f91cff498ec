"""Add why a director takes back the last round, until a worker has done it.

The site may not change rounds. Processes of the previous release leave the column empty; a worker
of it takes no round back, one of this release does so later.
"""

import sqlalchemy as sa
from alembic import op

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("tournament", sa.Column("undoing", sa.String(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("tournament", "undoing")
