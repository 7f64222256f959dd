"""Nobody misses a turn, nobody is bothered: one notice a turn, after a while, to who is away, by one process."""

import asyncio

import pytest

from app.services import clock, endings, expiry, hotseat, invitations, lobby, notices, tables, wishes
from app.services.accounts import Me
from app.services.admin import rewinding
from app.services.admin import tables as acts
from app.services.errors import BadChoice, NotYourSeat
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person
from tests.services.admin.acting import official
from tests.services.notified import Post, change, look, look_away, reachable, turn
from tests.services.test_tables import GAME, legal, opened, play

TURN = "Your turn: The Hanging Gardens"
BEGUN = "It has begun: The Hanging Gardens"


@pytest.fixture
async def ada(post: Post) -> Me:
    return await reachable(post.server, "Ada")


@pytest.fixture
async def ben(post: Post) -> Me:
    return await reachable(post.server, "Ben")


async def test_one_notice_a_turn_after_the_delay(post: Post, ada: Me, ben: Me) -> None:
    table_id = await opened(post.server, ada, ben)
    assert await post.after(seconds=90) == []
    assert await post.after(seconds=60) == [f"ada: {TURN}", f"ben: {BEGUN}"]
    for _ in range(3):
        assert await post.after(hours=5) == []
    await turn(post.server, table_id, [ada, ben])
    assert await post.after(minutes=3) == [f"ben: {TURN}"]
    assert await post.after(days=3) == []


async def test_a_turn_that_was_made_in_time_is_told_to_nobody(post: Post, ada: Me, ben: Me) -> None:
    table_id = await opened(post.server, ada, ben)
    await post.after(minutes=3)
    for _ in range(4):
        await turn(post.server, table_id, [ada, ben])
        assert await post.after(seconds=100) == []


async def test_nobody_is_told_who_looks_at_the_table_or_has_touched_it(post: Post, ada: Me, ben: Me) -> None:
    table_id = await opened(post.server, ada, ben)
    for _ in range(20):
        await look(post.server, ada, table_id)
        await look(post.server, ben, table_id)
        assert await post.after(seconds=20) == []
    await look(post.server, ada, table_id, awake=0)
    for me in (ada, ben):
        await look_away(post.server, me, table_id)
    assert await post.after(hours=1) == [f"ben: {BEGUN}"], "Ada has seen that it is her turn"


async def test_a_page_that_nobody_touched_only_puts_the_notice_off(post: Post, ada: Me, ben: Me) -> None:
    """Its screen may have shone on an empty chair."""
    table_id = await opened(post.server, ada, ben)
    await look(post.server, ada, table_id)
    await look(post.server, ben, table_id)
    await look_away(post.server, ada, table_id)
    assert await post.after(seconds=20) == []
    assert await post.after(minutes=2) == [f"ada: {TURN}", f"ben: {BEGUN}"], "Ben's process has not said so for long"


async def test_who_left_just_before_their_turn_is_told_once(post: Post, ada: Me, ben: Me) -> None:
    """A17: closed twenty seconds before, and a hidden tab that stays open."""
    table_id = await opened(post.server, ada, ben)
    await look(post.server, ada, table_id)
    await look(post.server, ben, table_id, awake=0)
    await look_away(post.server, ben, table_id)
    await post.passing(seconds=20)
    await turn(post.server, table_id, [ada, ben])
    assert await post.after(seconds=110) == []
    assert await post.after(seconds=20) == [f"ben: {TURN}"]
    assert await post.after(hours=2) == []


async def test_fast_games_and_outages_make_no_flood(post: Post, ada: Me, ben: Me) -> None:
    """A18: forty moves between two who are there; then thirty turns at five tables while nobody brings letters."""
    played = [await opened(post.server, ada, ben) for _ in range(2)]
    for _ in range(20):
        for table_id in played:
            version = (await post.server.states.newest(table_id)).version
            for me in (ada, ben):
                await look(post.server, me, table_id, awake=version)
            await turn(post.server, table_id, [ada, ben])
        assert await post.after(seconds=8) == []
    made = [await opened(post.server, ada, ben) for _ in range(5)]
    for _ in range(6):
        for each in made:
            await turn(post.server, each, [ada, ben])
        await post.passing(hours=2)
    post.begin()
    assert await post.round() == [], "pages are given time to come back"
    told = await post.after(seconds=30)
    assert len(told) == len({line.partition(":")[0] for line in told}) <= 2
    letters = {each["To"].partition("@")[0]: each for each in post.sink.letters[-len(told) :]}
    waiting = [(await post.server.states.newest(each)).position for each in (*played, *made)]
    for seat, name in enumerate(("ada", "ben")):
        count = sum(position is not None and seat in position.waiting for position in waiting)
        expected = TURN if count == 1 else f"{count} tables wait for you"
        assert letters[name]["Subject"] == expected if count else name not in letters
    assert await post.after(days=1) == []


async def test_letters_that_could_not_be_brought_become_one(post: Post, ada: Me, ben: Me) -> None:
    post.sink.recipient = "450 later"
    for _ in range(4):
        await opened(post.server, ada, ben)
        assert await post.after(minutes=3) == []
    table_id = await opened(post.server, ada, ben)
    await post.after(minutes=3)
    await turn(post.server, table_id, [ada, ben])
    post.sink.recipient = ""
    told = await post.after(days=1)
    assert [line for line in told if line.startswith("ada")] == ["ada: 4 tables wait for you"]
    assert len(told) == 2


@pytest.mark.parametrize(("letters", "hours"), [("hourly", 1), ("daily", 24)])
async def test_a_digest_comes_as_often_as_it_was_asked_for(
    post: Post, ada: Me, ben: Me, letters: str, hours: int
) -> None:
    await wishes.choose(post.server, ben, delay="0", letters="never")
    await wishes.choose(post.server, ada, delay="0", letters=letters)
    first = await opened(post.server, ada, ben)
    assert await post.round() == [f"ada: {TURN}"], "the first comes at once"
    for _ in range(3):
        await opened(post.server, ada, ben)
        assert await post.after(minutes=10) == []
    await turn(post.server, first, [ada, ben])
    assert await post.after(hours=hours) == ["ada: 3 tables wait for you"]
    assert await post.after(days=2) == []


async def test_who_wants_no_letters_or_has_proved_no_address_gets_none(post: Post, ada: Me, ben: Me) -> None:
    await wishes.choose(post.server, ada, delay="2", letters="never")
    await change(post.server, "UPDATE users SET email_confirmed_at = NULL WHERE id = :id", id=ben.id)
    await opened(post.server, ada, ben)
    assert await post.after(hours=1) == []
    for delay, letters in (("3", "now"), ("2", "often"), ("", "")):
        with pytest.raises(BadChoice):
            await wishes.choose(post.server, ada, delay=delay, letters=letters)


async def test_a_table_can_be_muted_and_heard_of_again(post: Post, ada: Me, ben: Me) -> None:
    muted, heard = await opened(post.server, ada, ben), await opened(post.server, ada, ben)
    await notices.mute(post.server, ada, muted, muted=True)
    with pytest.raises(NotYourSeat):
        await notices.mute(post.server, await person(post.server, "Eve"), muted, muted=True)
    assert await post.after(minutes=3) == [f"ada: {TURN}", "ben: News from your tables"]
    key = (await post.server.states.newest(heard)).facts.key
    assert f"{key}" in str(post.sink.letters[-2].get_content())
    await notices.mute(post.server, ada, muted, muted=False)
    assert await post.after(minutes=3) == [f"ada: {TURN}"]


async def test_quiet_hours_are_kept_and_what_waits_comes_together_afterwards(post: Post, ada: Me, ben: Me) -> None:
    await wishes.choose(post.server, ben, delay="2", letters="never")
    hour = clock.now().hour
    await change(
        post.server,
        "UPDATE users SET quiet = :quiet, time_zone = 'UTC' WHERE id = :id",
        quiet=f"{hour}-{(hour + 3) % 24}",
        id=ada.id,
    )
    for _ in range(2):
        await opened(post.server, ada, ben)
        assert await post.after(minutes=30) == []
    assert await post.after(hours=2, minutes=1) == ["ada: 2 tables wait for you"]


async def test_a_letter_that_waited_or_is_tried_again_keeps_quiet_hours_too(post: Post, ada: Me, ben: Me) -> None:
    await wishes.choose(post.server, ben, delay="2", letters="never")
    post.sink.recipient = "450 later"
    await opened(post.server, ada, ben)
    assert await post.after(minutes=3) == []
    post.sink.recipient = ""
    hour = clock.now().hour
    quiet = f"{hour}-{(hour + 3) % 24}"
    await change(post.server, "UPDATE users SET quiet = :quiet WHERE id = :id", quiet=quiet, id=ada.id)
    for _ in range(3):
        assert await post.after(minutes=30) == []
    assert await post.after(hours=1, minutes=31) == [f"ada: {TURN}"]


async def test_who_is_banned_is_told_nothing_until_they_may_come_in_again(post: Post, ada: Me, ben: Me) -> None:
    await wishes.choose(post.server, ben, delay="2", letters="never")
    post.sink.recipient = "450 later"
    await opened(post.server, ada, ben)
    assert await post.after(minutes=3) == []
    post.sink.recipient = ""
    await change(post.server, "INSERT INTO bans (user_id) VALUES (:id)", id=ada.id)
    await opened(post.server, ada, ben)
    for _ in range(3):
        assert await post.after(hours=1) == []
    await change(post.server, "DELETE FROM bans WHERE user_id = :id", id=ada.id)
    assert await post.after(minutes=10) == [f"ada: {TURN}"], "of what still waits and was not told"


async def test_a_turn_that_comes_back_because_a_table_was_set_back_is_told_again(
    post: Post, ada: Me, ben: Me
) -> None:
    table_id = await opened(post.server, ada, ben)
    assert f"ada: {TURN}" in await post.after(minutes=3)
    await turn(post.server, table_id, [ada, ben])
    assert await post.after(minutes=3) == [f"ben: {TURN}"]
    await turn(post.server, table_id, [ada, ben])
    await post.after(days=2)
    owner = await official(post.server, "Olga", "owner")
    await rewinding.rewind(post.server, owner, table_id, to=0, reason="agreed")
    assert await post.after(minutes=1) == []
    assert await post.after(minutes=3) == [f"ada: {TURN}"]
    assert await post.after(minutes=10) == [], "once"


async def test_of_several_processes_one_tells(post: Post, other_server: Server, ada: Me, ben: Me) -> None:
    other = Post(other_server, post.sink, post.services, post.passing)
    await post.passing(seconds=30)
    for _ in range(3):
        await opened(post.server, ada, ben)
    await post.passing(minutes=3)
    await asyncio.gather(*(each.teller.tell_due() for each in (post, other) * 2))
    await asyncio.gather(*(each.outbox.send_due() for each in (post, other) * 2))
    assert sorted(each["To"].partition("@")[0] for each in post.sink.letters) == ["ada", "ben"]


async def test_a_turn_of_many_steps_or_taken_back_and_made_again_is_one_turn(post: Post, ada: Me, ben: Me) -> None:
    people = [ada, ben]
    key = await lobby.open_table(post.server, ada, Wish(slug="amyitis", seats=2))
    table_id = await post.server.states.find_id(key)
    await lobby.sit(post.server, ben, table_id)
    await lobby.start(post.server, ada, table_id)
    held = await post.server.states.newest(table_id)
    assert held.position is not None
    first = min(held.position.waiting)
    other = ("ben", "ada")[first]
    assert len(await post.after(minutes=3)) == 2, "the one of the turn, the other of the beginning"
    held = await play(post.server, table_id, people, moves=1)
    while held.position is not None and first in held.position.waiting:
        assert await post.after(hours=1) == [], "whoever is in the midst of a turn knows"
        held = await play(post.server, table_id, people, moves=1)
    assert await post.after(minutes=3) == [f"{other}: Your turn: Amyitis"]
    assert held.position is not None
    latest = tables.latest_of(held.position, first)
    held = await tables.undo(post.server, table_id, seat=first, latest=latest, whole_turn=False, me=people[first])
    assert held.position is not None and first in held.position.waiting
    await post.after(seconds=90)
    await turn(post.server, table_id, people)
    assert await post.after(hours=1) == [], "it is the same turn"


async def test_a_turn_that_was_taken_back_and_comes_again_long_after_is_told_again(
    post: Post, ada: Me, ben: Me
) -> None:
    people = [ada, ben]
    key = await lobby.open_table(post.server, ada, Wish(slug="amyitis", seats=2))
    table_id = await post.server.states.find_id(key)
    await lobby.sit(post.server, ben, table_id)
    await lobby.start(post.server, ada, table_id)
    held = await turn(post.server, table_id, people)
    assert held.position is not None
    (other,) = held.position.waiting
    first, told = 1 - other, [f"{('ada', 'ben')[other]}: Your turn: Amyitis"]
    assert [line for line in await post.after(minutes=3) if line in told] == told

    async def take_back_and_make_again(**span: float) -> None:
        held = await post.server.states.newest(table_id)
        assert held.position is not None
        latest = tables.latest_of(held.position, first)
        await tables.undo(post.server, table_id, seat=first, latest=latest, whole_turn=True, me=people[first])
        assert told[0] not in await post.after(**span)
        await turn(post.server, table_id, people)

    await take_back_and_make_again(hours=5)
    assert await post.after(minutes=1) == []
    assert await post.after(minutes=2) == told
    await take_back_and_make_again(seconds=100)
    assert await post.after(hours=1) == [], "it was away for a moment"
    await take_back_and_make_again(hours=1)
    version = (await post.server.states.newest(table_id)).version
    await look(post.server, people[other], table_id, awake=version)
    await look_away(post.server, people[other], table_id)
    assert await post.after(hours=1) == [], "it was seen"


async def test_bots_are_told_nothing_and_a_shared_device_once(post: Post, ada: Me) -> None:
    wish = Wish(slug=GAME, seats=3, options={"first": "1"})
    table_id = await post.server.states.find_id(await lobby.open_table(post.server, ada, wish))
    await hotseat.share(post.server, ada, table_id, name="Little Ada")
    await change(post.server, "UPDATE seats SET bot = 'greedy' WHERE table_id = :id AND seat = 2", id=table_id)
    post.server.states.forget(table_id)
    await lobby.start(post.server, ada, table_id)
    assert await post.after(minutes=3) == [f"ada: {TURN}"]
    held = await post.server.states.newest(table_id)
    assert held.position is not None
    choice = legal(held, 0)[0]
    await tables.act(post.server, table_id, seat=0, text=choice, since=held.position.waiting[0], me=ada)
    assert await post.after(seconds=60) == []
    assert len(post.sink.letters) == 1


async def test_beginnings_ends_invitations_and_warnings_are_told(post: Post, ada: Me, ben: Me) -> None:
    table_id = await opened(post.server, ada, ben)
    assert await post.after(minutes=3) == [f"ada: {TURN}", f"ben: {BEGUN}"]
    held = await play(post.server, table_id, [ada, ben])
    last = held.lines[-1].seat
    told = await post.after(minutes=3)
    assert told == [f"{('ben', 'ada')[last or 0]}: The game is over: The Hanging Gardens"]
    asking = await post.server.states.find_id(await lobby.open_table(post.server, ada, Wish(slug=GAME, seats=3)))
    await invitations.invite(post.server, ada, asking, name="Ben")
    assert await post.after(minutes=3) == ["ben: Come and play: The Hanging Gardens"]
    assert "Ada asks you to come." in post.last
    await change(post.server, "UPDATE users SET time_zone = 'Asia/Tokyo' WHERE id = :id", id=ada.id)
    await post.passing(hours=49)
    await expiry.sweep(post.server)
    assert await post.round() == ["ada: Soon to be closed: The Hanging Gardens"]
    assert "(UTC+9) unless somebody moves" in post.last
    assert await post.after(hours=1) == []


@pytest.mark.parametrize("how", ["gives up", "called off", "ended", "cancelled"])
async def test_an_end_is_told_to_who_is_away_whichever_way_it_came(post: Post, ada: Me, ben: Me, how: str) -> None:
    """Cem gave up long before, and has a place in it; Ada brings it about, and knows."""
    server, cem = post.server, await reachable(post.server, "Cem")
    table_id = await opened(server, ada, ben, cem)
    await endings.concede(server, cem, table_id)
    await play(server, table_id, [ada, ben], moves=1)
    await post.after(hours=1)
    olga = await official(server, "Olga", "owner")
    if how == "gives up":
        await endings.concede(server, ada, table_id)
    elif how == "called off":
        await endings.wish_to_cancel(server, ben, table_id, wish=True)
        await endings.wish_to_cancel(server, ada, table_id, wish=True)
    else:
        await getattr(acts, {"ended": "end", "cancelled": "cancel"}[how])(server, olga, table_id, reason="agreed")
    off = how in {"called off", "cancelled"}
    words = f"{'Called off' if off else 'The game is over'}: The Hanging Gardens"
    told = ("ada", "ben", "cem") if how in {"ended", "cancelled"} else ("ben", "cem")
    assert sorted(await post.after(minutes=3)) == [f"{name}: {words}" for name in told]
    assert ("It has no result." in post.last) == off
    assert await post.after(hours=1) == []


async def test_who_has_gone_or_stood_up_is_told_nothing(post: Post, ada: Me, ben: Me) -> None:
    table_id = await opened(post.server, ada, ben)
    await post.passing(minutes=3)
    await post.teller.tell_due()
    await lobby.leave(post.server, ada, table_id)
    assert await post.round() == [f"ben: {BEGUN}"]
    assert await post.after(hours=1) == []
