"""Asking people to a table by name."""

import pytest

from app.services import invitations, listing, lobby, rematches
from app.services.accounts import Me
from app.services.errors import (
    AlreadyStarted,
    HasDeclined,
    HasSeat,
    NoSuchPerson,
    NotYourSeat,
    SeveralPeople,
    TooManyInvitations,
)
from app.services.server import Server
from tests.conftest import person
from tests.services.test_lobby import opened


async def asked(server: Server, table_id: int) -> list[tuple[str, bool]]:
    return [(each.name, each.declined) for each in (await server.states.newest(table_id)).facts.asked]


async def test_who_is_asked_sees_it_comes_or_says_no(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    key, table_id = await opened(server, alice, public=False)
    await invitations.invite(server, alice, table_id, name=" bob ")
    await invitations.invite(server, alice, table_id, name="EVE")
    await invitations.invite(server, alice, table_id, name="Eve")
    assert await asked(server, table_id) == [("Bob", False), ("Eve", False)]
    assert [table.key for table in await listing.list_invitations(server, bob)] == [key]
    await invitations.decline(server, eve, table_id)
    await invitations.decline(server, eve, table_id)
    assert await listing.list_invitations(server, eve) == ()
    with pytest.raises(HasDeclined):
        await invitations.invite(server, alice, table_id, name="Eve")
    await lobby.sit(server, bob, table_id)
    with pytest.raises(HasSeat):
        await invitations.invite(server, alice, table_id, name="Bob")
    assert await lobby.sit(server, eve, table_id) == 2  # one may change one's mind
    assert await asked(server, table_id) == [("Bob", False), ("Eve", False)]


async def test_only_who_sits_there_may_ask(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    _, table_id = await opened(server, alice, seats=2)
    for call in (
        invitations.invite(server, eve, table_id, name="Bob"),
        invitations.withdraw(server, eve, table_id, user_id=bob.id),
    ):
        with pytest.raises(NotYourSeat):
            await call
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    with pytest.raises(AlreadyStarted):
        await invitations.invite(server, bob, table_id, name="Eve")


async def test_an_invitation_is_withdrawn(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice)
    await invitations.invite(server, alice, table_id, name="Bob")
    await invitations.withdraw(server, alice, table_id, user_id=bob.id)
    await invitations.withdraw(server, alice, table_id, user_id=bob.id)
    assert await asked(server, table_id) == []


@pytest.mark.parametrize("name", ["Nobody", "", "\u202e", "x" * 10_000, "<img src=x>"])
async def test_who_is_not_there_cannot_be_asked(server: Server, alice: Me, name: str) -> None:
    _, table_id = await opened(server, alice)
    with pytest.raises(NoSuchPerson):
        await invitations.invite(server, alice, table_id, name=name)


async def test_of_two_guests_of_one_name_nobody_is_asked(server: Server, alice: Me) -> None:
    for _ in range(2):
        await person(server, "Nabu")
    _, table_id = await opened(server, alice)
    with pytest.raises(SeveralPeople):
        await invitations.invite(server, alice, table_id, name="Nabu")


async def test_nobody_asks_the_whole_town(server: Server, alice: Me) -> None:
    _, table_id = await opened(server, alice)
    for number in range(invitations.MOST):
        await person(server, f"Guest {number}")
        await invitations.invite(server, alice, table_id, name=f"Guest {number}")
    await person(server, "One more")
    with pytest.raises(TooManyInvitations):
        await invitations.invite(server, alice, table_id, name="One more")


async def test_who_leaves_the_waiting_room_is_not_asked_again(server: Server, alice: Me, bob: Me) -> None:
    _, table_id = await opened(server, alice)
    await invitations.invite(server, alice, table_id, name="Bob")
    await lobby.sit(server, bob, table_id)
    await lobby.leave(server, bob, table_id)
    assert await listing.list_invitations(server, bob) == ()


async def test_those_one_has_played_with_are_offered(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    _, table_id = await opened(server, alice)
    await lobby.sit(server, bob, table_id)
    _, other = await opened(server, alice)
    assert await invitations.list_companions(server, alice, but=frozenset()) == ("Bob",)
    assert await invitations.list_companions(server, alice, but=frozenset({bob.id})) == ()
    assert await invitations.list_companions(server, eve, but=frozenset()) == ()
    assert other != table_id


async def test_the_others_of_a_game_are_asked_to_its_rematch(server: Server, alice: Me, bob: Me) -> None:
    from tests.services.test_tables import opened as begun
    from tests.services.test_tables import play

    table_id = await begun(server, alice, bob)
    await play(server, table_id, [alice, bob])
    key = await rematches.rematch(server, alice, table_id)
    assert [(table.key, table.by) for table in await listing.list_invitations(server, bob)] == [(key, "Alice")]
