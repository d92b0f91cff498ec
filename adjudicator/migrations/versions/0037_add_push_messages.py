"""Add the browsers that players are told on by push, the messages that wait for them, and the
worker's public key for it.
"""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add tables and column; the worker publishes its key at its next start."""
    op.add_column("workerkeys", sa.Column("push_key", sa.LargeBinary(), nullable=True))
    op.create_table(
        "pushbrowser",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("next_try", UtcTime(), nullable=True),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("address"),
    )
    op.create_index("ix_pushbrowser_player_id", "pushbrowser", ["player_id"])
    op.create_table(
        "pushmessage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("browser_id", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.Column("next_try", UtcTime(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["browser_id"], ["pushbrowser.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_pushmessage_browser_id", "pushmessage", ["browser_id"])
    op.create_index("ix_pushmessage_next_try", "pushmessage", ["next_try"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("pushmessage")
    op.drop_table("pushbrowser")
    op.drop_column("workerkeys", "push_key")
