"""The action phase (rules 7.1, 7.2, 7.4)."""

from app.engine import log
from app.engine.bots import RandomBot
from app.engine.playout import playout
from app.games.amyitis import market, stages
from app.games.amyitis.events import Built, Earned, NothingToBuild, Recruited, Waited
from app.games.amyitis.state import NOBODY, State
from tests.games.amyitis.positions import (
    BOX,
    GAME,
    A,
    B,
    C,
    D,
    all_passed_but,
    changed,
    dealt,
    held,
    in_channels,
    legal,
    letters,
    owning,
    play,
    player,
    refused,
    scored,
    step,
    told,
    turn_of,
    vp,
    watered,
)
from tests.games.amyitis.positions import market as laid

FULL_RING = ", ".join(
    f"{name}[{','.join('b' * places)}]"
    for name, places in zip(BOX.grid.channels, BOX.grid.places, strict=True)
    if name != "A1-A2"
)


def test_a_character_costs_as_many_talents_as_lie_face_down_beside_it() -> None:
    """T3; rule 7.2."""
    state = owning(laid(dealt(), "PEASANT priest engineer", "merchant priest peasant"), A, talents=1)
    assert market.price(BOX, state.realm.market[0]) == 1
    assert told(state, A, "recruit:1:3")[0] == Recruited(A, 1, 3, "engineer", 1)
    state = step(state, A, "recruit:1:3").state
    assert player(state, A).talents == 0
    assert [row.takers for row in state.realm.market] == [(A, NOBODY, A), (NOBODY, NOBODY, NOBODY)]
    assert market.price(BOX, state.realm.market[0]) == 2
    state = turn_of(state, A)
    assert "recruit:1:2" not in legal(state, A)
    broken = refused(state, A, "recruit:1:2")
    assert (broken.complaint, broken.rule, dict(broken.facts)) == ("too_few_talents", "7.2", {"cost": 2, "have": 0})
    assert refused(state, A, "recruit:1:1").complaint == "card_taken"
    assert refused(state, A, "recruit:5:1").complaint == "no_such_card"
    assert refused(state, A, "recruit:1:0").complaint == "no_such_card"
    assert refused(state, A, "recruit:0:1").complaint == "no_such_card"
    assert refused(state, A, "recruit:1:4").complaint == "no_such_card"
    assert legal(state, A, "recruit") == ["recruit:2:1", "recruit:2:2", "recruit:2:3"]
    state = turn_of(step(state, A, "recruit:2:1").state, A)
    assert [row.takers for row in state.realm.market] == [(A, NOBODY, A), (A, NOBODY, NOBODY)]
    assert refused(state, A, "recruit:2:3").complaint == "too_few_talents"
    assert market.price(BOX, laid(state, "PEASANT PRIEST ENGINEER").realm.market[0]) == 2


def test_the_four_characters_do_their_work() -> None:
    """Rule 7.2 B."""
    state = laid(dealt(), "peasant priest engineer", "merchant merchant merchant")
    farming = play(state, "A recruit:1:1")
    assert (farming.realm.seat, farming.realm.stage) == (A, stages.FIELD)
    assert held(play(farming, "A farm:lower"), A) == "barley"
    praying = play(state, "A recruit:1:2")
    assert praying.realm.stage == stages.TEMPLE
    assert letters(play(praying, "A worship:ishtar").realm.temples[0]) == "a"
    digging = play(state, "A recruit:1:3")
    assert digging.realm.stage == stages.CHANNEL
    digging = play(digging, "A build:A4-B4")
    assert in_channels(digging) == "A4-B4[a]"
    assert scored(digging, A) == {"channels": 2}
    trading = play(state, "A recruit:2:2")
    assert player(trading, A).camels == 2
    for after in (trading, digging):
        assert (after.realm.seat, after.realm.stage) == (B, stages.ACT)


def test_an_engineer_without_an_eligible_channel_may_be_hired_for_nothing() -> None:
    """Q7; rule 7.2."""
    everywhere = FULL_RING + ", A1-A2[b,b]"
    state = watered(laid(dealt(), "engineer priest peasant"), everywhere)
    assert told(state, A, "recruit:1:1")[1] == NothingToBuild(A)
    state = play(state, "A recruit:1:1")
    assert vp(state) == (0, 0, 0, 0)
    assert in_channels(state) == in_channels(watered(state, everywhere))
    assert state.realm.seat == B


def test_with_one_eligible_channel_the_engineer_digs_it_at_once() -> None:
    """Rule 7.5: what nobody can choose is played out."""
    state = watered(laid(dealt(), "engineer priest peasant"), FULL_RING)
    assert told(state, A, "recruit:1:1")[1] == Built(A, "A1-A2", 2, False)
    state = play(state, "A recruit:1:1")
    assert (state.realm.seat, vp(state)) == (B, (2, 0, 0, 0))


def test_passed_seats_take_a_talent_each_time_their_turn_comes_round() -> None:
    """T22, Q16."""
    state = laid(dealt(), "merchant merchant merchant", "merchant merchant merchant")
    state = play(state, "A pass", "B pass", "C recruit:1:1")
    assert [each.talents for each in state.realm.players] == [4, 4, 4, 4]
    assert told(state, D, "pass")[1:] == (Waited(A, 1), Waited(B, 1))
    state = play(state, "D pass")
    assert [each.talents for each in state.realm.players] == [5, 5, 4, 4]
    state = play(state, "C recruit:2:1")
    assert [each.talents for each in state.realm.players] == [6, 6, 4, 5]
    assert (state.realm.seat, state.realm.stage) == (C, stages.ACT)
    state = play(state, "C pass")
    assert [each.talents for each in state.realm.players] == [6, 6, 4, 5]
    assert state.realm.stage == stages.PROCESSION
    assert state.realm.passed == (A, B, D, C)


def test_passing_is_always_legal_and_a_seat_may_act_again_and_again() -> None:
    """Rule 7.2."""
    state = owning(all_passed_but(laid(dealt(), "merchant merchant merchant"), B), B, talents=0, camels=0)
    assert legal(state, B) == ["pass", "recruit:1:1", "recruit:1:2", "recruit:1:3"]
    state = play(state, "B recruit:1:3")
    assert legal(state, B)[0] == "pass"
    assert state.realm.seat == B


def test_turns_go_clockwise_from_the_start_player() -> None:
    """Rule 7.4."""
    state = laid(dealt(start="C"), "merchant merchant merchant", "merchant merchant merchant")
    order = []
    for card in ("1:1", "1:2", "2:1", "2:2"):
        order.append(state.realm.seat)
        state = owning(state, state.realm.seat, talents=9)
        state = step(state, state.realm.seat, f"recruit:{card}").state
    assert order == [C, D, A, B]


def test_bankers_pay_the_income_of_the_highest_card_only() -> None:
    """Q25; rule 7.1."""
    state = dealt()
    for seat, level in ((B, 1), (C, 2), (D, 3)):
        state = owning(state, seat, banker=level)
    state = play(all_passed_but(state, A), "A pass")
    done = step(state, D, "worship:tammuz").state
    for line in ("D gift:talent", "D gift:camel", "D farm:upper"):
        if line.split()[1] in legal(done, D):
            done = play(done, line)
    paid = [event for event in told(state, D, "worship:tammuz") if isinstance(event, Earned)]
    assert paid == []
    assert [each.talents for each in done.realm.players] == [4, 5, 6, 6]
    assert [scored(done, seat).get("bankers", 0) for seat in (A, B, C, D)] == [0, 0, 0, 2]


def test_a_new_round_shuffles_all_craft_cards_and_shows_new_rows() -> None:
    """Rule 7.1."""
    state = play(all_passed_but(dealt(), A), "A pass", "D worship:marduk")
    assert state.realm.round == 2
    cards = [*state.deck, *(card for row in state.realm.market for card in row.cards)]
    assert sorted(cards) == sorted(BOX.craft_deck(4))
    assert all(row.takers == (NOBODY,) * 3 for row in state.realm.market)
    assert state.realm.passed == ()
    assert (state.realm.start, state.realm.seat) == (B, B)


def test_only_the_new_round_cannot_be_taken_back() -> None:
    """7.1: the craft cards came to light."""
    state = all_passed_but(dealt(), A)
    assert not step(state, A, "pass").reveals
    state = play(state, "A pass")
    assert step(state, D, "worship:marduk").reveals
    asking = step(state, D, "worship:ishtar")
    assert not asking.reveals
    assert step(asking.state, D, "gift:camel").reveals


def test_no_round_is_endless_and_no_random_game_is_long() -> None:
    """Q27: every recruit uses a card and every move camels and goods."""
    for seats in (2, 3, 4):
        for seed in "abc":
            last: log.Position[State]
            *_, last = playout(GAME, seats=seats, seed=seed, bots=(RandomBot(),))
            assert last.state.realm.round <= 100
            assert len(last.played) < 2000


def test_players_who_only_pass_play_on() -> None:
    """Q27: the game itself has no limit of rounds."""
    state = dealt(2)
    for number in range(2, 60):
        while state.realm.round < number:
            seat = GAME.decisions(state)[0].seat
            state = step(state, seat, legal(state, seat)[0]).state
    assert GAME.decisions(state)


def test_points_are_public_at_once() -> None:
    """Q28."""
    state = play(laid(dealt(), "engineer priest peasant"), "A recruit:1:1", "A build:D3-D4")
    assert GAME.view(state, D).realm.players[A].vp == 2
    assert GAME.view(state, None).realm.players[A].vp == 2
    assert min(vp(state)) == 0


def test_the_seats_that_do_not_choose_are_refused() -> None:
    """Rule 7.5."""
    state = dealt()
    assert (refused(state, B, "pass").complaint, refused(state, B, "pass").rule) == ("not_your_decision", "7.5")
    assert refused(state, A, "farm:upper").complaint == "not_asked"
    assert refused(changed(state, stage=stages.OVER, seat=NOBODY), A, "pass").complaint == "game_over"
