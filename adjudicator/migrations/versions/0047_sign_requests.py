"""Give sessions keys, and the rows that they write signatures; what was stored before goes on
without.

A session from before shows pages, and asks for one new sign-in at its first submission. A phase
that is open now takes requests without signatures, as processes of the previous release write them,
until it closes.
"""

from collections.abc import Mapping

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

_TIMES = {"signedin": ("used_at", "ended_at")}
_BYTES = {
    "signedin": ("public", "box", "proof"),
    "link": ("signer", "request_signature"),
    "receipt": ("signer", "request_signature"),
    "envelope": ("proof",),
    "seat": ("tenure_proof",),
    "formertenure": ("tenure_proof",),
}
_TEXTS = {
    "signedin": ("who", "scopes"),
    "receipt": ("says", "letter", "rejected"),
    "seat": ("tenure_who",),
}
_UNSIGNED, _WAITING = "signature IS NULL", "signature IS NULL AND rejected IS NULL"
_BOX = "box IS NOT NULL"


def _each(columns: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(table, name) for table, names in columns.items() for name in names]


def upgrade() -> None:
    """Add the columns."""
    for table, name in _each(_TIMES):
        op.add_column(table, sa.Column(name, UtcTime(), nullable=True))
    for table, name in _each(_BYTES):
        op.add_column(table, sa.Column(name, sa.LargeBinary(), nullable=True))
    for table, name in _each(_TEXTS):
        op.add_column(table, sa.Column(name, sa.String(), nullable=True))
    op.add_column("receipt", sa.Column("complete", sa.Boolean(), nullable=True))
    op.create_index("ix_signedin_public", "signedin", ["public"], unique=True)
    op.create_index(
        "ix_signedin_waiting",
        "signedin",
        ["public"],
        sqlite_where=sa.text(_BOX),
        postgresql_where=sa.text(_BOX),
    )
    op.drop_index("ix_receipt_unsigned", "receipt")
    op.create_index(
        "ix_receipt_waiting",
        "receipt",
        ["match_id", "id"],
        sqlite_where=sa.text(_WAITING),
        postgresql_where=sa.text(_WAITING),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_receipt_waiting", "receipt")
    op.create_index(
        "ix_receipt_unsigned",
        "receipt",
        ["id"],
        sqlite_where=sa.text(_UNSIGNED),
        postgresql_where=sa.text(_UNSIGNED),
    )
    for name in ("ix_signedin_waiting", "ix_signedin_public"):
        op.drop_index(name, "signedin")
    op.drop_column("receipt", "complete")
    for table, name in (*_each(_TIMES), *_each(_BYTES), *_each(_TEXTS)):
        op.drop_column(table, name)
