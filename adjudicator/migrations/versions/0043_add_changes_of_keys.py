"""Add what a rotation of the worker's keys writes: records signed by both, and the key in force in
each match's log.
"""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; all keys are the first ones."""
    with op.batch_alter_table("workerkeys") as table:
        table.add_column(sa.Column("former", sa.String(), nullable=True))
        table.add_column(sa.Column("signed_by_former", sa.LargeBinary(), nullable=True))
        table.add_column(sa.Column("signed", sa.LargeBinary(), nullable=True))
        table.add_column(sa.Column("done_at", UtcTime(), nullable=True))
    with op.batch_alter_table("match") as table:
        table.add_column(sa.Column("log_key", sa.String(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("match", "log_key")
    with op.batch_alter_table("workerkeys") as table:
        for name in ("done_at", "signed", "signed_by_former", "former"):
            table.drop_column(name)
