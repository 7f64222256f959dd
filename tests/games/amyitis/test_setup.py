"""Setting up (rules 1 and 2)."""

import pytest

from app.engine.contract import OptionRefused
from app.engine.rng import DealRefused
from app.games.amyitis import market, scoring, stages
from app.games.amyitis.state import NOBODY
from tests.games.amyitis.positions import BOX, GAME, GRID, A, C, dealt, legal, player


def test_four_players_find_sixteen_tiles_four_rows_and_two_tokens() -> None:
    """T1; rules 2.2, 2.3, 2.4, 2.5."""
    assert list(GAME.seats) == [2, 3, 4]
    realm = dealt(4).realm
    assert scoring.tiles_left(realm) == 16
    assert realm.tiles[GRID.square_number["A1"]] == "G20"
    assert [len(row.cards) for row in realm.market] == [3, 3, 3, 3]
    assert all(row.takers == (NOBODY,) * 3 for row in realm.market)
    for each in realm.players:
        assert (each.talents, each.camels, each.caravaneer, each.vp) == (4, 1, 0, 0)
        assert (each.banker, each.palace, each.gardeners, sum(each.goods), each.tiles) == (0, 0, 0, 0, ())
    assert len(set(realm.tokens)) == len(realm.tokens) == 2
    assert "wine" not in realm.tokens
    assert BOX.caravan.cities[realm.caravan].id == "babylon"
    placed = dict(zip(("eshnunna", "ur", "mari", "khorsabad"), realm.plants, strict=True))
    assert {placed[city].card for city in ("eshnunna", "ur", "mari")} == {"plant_a", "plant_b", "plant_c"}
    assert all(BOX.plant_cards[plant.card].faces[plant.face].quality == 1 for plant in realm.plants[:3])
    assert placed["khorsabad"].card == "plant_d"


def test_two_players_leave_three_squares_empty_and_end_at_three_tiles() -> None:
    """T2; rule 4.2."""
    realm = dealt(2).realm
    assert scoring.tiles_left(realm) == 13
    assert [name for name, tile in zip(GRID.squares, realm.tiles, strict=True) if not tile] == ["C1", "D1", "D2"]
    assert len(realm.market) == 2
    assert len(realm.tokens) == 1
    assert BOX.end.tiles_left.at(2) == 3


def test_three_players_use_fourteen_craft_cards_in_three_rows_and_one_token() -> None:
    """Rule 1."""
    state = dealt(3)
    cards = [*state.deck, *(card for row in state.realm.market for card in row.cards)]
    assert {craft: cards.count(craft) for craft in set(cards)} == {
        "peasant": 4,
        "priest": 4,
        "engineer": 3,
        "merchant": 3,
    }
    assert len(state.realm.market) == 3
    assert len(state.realm.tokens) == 1
    assert scoring.tiles_left(state.realm) == 16


@pytest.mark.parametrize(
    ("seats", "court"),
    [
        (2, ((1, 1), (1, 1, 1), (1, 1, 1, 1, 1, 1))),
        (3, ((2, 1), (2, 1, 1), (2, 2, 1, 1, 1, 1))),
        (4, ((3, 2), (3, 2, 1), (3, 3, 2, 2, 1, 1))),
    ],
)
def test_court_cards_leave_with_missing_players(seats: int, court: tuple[tuple[int, ...], ...]) -> None:
    """Rule 1: the tables of court cards."""
    realm = dealt(seats).realm
    assert realm.court == court
    assert realm.gardeners == 4
    if seats == 4:
        assert 4 + sum(sum(track) for track in court) + 4 == 31


def test_tiles_lie_on_the_floor_of_their_quality_and_the_rest_is_set_aside() -> None:
    """Rule 2.4."""
    for seats in (2, 3, 4):
        state = dealt(seats)
        for square, tile in enumerate(state.realm.tiles):
            if tile and GRID.floors[square] < 4:
                assert BOX.tile[tile].quality == GRID.floors[square]
        assert sorted([*state.aside, *filter(None, state.realm.tiles)]) == [
            f"G{number:02}" for number in range(1, 21)
        ]


def test_every_pile_can_be_dealt_by_hand() -> None:
    """Rule 2: what a table of wood and cardboard had, this one can have."""
    state = dealt(
        4,
        start="C",
        plants="plant_c plant_a plant_b",
        face_khorsabad="2",
        tokens="palm dates",
        tiles_1="G05 G07",
        tiles_3="G19 G16 G17",
        craft="merchant merchant engineer priest",
    )
    realm = state.realm
    assert (realm.start, realm.active, realm.seat) == (C, C, C)
    assert [(plant.card, plant.face) for plant in realm.plants] == [
        ("plant_c", 0),
        ("plant_a", 0),
        ("plant_b", 0),
        ("plant_d", 1),
    ]
    assert realm.tokens == ("palm", "dates")
    by_square = dict(zip(GRID.squares, realm.tiles, strict=True))
    assert (by_square["D1"], by_square["D2"]) == ("G05", "G07")
    assert (by_square["B1"], by_square["A2"], by_square["B2"]) == ("G19", "G16", "G17")
    assert realm.market[0].cards == ("merchant", "merchant", "engineer")
    assert realm.market[1].cards[0] == "priest"
    with pytest.raises(DealRefused):
        dealt(4, tokens="wine")
    with pytest.raises(DealRefused):
        dealt(4, tiles_1="G20")


def test_the_first_turn_is_the_start_players_and_costs_nothing() -> None:
    """Rules 2.6, 2.7: no compensation for seat order."""
    state = dealt(4, start="C")
    assert [decision.seat for decision in GAME.decisions(state)] == [C]
    assert state.realm.stage == stages.ACT
    assert market.price(BOX, state.realm.market[0]) == 0
    assert legal(state, A) == []
    assert player(state, A) == player(state, C)


def test_the_profile_is_chosen_when_the_table_is_opened() -> None:
    """Q1 and Q2 are settled then."""
    assert dealt(2).realm.profile == "standard"
    assert dealt(2, profile="rulebook").realm.profile == "rulebook"
    with pytest.raises(OptionRefused):
        GAME.options_for(2, {"profile": "seed"})
