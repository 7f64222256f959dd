"""Notices of browsers: sealed for the one that reads them, brought once, and never to a door inside our own walls."""

import socket
from ipaddress import ip_address
from typing import Any

import pytest
from aiohttp import ClientConnectorError
from sqlalchemy import text

from app.config import Settings
from app.services import endpoints, notices, push, sessions, wishes
from app.services.accounts import Me
from app.services.endpoints import Line, NotOutside, is_outside, is_sound
from app.services.errors import BadSubscription
from app.services.server import Server
from tests.conftest import person
from tests.push_service import Gadget
from tests.services.notified import Post, look, turn
from tests.services.test_tables import opened


@pytest.fixture
def config(config: Settings) -> Settings:
    """Notices may go to this machine."""
    return config.model_copy(update={"push_anywhere": True})


async def turned_on(post: Post, me: Me) -> Gadget:
    """One of somebody's browsers shows notices."""
    gadget = post.services.gadget()
    await push.subscribe(post.server, me, **gadget.told)
    return gadget


async def count(server: Server, table: str) -> int:
    async with server.sessions() as session:
        return int((await session.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one())


async def test_a_browser_reads_that_it_is_its_persons_turn_and_nothing_more(post: Post, alice: Me, bob: Me) -> None:
    phone, desk = await turned_on(post, alice), await turned_on(post, alice)
    table_id = await opened(post.server, alice, bob)
    await post.after(minutes=3)
    facts = (await post.server.states.newest(table_id)).facts
    words = {
        "title": "Your turn: The Hanging Gardens",
        "body": "With Bob.",
        "url": f"/tables/{facts.key}",
        "tag": "semiramis",
        "lang": "en",
    }
    assert sorted(which for which, _ in post.services.read) == [0, 1]
    assert [told for _, told in post.services.read] == [words, words]
    sent = post.services.headers[0]
    assert sent["Authorization"].startswith("vapid t=")
    assert f"k={await push.known_as(post.server)}" in sent["Authorization"]
    assert (sent["Content-Encoding"], sent["Topic"]) == ("aes128gcm", "semiramis")
    assert phone.endpoint != desk.endpoint
    for _ in range(3):
        await post.after(hours=2)
    assert len(post.services.read) == 2, "once a turn, whatever happens"


async def test_many_tables_are_one_notice_in_the_language_of_their_reader(post: Post, alice: Me, bob: Me) -> None:
    async with post.server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET language = 'ja'"))
    await turned_on(post, alice)
    for _ in range(3):
        await opened(post.server, alice, bob)
    await post.after(minutes=3)
    [(_, told)] = post.services.read
    assert told["title"] == "3卓があなたを待っています"
    assert told["body"] == "、".join(["ハンギング・ガーデン"] * 3)
    assert (told["url"], told["lang"]) == ("/", "ja")


async def test_a_browser_that_is_there_no_more_is_forgotten(post: Post, alice: Me, bob: Me) -> None:
    await turned_on(post, alice)
    post.services.status = 410
    await opened(post.server, alice, bob)
    await post.after(minutes=3)
    assert await count(post.server, "subscriptions") == await count(post.server, "pushes") == 0
    await post.after(hours=1)
    assert len(post.services.headers) == 1


async def test_a_push_service_that_is_away_is_asked_again_and_gets_what_is_still_so(
    post: Post, alice: Me, bob: Me
) -> None:
    await turned_on(post, alice)
    post.services.status = 503
    first = await opened(post.server, alice, bob)
    await post.after(minutes=3)
    await opened(post.server, alice, bob)
    await post.after(minutes=3)
    assert len(post.services.headers) >= 2
    assert await count(post.server, "pushes") == 1
    await turn(post.server, first, [alice, bob])
    post.services.status = 201
    await post.after(hours=2)
    [(_, told)] = post.services.read
    assert told["title"] == "Your turn: The Hanging Gardens"


async def test_what_is_refused_is_not_tried_again_and_at_last_the_browser_is_forgotten(
    post: Post, alice: Me, bob: Me
) -> None:
    await turned_on(post, alice)
    post.services.status = 403
    for tries in range(push.MOST_FAILURES):
        await opened(post.server, alice, bob)
        await post.after(minutes=3)
        assert len(post.services.headers) == tries + 1
    assert await count(post.server, "subscriptions") == 0


async def test_a_redirection_is_not_followed(post: Post, alice: Me, bob: Me) -> None:
    await turned_on(post, alice)
    post.services.status = 307
    await opened(post.server, alice, bob)
    await post.after(minutes=3)
    assert len(post.services.headers) == 1


async def test_who_came_back_before_it_was_brought_is_not_bothered(post: Post, alice: Me, bob: Me) -> None:
    await turned_on(post, alice)
    table_id = await opened(post.server, alice, bob)
    await post.passing(minutes=3)
    await post.teller.tell_due()
    await look(post.server, alice, table_id, awake=0)
    await post.sender.send_due()
    assert post.services.headers == []
    assert await count(post.server, "pushes") == 0


async def test_a_browser_that_is_signed_out_shows_nothing_any_more(post: Post, alice: Me, bob: Me) -> None:
    await turned_on(post, alice)
    assert alice.login is not None
    await sessions.end(post.server, alice, login_id=alice.login)
    await opened(post.server, alice, bob)
    await post.after(minutes=3)
    assert post.services.headers == []


async def test_a_browser_shows_notices_to_one_person_the_last_who_asked(post: Post, alice: Me, bob: Me) -> None:
    gadget = await turned_on(post, alice)
    await push.subscribe(post.server, bob, **gadget.told)
    assert await push.is_subscribed(post.server, bob, endpoint=gadget.endpoint)
    assert not await push.is_subscribed(post.server, alice, endpoint=gadget.endpoint)
    await push.unsubscribe(post.server, alice, endpoint=gadget.endpoint)
    assert await push.is_subscribed(post.server, bob, endpoint=gadget.endpoint), "it is not hers to turn off"
    for _ in range(12):
        await turned_on(post, bob)
    assert await count(post.server, "subscriptions") == 10


async def test_who_has_a_browser_gets_no_letters_unless_they_ask(post: Post, alice: Me) -> None:
    assert (await wishes.of(post.server, alice)).letters == "hourly"
    await turned_on(post, alice)
    assert (await wishes.of(post.server, alice)).letters == "never"
    await wishes.choose(post.server, alice, delay="10", letters="daily")
    wish = await wishes.of(post.server, alice)
    assert (wish.letters, wish.delay, wish.browsers) == ("daily", 10, 1)


async def test_all_processes_sign_with_one_key(server: Server, other_server: Server) -> None:
    keys = [await push.known_as(each) for each in (server, other_server, server)]
    assert len(set(keys)) == 1
    assert await count(server, "keys") == 1


@pytest.mark.parametrize(
    ("endpoint", "sound"),
    [
        ("https://updates.push.services.example/wpush/v2/abc", True),
        ("https://push.example:443/x", True),
        ("https://9.9.9.9/x", True),
        ("http://push.example/x", False),
        ("https://push.example:8443/x", False),
        ("https://user:word@push.example/x", False),
        ("https://push.example/x#there", False),
        ("https://localhost/x", False),
        ("https://postgres/x", False),
        ("https://printer.local/x", False),
        ("https://db.internal./x", False),
        ("https://127.0.0.1/x", False),
        ("https://10.0.0.1/x", False),
        ("https://169.254.169.254/latest", False),
        ("https://192.168.1.1/x", False),
        ("https://100.64.0.1/x", False),
        ("https://[::1]/x", False),
        ("https://[::ffff:127.0.0.1]/x", False),
        ("https://[fd00::1]/x", False),
        ("https://2130706433/x", False),
        ("https://0x7f.1/x", False),
        ("https://127.1/x", False),
        ("https://push.example/\r\nHost: x", False),
        ("https://pu sh.example/", False),
        ("https://[::1/", False),
        ("ftp://push.example/", False),
        ("", False),
        ("https://push.example/" + "x" * 1000, False),
    ],
)
def test_notices_go_to_public_addresses_over_https_only(endpoint: str, sound: bool) -> None:
    assert is_sound(endpoint) is sound


@pytest.mark.parametrize(
    ("address", "outside"),
    [("9.9.9.9", True), ("2620:fe::fe", True), ("127.0.0.1", False), ("::ffff:10.0.0.1", False), ("224.0.0.1", False),
     ("0.0.0.0", False), ("fe80::1", False), ("2002:7f00:1::", False), ("198.18.0.1", False)],
)  # fmt: skip
def test_an_address_inside_is_known_in_every_disguise(address: str, outside: bool) -> None:
    assert is_outside(ip_address(address)) is outside


async def test_a_name_that_leads_inside_is_found_out_when_we_go_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name was sound when it was written down; whoever owns it may let it lead anywhere since."""
    reached: list[Any] = []
    real = socket.getaddrinfo

    def leads_inside(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        reached.append(host)
        return real("127.0.0.1", port, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", leads_inside)
    line = Line(anywhere=False)
    try:
        with pytest.raises(ClientConnectorError) as fault:
            await line.post("https://push.example/x", b"", {})
        assert isinstance(fault.value.os_error, NotOutside)
        with pytest.raises(NotOutside):
            await line.post("https://127.0.0.1/x", b"", {})
    finally:
        await line.close()
    assert reached == ["push.example"]
    assert endpoints.PATIENCE.total == 10


async def test_what_makes_no_sense_is_refused(server: Server) -> None:
    alice = await person(server, "Alice")
    sound = Gadget("https://push.example/x").told
    for wrong in (
        {"endpoint": "ftp://push.example/x"},
        {"public": "AAAA"},
        {"public": "é"},
        {"auth": "AAAA"},
        {"auth": "!" * 22},
        {"public": sound["public"][:-2] + "AA"},
    ):
        with pytest.raises(BadSubscription):
            await push.subscribe(server, alice, **{**sound, **wrong})


async def test_nobody_who_was_removed_is_told_of_a_table(post: Post, alice: Me, bob: Me) -> None:
    await turned_on(post, alice)
    await opened(post.server, alice, bob)
    await post.passing(minutes=3)
    await post.teller.tell_due()
    async with post.server.engine.begin() as connection:
        await connection.execute(text("UPDATE seats SET user_id = NULL, bot = 'greedy' WHERE seat = 0"))
        await connection.execute(text("UPDATE tables SET changed = changed + 1"))
    await post.sender.send_due()
    assert post.services.headers == []
    await notices.forget(post.server)
