"""A private table is nowhere to outsiders: not in frames, profiles, recent games, exports, pictures, ``Referer``."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import websockets
from starlette.routing import Route

from tests.conftest import PASSWORD, Site
from tests.services.endings import ended
from tests.web.talking import Talk
from tests.web.test_tables import GAME, held_of, legal, move, opened

SECRETS = ({"visibility": "link"}, {"password": "lapis lazuli"}, {"visibility": "link", "password": "lapis lazuli"})
secret = pytest.mark.parametrize("form", SECRETS, ids=["by link", "with a password", "both"])


async def kept_from(client: httpx.AsyncClient, *words: str, paths: tuple[str, ...]) -> None:
    """No page of these, in whatever way it answers, has one of those words."""
    for path in paths:
        answer = await client.get(path)
        for word in words:
            assert word not in answer.text, (path, word)
            assert word not in str(answer.headers), (path, word)


async def let_in(client: httpx.AsyncClient, key: str, form: dict[str, str]) -> None:
    """Comes by the link, and knows the password if there is one."""
    if "password" in form:
        await client.post(f"/tables/{key}/door", data={"password": form["password"]})


async def begun(site: Site, form: dict[str, str]) -> tuple[httpx.AsyncClient, httpx.AsyncClient, str]:
    """Alice and Bob, who have accounts, at a table of their own; it has begun."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    for client, name in ((alice, "Alice"), (bob, "Bob")):
        await client.post("/sign-up", data={"name": name, "password": PASSWORD})
    data = {"game": GAME, "seats": "2", "do": "open", "option.first": "1", **form}
    key = (await alice.post("/tables", data=data)).url.path.rsplit("/", 1)[1]
    await let_in(bob, key, form)
    assert (await bob.post(f"/tables/{key}/join")).status_code == 200
    assert (await alice.post(f"/tables/{key}/start")).status_code == 200
    return alice, bob, key


async def test_a_table_by_link_is_in_no_frame_of_the_lobby(site: Site, eventually: Callable[..., Any]) -> None:
    """From its opening to its closing, while other tables come and go and each frame brings the whole list."""
    alice, bob, eve = await site.guest("Alice"), await site.guest("Bob"), await site.guest("Eve")
    talks = [await Talk.lobby(site, client) for client in (alice, eve, site.client())]
    form = {"game": GAME, "seats": "3", "do": "open"}
    key = (await alice.post("/tables", data={**form, "visibility": "link"})).url.path.rsplit("/", 1)[1]
    await eventually(lambda: key in "".join(talks[0].frames))
    await bob.post(f"/tables/{key}/join")
    await alice.post(f"/tables/{key}/invitations", data={"name": "Bob"})
    shown = (await bob.post("/tables", data=form)).url.path.rsplit("/", 1)[1]
    await eventually(lambda: all(shown in "".join(talk.frames) for talk in talks))
    await alice.post(f"/tables/{key}/start", data={"seats": "2"})
    await bob.post(f"/tables/{key}/leave")
    await bob.post(f"/tables/{shown}/leave")
    await eventually(lambda: all(shown not in talk.zones.get("open", "") for talk in talks))
    for talk in talks[1:]:
        assert key not in "".join(talk.frames)
        assert "Alice" not in "".join(talk.frames)
    for talk in talks:
        await talk.close()


async def test_a_table_that_is_hidden_goes_from_every_lobby_at_once(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, eve = await site.guest("Alice"), await site.guest("Eve")
    key = await opened(site, alice, seats="2")
    talk = await Talk.lobby(site, eve)
    await eventually(lambda: key in talk.zones.get("open", ""))
    await alice.post(f"/tables/{key}/visibility", data={"visibility": "link"})
    await eventually(lambda: key not in talk.zones["open"])
    assert key not in "".join(talk.frames[1:])
    await talk.close()


async def test_who_is_asked_sees_it_at_once_and_no_more_when_asked_no_more(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob", "ja")
    key = await opened(site, alice, seats="3", visibility="link")
    talk = await Talk.lobby(site, bob)
    await eventually(lambda: "invited" in talk.zones)
    await alice.post(f"/tables/{key}/invitations", data={"name": "Bob"})
    await eventually(lambda: key in talk.zones["invited"])
    asked = (await held_of(site, key)).facts.asked
    await alice.post(f"/tables/{key}/invitations", data={"withdraw": str(asked[0].user_id)})
    await eventually(lambda: key not in talk.zones["invited"])
    await talk.close()


@secret
async def test_it_is_on_no_page_of_an_outsider(site: Site, form: dict[str, str]) -> None:
    """Lobby, profiles, recent games: while it waits, is played, and is over."""
    alice, bob, key = await begun(site, form)
    eve = await site.guest("Eve")
    pages = ("/", "/lobby/lists", "/@alice", "/@bob", "/@alice?game=hanging_gardens", "/me", "/rules", "/about")
    for client in (eve, site.client()):
        await kept_from(client, key, paths=pages)
    assert key in (await alice.get("/")).text
    held = await held_of(site, key)
    while held.facts.status == "playing":
        await move(site, key, [alice, bob])
        held = await held_of(site, key)
    for client in (eve, site.client()):
        await kept_from(client, key, paths=pages)
    assert "Bob" not in (await eve.get("/@alice")).text
    assert key in (await alice.get("/me")).text
    assert key in (await bob.get("/@alice")).text


@secret
async def test_it_is_in_no_export_but_of_those_who_sat_there(site: Site, form: dict[str, str]) -> None:
    alice, _, key = await begun(site, form)
    eve = await site.guest("Eve")
    await let_in(eve, key, form)
    await eve.get(f"/tables/{key}")  # looking on is not belonging
    await kept_from(eve, key, "Alice", paths=("/me/export",))
    told = (await alice.get("/me/export")).text
    assert key in told
    held = await held_of(site, key)
    for hidden in (
        held.facts.seed,
        held.facts.lock,
        form.get("password"),
        *(seat.offer for seat in held.facts.seats),
    ):
        assert not hidden or hidden not in told


async def test_a_seat_that_is_offered_is_told_to_those_who_sit_there_alone(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob, key = await begun(site, {"visibility": "link"})
    eve = await site.guest("Eve")
    talks = [await Talk.open(site, key, client) for client in (alice, eve, bob)]
    await bob.post(f"/tables/{key}/leave")
    offer = (await held_of(site, key)).facts.seats[1].offer
    await eventually(lambda: offer in "".join(talks[0].frames))
    await eventually(lambda: "Bob" not in talks[1].zones.get("drawer", "Bob"))
    for client, talk in ((eve, talks[1]), (bob, talks[2])):
        assert offer not in "".join(talk.frames)
        await kept_from(client, offer, paths=(f"/tables/{key}", f"/tables/{key}/log", "/", "/me/export"))
    assert offer in (await alice.get(f"/tables/{key}")).text
    for talk in talks:
        await talk.close()


async def test_nothing_of_a_table_with_a_password_is_had_by_its_address(site: Site) -> None:
    """Every route there is or will be: pages, what-ifs, log, record, and pictures should there ever be some."""
    alice, bob, key = await begun(site, {"password": "lapis lazuli"})
    await move(site, key, [alice, bob], 3)
    held = await held_of(site, key)
    eve, stranger = await site.guest("Eve"), site.client(headers={"Origin": site.url})
    included = [
        route for part in site.app.routes if hasattr(part, "original_router") for route in part.original_router.routes
    ]
    routes = [route for route in included if isinstance(route, Route) and "{key}" in route.path]
    assert len(routes) > 15
    seat, since, action = legal(held)
    data = {
        "action": action,
        "seat": str(seat),
        "since": str(since),
        "do": "sit",
        "visibility": "public",
        "name": "Eve",
    }
    for client in (eve, stranger):
        for route in routes:
            for method in route.methods or ():
                path = route.path.replace("{key}", key)
                answer = await client.request(method, path, data=data if method == "POST" else None)
                refused = {401, 403, 404, 405, 409, 422}
                assert answer.status_code in refused or answer.url.path == "/", (method, path, answer.status_code)
                for word in ("Alice", "Bob", held.facts.seed, 'id="board"'):
                    assert word not in answer.text, (method, path, word)
        with pytest.raises(websockets.InvalidStatus):
            await Talk.open(site, key, client)
    assert (await held_of(site, key)).facts.changed == held.facts.changed


async def test_the_password_opens_the_door_until_it_is_another(site: Site, eventually: Callable[..., Any]) -> None:
    alice, eve = await site.guest("Alice"), await site.guest("Eve", "ja")
    key = await opened(site, alice, seats="3", password="lapis lazuli")
    for wrong in ("", "lapis", "LAPIS LAZULI", "x" * 5_000):
        answer = await eve.post(f"/tables/{key}/door", data={"password": wrong})
        assert answer.status_code == 422, wrong
        assert "パスワードではありません" in answer.text
        assert "Alice" not in answer.text
    answer = await eve.post(f"/tables/{key}/door", data={"password": "lapis lazuli"})
    assert answer.url.path == f"/tables/{key}"
    assert "Alice" in answer.text
    talk = await Talk.open(site, key, eve, kind="room")
    await eventually(lambda: talk.versions)
    await alice.post(f"/tables/{key}/password", data={"password": "carnelian"})
    await eventually(lambda: talk.reloads)
    assert "Alice" not in (await eve.get(f"/tables/{key}")).text
    await alice.post(f"/tables/{key}/password", data={"password": ""})
    assert "Alice" in (await eve.get(f"/tables/{key}")).text
    await talk.close()


async def test_who_sits_there_or_is_asked_needs_no_password(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, seats="3", password="lapis lazuli")
    assert (await bob.get(f"/tables/{key}")).status_code == 401
    assert (await bob.post(f"/tables/{key}/join")).status_code == 403
    await alice.post(f"/tables/{key}/invitations", data={"name": "Bob"})
    assert (await bob.get(f"/tables/{key}")).status_code == 200
    assert "Bob" in (await bob.post(f"/tables/{key}/join")).text


@secret
async def test_who_gave_up_still_comes_in_and_takes_it_along(site: Site, form: dict[str, str]) -> None:
    alice, bob, carol = await site.guest("Alice"), await site.guest("Bob"), await site.guest("Carol")
    await alice.post("/sign-up", data={"name": "Alice", "password": PASSWORD})
    key = await opened(site, alice, seats="3", **form)
    for each in (bob, carol):
        await let_in(each, key, form)
        await each.post(f"/tables/{key}/join")
    await alice.post(f"/tables/{key}/start")
    assert (await alice.post(f"/tables/{key}/concede")).status_code == 200
    elsewhere = site.client()
    await elsewhere.post("/sign-in", data={"name": "Alice", "password": PASSWORD})
    for path in (f"/tables/{key}", f"/tables/{key}/analysis"):
        assert (await elsewhere.get(path)).status_code == 200, path
    assert key in (await elsewhere.get("/me/export")).text
    await bob.post(f"/tables/{key}/concede")
    assert key in (await elsewhere.get("/me")).text
    await carol.post(f"/tables/{key}/rematch")
    again = await elsewhere.post(f"/tables/{key}/rematch")
    assert again.status_code == 200
    held = await held_of(site, again.url.path.rsplit("/", 1)[1])
    assert [seat.name for seat in held.facts.seats] == ["Carol", "Alice", ""]
    assert {each.name for each in held.facts.asked} >= {"Bob"}
    await kept_from(await site.guest("Eve"), key, paths=("/@Alice",))


async def test_its_address_goes_to_no_other_site(site: Site) -> None:
    """No ``Referer`` leaves, nothing is fetched from elsewhere, and no picture of it is offered to those who preview
    links."""
    alice, bob, key = await begun(site, {"password": "lapis lazuli"})
    await bob.post(f"/tables/{key}/leave")
    offer = (await held_of(site, key)).facts.seats[1].offer
    stranger = site.client()
    for client, path in (
        (alice, f"/tables/{key}"),
        (alice, f"/tables/{key}/log"),
        (stranger, f"/tables/{key}"),
        (stranger, f"/offers/{offer}"),
        (stranger, f"/sign-in?next=/tables/{key}"),
        (stranger, f"/tables/{key}/nowhere"),
    ):
        answer = await client.get(path)
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-robots-tag"] == "noindex"
        for name, address in re.findall(r'\b(href|src|action|content)="([^"]+)"', answer.text):
            parts = urlsplit(address)
            assert not parts.scheme.startswith("http") or parts.netloc == urlsplit(site.url).netloc, (name, address)
        assert not re.search(r"<meta[^>]*(og:|twitter:)", answer.text)


async def test_the_rematch_of_a_game_is_told_to_others_only_when_it_is_for_all(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    eve = await site.guest("Eve")
    for public in (True, False):
        key = await opened(site, alice, bob, **({} if public else {"visibility": "link"}))
        held = await held_of(site, key)
        while held.facts.status == "playing":
            await move(site, key, [alice, bob])
            held = await held_of(site, key)
        again = (await alice.post(f"/tables/{key}/rematch")).url.path.rsplit("/", 1)[1]
        await kept_from(eve, again, paths=(f"/tables/{key}", "/", "/lobby/lists"))
        await bob.post(f"/tables/{key}/rematch")
        await alice.post(f"/tables/{again}/start")
        assert (again in (await eve.get(f"/tables/{key}")).text) is public


async def test_a_result_at_a_table_with_a_password_is_in_no_profile(site: Site) -> None:
    from tests.conftest import account  # the services' own people

    carol, dan = await account(site.server, "Carol"), await account(site.server, "Dan")
    table_id = await ended(site.server, [carol, dan], [1, 2])
    async with site.server.engine.begin() as connection:
        await connection.exec_driver_sql(f"UPDATE tables SET password_hash = 'x' WHERE id = {table_id}")
    page = (await site.client().get("/@carol")).text
    assert "/tables/" not in page
    assert "Dan" not in page
