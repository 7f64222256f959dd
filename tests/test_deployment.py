"""Image, compose file, proxy and example settings fit each other and the program, before anybody runs them."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from app.commands.serving import KEEP_ALIVE, PING
from app.config import Settings, is_secret, variable
from app.db import writer
from app.web import health, hub, metrics
from tests.test_house import documented_settings

ROOT = Path(__file__).parent.parent
OURS = ("migrate", "app", "bots")
BY_COMPOSE = {"DATABASE_URL", "SEMIRAMIS_VAR", "SEMIRAMIS_ENVIRONMENT"}
"""What docker-compose.yml sets itself and nobody need write down."""
OTHERWISE = {
    "SEMIRAMIS_SECURE_COOKIES": "true",
    "SEMIRAMIS_TRUSTED_PROXIES": "*",
    "SEMIRAMIS_LOG_FORMAT": "json",
}
"""Defaults that differ behind a proxy."""


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(read("docker-compose.yml"))
    return found


def services() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = compose()["services"]
    return found


def asked_for() -> dict[str, tuple[str, str]]:
    """Every variable in the compose file: how it is asked for (``-`` or ``?``) and the default or complaint."""
    return {
        name: (how, rest) for name, how, rest in re.findall(r"\$\{(\w+):([-?])([^}]*)\}", read("docker-compose.yml"))
    }


def example() -> dict[str, str]:
    """Every setting of .env.example, whether in force or only told."""
    rows = re.findall(r"^#?([A-Z][A-Z_]+)=(.*)$", read(".env.example"), re.MULTILINE)
    assert len(dict(rows)) == len(rows)
    return dict(rows)


def seconds(text: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)", text).groups()  # type: ignore[union-attr]
    return int(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]


# ---- settings


def test_every_setting_can_be_made_in_the_one_file_and_is_told_there() -> None:
    settings = {variable(str(field.validation_alias or name)) for name, field in Settings.model_fields.items()}
    assert set(example()) == (settings - BY_COMPOSE) | set(asked_for())


def test_the_file_tells_the_defaults_that_are_in_force() -> None:
    documented = {name: "" if value == "empty" else value.strip("`") for name, value in documented_settings().items()}
    composed = {name: rest for name, (how, rest) in asked_for().items() if how == "-"}
    assert {name: composed[name] for name in OTHERWISE} == OTHERWISE
    told = example()
    needed = {name for name, (how, _) in asked_for().items() if how == "?"}
    assert {name: told[name] for name in needed} == dict.fromkeys(needed, "")
    assert {name: told[name] for name in set(told) - needed} == {
        name: {**documented, **composed}[name] for name in set(told) - needed
    }


def test_without_secrets_of_ones_own_nothing_comes_up() -> None:
    refused = {name for name, (how, complaint) in asked_for().items() if how == "?" and ".env" in complaint}
    assert refused == {"POSTGRES_PASSWORD", "SEMIRAMIS_SECRET", "DOMAIN"}
    assert not any(is_secret(value) for value in example().values())
    for name in OURS:
        assert services()[name]["environment"]["SEMIRAMIS_ENVIRONMENT"] == "production"


def test_what_the_compose_file_sets_are_settings() -> None:
    settings = {variable(str(field.validation_alias or name)) for name, field in Settings.model_fields.items()}
    for name in OURS:
        assert set(services()[name]["environment"]) <= settings
        assert services()[name]["env_file"] == ".env"


# ---- the compose file


def test_everything_is_there_and_what_is_not_ours_is_pinned() -> None:
    assert set(services()) == {"postgres", *OURS, "proxy"}
    images = [each["image"] for name, each in services().items() if name not in OURS]
    images += re.findall(r"^ARG PYTHON=(.+)$", read("Dockerfile"), re.MULTILINE)
    assert len(images) == 3
    for image in images:
        assert re.search(r":\d+\.\d+(\.\d+)?(-[a-z-]+)?\}?$", image), image


def test_only_the_proxy_can_be_reached_and_it_cannot_reach_the_database() -> None:
    assert [name for name, each in services().items() if "ports" in each] == ["proxy"]
    networks = {name: set(each["networks"]) for name, each in services().items()}
    assert networks["postgres"] & networks["proxy"] == set()
    assert networks["proxy"] & networks["app"]
    for name in OURS:
        assert networks[name] & networks["postgres"]


def test_tables_are_there_before_anybody_uses_them() -> None:
    assert services()["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in ("app", "bots"):
        assert services()[name]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
    assert "depends_on" not in services()["proxy"], "else an upgrade would take it away together with the servers"
    assert services()["migrate"]["restart"] == "no"


@pytest.mark.parametrize("name", OURS)
def test_ours_run_with_no_more_rights_than_they_need(name: str) -> None:
    service = services()[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["init"] is True, "else nobody would hear the signal that asks a command to end"


def test_a_server_has_the_time_that_it_takes_to_end() -> None:
    uvicorn = int(re.search(r"timeout_graceful_shutdown=(\d+)", read("app/commands/serving.py"))[1])  # type: ignore[index]
    longest = uvicorn + hub.PATIENCE + writer.PATIENCE
    for name in OURS:
        assert seconds(services()[name]["stop_grace_period"]) > longest + 5


def test_what_must_last_is_in_volumes() -> None:
    kept = {mount.split(":")[0] for each in services().values() for mount in each.get("volumes", ())}
    assert set(compose()["volumes"]) <= kept
    assert "postgres:/var/lib/postgresql" in services()["postgres"]["volumes"]


# ---- the image


def stages() -> list[str]:
    return re.split(r"^(?=FROM )", read("Dockerfile"), flags=re.MULTILINE)[1:]


def test_the_image_has_two_stages_of_one_python_that_we_run_on() -> None:
    build, final = stages()
    assert build.startswith("FROM ${PYTHON} AS build\n")
    assert final.startswith("FROM ${PYTHON}\n")
    assert "pip install" not in final
    version = re.search(r"^ARG PYTHON=python:(\d+)\.(\d+)", read("Dockerfile"), re.MULTILINE)
    least = re.search(r">=(\d+)\.(\d+)", tomllib.loads(read("pyproject.toml"))["project"]["requires-python"])
    assert version is not None
    assert least is not None
    assert tuple(map(int, version.groups())) >= tuple(map(int, least.groups()))


def test_checks_and_image_take_the_same_wheels() -> None:
    """What has no wheel is missed by whoever works on it, and not by whoever deploys it: there is no compiler."""
    wheels = re.search(r"^WHEELS := (.+)$", read("Makefile"), re.MULTILINE)
    assert wheels is not None
    assert wheels[1].startswith("--only-binary=:all: ")
    assert f"pip install --quiet --no-deps {wheels[1]} -r requirements.lock" in stages()[0]
    assert "$(WHEELS) -r requirements.lock" in read("Makefile")


def test_the_image_runs_as_nobody_who_owns_the_program() -> None:
    final = stages()[1]
    user = re.search(r"^USER (\S+)$", final, re.MULTILINE)
    assert user is not None
    assert user[1].isdigit(), "a number, so that it can be checked that it is not root"
    assert int(user[1]) > 0
    assert final.index("USER ") < final.index("CMD [")
    assert "--chown" not in final


def test_the_image_has_all_that_the_program_reads() -> None:
    copied = re.findall(r"^COPY (?:--from=build /srv/)?(\w.*) \S+$", stages()[1], re.MULTILINE)
    assert {"app", "migrations", "templates", "static", "LICENSE"} <= {
        name for line in copied for name in line.split()
    }
    sources = re.findall(r"^COPY (?!--from)(.+) \S+$", read("Dockerfile"), re.MULTILINE)
    names = {name for line in sources for name in line.split()}
    sent = set(re.findall(r"^!(.+)$", read(".dockerignore"), re.MULTILINE))
    assert names <= sent
    assert all((ROOT / name).exists() for name in sent)
    assert read(".dockerignore").splitlines()[1] == "*", "secrets and data are not sent to the builder"


def test_it_is_asked_whether_it_lives_where_it_answers() -> None:
    final = stages()[1]
    port = re.search(r"^EXPOSE (\d+)$", final, re.MULTILINE)
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/[\w/]+)", final[final.index("HEALTHCHECK") :])
    assert port is not None
    assert asked is not None
    assert asked[1] == port[1]
    assert asked[2] in paths()
    assert f'"--port", "{port[1]}"' in final
    assert f"dynamic a app {port[1]} " in read("Caddyfile")
    assert '"serve", "--host", "0.0.0.0"' in final
    assert '"--no-bots"' in final


def paths() -> set[str]:
    """Where the server answers."""
    return {route.path for router in (health.router, metrics.router) for route in router.routes}  # type: ignore[attr-defined]  # they are all routes with a path


# ---- the proxy


def test_the_proxy_holds_what_is_open_and_shows_nothing_from_inside() -> None:
    said = dict(re.findall(r"^\s*(\w+) (\d+(?:ms|s|m|h))$", read("Caddyfile"), re.MULTILINE))
    assert seconds(said["stream_timeout"]) >= 12 * 3600
    assert seconds(said["keepalive"]) < KEEP_ALIVE
    assert seconds(said["lb_try_duration"]) >= 15, "a server takes as long to start"
    assert seconds(said["refresh"]) <= 2
    assert seconds(said["fail_duration"]) <= 2, "one that starts again is missed no longer"
    assert PING < 60
    assert re.search(r"@inside path /metrics /metrics/\*\n\s*respond @inside 404", read("Caddyfile"))
    assert "{$DOMAIN:localhost} {" in read("Caddyfile")


@pytest.mark.parametrize("address", ["/tables/k4Xw", "/tables/k4Xw/live", "/tables/k4Xw/log/csv"])
def test_whatever_belongs_to_a_table_is_asked_of_one_server(address: str) -> None:
    said = read("Caddyfile")
    pattern = re.search(r"^\s*@table path_regexp table (\S+)$", said, re.MULTILINE)
    assert pattern is not None
    assert re.search(r"^\s*request_header @table X-Table \{re\.table\.1\}$", said, re.MULTILINE)
    assert re.search(r"lb_policy header X-Table \{\s*fallback least_conn\s*\}", said)
    key = re.match(pattern[1], address)
    assert key is not None and key[1] == "k4Xw"
    assert not re.match(pattern[1], "/tables")


def test_the_proxy_logs_nothing_of_anybody() -> None:
    hidden = set(re.findall(r"^\s*request>(\w+) delete$", read("Caddyfile"), re.MULTILINE))
    assert hidden == {"remote_ip", "remote_port", "client_ip", "uri", "headers"}
