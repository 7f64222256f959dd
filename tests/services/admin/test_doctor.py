"""The table doctor: where a log parts ways, what stands and what may be done; and setting such a table right."""

import msgspec
import pytest
from sqlalchemy import text

from app import games
from app.engine import codec
from app.services import lobby, tables
from app.services.accounts import Me
from app.services.admin import doctor, rewinding
from app.services.admin import tables as acts
from app.services.errors import LogParted, NotStarted
from app.services.server import Server
from tests.services.admin.acting import lines, opened, stored
from tests.services.test_tables import legal, play


@pytest.fixture
async def begun(server: Server, alice: Me, bob: Me) -> int:
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob], moves=8)
    return table_id


async def spoil(server: Server, table_id: int, seq: int, change: str) -> None:
    """As if the rules had changed: the stored log no longer leads where it did."""
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
        await connection.execute(
            text(f"UPDATE entries SET {change} WHERE table_id = :id AND seq = :seq"), {"id": table_id, "seq": seq}
        )
    server.states.forget(table_id)


async def test_a_sound_log_is_sound_and_tells_no_secret(server: Server, mo: Me, begun: int) -> None:
    report = await doctor.examine(server, mo, begun)
    assert report.parted is None and report.last_sound == 8
    assert all(line.sound and line.stored == line.found and not line.text for line in report.lines)
    assert report.differences == () and report.legal == ()


async def test_whoever_looks_inside_sees_actions_legal_ones_and_what_each_entry_changed(
    server: Server, mo: Me, begun: int
) -> None:
    held = await server.states.newest(begun)
    assert held.position is not None
    seat = min(held.position.waiting)
    report = await doctor.examine(server, mo, begun, inside=True)
    assert [line.text for line in report.lines] == [line.text for line in held.lines]
    assert dict(report.legal)[seat] == tuple(legal(held, seat))
    for entry in range(1, 9):
        report = await doctor.examine(server, mo, begun, inside=True, entry=entry)
        assert report.entry == entry and report.differences
        assert all(each.before != each.after for each in report.differences)
        assert held.facts.seed not in str(report.differences)
    first = await doctor.examine(server, mo, begun, inside=True, entry=0)
    assert {each.before for each in first.differences} == {""}
    assert (await doctor.examine(server, mo, begun, inside=True, entry=77)).entry == 8


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("digest = 'other'", ""),
        ("text = 'take:9:9:9:9'", "IndexError"),
        ("text = 'dance'", "NotAnAction"),
        ("seat = 1 - seat", "Refused"),
    ],
)
async def test_a_log_that_parts_ways_is_found_named_and_set_right(
    server: Server, other_server: Server, ada: Me, alice: Me, bob: Me, begun: int, change: str, why: str
) -> None:
    sound = (await server.states.newest(begun)).at(4)
    await spoil(server, begun, 5, change)
    if "digest" in change:
        await spoil(server, begun, 8, "digest = 'other too'")
    with pytest.raises(LogParted):
        await server.states.newest(begun)
    assert begun in server.states.parted
    report = await doctor.examine(server, ada, begun)
    assert (report.parted, report.last_sound) == (5, 4)
    assert report.why == "" if not why else why in report.why or report.why
    assert [line.sound for line in report.lines[:5]] == [True] * 4 + [False]
    inside = await doctor.examine(server, ada, begun, inside=True)
    assert inside.entry in {4, 5} and inside.legal
    await rewinding.rewind(server, ada, begun, to=report.last_sound, reason="the rules have changed")
    for each in (server, other_server):
        held = await each.states.newest(begun)
        assert held.position is not None
        assert codec.encode(held.position.state) == codec.encode(sound.state)
        assert begun not in each.states.parted
    report = await doctor.examine(server, ada, begun)
    assert report.parted is None and report.lines[4].sound is None and report.lines[8].sound
    if why:
        with pytest.raises(LogParted):
            tables.look(await server.states.newest(begun), 0, at=6)
    held = await play(other_server, begun, [alice, bob])
    assert held.facts.status == "over"


async def test_a_game_goes_on_by_the_rules_of_today(server: Server, ada: Me, alice: Me, bob: Me, begun: int) -> None:
    for seq in (5, 6, 7, 8):
        await spoil(server, begun, seq, "digest = 'as it was'")
    assert (await doctor.examine(server, ada, begun)).parted == 5
    assert await rewinding.accept(server, ada, begun, reason="all agree") == 9
    held = await server.states.newest(begun)
    assert held.position is not None and len(held.position.played) == 8
    report = await doctor.examine(server, ada, begun)
    assert report.parted is None and [line.sound for line in report.lines] == [True] * 4 + [None] * 4 + [True]
    await play(server, begun, [alice, bob])
    assert [line.act for line in await lines(server)] == ["accept"]


async def test_a_table_that_cannot_be_played_at_all_can_still_be_cancelled(
    server: Server, ada: Me, begun: int
) -> None:
    await spoil(server, begun, 1, "text = 'dance'")
    with pytest.raises(LogParted):
        await acts.end(server, ada, begun, reason="no way")
    assert await lines(server) == []
    await acts.cancel(server, ada, begun, reason="no way")
    assert (await stored(server, begun)).status == "cancelled"


async def test_a_game_is_copied_on_record_seed_and_all(server: Server, ada: Me, alice: Me, begun: int) -> None:
    held = await server.states.newest(begun)
    name, written = await doctor.export(server, ada, begun, reason="a bug report")
    assert name.startswith("hanging_gardens-") and held.facts.seed in written
    assert [line.act for line in await lines(server)] == ["export"]
    key = await lobby.open_table(server, alice, lobby.Wish(slug="hanging_gardens", seats=2))
    with pytest.raises(NotStarted):
        await doctor.export(server, ada, await server.states.find_id(key))


async def test_undone_moves_are_no_trouble(server: Server, ada: Me, alice: Me, bob: Me) -> None:
    """In Amyitis, where hardly a move brings anything to light."""
    key = await lobby.open_table(server, alice, lobby.Wish(slug="amyitis", seats=2))
    table_id = await server.states.find_id(key)
    await lobby.sit(server, bob, table_id)
    await lobby.start(server, alice, table_id)
    people = [alice, bob]
    undone = 0
    for _ in range(12):
        held = await play(server, table_id, people, moves=1)
        assert held.position is not None
        last = held.position.played[-1]
        if not last.reveals and not held.position.over:
            seat = last.seat
            await tables.undo(server, table_id, seat=seat, latest=last.seq, whole_turn=False, me=people[seat])
            await play(server, table_id, people, moves=1)
            undone += 1
    report = await doctor.examine(server, ada, table_id)
    assert undone and report.parted is None and all(line.sound for line in report.lines)
    then = (await server.states.newest(table_id)).at(6)
    await rewinding.rewind(server, ada, table_id, to=6, reason="agreed")
    held = await server.states.newest(table_id)
    assert held.position is not None
    kept = {item.seq for item in held.position.played}
    assert kept <= {item.seq for item in then.played}
    assert msgspec.structs.asdict(held.position)["version"] == held.version


@pytest.mark.parametrize("slug", sorted(games.games()))
async def test_every_game_is_examined_without_telling_its_seed(server: Server, ada: Me, alice: Me, slug: str) -> None:
    seats = next(count for count in games.games()[slug].seats if count > 1)
    key = await lobby.open_table(server, alice, lobby.Wish(slug=slug, seats=seats, bot="random"))
    table_id = await server.states.find_id(key)
    held = await server.states.newest(table_id)
    for _ in range(12):
        assert held.position is not None
        seat = min(held.position.waiting)
        mine = held.facts.seats[seat].user_id == alice.id
        held = await tables.act(
            server,
            table_id,
            seat=seat,
            text=legal(held, seat)[0],
            since=held.position.waiting[seat],
            me=alice if mine else None,
            bot=not mine,
        )
    for entry in range(13):
        report = await doctor.examine(server, ada, table_id, inside=True, entry=entry)
        assert report.parted is None and report.legal
        assert held.facts.seed not in str(report.differences) + str(report.legal)
