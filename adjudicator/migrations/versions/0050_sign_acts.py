"""Give notes of acts and votes a signature, and masters of all matches the worker's word.

Acts and votes go on without signatures in a phase that is open now, until it closes.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

_SIGNED = ("masternote", "vote")
_PLAIN = sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    """Add the columns."""
    for table in _SIGNED:
        for name in ("signer", "request_signature"):
            op.add_column(table, sa.Column(name, sa.LargeBinary(), nullable=True))
    for name in ("phase_number", "log_size"):
        op.add_column("masternote", sa.Column(name, sa.Integer(), nullable=True))
    for name in ("clock", "decides"):
        op.add_column("masternote", sa.Column(name, _PLAIN, nullable=True))
    op.add_column("masternote", sa.Column("actor", sa.String(), nullable=True))
    op.add_column("vote", sa.Column("tenure", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("player", sa.Column("appointed", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("player", "appointed")
    op.drop_column("vote", "tenure")
    for name in ("actor", "decides", "clock", "log_size", "phase_number"):
        op.drop_column("masternote", name)
    for table in _SIGNED:
        for name in ("request_signature", "signer"):
            op.drop_column(table, name)
