"""Add whose name a public note tells, and which director closed a round."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

# Who could have done what a note tells: a note belongs to the player whose name it has, if only one
# of these has that name today.
_OF_MATCH = """SELECT master_id FROM match WHERE match.id = masternote.match_id
 UNION SELECT player_id FROM seat WHERE seat.match_id = masternote.match_id
 UNION SELECT owner_id FROM seat WHERE seat.match_id = masternote.match_id
 UNION SELECT player_id FROM formertenure WHERE formertenure.match_id = masternote.match_id"""
_OF_TOURNAMENT = """SELECT player_id FROM tournamentdirector WHERE tournamentdirector.tournament_id = tournamentnote.tournament_id
 UNION SELECT player_id FROM tournamententry WHERE tournamententry.tournament_id = tournamentnote.tournament_id"""
_FILL = """UPDATE {table} SET player_id = (
 SELECT CASE WHEN COUNT(*) = 1 THEN MIN(player.id) END FROM player
 WHERE player.name = {table}.who AND (player.master OR player.id IN ({people})))
 WHERE who NOT IN ('the host', 'the service', 'the players', 'a new player')"""


def upgrade() -> None:
    """Add the columns, and fill them for notes whose name one person of the match or tournament has
    today.
    """
    for table, people in (("masternote", _OF_MATCH), ("tournamentnote", _OF_TOURNAMENT)):
        with op.batch_alter_table(table) as batch:
            batch.add_column(sa.Column("player_id", sa.Integer(), nullable=True))
            batch.create_foreign_key(f"fk_{table}_player", "player", ["player_id"], ["id"])
        op.create_index(f"ix_{table}_player_id", table, ["player_id"], unique=False)
        op.execute(_FILL.format(table=table, people=people))
    with op.batch_alter_table("tournament") as batch:
        batch.add_column(sa.Column("adjudged_by", sa.Integer(), nullable=True))
        batch.create_foreign_key("fk_tournament_adjudged_by", "player", ["adjudged_by"], ["id"])


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("tournament") as batch:
        batch.drop_constraint("fk_tournament_adjudged_by", type_="foreignkey")
        batch.drop_column("adjudged_by")
    for table in ("tournamentnote", "masternote"):
        op.drop_index(f"ix_{table}_player_id", table_name=table)
        with op.batch_alter_table(table) as batch:
            batch.drop_constraint(f"fk_{table}_player", type_="foreignkey")
            batch.drop_column("player_id")
