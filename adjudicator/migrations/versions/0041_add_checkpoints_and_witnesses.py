"""Add the tree over the entries of all matches, its checkpoints, and what is witnessed for
others.
"""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_TABLES = (
    "publiclog",
    "logplace",
    "logtile",
    "logcheckpoint",
    "logcosignature",
    "logwitness",
    "witnessedlog",
    "witnessrequest",
)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False, autoincrement=False)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def _time(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, UtcTime(), nullable=nullable)


def _log() -> sa.Column[int]:
    return sa.Column("log", sa.Integer(), sa.ForeignKey("publiclog.number"), nullable=False)


def upgrade() -> None:
    """Create the tables; the worker begins the tree at its next start."""
    op.create_table(
        "publiclog",
        _number("number"),
        _text("origin"),
        _text("log_key"),
        _text("witness_key"),
        _bytes("signature"),
        _number("size"),
        _time("looked_from", nullable=True),
        _time("begun_at"),
        _text("cites", nullable=True),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("origin"),
    )
    op.create_table(
        "logplace",
        _log(),
        _number("position"),
        _text("hash"),
        sa.PrimaryKeyConstraint("log", "position"),
        sa.UniqueConstraint("log", "hash"),
    )
    op.create_table(
        "logtile",
        _log(),
        _number("level"),
        _number("index"),
        _bytes("hashes"),
        sa.PrimaryKeyConstraint("log", "level", "index"),
    )
    op.create_table(
        "logcheckpoint",
        _log(),
        _number("size"),
        _bytes("root"),
        _text("note"),
        _time("at"),
        sa.PrimaryKeyConstraint("log", "size"),
    )
    op.create_table(
        "logcosignature",
        _log(),
        _number("size"),
        _text("witness"),
        _text("line"),
        _time("at"),
        sa.PrimaryKeyConstraint("log", "size", "witness"),
    )
    op.create_table(
        "logwitness",
        sa.Column("id", sa.Integer(), nullable=False),
        _log(),
        _text("witness"),
        _number("size"),
        _time("next_try"),
        _number("tries"),
        _text("trouble"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("log", "witness"),
    )
    op.create_table(
        "witnessedlog",
        _text("origin"),
        sa.Column("size", sa.BigInteger(), nullable=False),
        _bytes("root"),
        _text("note"),
        _time("at"),
        _text("refused", nullable=True),
        _time("refused_at", nullable=True),
        sa.PrimaryKeyConstraint("origin"),
    )
    op.create_table(
        "witnessrequest",
        _text("uid"),
        _bytes("body"),
        _time("made_at"),
        sa.Column("answered", sa.Boolean(), nullable=False),
        _number("status"),
        _text("answer"),
        sa.PrimaryKeyConstraint("uid"),
    )
    op.create_index("ix_witnessrequest_answered", "witnessrequest", ["answered"])
    op.create_index("ix_logentry_at", "logentry", ["at"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_logentry_at", "logentry")
    for name in reversed(_TABLES):
        op.drop_table(name)
