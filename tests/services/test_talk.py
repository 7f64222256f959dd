"""Talk at a table: who speaks where, who hears what, and that it goes with the person."""

import asyncio
import time
from collections.abc import Callable

import msgspec
import pytest
from sqlalchemy import text

from app.services import accounts, deletion, endings, exports, lobby, mutes, rematches, substitutes, tables, talk
from app.services.accounts import NO_BROWSER, Me
from app.services.errors import (
    BadRemark,
    BadTable,
    LeftSeat,
    Muted,
    NoGuestTalk,
    NoSuchRemark,
    NotHost,
    OtherRoom,
    Refusal,
    TalkOff,
)
from app.services.facts import TableFacts
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import account, person
from tests.services.endings import GAME
from tests.services.test_merging import signed_in
from tests.services.test_tables import legal, opened, play


async def facts_of(server: Server, table_id: int) -> TableFacts:
    return (await server.states.newest(table_id)).facts


async def heard(server: Server, table_id: int, me: Me | None) -> list[str]:
    """What somebody hears, by both roads: what is remembered of a table, and what is stored."""
    held = await server.states.newest(table_id)
    user_id = me.id if me else None
    latest, _ = talk.latest_heard(held.facts, user_id, most=50)
    listed, _ = await talk.list_heard(server, held, user_id, before=None)
    assert [each.id for each in latest] == [each.id for each in listed]
    return [each.words for each in latest]


async def remark(server: Server, table_id: int, words: str) -> int:
    """The number of what was said so."""
    return next(each.id for each in (await facts_of(server, table_id)).remarks if each.words == words)


async def test_the_seats_are_heard_by_all_and_the_watchers_only_by_watchers(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    table_id = await opened(server, alice, bob)
    await talk.say(server, alice, table_id, words="that palm was mine")
    await talk.say(server, eve, table_id, words="bob holds the lion")
    assert await heard(server, table_id, alice) == ["that palm was mine"]
    assert await heard(server, table_id, bob) == ["that palm was mine"]
    assert await heard(server, table_id, eve) == ["that palm was mine", "bob holds the lion"]
    assert await heard(server, table_id, None) == ["that palm was mine"], "a seat that signs out is a stranger"
    await play(server, table_id, [alice, bob])
    for each in (alice, bob, eve, None):
        assert await heard(server, table_id, each) == ["that palm was mine", "bob holds the lion"]


async def test_nobody_chooses_the_room(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    for me, room in ((alice, talk.WATCHERS), (eve, talk.SEATS)):
        with pytest.raises(OtherRoom):
            await talk.say(server, me, table_id, words="psst", room=room)
    assert (await facts_of(server, table_id)).remarks == ()


async def test_before_the_start_all_who_are_there_talk_with_each_other(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    key = await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    table_id = await server.states.find_id(key)
    await talk.say(server, eve, table_id, words="may I watch?")
    assert await heard(server, table_id, alice) == ["may I watch?"]
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    await talk.say(server, eve, table_id, words="good luck", room=talk.WATCHERS)
    assert await heard(server, table_id, bob) == ["may I watch?"]


async def test_who_left_and_may_come_back_neither_speaks_nor_hears_the_watchers(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob], moves=2)
    await talk.say(server, eve, table_id, words="alice will take the lion")
    await lobby.leave(server, bob, table_id)
    assert await heard(server, table_id, bob) == []
    with pytest.raises(LeftSeat):
        await talk.say(server, bob, table_id, words="I hold two lions")
    await substitutes.reclaim(server, bob, table_id)
    await talk.say(server, bob, table_id, words="back again", room=talk.SEATS)
    assert await heard(server, table_id, bob) == ["back again"]


async def test_a_new_name_is_no_way_to_whisper_to_those_who_play(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    """Neither beside what a watcher said before the start, nor at a seat that somebody left."""
    table_id = await server.states.find_id(await lobby.open_table(server, alice, Wish(slug=GAME, seats=3)))
    for each in (bob, carol := await person(server, "Carol")):
        await lobby.sit(server, each, table_id)
    await talk.say(server, eve, table_id, words="may I watch?")
    await accounts.rename(server, eve, name="Eva")
    assert [each.name for each in (await facts_of(server, table_id)).remarks] == ["Eva"], "nothing is hidden yet"
    await lobby.start(server, alice, table_id)
    await play(server, table_id, [alice, bob, carol], moves=1)
    await talk.say(server, carol, table_id, words="bye")
    await lobby.leave(server, carol, table_id)
    before = await facts_of(server, table_id)
    await accounts.rename(server, eve, name="take the 3rd palm")
    await accounts.rename(server, carol, name="I hold two lions")
    facts = await facts_of(server, table_id)
    assert [each.name for each in facts.remarks] == ["Eve", "Carol"] and facts.seats[2].left == "Carol"
    assert facts.changed == before.changed, "no page is drawn anew, and no move has to be tried again"
    await accounts.rename(server, bob, name="Robert")
    await substitutes.reclaim(server, carol, table_id)
    facts = await facts_of(server, table_id)
    assert [each.name for each in facts.seats] == ["Alice", "Robert", "I hold two lions"]
    assert [each.name for each in facts.remarks] == ["Eve", "I hold two lions"], "who sits is seen by all"


async def test_who_has_gone_left_no_name_behind(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    await lobby.leave(server, bob, table_id)
    await deletion.delete_me(server, bob, password="")
    async with server.sessions() as session:
        assert (await session.execute(text("SELECT left_name FROM seats ORDER BY seat"))).scalars().all() == ["", ""]
    await lobby.leave(server, alice, table_id)
    await substitutes.substitute(server, eve, (await facts_of(server, table_id)).seats[0].offer)
    async with server.sessions() as session:
        assert (await session.execute(text("SELECT left_name FROM seats ORDER BY seat"))).scalars().all() == ["", ""]


async def test_a_watcher_who_takes_over_a_seat_hears_the_watchers_no_more(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    """Not even what they said there themselves."""
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob], moves=2)
    await talk.say(server, eve, table_id, words="bob should build")
    await lobby.leave(server, bob, table_id)
    offer = (await facts_of(server, table_id)).seats[1].offer
    await substitutes.substitute(server, eve, offer)
    assert await heard(server, table_id, eve) == []
    await talk.say(server, eve, table_id, words="hello", room=talk.SEATS)
    assert await heard(server, table_id, alice) == ["hello"]


async def test_what_was_said_among_the_seats_alone_stays_there(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    """Also when the host lets others hear later, and when the game is over."""
    table_id = await opened(server, alice, bob)
    await talk.set_talk(server, alice, table_id, talk=talk.CLOSED)
    await talk.say(server, bob, table_id, words="among us")
    await talk.set_talk(server, alice, table_id, talk=talk.OPEN)
    await talk.say(server, bob, table_id, words="to all")
    assert await heard(server, table_id, alice) == ["among us", "to all"]
    assert await heard(server, table_id, eve) == ["to all"]
    await play(server, table_id, [alice, bob])
    assert await heard(server, table_id, eve) == ["to all"]
    assert await heard(server, table_id, alice) == ["among us", "to all"]


async def test_the_host_ends_the_talk_and_only_the_host(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    for me in (bob, eve):
        with pytest.raises(NotHost):
            await talk.set_talk(server, me, table_id, talk=talk.OFF)
    with pytest.raises(BadTable):
        await talk.set_talk(server, alice, table_id, talk="loud")
    await talk.set_talk(server, alice, table_id, talk=talk.OFF)
    for me in (alice, bob, eve):
        with pytest.raises(TalkOff):
            await talk.say(server, me, table_id, words="hm")


async def test_a_table_begins_as_was_chosen_or_as_the_house_has_it_and_so_does_its_rematch(
    server: Server, alice: Me, bob: Me
) -> None:
    async with server.engine.begin() as connection:
        await connection.execute(text("INSERT INTO settings (name, value) VALUES ('talk', '\"seats\"')"))
    server.club.forget()
    usual = await server.states.find_id(await lobby.open_table(server, alice, Wish(slug=GAME, seats=2)))
    assert (await facts_of(server, usual)).talk == talk.CLOSED
    chosen = await server.states.find_id(await lobby.open_table(server, alice, Wish(slug=GAME, seats=1, talk="off")))
    assert (await facts_of(server, chosen)).talk == talk.OFF
    with pytest.raises(BadTable):
        await lobby.open_table(server, alice, Wish(slug=GAME, seats=2, talk="loud"))
    await play(server, chosen, [alice])
    again = await server.states.find_id(await rematches.rematch(server, alice, chosen))
    assert (await facts_of(server, again)).talk == talk.OFF


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  hello\r\nthere  ", "hello\nthere"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("nul\0 bell\a tab\tend", "nul bell tab end"),
        ("e\u0301", "\u00e9"),
        ("\u202eabc", "\u202eabc"),
        ("<b>&amp; javascript:alert(1)", "<b>&amp; javascript:alert(1)"),
        ("👩‍👩‍👧" * 500, "👩‍👩‍👧" * 500),
        ("\ud800x", "x"),
    ],
)
def test_words_are_kept_as_they_were_meant(written: str, kept: str) -> None:
    assert talk.clean_words(written) == kept


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("\u200b\u202e", "empty"),
        ("\u3164", "empty"),
        ("\u0301" * 9, "empty"),
        ("あ" * 501, "long"),
        ("a" + "\u0301" * 4_100, "long"),
    ],
)
def test_nothing_and_far_too_much_cannot_be_said(written: str, reason: str) -> None:
    with pytest.raises(BadRemark) as refused:
        talk.clean_words(written)
    assert refused.value.facts["reason"] == reason


async def test_the_same_words_sent_twice_are_said_once(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    said = [talk.say(server, alice, table_id, words="hello", once="x1") for _ in range(4)]
    await asyncio.gather(*said)
    await talk.say(server, alice, table_id, words="other words of an old page", once="x1")
    await talk.say(server, alice, table_id, words="hello", once="x2")
    assert await heard(server, table_id, bob) == ["hello", "other words of an old page", "hello"]


async def test_a_move_goes_through_while_people_talk(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    held = await server.states.newest(table_id)
    assert held.position is not None
    seat = min(held.position.waiting)
    since, action, me = held.position.waiting[seat], legal(held, seat)[0], (alice, bob)[seat]
    talking = [talk.say(server, each, table_id, words=f"hm {n}") for n, each in enumerate((alice, bob, eve) * 2)]
    await asyncio.gather(*talking, tables.act(server, table_id, seat=seat, text=action, since=since, me=me))
    assert (await server.states.newest(table_id)).version == 1
    assert len(await heard(server, table_id, eve)) == 6


async def test_nothing_said_is_in_the_log_or_in_the_game_that_is_downloaded(
    server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, bob)
    await talk.say(server, alice, table_id, words="that palm was mine")
    held = await play(server, table_id, [alice, bob])
    assert "palm was mine" not in tables.written(held)
    assert not any("palm was mine" in line.text for line in held.lines)


async def test_guests_are_silent_where_the_house_wants_it(server: Server, alice: Me) -> None:
    carol = await account(server, "Carol")
    table_id = await opened(server, carol, alice)
    async with server.engine.begin() as connection:
        await connection.execute(text("INSERT INTO settings (name, value) VALUES ('guests_talk', 'false')"))
    server.club.forget()
    await talk.say(server, carol, table_id, words="hello")
    with pytest.raises(NoGuestTalk):
        await talk.say(server, alice, table_id, words="hello")


async def test_who_is_muted_by_the_house_says_nothing(
    server: Server, alice: Me, bob: Me, later: Callable[..., None]
) -> None:
    table_id = await opened(server, alice, bob)
    async with server.engine.begin() as connection:
        until = "now() + interval '3 hours'"
        await connection.execute(text(f"UPDATE users SET muted_until = {until} WHERE id = {bob.id}"))
    with pytest.raises(Muted):
        await talk.say(server, bob, table_id, words="hello")
    later(hours=4)
    await talk.say(server, bob, table_id, words="hello")


async def test_somebody_i_do_not_hear_is_heard_by_others_and_by_me_again(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    here, there = await opened(server, alice, bob), await opened(server, bob, alice)
    await talk.say(server, bob, here, words="you are slow")
    await talk.say(server, bob, there, words="very slow")
    assert await heard(server, there, alice) == ["very slow"]
    rung: list[int] = []
    server.bells.append(lambda table_id, version, changed: rung.append(table_id))
    called: list[int] = []
    server.calls.append(called.append)
    number = await remark(server, here, "you are slow")
    for _ in range(3):
        await mutes.mute(server, alice, here, remark_id=number)
    assert (rung, called) == ([], [alice.id]), "only alice's pages look again, and once"
    await talk.say(server, bob, here, words="slower")
    assert await heard(server, here, alice) == await heard(server, there, alice) == []
    assert await heard(server, here, eve) == ["you are slow", "slower"]
    assert [each.name for each in await mutes.list_muted(server, alice)] == ["Bob"]
    await mutes.unmute(server, alice, user_id=bob.id)
    assert await heard(server, here, alice) == ["you are slow", "slower"]


async def test_one_name_for_words_at_two_tables_at_once_loses_neither(server: Server, alice: Me, bob: Me) -> None:
    for n in range(5):
        tables_ = [await opened(server, alice, bob) for _ in range(2)]
        await asyncio.gather(*(talk.say(server, alice, each, words="hello", once=f"p{n}") for each in tables_))
        assert [await heard(server, each, bob) for each in tables_] == [["hello"], ["hello"]]


async def test_how_busy_a_room_is_that_one_does_not_hear_shows_nowhere(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    table_id = await opened(server, alice, bob)
    await talk.say(server, alice, table_id, words="hello")
    for n in range(3):
        await talk.say(server, eve, table_id, words=f"psst {n}")
    facts = await facts_of(server, table_id)
    assert [talk.latest_heard(facts, each.id, most=2)[1] for each in (alice, bob, eve)] == [False, False, True]
    await talk.set_talk(server, alice, table_id, talk=talk.CLOSED)
    for n in range(3):
        await talk.say(server, alice, table_id, words=f"among us {n}")
    facts = await facts_of(server, table_id)
    assert talk.latest_heard(facts, bob.id, most=2)[1] and not talk.latest_heard(facts, None, most=2)[1]


def test_many_blanks_cost_no_time() -> None:
    began = time.process_time()
    for _ in range(10):
        with pytest.raises(BadRemark):
            talk.clean_words("x" + " " * 15_900 + "x\n")
    assert time.process_time() - began < 0.5


async def test_nobody_acts_on_what_they_do_not_hear(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    here, there = await opened(server, alice, bob), await opened(server, alice, bob)
    await talk.say(server, eve, here, words="bob holds the lion")
    await talk.say(server, alice, here, words="mine")
    hidden, mine = await remark(server, here, "bob holds the lion"), await remark(server, here, "mine")
    for do in (mutes.mute, mutes.report):
        for number in (hidden, mine, 10**9):
            with pytest.raises(NoSuchRemark):
                await do(server, alice, here, remark_id=number)
        with pytest.raises(NoSuchRemark):
            await do(server, bob, there, remark_id=mine)


async def test_who_goes_takes_along_what_they_said(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    await talk.say(server, eve, table_id, words="my street is Lapis Lane")
    await talk.say(server, alice, table_id, words="hello")
    await mutes.report(server, eve, table_id, remark_id=await remark(server, table_id, "hello"))
    before = (await facts_of(server, table_id)).changed
    await deletion.delete_me(server, eve, password="")
    after = await facts_of(server, table_id)
    assert [each.words for each in after.remarks] == ["hello"]
    assert after.changed > before, "open pages let go of it too"
    async with server.engine.connect() as connection:
        for table in ("remarks", "mutes", "reports"):
            column = "by_id" if table == "reports" else "user_id"
            query = text(f"SELECT count(*) FROM {table} WHERE {column} = {eve.id}")
            assert (await connection.execute(query)).scalar_one() == 0


async def test_the_export_has_what_i_said_and_nothing_that_others_did(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    table_id = await opened(server, alice, bob)
    await talk.say(server, eve, table_id, words="bob holds the lion")
    await talk.say(server, alice, table_id, words="that palm was mine")
    await talk.say(server, bob, table_id, words="was it")
    number = await remark(server, table_id, "was it")
    await mutes.report(server, alice, table_id, remark_id=number)
    await mutes.mute(server, alice, table_id, remark_id=number)
    told = await exports.export(server, alice)
    assert [each["words"] for each in told["remarks"]] == ["that palm was mine"]
    assert [each["name"] for each in told["muted"]] == ["Bob"]
    assert len(told["reports"]) == 1
    text_of = msgspec.json.encode(told).decode()
    assert "lion" not in text_of
    assert "was it" not in text_of


async def test_the_export_has_all_own_words_wherever_said_and_none_of_others(
    server: Server, alice: Me, bob: Me, eve: Me, later: Callable[..., None]
) -> None:
    """Eve watched, and took over a seat: the room of those who watch is shut to her, but her words are hers."""
    table_id = await opened(server, alice, bob)
    await talk.say(server, eve, table_id, words="bob holds the lion")
    await talk.say(server, await person(server, "Dan"), table_id, words="and two palms")
    await lobby.leave(server, bob, table_id)
    await substitutes.substitute(server, eve, (await facts_of(server, table_id)).seats[1].offer)
    await accounts.rename(server, eve, name="Eva")
    eve = msgspec.structs.replace(eve, name="Eva")
    await talk.set_talk(server, alice, table_id, talk=talk.CLOSED)
    await talk.say(server, eve, table_id, words="among us")
    await talk.say(server, alice, table_id, words="welcome")
    assert "bob holds the lion" not in await heard(server, table_id, eve)
    key = (await facts_of(server, table_id)).key
    told = (await exports.export(server, eve))["remarks"]
    assert [(each["table"], each["room"], each["name"], each["words"], each["for_seats_only"]) for each in told] == [
        (key, "watchers", "Eve", "bob holds the lion", False), (key, "seats", "Eva", "among us", True),
    ]  # fmt: skip
    for me, unheard in ((alice, ("lion", "palms", "among")), (eve, ("palms", "welcome"))):
        text_of = msgspec.json.encode(await exports.export(server, me)).decode()
        assert not [each for each in unheard if each in text_of]


async def test_who_is_not_heard_says_nothing_by_a_new_name_either(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    """Those whom one does not hear are listed as they were called when they were heard, whatever they are now."""
    table_id = await opened(server, alice, bob)
    await talk.say(server, eve, table_id, words="hm")
    number = await remark(server, table_id, "hm")
    dan = await person(server, "Dan")
    await mutes.mute(server, dan, table_id, remark_id=number)
    await accounts.rename(server, eve, name="bob holds the lion")
    carol = await person(server, "Carol")
    await mutes.mute(server, carol, table_id, remark_id=number)
    for me in (dan, carol):
        assert [each.name for each in await mutes.list_muted(server, me)] == ["Eve"]
        assert "lion" not in msgspec.json.encode(await exports.export(server, me)).decode()
    await mutes.unmute(server, dan, user_id=eve.id)
    assert await mutes.list_muted(server, dan) == ()


async def test_what_a_guest_said_and_did_not_hear_is_the_accounts(server: Server, alice: Me, bob: Me) -> None:
    me = await account(server, "Carol")
    guest, _ = await accounts.welcome(server, name="Mika", language="en", browser=NO_BROWSER)
    table_id = await opened(server, alice, bob)
    await talk.say(server, guest, table_id, words="nice")
    await talk.say(server, bob, table_id, words="pfff")
    await mutes.mute(server, guest, table_id, remark_id=await remark(server, table_id, "pfff"))
    dan = await person(server, "Dan")
    await mutes.mute(server, dan, table_id, remark_id=await remark(server, table_id, "nice"))
    await signed_in(server, guest, "Carol")
    assert [each.name for each in await mutes.list_muted(server, me)] == ["Bob"]
    assert await heard(server, table_id, me) == ["nice"]
    assert await heard(server, table_id, dan) == ["pfff"], "who did not hear the guest does not hear the account"
    said = (await facts_of(server, table_id)).remarks
    assert {(each.words, each.name) for each in said} == {("nice", "Mika"), ("pfff", "Bob")}, "as they were called"
    await endings.concede(server, alice, table_id)
    assert {each.name for each in (await facts_of(server, table_id)).remarks} == {"Carol", "Bob"}


async def test_talk_of_tables_long_over_is_forgotten_and_a_room_keeps_only_so_much(
    server: Server, alice: Me, bob: Me, later: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    over, going = await opened(server, alice, bob), await opened(server, alice, bob)
    for table_id in (over, going):
        for number in range(3):
            await talk.say(server, alice, table_id, words=f"remark {number}")
    await play(server, over, [alice, bob])
    assert await talk.forget_old(server) == 0
    monkeypatch.setattr(talk, "MOST_IN_ONE_ROOM", 2)
    assert await talk.forget_old(server) == 2
    server.states.forget(going)
    assert await heard(server, going, bob) == ["remark 1", "remark 2"]
    later(days=server.settings.talk_days + 1)
    assert await talk.forget_old(server) == 2
    server.states.forget(over)
    assert await heard(server, over, bob) == []
    assert await heard(server, going, bob) == ["remark 1", "remark 2"]


async def test_older_remarks_can_be_had_page_by_page(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    for number in range(7):
        await talk.say(server, (alice, eve)[number % 2], table_id, words=str(number))
    held = await server.states.newest(table_id)
    first, more = await talk.list_heard(server, held, eve.id, before=None, most=3)
    assert ([each.words for each in first], more) == (["4", "5", "6"], True)
    second, more = await talk.list_heard(server, held, eve.id, before=first[0].id, most=4)
    assert ([each.words for each in second], more) == (["0", "1", "2", "3"], False)
    latest, more = talk.latest_heard(held.facts, alice.id, most=2)
    assert ([each.words for each in latest], more) == (["4", "6"], True)


async def test_nobody_speaks_at_a_table_that_was_closed(server: Server, alice: Me) -> None:
    key = await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    table_id = await server.states.find_id(key)
    await lobby.leave(server, alice, table_id)
    with pytest.raises(Refusal):
        await talk.say(server, alice, table_id, words="anybody?")
