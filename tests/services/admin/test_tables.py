"""What admins do to tables: done, on record and told at once, or refused and nothing of it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import text

from app.db.searches import Sought
from app.services import clock, endings, listing, lobby, tables
from app.services.accounts import Me
from app.services.admin import doctor, lists, rewinding, seeing
from app.services.admin import tables as acts
from app.services.errors import (
    BadTable,
    GameOver,
    GaveUp,
    NeedsReason,
    NoSuchEntry,
    NoSuchPerson,
    NoSuchTable,
    NotAllowed,
    NotImpartial,
    NotStarted,
    NotYourSeat,
    SeatTaken,
    TablePaused,
)
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person
from tests.services.admin.acting import lines, opened, stored
from tests.services.test_tables import GAME, legal, play

Act = Callable[[Server, Me, int], Awaitable[Any]]
MODERATORS: dict[str, Act] = {
    "pause": lambda server, me, table: acts.pause(server, me, table, reason="a call"),
    "resume": acts.resume,
    "hide": lambda server, me, table: acts.hide(server, me, table, reason="a rude name"),
    "unhide": acts.unhide,
    "see": lambda server, me, table: seeing.see(server, me, table, seat=0),
    "inspect": seeing.inspect,
    "examine": doctor.examine,
}
ADMINS: dict[str, Act] = {
    "end": lambda server, me, table: acts.end(server, me, table, reason="stuck"),
    "cancel": lambda server, me, table: acts.cancel(server, me, table, reason="a test"),
    "replace": lambda server, me, table: acts.replace(server, me, table, seat=1, bot="greedy", reason="gone"),
    "host": lambda server, me, table: acts.hand_over(server, me, table, seat=1, reason="asked to"),
    "rewind": lambda server, me, table: rewinding.rewind(server, me, table, to=2, reason="agreed"),
    "accept": lambda server, me, table: rewinding.accept(server, me, table, reason="agreed"),
    "export": doctor.export,
}


@pytest.fixture
async def begun(server: Server, alice: Me, bob: Me) -> int:
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob], moves=5)
    return table_id


@pytest.mark.parametrize("name", [*MODERATORS, *ADMINS])
async def test_nobody_without_the_power_does_anything(
    server: Server, alice: Me, mo: Me, begun: int, name: str
) -> None:
    act = {**MODERATORS, **ADMINS}[name]
    before = await stored(server, begun)
    pretending = msgspec.structs.replace(alice, role="owner")
    for me in (alice, pretending, *([mo] if name in ADMINS else [])):
        with pytest.raises(NotAllowed):
            await act(server, me, begun)
    after = await stored(server, begun)
    assert (before.version, before.changed, before.status) == (after.version, after.changed, after.status)
    assert await lines(server) == []


@pytest.mark.parametrize(
    "name", [each for each in (*MODERATORS, *ADMINS) if each not in ("resume", "unhide", "examine")]
)
async def test_an_act_is_one_line_on_the_table_and_everybody_is_told(
    server: Server, other_server: Server, ada: Me, begun: int, name: str
) -> None:
    rung: list[tuple[int, int, int]] = []
    server.bells.append(lambda *notice: rung.append(notice))
    before = await stored(server, begun)
    await {**MODERATORS, **ADMINS}[name](server, ada, begun)
    (line,) = await lines(server)
    assert (line.act, line.actor_id, line.table_id) == (name, ada.id, begun)
    after = await stored(server, begun)
    assert after.changed == before.changed + 1
    assert rung == [(begun, after.version, after.changed)]
    for each in (server, other_server):
        (told,) = (await each.states.newest(begun)).facts.acts
        assert (told.act, told.actor, told.reason) == (name, "Ada", line.reason)


async def test_an_act_that_fails_leaves_no_line_and_a_line_that_fails_no_act(
    server: Server, ada: Me, begun: int
) -> None:
    with pytest.raises(NeedsReason):
        await acts.pause(server, ada, begun, reason="  \n ")
    with pytest.raises(NoSuchTable):
        await acts.pause(server, ada, 999_999, reason="nowhere")
    with pytest.raises(BadTable):
        await acts.replace(server, ada, begun, seat=7, bot="greedy", reason="nobody")
    assert await lines(server) == []
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE audit ADD CONSTRAINT full_up CHECK (false)"))
    with pytest.raises(Exception, match="full_up"):
        await acts.pause(server, ada, begun, reason="a call")
    assert not (await stored(server, begun)).paused


async def test_doing_it_twice_is_one_line(server: Server, mo: Me, begun: int) -> None:
    for _ in range(2):
        await asyncio.gather(*(acts.pause(server, mo, begun, reason="a call") for _ in range(3)))
    for _ in range(2):
        await acts.resume(server, mo, begun)
    assert [line.act for line in await lines(server)] == ["pause", "resume"]


async def test_the_record_cannot_be_changed(server: Server, mo: Me, begun: int) -> None:
    await acts.pause(server, mo, begun, reason="a call")
    for change in ("UPDATE audit SET reason = ''", "DELETE FROM audit"):
        with pytest.raises(Exception, match="append-only"):
            async with server.engine.begin() as connection:
                await connection.execute(text(change))


async def test_nobody_acts_at_a_paused_table_in_any_process_until_it_goes_on(
    server: Server, other_server: Server, mo: Me, alice: Me, bob: Me, begun: int
) -> None:
    held = await other_server.states.newest(begun)
    assert held.position is not None
    seat = min(held.position.waiting)
    choice = {"seat": seat, "text": legal(held, seat)[0], "since": held.position.waiting[seat]}
    await acts.pause(server, mo, begun, reason="a call")
    for each in (server, other_server):
        with pytest.raises(TablePaused):
            await tables.act(each, begun, me=(alice, bob)[seat], **choice)  # type: ignore[arg-type]
        with pytest.raises(TablePaused):
            await tables.undo(each, begun, seat=seat, latest=5, whole_turn=False, me=(alice, bob)[seat])
    assert tables.look(await server.states.newest(begun), seat).actions == ()
    await acts.resume(other_server, mo, begun)
    held = await tables.act(other_server, begun, me=(alice, bob)[seat], **choice)  # type: ignore[arg-type]
    assert held.version == 6
    with pytest.raises(NotStarted):
        waiting = await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
        await acts.pause(server, mo, await server.states.find_id(waiting), reason="too early")


async def test_a_hidden_table_is_not_in_the_lobby_whatever_its_host_says(server: Server, mo: Me, alice: Me) -> None:
    key = await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    table_id = await server.states.find_id(key)
    assert [table.key for table in await listing.list_open(server)] == [key]
    await acts.hide(server, mo, table_id, reason="a rude name")
    assert await listing.list_open(server) == ()
    await acts.unhide(server, mo, table_id)
    assert [table.key for table in await listing.list_open(server)] == [key]


async def test_an_ended_game_has_points_as_they_stand_and_no_rating(
    server: Server, other_server: Server, ada: Me, alice: Me, begun: int
) -> None:
    held = await server.states.newest(begun)
    assert held.position is not None
    points = [score.total for score in held.game.scores(held.position.state)]
    await acts.end(server, ada, begun, reason="it is late")
    table = await stored(server, begun)
    assert (table.status, table.ended, table.waiting, table.rated) == ("over", "admin", {}, False)
    async with server.engine.connect() as connection:
        results = (await connection.execute(text("SELECT total, rated, mu FROM results ORDER BY seat"))).all()
    assert [(row.total, row.rated, row.mu) for row in results] == [(each, False, None) for each in points]
    held = await other_server.states.newest(begun)
    look = tables.look(held, 0)
    assert look.over and look.actions == () and [score.total for score in look.scores] == points
    assert "score" not in tables.written(held).splitlines()[-1]
    with pytest.raises(GameOver):
        await tables.act(server, begun, seat=0, text="end", since=0, me=alice)
    for again in (acts.end, acts.cancel, acts.pause):
        with pytest.raises(GameOver):
            await again(server, ada, begun, reason="again")


async def test_a_cancelled_table_has_no_result(server: Server, ada: Me, begun: int) -> None:
    await acts.cancel(server, ada, begun, reason="opened by mistake")
    table = await stored(server, begun)
    assert (table.status, table.ended, table.waiting) == ("cancelled", "admin", {})
    async with server.engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM results"))).scalar_one() == 0


async def test_a_seat_goes_to_a_bot_or_to_somebody_else_and_the_host_moves_on(
    server: Server, ada: Me, alice: Me, bob: Me, begun: int
) -> None:
    carol = await person(server, "Carol")
    await acts.replace(server, ada, begun, seat=0, bot="random", reason="left without a word")
    table = await stored(server, begun)
    assert (table.host_id, table.rated) == (bob.id, False)
    await acts.replace(server, ada, begun, seat=0, name="carol", reason="she plays on")
    facts = (await server.states.newest(begun)).facts
    assert [(seat.user_id, seat.bot) for seat in facts.seats] == [(carol.id, ""), (bob.id, "")]
    assert facts.seat_of(alice.id) is None and facts.seat_left_by(alice.id) is None
    with pytest.raises(SeatTaken):
        await acts.replace(server, ada, begun, seat=0, name="Bob", reason="twice")
    with pytest.raises(NoSuchPerson):
        await acts.replace(server, ada, begun, seat=0, name="Nobody", reason="who?")
    with pytest.raises(BadTable):
        await acts.replace(server, ada, begun, seat=0, reason="empty in play")
    with pytest.raises(BadTable):
        await acts.replace(server, ada, begun, seat=0, bot="sargon", reason="no such bot")


async def test_who_replaces_somebody_has_said_nothing_that_they_said(
    server: Server, ada: Me, alice: Me, bob: Me, eve: Me
) -> None:
    carol, dora = await person(server, "Carol"), await person(server, "Dora")
    table_id = await opened(server, alice, bob, carol)
    async with server.engine.begin() as connection:
        change = text("UPDATE users SET quiet = '22-7', time_zone = 'Asia/Tokyo' WHERE id = :id")
        await connection.execute(change, {"id": eve.id})
    await endings.wish_to_cancel(server, alice, table_id, wish=True)
    await endings.concede(server, carol, table_id)
    with pytest.raises(GaveUp):
        await acts.replace(server, ada, table_id, seat=0, name="Carol", reason="she is back")
    await acts.replace(server, ada, table_id, seat=0, name="Eve", reason="she plays on")
    await acts.replace(server, ada, table_id, seat=2, name="Dora", reason="she plays on")
    await endings.wish_to_cancel(server, bob, table_id, wish=True)
    facts = (await server.states.newest(table_id)).facts
    assert facts.status == "playing"
    assert [(seat.user_id, seat.cancels, seat.conceded_id, seat.conceded_at, seat.quiet) for seat in facts.seats] == [
        (eve.id, False, None, None, "22-7 Asia/Tokyo"),
        (bob.id, True, None, None, ""),
        (dora.id, False, None, None, ""),
    ]
    await acts.replace(server, ada, table_id, seat=0, bot="greedy", reason="asleep")
    assert (await server.states.newest(table_id)).facts.seats[0].quiet == ""


async def test_another_becomes_host(server: Server, ada: Me, bob: Me, begun: int) -> None:
    await acts.hand_over(server, ada, begun, seat=1, reason="Alice is away")
    assert (await stored(server, begun)).host_id == bob.id
    await acts.replace(server, ada, begun, seat=0, bot="random", reason="left")
    for nobody in (0, 5, -1):
        with pytest.raises(NotYourSeat):
            await acts.hand_over(server, ada, begun, seat=nobody, reason="nobody there")


async def test_a_table_is_set_back_by_one_more_entry(
    server: Server, other_server: Server, ada: Me, alice: Me, bob: Me, begun: int
) -> None:
    then = (await server.states.newest(begun)).at(2)
    await other_server.states.newest(begun)
    for nowhere in (-1, 5, 99):
        with pytest.raises(NoSuchEntry):
            await rewinding.rewind(server, ada, begun, to=nowhere, reason="agreed")
    assert await rewinding.rewind(server, ada, begun, to=2, reason="agreed by all") == 6
    for each in (server, other_server):
        held = await each.states.newest(begun)
        assert held.position is not None
        assert held.version == 6 and held.position.state == then.state
        assert set(held.position.waiting.values()) == {6}
    table = await stored(server, begun)
    assert set(table.waiting.values()) == {6}
    assert [(line.act, line.facts) for line in await lines(server)] == [("rewind", {"to": 2})]
    held = await play(other_server, begun, [alice, bob])
    assert held.facts.status == "over"
    with pytest.raises(GameOver):
        await rewinding.rewind(server, ada, begun, to=2, reason="too late")


async def test_looking_needs_a_fresh_line_of_ones_own(
    server: Server, mo: Me, ada: Me, begun: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = await seeing.see(server, mo, begun, seat=1, reason="a report")
    assert await seeing.check_noted(server, mo, begun, line=line, act=seeing.SEE) == 1
    for me, number, act in ((ada, line, "see"), (mo, line, "inspect"), (mo, line + 1, "see"), (mo, 0, "see")):
        with pytest.raises(NotAllowed):
            await seeing.check_noted(server, me, begun, line=number, act=act)
    with pytest.raises(NotAllowed):
        await seeing.check_noted(server, mo, begun + 1, line=line, act="see")
    later = clock.now() + timedelta(minutes=31)
    monkeypatch.setattr(clock, "now", lambda: later)
    with pytest.raises(NotAllowed):
        await seeing.check_noted(server, mo, begun, line=line, act=seeing.SEE)


async def test_who_sits_at_a_table_does_not_look_into_it(server: Server, alice: Me, mo: Me, ada: Me) -> None:
    table_id = await opened(server, alice, mo)
    for look in (seeing.see(server, mo, table_id, seat=0), seeing.inspect(server, mo, table_id)):
        with pytest.raises(NotImpartial):
            await look
    assert await lines(server) == []
    assert await seeing.see(server, ada, table_id, seat=None)


async def test_tables_are_found_by_number_name_game_state_and_what_is_the_matter(
    server: Server, mo: Me, alice: Me, begun: int
) -> None:
    private = await lobby.open_table(server, alice, Wish(slug=GAME, seats=3, public=False))
    private_id = await server.states.find_id(private)

    async def found(**sought: Any) -> set[int]:
        return {table.id for table in (await lists.search(server, mo, Sought(**sought))).tables}

    assert await found() == {begun, private_id}
    assert await found(private=False) == {begun}
    assert (
        await found(state="waiting") == {private_id} == await found(text=private) == await found(text=str(private_id))
    )
    assert await found(text="bo") == {begun} and await found(text="ALICE") == {begun, private_id}
    assert await found(text="nobody") == set() and await found(slug="amyitis") == set()
    assert await found(stuck=True) == set()
    await acts.pause(server, mo, begun, reason="a call")
    assert await found(stuck=True) == {begun}
    with pytest.raises(NotAllowed):
        await lists.search(server, alice, Sought())
    with pytest.raises(NoSuchTable):
        await lists.show(server, mo, 999_999)
    assert (await lists.show(server, mo, begun)).paused


async def test_a_list_goes_on_where_it_ended(
    server: Server, mo: Me, alice: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "PAGE", 2)
    for _ in range(5):
        await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    seen: list[int] = []
    before = ""
    for _ in range(3):
        found = await lists.search(server, mo, Sought(), before=before)
        seen += [table.id for table in found.tables]
        before = found.earlier
        assert found.total == 5
    assert len(set(seen)) == 5 and before == ""
    assert len((await lists.search(server, mo, Sought(), before="nonsense_x")).tables) == 2
