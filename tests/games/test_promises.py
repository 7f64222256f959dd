"""Every game keeps the promises of the contract, in any random game.

``SEMIRAMIS_PROMISES=5000`` plays that many games of each instead.
"""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine import codec, log, notation
from app.engine.bots import RandomBot
from app.engine.playout import playout
from app.games import games, load
from tests import promises

GAMES = sorted(games())
TRIES = int(os.environ.get("SEMIRAMIS_PROMISES", "60"))
MANY = max(1000, TRIES)


@pytest.mark.parametrize("slug", GAMES)
def test_any_random_game_keeps_every_promise(slug: str) -> None:
    game = load(slug)

    @settings(
        max_examples=TRIES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(seed=st.integers(0, 2**32), data=st.data())
    def kept(seed: int, data: st.DataObject) -> None:
        seats = data.draw(st.sampled_from(list(game.seats)))
        chosen = {
            option.name: data.draw(st.sampled_from(option.choices), label=option.name)
            for option in game.options
            if not option.seats or seats in option.seats
        }
        promises.keep_all(game, seats=seats, seed=str(seed), options=chosen)

    kept()


@pytest.mark.parametrize("slug", GAMES)
def test_a_thousand_random_games_end_add_up_and_replay(slug: str) -> None:
    game = load(slug)
    for number in range(MANY):
        seats = game.seats[number % len(game.seats)]
        chosen = {
            option.name: option.choices[number % len(option.choices)]
            for option in game.options
            if not option.seats or seats in option.seats
        }
        *_, last = playout(game, seats=seats, seed=f"many {number}", bots=(RandomBot(),), options=chosen)
        assert last.over
        assert len(last.played) <= game.longest
        promises.check_scores(game, last, seats)
        if number % 10 == 0:
            first = log.begin(game, seats=seats, options=chosen, seed=f"many {number}")
            entries = [log.Entry(item.seat, notation.write(item.action)) for item in last.played]
            again = log.replay(game, first, entries, trusted=False)
            assert codec.digest(again.state) == codec.digest(last.state)


@pytest.mark.parametrize("slug", GAMES)
def test_the_same_seed_plays_the_same_game_in_another_process(slug: str) -> None:
    game = load(slug)
    seats = game.seats[-1]
    here = [codec.digest(position.state) for position in promises.random_game(game, seats=seats, seed="abc")]
    for hash_seed in ("1", "4711"):
        assert promises.digests_in_another_process(slug, seats, "abc", hash_seed) == here


@pytest.mark.parametrize("slug", GAMES)
def test_what_a_seat_cannot_know_is_really_permuted(slug: str) -> None:
    game = load(slug)
    seats = game.seats[-1]
    positions = promises.random_game(game, seats=seats, seed="hidden")
    for seat in (*range(seats), None):
        assert any(promises.check_no_leak(game, position, seat, "other") for position in positions[:5])


@pytest.mark.parametrize("slug", GAMES)
def test_states_and_views_are_frozen(slug: str) -> None:
    game = load(slug)
    for kind in (game.state_type, game.view_type, *game.action_types, *game.event_types):
        assert promises.all_states_are_frozen(kind)
