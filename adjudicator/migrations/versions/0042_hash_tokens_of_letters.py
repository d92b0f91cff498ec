"""Store tokens of letters as hashes: the worker computes them, and those in letters from before
work by their hash.

The tokens themselves stay for processes of the previous release; the worker empties them
(`earlier_tokens.forget_tokens`).
"""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

_COUNTS = {
    "seat": ("invitation_n", "invitation_spent", "token_n"),
    "formertenure": ("token_n",),
    "masteraddress": ("token_n",),
}
_HASHES = {  # with a unique index each
    "link": ("uid",),
    "confirmation": ("uid",),
    "offer": ("uid",),
    "letter": ("return_hash",),
    "seat": ("token_hash", "earlier_hash"),
    "masteraddress": ("token_hash", "earlier_hash"),
    "stranger": ("token_hash", "earlier_hash"),
    "player": ("stop_hash", "earlier_stop_hash"),
}
_SPENT = ("link", "offer")
_TOKENS = (
    ("seat", "token", "earlier_hash"),
    ("masteraddress", "token", "earlier_hash"),
    ("stranger", "token", "earlier_hash"),
)
_STOPS = ("player", "stop_token", "earlier_stop_hash")


def upgrade() -> None:
    """Add the columns and hash what is there."""
    for table, names in _COUNTS.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    for table in _SPENT:
        op.add_column(table, sa.Column("spent_at", sa.DateTime(timezone=True), nullable=True))
    for table, names in _HASHES.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.String(), nullable=True))
    op.add_column("formertenure", sa.Column("earlier_hash", sa.String(), nullable=True))
    for table, token, hashed in (*_TOKENS, _STOPS):
        _hash(table, token, hashed)
    for table, token, _ in _TOKENS:
        with op.batch_alter_table(table) as batch:
            batch.alter_column(token, existing_type=sa.String(), nullable=True)
    for table, names in _HASHES.items():
        for name in names:
            op.create_index(f"ix_{table}_{name}", table, [name], unique=True)
    op.create_index("ix_formertenure_earlier_hash", "formertenure", ["earlier_hash"])


def _hash(table: str, token: str, hashed: str) -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        driver = connection.connection.dbapi_connection
        driver.create_function(  # type: ignore[union-attr]
            "hash_token", 1, lambda text: hashlib.sha256(text.encode()).hexdigest()
        )
        digest = f"hash_token({token})"
    else:
        digest = f"encode(sha256(convert_to({token}, 'UTF8')), 'hex')"
    connection.exec_driver_sql(f"UPDATE {table} SET {hashed} = {digest} WHERE {token} IS NOT NULL")  # noqa: S608 names from above


def downgrade() -> None:
    """Drop the columns; where no token of the release before is left, a placeholder that no address
    can have takes its place.
    """
    connection = op.get_bind()
    for table, token, _ in _TOKENS:
        connection.exec_driver_sql(
            f"UPDATE {table} SET {token} = 'gone ' || {_row(table)} WHERE {token} IS NULL"  # noqa: S608 as above
        )
        with op.batch_alter_table(table) as batch:
            batch.alter_column(token, existing_type=sa.String(), nullable=False)
    op.drop_index("ix_formertenure_earlier_hash", "formertenure")
    op.drop_column("formertenure", "earlier_hash")
    for table, names in _HASHES.items():
        for name in names:
            op.drop_index(f"ix_{table}_{name}", table)
            op.drop_column(table, name)
    for table in _SPENT:
        op.drop_column(table, "spent_at")
    for table, names in _COUNTS.items():
        for name in names:
            op.drop_column(table, name)


def _row(table: str) -> str:
    return "address_hash" if table == "stranger" else f"CAST({table}.id AS VARCHAR)"
