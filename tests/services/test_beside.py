"""Who plays on another's device goes where that one goes: to other seats, accounts, and away. Nothing is rated."""

import pytest
from sqlalchemy import text

from app.services import (
    deletion,
    exports,
    hosting,
    hotseat,
    listing,
    lobby,
    profiles,
    ratings,
    rematches,
    sessions,
    substitutes,
    tables,
    visits,
)
from app.services.accounts import NO_BROWSER, Me
from app.services.admin import tables as acts
from app.services.errors import Muted, SeatTaken
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import PASSWORD, account, person
from tests.services.endings import GAME, rating_of
from tests.services.test_tables import legal

Seen = list[tuple[str, bool]]


async def opened(server: Server, host: Me, *beside: str, seats: int = 3, public: bool = True) -> int:
    """A table at which these sit beside its host, before the start."""
    key = await lobby.open_table(server, host, Wish(slug=GAME, seats=seats, public=public))
    table_id = await server.states.find_id(key)
    for name in beside:
        await hotseat.share(server, host, table_id, name=name)
    return table_id


async def seen(server: Server, table_id: int) -> Seen:
    """The names at a table, and who of them sits beside somebody."""
    return [(seat.name, seat.beside) for seat in (await server.states.newest(table_id)).facts.seats]


async def test_who_sits_beside_changes_places_with_the_seats(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, "Nabu")
    await hosting.swap(server, alice, table_id, seat=0, other=1)
    assert await seen(server, table_id) == [("Nabu", True), ("Alice", False), ("", False)]
    held = await server.states.newest(table_id)
    assert held.facts.seat_of(alice.id) == 1
    await hosting.swap(server, alice, table_id, seat=0, other=2)
    assert await seen(server, table_id) == [("", False), ("Alice", False), ("Nabu", True)]
    await hosting.close_seat(server, alice, table_id, seat=0)
    assert await seen(server, table_id) == [("Alice", False), ("Nabu", True)]
    await hosting.add_seat(server, alice, table_id)
    await lobby.sit(server, bob, table_id)
    assert await seen(server, table_id) == [("Alice", False), ("Nabu", True), ("Bob", False)]
    await hosting.hand_over(server, alice, table_id, seat=2)
    await hosting.clear_seat(server, bob, table_id, seat=1)
    assert await seen(server, table_id) == [("", False), ("", False), ("Bob", False)]


async def test_the_word_of_one_is_the_word_of_who_sits_beside(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, seats=3)
    await lobby.sit(server, bob, table_id)
    for me in (alice, bob):
        await lobby.set_ready(server, me, table_id, ready=True)
    await hotseat.share(server, alice, table_id, name="Nabu")
    facts = (await server.states.newest(table_id)).facts
    assert [seat.ready for seat in facts.seats] == [False, True, False]
    await lobby.set_ready(server, alice, table_id, ready=True)
    assert (await server.states.newest(table_id)).facts.status == "playing"


async def test_who_is_muted_names_nobody(server: Server, alice: Me) -> None:
    table_id = await opened(server, alice)
    async with server.sessions.begin() as session:
        await session.execute(text("UPDATE users SET muted_until = now() + interval '1 hour'"))
    with pytest.raises(Muted):
        await hotseat.share(server, alice, table_id, name="Nabu")


async def test_a_table_waits_for_me_at_whichever_seat(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, "Nabu", seats=2)
    await lobby.start(server, alice, table_id)
    for _ in range(3):
        held = await server.states.newest(table_id)
        (listed,) = await listing.list_mine(server, alice)
        assert listed.turn_of(alice.id) is not None
        assert listed.turn_of(bob.id) is None
        assert [seat.name for seat in listed.seats] == ["Alice", "Nabu"]
        seat = min(held.position.waiting) if held.position else 0
        since = held.position.waiting[seat] if held.position else 0
        await tables.act(server, table_id, seat=seat, text=legal(held, seat)[0], since=since, me=alice)


async def test_who_leaves_takes_all_along_and_brings_all_back(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, "Nabu")
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    await lobby.leave(server, alice, table_id)
    assert [bool(seat.bot) for seat in (await server.states.newest(table_id)).facts.seats] == [True, True, False]
    assert await substitutes.reclaim(server, alice, table_id) == 0
    assert await seen(server, table_id) == [("Alice", False), ("Nabu", True), ("Bob", False)]


async def test_whoever_sits_down_where_somebody_sat_beside_has_a_name_of_their_own(
    server: Server, alice: Me, bob: Me
) -> None:
    table_id = await opened(server, alice, "Nabu", seats=2)
    await hotseat.unshare(server, alice, table_id, seat=1)
    await lobby.sit(server, alice, table_id, seat=1)
    assert await seen(server, table_id) == [("", False), ("Alice", False)]
    await hotseat.share(server, alice, table_id, name="Nabu")
    await lobby.start(server, alice, table_id)
    await lobby.leave(server, alice, table_id)
    offer = (await server.states.newest(table_id)).facts.seats[0].offer
    await substitutes.substitute(server, bob, offer)
    assert (await seen(server, table_id))[0] == ("Bob", False)
    with pytest.raises(SeatTaken):
        await hotseat.share(server, bob, await opened(server, bob, "Nabu", seats=2), name="Carol")


async def played(server: Server, table_id: int, me: Me) -> None:
    """Plays a table at one device to its end."""
    while True:
        held = await server.states.newest(table_id)
        assert held.position is not None
        if held.facts.status == "over":
            return
        seat = min(held.position.waiting)
        await tables.act(
            server, table_id, seat=seat, text=legal(held, seat)[0], since=held.position.waiting[seat], me=me
        )


async def test_a_shared_device_is_not_rated_and_its_game_is_listed_once(server: Server) -> None:
    me = await account(server, "Alice")
    table_id = await opened(server, me, "Nabu", seats=2)
    await lobby.start(server, me, table_id)
    await played(server, table_id, me)
    assert await rating_of(server, me) is None
    assert not await ratings.recompute(server, write=False)
    profile = await profiles.show(server, None, name="Alice")
    assert (profile.games, profile.together, profile.progress) == (1, 0, ())
    (ended,) = profile.ended
    assert ended.change is None
    assert [other.name for other in ended.others] == ["Nabu"]
    key = await rematches.rematch(server, me, table_id)
    assert await seen(server, await server.states.find_id(key)) == [("Alice", False), ("Nabu", True)]
    exported = await exports.export(server, me)
    assert [each["table"] for each in exported["tables"]].count(ended.key) == 1
    assert exported["tables"][-1]["beside"] == [{"seat": 1, "name": "Nabu"}]
    await deletion.delete_me(server, me, password=PASSWORD)
    async with server.sessions() as session:
        for table in ("shared_seats", "visits"):
            assert (await session.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one() == 0


async def test_they_go_over_with_a_guest_who_signs_in(server: Server, bob: Me) -> None:
    me, guest = await account(server, "Alice"), await person(server, "Mika")
    theirs, both = await opened(server, guest, "Nabu", seats=2), await opened(server, guest, "Nabu")
    await lobby.sit(server, me, both)
    await lobby.start(server, guest, theirs)
    held = await server.states.newest(theirs)
    await visits.note(server, guest, held, version=0)
    found, _ = await sessions.sign_in(server, guest, name="Alice", password=PASSWORD, browser=NO_BROWSER)
    assert await seen(server, theirs) == [("Alice", False), ("Nabu", True)]
    assert await seen(server, both) == [("", False), ("", False), ("Alice", False)]
    exported = await exports.export(server, found)
    assert [each["moves"] for each in exported["visits"]] == [0]


async def test_a_game_that_somebody_ended_has_no_gate(
    server: Server, alice: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hotseat, "hides", lambda held, seat: True)
    owner = await account(server, "Owner")
    async with server.sessions.begin() as session:
        await session.execute(text("UPDATE users SET role = 'owner' WHERE id = :me"), {"me": owner.id})
    table_id = await opened(server, alice, "Nabu", seats=2)
    await lobby.start(server, alice, table_id)
    assert hotseat.gate(await server.states.newest(table_id), alice.id) is not None
    await acts.end(server, owner, table_id, reason="over")
    held = await server.states.newest(table_id)
    assert (hotseat.gate(held, alice.id), hotseat.viewer_seat(held, alice.id)) == (None, 0)
