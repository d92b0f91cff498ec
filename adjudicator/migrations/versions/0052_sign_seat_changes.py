"""Add the requests by which seats change hands, and what substitutes were asked for.

Seats go on changing hands without requests in a phase that is open now, until it closes.
"""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "seatrequest",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("until", UtcTime(), nullable=True),
        sa.Column("offer", sa.String(), nullable=True),
        sa.Column("who", sa.String(), nullable=True),
        sa.Column("whom", sa.String(), nullable=True),
        sa.Column("signer", sa.LargeBinary(), nullable=True),
        sa.Column("request_signature", sa.LargeBinary(), nullable=True),
        sa.Column("box", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_seatrequest_match_id", "seatrequest", ["match_id"])
    unseen = sa.text("signer IS NOT NULL OR box IS NOT NULL")
    op.create_index(
        "ix_seatrequest_unseen",
        "seatrequest",
        ["match_id"],
        sqlite_where=unseen,
        postgresql_where=unseen,
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_seatrequest_unseen", "seatrequest")
    op.drop_index("ix_seatrequest_match_id", "seatrequest")
    op.drop_table("seatrequest")
