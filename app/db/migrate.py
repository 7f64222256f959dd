"""Brings a database to the newest shape (or back), with Alembic."""

from alembic import command
from alembic.config import Config

from app.config import ROOT
from app.db.base import driver_url


def alembic_config(url: str) -> Config:
    """Alembic's settings for a database."""
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    config.set_main_option("sqlalchemy.url", driver_url(url).replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Applies what is missing."""
    command.upgrade(alembic_config(url), revision)


def downgrade(url: str, revision: str) -> None:
    """Takes back what came after a revision (``base``: everything)."""
    command.downgrade(alembic_config(url), revision)
