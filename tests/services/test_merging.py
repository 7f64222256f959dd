"""A guest signs in to an account: everything of theirs goes over, and nothing is lost or counted twice."""

import pytest
from sqlalchemy import text

from app.services import (
    accounts,
    endings,
    hosting,
    listing,
    lobby,
    profiles,
    ratings,
    records,
    sessions,
    substitutes,
    tables,
    talk,
)
from app.services.accounts import NO_BROWSER, Me
from app.services.errors import HasSeat, Muted, WrongPassword
from app.services.ratings import newcomer, rated_anew
from app.services.server import Server
from tests.conftest import PASSWORD, account, person
from tests.services.endings import ended, rating_of
from tests.services.test_tables import legal, opened, play


async def signed_in(server: Server, guest: Me, name: str = "Alice") -> Me:
    me, _ = await sessions.sign_in(server, guest, name=name, password=PASSWORD, browser=NO_BROWSER)
    return me


async def test_tables_and_results_of_a_guest_go_over(server: Server, bob: Me) -> None:
    me = await account(server, "Alice")
    guest, token = await accounts.welcome(server, name="Mika", language="en")
    waiting = await lobby.open_table(server, guest, lobby.Wish(slug="hanging_gardens", seats=3))
    playing = await opened(server, guest, bob)
    await play(server, playing, [guest, bob], moves=3)
    await ended(server, [guest, bob], [1, 2])
    before = await rating_of(server, guest)
    found = await signed_in(server, guest)
    assert found.id == me.id
    assert {each.key for each in await listing.list_mine(server, found)} >= {waiting}
    assert len(await listing.list_mine(server, found)) == 2
    assert await rating_of(server, found) == before
    assert await rating_of(server, guest) is None
    assert not await ratings.recompute(server, write=False)
    profile = await profiles.show(server, None, name="Alice")
    assert (profile.games, profile.won) == (1, 1)
    held = await server.states.newest(playing)
    assert held.facts.seats[0].name == "Alice"
    assert held.position is not None
    if 0 in held.position.waiting:
        since = held.position.waiting[0]
        await tables.act(server, playing, seat=0, text=legal(held, 0)[0], since=since, me=found)
    assert await accounts.recognise(server, token) is None
    await hosting.set_public(server, found, await server.states.find_id(waiting), public=False)


async def test_at_a_table_where_both_sit_the_account_keeps_its_seat(server: Server) -> None:
    me, guest = await account(server, "Alice"), await person(server, "Mika")
    waiting = await server.states.find_id(
        await lobby.open_table(server, guest, lobby.Wish(slug="hanging_gardens", seats=3))
    )
    await lobby.sit(server, me, waiting)
    playing = await opened(server, me, guest)
    found = await signed_in(server, guest)
    held = await server.states.newest(waiting)
    assert [seat.user_id for seat in held.facts.seats] == [None, me.id, None]
    held = await server.states.newest(playing)
    assert [(seat.user_id, bool(seat.bot)) for seat in held.facts.seats] == [(me.id, False), (None, True)]
    assert held.facts.seats[0].offer == ""
    assert await substitutes.find_offer(server, held.facts.seats[1].offer) == (playing, 1)
    assert held.facts.seat_left_by(found.id) is None
    await hosting.clear_seat(server, found, waiting, seat=0)


async def test_a_seat_that_a_merged_guest_had_may_be_taken_over(server: Server, bob: Me, eve: Me) -> None:
    me, guest = await account(server, "Alice"), await person(server, "Mika")
    playing = await opened(server, me, guest)
    await play(server, playing, [me, guest], moves=3)
    found = await signed_in(server, guest)
    offer = (await server.states.newest(playing)).facts.seats[1].offer
    with pytest.raises(HasSeat):
        await substitutes.substitute(server, found, offer)
    assert await substitutes.substitute(server, eve, offer) == playing
    held = await play(server, playing, [found, eve])
    assert held.facts.status == "over"
    assert await rating_of(server, found) is None


@pytest.mark.parametrize("left_by", ["guest", "account"])
async def test_who_has_a_seat_at_a_table_has_no_claim_to_another(server: Server, bob: Me, left_by: str) -> None:
    me, guest = await account(server, "Alice"), await person(server, "Mika")
    playing = await opened(server, bob, me, guest)
    await lobby.leave(server, guest if left_by == "guest" else me, playing)
    found = await signed_in(server, guest)
    facts = (await server.states.newest(playing)).facts
    mine, left = (1, 2) if left_by == "guest" else (2, 1)
    assert (facts.seats[mine].user_id, facts.seats[left].user_id) == (me.id, None)
    assert facts.seat_left_by(found.id) is None and facts.seats[left].offer
    assert await substitutes.reclaim(server, found, playing) == mine


async def test_a_game_that_both_played_counts_no_more(server: Server, bob: Me) -> None:
    me, guest = await account(server, "Alice"), await person(server, "Mika")
    await ended(server, [me, bob], [1, 2])
    alone = await rating_of(server, me)
    await ended(server, [guest, me, bob], [1, 2, 3])
    await signed_in(server, guest)
    assert await rating_of(server, me) == alone
    assert not await ratings.recompute(server, write=False)


@pytest.mark.parametrize("gives_up", ["guest", "account"])
async def test_a_guest_and_an_account_of_whom_one_gave_up_have_one_result(
    server: Server, bob: Me, gives_up: str
) -> None:
    me, guest = await account(server, "Alice"), await person(server, "Mika")
    playing = await opened(server, me, guest, bob)
    await endings.concede(server, guest if gives_up == "guest" else me, playing)
    found = await signed_in(server, guest)
    await endings.concede(server, bob, playing)
    async with server.engine.connect() as connection:
        query = text(f"SELECT user_id, people, bots, rated FROM results WHERE table_id = {playing} ORDER BY seat")
        rows = [tuple(row) for row in await connection.execute(query)]
    mine = [found.id, None] if gives_up == "guest" else [None, found.id]
    assert rows == [(each, 2, 0, False) for each in (*mine, bob.id)]
    assert await records.recount(server, write=False) == ()
    assert (await profiles.show(server, None, name="Alice")).games == 1


async def test_the_ratings_of_all_are_as_if_it_had_been_one_person(server: Server, bob: Me, eve: Me) -> None:
    me, guest = await account(server, "Alice"), await person(server, "Mika")
    for who in (guest, me):
        await ended(server, [who, bob], [1, 2])
    await ended(server, [bob, eve], [1, 2])
    await signed_in(server, guest)
    alices = bobs = eves = newcomer()
    for _ in range(2):
        alices, bobs = rated_anew([alices, bobs], [1, 2])
    bobs, eves = rated_anew([bobs, eves], [1, 2])
    assert await rating_of(server, me) == (*alices, 2)
    assert await rating_of(server, bob) == (*bobs, 3)
    assert await rating_of(server, eve) == (*eves, 1)
    assert not await ratings.recompute(server, write=False)


async def test_a_mute_goes_over_with_the_guest(server: Server) -> None:
    me, guest = await account(server, "Alice"), await person(server, "Mika")
    async with server.engine.begin() as connection:
        muted = text("UPDATE users SET muted_until = now() + interval '1 day' WHERE id = :id")
        await connection.execute(muted, {"id": guest.id})
    await signed_in(server, guest)
    async with server.sessions() as session:
        query = text("SELECT muted_until > now() FROM users WHERE id = :id")
        assert (await session.execute(query, {"id": me.id})).scalar_one()
    waiting = await server.states.find_id(
        await lobby.open_table(server, me, lobby.Wish(slug="hanging_gardens", seats=2))
    )
    with pytest.raises(Muted):
        await talk.say(server, me, waiting, words="me again")


async def test_a_guest_who_has_just_made_an_account_is_not_swallowed(server: Server) -> None:
    """Two windows: in one the guest makes an account, in the other the page still knows a guest."""
    await account(server, "Alice")
    guest = await person(server, "Mika")
    made = await account(server, "Mika", guest=guest)
    await signed_in(server, guest)
    assert (await profiles.show(server, None, name="Mika")).id == made.id


async def test_a_wrong_password_leaves_the_guest_as_it_was(server: Server) -> None:
    await account(server, "Alice")
    guest, token = await accounts.welcome(server, name="Mika", language="en")
    for name in ("Alice", "Nobody"):
        with pytest.raises(WrongPassword):
            await sessions.sign_in(server, guest, name=name, password="wrong password", browser=NO_BROWSER)
    assert await accounts.recognise(server, token) == guest
