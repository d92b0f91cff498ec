"""Add the public logs of matches, the chains of receipts, and what the worker keeps for them."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from adjudicator.platform.db import UtcTime

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

_COLUMNS = {
    "match": ("log_size", "log_hash"),
    "tournament": ("sealing",),
    "seat": ("tenure_nonce",),
    "masternote": ("log_as",),
    "phase": ("key_signature", "kept_openings"),
    "receipt": ("number", "prev", "head"),
}


def _column(name: str) -> sa.Column[Any]:
    if name in ("log_size", "sealing"):
        return sa.Column(name, sa.Integer(), nullable=False, server_default="0")
    if name == "number":
        return sa.Column(name, sa.Integer(), nullable=True)
    return sa.Column(
        name, sa.LargeBinary() if name in _COLUMNS["phase"] else sa.String(), nullable=True
    )


def upgrade() -> None:
    """Create the table of entries and the columns."""
    op.create_table(
        "logentry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("prev", sa.String(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("body", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("sig", sa.LargeBinary(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "index"),
    )
    for table, names in _COLUMNS.items():
        for name in names:
            op.add_column(table, _column(name))
    waits = sa.text("log_as IS NOT NULL")
    op.create_index(
        "ix_masternote_unlogged",
        "masternote",
        ["match_id"],
        sqlite_where=waits,
        postgresql_where=waits,
    )


def downgrade() -> None:
    """Drop them; old matches go on without a log."""
    op.drop_index("ix_masternote_unlogged", "masternote")
    for table, names in _COLUMNS.items():
        for name in names:
            op.drop_column(table, name)
    op.drop_table("logentry")
