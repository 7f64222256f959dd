"""Leaving in play: a bot stands in at once, who left may come back, a substitute may take over, and whoever comes or
goes at whatever moment of whatever game, it goes on and can be replayed (A15)."""

import asyncio
import random
from typing import Any

import pytest
from sqlalchemy import text

from app import games
from app.bots.runner import Runner
from app.config import Settings
from app.engine import codec, log
from app.engine.bots import RandomBot
from app.engine.playout import chosen, playout
from app.live.bus import Bus
from app.services import endings, lobby, substitutes, tables
from app.services.accounts import Me
from app.services.errors import GameOver, GaveUp, HasSeat, NoOffer, NotYourSeat
from app.services.facts import TableFacts
from app.services.held import Held
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person
from tests.services.test_tables import legal, opened, play


async def facts(server: Server, table_id: int) -> TableFacts:
    return (await server.states.newest(table_id)).facts


async def test_who_left_may_come_back_from_the_bot_and_plays_on(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob], moves=3)
    await lobby.leave(server, bob, table_id)
    left = await facts(server, table_id)
    assert (left.seats[1].bot, left.seats[1].left, left.seat_left_by(bob.id)) == (lobby.STAND_IN, "Bob", 1)
    for _ in range(2):
        assert await substitutes.reclaim(server, bob, table_id) == 1
    back = await facts(server, table_id)
    assert (back.seats[1].user_id, back.seats[1].bot, back.seats[1].offer, back.seats[1].left_id) == (
        bob.id, "", "", None,
    )  # fmt: skip
    held = await play(server, table_id, [alice, bob])
    assert held.facts.status == "over"


async def test_a_substitute_takes_over_and_who_left_is_too_late(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob], moves=2)
    await lobby.leave(server, bob, table_id)
    offer = (await facts(server, table_id)).seats[1].offer
    assert len(offer) >= 20
    with pytest.raises(HasSeat):
        await substitutes.substitute(server, alice, offer)
    assert await substitutes.substitute(server, eve, offer) == table_id
    for late in (bob, eve):
        with pytest.raises(NoOffer):
            await substitutes.substitute(server, late, offer)
    with pytest.raises(NotYourSeat):
        await substitutes.reclaim(server, bob, table_id)
    held = await play(server, table_id, [alice, eve])
    assert held.facts.status == "over"


async def test_who_takes_over_another_seat_has_given_up_their_own(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    table_id = await opened(server, alice, bob, eve)
    for who in (bob, eve):
        await lobby.leave(server, who, table_id)
    seats = (await facts(server, table_id)).seats
    await substitutes.substitute(server, bob, seats[2].offer)
    assert await substitutes.reclaim(server, bob, table_id) == 2
    now = (await facts(server, table_id)).seats
    assert [seat.user_id for seat in now] == [alice.id, None, bob.id]
    assert await substitutes.substitute(server, eve, now[1].offer) == table_id


async def test_who_gave_up_takes_no_other_seat(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob, eve)
    await endings.concede(server, alice, table_id)
    await lobby.leave(server, bob, table_id)
    with pytest.raises(GaveUp):
        await substitutes.substitute(server, alice, (await facts(server, table_id)).seats[1].offer)
    assert (await facts(server, table_id)).seats[1].left_id == bob.id


async def test_who_comes_back_has_the_quiet_hours_they_had(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    async def choose(me: Me, quiet: str) -> None:
        async with server.engine.begin() as connection:
            change = text("UPDATE users SET quiet = :quiet, time_zone = 'Asia/Tokyo' WHERE id = :id")
            await connection.execute(change, {"quiet": quiet, "id": me.id})

    async def sit(me: Me) -> str:
        await substitutes.substitute(server, me, (await facts(server, table_id)).seats[1].offer)
        return (await facts(server, table_id)).seats[1].quiet

    await choose(bob, "22-7")
    table_id = await opened(server, alice, bob)
    await choose(bob, "0-12")
    await lobby.leave(server, bob, table_id)
    assert await sit(bob) == "22-7 Asia/Tokyo"
    await lobby.leave(server, bob, table_id)
    assert await sit(eve) == ""


async def test_a_game_with_a_substitute_is_not_rated_one_that_was_only_left_for_a_while_is(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    for taker, rated in ((bob, True), (eve, False)):
        table_id = await opened(server, alice, bob)
        await lobby.leave(server, bob, table_id)
        await substitutes.substitute(server, taker, (await facts(server, table_id)).seats[1].offer)
        async with server.engine.connect() as connection:
            found = await connection.execute(text(f"SELECT rated FROM tables WHERE id = {table_id}"))
        assert found.scalar_one() is rated


async def test_of_a_return_and_a_substitute_at_once_one_sits_down(
    server: Server, other_server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    for _ in range(4):
        table_id = await opened(server, alice, bob)
        await lobby.leave(server, bob, table_id)
        offer = (await facts(server, table_id)).seats[1].offer
        answers = await asyncio.gather(
            substitutes.reclaim(server, bob, table_id),
            substitutes.substitute(other_server, eve, offer),
            return_exceptions=True,
        )
        faults = [type(answer) for answer in answers if isinstance(answer, BaseException)]
        assert faults in ([NotYourSeat], [NoOffer])
        seat = (await facts(server, table_id)).seats[1]
        assert seat.user_id in {bob.id, eve.id} and not seat.bot


async def test_a_host_who_leaves_in_play_passes_the_table_on_and_the_last_one_back_gets_it(
    server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob)
    await lobby.leave(server, alice, table_id)
    assert (await facts(server, table_id)).host_id == bob.id
    await lobby.leave(server, bob, table_id)
    await substitutes.reclaim(server, alice, table_id)
    assert (await facts(server, table_id)).host_id == alice.id


async def test_a_seat_of_a_game_that_is_over_is_nobodys_to_take(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    await lobby.leave(server, bob, table_id)
    offer = (await facts(server, table_id)).seats[1].offer
    held = await server.states.newest(table_id)
    while held.facts.status == "playing":
        held = await step(server, held, [alice, None], random.Random(1))
    for call in (substitutes.reclaim(server, bob, table_id), substitutes.substitute(server, eve, offer)):
        with pytest.raises(GameOver):
            await call
    with pytest.raises(NoOffer):
        await substitutes.substitute(server, eve, "nowhere")


async def step(server: Server, held: Held, people: list[Me | None], chance: random.Random) -> Held:
    """Somebody acts who must: a person, or the bot that stands in for nobody."""
    assert held.position is not None
    seat = chance.choice(sorted(held.position.waiting))
    me = people[seat]
    return await tables.act(
        server,
        held.facts.id,
        seat=seat,
        text=chance.choice(legal(held, seat)),
        since=held.position.waiting[seat],
        me=me,
        bot=me is None,
    )


async def begun(server: Server, slug: str, people: list[Me]) -> Held:
    """A table of any game on which these people have just sat down."""
    key = await lobby.open_table(server, people[0], Wish(slug=slug, seats=len(people)))
    table_id = await server.states.find_id(key)
    for other in people[1:]:
        await lobby.sit(server, other, table_id)
    if len(people) > 1:
        await lobby.start(server, people[0], table_id)
    return await server.states.newest(table_id)


def replayed(held: Held) -> Any:
    """The state that the log leads to from its beginning."""
    entries = (log.Entry(line.seat, line.text) for line in held.lines)
    return log.replay(held.game, held.begin(), entries).state


@pytest.mark.parametrize("slug", sorted(games.games()))
def test_the_bot_that_stands_in_can_choose_at_any_decision_of_any_game(slug: str) -> None:
    """A15: whoever leaves, and whenever, from the position and what that seat may see alone."""
    game, bot = games.load(slug), games.bots(slug)[lobby.STAND_IN]
    tried = 0
    for seats in game.seats:
        if seats == 1:
            continue
        for position in playout(game, seats=seats, seed=f"leaving {seats}", bots=(RandomBot(),)):
            for seat in position.waiting:
                action = chosen(game, position, seat, bot=bot, seed="stand-in")
                assert action in game.actions(position.state, seat)
                tried += 1
    assert tried > 100


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("slug", sorted(games.games()))
async def test_people_come_and_go_at_any_moment_of_any_game_to_its_end(
    server: Server, other_server: Server, slug: str, seed: int
) -> None:
    """A15: from the very first decision on, some leave, some return, some are replaced."""
    chance = random.Random(f"{slug} {seed}")
    numbers = [number for number in games.games()[slug].seats if number > 1]
    people = [await person(server, f"P{number}") for number in range(numbers[seed % len(numbers)])]
    held = await begun(server, slug, people)
    sitting: list[Me | None] = list(people)
    done: set[str] = set()
    while held.facts.status == "playing":
        seat = chance.randrange(len(sitting))
        me, where = sitting[seat], chance.choice((server, other_server))
        if (held.version == 0 and not done) or chance.random() < 0.08:
            if me is not None:
                await lobby.leave(where, me, held.facts.id)
                sitting[seat] = None
                done.add("left")
            elif chance.random() < 0.5 and people[seat].id == held.facts.seats[seat].left_id:
                await substitutes.reclaim(where, people[seat], held.facts.id)
                sitting[seat] = people[seat]
                done.add("returned")
            else:
                other = await person(server, f"S{len(done)}")
                await substitutes.substitute(where, other, held.facts.seats[seat].offer)
                sitting[seat] = people[seat] = other
                done.add("replaced")
            held = await server.states.newest(held.facts.id)
        held = await step(where, await where.states.newest(held.facts.id), sitting, chance)
        held = await server.states.newest(held.facts.id)
    assert "left" in done
    assert held.position is not None and held.position.over
    server.states.forget(held.facts.id)
    again = await server.states.newest(held.facts.id)
    assert again.position is not None
    assert codec.digest(again.position.state) == codec.digest(replayed(again)) == codec.digest(held.position.state)


@pytest.mark.parametrize("slug", sorted(games.games()))
async def test_when_everybody_has_left_the_bots_play_to_the_end(
    server: Server, other_server: Server, config: Settings, slug: str, eventually: Any
) -> None:
    """By the bots' own process, which is told of nothing but the doorbell."""
    count = min(number for number in games.games()[slug].seats if number > 1)
    people = [await person(server, f"P{number}") for number in range(count)]
    held = await begun(server, slug, people)
    bus, ear = Bus(config.database_url), Bus(config.database_url)
    runner = Runner(other_server, ear, pause=0.0)
    server.bells.append(bus.say)
    bus.start()
    ear.start()
    playing = asyncio.create_task(runner.run())
    for me in people:
        await lobby.leave(server, me, held.facts.id)

    async def over() -> bool:
        return (await facts(server, held.facts.id)).status == "over"

    await eventually(over, seconds=120)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await bus.stop()
    await ear.stop()
