"""What holds at every moment of any game (rules 4 to 8)."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from app.engine.bots import Bot, RandomBot
from app.engine.contract import AnyGame
from app.engine.playout import playout
from app.engine.rng import Rng
from app.games.amyitis import garden, stages
from app.games.amyitis.actions import Choice, Court, Move, Pass
from app.games.amyitis.goods import excess, storage
from app.games.amyitis.state import NOBODY, State, View
from tests.games.amyitis.positions import BOX, GAME, GRID


def holds(state: State) -> None:
    """Nothing is lost, nothing appears, nothing is out of bounds."""
    realm = state.realm
    assert realm.gardeners + sum(player.gardeners for player in realm.players) == 4
    for track, name in enumerate(("caravaneer", "banker", "palace")):
        for level, copies in enumerate(BOX.court_copies(realm.seats)[track], start=1):
            owned = sum(getattr(player, name) >= level for player in realm.players)
            assert owned + realm.court[track][level - 1] == copies
    if realm.stage != stages.TOKEN:
        assert len(realm.tokens) == realm.court[0][1]
    taken = [tile for player in realm.players for tile in player.tiles]
    lying = [tile for tile in realm.tiles if tile]
    assert sorted([*taken, *lying, *state.aside]) == sorted(tile.id for tile in BOX.tiles)
    planted = [square for square, planter in enumerate(realm.planters) if planter != NOBODY]
    assert len(planted) + (realm.planting >= 0) == len(taken)
    for channel, places in zip(realm.channels, GRID.places, strict=True):
        assert len(channel) <= places
    if realm.profile == "standard" and realm.planting < 0:
        assert garden.connected(BOX, realm) == garden.complete(BOX, realm)
        for square in planted:
            assert all(len(realm.channels[side]) == GRID.places[side] for side in GRID.sides[square])
    assert all(len(row) <= 4 for row in realm.fields)
    assert all(len(temple) <= 4 for temple in realm.temples)
    cards = [*state.deck, *(card for row in realm.market for card in row.cards)]
    assert sorted(cards) == sorted(BOX.craft_deck(realm.seats))
    for player in realm.players:
        assert min(player.talents, player.camels, player.gardeners, *player.goods, *player.points) >= 0
    if realm.stage == stages.OVER:
        assert all(sum(player.goods) <= storage(BOX, player) for player in realm.players)
    if realm.stage == stages.DISCARD:
        assert any(excess(BOX, player) for player in realm.players)


@pytest.mark.parametrize("profile", ["standard", "rulebook"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_random_game_keeps_the_books(seats: int, profile: str) -> None:
    """Rules 4.4, 5, 6, 7.1, 7.3, 8.4; Q27."""
    for seed in range(6):
        games = playout(GAME, seats=seats, seed=f"books {seed}", bots=(RandomBot(),), options={"profile": profile})
        states = [position.state for position in games]
        for state in states:
            holds(state)
        for before, after in pairwise(states):
            assert all(
                new[: len(old)] == old for old, new in zip(before.realm.channels, after.realm.channels, strict=True)
            )
            assert all(new.vp >= old.vp for old, new in zip(before.realm.players, after.realm.players, strict=True))
        assert states[-1].realm.round <= 100


class Drainer(Bot):
    """Takes court cards wherever it can, goes where they are sold, and passes last of all."""

    name = "drainer"

    def choose(self, game: AnyGame, view: View, seat: int, actions: Sequence[Choice], rng: Rng) -> Choice:
        courts = [city.id for city in BOX.caravan.cities if city.kind == "court"]
        wishes = (
            [action for action in actions if isinstance(action, Court)],
            [action for action in actions if isinstance(action, Move) and action.city in courts],
            [action for action in actions if not isinstance(action, Pass)],
            actions,
        )
        return rng.choice(next(wish for wish in wishes if wish))[0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_supply_that_runs_out_stops_nobody(seats: int) -> None:
    """Q10, Q11, Q23: every level of the court and the gardeners run out, and the game goes on to its end."""
    levels = {(track, level) for track, copies in enumerate(BOX.court_copies(seats)) for level in range(len(copies))}
    gardeners = False
    for seed in range(8):
        for position in playout(GAME, seats=seats, seed=f"drained {seed}", bots=(Drainer(),)):
            holds(position.state)
            for decision in GAME.decisions(position.state):
                assert GAME.actions(position.state, decision.seat)
            realm = position.state.realm
            levels -= {(track, level) for track, level in levels if not realm.court[track][level]}
            gardeners = gardeners or not realm.gardeners
        assert position.over
    assert not levels
    assert gardeners
