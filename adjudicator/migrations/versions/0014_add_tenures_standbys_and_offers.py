"""Add tenures of seats, standbys and offers, and how many missed phases open a seat."""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_OF_TENURES = ("seat", "envelope", "receipt", "letter", "readingnote")
_SEAT_MOMENTS = ("open_since", "next_ask_at", "returns_at")
_SEAT_INDEXES = (
    ("ix_seat_next_ask", "next_ask_at", "next_ask_at"),
    ("ix_seat_returns", "returns_at", "returns_at"),
)


def upgrade() -> None:
    """Add columns and tables; in matches from before no seat opens by itself, and every seat is in
    its first tenure.
    """
    op.add_column("match", sa.Column("misses", sa.Integer(), nullable=False, server_default="0"))
    op.add_column(
        "match", sa.Column("first_miss", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column(
        "match", sa.Column("deserted", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    for table in _OF_TENURES:
        op.add_column(table, sa.Column("tenure", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("incoming", sa.Column("tenure", sa.Integer(), nullable=True))
    op.add_column("seat", sa.Column("misses", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seat", sa.Column("owner_id", sa.Integer(), nullable=True))
    for column in _SEAT_MOMENTS:
        op.add_column("seat", sa.Column(column, UtcTime(), nullable=True))
    for name, column, moment in (*_SEAT_INDEXES, ("ix_seat_open", "match_id", "open_since")):
        where = sa.text(f"{moment} IS NOT NULL")
        op.create_index(
            name, "seat", [column], unique=False, sqlite_where=where, postgresql_where=where
        )
    _create_former_tenures()
    _create_standbys()
    _create_offers()


def _create_former_tenures() -> None:
    op.create_table(
        "formertenure",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("since", UtcTime(), nullable=True),
        sa.Column("until", UtcTime(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("seat_id", "number"),
    )
    for column in ("match_id", "player_id", "token_hash"):
        op.create_index(f"ix_formertenure_{column}", "formertenure", [column], unique=False)


def _create_standbys() -> None:
    op.create_table(
        "standby",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("game", sa.String(), nullable=True),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("player_id", "match_id"),
        sa.UniqueConstraint("player_id", "game"),
    )
    for column in ("match_id", "game"):
        op.create_index(f"ix_standby_{column}", "standby", [column], unique=False)


def _create_offers() -> None:
    op.create_table(
        "offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("asker_id", sa.Integer(), nullable=True),
        sa.Column("returns_at", UtcTime(), nullable=True),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.Column("answered_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    for column in ("match_id", "seat_id", "address"):
        op.create_index(f"ix_offer_{column}", "offer", [column], unique=False)


def downgrade() -> None:
    """Drop the tables, indexes and columns."""
    for table in ("offer", "standby", "formertenure"):
        op.drop_table(table)
    for name in ("ix_seat_open", "ix_seat_returns", "ix_seat_next_ask"):
        op.drop_index(name, "seat")
    for column in ("misses", "owner_id", *_SEAT_MOMENTS):
        op.drop_column("seat", column)
    op.drop_column("incoming", "tenure")
    for table in _OF_TENURES:
        op.drop_column(table, "tenure")
    for column in ("misses", "first_miss", "deserted"):
        op.drop_column("match", column)
