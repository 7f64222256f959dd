"""The host's powers: bots, seats, their order and number, who may come, when it begins, and who is host next."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from app.services import clock, doors, hosting, lobby
from app.services.accounts import Me
from app.services.errors import (
    AlreadyStarted,
    BadTable,
    DecisionPassed,
    HostIsHere,
    NeedsPassword,
    NotHost,
    NotThePassword,
    NotYourSeat,
    SeatTaken,
)
from app.services.facts import TableFacts
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person
from tests.services.test_lobby import opened

POWERS: tuple[Callable[[Server, Me, int], Awaitable[None]], ...] = (
    lambda server, me, table: hosting.seat_bot(server, me, table, seat=2, bot="greedy"),
    lambda server, me, table: hosting.fill(server, me, table, bot="greedy"),
    lambda server, me, table: hosting.clear_seat(server, me, table, seat=1),
    lambda server, me, table: hosting.swap(server, me, table, seat=0, other=1),
    hosting.add_seat,
    lambda server, me, table: hosting.close_seat(server, me, table, seat=2),
    lambda server, me, table: hosting.hand_over(server, me, table, seat=1),
    lambda server, me, table: hosting.set_public(server, me, table, public=False),
    lambda server, me, table: hosting.set_password(server, me, table, password="lapis"),
    lambda server, me, table: hosting.set_auto_start(server, me, table, auto_start=False),
    lobby.start,
)


async def facts(server: Server, table_id: int) -> TableFacts:
    return (await server.states.newest(table_id)).facts


async def names(server: Server, table_id: int) -> list[str]:
    """Who sits where: names, ``*`` for a bot, nothing for a free seat."""
    return [seat.name or ("*" if seat.bot else "") for seat in (await facts(server, table_id)).seats]


@pytest.mark.parametrize("power", POWERS)
async def test_nobody_but_the_host_has_the_powers_of_the_host(
    server: Server, alice: Me, bob: Me, eve: Me, power: Callable[[Server, Me, int], Awaitable[None]]
) -> None:
    _, table_id = await opened(server, alice)
    await lobby.sit(server, bob, table_id)
    before = await facts(server, table_id)
    for other in (bob, eve):
        with pytest.raises(NotHost):
            await power(server, other, table_id)
    after = await facts(server, table_id)
    assert (after.seats, after.changed) == (before.seats, before.changed)


@pytest.mark.parametrize("power", [power for number, power in enumerate(POWERS) if number not in {6, 10}])
async def test_once_begun_a_table_is_no_longer_the_hosts_to_arrange(
    server: Server, alice: Me, bob: Me, power: Callable[[Server, Me, int], Awaitable[None]]
) -> None:
    _, table_id = await opened(server, alice, seats=2)
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    with pytest.raises(AlreadyStarted):
        await power(server, alice, table_id)


async def test_a_host_begins_with_those_who_are_here(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice, seats=5)
    await lobby.sit(server, bob, table_id, seat=3)
    for wrong in (1, 3, 5):
        with pytest.raises(DecisionPassed):
            await hosting.start_with(server, alice, table_id, seats=wrong)
    assert (await facts(server, table_id)).status == "waiting"
    await hosting.start_with(server, alice, table_id, seats=2)
    assert await names(server, table_id) == ["Alice", "Bob"]
    held = await server.states.newest(table_id)
    assert (held.facts.status, len(held.facts.seats)) == ("playing", 2)
    assert held.position is not None and set(held.position.waiting) <= {0, 1}


async def test_a_game_that_cannot_be_played_by_so_few_does_not_begin(server: Server, alice: Me) -> None:
    key = await lobby.open_table(server, alice, Wish(slug="amyitis", seats=3))
    table_id = await server.states.find_id(key)
    with pytest.raises(BadTable):
        await hosting.start_with(server, alice, table_id, seats=1)
    assert await names(server, table_id) == ["Alice", "", ""]


async def test_bots_fill_all_free_seats(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice, seats=5)
    await lobby.sit(server, bob, table_id, seat=3)
    await hosting.fill(server, alice, table_id, bot="random")
    assert await names(server, table_id) == ["Alice", "*", "*", "Bob", "*"]
    with pytest.raises(BadTable):
        await hosting.fill(server, alice, table_id, bot="genius")


async def test_seats_are_swapped_with_all_that_sits_there(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice)
    await lobby.sit(server, bob, table_id)
    await lobby.set_ready(server, bob, table_id, ready=True)
    await hosting.swap(server, alice, table_id, seat=0, other=1)
    assert await names(server, table_id) == ["Bob", "Alice", ""]
    assert [seat.ready for seat in (await facts(server, table_id)).seats] == [True, False, False]
    await hosting.seat_bot(server, alice, table_id, seat=2, bot="random")
    await hosting.swap(server, alice, table_id, seat=2, other=0)
    assert await names(server, table_id) == ["*", "Alice", "Bob"]
    for nowhere in (-1, 3, 2**70):
        with pytest.raises(BadTable):
            await hosting.swap(server, alice, table_id, seat=0, other=nowhere)
    await lobby.start(server, alice, table_id)
    assert (await facts(server, table_id)).seat_of(bob.id) == 2


async def test_a_free_seat_is_taken_away_and_added(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice, seats=3, options={"first": "3"})
    await lobby.sit(server, bob, table_id, seat=2)
    with pytest.raises(SeatTaken):
        await hosting.close_seat(server, alice, table_id, seat=2)
    await hosting.close_seat(server, alice, table_id, seat=1)
    assert await names(server, table_id) == ["Alice", "Bob"]
    assert (await facts(server, table_id)).options["first"] == "random"  # the third seat is no more
    for _ in range(3):
        await hosting.add_seat(server, alice, table_id)
    assert await names(server, table_id) == ["Alice", "Bob", "", "", ""]
    with pytest.raises(BadTable):
        await hosting.add_seat(server, alice, table_id)
    await hosting.fill(server, alice, table_id, bot="greedy")
    await lobby.start(server, alice, table_id)
    held = await server.states.newest(table_id)
    assert held.position is not None and len(held.facts.seats) == 5


async def test_a_removed_person_is_asked_no_more(server: Server, alice: Me, bob: Me) -> None:
    from app.services import invitations, listing

    _, table_id = await opened(server, alice)
    await invitations.invite(server, alice, table_id, name="Bob")
    await lobby.sit(server, bob, table_id)
    await hosting.clear_seat(server, alice, table_id, seat=1)
    assert await listing.list_invitations(server, bob) == ()
    assert await names(server, table_id) == ["Alice", "", ""]


async def test_the_host_hands_the_table_over_before_the_start_and_after(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice, seats=2)
    with pytest.raises(BadTable):
        await hosting.hand_over(server, alice, table_id, seat=1)
    await lobby.sit(server, bob, table_id)
    await hosting.hand_over(server, alice, table_id, seat=1)
    with pytest.raises(NotHost):
        await lobby.start(server, alice, table_id)
    await lobby.start(server, bob, table_id)
    await hosting.hand_over(server, bob, table_id, seat=0)
    assert (await facts(server, table_id)).host_id == alice.id


async def test_a_host_who_is_away_is_succeeded_by_one_who_sits_there(
    server: Server, alice: Me, bob: Me, eve: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A20: the host closed the tab; the others need not start anew."""
    _, table_id = await opened(server, alice)
    await lobby.sit(server, bob, table_id)
    with pytest.raises(HostIsHere):
        await hosting.succeed(server, bob, table_id)
    later = clock.now() + timedelta(minutes=6)
    monkeypatch.setattr(clock, "now", lambda: later)
    with pytest.raises(NotYourSeat):
        await hosting.succeed(server, eve, table_id)
    await hosting.succeed(server, bob, table_id)
    assert (await facts(server, table_id)).host_id == bob.id
    await hosting.clear_seat(server, bob, table_id, seat=0)
    assert await names(server, table_id) == ["", "Bob", ""]


async def test_a_game_begins_by_itself_when_all_seats_are_taken_and_all_are_ready(
    server: Server, alice: Me, bob: Me
) -> None:
    _, table_id = await opened(server, alice)
    await lobby.set_ready(server, alice, table_id, ready=True)
    with pytest.raises(NotYourSeat):
        await lobby.set_ready(server, bob, table_id, ready=True)
    await lobby.sit(server, bob, table_id)
    await hosting.seat_bot(server, alice, table_id, seat=2, bot="random")
    assert (await facts(server, table_id)).status == "waiting"
    await lobby.set_ready(server, bob, table_id, ready=True)
    held = await server.states.newest(table_id)
    assert held.facts.status == "playing" and held.position is not None
    with pytest.raises(AlreadyStarted):
        await lobby.set_ready(server, bob, table_id, ready=False)
    await lobby.set_ready(server, bob, table_id, ready=True)


async def test_a_bot_on_the_last_seat_begins_it_too(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice)
    await lobby.sit(server, bob, table_id)
    for me in (alice, bob):
        await lobby.set_ready(server, me, table_id, ready=True)
    await hosting.fill(server, alice, table_id, bot="random")
    assert (await facts(server, table_id)).status == "playing"


async def test_a_host_may_want_to_say_when_it_begins(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice, seats=2, auto_start=False)
    await lobby.sit(server, bob, table_id)
    for me in (alice, bob):
        await lobby.set_ready(server, me, table_id, ready=True)
    assert (await facts(server, table_id)).status == "waiting"
    await hosting.set_auto_start(server, alice, table_id, auto_start=True)
    assert (await facts(server, table_id)).status == "playing"


async def test_the_last_two_words_at_once_begin_one_game(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    for _ in range(5):
        _, table_id = await opened(server, alice, seats=2)
        await lobby.sit(server, bob, table_id)
        await asyncio.gather(
            lobby.set_ready(server, alice, table_id, ready=True),
            lobby.set_ready(other_server, bob, table_id, ready=True),
        )
        held = await server.states.newest(table_id)
        assert held.facts.status == "playing" and held.version == 0


async def test_a_password_lets_in_who_knows_it_sits_there_or_is_asked(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    from app.services import invitations

    _, table_id = await opened(server, alice, password="ラピスラズリ")
    with pytest.raises(NeedsPassword):
        await lobby.sit(server, bob, table_id)
    for wrong in ("", "lapis", "x" * 100_000):
        with pytest.raises(NotThePassword):
            await doors.try_password(server, table_id, password=wrong)
    proof = await doors.try_password(server, table_id, password="ラピスラズリ")
    known = await facts(server, table_id)
    assert not doors.may_enter(known, bob) and not doors.may_enter(known, None)
    assert doors.may_enter(known, None, proof=proof)
    assert await lobby.sit(server, bob, table_id, proof=proof) == 1
    await invitations.invite(server, bob, table_id, name="Eve")
    known = await facts(server, table_id)
    assert doors.may_enter(known, eve) and doors.may_enter(known, bob)
    assert await lobby.sit(server, eve, table_id) == 2


async def test_another_password_asks_everybody_anew(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice, password="lapis")
    proof = await doors.try_password(server, table_id, password="lapis")
    await hosting.set_password(server, alice, table_id, password="lazuli")
    assert not doors.may_enter(await facts(server, table_id), bob, proof=proof)
    with pytest.raises(NeedsPassword):
        await lobby.sit(server, bob, table_id, proof=proof)
    await hosting.set_password(server, alice, table_id, password="")
    assert await lobby.sit(server, bob, table_id) == 1
    with pytest.raises(BadTable):
        await hosting.set_password(server, alice, table_id, password="x" * 1000)


async def test_a_table_with_a_password_is_no_quick_seat(server: Server, alice: Me) -> None:
    from app.services import quick
    from app.services.listing import Sought

    key, _ = await opened(server, alice, password="lapis")
    dan = await person(server, "Dan")
    assert await quick.quick(server, dan, Sought()) != key
