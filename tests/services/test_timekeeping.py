"""When time is up: what was agreed happens, once, whoever notices; what was stored decides, whoever reads it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import select, text

from app.bots.runner import Runner
from app.config import Settings
from app.db.models import Letter, User
from app.live.bus import Bus
from app.services import endings, lobby, notices, substitutes, tables, timekeeping
from app.services.accounts import Me
from app.services.admin import rewinding
from app.services.admin import tables as acts
from app.services.clocks import Clock
from app.services.errors import NoOffer, PlayedLate, TimeUp
from app.services.held import Held
from app.services.lobby import Wish
from app.services.notices import Teller
from app.services.pace import Pace
from app.services.server import Server
from app.services.timekeeping import Keeper
from tests.services.admin.acting import official
from tests.services.admin.test_doctor import spoil
from tests.services.notified import turn
from tests.services.test_tables import GAME, legal, play

Passing = Callable[..., Awaitable[None]]


async def opened(server: Server, host: Me, *others: Me, up: str, kind: str = "live") -> int:
    """A table with clocks, begun: ten minutes each, or a day a turn; the host moves first."""
    pace = Pace("live", 600, 10, up=up) if kind == "live" else Pace("turn", 86_400, up=up)
    wish = Wish(slug=GAME, seats=1 + len(others), options={"first": "1"}, pace=pace)
    table_id = await server.states.find_id(await lobby.open_table(server, host, wish))
    for other in others:
        await lobby.sit(server, other, table_id)
    await lobby.start(server, host, table_id)
    await timekeeping.beat(server)
    return table_id


async def live_through(server: Server, passing: Passing, seconds: float) -> None:
    """Time passes while our servers are there."""
    async with server.engine.begin() as connection:
        await passing(seconds=seconds)
        await connection.execute(text("UPDATE watch SET at = now()"))


async def clock_of(server: Server, table_id: int, seat: int) -> Clock:
    return (await server.states.newest(table_id)).clocks()[seat]


async def kinds(server: Server, table_id: int) -> list[str]:
    return [mark.kind for mark in (await server.states.newest(table_id)).facts.marks]


async def step(server: Server, table_id: int, me: Me, seat: int) -> Held:
    held = await server.states.newest(table_id)
    assert held.position is not None
    since = held.position.waiting[seat]
    return await tables.act(server, table_id, seat=seat, text=legal(held, seat)[0], since=since, me=me)


async def test_time_is_up_once_however_many_processes_notice(
    passing: Passing, server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob, up="remind")
    keepers = [Keeper(server), Keeper(other_server)]
    await live_through(server, passing, 590)
    assert await asyncio.gather(*(each.sweep() for each in keepers)) == [0, 0]
    await live_through(server, passing, 20)
    for _ in range(3):
        await asyncio.gather(*(each.sweep() for each in keepers))
    assert await kinds(server, table_id) == ["up"]
    assert (await clock_of(other_server, table_id, 0)).up
    held = await step(server, table_id, alice, 0)  # a reminder, no more
    assert held.version == 1


async def test_whose_time_is_up_is_told_unless_the_turn_was_made(
    passing: Passing, later: Callable[..., None], server: Server, alice: Me, bob: Me
) -> None:
    async with server.engine.begin() as connection:
        change = text("UPDATE users SET email = 'alice@example.org', email_confirmed_at = now() WHERE id = :id")
        await connection.execute(change, {"id": alice.id})
    teller, prepare = Teller(server), notices.prepare(server)
    table_id = await opened(server, alice, bob, up="remind", kind="turn")
    await live_through(server, passing, 86_500)
    later(seconds=86_500)
    await Keeper(server).sweep()
    assert await teller.tell_due() == 1
    assert await teller.tell_due() == 0
    async with server.sessions() as session:
        (letter,) = (await session.execute(select(Letter))).scalars()
        user = await session.get_one(User, alice.id)
        found = await prepare(session, letter, user)
    assert letter.email == "alice@example.org"
    assert found is not None
    assert [each.kind for each in found["news"]] == ["time_up"], "which tells of the turn as well"
    await turn(server, table_id, [alice, bob])
    async with server.sessions() as session:
        assert await prepare(session, letter, user) is None


async def test_time_that_was_up_before_a_table_was_set_back_is_told_to_nobody(
    passing: Passing, later: Callable[..., None], server: Server, alice: Me, bob: Me
) -> None:
    """And when it is up once more, that is told, though it is the same turn."""
    async with server.engine.begin() as connection:
        change = text("UPDATE users SET email = 'a@example.org', email_confirmed_at = now() WHERE id = :id")
        await connection.execute(change, {"id": alice.id})
    ada = await official(server, "Ada", "admin")
    teller = Teller(server)
    table_id = await opened(server, alice, bob, up="remind", kind="turn")

    async def told(seconds: float) -> list[str]:
        """What Alice is told after so long; each letter has left before the next."""
        await live_through(server, passing, seconds)
        later(seconds=seconds)
        await Keeper(server).sweep()
        await teller.tell_due()
        async with server.engine.begin() as connection:
            found = await connection.execute(text("DELETE FROM letters RETURNING facts->'items'"))
            return [item["kind"] for (items,) in found for item in items]

    assert await told(3600) == ["turn"]
    assert await told(83_000) == ["time_up"]
    await turn(server, table_id, [alice, bob])
    await rewinding.rewind(server, ada, table_id, to=0, reason="agreed")
    assert await told(10) == []
    assert await told(3600) == ["turn"]
    assert await told(83_000) == ["time_up"]
    assert await told(3600) == []
    await turn(server, table_id, [alice, bob])
    await rewinding.rewind(server, ada, table_id, to=0, reason="agreed again")
    assert await told(3600) == ["turn"], "within a day of the time that was up"


async def test_two_processes_and_a_restart_read_the_same_clocks(
    passing: Passing, server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob, up="bot")
    for _ in range(6):
        await live_through(server, passing, 30)
        held = await play(server, table_id, [alice, bob], moves=1)
    mine = held.clocks()
    assert mine == (await other_server.states.newest(table_id)).clocks()
    server.states.forget(table_id)
    assert mine == (await server.states.newest(table_id)).clocks()
    assert all(clock.left.total_seconds() < 620 for clock in mine)


async def test_a_bot_plays_the_turn_and_the_person_the_next_one(
    passing: Passing, server: Server, other_server: Server, config: Settings, alice: Me, bob: Me, eventually: Any
) -> None:
    table_id = await opened(server, alice, bob, up="bot")
    await live_through(server, passing, 601)
    assert await Keeper(server).sweep() == 1
    with pytest.raises(TimeUp):
        await step(server, table_id, alice, 0)
    bus = Bus(config.database_url)
    playing = asyncio.create_task(Runner(other_server, bus, pause=0.0).run())

    async def bobs_turn() -> bool:
        held = await server.states.newest(table_id)
        return held.position is not None and set(held.position.waiting) == {1}

    await eventually(bobs_turn, seconds=60)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    held = await server.states.newest(table_id)
    assert held.facts.seats[0].user_id == alice.id
    assert not any(line.person for line in held.lines)
    assert held.clocks()[0].left.total_seconds() == 10


async def test_what_a_bot_played_because_time_was_up_is_not_taken_back(
    passing: Passing, server: Server, alice: Me, bob: Me
) -> None:
    wish = Wish(slug="amyitis", seats=2, pace=Pace("live", 600, 10, up="bot"))
    table_id = await server.states.find_id(await lobby.open_table(server, alice, wish))
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    await timekeeping.beat(server)
    held = await server.states.newest(table_id)
    assert held.position is not None
    (seat,) = held.position.waiting
    await live_through(server, passing, 601)
    assert await Keeper(server).sweep() == 1
    while (held := await server.states.newest(table_id)).position and seat in held.position.waiting:
        since = held.position.waiting[seat]
        text = legal(held, seat)[0]
        held = await tables.act(server, table_id, seat=seat, text=text, since=since, me=None, bot=True)
    position = held.position
    assert position is not None and tables.undo_fault(position, seat) is None, "the rules would allow it"
    assert tables.look(held, seat).undo is not None
    latest = tables.latest_of(position, seat)
    for whole in (False, True):
        with pytest.raises(TimeUp):
            await tables.undo(server, table_id, seat=seat, latest=latest, whole_turn=whole, me=[alice, bob][seat])


async def test_what_was_played_late_is_not_taken_back_where_a_substitute_may_come(
    passing: Passing, server: Server, alice: Me, bob: Me
) -> None:
    wish = Wish(slug="amyitis", seats=2, pace=Pace("live", 600, 10, up="substitute"))
    table_id = await server.states.find_id(await lobby.open_table(server, alice, wish))
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    await timekeeping.beat(server)
    held = await server.states.newest(table_id)
    assert held.position is not None
    (seat,) = held.position.waiting
    me, began = [alice, bob][seat], held.turns[-1][seat]
    await live_through(server, passing, 601)
    assert await Keeper(server).sweep() == 1
    await live_through(server, passing, 250)

    async def undo(held: Held) -> Held:
        assert held.position is not None
        latest = tables.latest_of(held.position, seat)
        return await tables.undo(server, table_id, seat=seat, latest=latest, whole_turn=False, me=me)

    steps = 0
    while held.turns[-1].get(seat) == began:
        held = await step(server, table_id, me, seat)
        steps += 1
        if steps == 1 and held.turns[-1].get(seat) == began:
            assert tables.look(held, seat).undo is None
            held = await undo(held)  # the turn lasts, and so does the offer
            assert held.clocks()[seat].up
    assert held.position is not None and tables.undo_fault(held.position, seat) is None, "the rules would allow it"
    assert tables.look(held, seat).undo is not None
    with pytest.raises(PlayedLate):
        await undo(held)
    await live_through(server, passing, 300)
    assert await Keeper(server).sweep() == 0
    assert (await server.states.newest(table_id)).facts.seats[seat].user_id == me.id


async def test_a_seat_whose_time_is_up_may_be_taken_or_kept_by_its_owner(
    passing: Passing, server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    table_id = await opened(server, alice, bob, up="substitute")
    await live_through(server, passing, 601)
    await Keeper(server).sweep()
    offer = (await server.states.newest(table_id)).facts.seats[0].offer
    assert len(offer) >= 20
    held = await step(server, table_id, alice, 0)
    while held.position is not None and 0 in held.position.waiting:
        held = await step(server, table_id, alice, 0)
    with pytest.raises(NoOffer):
        await substitutes.substitute(server, eve, offer)


async def test_a_substitute_takes_the_seat_with_all_the_time(
    passing: Passing, server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    table_id = await opened(server, alice, bob, up="substitute")
    await live_through(server, passing, 601)
    await Keeper(server).sweep()
    offer = (await server.states.newest(table_id)).facts.seats[0].offer
    await substitutes.substitute(server, eve, offer)
    held = await server.states.newest(table_id)
    assert held.facts.seats[0].user_id == eve.id
    assert (held.clocks()[0].up, held.clocks()[0].left.total_seconds()) == (False, 600)
    assert await kinds(server, table_id) == ["up", "sat"]


async def test_when_nobody_takes_the_seat_in_time_a_bot_does(
    passing: Passing, server: Server, other_server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    table_id = await opened(server, alice, bob, up="substitute")
    await live_through(server, passing, 601)
    await Keeper(server).sweep()
    offer = (await server.states.newest(table_id)).facts.seats[0].offer
    await live_through(server, passing, 301)
    await asyncio.gather(Keeper(server).sweep(), Keeper(other_server).sweep())
    held = await server.states.newest(table_id)
    assert (held.facts.seats[0].user_id, held.facts.seats[0].bot, held.facts.host_id) == (None, "greedy", bob.id)
    assert await kinds(server, table_id) == ["up", "gone"]
    with pytest.raises(NoOffer):
        await substitutes.substitute(server, eve, offer)


async def test_when_only_those_are_left_who_agreed_the_game_is_called_off(
    passing: Passing, server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob, up="substitute")
    await endings.wish_to_cancel(server, bob, table_id, wish=True)
    await live_through(server, passing, 601)
    await Keeper(server).sweep()
    assert (await server.states.newest(table_id)).facts.status == "playing", "Alice may still come"
    await live_through(server, passing, 301)
    await Keeper(server).sweep()
    facts = (await server.states.newest(table_id)).facts
    assert (facts.status, facts.ended) == ("cancelled", "agreed")
    assert [mark.kind for mark in facts.marks] == ["wish", "up", "gone", "agreed"]


async def test_while_no_server_of_ours_is_there_nobodys_time_runs(
    passing: Passing, server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob, up="bot")
    before = (await clock_of(server, table_id, 0)).deadline
    await passing(hours=5)
    assert await Keeper(server).sweep() == 0
    await asyncio.gather(timekeeping.beat(server), timekeeping.beat(other_server))
    assert await Keeper(server).sweep() == 0
    after = (await clock_of(server, table_id, 0)).deadline
    assert before is not None and after is not None
    assert 5 * 3600 <= (after - before).total_seconds() < 5 * 3600 + 10
    async with server.engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM outages"))).scalar_one() == 1


async def test_a_pause_costs_nobody_time_whoever_pauses(passing: Passing, server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob, up="bot")
    before = (await clock_of(server, table_id, 0)).deadline

    async def pause(*, paused: bool) -> None:
        async with server.engine.begin() as connection:
            change = text("UPDATE tables SET paused = :paused, changed = changed + 1 WHERE id = :id")
            await connection.execute(change, {"paused": paused, "id": table_id})

    await pause(paused=True)
    assert (await clock_of(server, table_id, 0)).deadline is None
    await live_through(server, passing, 3600)
    assert await Keeper(server).sweep() == 0
    await pause(paused=False)
    assert await Keeper(server).sweep() == 0
    after = (await clock_of(server, table_id, 0)).deadline
    assert before is not None and after is not None
    assert 3600 <= (after - before).total_seconds() < 3700
    assert await kinds(server, table_id) == ["paused", "resumed"]


async def test_quiet_hours_are_those_of_when_the_game_began(
    passing: Passing, server: Server, alice: Me, bob: Me
) -> None:
    async def choose(quiet: str) -> None:
        async with server.engine.begin() as connection:
            change = text("UPDATE users SET quiet = :quiet, time_zone = 'Asia/Tokyo' WHERE id = :id")
            await connection.execute(change, {"quiet": quiet, "id": alice.id})

    await choose("22-7")
    table_id = await opened(server, alice, bob, up="remind", kind="turn")
    await choose("0-12")
    held = await server.states.newest(table_id)
    assert [seat.quiet for seat in held.facts.seats] == ["22-7 Asia/Tokyo", ""]
    deadline, begun = held.clocks()[0].deadline, held.facts.started_at
    assert deadline is not None and begun is not None
    assert (deadline - begun).total_seconds() > 86_400


async def test_a_table_without_clocks_waits_as_long_as_it_takes(
    passing: Passing, server: Server, alice: Me, bob: Me
) -> None:
    table_id = await server.states.find_id(await lobby.open_table(server, alice, Wish(slug=GAME, seats=2)))
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    await timekeeping.beat(server)
    await live_through(server, passing, 10**7)
    assert await Keeper(server).sweep() == 0
    assert (await server.states.newest(table_id)).clocks() == ()


@pytest.mark.parametrize("change", ["", "text = 'dance'"])
async def test_a_table_set_back_has_the_clocks_of_that_moment_whoever_reads_it(
    passing: Passing, server: Server, other_server: Server, alice: Me, bob: Me, change: str
) -> None:
    """Also when the rules of today do not know a move that was dropped."""
    ada = await official(server, "Ada", "admin")
    table_id = await opened(server, alice, bob, up="remind")
    await live_through(server, passing, 20)
    await step(server, table_id, alice, 0)
    then = [each.left for each in (await server.states.newest(table_id)).clocks()]
    for _ in range(4):
        await live_through(server, passing, 50)
        seat = min((await server.states.newest(table_id)).turns[-1])
        await step(server, table_id, [alice, bob][seat], seat)
    if change:
        await spoil(server, table_id, 3, change)
        server.states.forget(table_id)
    await rewinding.rewind(server, ada, table_id, to=1, reason="agreed")
    for each in (server, other_server):
        held = await each.states.newest(table_id)
        assert [clock.left for clock in held.clocks()] == then
        assert len(held.turns) == held.version + 1
    await live_through(server, passing, 30)
    seat = min(held.turns[-1])
    here, there = await step(server, table_id, [alice, bob][seat], seat), await other_server.states.newest(table_id)
    assert here.clocks() != () and [clock.left for clock in here.clocks()] == [clock.left for clock in there.clocks()]


async def test_a_table_set_back_gives_no_seat_away_whose_time_was_up_then(
    passing: Passing, server: Server, alice: Me, bob: Me
) -> None:
    ada = await official(server, "Ada", "admin")
    table_id = await opened(server, alice, bob, up="substitute")
    await live_through(server, passing, 601)
    await Keeper(server).sweep()
    await live_through(server, passing, 20)
    held = await server.states.newest(table_id)
    while held.position is not None and 0 in held.position.waiting:
        held = await step(server, table_id, alice, 0)
    await live_through(server, passing, 400)
    await rewinding.rewind(server, ada, table_id, to=0, reason="agreed")
    assert await Keeper(server).sweep() == 0
    held = await server.states.newest(table_id)
    assert (held.facts.seats[0].user_id, await kinds(server, table_id)) == (alice.id, ["up"])
    assert (held.clocks()[0].up, held.clocks()[0].left.total_seconds()) == (False, 600)


async def test_one_table_whose_clocks_cannot_be_read_stops_no_other(
    passing: Passing,
    server: Server,
    alice: Me,
    bob: Me,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, sound = [await opened(server, alice, bob, up="remind") for _ in range(2)]
    read = Held.clocks

    def clocks(self: Held) -> tuple[Clock, ...]:
        if self.facts.id == broken:
            raise ValueError("a zone that is no more")
        return read(self)

    monkeypatch.setattr(Held, "clocks", clocks)
    await live_through(server, passing, 601)
    keeper = Keeper(server)
    assert [await keeper.sweep(), await keeper.sweep()] == [1, 0]
    monkeypatch.undo()
    assert await kinds(server, sound) == ["up"]
    assert [record.levelname for record in caplog.records if str(broken) in record.getMessage()] == ["ERROR"]
    assert await keeper.sweep() == 1


async def test_who_replaces_somebody_whose_time_was_up_begins_with_all_the_time(
    passing: Passing, server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    ada = await official(server, "Ada", "admin")
    table_id = await opened(server, alice, bob, up="substitute")
    await live_through(server, passing, 601)
    await Keeper(server).sweep()
    await live_through(server, passing, 250)
    await acts.replace(server, ada, table_id, seat=0, name="Eve", reason="she plays on")
    await live_through(server, passing, 100)
    assert await Keeper(server).sweep() == 0
    held = await server.states.newest(table_id)
    assert (held.facts.seats[0].user_id, held.clocks()[0].up, held.clocks()[0].left.total_seconds()) == (
        eve.id, False, 600,
    )  # fmt: skip
