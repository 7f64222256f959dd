"""What ends a turn is asked once more, what is forced is done by itself: for those who wish it, telling nothing."""

import re
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from app import games
from app.db import tables as queries
from app.engine import log, notation
from app.engine.playout import playout
from app.services import hotseat, lobby, preferences, tables
from app.services.accounts import Me
from app.services.errors import NotSure
from app.services.foresight import GAME, SHOWS, TURN, forced, last_step
from app.services.held import Held
from app.services.lobby import Wish
from app.services.playing import Playing
from app.services.server import Server
from tests.services.test_analysis import table

GAMES = ["babylon", "hanging_gardens", "amyitis"]


def positions(slug: str, seed: str = "foresight") -> list[log.Position[Any]]:
    """Every position of a game at random."""
    return list(playout(games.load(slug), seats=2, seed=seed, bots=[games.bots(slug)["random"]]))


def moved(held: Held, position: log.Position[Any], **wishes: bool) -> Held:
    """The table as it stood then, with people who wish so."""
    held.position = position
    seats = tuple(
        msgspec.structs.replace(each, user_id=1 + at, bot="", **wishes) for at, each in enumerate(held.facts.seats)
    )
    held.facts = msgspec.structs.replace(held.facts, seats=seats, status="playing")
    return held


@pytest.mark.parametrize("slug", GAMES)
def test_what_is_asked_is_what_happens_and_never_in_a_turn_of_one_step(slug: str) -> None:
    game = games.load(slug)
    asked = set()
    found = positions(slug)
    for before, after in pairwise(found):
        made = after.played[-1]
        step = last_step(game, before, made.seat, made.action)
        earlier = [item for item in before.played if (item.seat, item.turn) == (made.seat, made.turn)]
        goes_on = any((each.seat, each.turn) == (made.seat, made.turn) for each in game.decisions(after.state))
        if not earlier or len(game.actions(before.state, made.seat)) < 2:
            assert step is None
        elif after.over:
            assert step in {GAME, TURN}
        elif not goes_on:
            assert step == TURN
        else:
            assert step == (SHOWS if made.reveals else None)
        asked.add(step)
    assert {None, TURN} <= asked


@pytest.mark.parametrize("slug", GAMES)
def test_only_what_everybody_knows_to_be_forced_is_done_by_itself(slug: str) -> None:
    held = table(slug, entries=None, seats=2)
    held.lines = []
    often = 0
    for seed in ("one", "two"):
        for position in positions(slug, seed):
            choice = forced(moved(held, position, passes=True), begun=0)
            if choice is None:
                continue
            seat, action, since = choice
            often += 1
            assert since == position.waiting[seat]
            assert list(held.game.actions(position.state, seat)) == [action]
            assert not hotseat.hides(held, seat)
            step = held.game.apply(position.state, seat, action)
            assert not step.reveals
            assert held.game.decisions(step.state)
            assert forced(moved(held, position, passes=False), begun=0) is None
            assert forced(moved(held, position, passes=True), begun=position.version + 1) is None
    assert often or slug == "hanging_gardens", "there, whatever is forced turns over a card"


def test_in_babylon_every_seat_knows_the_same() -> None:
    held = table("babylon", entries=20, seats=2)
    assert not hotseat.hides(held, 0)
    assert not hotseat.hides(held, 1)


async def opened(server: Server, *people: Me, game: str) -> int:
    """A table that has begun."""
    key = await lobby.open_table(server, people[0], Wish(slug=game, seats=len(people)))
    table_id = await server.states.find_id(key)
    for each in people[1:]:
        await lobby.sit(server, each, table_id)
    await lobby.start(server, people[0], table_id)
    return table_id


async def step(server: Server, table_id: int, people: list[Me], *, sure: bool = True, text: str = "") -> Held:
    """Whoever must choose does something, by turns this and that."""
    held = await server.states.newest(table_id)
    assert held.position is not None
    seat = min(held.position.waiting)
    actions = held.game.actions(held.position.state, seat)
    chosen = text or notation.write(actions[(held.version * 7) % len(actions)])
    since = held.position.waiting[seat]
    return await tables.act(server, table_id, seat=seat, text=chosen, since=since, me=people[seat], sure=sure)


async def test_who_wishes_it_is_asked_and_nothing_is_done_before_the_answer(
    server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob, game="babylon")
    await preferences.choose_playing(server, alice, Playing(confirm=True))
    asked: list[NotSure] = []
    for _ in range(80):
        held = await server.states.newest(table_id)
        version = held.version
        try:
            held = await step(server, table_id, [alice, bob], sure=False)
        except NotSure as fault:
            asked.append(fault)
            assert (await server.states.newest(table_id)).version == version
            assert fault.facts["seat"] == 0, "Bob never asked for it"
            await step(server, table_id, [alice, bob], text=str(fault.facts["action"]))
        if held.facts.status == "over":
            break
    assert {fault.facts["step"] for fault in asked} >= {TURN}
    assert any(fault.facts["latest"] for fault in asked)


async def test_what_is_forced_stands_in_the_log_and_an_undo_is_not_in_vain(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob, game="babylon")
    await server.states.newest(table_id)
    await preferences.choose_playing(other_server, alice, Playing(auto_pass=True))
    await preferences.choose_playing(other_server, bob, Playing(auto_pass=True))
    for _ in range(200):
        before = (await server.states.newest(table_id)).version
        held = await step(server, table_id, [alice, bob])
        if held.version > before + 1 or held.facts.status == "over":
            break
    assert held.version == before + 2, "the End that nobody could have avoided"
    last = held.lines[-1]
    assert re.fullmatch("end:.*", last.text)
    assert last.seat is not None
    me = (alice, bob)[last.seat]
    assert held.position is not None
    async with server.sessions() as session:
        [entry] = await queries.list_entries(session, table_id, after=held.version - 1)
    assert entry.user_id == me.id
    stood = held.version
    after = await tables.undo(server, table_id, seat=last.seat, latest=stood, whole_turn=False, me=me)
    assert after.version == stood + 1
    assert after.position is not None
    assert last.seat in after.position.waiting
    assert forced(after, begun=0) is None
    again = await step(server, table_id, [alice, bob], text=last.text)
    assert again.lines[-1].text == last.text


async def test_who_wants_to_be_asked_ends_a_turn_by_their_own_hand(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob, game="babylon")
    for me in (alice, bob):
        await preferences.choose_playing(server, me, Playing(auto_pass=True, confirm=True))
    for _ in range(60):
        before = (await server.states.newest(table_id)).version
        held = await step(server, table_id, [alice, bob])
        assert held.version == before + 1
        if held.facts.status == "over":
            break


def test_whoever_plays_alone_is_never_relieved_of_a_step() -> None:
    held = table("amyitis", entries=None, seats=2)
    held.lines = []
    for position in positions("amyitis"):
        if forced(moved(held, position, passes=True), begun=0):
            held.facts = msgspec.structs.replace(held.facts, seats=held.facts.seats[:1])
            assert forced(held, begun=0) is None
            return
    raise AssertionError("nothing was forced")


async def test_forced_choices_come_to_an_end(
    server: Server, alice: Me, bob: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await opened(server, alice, bob, game="amyitis")

    def always(held: Held, *, begun: int) -> tuple[int, Any, int] | None:
        if held.position is None or held.position.over:
            return None
        seat = min(held.position.waiting)
        return seat, held.game.actions(held.position.state, seat)[0], held.position.waiting[seat]

    monkeypatch.setattr(tables, "forced", always)
    held = await step(server, table_id, [alice, bob])
    assert held.version == 1 + tables.MOST_FORCED
