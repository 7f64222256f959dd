"""Court cards and tile rewards (rules 8.4, 8.5)."""

from app.games.amyitis import court, stages
from app.games.amyitis.events import NothingAtCourt, Promoted, TokenTaken
from app.games.amyitis.state import State
from tests.games.amyitis.positions import (
    BOX,
    A,
    B,
    C,
    asked,
    caravan,
    changed,
    dealt,
    held,
    legal,
    owning,
    play,
    player,
    refused,
    scored,
    told,
    turn_of,
    watered,
    with_tile,
)

PLANTS = "plant_a plant_b plant_c"


def paying_tile(tile: str, *, square: str = "D4", channels: str = "D3-D4[N]", city: str = "eshnunna") -> State:
    """A must choose the square, among them one with that tile."""
    state = dealt(plants=PLANTS, face_khorsabad="1", tokens="palm dates")
    state = with_tile(watered(caravan(state, city), channels), square, tile)
    return asked(state, A, stages.PLANT)


def test_a_palace_scores_its_points_at_once() -> None:
    """T16; rule 8.4."""
    state = owning(caravan(dealt(), "ur"), A, goods="dates", palace=2, points=(0, 0, 0, 0, 5, 0, 0, 0, 0))
    at_uruk = play(state, "A move:uruk")
    assert legal(at_uruk, A) == ["court:palace", "court:banker"]
    after = play(at_uruk, "A court:palace")
    assert (player(after, A).palace, scored(after, A)) == (3, {"palaces": 9})
    assert after.realm.court == ((3, 2), (3, 2, 1), (3, 3, 1, 2, 1, 1))
    gone = changed(state, court=((3, 2), (3, 2, 1), (3, 3, 0, 2, 1, 1)))
    after = play(gone, "A move:uruk")
    assert (player(after, A).palace, player(after, A).banker) == (2, 1)


def test_all_palaces_together_are_worth_thirty_one() -> None:
    """Rule 8.4."""
    assert sum(level.vp for level in BOX.court.palace) == 31


def test_no_level_may_be_skipped_and_owned_cards_never_return() -> None:
    """Q11; rule 8.4."""
    state = changed(dealt(2), court=((0, 1), (0, 1, 1), (1, 1, 1, 1, 1, 1)))
    state = owning(state, B, caravaneer=1, banker=1)
    assert court.obstacle(state.realm, A, "banker") == "level_gone"
    assert court.obstacle(state.realm, B, "banker") == ""
    realm, events = court.promoted(BOX, state.realm, B, "banker")
    assert events == (Promoted(B, "banker", 2, 0),)
    assert realm.court[1] == (0, 0, 1)
    assert court.obstacle(realm, A, "banker") == "level_gone"
    assert court.holders(realm, "banker", 1) == court.holders(realm, "banker", 2) == (B,)
    assert court.holders(realm, "banker", 3) == ()


def test_the_second_caravaneer_brings_its_token_and_its_taker_chooses_among_two() -> None:
    """T25; rule 8.4."""
    state = changed(dealt(tokens="palm dates"), court=((1, 2), (3, 2, 1), (3, 3, 2, 2, 1, 1)))
    for seat in (A, B, C):
        state = owning(state, seat, caravaneer=1, camels=9, goods="barley")
    state = play(caravan(state, "eshnunna"), "A move:susa", "A court:caravaneer")
    assert (state.realm.seat, state.realm.stage) == (A, stages.TOKEN)
    assert legal(state, A) == ["token:palm", "token:dates"]
    assert refused(state, A, "token:salt").complaint == "no_such_token"
    state = play(state, "A token:dates")
    assert held(state, A) == "dates"
    assert state.realm.tokens == ("palm",)
    assert state.realm.court == ((1, 1), (3, 2, 1), (3, 3, 2, 2, 1, 1))
    assert player(state, A).caravaneer == 2
    assert BOX.court.caravaneer[2].move_bonus == 4
    assert BOX.court.caravaneer[2].storage == 4
    state = play(caravan(state, "eshnunna"), "B move:susa")
    assert TokenTaken(B, "palm") in told(state, B, "court:caravaneer")
    state = play(state, "B court:caravaneer")
    assert held(state, B) == "palm"
    assert state.realm.tokens == ()
    assert state.realm.seat == C
    assert court.obstacle(state.realm, C, "caravaneer") == "level_gone"


def test_a_four_coloured_tile_offers_what_is_left() -> None:
    """T26, Q13; rules 8.3, 8.4."""
    state = paying_tile("G17", square="B1", channels="B1-C1[N,N]", city="khorsabad")
    state = owning(state, A, caravaneer=2, palace=1, gardeners=1)
    state = changed(state, gardeners=0, court=((3, 1), (1, 2, 1), (2, 0, 2, 2, 1, 1)))
    state = play(state, "A plant:B1")
    assert state.realm.gardeners == 1
    assert scored(state, A) == {"tiles": 6}
    assert (state.realm.stage, state.realm.seat) == (stages.REWARD, A)
    assert legal(state, A) == ["court:banker", "court:gardener"]
    assert refused(state, A, "court:caravaneer").complaint == "top_level"
    assert refused(state, A, "court:palace").complaint == "level_gone"
    assert (refused(state, A, "court:harem").complaint, refused(state, A, "court:harem").rule) == (
        "track_not_offered",
        "8.4",
    )
    after = play(state, "A court:gardener")
    assert (player(after, A).gardeners, after.realm.gardeners) == (1, 0)
    assert after.realm.seat == B
    after = play(state, "A court:banker")
    assert (player(after, A).banker, after.realm.gardeners) == (1, 1)
    assert after.realm.planting == -1


def test_a_tile_gives_its_court_step_for_nothing() -> None:
    """Rules 8.4, 8.5."""
    for tile, track in (("G01", "palace"), ("G03", "banker"), ("G04", "caravaneer")):
        state = play(paying_tile(tile), "A plant:D4")
        assert court.level(player(state, A), track) == 1
    assert scored(play(paying_tile("G02"), "A plant:D4"), A) == {"tiles": 2, "palaces": 2}


def test_a_tile_brings_talents_and_camels() -> None:
    """Rule 8.5."""
    state = play(paying_tile("G08"), "A plant:D4")
    assert (player(state, A).talents, player(state, A).camels) == (5, 2)


def test_an_impossible_court_step_is_lost_and_the_planting_stands() -> None:
    """Q10; rule 8.4."""
    state = changed(paying_tile("G04"), court=((0, 2), (3, 2, 1), (3, 3, 2, 2, 1, 1)))
    assert NothingAtCourt(A, "caravaneer") in told(state, A, "plant:D4")
    state = play(state, "A plant:D4")
    assert player(state, A).tiles == ("G04",)
    assert player(state, A).caravaneer == 0
    nothing = changed(paying_tile("G17"), court=((0, 0), (0, 0, 0), (0, 0, 0, 0, 0, 0)), gardeners=0)
    assert NothingAtCourt(A, "choice") in told(nothing, A, "plant:D4")
    assert play(nothing, "A plant:D4").realm.seat == B


def test_the_only_reward_left_is_taken_at_once() -> None:
    """Rule 7.5: what nobody can choose is played out."""
    state = changed(paying_tile("G17"), court=((0, 0), (0, 0, 0), (0, 0, 0, 0, 0, 0)), gardeners=2)
    state = play(state, "A plant:D4")
    assert (player(state, A).gardeners, state.realm.gardeners) == (1, 1)


def test_a_tile_that_brings_a_second_caravaneer_asks_for_its_token_before_the_water() -> None:
    """Rules 8.3, 8.4."""
    state = owning(paying_tile("G04", channels="D3-D4[b]"), A, caravaneer=1)
    state = play(state, "A plant:D4")
    assert (state.realm.stage, legal(state, A)) == (stages.TOKEN, ["token:palm", "token:dates"])
    assert scored(state, B) == {}
    state = play(state, "A token:palm")
    assert scored(state, B) == {"water": 1}
    assert held(state, A) == "palm"
    assert state.realm.tokens == ("dates",)
    assert state.realm.seat == B


def test_talents_camels_and_goods_never_run_out() -> None:
    """Q23: only gardeners and court cards are limited."""
    state = owning(dealt(), A, talents=500, camels=500, goods="wine " * 50)
    state = turn_of(caravan(state, "ninoua"), A)
    assert "move:babylon" in legal(state, A)
    state = owning(asked(state, A, stages.FIELD), A, goods="salt " * 7)
    assert held(play(state, "A farm:upper"), A) == " ".join(["salt"] * 8)


def test_a_city_offers_only_its_own_tracks() -> None:
    """Rules 3.1, 3.3."""
    state = owning(caravan(dealt(), "eshnunna"), A, goods="barley")
    state = play(state, "A move:susa")
    broken = refused(state, A, "court:palace")
    assert (broken.complaint, broken.rule) == ("track_not_offered", "3.1")
    assert refused(state, A, "court:gardener").complaint == "track_not_offered"
