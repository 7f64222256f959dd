"""Giving up and calling off: the game ends as agreed, and ratings know how."""

import pytest
from sqlalchemy import text

from app.services import deletion, endings, lobby, records, substitutes
from app.services.accounts import Me
from app.services.admin import tables as acts
from app.services.errors import GameOver, NoSuchTable, NotStarted, NotYourSeat, SharedDevice
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person
from tests.services.admin.acting import official
from tests.services.endings import rating_of
from tests.services.test_hotseat import shared
from tests.services.test_tables import GAME, opened, play


async def places(server: Server, table_id: int) -> dict[int | None, int]:
    async with server.engine.connect() as connection:
        rows = await connection.execute(text(f"SELECT user_id, rank FROM results WHERE table_id = {table_id}"))
        return {row[0]: row[1] for row in rows}


async def test_of_two_the_other_wins_and_it_is_rated(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob], moves=3)
    await endings.concede(server, alice, table_id)
    held = await server.states.newest(table_id)
    assert (held.facts.status, held.facts.ended) == ("over", "conceded")
    assert await places(server, table_id) == {alice.id: 2, bob.id: 1}
    mine, theirs = await rating_of(server, alice), await rating_of(server, bob)
    assert mine is not None and theirs is not None and mine[0] < theirs[0]
    for again in (endings.concede(server, bob, table_id), endings.wish_to_cancel(server, bob, table_id, wish=True)):
        with pytest.raises(GameOver):
            await again


async def test_of_three_a_bot_plays_on_and_who_gave_up_comes_last(server: Server, alice: Me, bob: Me) -> None:
    carol = await person(server, "Carol")
    table_id = await opened(server, alice, bob, carol)
    await endings.concede(server, alice, table_id)
    held = await server.states.newest(table_id)
    assert (held.facts.status, held.facts.seats[0].bot, held.facts.host_id) == ("playing", "greedy", bob.id)
    await endings.concede(server, carol, table_id)
    assert (await server.states.newest(table_id)).facts.status == "over"
    assert await places(server, table_id) == {alice.id: 3, carol.id: 2, bob.id: 1}
    assert await records.recount(server, write=False) == (), "three people, no bot"
    assert await rating_of(server, alice) is not None


@pytest.mark.parametrize("agreed", [False, True])
async def test_a_game_that_ends_while_it_is_paused_is_paused_no_more(
    server: Server, alice: Me, bob: Me, agreed: bool
) -> None:
    mo = await official(server, "Mo", "moderator")
    table_id = await opened(server, alice, bob)
    await acts.pause(server, mo, table_id, reason="a call")
    if agreed:
        for each in (alice, bob):
            await endings.wish_to_cancel(server, each, table_id, wish=True)
    else:
        await endings.concede(server, alice, table_id)
    facts = (await server.states.newest(table_id)).facts
    assert (facts.status, facts.paused) == ("cancelled" if agreed else "over", False)


async def test_against_bots_alone_it_is_over_and_not_rated(server: Server, alice: Me) -> None:
    key = await lobby.open_table(server, alice, Wish(slug=GAME, seats=3, bot="greedy"))
    table_id = await server.states.find_id(key)
    await endings.concede(server, alice, table_id)
    assert (await places(server, table_id))[alice.id] == 3
    assert await rating_of(server, alice) is None


async def test_all_must_wish_it_before_a_game_is_called_off(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    await endings.wish_to_cancel(server, alice, table_id, wish=True)
    await endings.wish_to_cancel(server, bob, table_id, wish=False)
    await endings.wish_to_cancel(server, bob, table_id, wish=True)
    assert (await server.states.newest(table_id)).facts.status == "playing"
    await endings.wish_to_cancel(server, alice, table_id, wish=True)
    held = await server.states.newest(table_id)
    assert (held.facts.status, held.facts.ended) == ("cancelled", "agreed")
    assert [mark.kind for mark in held.facts.marks] == ["wish", "unwish", "wish", "agreed"]
    assert await places(server, table_id) == {}


@pytest.mark.parametrize("goes", ["gives up", "leaves", "is replaced", "deletes"])
async def test_when_the_last_who_did_not_agree_goes_the_game_is_called_off(
    server: Server, alice: Me, bob: Me, goes: str
) -> None:
    carol = await person(server, "Carol")
    table_id = await opened(server, alice, bob, carol)
    await endings.wish_to_cancel(server, alice, table_id, wish=True)
    await lobby.leave(server, bob, table_id)
    assert (await server.states.newest(table_id)).facts.status == "playing", "Carol has not agreed"
    await substitutes.reclaim(server, bob, table_id)
    await endings.wish_to_cancel(server, bob, table_id, wish=True)
    if goes == "gives up":
        await endings.concede(server, carol, table_id)
    elif goes == "leaves":
        await lobby.leave(server, carol, table_id)
    elif goes == "deletes":
        await deletion.delete_me(server, carol, password="")
    else:
        ada = await official(server, "Ada", "admin")
        await acts.replace(server, ada, table_id, seat=2, bot="greedy", reason="asleep")
    facts = (await server.states.newest(table_id)).facts
    assert (facts.status, facts.ended, facts.marks[-1].kind) == ("cancelled", "agreed", "agreed")
    assert await places(server, table_id) == {}
    with pytest.raises(NoSuchTable):
        await substitutes.reclaim(server, carol, table_id)


async def test_who_alone_wished_it_wins_when_the_other_gives_up(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    await endings.wish_to_cancel(server, alice, table_id, wish=True)
    await endings.concede(server, bob, table_id)
    assert await places(server, table_id) == {alice.id: 1, bob.id: 2}


async def test_only_who_plays_may_give_up_or_call_off(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    with pytest.raises(NotYourSeat):
        await endings.concede(server, eve, table_id)
    with pytest.raises(NotYourSeat):
        await endings.wish_to_cancel(server, eve, table_id, wish=True)
    waiting = await server.states.find_id(await lobby.open_table(server, alice, Wish(slug=GAME, seats=2)))
    with pytest.raises(NotStarted):
        await endings.concede(server, alice, waiting)


async def test_several_at_one_device_call_it_off_together_and_none_gives_up_alone(server: Server, alice: Me) -> None:
    table_id = await shared(server, alice, "Nabu")
    with pytest.raises(SharedDevice):
        await endings.concede(server, alice, table_id)
    assert (await server.states.newest(table_id)).facts.status == "playing"
    await endings.wish_to_cancel(server, alice, table_id, wish=True)
    facts = (await server.states.newest(table_id)).facts
    assert (facts.status, facts.ended) == ("cancelled", "agreed")
