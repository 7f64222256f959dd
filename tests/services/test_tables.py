"""At the table: every choice is stored once, in order, or refused by name; nothing is lost between processes."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text

from app.engine import codec, log, notation
from app.services import lobby, tables
from app.services.accounts import Me
from app.services.errors import (
    BadAction,
    DecisionPassed,
    GameOver,
    LogParted,
    NotOver,
    NotSaved,
    NotStarted,
    NotYourDecision,
    NotYourSeat,
)
from app.services.held import Held
from app.services.lobby import Wish
from app.services.server import Server

GAME = "hanging_gardens"


async def opened(server: Server, host: Me, *others: Me) -> int:
    """A table of ours, begun, with these people on its seats; the host moves first."""
    wish = Wish(slug=GAME, seats=1 + len(others), options={"first": "1"} if others else {})
    key = await lobby.open_table(server, host, wish)
    table_id = await server.states.find_id(key)
    for other in others:
        await lobby.sit(server, other, table_id)
    if others:
        await lobby.start(server, host, table_id)
    return table_id


def legal(held: Held, seat: int) -> list[str]:
    assert held.position is not None
    return [notation.write(action) for action in held.game.actions(held.position.state, seat)]


async def play(server: Server, table_id: int, people: list[Me], *, moves: int | None = None) -> Held:
    """Plays on: the first legal action of whoever must choose."""
    held = await server.states.newest(table_id)
    while held.position is not None and not held.position.over and moves != 0:
        seat = min(held.position.waiting)
        since = held.position.waiting[seat]
        held = await tables.act(server, table_id, seat=seat, text=legal(held, seat)[0], since=since, me=people[seat])
        moves = None if moves is None else moves - 1
    return held


@pytest.fixture
async def begun(server: Server, alice: Me, bob: Me) -> AsyncIterator[int]:
    yield await opened(server, alice, bob)


async def test_a_choice_is_stored_and_both_processes_know_it(
    server: Server, other_server: Server, alice: Me, begun: int
) -> None:
    held = await server.states.newest(begun)
    choice = legal(held, 0)[0]
    held = await tables.act(server, begun, seat=0, text=choice, since=0, me=alice)
    elsewhere = await other_server.states.newest(begun)
    assert held.version == elsewhere.version == 1
    assert held.position is not None and elsewhere.position is not None
    assert codec.encode(held.position.state) == codec.encode(elsewhere.position.state)
    assert [line.text for line in elsewhere.lines] == [choice]


async def test_the_same_click_twice_makes_one_move(server: Server, alice: Me, begun: int) -> None:
    held = await server.states.newest(begun)
    choice = legal(held, 0)[0]
    clicks = [tables.act(server, begun, seat=0, text=choice, since=0, me=alice) for _ in range(50)]
    answers = await asyncio.gather(*clicks, return_exceptions=True)
    assert sum(isinstance(answer, Held) for answer in answers) == 1
    assert {type(answer) for answer in answers} <= {Held, DecisionPassed, NotYourDecision}
    assert (await server.states.newest(begun)).version == 1


async def test_the_same_click_in_two_processes_makes_one_move(
    server: Server, other_server: Server, alice: Me, begun: int
) -> None:
    for each in (server, other_server):
        await each.states.newest(begun)
    choice = legal(await server.states.newest(begun), 0)[0]
    answers = await asyncio.gather(
        *(tables.act(each, begun, seat=0, text=choice, since=0, me=alice) for each in (server, other_server) * 10),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, Held) for answer in answers) == 1
    assert (await server.states.newest(begun)).version == 1


async def test_an_old_page_is_told_that_the_table_moved_on(server: Server, alice: Me, bob: Me, begun: int) -> None:
    held = await play(server, begun, [alice, bob], moves=6)
    assert held.position is not None
    seat = min(held.position.waiting)
    me = (alice, bob)[seat]
    with pytest.raises(DecisionPassed):
        await tables.act(server, begun, seat=seat, text=legal(held, seat)[0], since=0, me=me)
    assert (await server.states.newest(begun)).version == held.version


async def test_a_process_that_is_behind_looks_again_before_it_says_no(
    server: Server, other_server: Server, alice: Me, bob: Me, begun: int
) -> None:
    await other_server.states.newest(begun)
    held = await play(server, begun, [alice, bob], moves=3)
    assert held.position is not None
    seat = min(held.position.waiting)
    after = await tables.act(
        other_server,
        begun,
        seat=seat,
        text=legal(held, seat)[0],
        since=held.position.waiting[seat],
        me=(alice, bob)[seat],
    )
    assert after.version == held.version + 1


async def test_nobody_acts_for_another(server: Server, alice: Me, bob: Me, eve: Me, begun: int) -> None:
    choice = legal(await server.states.newest(begun), 0)[0]
    for me in (bob, eve, None):
        with pytest.raises(NotYourSeat):
            await tables.act(server, begun, seat=0, text=choice, since=0, me=me)
    with pytest.raises(NotYourDecision):
        await tables.act(server, begun, seat=1, text=choice, since=0, me=bob)
    for seat in (-1, 2, 99):
        with pytest.raises(NotYourSeat):
            await tables.act(server, begun, seat=seat, text=choice, since=0, me=alice)
    with pytest.raises(NotYourSeat):
        await tables.act(server, begun, seat=0, text=choice, since=0, me=None, bot=True)


async def test_what_is_no_action_or_not_legal_is_refused(server: Server, alice: Me, begun: int) -> None:
    with pytest.raises(BadAction):
        await tables.act(server, begun, seat=0, text="steal:all", since=0, me=alice)
    with pytest.raises(log.Refused) as refused:
        await tables.act(server, begun, seat=0, text="take:1:1:3:0", since=0, me=alice)
    assert refused.value.broken.rule
    assert (await server.states.newest(begun)).version == 0


async def test_a_table_that_has_not_begun_takes_no_moves(server: Server, alice: Me) -> None:
    key = await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    table_id = await server.states.find_id(key)
    with pytest.raises(NotStarted):
        await tables.act(server, table_id, seat=0, text="take:1:1:1:0", since=0, me=alice)


async def test_a_whole_game_is_played_stored_scored_and_written_down(
    server: Server, other_server: Server, alice: Me, bob: Me, begun: int
) -> None:
    with pytest.raises(NotOver):
        tables.written(await server.states.newest(begun))
    held = await play(server, begun, [alice, bob])
    assert held.position is not None and held.position.over
    assert held.facts.status == "over"
    with pytest.raises(GameOver):
        await tables.act(server, begun, seat=0, text="end", since=0, me=alice)
    with pytest.raises(GameOver):
        await tables.undo(server, begun, seat=0, latest=1, whole_turn=False, me=alice)
    elsewhere = await other_server.states.newest(begun)
    assert elsewhere.facts.status == "over"
    written = tables.written(elsewhere)
    assert "score A " in written
    assert held.facts.seed in written
    async with server.engine.connect() as connection:
        stored = (await connection.execute(text("SELECT status, scores, waiting FROM tables"))).one()
    assert stored.status == "over"
    assert stored.waiting == {}
    assert [score["total"] for score in stored.scores] == [
        score.total for score in held.game.scores(held.position.state)
    ]


async def test_undo_takes_back_one_action_once_and_is_refused_when_something_was_revealed(
    server: Server, alice: Me, bob: Me, begun: int
) -> None:
    people = [alice, bob]
    held = await server.states.newest(begun)
    undone = refused = 0
    while held.position is not None and not held.position.over:
        seat = min(held.position.waiting)
        held = await tables.act(
            server,
            begun,
            seat=seat,
            text=legal(held, seat)[-1],
            since=held.position.waiting[seat],
            me=people[seat],
        )
        assert held.position is not None
        last = held.position.played[-1]
        if held.position.over:
            break
        if last.reveals:
            with pytest.raises(log.CannotUndo) as fault:
                await tables.undo(server, begun, seat=seat, latest=last.seq, whole_turn=False, me=people[seat])
            assert fault.value.broken.complaint == "undo_revealed"
            refused += 1
            continue
        before = held.version
        again = [
            tables.undo(server, begun, seat=seat, latest=last.seq, whole_turn=False, me=people[seat])
            for _ in range(3)
        ]
        answers = await asyncio.gather(*again, return_exceptions=True)
        assert sum(isinstance(answer, Held) for answer in answers) == 1
        assert {type(answer) for answer in answers} <= {Held, DecisionPassed, log.CannotUndo}
        held = await server.states.newest(begun)
        assert held.version == before + 1
        assert held.position is not None
        assert last.seq not in {item.seq for item in held.position.played}
        undone += 1
        held = await tables.act(
            server,
            begun,
            seat=seat,
            text=notation.write(last.action),
            since=held.position.waiting[seat],
            me=people[seat],
        )
    assert undone and refused


async def test_an_earlier_moment_is_seen_without_disturbing_anybody(
    server: Server, alice: Me, bob: Me, begun: int
) -> None:
    held = await play(server, begun, [alice, bob], moves=7)
    assert held.position is not None
    now = tables.look(held, 0)
    then = tables.look(held, 0, at=3)
    assert now.live and not then.live
    assert then.actions == ()
    assert codec.encode(then.view) == codec.encode(held.game.view(held.at(3).state, 0))
    assert held.version == 7


async def test_bots_act_only_for_seats_that_bots_hold(server: Server, alice: Me) -> None:
    key = await lobby.open_table(server, alice, Wish(slug=GAME, seats=2, options={"first": "2"}, bot="random"))
    table_id = await server.states.find_id(key)
    held = await server.states.newest(table_id)
    with pytest.raises(NotYourSeat):
        await tables.act(server, table_id, seat=1, text=legal(held, 1)[0], since=0, me=alice)
    held = await tables.act(server, table_id, seat=1, text=legal(held, 1)[0], since=0, me=None, bot=True)
    assert held.version == 1


async def test_a_lost_database_is_never_reported_as_success(server: Server, alice: Me, begun: int) -> None:
    held = await server.states.newest(begun)
    choice = legal(held, 0)[0]
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries RENAME TO entries_gone"))
    with pytest.raises(NotSaved):
        await tables.act(server, begun, seat=0, text=choice, since=0, me=alice)
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries_gone RENAME TO entries"))
    assert (await server.states.newest(begun)).version == 0
    assert (await tables.act(server, begun, seat=0, text=choice, since=0, me=alice)).version == 1


async def test_a_log_that_no_longer_leads_where_it_did_is_named(
    server: Server, other_server: Server, alice: Me, bob: Me, begun: int
) -> None:
    await play(server, begun, [alice, bob], moves=4)
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
        await connection.execute(text("UPDATE entries SET digest = 'other' WHERE seq = 4"))
    for _ in range(3):
        with pytest.raises(LogParted) as fault:
            await other_server.states.newest(begun)
        assert fault.value.facts["seq"] == 4
    assert other_server.states.known(begun) is None


@pytest.mark.parametrize("seed", range(6))
async def test_a_leaver_never_wedges_a_table(server: Server, alice: Me, bob: Me, begun: int, seed: int) -> None:
    """At any decision point the others can finish, and the log replays to the same state."""
    people = [alice, bob]
    held = await play(server, begun, people, moves=seed * 5)
    leaver = seed % 2
    await lobby.leave(server, people[leaver], begun)
    held = await server.states.newest(begun)
    assert held.facts.seats[leaver].bot
    while held.position is not None and not held.position.over:
        seat = min(held.position.waiting)
        bot = seat == leaver
        held = await tables.act(
            server,
            begun,
            seat=seat,
            text=legal(held, seat)[0],
            since=held.position.waiting[seat],
            me=None if bot else people[seat],
            bot=bot,
        )
    server.states.forget(begun)
    again = await server.states.newest(begun)
    assert again.position is not None and held.position is not None
    assert codec.digest(again.position.state) == codec.digest(held.position.state)
