"""Tables without a screen: opened, begun and played to their end by forms, for tests of what is around the game."""

from contextlib import suppress

import httpx

from app.engine import notation
from app.services import tables
from app.services.accounts import Me
from app.services.errors import DecisionPassed
from app.services.held import Held
from app.services.server import Server
from tests.conftest import Site

GAME = "hanging_gardens"


async def opened(host: httpx.AsyncClient, *others: httpx.AsyncClient, game: str = GAME, **form: str) -> str:
    """A table that has begun; its key. In The Hanging Gardens the host moves first."""
    first = {"option.first": "1"} if game == GAME and others else {}
    data = {"game": game, "seats": str(1 + len(others)), "do": "open", **first, **form}
    answer = await host.post("/tables", data=data)
    assert answer.status_code == 200, answer.text
    key = answer.url.path.rsplit("/", 1)[1]
    for other in others:
        assert (await other.post(f"/tables/{key}/join")).status_code == 200
    if others:
        assert (await host.post(f"/tables/{key}/start")).status_code == 200
    return key


async def held_of(site: Site, key: str) -> Held:
    """The table as stored now."""
    return await site.server.states.newest(await site.server.states.find_id(key))


def legal(held: Held) -> tuple[int, int, str]:
    """Whoever must choose, since when, and a legal action."""
    assert held.position is not None
    seat = min(held.position.waiting)
    actions = held.game.actions(held.position.state, seat)
    return seat, held.position.waiting[seat], notation.write(actions[held.version % len(actions)])


async def move(site: Site, key: str, clients: list[httpx.AsyncClient], count: int = 1) -> None:
    """Makes moves by form, at most until the game is over."""
    for _ in range(count):
        held = await held_of(site, key)
        if held.facts.status == "over":
            return
        seat, since, action = legal(held)
        answer = await clients[seat].post(
            f"/tables/{key}/act", data={"action": action, "seat": str(seat), "since": str(since)}
        )
        assert answer.status_code == 200, answer.text


async def play_out(site: Site, key: str, *, most: int = 10_000) -> None:
    """Plays a table to its end, or so many moves, for whoever sits there and without anybody looking."""
    await finish(site.server, key, most=most)


async def finish(server: Server, key: str, *, most: int = 10_000) -> None:
    """The same by the services alone; bots that play there too may be quicker."""
    table_id = await server.states.find_id(key)
    for _ in range(most):
        held = await server.states.newest(table_id)
        if held.facts.status != "playing":
            return
        seat, since, action = legal(held)
        facts = held.facts.seats[seat]
        me = None if facts.bot else Me(id=facts.user_id or 0, name=facts.name, language="en")
        with suppress(DecisionPassed):
            await tables.act(server, table_id, seat=seat, text=action, since=since, me=me, bot=bool(facts.bot))
