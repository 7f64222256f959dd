"""Settings: everything that differs between one installation and another. Nobody else reads the environment."""

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

ROOT = Path(__file__).parent.parent


class Settings(BaseSettings):
    """Read from the environment (prefix ``SEMIRAMIS_``) and from ``.env``; ``make run`` needs none of them."""

    model_config = SettingsConfigDict(
        env_prefix="SEMIRAMIS_", env_file=".env", extra="ignore", validate_by_name=True, validate_by_alias=True
    )

    database_url: Annotated[str, Field(validation_alias="DATABASE_URL")] = ""
    """Postgres to use, ``postgresql://…``. Empty: a private cluster under ``SEMIRAMIS_VAR``."""
    var: Path = ROOT / "var"
    """The folder of everything kept between runs: the embedded cluster, the secret, logs."""
    secret: str = ""
    """Signs cookies. Empty: made once and kept in ``SEMIRAMIS_VAR/secret``."""
    origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Other origins (``https://play.example``) from which pages may post, separated by spaces.
    The address a request came to is always allowed."""
    trusted_proxies: str = "127.0.0.1"
    """Proxies whose ``X-Forwarded-*`` headers are believed, separated by commas."""
    secure_cookies: bool = False
    """Cookies only over HTTPS: ``true`` behind TLS."""
    bot_pause: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.2
    """Seconds a bot waits before it acts, so that people can follow."""
    pool_size: Annotated[int, Field(ge=1)] = 10
    """Database connections a process keeps."""
    moves_per_second: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 8
    """How many actions one person may send a second, on average; short bursts of four times that pass."""
    tables_per_person: Annotated[int, Field(ge=1)] = 20
    """How many unfinished tables one person may have opened."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """How much is logged: ``DEBUG``, ``INFO``, ``WARNING``, ``ERROR``."""

    @field_validator("origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(value.split()) if isinstance(value, str) else value

    @field_validator("database_url")
    @classmethod
    def _postgres(cls, value: str) -> str:
        if value and not value.startswith(("postgresql://", "postgres://", "postgresql+asyncpg://")):
            raise ValueError("it begins with postgresql://")
        return value

    @field_validator("log_level", mode="before")
    @classmethod
    def _capitals(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value


@cache
def settings() -> Settings:
    """The settings of this process."""
    return Settings()
