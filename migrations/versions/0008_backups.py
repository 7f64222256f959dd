"""When backups were made."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "backups",
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tables", sa.Integer, nullable=False),
        sa.Column("entries", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_backups"),
    )
    op.create_index("ix_backups_at", "backups", ["at"])


def downgrade() -> None:
    op.drop_table("backups")
