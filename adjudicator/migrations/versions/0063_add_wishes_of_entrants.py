"""Add the seats that entrants of a tournament wish for. The previous release asks for none, and
seats by the pairing.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0063"
down_revision = "0061"
branch_labels = None
depends_on = None

PLAIN = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    """Add the column; nobody has wished for anything yet."""
    op.add_column(
        "tournamententry", sa.Column("wishes", PLAIN, nullable=False, server_default="[]")
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_column("tournamententry", "wishes")
