"""What somebody was called when another did not want to hear them any more."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("mutes", sa.Column("name", sa.Text, nullable=False, server_default=sa.text("''")))
    op.execute("UPDATE mutes SET name = users.name FROM users WHERE users.id = mutes.muted_id")


def downgrade() -> None:
    op.drop_column("mutes", "name")
