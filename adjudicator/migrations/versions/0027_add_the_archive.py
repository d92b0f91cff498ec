"""Add the archive: narrow rows of ended public matches, and the figures of statistics. The next
sweeps fill in the matches from before.
"""

import sqlalchemy as sa
from alembic import op

from adjudicator.platform.db import UtcTime

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_TOLD = ["game", "result", "winner", "people", "tournament_id"]


def upgrade() -> None:
    """Add the tables and the columns; every match counts as not looked at yet, and as played
    here.
    """
    op.add_column(
        "match", sa.Column("archived", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column(
        "match", sa.Column("imported", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("seat", sa.Column("named", sa.String(), nullable=True))
    op.create_index(
        "ix_match_to_archive", "match", ["archived", "status", "private", "ended_at"], unique=False
    )
    op.create_index("ix_player_name", "player", ["name"], unique=False)
    _create_matches()
    _create_seats()
    _create_figures()


def _create_matches() -> None:
    op.create_table(
        "archivedmatch",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("ended_at", UtcTime(), nullable=False),
        sa.Column("phases", sa.Integer(), nullable=False),
        sa.Column("result", sa.String(), nullable=False),
        sa.Column("winner", sa.String(), nullable=True),
        sa.Column("people", sa.Boolean(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=True),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.Column("lot", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("match_id"),
    )
    op.create_index(
        "ix_archivedmatch_newest",
        "archivedmatch",
        ["ended_at", "match_id", "phases", *_TOLD],
        unique=False,
    )
    op.create_index(
        "ix_archivedmatch_longest",
        "archivedmatch",
        ["phases", "match_id", "ended_at", *_TOLD],
        unique=False,
    )
    op.create_index(
        "ix_archivedmatch_lot", "archivedmatch", ["lot", "game", "match_id"], unique=False
    )
    op.create_index(
        "ix_archivedmatch_tournament", "archivedmatch", ["tournament_id", "ended_at"], unique=False
    )


def _create_seats() -> None:
    op.create_table(
        "archivedseat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("named", sa.String(), nullable=True),
        sa.Column("opening", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["archivedmatch.match_id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "seat"),
    )
    for column, name in (("player_id", "player"), ("named", "named"), ("opening", "opening")):
        where = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            f"ix_archivedseat_{name}",
            "archivedseat",
            [column, "match_id"],
            unique=False,
            sqlite_where=where,
            postgresql_where=where,
        )


def _create_figures() -> None:
    op.create_table(
        "archivetally",
        sa.Column("id", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("game", "kind", "label")),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("number", "matches", "won", "shared", "total")
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("game", "kind", "label", "number"),
    )
    op.create_table(
        "archiveopening",
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("key", "game", "seat", "parent", "orders")
        ),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("matches", "won", "shared")),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index(
        "ix_archiveopening_tree",
        "archiveopening",
        ["game", "seat", "parent", "matches"],
        unique=False,
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("archiveopening", "archivetally", "archivedseat", "archivedmatch"):
        op.drop_table(table)
    op.drop_index("ix_player_name", table_name="player")
    op.drop_index("ix_match_to_archive", table_name="match")
    op.drop_column("seat", "named")
    op.drop_column("match", "imported")
    op.drop_column("match", "archived")
