"""Keep what a witness refused with the checkpoint known then, and the status of a witness's last
answer.
"""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table and the column. The columns that it replaces were in no release; what they
    hold proves nothing.
    """
    op.create_table(
        "witnessdispute",
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("proven", sa.Boolean(), nullable=False),
        sa.Column("known", sa.String(), nullable=False),
        sa.Column("request", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("origin", "proven"),
    )
    op.drop_column("witnessedlog", "refused")
    op.drop_column("witnessedlog", "refused_at")
    op.add_column(
        "logwitness", sa.Column("status", sa.Integer(), nullable=False, server_default="0")
    )


def downgrade() -> None:
    """Put the columns back, empty, and drop the table."""
    op.drop_column("logwitness", "status")
    op.add_column("witnessedlog", sa.Column("refused_at", UtcTime(), nullable=True))
    op.add_column("witnessedlog", sa.Column("refused", sa.String(), nullable=True))
    op.drop_table("witnessdispute")
