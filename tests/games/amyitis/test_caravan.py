"""The caravan (rule 3)."""

from itertools import product

import pytest

from app.games.amyitis import caravan as caravans
from app.games.amyitis import stages
from app.games.amyitis.events import Moved, NothingToBuild, Paid, Sold
from app.games.amyitis.goods import can_pay, payments
from tests.games.amyitis.positions import (
    BOX,
    A,
    B,
    caravan,
    changed,
    dealt,
    held,
    in_channels,
    legal,
    owning,
    play,
    player,
    refused,
    scored,
    told,
    vp,
    watered,
)

CITIES = ["babylon", "eshnunna", "susa", "ur", "uruk", "mari", "palmyra", "khorsabad", "ninoua"]
PLANTS = "plant_a plant_b plant_c"


def test_nine_cities_clockwise_from_babylon() -> None:
    """Rule 3.1."""
    assert [city.id for city in BOX.caravan.cities] == CITIES
    assert [city.kind for city in BOX.caravan.cities] == ["sale", *["plant", "court"] * 4]
    prices = [city.resource for city in BOX.caravan.cities]
    assert prices == ["", "salt", "barley", "palm", "dates", "barley", "salt", "dates", "palm"]
    assert [city.tracks for city in BOX.caravan.cities if city.kind == "court"] == [
        ("caravaneer", "banker"),
        ("palace", "banker"),
        ("caravaneer", "palace"),
        ("banker", "palace"),
    ]


@pytest.mark.parametrize(
    ("level", "camels"),
    [(0, [1, 2, 3, 4, 5, 6, 7, 8, 9]), (1, [1, 1, 1, 2, 3, 4, 5, 6, 7]), (2, [1, 1, 1, 1, 1, 2, 3, 4, 5])],
)
def test_camels_by_distance_and_caravaneer(level: int, camels: list[int]) -> None:
    """T12; rule 3.2."""
    state = owning(caravan(dealt(), "babylon"), A, caravaneer=level)
    assert [one.camels for one in caravans.destinations(BOX, state.realm, A)] == camels
    cost = {one.city: one.camels for one in caravans.destinations(BOX, state.realm, A)}
    assert [cost[city] for city in ("ur", "palmyra", "ninoua")] == [[3, 6, 8], [1, 4, 6], [1, 2, 4]][level]


def test_who_cannot_trade_anywhere_cannot_move() -> None:
    """T13, Q9; rule 3.3."""
    state = owning(caravan(dealt(), "ninoua"), A, camels=3, goods="")
    assert legal(state, A, "move") == []
    assert refused(state, A, "move:babylon").complaint == "nothing_to_sell"
    assert refused(state, A, "move:eshnunna").complaint == "price_too_dear"
    broken = refused(state, A, "move:uruk")
    assert (broken.complaint, broken.rule) == ("too_few_camels", "3.2")
    assert dict(broken.facts) == {"distance": 5, "cost": 5, "have": 3}
    assert refused(state, A, "move:rome").complaint == "no_such_city"


def test_a_sale_in_babylon_brings_points_and_a_cube_without_points() -> None:
    """T14; rule 3.4."""
    state = owning(caravan(dealt(), "khorsabad"), A, camels=2, goods="dates wine")
    assert told(state, A, "move:babylon")[0] == Moved(A, "khorsabad", "babylon", 2, 2)
    state = play(state, "A move:babylon")
    assert legal(state, A) == ["sell:dates:-", "sell:wine:-", "sell:dates:wine"]
    assert told(state, A, "sell:dates:wine")[0] == Sold(A, ("dates", "wine"), 6)
    state = play(state, "A sell:dates:wine")
    assert state.realm.stage == stages.SALE_CHANNEL
    state = play(state, "A build:C4-D4")
    assert (player(state, A).camels, held(state, A)) == (0, "")
    assert scored(state, A) == {"sales": 6}
    assert in_channels(state) == "C4-D4[a]"
    assert state.realm.seat == B


def test_one_or_two_tokens_are_sold_equal_or_not() -> None:
    """Rule 3.4."""
    state = owning(caravan(dealt(), "ninoua"), A, goods="salt salt wine")
    state = play(state, "A move:babylon")
    assert legal(state, A) == ["sell:salt:-", "sell:wine:-", "sell:salt:salt", "sell:salt:wine"]
    one, two = play(state, "A sell:salt:-"), play(state, "A sell:salt:salt")
    assert (scored(one, A), held(one, A)) == ({"sales": 3}, "salt wine")
    assert (scored(two, A), held(two, A)) == ({"sales": 6}, "wine")
    assert refused(state, A, "sell:wine:wine").complaint == "not_held"
    assert refused(state, A, "sell:wine:salt").complaint == "one_or_two_in_order"
    assert refused(state, A, "sell:-:-").complaint == "one_or_two_in_order"
    assert refused(state, A, "sell:palm:-").complaint == "not_held"


def test_a_single_token_is_sold_at_once() -> None:
    """Rule 7.5: what nobody can choose is played out."""
    state = owning(caravan(dealt(), "ninoua"), A, goods="palm")
    state = play(state, "A move:babylon")
    assert (state.realm.stage, scored(state, A)) == (stages.SALE_CHANNEL, {"sales": 3})


def test_a_sale_stands_without_an_eligible_channel() -> None:
    """Q8; rule 3.4."""
    everywhere = ", ".join(
        f"{name}[{','.join('b' * places)}]" for name, places in zip(BOX.grid.channels, BOX.grid.places, strict=True)
    )
    state = owning(watered(caravan(dealt(), "ninoua"), everywhere), A, goods="palm")
    assert NothingToBuild(A) in told(state, A, "move:babylon")
    state = play(state, "A move:babylon")
    assert vp(state) == (3, 0, 0, 0)
    assert state.realm.seat == B


def test_a_full_lap_leads_back_to_the_same_city() -> None:
    """Q15; rule 3.2: nine steps."""
    state = owning(caravan(dealt(), "babylon"), A, camels=9, goods="salt")
    assert "move:babylon" in legal(state, A)
    assert told(state, A, "move:babylon")[0] == Moved(A, "babylon", "babylon", 9, 9)
    assert player(play(state, "A move:babylon"), A).camels == 0
    assert "move:babylon" not in legal(owning(state, A, camels=8), A)
    assert caravans.destinations(BOX, state.realm, A)[-1].obstacle is None


def test_no_move_is_longer_than_a_full_lap() -> None:
    """Rule 3.2: however many camels one has."""
    state = owning(watered(dealt(), "D3-D4[b]"), A, camels=50, goods="barley barley palm dates salt wine wine")
    assert [text[5:] for text in legal(state, A, "move")] == [*CITIES[1:], "babylon"]


def test_a_banker_bought_in_susa_pays_from_the_next_preparation_on() -> None:
    """T15; rules 3.3, 8.4."""
    state = owning(caravan(dealt(), "eshnunna"), A, camels=1, goods="barley")
    state = play(state, "A move:susa")
    assert legal(state, A) == ["court:caravaneer", "court:banker"]
    state = play(state, "A court:banker")
    assert (player(state, A).camels, held(state, A), player(state, A).banker) == (0, "", 1)
    assert player(state, A).talents == 4
    state = play(state, "B pass", "C pass", "D pass", "A pass")
    before = player(state, A).talents
    state = play(state, "D worship:marduk")
    assert state.realm.round == 2
    assert player(state, A).talents == before + 1


def test_the_caravaneer_bought_now_does_not_help_this_move() -> None:
    """Q14; rule 3.2."""
    state = owning(caravan(dealt(), "mari"), A, camels=6, goods="barley")
    state = play(state, "A move:susa", "A court:caravaneer")
    assert player(state, A).camels == 0
    assert player(state, A).caravaneer == 1


def test_wine_pays_for_anything_and_as_little_of_it_as_can_be_is_offered_first() -> None:
    """Rule 3.5."""
    state = owning(caravan(dealt(), "eshnunna"), A, goods="barley wine")
    state = play(state, "A move:susa")
    assert state.realm.stage == stages.PAY
    assert legal(state, A) == ["pay:barley:-", "pay:wine:-"]
    assert told(state, A, "pay:wine:-")[0] == Paid(A, ("wine",))
    assert held(play(state, "A pay:wine:-"), A) == "barley"
    broken = refused(state, A, "pay:salt:-")
    assert (broken.complaint, broken.rule, broken.facts) == ("not_the_price", "3.5", (("price", "barley"),))
    only_wine = owning(caravan(dealt(), "eshnunna"), A, goods="wine")
    assert held(play(only_wine, "A move:susa"), A) == ""


def test_wine_stands_for_part_of_a_price_of_two() -> None:
    """Rules 3.5, 8.2."""
    state = watered(caravan(dealt(plants=PLANTS), "babylon", turned="eshnunna"), "D3-D4[b]")
    assert next(one.price for one in caravans.destinations(BOX, state.realm, A)) == ("salt", "barley")
    for tokens, ways in {
        "salt barley": None,
        "salt wine": None,
        "wine wine": None,
        "barley wine": None,
        "salt barley wine": ["pay:salt:barley", "pay:salt:wine", "pay:wine:barley"],
        "salt barley wine wine": ["pay:salt:barley", "pay:salt:wine", "pay:wine:barley", "pay:wine:wine"],
    }.items():
        after = play(owning(state, A, goods=tokens), "A move:eshnunna")
        if ways is None:
            assert after.realm.stage == stages.PLANT
            assert held(after, A) == ""
        else:
            assert legal(after, A) == ways
            assert refused(after, A, "pay:dates:-").facts == (("price", "salt"), ("extra", "barley"))
    for tokens in ("salt", "barley", "wine", "salt dates", "barley salt"):
        there = "move:eshnunna" in legal(owning(state, A, goods=tokens), A)
        assert there == (tokens == "barley salt")
    broken = refused(owning(state, A, goods="salt"), A, "move:eshnunna")
    assert broken.facts == (("city", "eshnunna"), ("price", "salt"), ("extra", "barley"))


def test_a_price_of_two_equal_tokens_is_payable_with_one_and_wine() -> None:
    """Rule 3.5: salt and salt again."""
    state = watered(caravan(dealt(plants="plant_c plant_a plant_b"), "babylon", turned="eshnunna"), "D3-D4[b]")
    assert "move:eshnunna" not in legal(owning(state, A, goods="salt"), A)
    assert "move:eshnunna" in legal(owning(state, A, goods="salt wine"), A)
    after = play(owning(state, A, goods="salt salt wine wine"), "A move:eshnunna")
    assert legal(after, A) == ["pay:salt:salt", "pay:salt:wine", "pay:wine:wine"]


def test_a_court_city_is_closed_when_neither_track_has_a_step() -> None:
    """Rules 3.3, 8.4."""
    state = owning(caravan(dealt(), "eshnunna"), A, goods="barley")
    state = changed(state, court=((0, 2), (0, 2, 1), state.realm.court[2]))
    broken = refused(state, A, "move:susa")
    assert (broken.complaint, broken.rule) == ("no_step_at_court", "3.3")
    assert dict(broken.facts) == {"city": "susa", "caravaneer": "level_gone", "banker": "level_gone"}
    one_left = changed(state, court=((0, 2), (1, 2, 1), state.realm.court[2]))
    after = play(one_left, "A move:susa")
    assert player(after, A).banker == 1
    assert after.realm.seat == B


def test_a_plant_city_is_closed_when_nothing_can_be_planted() -> None:
    """Rules 3.3, 8.1."""
    state = owning(caravan(dealt(), "babylon"), A, goods="salt")
    broken = refused(state, A, "move:eshnunna")
    assert (broken.complaint, dict(broken.facts)["reach"]) == ("nothing_to_plant", 1)
    wet = watered(state, "C3-C4[b], C3-D3[b], C4-D4[b]")
    assert "move:eshnunna" in legal(wet, A)


def test_destinations_say_what_stands_against_them() -> None:
    """For the page: rules 3.2, 3.3."""
    state = owning(caravan(dealt(), "babylon"), A, camels=2, goods="barley")
    seen = caravans.destinations(BOX, state.realm, A)
    assert [one.city for one in seen] == [*CITIES[1:], "babylon"]
    assert [one.obstacle.complaint if one.obstacle else "" for one in seen[:3]] == [
        "price_too_dear",
        "",
        "too_few_camels",
    ]
    assert [one.city for one in seen if not one.obstacle] == [text[5:] for text in legal(state, A, "move")]


def test_a_price_can_be_paid_exactly_when_there_is_a_way() -> None:
    """Rule 3.5, for all small holdings and prices."""
    prices = [price for length in (1, 2) for price in product(range(4), repeat=length)]
    for held_goods in product(range(3), repeat=5):
        for price in prices:
            ways = payments(BOX, held_goods, price)
            assert can_pay(BOX, held_goods, price) == bool(ways)
            for way in ways:
                assert all(way.count(token) <= held_goods[token] for token in way)
                assert all(token in {asked, BOX.wild} for token, asked in zip(way, price, strict=True))
