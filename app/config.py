"""Settings: everything that differs between one installation and another. Nobody else reads the environment."""

import os
import re
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import unquote, urlsplit

from pydantic import Field, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

ROOT = Path(__file__).parent.parent
SECRET_LENGTH = 32
GUESSABLE = re.compile(
    r"(?i)(change[-_ ]?me|default|example|password|secret|postgres|semiramis|admin|test|\W|\d){0,8}"
)
"""What is written where something secret belongs until somebody thinks of it."""
OF_TESTS = {"SEMIRAMIS_STORIES", "SEMIRAMIS_PROMISES", "SEMIRAMIS_CHROMIUM"}


class Settings(BaseSettings):
    """Read from the environment (prefix ``SEMIRAMIS_``) and from ``.env``; ``make run`` needs none of them."""

    model_config = SettingsConfigDict(
        env_prefix="SEMIRAMIS_", env_file=".env", extra="ignore", validate_by_name=True, validate_by_alias=True
    )

    environment: Literal["development", "production"] = "development"
    """``production``: whatever is secret must be so, or nothing starts. ``docker-compose.yml`` says so."""
    database_url: Annotated[str, Field(validation_alias="DATABASE_URL")] = ""
    """Postgres to use, ``postgresql://…``. Empty: a private cluster under ``SEMIRAMIS_VAR``."""
    var: Path = ROOT / "var"
    """The folder of everything kept between runs: the embedded cluster, the secret, logs."""
    secret: Annotated[str, Field(validate_default=True)] = ""
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
    waiting_hours: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 72
    """Hours after which a table that has not begun is closed when nothing happens at it."""
    idle_days: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 30
    """Days after which a game is ended, without a result, when nobody moves."""
    warning_hours: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 24
    """Hours before that its people are warned; at most half of the time above."""
    talk_days: Annotated[int, Field(ge=1)] = 365
    """What was said at a table is forgotten so many days after its end."""
    session_days: Annotated[int, Field(ge=1)] = 365
    """A browser that was not used for so many days is signed out."""
    address: str = ""
    """The address that people type, ``https://play.example``: it stands in letters. Needed with ``SMTP_HOST``."""
    smtp_host: str = ""
    """The server that brings letters. Empty: they become files in the folder ``letters`` under ``SEMIRAMIS_VAR``."""
    smtp_port: Annotated[int, Field(ge=1, le=65_535)] = 587
    """Its port."""
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    """How the way to it is secured."""
    smtp_user: str = ""
    """The name it knows us by; empty: none is asked for."""
    smtp_password: str = ""
    """The password for that name."""
    smtp_from: str = ""
    """Whom letters are from. Empty: ``semiramis`` at the host of ``SEMIRAMIS_ADDRESS``."""
    notice_delay: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 2
    """Minutes after which somebody who is away is told of a turn, unless they chose otherwise."""
    push_anywhere: bool = False
    """``true``: notices may be sent to browsers at any address, inside our own network too: for tests only."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """How much is logged: ``DEBUG``, ``INFO``, ``WARNING``, ``ERROR``."""
    log_format: Literal["text", "json"] = "text"
    """``json``: one object a line, for machines."""
    metrics_token: str = ""
    """Who asks for ``/metrics`` must send it (``Authorization: Bearer …``). Empty: there are none."""

    @field_validator("origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(value.split()) if isinstance(value, str) else value

    @field_validator("address")
    @classmethod
    def _address(cls, value: str) -> str:
        if value and not re.fullmatch(r"https?://[^/\s]+/?", value):
            raise ValueError("it begins with https:// and has no path")
        return value.rstrip("/")

    @field_validator("smtp_host")
    @classmethod
    def _with_address(cls, value: str, info: ValidationInfo) -> str:
        if value and not info.data.get("address"):
            raise ValueError("letters need SEMIRAMIS_ADDRESS: their links must not lead where a visitor says")
        return value

    @field_validator("database_url")
    @classmethod
    def _postgres(cls, value: str) -> str:
        if value and not value.startswith(("postgresql://", "postgres://", "postgresql+asyncpg://")):
            raise ValueError("it begins with postgresql://")
        return value

    @field_validator("database_url")
    @classmethod
    def _own_password(cls, value: str, info: ValidationInfo) -> str:
        password = urlsplit(value).password
        if info.data.get("environment") == "production" and password and GUESSABLE.fullmatch(unquote(password)):
            raise ValueError("its password can be guessed; outside development it must be your own")
        return value

    @field_validator("secret")
    @classmethod
    def _own_secret(cls, value: str, info: ValidationInfo) -> str:
        if info.data.get("environment") == "production" and not is_secret(value):
            raise ValueError(f"outside development it must be your own, {SECRET_LENGTH} characters or more")
        return value

    @field_validator("push_anywhere")
    @classmethod
    def _outside_only(cls, value: bool, info: ValidationInfo) -> bool:
        if value and info.data.get("environment") == "production":
            raise ValueError("anybody could have this server knock at doors inside: for tests only")
        return value

    @field_validator("metrics_token")
    @classmethod
    def _own_token(cls, value: str, info: ValidationInfo) -> str:
        if value and info.data.get("environment") == "production" and not is_secret(value):
            raise ValueError(f"outside development it must be your own, {SECRET_LENGTH} characters or more")
        return value

    @field_validator("log_level", mode="before")
    @classmethod
    def _capitals(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value


def is_secret(value: str) -> bool:
    """Whether somebody else would not come upon it."""
    return len(value) >= SECRET_LENGTH and len(set(value)) > SECRET_LENGTH // 4 and not GUESSABLE.fullmatch(value)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return name if name.isupper() else f"SEMIRAMIS_{name.upper()}"


def misspelt() -> list[tuple[str, str]]:
    """Variables that look like settings and are none, each with the one that was meant; empty: nobody knows."""
    names = {variable(name) for name in Settings.model_fields} | OF_TESTS
    written = set(os.environ)
    with suppress(OSError, UnicodeDecodeError):
        lines = Path(".env").read_text(encoding="utf-8").splitlines()
        written |= {line.removeprefix("export ").partition("=")[0].strip() for line in lines}
    unknown = sorted(name for name in written - names if name.startswith("SEMIRAMIS_"))
    return [(name, (get_close_matches(name, names - OF_TESTS, 1, 0.8) or [""])[0]) for name in unknown]


@cache
def settings() -> Settings:
    """The settings of this process."""
    return Settings()
