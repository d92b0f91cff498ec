"""Begin with the first tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables of players, matches, seats, phases, orders and letters."""
    op.create_table(
        "picture",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("house", sa.Boolean(), nullable=False),
        sa.Column("receipts", sa.Boolean(), nullable=False),
        sa.Column("letters", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("address"),
    )
    op.create_table(
        "reading",
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("uid"),
    )
    with op.batch_alter_table("reading", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reading_answered"), ["answered"], unique=False)

    op.create_table(
        "workerkeys",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column(
            "document", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("fingerprint"),
    )
    op.create_table(
        "link",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("guest_id", sa.Integer(), nullable=True),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["guest_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("token_hash"),
    )
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_link_address"), ["address"], unique=False)

    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column(
            "options", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("trouble", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sealing", sa.Integer(), nullable=False),
        sa.Column("master_id", sa.Integer(), nullable=False),
        sa.Column("every_seconds", sa.Integer(), nullable=False),
        sa.Column("grace_seconds", sa.Integer(), nullable=False),
        sa.Column("ready_rule", sa.String(), nullable=False),
        sa.Column("open_seats", sa.Boolean(), nullable=False),
        sa.Column("wrapped_chains", sa.LargeBinary(), nullable=True),
        sa.Column(
            "opened_chains", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column(
            "anchors", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column(
            "result", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["master_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_match_master_id"), ["master_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_match_status"), ["status"], unique=False)

    op.create_table(
        "signedin",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("token_hash"),
    )
    with op.batch_alter_table("signedin", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_signedin_player_id"), ["player_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_signedin_until"), ["until"], unique=False)

    op.create_table(
        "phase",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("due", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column(
            "before", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column(
            "after", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("grace_seconds", sa.Integer(), nullable=False),
        sa.Column("closes_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("why", sa.String(), nullable=True),
        sa.Column("public_key", sa.LargeBinary(), nullable=True),
        sa.Column("wrapped_key", sa.LargeBinary(), nullable=True),
        sa.Column("taken", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column(
            "events", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True
        ),
        sa.Column("draws", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=True),
        sa.Column(
            "dropped", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "number"),
    )
    with op.batch_alter_table("phase", schema=None) as batch_op:
        batch_op.create_index("ix_phase_closes_at", ["closes_at"], unique=False)
        batch_op.create_index(
            "ix_phase_open",
            ["match_id"],
            unique=True,
            sqlite_where=sa.text("closed_at IS NULL"),
            postgresql_where=sa.text("closed_at IS NULL"),
        )

    op.create_table(
        "readingnote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("readingnote", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_readingnote_match_id"), ["match_id"], unique=False)

    op.create_table(
        "receipt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("disposition", sa.String(), nullable=False),
        sa.Column(
            "commitments", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("signature", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("match_id", "phase_number", "seat", "seq"),
    )
    with op.batch_alter_table("receipt", schema=None) as batch_op:
        batch_op.create_index(
            "ix_receipt_unsigned",
            ["id"],
            unique=False,
            sqlite_where=sa.text("signature IS NULL"),
            postgresql_where=sa.text("signature IS NULL"),
        )

    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("kept_for", sa.String(), nullable=True),
        sa.Column("invitation_hash", sa.String(), nullable=True),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("invitation_hash"),
        sa.UniqueConstraint("match_id", "name"),
        sa.UniqueConstraint("token"),
    )
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_seat_player_id"), ["player_id"], unique=False)

    op.create_table(
        "due",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("says", sa.String(), nullable=True),
        sa.Column("handed_in_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("phase_id", "seat"),
    )
    op.create_table(
        "envelope",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column(
            "commitments", sa.JSON().with_variant(postgresql.JSONB(), "postgresql"), nullable=False
        ),
        sa.Column("for_later", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("phase_id", "seat", "seq"),
    )
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column("receipt_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("context", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("trouble", sa.String(), nullable=True),
        sa.Column("next_try", sa.DateTime(timezone=True), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"]),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"]),
        sa.ForeignKeyConstraint(["receipt_id"], ["receipt.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_letter_match_id"), ["match_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_letter_player_id"), ["player_id"], unique=False)
        batch_op.create_index("ix_letter_waiting", ["state", "next_try"], unique=False)


def downgrade() -> None:
    """Drop all tables."""
    with op.batch_alter_table("letter", schema=None) as batch_op:
        batch_op.drop_index("ix_letter_waiting")
        batch_op.drop_index(batch_op.f("ix_letter_player_id"))
        batch_op.drop_index(batch_op.f("ix_letter_match_id"))

    op.drop_table("letter")
    op.drop_table("envelope")
    op.drop_table("due")
    with op.batch_alter_table("seat", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_seat_player_id"))

    op.drop_table("seat")
    with op.batch_alter_table("receipt", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_receipt_unsigned",
            sqlite_where=sa.text("signature IS NULL"),
            postgresql_where=sa.text("signature IS NULL"),
        )

    op.drop_table("receipt")
    with op.batch_alter_table("readingnote", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_readingnote_match_id"))

    op.drop_table("readingnote")
    with op.batch_alter_table("phase", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_phase_open",
            sqlite_where=sa.text("closed_at IS NULL"),
            postgresql_where=sa.text("closed_at IS NULL"),
        )
        batch_op.drop_index("ix_phase_closes_at")

    op.drop_table("phase")
    with op.batch_alter_table("signedin", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_signedin_until"))
        batch_op.drop_index(batch_op.f("ix_signedin_player_id"))

    op.drop_table("signedin")
    with op.batch_alter_table("match", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_match_status"))
        batch_op.drop_index(batch_op.f("ix_match_master_id"))

    op.drop_table("match")
    with op.batch_alter_table("link", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_link_address"))

    op.drop_table("link")
    op.drop_table("workerkeys")
    with op.batch_alter_table("reading", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_reading_answered"))

    op.drop_table("reading")
    op.drop_table("player")
    op.drop_table("picture")
