"""Before the start: opening tables, sitting, leaving, hosting, and what strangers see."""

import asyncio
from typing import Any

import pytest

from app.services import hosting, listing, lobby, rematches
from app.services.accounts import Me
from app.services.errors import (
    AlreadyStarted,
    BadTable,
    NoSuchTable,
    NotHost,
    NotOver,
    NotYourSeat,
    SeatsFree,
    SeatTaken,
    TableFull,
    TooManyTables,
)
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person

GAME = "hanging_gardens"


async def opened(server: Server, host: Me, **wish: Any) -> tuple[str, int]:
    key = await lobby.open_table(server, host, Wish(slug=GAME, **{"seats": 3, **wish}))
    return key, await server.states.find_id(key)


async def open_to(server: Server, me: Me | None) -> list[str]:
    """The tables in the lobby at which that person does not sit."""
    return [table.key for table in listing.others(await listing.list_open(server), me)]


async def test_the_host_sits_down_and_others_join(server: Server, alice: Me, bob: Me) -> None:
    key, table_id = await opened(server, alice)
    assert await open_to(server, bob) == [key]
    assert await lobby.sit(server, bob, table_id) == 1
    assert await lobby.sit(server, bob, table_id) == 1
    assert await lobby.sit(server, bob, table_id, seat=2) == 2
    held = await server.states.newest(table_id)
    assert [seat.name for seat in held.facts.seats] == ["Alice", "", "Bob"]
    assert [table.key for table in await listing.list_mine(server, bob)] == [key]
    assert await open_to(server, bob) == []


async def test_a_table_by_link_is_listed_nowhere(server: Server, alice: Me, bob: Me) -> None:
    await opened(server, alice, public=False)
    assert await open_to(server, bob) == []
    assert await open_to(server, None) == []
    assert await listing.list_mine(server, bob) == ()


async def test_two_who_want_the_last_seat_get_one_seat(server: Server, alice: Me) -> None:
    _, table_id = await opened(server, alice, seats=2)
    people = [await person(server, f"Guest {number}") for number in range(8)]
    answers = await asyncio.gather(*(lobby.sit(server, each, table_id) for each in people), return_exceptions=True)
    assert sorted(str(type(answer).__name__) for answer in answers) == ["TableFull"] * 7 + ["int"]


async def test_a_taken_seat_is_refused(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice)
    with pytest.raises(SeatTaken):
        await lobby.sit(server, bob, table_id, seat=0)


async def test_leaving_frees_the_seat_and_passes_the_table_on(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    _, table_id = await opened(server, alice, seats=2)
    await lobby.sit(server, bob, table_id)
    with pytest.raises(TableFull):
        await lobby.sit(server, eve, table_id)
    await lobby.leave(server, alice, table_id)
    held = await server.states.newest(table_id)
    assert held.facts.host_id == bob.id
    assert await lobby.sit(server, eve, table_id) == 0
    await lobby.start(server, bob, table_id)
    assert (await server.states.newest(table_id)).position is not None


async def test_a_table_that_everybody_left_is_closed(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice)
    await lobby.leave(server, alice, table_id)
    assert (await server.states.newest(table_id)).facts.status == "cancelled"
    with pytest.raises(NoSuchTable):
        await lobby.sit(server, bob, table_id)
    with pytest.raises(NoSuchTable):
        await lobby.leave(server, bob, table_id)


async def test_only_the_host_seats_bots_removes_people_and_starts(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice)
    await lobby.sit(server, bob, table_id)
    with pytest.raises(NotHost):
        await hosting.seat_bot(server, bob, table_id, seat=2, bot="random")
    with pytest.raises(NotHost):
        await hosting.clear_seat(server, bob, table_id, seat=0)
    with pytest.raises(NotHost):
        await hosting.set_public(server, bob, table_id, public=False)
    with pytest.raises(NotHost):
        await lobby.start(server, bob, table_id)
    with pytest.raises(SeatsFree) as free:
        await lobby.start(server, alice, table_id)
    assert free.value.facts["count"] == 1
    await hosting.seat_bot(server, alice, table_id, seat=2, bot="random")
    with pytest.raises(SeatTaken):
        await hosting.seat_bot(server, alice, table_id, seat=1, bot="random")
    with pytest.raises(BadTable):
        await hosting.seat_bot(server, alice, table_id, seat=2, bot="genius")
    with pytest.raises(BadTable):
        await hosting.clear_seat(server, alice, table_id, seat=0)
    await hosting.clear_seat(server, alice, table_id, seat=1)
    with pytest.raises(NotYourSeat):
        await lobby.leave(server, bob, table_id)
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    await lobby.start(server, alice, table_id)
    with pytest.raises(AlreadyStarted):
        await hosting.seat_bot(server, alice, table_id, seat=2, bot="greedy")


async def test_playing_against_bots_begins_at_once(server: Server, alice: Me) -> None:
    _, table_id = await opened(server, alice, bot="greedy", seats=5)
    held = await server.states.newest(table_id)
    assert held.facts.status == "playing"
    assert [seat.bot for seat in held.facts.seats] == ["", *["greedy"] * 4]


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"slug": "chess"}, "game"),
        ({"seats": 0}, "seats"),
        ({"seats": 6}, "seats"),
        ({"options": {"first": "9"}}, "option.first"),
        ({"options": {"colour": "red"}}, "option.colour"),
        ({"bot": "genius"}, "bot"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_at_its_field(
    server: Server, alice: Me, wish: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadTable) as fault:
        await lobby.open_table(server, alice, Wish(**{"slug": GAME, "seats": 3, **wish}))
    assert fault.value.facts["field"] == field


async def test_nobody_opens_tables_without_end(server: Server, alice: Me) -> None:
    for _ in range(server.settings.tables_per_person):
        await opened(server, alice)
    with pytest.raises(TooManyTables):
        await opened(server, alice)


async def test_a_rematch_brings_everybody_to_one_new_table(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    from tests.services.test_tables import play

    _, table_id = await opened(server, alice, seats=2)
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    with pytest.raises(NotOver):
        await rematches.rematch(server, alice, table_id)
    await play(server, table_id, [alice, bob])
    keys = await asyncio.gather(*(rematches.rematch(server, each, table_id) for each in (alice, bob, alice, bob)))
    assert len(set(keys)) == 1
    held = await server.states.newest(await server.states.find_id(keys[0]))
    assert {seat.name for seat in held.facts.seats} == {"Alice", "Bob"}
    with pytest.raises(NotYourSeat):
        await rematches.rematch(server, eve, table_id)
