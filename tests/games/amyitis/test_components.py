"""The edition file, and what is refused in it."""

import pytest

from app.engine.editions import EditionRefused, find_edition, make_edition
from app.games import editions
from app.games.amyitis.components import Box
from app.games.amyitis.inspection import open_box
from app.games.amyitis.rules import Rules
from tests.games.amyitis.positions import BOX, GAME

HOUSE = find_edition("app.games.amyitis", "house")


def opened(text: str) -> Box:
    """The box of an edition with this text."""
    return open_box(make_edition("test", "test.toml", text))


def test_the_house_edition_comes_first_and_opens() -> None:
    """What pages call it stands in the file."""
    assert editions("amyitis")[0] == "house"
    assert GAME.edition.digest == HOUSE.digest
    assert (BOX.about.name, BOX.about.status) == ("house", "proposed")
    assert BOX.tile["G20"].status == "confirmed"
    assert BOX.tile["G03"].status == "proposed"
    assert BOX.caravan.cities[1].status == "inferred"


def test_the_box_holds_what_the_rules_say() -> None:
    """Rules 1, 8.5."""
    assert len(BOX.tiles) == 20
    assert [sum(tile.quality == quality for tile in BOX.tiles) for quality in (1, 2, 3)] == [9, 6, 5]
    assert {tile.vp for tile in BOX.tiles} == {1, 2, 3, 4, 5, 6, 8, 10}
    assert sum(resource.count for resource in BOX.resources) == 35
    assert [len(BOX.craft_deck(seats)) for seats in (2, 3, 4)] == [10, 14, 18]
    assert [tile.id for tile in BOX.tiles if tile.court == "choice"] == ["G17", "G18", "G19"]


def test_rules_with_another_edition_are_other_rules() -> None:
    """Figures are data: a sale that brings more brings more."""
    text = HOUSE.text.replace("sale_vp = [3, 6]", "sale_vp = [4, 9]")
    assert Rules(make_edition("rich", "rich.toml", text)).box.caravan.sale_vp == (4, 9)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("[about]", "[about", "(syntax)"),
        ("[about]", "[abaut]", "(top)"),
        ('status = "proposed"       #', 'status = "guessed"       #', "about.status"),
        ('neutral_fill = "all_sides"', 'neutral_fill = "some_sides"', "profiles.standard.neutral_fill"),
        ('id = "dates"\ncount = 7', 'id = "barley"\ncount = 7', "resources[1].id"),
        ("count = 7\nwild = true", "count = 7", "resources"),
        ('id = "salt"\ncount = 7', 'id = "salt"\ncount = 7\nwild = true', "resources"),
        ('id = "palm"\ncount = 7', 'id = "palm"\ncount = 0', "resources[3].count"),
        ("talents = 4", "talents = -1", "setup.talents"),
        ("rows = { 2 = 2, 3 = 3, 4 = 4 }", "rows = { 2 = 2, 3 = 3, 4 = 7 }", "craft.rows.4"),
        ("rows = { 2 = 2, 3 = 3, 4 = 4 }", "rows = { 2 = 2, 3 = 3 }", "craft.rows"),
        ("prices = [0, 1, 2]", "prices = [2, 1, 0]", "craft.prices"),
        ("prices = [0, 1, 2]", "prices = []", "craft.prices"),
        ('id = "priest"', 'id = "peasant"', "craft.cards[1].id"),
        ('id = "priest"', 'id = "monk"', "craft.cards[1].id"),
        ("gardeners = 4", "gardeners = 0", "court.gardeners"),
        ("gardeners = 4", "gardners = 4", "court"),
        ("move_bonus = 0\nstorage = 2", "move_bonus = 0\nstorage = 3", "court.caravaneer[1].storage"),
        ("move_bonus = 0\nstorage = 2", "move_bonus = 3\nstorage = 2", "court.caravaneer[1].move_bonus"),
        (
            "move_bonus = 0\nstorage = 2",
            "move_bonus = 0\nstorage = 2\ncopies = { 2 = 1, 3 = 1, 4 = 1 }",
            "court.caravaneer[0].copies",
        ),
        ("move_bonus = 0\nstorage = 2", "move_bonus = 0\nstorage = 2\ntoken = true", "court.caravaneer[0].token"),
        (
            "copies = { 2 = 1, 3 = 1, 4 = 2 }\nmove_bonus = 4",
            "copies = { 2 = 1, 3 = 1, 4 = 5 }\nmove_bonus = 4",
            "court.caravaneer[2].copies.4",
        ),
        ('id = "ninoua"', 'id = "susa"', "caravan.cities[8].id"),
        ('id = "babylon"\nkind = "sale"', 'id = "babylon"\nkind = "court"', "caravan.cities"),
        ("longest = 9", "longest = 10", "caravan.longest"),
        ("sale_vp = [3, 6]", "sale_vp = [3]", "caravan.sale_vp"),
        ('kind = "plant"\nresource = "salt"', 'kind = "plant"', "caravan.cities[1].resource"),
        ('kind = "plant"\nresource = "salt"', 'kind = "plant"\nresource = "wine"', "caravan.cities[1].resource"),
        ('kind = "plant"\nresource = "salt"', 'kind = "plant"\nresource = "gold"', "caravan.cities[1].resource"),
        ('tracks = ["palace", "banker"]', 'tracks = ["palace", "palace"]', "caravan.cities[4].tracks"),
        ('tracks = ["palace", "banker"]', 'tracks = ["palace"]', "caravan.cities[4].tracks"),
        ('tracks = ["palace", "banker"]', 'tracks = ["palace", "gardener"]', "caravan.cities[4].tracks[1]"),
        ('city = "khorsabad"', 'city = "uruk"', "plants[3].city"),
        ('id = "plant_b"', 'id = "plant_a"', "plants[1].id"),
        ('id = "plant_b"', 'id = "plant_b"\ncity = "khorsabad"', "plants[3].city"),
        ('extra = "palm"', 'extra = "wine"', "plants[3].faces"),
        ('[{ quality = 1 }, { quality = 2, extra = "dates" }]', "[{ quality = 1 }]", "plants[1].faces"),
        ('columns = "ABCD"', 'columns = "ABCA"', "garden.columns"),
        ("  [3, 3, 2, 1],\n", "  [3, 3, 2],\n", "garden.floors[1]"),
        ("  [3, 3, 2, 1],\n", "  [3, 5, 2, 1],\n", "garden.floors[1]"),
        ("  [3, 3, 2, 1],\n", "  [3, 0, 2, 1],\n", "garden.floors[1][1]"),
        ('river = ["bottom", "right"]', 'river = ["top"]', "garden.river[0]"),
        ('river = ["bottom", "right"]', "river = []", "garden.river"),
        ('2 = ["C1", "D1", "D2"]', '2 = ["C1", "D1", "E2"]', "garden.empty.2"),
        ('2 = ["C1", "D1", "D2"]', '2 = ["C1", "D1", "D1"]', "garden.empty.2"),
        ('2 = ["C1", "D1", "D2"]', '2 = ["A1", "D1", "D2"]', "garden.empty.2"),
        ('"A1-A2" = 2', '"A1-A3" = 2', "garden.places.A1-A3"),
        ('"A1-A2" = 2\n', "", "garden.places"),
        ('"A1-A2" = 2', '"A1-A2" = 0', "garden.places[...]"),
        ('id = "G05"', 'id = "G04"', "tiles[4].id"),
        ('id = "G05"\nquality = 1', 'id = "G05"\nquality = 1\nsquare = "A1"', "tiles[4].square"),
        ('id = "G05"\nquality = 1', 'id = "G05"\nquality = 1\nsquare = "E5"', "tiles[4].square"),
        ('square = "A1"\n', "", "tiles"),
        ("  [3, 3, 2, 1],\n", "  [3, 3, 3, 3],\n", "tiles"),
        ('court = "palace"\nstatus = "inferred"', 'court = "harem"\nstatus = "inferred"', "tiles[0].court"),
        ('upper = ["salt"', 'upper = ["gold"', "fields.upper"),
        ("places = 4\n", "places = 0\n", "temples.places"),
        ("marduk = { vp = [2, 1] }", "marduk = { vp = [2] }", "temples.marduk.vp"),
        ("tiles_left = { 2 = 3,", "tiles_left = { 2 = 13,", "end.tiles_left.2"),
        ("{ tiles = 7, vp = 10 }", "{ tiles = 5, vp = 10 }", "end.bonus.2"),
        ("{ tiles = 7, vp = 10 }", "{ tiles = 7, vp = 5 }", "end.bonus.2"),
        ("token_vp = 1", "token_vp = 1\ncamel_vp = 1", "end"),
    ],
)
def test_a_box_that_contradicts_itself_is_refused(old: str, new: str, key: str) -> None:
    """Each refusal names the file, the key and the reason."""
    text = HOUSE.text.replace(old, new, 1)
    assert text != HOUSE.text
    with pytest.raises(EditionRefused) as refusal:
        opened(text)
    assert (refusal.value.file, refusal.value.key) == ("test.toml", key)
    assert refusal.value.reason
