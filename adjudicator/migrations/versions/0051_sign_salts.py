"""Give salts a signature. Those that wait go on without, in the phase after the one that is open
now.
"""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("salt", sa.Column("phase_number", sa.Integer(), nullable=True))
    op.add_column("salt", sa.Column("seat", sa.String(), nullable=False, server_default=""))
    op.add_column("salt", sa.Column("tenure", sa.Integer(), nullable=False, server_default="1"))
    for name in ("signer", "request_signature"):
        op.add_column("salt", sa.Column(name, sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    """Drop them, and the salts: their boxes hold more than a text."""
    op.execute(sa.delete(sa.table("salt")))
    for name in ("request_signature", "signer", "tenure", "seat", "phase_number"):
        op.drop_column("salt", name)
