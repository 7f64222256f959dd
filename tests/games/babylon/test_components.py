"""The box: what the house edition holds, and that an edition which contradicts itself is refused."""

from collections import Counter

import pytest

from app.engine.editions import EditionRefused, find_edition, make_edition
from app.games.babylon.components import open_box
from tests.games.babylon.script import box, rules

C01 = '["stairs", "none", "fountain", "none"]'
"""The symbols of the first clay tile."""

TEXT = find_edition("app.games.babylon", "house").text


def test_the_house_edition_has_the_pieces_of_section_3() -> None:
    supply = box().supply
    assert supply.single_pillar.count == 148
    assert supply.double_pillar.count == 60
    assert supply.belvedere.count == 38
    assert [piece.count for piece in (supply.stairs, supply.fountain, supply.bridge)] == [15, 15, 15]
    assert supply.statue.count == 38
    assert len(box().token_ids) == 14
    assert [material.id for material in box().materials] == ["basalt", "granite", "clay"]
    assert [len(layer) for layer in box().layers] == [16, 16, 16]
    assert [box().for_seats(seats).rounds for seats in (2, 3, 4)] == [15, 13, 11]


def test_no_flower_and_no_symbol_is_favoured() -> None:
    """17.1: what the house edition promises about its tiles."""
    shown: Counter[tuple[str, str, str]] = Counter()
    for tile in box().tiles:
        symbols = [symbol for symbol in tile.symbols if symbol != "none"]
        assert len(set(symbols)) == len(symbols)
        shown.update((tile.flower, tile.material, symbol) for symbol in symbols)
    assert {count for (_, material, _), count in shown.items() if material == "clay"} == {2}
    assert {count for (_, material, _), count in shown.items() if material == "granite"} == {3}
    assert {count for (_, material, _), count in shown.items() if material == "basalt"} == {4}
    assert {tile.symbols for tile in box().start_tiles} == {("stairs", "fountain", "bridge", "statue")}


def test_what_is_ours_in_the_house_edition_is_marked() -> None:
    assert {tile.status for tile in box().tiles} == {"proposed"}
    assert {token.status for token in box().tokens} == {"proposed"}
    assert box().supply.single_pillar.status == "published"
    assert box().scoring.status == "rules"


def test_the_box_has_what_the_rules_are_asked_for() -> None:
    assert rules().box.start_tile["pink"] == "s-pink"
    assert rules().box.tile_by_id["g10"].symbols == ("stairs", "bridge", "none", "statue")


@pytest.mark.parametrize(
    ("old", "new", "key", "reason"),
    [
        ("schema = 1", "schema = 2", "schema", "2"),
        ('game = "babylon"', 'game = "amyitis"', "game", "amyitis"),
        ("width = 8", "width = 9", "board", "8 by 8"),
        ("width = 4", "width = 5", "materials[0].tiles", "16 tiles for 20 stacks"),
        ("width = 4", "width = 40", "quarry", "more than 64 stacks"),
        ("count = 148", "count = 0", "supply.single_pillar.count", ">= 1"),
        ("count = 148", 'count = "many"', "supply.single_pillar.count", "int"),
        ("count = 148", "counted = 148", "supply.single_pillar", "count"),
        ('sources = ["toratora"]', 'sources = ["nobody"]', "supply.bridge.sources", "nobody"),
        ("per_side = 1", "per_side = -1", "mining.per_side", ">= 0"),
        ("height_per_level = 2", "height_per_level = -2", "scoring.height_per_level", ">= 0"),
        ("single_pillars = 6", "single_pillars = -6", "storage.single_pillars", ">= 0"),
        ("[seats.4]", "[seats.5]", "seats", "2, 3, 4"),
        ("round_tokens = 14", "round_tokens = 15", "seats.2.round_tokens", "only 14"),
        ("clay_removed_each = 3", "clay_removed_each = 9", "seats.2.clay_removed_each", "18 tiles of 16"),
        ("clay_removed_each = 0", "clay_removed_each = 2", "seats.4.round_tokens", "44 tiles would be mined"),
        ('id = "pink"\nstatus', 'id = "white"\nstatus', "flowers[1].id", "white stands twice"),
        ('[[flowers]]\nid = "yellow"\nstatus = "proposed"\n', "", "flowers", "3 flowers"),
        ('id = "clay"', 'id = "granite"', "materials[2].id", "granite stands twice"),
        ('id = "blank"', 'id = "minus_single"', "tokens[6].id", "minus_single stands twice"),
        ('id = "blank"', 'id = "earthquake"', "tokens[6].id", "earthquake"),
        ('id = "blank"\ncount = 2', 'id = "blank"\ncount = 1', "seats.2.round_tokens", "only 13"),
        ('id = "c02"', 'id = "c01"', "tiles[1].id", "c01 stands twice"),
        ('id = "c02"', 'id = "s-pink"', "tiles[1].id", "starting tile"),
        ('id = "c02"', 'id = "none"', "tiles[1].id", "no tile"),
        ('id = "c02"', 'id = "C 02"', "tiles[1].id", "regex"),
        ('id = "s-pink"\nflower = "pink"', 'id = "s-pink"\nflower = "white"', "start_tiles", "one starting tile"),
        ('id = "s-pink"\nflower = "pink"', 'id = "s-pink"\nflower = "red"', "start_tiles[1].flower", "red"),
        (
            'id = "s-pink"\nflower = "pink"',
            'id = "s-pink"\nmaterial = "clay"\nflower = "pink"',
            "start_tiles[1].material",
            "no material side",
        ),
        ('material = "clay"\nflower = "white"', 'material = "clay"\nflower = "red"', "tiles[0].flower", "red"),
        ('material = "clay"\nflower = "white"', 'material = "sand"\nflower = "white"', "tiles[0].material", "sand"),
        ('material = "clay"\nflower', 'material = "granite"\nflower', "tiles[0].symbols", "granite has 3"),
        (
            C01,
            '["stairs", "none", "none", "none"]',
            "tiles[0].symbols",
            "1 symbols",
        ),
        (
            C01,
            '["stairs", "none", "pond", "none"]',
            "tiles[0].symbols[2]",
            "pond",
        ),
        (C01, '["stairs", "fountain"]', "tiles[0].symbols", "length 4"),
        ("tiles = 16\nsymbols = 4", "tiles = 15\nsymbols = 4", "materials[0].tiles", "15 announced, 16 listed"),
        ('status = "proposed"', 'status = "guessed"', "supply.belvedere.box_count_status", "guessed"),
    ],
)
def test_an_edition_that_contradicts_itself_is_refused(old: str, new: str, key: str, reason: str) -> None:
    assert old in TEXT
    with pytest.raises(EditionRefused) as refused:
        open_box(make_edition("odd", "odd.toml", TEXT.replace(old, new, 1)))
    assert refused.value.file == "odd.toml"
    assert refused.value.key == key, refused.value
    assert reason in refused.value.reason, refused.value


def test_a_word_nobody_knows_is_refused() -> None:
    with pytest.raises(EditionRefused, match="umbrellas"):
        open_box(make_edition("odd", "odd.toml", TEXT + "\n[umbrellas]\ncount = 1\n"))
