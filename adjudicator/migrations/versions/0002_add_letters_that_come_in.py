"""Add letters that come in and what masters may do."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create tables of incoming letters, confirmations and masters' notes; add pauses, bounces and
    stop links.
    """
    op.create_table(
        "confirmation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column(
            "wanted", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    with op.batch_alter_table("confirmation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_confirmation_address"), ["address"], unique=False)

    op.create_table(
        "masternote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("masternote", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_masternote_match_id"), ["match_id"], unique=False)

    op.create_table(
        "incoming",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("ref", sa.String(), nullable=True),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("null_sender", sa.Boolean(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("next_try", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("disposition", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("digest", sa.String(), nullable=True),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    with op.batch_alter_table("incoming", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_incoming_digest"), ["digest"], unique=False)
        batch_op.create_index(
            "ix_incoming_match",
            ["match_id"],
            unique=False,
            sqlite_where=sa.text("disposition IS NULL"),
            postgresql_where=sa.text("disposition IS NULL"),
        )
        batch_op.create_index("ix_incoming_seat", ["seat_id", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_incoming_read_at"), ["read_at"], unique=False)
        batch_op.create_index(
            "ix_incoming_waiting",
            ["next_try"],
            unique=False,
            sqlite_where=sa.text("disposition IS NULL"),
            postgresql_where=sa.text("disposition IS NULL"),
        )

    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.add_column(sa.Column("phase_number", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("incoming_id", sa.Integer(), nullable=True))
        batch_op.create_index(
            "ix_letter_answers",
            ["address", "made_at"],
            unique=False,
            sqlite_where=sa.text("incoming_id IS NOT NULL"),
            postgresql_where=sa.text("incoming_id IS NOT NULL"),
        )

    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.add_column(sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True))

    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("master", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch_op.add_column(sa.Column("stop_token", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("bounced_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.add_column(sa.Column("bounce", sa.String(), nullable=True))
        batch_op.create_index(batch_op.f("ix_player_stop_token"), ["stop_token"], unique=True)

    with op.batch_alter_table("picture", schema=None) as batch_op:
        batch_op.add_column(sa.Column("made_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(batch_op.f("ix_picture_made_at"), ["made_at"], unique=False)


def downgrade() -> None:
    """Drop these tables and columns."""
    with op.batch_alter_table("picture", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_picture_made_at"))
        batch_op.drop_column("made_at")

    with op.batch_alter_table("player", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_player_stop_token"))
        batch_op.drop_column("bounce")
        batch_op.drop_column("bounced_at")
        batch_op.drop_column("stop_token")
        batch_op.drop_column("master")

    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.drop_column("paused_at")

    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_letter_answers",
            sqlite_where=sa.text("incoming_id IS NOT NULL"),
            postgresql_where=sa.text("incoming_id IS NOT NULL"),
        )
        batch_op.drop_column("incoming_id")
        batch_op.drop_column("phase_number")

    with op.batch_alter_table("incoming", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_incoming_waiting",
            sqlite_where=sa.text("disposition IS NULL"),
            postgresql_where=sa.text("disposition IS NULL"),
        )
        batch_op.drop_index("ix_incoming_seat")
        batch_op.drop_index(batch_op.f("ix_incoming_read_at"))
        batch_op.drop_index(
            "ix_incoming_match",
            sqlite_where=sa.text("disposition IS NULL"),
            postgresql_where=sa.text("disposition IS NULL"),
        )
        batch_op.drop_index(batch_op.f("ix_incoming_digest"))

    op.drop_table("incoming")
    with op.batch_alter_table("masternote", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_masternote_match_id"))

    op.drop_table("masternote")
    with op.batch_alter_table("confirmation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_confirmation_address"))

    op.drop_table("confirmation")
