"""What is logged: which request, table and person it was about, and nothing else of anybody."""

import asyncio
import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Scope

from app import logs
from app.services.errors import NotSaved
from app.web.journal import Journal
from tests.conftest import Site
from tests.web.talking import Talk
from tests.web.test_tables import held_of, legal, opened

Said = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Iterator[Said]:
    """All that was logged since, down to what is only for debugging, as a machine reads it."""
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    root = logging.getLogger()
    before = (root.handlers[:], root.level, logging.getLogger("app").level)
    logs.install("DEBUG", "json")
    for others in ("httpx", "httpcore"):  # they are the browsers of these tests
        monkeypatch.setattr(logging.getLogger(others), "disabled", True)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:], level, ours = before
    root.setLevel(level)
    logging.getLogger("app").setLevel(ours)


async def test_a_request_is_logged_with_its_table_and_person(site: Site, said: Said) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    logging.getLogger("app").setLevel("DEBUG")
    answer = await alice.get(f"/tables/{key}")
    (line,) = [each for each in said() if each.get("request") == answer.headers["x-request-id"]]
    facts = (await held_of(site, key)).facts
    assert line["message"] == "answered"
    assert line["level"] == "INFO"
    assert line["route"] == "/tables/{key}"
    assert line["method"] == "GET"
    assert line["status"] == 200
    assert line["ms"] > 0
    assert line["table"] == facts.id
    assert line["person"] == facts.seats[0].user_id
    assert line["time"].endswith("Z")


@pytest.mark.parametrize(
    ("fault", "status"),
    [(None, 499), (asyncio.CancelledError(), 499), (ClientDisconnect(), 499), (ValueError("of ours"), 500)],
)
async def test_whoever_goes_away_before_an_answer_is_no_fault_of_ours(
    said: Said, fault: BaseException | None, status: int
) -> None:
    async def unanswered(*_: object) -> None:
        if fault is not None:
            raise fault

    async def gone() -> Message:
        return {"type": "http.disconnect"}

    async def nowhere(_: Message) -> None:
        return None

    logging.getLogger("app").setLevel("DEBUG")
    scope: Scope = {"type": "http", "method": "GET", "path": "/static/css/site.css", "headers": []}
    with suppress(asyncio.CancelledError, ClientDisconnect, ValueError):
        await Journal(unanswered)(scope, gone, nowhere)
    (line,) = [each for each in said() if each["message"] == "answered"]
    assert (line["route"], line["status"]) == ("/static", status)


async def test_a_socket_is_logged_when_it_opens_and_when_it_closes(
    site: Site, said: Said, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice)
    await talk.close()
    await eventually(lambda: [each for each in said() if each["message"] == "socket closed"])
    lines = [each for each in said() if each["message"].startswith("socket ")]
    assert [each["message"] for each in lines] == ["socket opened", "socket closed"]
    assert len({each["request"] for each in lines}) == 1
    assert lines[-1]["code"] == 1000  # as the page said, whatever we answer to one that has gone
    held = await held_of(site, key)
    assert all(each["table"] == held.facts.id and each["person"] == held.facts.seats[0].user_id for each in lines)


async def test_a_socket_that_we_close_because_we_start_again_is_logged_as_that(
    site: Site, said: Said, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    talk = await Talk.open(site, await opened(site, alice, bob), alice)
    site.serving.should_exit = True
    await asyncio.wait_for(talk.socket.wait_closed(), 5)
    await eventually(lambda: [each for each in said() if each["message"] == "socket closed"])
    assert [each["code"] for each in said() if each["message"] == "socket closed"] == [1012]


async def test_nothing_personal_and_no_secret_is_in_any_line(site: Site, said: Said) -> None:
    alice, bob = await site.guest("Nabu-Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    logging.getLogger("app").setLevel("DEBUG")
    talk = await Talk.open(site, key, alice)
    held = await held_of(site, key)
    seat, since, action = legal(held)
    await (talk if seat == 0 else await Talk.open(site, key, bob)).act(action, seat=seat, since=since)
    await alice.post(f"/tables/{key}/act", data={"action": "nonsense", "seat": "0"})
    await alice.get(f"/tables/{key}/nowhere?name=Nabu-Alice")
    await alice.post("/name", data={"name": "Nabu-Alice\u202e", "next": f"/tables/{key}"})
    await talk.close()
    text = "\n".join(json.dumps(each, ensure_ascii=False) for each in said())
    assert '"route": "/tables/{key}/act"' in text
    for secret in ("Nabu", key, "127.0.0.1", "python-httpx", held.facts.seed, alice.cookies["semiramis"]):
        assert secret not in text, secret


async def test_a_fault_of_ours_is_logged_once_with_its_number_and_without_what_was_to_be_stored(
    site: Site, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "Mika"
    told = f"beneath\nDETAIL:  Key (name)=({name}) already exists."

    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError(told) from NotSaved()

    monkeypatch.setattr("app.web.deps.accounts.count_present", broken)
    client = site.client()
    answer = await client.get("/about")
    assert answer.status_code == 500
    (line,) = [each for each in said() if each["level"] == "ERROR" and each["logger"].startswith("app")]
    assert len(line["request"]) == 12
    assert "RuntimeError: beneath" in line["fault"]
    assert "Mika" not in line["fault"]
    (answered,) = [each for each in said() if each["message"] == "answered"]
    assert answered["request"] == line["request"]
    assert answered["status"] == 500


def test_people_read_lines(capsys: pytest.CaptureFixture[str], said: Said) -> None:
    lines = logs.Lines()
    record = logging.LogRecord("app.web", logging.INFO, "", 0, "table %s moved", (7,), None)
    logs.begin(request="4fc2", table=7)
    assert logs.Numbers().filter(record)
    assert lines.format(record).endswith("Z INFO app.web: table 7 moved [request=4fc2 table=7]")
