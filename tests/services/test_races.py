"""Two processes, one table: whoever comes second is refused by name, and nobody does what is no longer theirs."""

import asyncio
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import text

from app.db.writer import Writer
from app.engine import log, notation
from app.services import accounts, hosting, lobby, rematches, tables
from app.services.accounts import Me
from app.services.errors import (
    AlreadyStarted,
    GameOver,
    NoSuchTable,
    NotHost,
    NotYourSeat,
    Refusal,
    SeatsFree,
    SeatTaken,
    TableFull,
    TooManyTables,
)
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person
from tests.services.test_tables import GAME, legal, opened, play


async def test_who_has_left_acts_no_more_in_any_process(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    """The other process has not heard yet that Alice left."""
    table_id = await opened(server, alice, bob)
    held = await other_server.states.newest(table_id)
    await lobby.leave(server, alice, table_id)
    with pytest.raises(NotYourSeat):
        await tables.act(other_server, table_id, seat=0, text=legal(held, 0)[0], since=0, me=alice)
    assert (await server.states.newest(table_id)).version == 0


async def test_a_leave_while_a_move_is_being_stored_is_before_it_or_after_it(
    server: Server, other_server: Server, alice: Me, bob: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move was decided while Alice sat there; she has left by the time it is written."""
    table_id = await opened(server, alice, bob)
    held = await server.states.newest(table_id)
    sound = Writer.append

    async def append(writer: Writer, move: Any) -> datetime | None:
        if writer is server.writer and move.user_id == alice.id:
            await lobby.leave(other_server, alice, table_id)
        return await sound(writer, move)

    monkeypatch.setattr(Writer, "append", append)
    with pytest.raises(NotYourSeat):
        await tables.act(server, table_id, seat=0, text=legal(held, 0)[0], since=0, me=alice)
    held = await server.states.newest(table_id)
    assert held.version == 0
    assert held.facts.seats[0].bot
    held = await tables.act(server, table_id, seat=0, text=legal(held, 0)[0], since=0, me=None, bot=True)
    assert held.version == 1


async def test_of_a_last_move_and_a_leave_both_count_whatever_comes_first(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    """A table that ended while somebody left it is over, with its scores, or waits for the bot that took over."""
    table_id = await opened(server, alice, bob)
    held = await server.states.newest(table_id)
    while True:
        assert held.position is not None
        seat = min(held.position.waiting)
        text_of = legal(held, seat)[0]
        following = log.act(held.game, held.position, seat, notation.parse(held.game, text_of))
        if following.over:
            break
        since = held.position.waiting[seat]
        held = await tables.act(server, table_id, seat=seat, text=text_of, since=since, me=(alice, bob)[seat])
    mover, other = ((alice, bob), (bob, alice))[seat]
    since = held.position.waiting[seat]
    moved, left = await asyncio.gather(
        tables.act(server, table_id, seat=seat, text=text_of, since=since, me=mover),
        lobby.leave(other_server, other, table_id),
        return_exceptions=True,
    )
    assert not isinstance(moved, BaseException)
    assert left is None or isinstance(left, GameOver)
    held = await other_server.states.newest(table_id)
    assert held.facts.status == "over"
    assert bool(held.facts.seats[1 - seat].bot) == (left is None)


async def test_whatever_is_done_to_a_waiting_room_at_once_leaves_it_whole(
    server: Server, other_server: Server, alice: Me
) -> None:
    """Joining, leaving, removing, seating bots and starting from two processes: nobody sits twice, no deadlock,
    every refusal has a name, and the table has begun only with every seat taken."""
    people = [alice, *[await person(server, f"Guest {number}") for number in range(4)]]
    for round_number in range(12):
        key = await lobby.open_table(server, alice, Wish(slug=GAME, seats=3))
        table_id = await server.states.find_id(key)
        doings: list[Any] = []
        for number, guest in enumerate(people[1:]):
            one, two = (server, other_server) if (number + round_number) % 2 else (other_server, server)
            doings += [
                lobby.sit(one, guest, table_id),
                lobby.sit(two, guest, table_id, seat=number % 3),
                lobby.leave(two, guest, table_id),
                lobby.sit(two, guest, table_id),
            ]
        doings += [
            hosting.seat_bot(server, alice, table_id, seat=1, bot="random"),
            hosting.clear_seat(other_server, alice, table_id, seat=2),
            lobby.start(server, alice, table_id),
            lobby.start(other_server, alice, table_id),
        ]
        answers = await asyncio.gather(*doings, return_exceptions=True)
        faults = {type(answer) for answer in answers if isinstance(answer, BaseException)}
        assert faults <= {AlreadyStarted, NotHost, NotYourSeat, SeatTaken, SeatsFree, TableFull, NoSuchTable}
        held = await server.states.newest(table_id)
        sitting = [seat.user_id for seat in held.facts.seats if seat.user_id is not None]
        assert len(sitting) == len(set(sitting))
        assert all(seat.user_id is None or not seat.bot for seat in held.facts.seats)
        if held.facts.status == "playing":
            assert not any(seat.free for seat in held.facts.seats)
        await lobby.leave(server, alice, table_id)


async def test_nobody_opens_more_tables_at_once_than_one_after_the_other(
    server: Server, other_server: Server, alice: Me
) -> None:
    most = server.settings.tables_per_person
    wish = Wish(slug=GAME, seats=2)
    answers = await asyncio.gather(
        *(lobby.open_table((server, other_server)[number % 2], alice, wish) for number in range(most + 8)),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, str) for answer in answers) == most
    assert sum(isinstance(answer, TooManyTables) for answer in answers) == 8


async def test_a_rematch_that_was_closed_can_be_opened_again(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    """Alice opened it and left before Bob came."""
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob])
    first = await rematches.rematch(server, alice, table_id)
    assert (await server.states.newest(table_id)).facts.rematch == first
    await lobby.leave(server, alice, await server.states.find_id(first))
    second = await rematches.rematch(server, bob, table_id)
    assert second != first
    assert await rematches.rematch(server, alice, table_id) == second
    held = await server.states.newest(await server.states.find_id(second))
    assert {seat.name for seat in held.facts.seats} == {"Alice", "Bob"}


async def test_a_new_name_is_seen_at_the_tables_of_its_bearer(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob)
    before = await other_server.states.newest(table_id)
    rung: list[tuple[int, int, int]] = []
    server.bells.append(lambda *notice: rung.append(notice))
    changed = before.facts.changed
    await accounts.rename(server, alice, name="Alicia")
    after = await other_server.states.newest(table_id)
    assert [seat.name for seat in after.facts.seats] == ["Alicia", "Bob"]
    assert after.facts.changed > changed
    assert rung == [(table_id, 0, after.facts.changed)]


async def test_undo_and_the_opponents_answer_never_both_count(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    """From two processes, at once, as often as the game lets it happen."""
    table_id = await opened(server, alice, bob)
    people, races = [alice, bob], 0
    for _ in range(200):
        held = await server.states.newest(table_id)
        await other_server.states.newest(table_id)
        position = held.position
        assert position is not None
        if position.over or races >= 6:
            break
        seat = min(position.waiting)
        since, choices = position.waiting[seat], legal(held, seat)
        last = position.played[-1] if position.played else None
        if last is None or last.seat == seat or last.reveals:
            await tables.act(server, table_id, seat=seat, text=choices[-1], since=since, me=people[seat])
            continue
        races += 1
        who = people[last.seat]
        answers = await asyncio.gather(
            tables.undo(server, table_id, seat=last.seat, latest=last.seq, whole_turn=False, me=who),
            tables.act(other_server, table_id, seat=seat, text=choices[0], since=since, me=people[seat]),
            return_exceptions=True,
        )
        assert sum(isinstance(answer, Exception) for answer in answers) == 1, answers
        server.states.forget(table_id)
        for each in (server, other_server):
            assert (await each.states.newest(table_id)).version == position.version + 1
    assert races


async def test_a_refusal_is_never_a_database_error(server: Server, alice: Me, bob: Me) -> None:
    """Numbers that no column holds."""
    table_id = await opened(server, alice, bob)
    for seat in (-1, 2, 2**31, 2**63, -(2**70)):
        for call in (
            tables.act(server, table_id, seat=seat, text="pass", since=seat, me=alice),
            tables.undo(server, table_id, seat=seat, latest=seat, whole_turn=False, me=alice),
            lobby.sit(server, bob, table_id, seat=seat),
        ):
            with pytest.raises(Refusal):
                await call
    async with server.engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM entries"))).scalar_one() == 0


async def test_many_pages_that_hear_of_a_move_read_it_once(
    server: Server, other_server: Server, alice: Me, bob: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await opened(server, alice, bob)
    held = await other_server.states.newest(table_id)
    await tables.act(server, table_id, seat=0, text=legal(held, 0)[0], since=0, me=alice)
    reads, sound = 0, other_server.states.newest

    async def newest(number: int) -> Any:
        nonlocal reads
        reads += 1
        return await sound(number)

    monkeypatch.setattr(other_server.states, "newest", newest)
    found = await asyncio.gather(*(other_server.states.get(table_id, version=1) for _ in range(50)))
    assert {each.version for each in found} == {1}
    assert reads == 1
