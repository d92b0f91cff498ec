"""Add tournaments with their directors, entries, rounds, tables and notes, and the table that a
match is played at.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from adjudicator.platform.db import UtcTime

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

PLAIN = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
PARTS = (
    "tournamentnote",
    "tournamenttable",
    "tournamentround",
    "tournamententry",
    "tournamentdirector",
)


def upgrade() -> None:
    """Add the tables and the column; no match from before is played at a table."""
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("uid", "name", "game", "format")
        ),
        sa.Column("policies", PLAIN, nullable=False),
        sa.Column("scoring", sa.String(), nullable=False),
        sa.Column("tie_breaks", PLAIN, nullable=False),
        sa.Column("legs", sa.Integer(), nullable=False),
        sa.Column("wish", PLAIN, nullable=False),
        sa.Column("round_days", sa.Integer(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("closes_at", UtcTime(), nullable=True),
        sa.Column("wrapped_chains", sa.LargeBinary(), nullable=True),
        sa.Column("anchors", PLAIN, nullable=True),
        sa.Column("opened_chains", PLAIN, nullable=True),
        sa.Column("made_at", UtcTime(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=True),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("ix_tournament_due", "tournament", ["status", "closes_at"], unique=False)
    _create_people()
    _create_rounds()
    _create_part(
        "tournamentnote", sa.Column("at", UtcTime(), nullable=False), *_words("who", "what")
    )
    op.create_index(
        "ix_tournamentnote_tournament_id", "tournamentnote", ["tournament_id"], unique=False
    )
    op.add_column("match", sa.Column("table_id", sa.Integer(), nullable=True))
    op.create_index("ix_match_table_id", "match", ["table_id"], unique=False)


def _create_people() -> None:
    entry: tuple[sa.schema.SchemaItem, ...] = (
        _number("number"),
        sa.Column("entered_at", UtcTime(), nullable=False),
        sa.Column("left_at", UtcTime(), nullable=True),
        sa.UniqueConstraint("tournament_id", "number"),
    )
    for table, items in {"tournamentdirector": (), "tournamententry": entry}.items():
        of_player = sa.ForeignKeyConstraint(["player_id"], ["player.id"])
        _create_part(
            table,
            _number("player_id"),
            *items,
            of_player,
            sa.UniqueConstraint("tournament_id", "player_id"),
        )
        op.create_index(f"ix_{table}_player_id", table, ["player_id"], unique=False)


def _create_rounds() -> None:
    _create_part(
        "tournamentround",
        _number("number"),
        sa.Column("drawn", PLAIN, nullable=False),
        _number("turn"),
        sa.Column("sitting_out", PLAIN, nullable=False),
        *_words("element"),
        _number("pairing_version"),
        sa.Column("paired_at", UtcTime(), nullable=False),
        sa.UniqueConstraint("tournament_id", "number"),
    )
    _create_part(
        "tournamenttable",
        _number("round_number"),
        _number("number"),
        sa.Column("entrants", PLAIN, nullable=False),
        sa.Column("points", PLAIN, nullable=True),
        sa.Column("scored_at", UtcTime(), nullable=True),
        sa.Column("corrected_by", sa.Integer(), nullable=True),
        *_words("corrected_why"),
        sa.ForeignKeyConstraint(["corrected_by"], ["player.id"]),
        sa.UniqueConstraint("tournament_id", "round_number", "number"),
    )
    where = sa.text("scored_at IS NULL")
    columns = ["tournament_id"]
    op.create_index(
        "ix_tournamenttable_open",
        "tournamenttable",
        columns,
        unique=False,
        sqlite_where=where,
        postgresql_where=where,
    )


def _create_part(name: str, *items: sa.schema.SchemaItem) -> None:
    """Create a table whose rows belong to a tournament."""
    key = (
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
    )
    op.create_table(
        name,
        *key,
        *items,
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("id"),
    )


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _words(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.String(), nullable=False) for name in names]


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_match_table_id", "match")
    op.drop_column("match", "table_id")
    for table in (*PARTS, "tournament"):
        op.drop_table(table)
