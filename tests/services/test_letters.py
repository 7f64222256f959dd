"""Letters: each arrives once or is tried again, never twice; without a mail server they lie in a folder."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.commands.rounds import KINDS
from app.config import Settings
from app.services import emails, letters
from app.services.letters import BACK_OFF, Outbox
from app.services.roads import letters_in, road_of
from app.services.server import Server
from app.web.letters import composer
from tests.conftest import ADDRESS, PASSWORD, account, server_on
from tests.sink import Sink, body_of, sinking

MAIL = {"smtp_host": "127.0.0.1", "smtp_security": "none", "address": ADDRESS}


@pytest.fixture
async def sink() -> AsyncIterator[Sink]:
    async with sinking() as made:
        yield made


def outbox_of(server: Server, **settings: Any) -> Outbox:
    config = Settings(**{**server.settings.model_dump(), **settings})
    return Outbox(server, road_of(config), composer(config), KINDS)


@pytest.fixture
def outbox(server: Server, sink: Sink) -> Outbox:
    return outbox_of(server, **MAIL, smtp_port=sink.port)


async def states(server: Server) -> list[tuple[bool, str, int]]:
    """Of every letter: whether it was sent, why it will not be, and how often it was tried."""
    async with server.sessions() as session:
        rows = await session.execute(text("SELECT sent_at IS NOT NULL, dropped, tries FROM letters ORDER BY id"))
        return [(row[0], row[1], row[2]) for row in rows]


async def test_a_letter_arrives_once_with_a_link_that_works(server: Server, sink: Sink, outbox: Outbox) -> None:
    me = await account(server, "<b>Alice</b>", email="alice@example.org")
    assert await outbox.send_due() == 1
    assert await outbox.send_due() == 0
    [letter] = sink.letters
    assert sink.came_to == ["alice@example.org"]
    assert letter["To"] == "alice@example.org"
    assert letter["From"] == "Semiramis <semiramis@club.example>"
    assert letter["Subject"] == "Is this your address?"
    assert letter.get_content_type() == "text/plain"
    assert "Hello <b>Alice</b>," in body_of(letter)
    [link] = sink.links()
    assert f"{ADDRESS}{link}" in body_of(letter)
    token = link.partition("token=")[2]
    async with server.sessions() as session:
        stored = str((await session.execute(text("SELECT tokens::text, letters::text FROM tokens, letters"))).all())
    assert token not in stored
    assert await emails.confirm(server, token) == "alice@example.org"
    assert (await emails.contact(server, me)).confirmed


async def test_a_letter_is_in_the_language_of_its_reader(server: Server, sink: Sink, outbox: Outbox) -> None:
    me = await account(server, "美香", email="mika@example.org")
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE letters SET language = 'ja'"))
    await outbox.send_due()
    [letter] = sink.letters
    assert letter["Subject"] == "あなたのメールアドレスですか?"
    assert me.name in body_of(letter)
    assert not any(word in body_of(letter) for word in ("Hello", "please", "link"))


async def test_two_processes_bring_every_letter_once(
    server: Server, other_server: Server, sink: Sink, outbox: Outbox
) -> None:
    people = [await account(server, f"Guest {number}", email=f"g{number}@example.org") for number in range(12)]
    other = outbox_of(other_server, **MAIL, smtp_port=sink.port)
    await asyncio.gather(*(each.send_due() for each in (outbox, other) * 3))
    while await outbox.send_due():
        pass
    assert sorted(sink.came_to) == sorted(f"g{number}@example.org" for number in range(len(people)))


async def test_while_the_mail_server_is_away_letters_wait_longer_and_longer(
    server: Server, sink: Sink, outbox: Outbox, later: Callable[..., None]
) -> None:
    await account(server, "Alice", email="alice@example.org")
    away = outbox_of(server, **MAIL, smtp_port=1)
    for tries, wait in enumerate(BACK_OFF[:3], start=1):
        assert await away.send_due() == 0
        assert await states(server) == [(False, "", tries)]
        assert await away.send_due() == 0
        assert await states(server) == [(False, "", tries)], "it waits"
        later(seconds=wait.total_seconds() + 1)
    assert await outbox.send_due() == 1
    assert len(sink.letters) == 1


async def test_a_letter_that_nobody_takes_is_given_up_at_last(
    server: Server, sink: Sink, outbox: Outbox, later: Callable[..., None]
) -> None:
    sink.recipient = "450 later"
    await account(server, "Alice", email="alice@example.org")
    for _ in range(len(BACK_OFF) + 3):
        await outbox.send_due()
        later(days=2)
    assert await states(server) == [(False, letters.GIVEN_UP, len(BACK_OFF) + 1)]


@pytest.mark.parametrize("answer", ["recipient", "data"])
async def test_an_address_that_does_not_exist_is_not_tried_again(
    server: Server, sink: Sink, outbox: Outbox, answer: str, later: Callable[..., None]
) -> None:
    setattr(sink, answer, "550 no such user")
    await account(server, "Alice", email="alice@example.org")
    for _ in range(3):
        await outbox.send_due()
        later(days=1)
    assert await states(server) == [(False, letters.REFUSED, 1)]


async def test_a_full_mailbox_is_tried_again_after_the_text(
    server: Server, sink: Sink, outbox: Outbox, later: Callable[..., None]
) -> None:
    sink.data = "452 full"
    await account(server, "Alice", email="alice@example.org")
    await outbox.send_due()
    assert await states(server) == [(False, "", 1)]
    sink.data = ""
    later(minutes=2)
    assert await outbox.send_due() == 1


async def test_what_may_have_arrived_is_never_sent_again(
    server: Server, sink: Sink, outbox: Outbox, later: Callable[..., None]
) -> None:
    """The line broke after the text and before the answer: the sink has it."""
    sink.cut = True
    await account(server, "Alice", email="alice@example.org")
    assert await outbox.send_due() == 0
    later(days=2)
    assert await outbox.send_due() == 0
    assert len(sink.letters) == 1
    assert await states(server) == [(False, letters.UNKNOWN, 1)]


async def test_a_process_that_dies_before_it_hands_over_costs_no_letter(
    server: Server, config: Settings, sink: Sink, outbox: Outbox, later: Callable[..., None]
) -> None:
    await account(server, "Alice", email="alice@example.org")

    class Dying:
        async def bring(self, sheet: Any, handing_over: Any) -> None:
            raise asyncio.CancelledError

    async with server_on(config) as dead:
        with pytest.raises(asyncio.CancelledError):
            await Outbox(dead, Dying(), composer(server.settings), KINDS).send_due()
    assert await outbox.send_due() == 0, "it may still be at it"
    later(minutes=30)
    assert await outbox.send_due() == 1


async def test_what_nobody_needs_any_more_is_not_sent(server: Server, sink: Sink, outbox: Outbox) -> None:
    me = await account(server, "Alice", email="old@example.org")
    await emails.set_email(server, me, email="new@example.org", password=PASSWORD, address=ADDRESS)
    await outbox.send_due()
    assert sink.came_to == ["new@example.org"]


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # the line is inside this machine
async def test_a_name_and_a_password_for_the_mail_server(server: Server) -> None:
    await account(server, "Alice", email="alice@example.org")
    async with sinking(password="secret") as sink:
        wrong = outbox_of(server, **MAIL, smtp_port=sink.port, smtp_user="us", smtp_password="guess")
        assert await wrong.send_due() == 0
        async with server.engine.begin() as connection:
            await connection.execute(text("UPDATE letters SET due_at = now()"))
        right = outbox_of(server, **MAIL, smtp_port=sink.port, smtp_user="us", smtp_password="secret")
        assert await right.send_due() == 1
        assert len(sink.letters) == 1


async def test_nothing_goes_over_an_open_line_when_it_should_be_secured(
    server: Server, sink: Sink, outbox: Outbox
) -> None:
    await account(server, "Alice", email="alice@example.org")
    careful = outbox_of(server, **{**MAIL, "smtp_security": "starttls"}, smtp_port=sink.port, smtp_user="us")
    assert await careful.send_due() == 0
    assert sink.letters == []
    assert await states(server) == [(False, "", 1)]


async def test_without_a_mail_server_letters_lie_in_a_folder(server: Server, tmp_path: Path) -> None:
    await account(server, "Alice", email="alice@example.org")
    assert await outbox_of(server).send_due() == 1
    [file] = letters_in(tmp_path)
    assert file.name.endswith("-confirm.eml")
    assert (tmp_path / "letters").stat().st_mode & 0o077 == 0
    assert b"/confirm?token=3D" in file.read_bytes()


async def test_a_fault_in_one_letter_holds_up_no_other(
    server: Server, sink: Sink, outbox: Outbox, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(2):
        await account(server, f"Guest {number}", email=f"g{number}@example.org")
    async with server.engine.begin() as connection:
        await connection.execute(
            text("UPDATE letters SET kind = 'nonsense' WHERE id = (SELECT min(id) FROM letters)")
        )
    assert await outbox.send_due() == 1
    assert [each[:2] for each in await states(server)] == [(False, ""), (True, "")]
    assert "nonsense" in caplog.text


async def test_old_letters_are_forgotten(
    server: Server, sink: Sink, outbox: Outbox, later: Callable[..., None]
) -> None:
    await account(server, "Alice", email="alice@example.org")
    await outbox.send_due()
    await letters.clear(server)
    assert len(await states(server)) == 1
    later(seconds=letters.KEPT.total_seconds() + 60)
    await letters.clear(server)
    assert await states(server) == []
