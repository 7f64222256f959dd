"""Planting (rules 8.1 to 8.3)."""

import pytest

from app.games.amyitis import garden, stages
from app.games.amyitis.events import CardTurned, Flooded, Planted, Watered
from app.games.amyitis.state import NOBODY, State
from tests.games.amyitis.positions import (
    BOX,
    GRID,
    A,
    B,
    asked,
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
    thirsty,
    told,
    vp,
    watered,
    with_tile,
)

PLANTS = "plant_a plant_b plant_c"


def ready_to_plant(
    text: str,
    *,
    city: str,
    seat: int = A,
    seats: int = 4,
    profile: str = "standard",
    turned: str = "",
    gardeners: int = 0,
) -> State:
    """The seat has paid in that city and must choose the square."""
    state = dealt(seats, profile=profile, plants=PLANTS, face_khorsabad="1")
    state = owning(watered(caravan(state, city, turned=turned), text), seat, gardeners=gardeners)
    state = changed(state, gardeners=4 - gardeners, active=seat)
    return asked(state, seat, stages.PLANT)


def test_a_tie_for_water_brings_nobody_points() -> None:
    """T17; rule 8.3."""
    state = watered(caravan(dealt(plants=PLANTS), "babylon"), "C4-D4[b], D3-D4[a]")
    state = owning(with_tile(state, "D4", "G05"), A, goods="salt")
    state = play(state, "A move:eshnunna")
    assert state.realm.stage == stages.PLANT
    assert legal(state, A) == ["plant:D3", "plant:C4", "plant:D4"]
    assert Watered("D4", (1, 1, 0, 0), NOBODY, 0) in told(state, A, "plant:D4")
    state = play(state, "A plant:D4")
    assert vp(state) == (3, 0, 0, 0)
    assert in_channels(state) == "C4-D4[b], D3-D4[a]"
    assert state.realm.plants[0].face == 1
    assert (player(state, A).tiles, player(state, A).camels, held(state, A)) == (("G05",), 0, "")
    assert state.realm.planters[GRID.square_number["D4"]] == A


def test_a_gardener_raises_the_plant_and_goes_back_to_the_pool() -> None:
    """T18; rules 8.1, 8.3."""
    text = "A4-B4[a], A3-B3[b], A2-B2[a,b], B2-B3[a]"
    state = ready_to_plant(text, city="khorsabad", seat=B, gardeners=1)
    state = with_tile(state, "B2", "G16")
    assert told(state, B, "plant:B2")[0] == Planted(B, "B2", "G16", 2, 1, 8, 0, 0)
    after = play(state, "B plant:B2")
    assert (player(after, B).gardeners, after.realm.gardeners) == (0, 4)
    assert scored(after, B) == {"tiles": 8}
    assert scored(after, A) == {"water": 2}
    flooded = [event for event in told(state, B, "plant:B2") if isinstance(event, Flooded)]
    assert flooded == [Flooded("B1-B2", 2), Flooded("B2-B3", 1), Flooded("B2-C2", 2)]
    assert thirsty(after.realm) == ["A2", "A3", "A4", "B1", "B3", "B4", "C2"]
    by_the_book = play(changed(state, profile="rulebook"), "B plant:B2")
    assert in_channels(by_the_book) == in_channels(state)


def test_a_better_plant_may_grow_on_a_lower_floor() -> None:
    """T19; rules 8.1, 8.3."""
    state = with_tile(ready_to_plant("D3-D4[a]", city="khorsabad", seat=B), "D4", "G07")
    talents = player(state, B).talents
    state = play(state, "B plant:D4")
    assert scored(state, B) == {"tiles": 2}
    assert player(state, B).talents - talents == 2
    assert (player(state, B).gardeners, state.realm.gardeners) == (0, 4)
    assert scored(state, A) == {"water": 2}
    assert in_channels(state) == "C4-D4[N], D3-D4[a]"


def test_the_profiles_fill_different_channels() -> None:
    """T20, Q1."""
    for profile, grey, after in (
        ("standard", "B4-C4[N], C3-C4[b], C4-D4[a]", ["B4", "C3", "D4"]),
        ("rulebook", "C3-C4[b], C4-D4[a]", ["C3", "D4"]),
    ):
        state = ready_to_plant("C4-D4[a], C3-C4[b]", city="eshnunna", profile=profile)
        state = with_tile(state, "C4", "G05")
        state = play(state, "A plant:C4")
        assert vp(state) == (3, 0, 0, 0)
        assert in_channels(state) == grey
        assert thirsty(state.realm) == after


def test_by_the_rulebook_channels_between_planted_squares_are_filled() -> None:
    """T21, Q1."""
    state = ready_to_plant("B4-C4[a], C3-C4[a], D3-D4[b]", city="eshnunna", profile="rulebook")
    state = with_tile(with_tile(state, "C4", "G05"), "D4", "G09")
    state = play(state, "A plant:C4")
    assert scored(state, A) == {"tiles": 3, "water": 1}
    assert "N" not in in_channels(state)
    state = asked(caravan(state, "ur"), A, stages.PLANT)
    state = play(state, "A plant:D4")
    assert scored(state, B) == {"water": 1}
    assert in_channels(state) == "B4-C4[a], C3-C4[a], C4-D4[N], D3-D4[b]"


def test_by_the_rulebook_a_filled_channel_can_be_cut_off_from_the_river() -> None:
    """Q24: its ends touch no water; that is why the path is asked for."""
    text = "A2-B2[a,a], A3-B3[a], A4-B4[a], C2-D2[b], D2-D3[b]"
    state = ready_to_plant(text, city="khorsabad", profile="rulebook")
    planters = list(state.realm.planters)
    planters[GRID.square_number["B2"]] = B
    tiles = list(state.realm.tiles)
    tiles[GRID.square_number["B2"]] = ""
    state = changed(state, planters=tuple(planters), tiles=tuple(tiles))
    after = play(with_tile(state, "C2", "G10"), "A plant:C2")
    assert in_channels(after) == "A2-B2[a,a], A3-B3[a], A4-B4[a], B2-C2[N,N], C2-D2[b], D2-D3[b]"
    cut = GRID.channel_number["B2-C2"]
    assert garden.complete(BOX, after.realm) >> cut & 1
    assert not garden.connected(BOX, after.realm) >> cut & 1


def test_with_two_players_the_empty_squares_are_never_planted_squares() -> None:
    """Q26, Q1."""
    state = ready_to_plant("D2-D3[a]", city="eshnunna", seats=2, profile="rulebook")
    assert legal(state, A) == ["plant:D3"]
    assert refused(state, A, "plant:D2").complaint == "no_tile"
    after = play(with_tile(state, "D3", "G05"), "A plant:D3")
    assert in_channels(after) == "D2-D3[a]"
    standard = ready_to_plant("D2-D3[a]", city="eshnunna", seats=2)
    after = play(with_tile(standard, "D3", "G05"), "A plant:D3")
    assert in_channels(after) == "C3-D3[N], D2-D3[a], D3-D4[N]"


def test_exactly_the_missing_gardeners_are_spent() -> None:
    """Q12; rule 8.1."""
    state = ready_to_plant("D3-D4[a], C3-D3[a]", city="ur", gardeners=3)
    assert player(play(state, "A plant:D4"), A).gardeners == 3
    assert player(play(state, "A plant:C3"), A).gardeners == 2
    # A1 and its floor need quality 3: two gardeners for a plant of quality 1.
    top = ready_to_plant("A3-B3[a], A2-A3[a,a]", city="ur", gardeners=2)
    assert "plant:A2" in legal(top, A)
    assert player(play(with_tile(top, "A2", "G16"), "A plant:A2"), A).gardeners == 0


def test_the_top_of_the_garden_is_planted_like_any_square() -> None:
    """Rules 4.1, 8.3: floor 4 asks for quality 3, and A1 always carries the tile of 10 VP."""
    text = "A4-B4[a], A3-B3[a], A2-B2[a,b], A1-B1[a,b]"
    state = ready_to_plant(text, city="khorsabad", seat=B, gardeners=1)
    assert told(state, B, "plant:A1")[0] == Planted(B, "A1", "G20", 2, 1, 10, 0, 0)
    tie = play(state, "B plant:A1")
    assert vp(tie) == (0, 10, 0, 0)
    state = watered(state, text + ", A1-A2[a]")
    after = play(state, "B plant:A1")
    assert (scored(after, A), scored(after, B)) == ({"water": 2}, {"tiles": 10})
    assert in_channels(after) == "A1-A2[a,N], A1-B1[a,b], A2-B2[a,b], A3-B3[a], A4-B4[a]"
    assert (player(after, B).gardeners, after.realm.gardeners) == (0, 4)
    assert (after.realm.tiles[0], after.realm.planters[0], after.realm.planting) == ("", B, -1)
    assert after.realm.plants[3].face == 1
    assert thirsty(after.realm) == ["A2", "A3", "A4", "B1", "B2", "B3", "B4"]


def test_grey_cubes_block_no_majority() -> None:
    """Q18; rule 8.3."""
    state = ready_to_plant("C4-D4[N], D3-D4[b]", city="eshnunna")
    state = play(with_tile(state, "D4", "G05"), "A plant:D4")
    assert scored(state, B) == {"water": 1}


def test_half_filled_channels_and_all_sides_count_for_the_majority() -> None:
    """Q17; rule 8.3."""
    state = ready_to_plant("B3-B4[a], B2-B3[b], A3-B3[b]", city="khorsabad")
    state = play(with_tile(state, "B3", "G10"), "A plant:B3")
    assert scored(state, B) == {"water": 2}


def test_the_majority_is_counted_before_grey_cubes_and_they_carry_water_on() -> None:
    """Rule 8.3."""
    state = ready_to_plant("D3-D4[b]", city="eshnunna")
    after = play(with_tile(state, "D4", "G05"), "A plant:D4")
    assert "C4-D4[N]" in in_channels(after)
    assert thirsty(after.realm) == ["C4", "D3"]
    near = [GRID.channels[channel] for channel in range(24) if garden.eligible(BOX, after.realm) >> channel & 1]
    assert {"C3-C4", "C3-D3"} <= set(near)


def test_the_plant_card_is_turned_after_each_purchase() -> None:
    """Rule 8.2."""
    state = ready_to_plant("D3-D4[a], C4-D4[a]", city="khorsabad")
    assert CardTurned("khorsabad", "plant_d", 1) in told(state, A, "plant:D4")
    state = asked(play(with_tile(state, "D4", "G05"), "A plant:D4"), A, stages.PLANT)
    assert CardTurned("khorsabad", "plant_d", 0) in told(state, A, "plant:C4")


@pytest.mark.parametrize(
    ("square", "complaint", "rule"),
    [
        ("B4", "not_irrigated", "4.5"),
        ("C4", "not_irrigated", "4.5"),
        ("D4", "no_tile", "8.1"),
        ("C3", "quality_too_low", "8.1"),
        ("E5", "no_such_square", "4.1"),
    ],
)
def test_what_cannot_be_planted(square: str, complaint: str, rule: str) -> None:
    """Rule 8.1."""
    state = ready_to_plant("D3-D4[a], C3-D3[a]", city="eshnunna")
    tiles = list(state.realm.tiles)
    tiles[GRID.square_number["D4"]] = ""
    state = changed(state, tiles=tuple(tiles))
    broken = refused(state, A, f"plant:{square}")
    assert (broken.complaint, broken.rule) == (complaint, rule)
    if complaint == "quality_too_low":
        assert broken.facts == (("square", "C3"), ("required", 2), ("reach", 1))
        broken = refused(owning(with_tile(watered(state, "B1-C1[a,a]"), "B1", "G16"), A, gardeners=1), A, "plant:B1")
        assert broken.facts == (("square", "B1"), ("required", 3), ("reach", 2))


def test_the_only_square_is_planted_at_once() -> None:
    """Rule 7.5: what nobody can choose is played out."""
    state = watered(caravan(dealt(plants=PLANTS), "eshnunna"), "D3-D4[a], C3-D3[a]")
    for square in ("D4",):
        tiles = list(state.realm.tiles)
        tiles[GRID.square_number[square]] = ""
        state = changed(state, tiles=tuple(tiles))
    state = owning(with_tile(state, "D3", "G05"), A, camels=2, goods="palm")
    state = play(state, "A move:ur")
    assert player(state, A).tiles == ("G05",)
    assert state.realm.seat == B


def test_a_prospect_says_what_planting_would_bring() -> None:
    """For the page: rule 8.3."""
    state = with_tile(dealt(), "B2", "G16")
    state = watered(state, "A4-B4[a], A3-B3[b], A2-B2[a,b], B2-B3[a]")
    seen = garden.prospect(BOX, state.realm, GRID.square_number["B2"], quality=2)
    assert seen == garden.Prospect(
        square="B2",
        gardeners=1,
        tile="G16",
        cubes=(2, 1, 0, 0),
        leader=A,
        neutral=(("B1-B2", 2), ("B2-B3", 1), ("B2-C2", 2)),
    )
