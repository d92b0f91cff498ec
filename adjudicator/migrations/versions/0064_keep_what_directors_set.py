"""Keep what directors set for entrants, for rounds and for the next pairing.

Processes of the previous release leave the columns empty and do not read them.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0064"
down_revision = "0063"
branch_labels = None
depends_on = None

PLAIN = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
_COLUMNS = (
    ("tournament", "directed"),
    ("tournamententry", "granted"),
    ("tournamentround", "given"),
)


def upgrade() -> None:
    """Add the columns."""
    for table, column in _COLUMNS:
        op.add_column(table, sa.Column(column, PLAIN, nullable=True))


def downgrade() -> None:
    """Drop them."""
    for table, column in _COLUMNS:
        op.drop_column(table, column)
