"""Storage, the end and final scoring (rules 7.3 and 9)."""

import pytest

from app.engine import codec
from app.games.amyitis import scoring, stages
from app.games.amyitis.events import Discarded, Ended, Sealed
from app.games.amyitis.state import State
from tests.games.amyitis.positions import (
    BOX,
    GAME,
    A,
    B,
    C,
    D,
    all_passed_but,
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
    step,
    told,
    vp,
    watered,
    without_tiles,
)


def procession(state: State) -> State:
    """All have passed, and nobody has worshipped anywhere; the last seat is to choose a temple."""
    return asked(changed(state, passed=tuple(range(state.realm.seats))), state.realm.seats - 1, stages.PROCESSION)


def test_each_keeps_as_many_tokens_as_the_caravaneer_allows() -> None:
    """T24; rule 7.3."""
    state = owning(dealt(), A, caravaneer=1, goods="salt salt wine dates")
    state = owning(state, B, caravaneer=2, goods="salt barley palm wine")
    state = play(procession(state), "D worship:marduk")
    assert [decision.seat for decision in GAME.decisions(state)] == [A]
    assert legal(state, A) == ["discard:dates", "discard:salt", "discard:wine"]
    assert refused(state, A, "discard:palm").complaint == "not_held"
    state = play(state, "A discard:dates")
    assert legal(state, A) == ["discard:salt", "discard:wine"]
    events = told(state, A, "discard:salt")
    assert [event for event in events if isinstance(event, Discarded)] == [Discarded(A, ("dates", "salt"))]
    state = play(state, "A discard:salt")
    assert state.sealed == ((0,) * 5,) * 4
    assert held(state, A) == "salt wine"
    assert held(state, B) == "barley salt palm wine"
    assert state.realm.round == 2


def test_discards_are_chosen_at_the_same_time_and_opened_together() -> None:
    """Rule 7.3: nobody sees what another has sealed, and the order does not matter."""
    state = owning(owning(dealt(), A, goods="salt salt wine"), C, goods="palm dates wine wine")
    state = play(procession(state), "D worship:marduk")
    assert [decision.seat for decision in GAME.decisions(state)] == [A, C]
    sealed = step(state, A, "discard:wine")
    assert not sealed.reveals
    assert [event.seen_by(A) for event in sealed.events] == [Sealed(A, "wine")]
    assert [event.seen_by(C) for event in sealed.events] == [Sealed(A, "")]
    assert [event.seen_by(None) for event in sealed.events] == [Sealed(A, "")]
    assert held(sealed.state, A) == "salt salt wine"
    other = step(state, A, "discard:salt").state
    for seat in (B, C, D, None):
        assert codec.encode(GAME.view(sealed.state, seat)) == codec.encode(GAME.view(other, seat))
    assert GAME.view(sealed.state, A).discards != GAME.view(other, A).discards
    assert legal(sealed.state, A) == []
    assert refused(sealed.state, A, "discard:salt").complaint == "not_your_decision"
    one = play(state, "A discard:wine", "C discard:palm", "C discard:dates")
    two = play(state, "C discard:dates", "C discard:palm", "A discard:wine")
    assert codec.encode(one) == codec.encode(two)
    assert (held(one, A), held(one, C)) == ("salt salt", "wine wine")


def test_who_holds_only_one_kind_is_not_asked() -> None:
    """Rule 7.5: what nobody can choose is played out."""
    state = procession(owning(dealt(), A, goods="wine wine wine"))
    assert Discarded(A, ("wine",)) in told(state, D, "worship:marduk")
    assert held(play(state, "D worship:marduk"), A) == "wine wine"


def test_storage_applies_in_the_last_round_before_the_scoring() -> None:
    """Q22."""
    state = procession(without_tiles(owning(dealt(), A, goods="salt palm wine"), 4))
    state = play(state, "D worship:marduk")
    assert state.realm.stage == stages.DISCARD
    done = step(state, A, "discard:salt")
    assert not done.reveals
    assert scored(done.state, A) == {"leftovers": 2}
    assert done.state.realm.stage == stages.OVER
    assert GAME.decisions(done.state) == ()


def test_opening_what_several_have_sealed_cannot_be_taken_back() -> None:
    """Rule 7.3."""
    state = owning(owning(dealt(), A, goods="salt palm wine"), B, goods="salt palm wine")
    state = play(procession(without_tiles(state, 4)), "D worship:marduk", "B discard:salt")
    done = step(state, A, "discard:salt")
    assert done.state.realm.stage == stages.OVER
    assert done.reveals


def test_the_winners_share_a_tie() -> None:
    """T28; rule 9."""
    state = without_tiles(dealt(3), 4)
    state = owning(state, A, vp=41, tiles=tuple("123456"), goods="salt wine")
    state = owning(state, B, vp=46, tiles=tuple("1234"), goods="palm")
    state = owning(state, C, vp=50, tiles=tuple("12"), goods="palm palm wine", caravaneer=2)
    assert [scoring.if_it_ended_now(BOX, state.realm, seat) for seat in (A, B, C)] == [53, 52, 53]
    assert vp(state) == (41, 46, 50)
    state = play(procession(state), "C worship:ishtar")
    assert Ended(4) in told(state, C, "gift:camel")
    state = play(state, "C gift:camel")
    scores = GAME.scores(state)
    assert [score.total for score in scores] == [53, 52, 53]
    assert [score.rank for score in scores] == [1, 3, 1]
    assert [(scored(state, seat).get("bonus", 0), scored(state, seat)["leftovers"]) for seat in (A, B, C)] == [
        (10, 2),
        (5, 1),
        (0, 3),
    ]


@pytest.mark.parametrize(
    ("seats", "left", "over"), [(2, 4, False), (2, 3, True), (3, 4, True), (4, 5, False), (4, 4, True)]
)
def test_the_end_comes_when_few_tiles_are_left(seats: int, left: int, over: bool) -> None:
    """T29; rule 9."""
    state = procession(without_tiles(dealt(seats), left))
    state = step(state, seats - 1, "worship:marduk").state
    assert (state.realm.stage == stages.OVER) == over
    assert state.realm.round == (1 if over else 2)
    assert bool(GAME.decisions(state)) != over


def test_the_round_in_which_the_last_tile_is_taken_is_played_out() -> None:
    """T30; rule 9."""
    state = dealt(plants="plant_a plant_b plant_c")
    tiles = [""] * 16
    for square, tile in ((15, "G05"), (14, "G09"), (11, "G07"), (0, "G20"), (1, "G16")):
        tiles[square] = tile
    state = caravan(watered(changed(state, tiles=tuple(tiles)), "D3-D4[a], C4-D4[a]"), "babylon")
    for seat in (A, B):
        state = owning(state, seat, camels=9, goods="salt palm")
    state = play(state, "A move:eshnunna", "A plant:D4")
    assert scoring.tiles_left(state.realm) == 4
    assert scoring.ends(BOX, state.realm)
    assert (state.realm.seat, state.realm.stage) == (B, stages.ACT)
    state = play(state, "B move:ur", "B plant:C4")
    assert scoring.tiles_left(state.realm) == 3
    state = play(state, "C pass", "D pass", "A pass", "B pass", "D worship:marduk")
    assert state.realm.stage == stages.OVER
    assert scored(state, D) == {"temples": 2}


@pytest.mark.parametrize(("seats", "five", "ten"), [(2, (5, 6), (7, 9)), (3, (4, 5), (6, 9)), (4, (3, 4), (5, 9))])
def test_the_bonus_for_tiles(seats: int, five: tuple[int, int], ten: tuple[int, int]) -> None:
    """Rule 9."""
    for tiles in range(10):
        expected = 10 if tiles >= ten[0] else 5 if tiles >= five[0] else 0
        assert scoring.tile_bonus(BOX, tiles, seats=seats) == expected
    assert scoring.next_bonus(BOX, 0, seats=seats) == (five[0], 5)
    assert scoring.next_bonus(BOX, five[1], seats=seats) == (ten[0], 10)
    assert scoring.next_bonus(BOX, ten[0], seats=seats) is None


def test_camels_talents_and_gardeners_are_worth_nothing_at_the_end() -> None:
    """Rule 9."""
    state = procession(without_tiles(owning(dealt(), B, talents=9, camels=9, gardeners=4), 4))
    state = play(state, "D worship:marduk")
    assert vp(state) == (0, 0, 0, 2)
    assert player(state, B).talents == 9


def test_nothing_is_asked_and_nothing_is_legal_after_the_end() -> None:
    """Rule 9."""
    state = play(procession(without_tiles(dealt(), 4)), "D worship:marduk")
    assert all(legal(state, seat) == [] for seat in range(4))
    assert (refused(state, A, "pass").complaint, refused(state, A, "pass").rule) == ("game_over", "9")


def test_the_last_to_act_ends_the_phase_by_passing() -> None:
    """Rule 7.2."""
    state = play(all_passed_but(without_tiles(dealt(), 4), B), "B pass")
    assert (state.realm.seat, state.realm.stage) == (D, stages.PROCESSION)
