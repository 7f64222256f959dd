"""Several people at one device: each seat sees its own, behind a gate; what is taken back is what was done last."""

import pytest

from app.engine import log, notation
from app.engine.editions import make_edition
from app.services import hotseat, lobby, tables
from app.services.accounts import Me
from app.services.errors import AlreadyStarted, BadName, NotYourDecision, NotYourSeat, SeatTaken
from app.services.held import Held
from app.services.lobby import Wish
from app.services.server import Server
from tests.engine.sealed import SealedBids
from tests.services.test_analysis import table


async def shared(server: Server, host: Me, *names: str, game: str = "amyitis") -> int:
    """A table at one device, begun."""
    key = await lobby.open_table(server, host, Wish(slug=game, seats=1 + len(names)))
    table_id = await server.states.find_id(key)
    for name in names:
        await hotseat.share(server, host, table_id, name=name)
    await lobby.start(server, host, table_id)
    return table_id


async def act(server: Server, table_id: int, me: Me, *, kind: str = "") -> Held:
    """Whoever must choose does the first thing there is, or the first of a kind."""
    held = await server.states.newest(table_id)
    assert held.position is not None
    seat = min(held.position.waiting)
    texts = [notation.write(action) for action in held.game.actions(held.position.state, seat)]
    text = next((each for each in texts if each.startswith(kind)), texts[0])
    return await tables.act(server, table_id, seat=seat, text=text, since=held.position.waiting[seat], me=me)


@pytest.fixture
def secrets_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every seat has something to hide, in any game."""
    monkeypatch.setattr(hotseat, "hides", lambda held, seat: True)


async def test_names_are_those_of_who_sits_there_and_one_person_holds_the_seats(server: Server, alice: Me) -> None:
    table_id = await shared(server, alice, "Nabu", "ミカ")
    facts = (await server.states.newest(table_id)).facts
    assert [seat.name for seat in facts.seats] == ["Alice", "Nabu", "ミカ"]
    assert hotseat.seats_of(facts, alice.id) == (0, 1, 2)
    assert hotseat.seats_of(facts, None) == ()


async def test_what_cannot_be_shared_is_refused(server: Server, alice: Me, bob: Me) -> None:
    key = await lobby.open_table(server, alice, Wish(slug="amyitis", seats=2))
    table_id = await server.states.find_id(key)
    with pytest.raises(NotYourSeat):
        await hotseat.share(server, bob, table_id, name="Nabu")
    with pytest.raises(BadName):
        await hotseat.share(server, alice, table_id, name=" ")
    seat = await hotseat.share(server, alice, table_id, name="Nabu")
    with pytest.raises(SeatTaken):
        await hotseat.share(server, alice, table_id, name="Carol")
    with pytest.raises(NotYourSeat):
        await hotseat.unshare(server, alice, table_id, seat=0)
    await hotseat.unshare(server, alice, table_id, seat=seat)
    await lobby.sit(server, bob, table_id)
    assert [each.name for each in (await server.states.newest(table_id)).facts.seats] == ["Alice", "Bob"]
    await lobby.start(server, alice, table_id)
    with pytest.raises(AlreadyStarted):
        await hotseat.share(server, alice, table_id, name="Nabu")


async def test_where_nothing_is_hidden_the_table_turns_to_whoever_must_choose(server: Server, alice: Me) -> None:
    table_id = await shared(server, alice, "Nabu", game="hanging_gardens")
    seen = set()
    for _ in range(20):
        held = await act(server, table_id, alice)
        assert held.position is not None
        assert hotseat.gate(held, alice.id) is None
        assert hotseat.viewer_seat(held, alice.id) == min(held.position.waiting)
        seen.add(hotseat.viewer_seat(held, alice.id))
    assert seen == {0, 1}


@pytest.mark.usefixtures("secrets_everywhere")
async def test_a_gate_stands_before_what_only_one_may_see(server: Server, alice: Me) -> None:
    table_id = await shared(server, alice, "Nabu")
    held = await server.states.newest(table_id)
    assert held.position is not None
    seat = hotseat.gate(held, alice.id)
    assert seat is not None
    assert hotseat.viewer_seat(held, alice.id) is None
    with pytest.raises(NotYourDecision):
        await hotseat.open_gate(server, alice, table_id, seat=1 - seat)
    await hotseat.open_gate(server, alice, table_id, seat=seat)
    held = await server.states.newest(table_id)
    assert hotseat.gate(held, alice.id) is None
    assert hotseat.viewer_seat(held, alice.id) == seat
    for _ in range(40):
        held = await act(server, table_id, alice)
        assert held.position is not None
        if seat not in held.position.waiting:
            break
    assert hotseat.gate(held, alice.id) == 1 - seat
    assert hotseat.viewer_seat(held, alice.id) is None


def test_a_seat_hides_what_not_everybody_knows_and_not_who_it_is() -> None:
    """A hand of cards is a secret; that a view is this seat's is none."""
    open_game = table("hanging_gardens", entries=5)
    assert not hotseat.hides(open_game, 0)
    sealed = table("hanging_gardens", entries=5)
    sealed.game = SealedBids(make_edition("house", "house.toml", ""))
    sealed.position = log.begin(sealed.game, seats=2, options={}, seed="hands")
    assert hotseat.hides(sealed, 0)


async def test_only_who_shares_the_device_opens_its_gates(server: Server, alice: Me, eve: Me) -> None:
    table_id = await shared(server, alice, "Nabu")
    with pytest.raises(NotYourSeat):
        await hotseat.open_gate(server, eve, table_id, seat=0)


async def test_what_is_taken_back_is_what_was_done_last_at_the_device(server: Server, alice: Me) -> None:
    table_id = await shared(server, alice, "Nabu")
    held = await server.states.newest(table_id)
    for _ in range(40):
        held = await act(server, table_id, alice)
        assert held.position is not None
        last = held.position.played[-1]
        viewer = hotseat.viewer_seat(held, alice.id)
        assert hotseat.undoer(held, alice.id, viewer) == last.seat
        if viewer not in (None, last.seat) and not last.reveals:
            break
    else:
        raise AssertionError("the device never changed hands")
    looked = tables.look(held, viewer, undoer=last.seat)
    assert looked.undo is None
    undone = await tables.undo(server, table_id, seat=last.seat, latest=last.seq, whole_turn=False, me=alice)
    assert undone.position is not None
    assert last.seq not in {item.seq for item in undone.position.played}


async def test_leaving_leaves_all_seats(server: Server, alice: Me, bob: Me) -> None:
    key = await lobby.open_table(server, alice, Wish(slug="amyitis", seats=3))
    table_id = await server.states.find_id(key)
    await lobby.sit(server, bob, table_id)
    await hotseat.share(server, alice, table_id, name="Nabu")
    await lobby.start(server, alice, table_id)
    await lobby.leave(server, alice, table_id)
    seats = (await server.states.newest(table_id)).facts.seats
    assert [seat.bot for seat in seats] == ["greedy", "", "greedy"]
    with pytest.raises(NotYourSeat):
        await lobby.leave(server, alice, table_id)
