"""Erase the PNGs of letters: workers keep them in memory now. The table stays, as workers of the
release before still use it.
"""

from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Erase them; a worker of the release before draws again what it misses."""
    op.execute("DELETE FROM picture")


def downgrade() -> None:
    """Do nothing: a missing picture is drawn again."""
