"""How the house is run, its editions, and how the processes are doing: seen by every process."""

import asyncio
import logging
from datetime import timedelta

import pytest
from sqlalchemy import text

from app import games, logs
from app.engine.editions import HOUSE, find_edition, line_of
from app.services import clock, expiry, lobby
from app.services.accounts import Me
from app.services.admin import editions, glance, settings
from app.services.admin import tables as acts
from app.services.errors import BadEdition, BadSetting, BadTable, EditionTaken, NotAllowed, TooManyTables
from app.services.lobby import Wish
from app.services.pulse import Heart
from app.services.server import Server
from tests.services.admin.acting import lines, opened
from tests.services.test_tables import GAME, play

BOX = find_edition(f"app.games.{GAME}", HOUSE).text
USUAL = settings.Wish(registration="open", guests=True, tables_per_person=20)


def house(**changes: object) -> settings.Wish:
    fields = {"registration": "open", "guests": True, "tables_per_person": 20, **changes}
    return settings.Wish(**fields)  # type: ignore[arg-type]  # as the tests say


async def test_a_setting_is_known_to_all_processes_and_one_line_each(
    server: Server, other_server: Server, ada: Me, mo: Me, alice: Me
) -> None:
    assert await settings.change(server, ada, USUAL) == 0
    with pytest.raises(NotAllowed):
        await settings.change(server, mo, house(guests=False))
    wish = house(tables_per_person=1, not_offered=("amyitis",), defaults={GAME: {"first": "2"}}, waiting_hours=2)
    assert await settings.change(server, ada, wish) == 4
    told = {line.facts["name"]: line.facts["after"] for line in await lines(server)}
    assert told == {
        "tables_per_person": 1, "not_offered": ["amyitis"], "defaults": {GAME: {"first": "2"}}, "waiting_hours": 2,
    }  # fmt: skip
    for each in (server, other_server):
        club = await each.club.get()
        assert club.tables_per_person == 1 and not club.offers("amyitis") and club.offers(GAME)
    key = await lobby.open_table(other_server, alice, Wish(slug=GAME, seats=2))
    held = await server.states.newest(await server.states.find_id(key))
    assert held.facts.options["first"] == "2"
    with pytest.raises(TooManyTables):
        await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    with pytest.raises(BadTable):
        await lobby.open_table(server, mo, Wish(slug="amyitis", seats=2))
    alone = await lobby.open_table(server, mo, Wish(slug=GAME, seats=1))
    assert "first" not in (await server.states.newest(await server.states.find_id(alone))).facts.options


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("registration", {"registration": "sometimes"}),
        ("tables_per_person", {"tables_per_person": 0}),
        ("waiting_hours", {"waiting_hours": 0}),
        ("idle_days", {"idle_days": 10**9}),
        ("not_offered", {"not_offered": tuple(games.games())}),
        ("not_offered", {"not_offered": ("chess",)}),
        (f"default.{GAME}.first", {"defaults": {GAME: {"first": "nobody"}}}),
        (f"edition.{GAME}", {"edition": {GAME: "nowhere"}}),
    ],
)
async def test_a_setting_that_cannot_be_kept_changes_nothing(
    server: Server, ada: Me, field: str, changes: dict[str, object]
) -> None:
    with pytest.raises(BadSetting) as refused:
        await settings.change(server, ada, house(guests=False, **changes))
    assert refused.value.facts["field"] == field
    assert (await server.club.get()).guests and await lines(server) == []


async def test_tables_end_after_the_time_that_the_house_has_set(
    server: Server, ada: Me, alice: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    assert await expiry.sweep(server) == 0
    later = clock.now() + timedelta(hours=3)
    await settings.change(server, ada, house(waiting_hours=4))
    monkeypatch.setattr(clock, "now", lambda: later)
    assert await expiry.sweep(server) == 1


async def test_an_announcement_has_its_languages(server: Server, other_server: Server, ada: Me) -> None:
    assert await settings.announce(server, ada, {"en": " A  tournament ", "ja": ""}) == 1
    club = await other_server.club.get()
    assert club.announcement("en") == ("A tournament", "en") == club.announcement("ja")
    assert await settings.announce(server, ada, {"en": "A tournament", "ja": "大会"}) == 1
    assert (await server.club.get()).announcement("ja") == ("大会", "ja")
    with pytest.raises(BadSetting):
        await settings.announce(server, ada, {"en": "x" * 501, "ja": ""})
    assert await settings.announce(server, ada, {}) == 2
    assert (await server.club.get()).announcement("en") == ("", "")


async def test_an_edition_is_played_in_every_process_and_pinned(
    server: Server, other_server: Server, ada: Me, alice: Me, bob: Me
) -> None:
    box = BOX.replace("coins = 2", "coins = 4")
    await editions.upload(server, ada, slug=GAME, name="rich", file="rich.toml", contents=box.encode())
    assert (await server.club.get()).editions_of(GAME) == (HOUSE, "rich")
    await settings.change(server, ada, house(edition={GAME: "rich"}))
    assert (await server.club.get()).editions_of(GAME) == ("rich", HOUSE)
    table_id = await opened(server, alice, bob)
    for each in (server, other_server):
        held = await each.states.newest(table_id)
        assert (held.facts.edition, held.game.edition.text) == ("rich", box)
    games._added.clear()  # as in a process that was started later
    other_server.states.forget(table_id)
    held = await play(other_server, table_id, [alice, bob], moves=4)
    assert held.game.edition.name == "rich"
    kept = {each.key: each for each in await editions.list_all(server, ada)}
    assert kept[f"{GAME}/rich"].tables == 1 and kept[f"{GAME}/{HOUSE}"].id == 0
    await editions.set_offered(server, ada, slug=GAME, name="rich", offered=False)
    assert (await server.club.get()).editions_of(GAME) == (HOUSE,)
    with pytest.raises(BadTable):
        await lobby.open_table(server, alice, Wish(slug=GAME, seats=2, edition="rich"))
    with pytest.raises(EditionTaken):
        await editions.upload(server, ada, slug=GAME, name="rich", file="x.toml", contents=BOX.encode())
    with pytest.raises(BadEdition):
        await editions.set_offered(server, ada, slug=GAME, name=HOUSE, offered=False)
    await play(server, table_id, [alice, bob])


async def test_two_uploads_of_one_name_are_one_edition(server: Server, ada: Me) -> None:
    answers = await asyncio.gather(
        *(
            editions.upload(server, ada, slug=GAME, name="twice", file="t.toml", contents=BOX.encode())
            for _ in range(2)
        ),
        return_exceptions=True,
    )
    assert sorted(str(type(answer).__name__) for answer in answers) == ["EditionTaken", "str"]
    assert [line.act for line in await lines(server)] == ["edition"]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (("rounds = 4", "rounds = 4 4"), "(syntax)"),
        (("rounds = 4", "laps = 4"), "setup"),
        (("tool_cost = [0, 1, 2, 3]", 'tool_cost = [0, 1, 2, "x"]'), "board.tool_cost"),
    ],
)
async def test_a_faulty_edition_is_refused_with_file_line_and_key(
    server: Server, ada: Me, change: tuple[str, str], key: str
) -> None:
    box = BOX.replace(*change)
    with pytest.raises(BadEdition) as refused:
        await editions.upload(server, ada, slug=GAME, name="mine", file="../mine.toml", contents=box.encode())
    facts = refused.value.facts
    assert "/" not in str(facts["file"]) and key in str(facts["key"]) and facts["flaw"] and int(facts["line"]) > 0
    assert await lines(server) == []


def test_the_line_of_a_key_is_found() -> None:
    setup, cards = (
        ["[setup]", "rounds = 4", ""],
        ["[[card]]", 'id = "A"', "", "[[card]]", 'id = "B"', 'bonus = "coin"'],
    )
    text_of = "\n".join([*setup, *cards, "[scoring.trees.cedar]", "vp = [1]"])
    assert line_of(text_of, "setup.rounds") == 2
    assert line_of(text_of, "card[1].bonus") == 9
    assert line_of(text_of, "scoring.trees.cedar.vp") == 11
    assert line_of(text_of, "(syntax)", "Invalid value (at line 4, column 2)") == 4
    assert line_of(text_of, "nowhere") == 0


async def test_all_processes_are_seen_at_a_glance(
    server: Server, other_server: Server, mo: Me, alice: Me, bob: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    zones = {f"{GAME}/pieces": (9, 1.0, 4.0, 2048)}
    one, two = Heart(server, "pages", lambda: {"sockets": 3, "zones": zones}), Heart(other_server, "bots")
    two.name = "another"
    table_id = await opened(server, alice, bob)
    await play(server, table_id, [alice, bob], moves=3)
    await play(other_server, table_id, [alice, bob], moves=2)
    for heart in (one, two):
        await heart.beat()
    found = await glance.look(other_server, mo)
    assert (found.playing, found.waiting, found.sockets, found.peak) == (1, 0, 3, 5)
    assert {process.kind for process in found.processes} == {"pages", "bots"}
    assert [(zone.name, zone.slow) for zone in found.zones] == [("pieces", 4.0)]
    assert found.accounts == 0 or found.guests >= 2
    with pytest.raises(NotAllowed):
        await glance.look(server, alice)
    later = clock.now() + timedelta(minutes=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert (await glance.look(server, mo)).moves == 5
    long_after = later + timedelta(minutes=10)
    monkeypatch.setattr(clock, "now", lambda: long_after)
    assert (await glance.look(server, mo)).processes == ()


async def test_what_needs_a_look_is_named(server: Server, other_server: Server, mo: Me, alice: Me, bob: Me) -> None:
    parted = await opened(server, alice, bob)
    await play(server, parted, [alice, bob], moves=2)
    silent = await server.states.find_id(
        await lobby.open_table(server, alice, Wish(slug=GAME, seats=2, options={"first": "2"}, bot="random"))
    )
    paused = await opened(server, bob, alice)
    await acts.pause(server, mo, paused, reason="a call")
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
        await connection.execute(text("UPDATE entries SET digest = 'x' WHERE seq = 2"))
        await connection.execute(text("UPDATE tables SET moved_at = now() - interval '1 hour'"))
    with pytest.raises(Exception, match="seq=2"):
        await other_server.states.newest(parted)
    await Heart(other_server, "bots").beat()
    found = {(each.why, each.table_id) for each in (await glance.look(server, mo)).stuck}
    assert found == {("parted", parted), ("bot", silent), ("paused", paused)}


async def test_errors_are_kept_with_their_ids_and_without_what_was_said(server: Server, mo: Me) -> None:
    heart = Heart(server, "pages")
    heart.start()
    try:
        logger = logging.getLogger("app.web")
        try:
            raise ValueError("Alice's secret")
        except ValueError as fault:
            logs.begin(request="0123456789ab")
            logger.exception("unexpected", exc_info=fault)
        logs.begin()
        logger.error("a bot at table %s", 7)
        await heart.beat()
    finally:
        await heart.stop()
    found = await glance.look(server, mo)
    assert found.wrong_hour == 2
    assert {(each.what, each.times) for each in found.wrong} == {("ValueError", 1), ("a bot at table …", 1)}
    noted = await glance.find_wrong(server, mo, " 0123456789AB ")
    assert noted is not None and "secret" not in f"{noted.what}{noted.place}"
