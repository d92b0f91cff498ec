"""Let pairings of tournaments wait for a director, directors leave, and add void pairings and what
letters tell of decided results.

A round that is played now waits for nobody until a director decides a table of it.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from adjudicator.platform.db import UtcTime

revision = "0055"
down_revision = "0052"
branch_labels = None
depends_on = None

PLAIN = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def upgrade() -> None:
    """Add the columns and the tables."""
    op.add_column(
        "tournament", sa.Column("wait_hours", sa.Integer(), nullable=False, server_default="24")
    )
    op.add_column("tournament", sa.Column("waits_until", UtcTime(), nullable=True))
    op.add_column("tournament", sa.Column("recheck_from", sa.Integer(), nullable=True))
    op.add_column("tournamentdirector", sa.Column("left_at", UtcTime(), nullable=True))
    op.execute(
        "UPDATE tournamentdirector SET left_at = (SELECT erased_at FROM player WHERE player.id ="
        " tournamentdirector.player_id) WHERE player_id IN (SELECT id FROM player WHERE erased_at"
        " IS NOT NULL)"
    )
    op.add_column(
        "tournamentround",
        sa.Column("outdated", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "tournamentvoid",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("voided_at", UtcTime(), nullable=False),
        sa.Column("paired", PLAIN, nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_tournamentvoid_tournament_id", "tournamentvoid", ["tournament_id"])
    op.create_table(
        "tournamentdecision",
        sa.Column("id", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("tournament_id", "round_number", "number")
        ),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("before", PLAIN, nullable=True),
        *(sa.Column(name, PLAIN, nullable=False) for name in ("points", "concerned")),
        sa.Column("voided", sa.Integer(), nullable=True),
        sa.Column("told_to", sa.Integer(), nullable=False),
        sa.Column("told_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    untold = sa.text("told_at IS NULL")
    op.create_index(
        "ix_tournamentdecision_untold",
        "tournamentdecision",
        ["tournament_id"],
        sqlite_where=untold,
        postgresql_where=untold,
    )


def downgrade() -> None:
    """Drop them; tables of void pairings keep their matches and are in no round."""
    op.drop_index("ix_tournamentdecision_untold", "tournamentdecision")
    op.drop_table("tournamentdecision")
    op.drop_index("ix_tournamentvoid_tournament_id", "tournamentvoid")
    op.drop_table("tournamentvoid")
    op.drop_column("tournamentround", "outdated")
    op.drop_column("tournamentdirector", "left_at")
    for name in ("recheck_from", "waits_until", "wait_hours"):
        op.drop_column("tournament", name)
