"""Index the letters of a receipt and of a match, by which the rows of a match are erased; unname
tables of who hides the own name.
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_INDEXES = (
    ("ix_letter_receipt", "letter", "receipt_id"),
    ("ix_incoming_of_match", "incoming", "match_id"),
)

_UNNAME = """
    UPDATE "match" SET name = 'Somebody’s table', version = version + 1, shown = shown + 1
    WHERE EXISTS (
        SELECT 1 FROM player WHERE player.id = "match".master_id AND player.name_hidden AND "match".name = player.name || '’s table'
    )
"""


def upgrade() -> None:
    """Create both indexes, and name the tables."""
    op.execute(_UNNAME)
    for name, table, column in _INDEXES:
        there = sa.text(f"{column} IS NOT NULL")
        op.create_index(name, table, [column], sqlite_where=there, postgresql_where=there)


def downgrade() -> None:
    """Drop the indexes; the names stay."""
    for name, table, _ in _INDEXES:
        op.drop_index(name, table)
