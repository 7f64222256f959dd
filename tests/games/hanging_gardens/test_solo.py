"""Alone with the automaton (9)."""

import pytest

from app.engine.rng import Rng
from app.games.hanging_gardens.state import (
    AUTOMATON,
    Automaton,
    CardDrawn,
    Completed,
    Discarded,
    GameOver,
    GardenerPlaced,
    MarkerMoved,
    NothingHappened,
    Refilled,
    State,
    TileDiscarded,
    TileRevealed,
    TurnBegan,
    active,
)
from tests.games.hanging_gardens.drawn import (
    BOX,
    GAME,
    act,
    after,
    anywhere,
    begin,
    choices,
    player,
    refused,
    replace,
    table,
    turn,
)

NOBODY = "G21 G25 G31 G35"
"""A column without crowns, coins and tools, and without empty cards."""


def facing(
    card: str,
    *,
    market: tuple[str, str, str],
    ledges: tuple[tuple[int, ...], ...] = ((), (), ()),
    objectives: str = "O04 O05 O06 O07",
    done: tuple[tuple[str, int], ...] = (),
    spaces: tuple[tuple[int | None, ...], ...] = ((None, None),) * 4,
    holder: int = 0,
) -> State:
    """A solo table at the end of the seat's turn, with that card on top of the automaton's deck."""
    state = table(
        player("G40 G43 G54"), market=market, objectives=objectives, deal={"automaton": card}, ledges=ledges
    )
    assert state.automaton is not None
    automaton = replace(state.automaton, objectives=done)
    return replace(state, automaton=automaton, spaces=spaces, holder=holder, phase="objective")


def test_the_automaton_takes_its_next_choice_when_a_column_is_full_tv_33_r_27() -> None:
    state = facing("A02", market=(NOBODY, NOBODY, "G44 G01 G62 G52"), ledges=((0, 1), (), (0,)))
    new = state.deck[0]
    step = act(state, "end")
    assert step.events[1:] == (
        TurnBegan(AUTOMATON, 1, 2),
        CardDrawn("A02"),
        GardenerPlaced(3, 2),
        Discarded(3, ("G01",), (2,), "position"),
        Refilled(3, 4, new),
        MarkerMoved(0, AUTOMATON),
        TurnBegan(0, 1, 3),
    )
    assert step.state.market[2] == ("G44", "G62", "G52", new)
    assert step.state.ledges[2] == (0, AUTOMATON)
    assert step.state.holder == AUTOMATON
    assert step.state.discards == ("G01",)
    assert step.reveals


def test_every_flower_of_the_colour_goes_and_an_objective_is_completed_tv_34_r_25() -> None:
    state = facing(
        "A10",
        market=(NOBODY, NOBODY, "G44 G49 G45 G55"),
        done=(("O04", 1), ("O06", 2)),
        spaces=((AUTOMATON, None), (0, None), (None, AUTOMATON), (None, None)),
    )
    first, second = state.deck[:2]
    step = act(state, "end")
    assert Discarded(3, ("G44", "G45"), (1, 3), "flower") in step.events
    assert step.state.market[2] == ("G49", "G55", first, second)
    assert [event for event in step.events if isinstance(event, Refilled)] == [
        Refilled(3, 3, first),
        Refilled(3, 4, second),
    ]
    assert Completed(AUTOMATON, "O05", 2, 2, "none", 0, False) in step.events
    assert step.state.spaces[1] == (0, AUTOMATON)
    assert step.state.automaton is not None
    assert step.state.automaton.objectives == (("O04", 1), ("O06", 2), ("O05", 2))


def test_a_card_of_the_automaton_is_news_even_if_nothing_else_is() -> None:
    state = facing("A04", market=(NOBODY, "G21 G43 G49 G40", NOBODY))
    step = act(state, "end")
    assert step.state.market == state.market
    assert step.state.piles == state.piles
    assert step.reveals


def test_without_that_flower_nothing_is_discarded_tv_35() -> None:
    state = facing("A18", market=(NOBODY, "G44 G45 G55 G48", NOBODY))
    tile, below = state.piles[2][:2]
    step = act(state, "end")
    assert Discarded(2, (), (), "flower") in step.events
    assert step.state.market == state.market
    assert step.state.deck == state.deck
    assert TileDiscarded(4, tile) in step.events
    assert TileRevealed(4, below) in step.events
    assert step.state.piles[2] == state.piles[2][1:]
    assert step.state.discarded_tiles == (tile,)


def test_a_bonus_without_effect_does_nothing_tv_36() -> None:
    done = tuple((tile, 1) for tile in ("O04", "O05", "O06", "O07"))
    state = facing("A07", market=(NOBODY, "G62 G44 G52 G01", NOBODY), done=done, spaces=((AUTOMATON, None),) * 4)
    step = act(state, "end")
    assert Discarded(2, ("G44",), (2,), "item") in step.events
    assert NothingHappened("objective") in step.events
    assert step.state.spaces == state.spaces


def test_a_marker_it_has_and_a_pile_without_a_tile_do_nothing_either() -> None:
    state = facing("A02", market=(NOBODY,) * 3, holder=AUTOMATON)
    assert NothingHappened("marker") in act(state, "end").events
    state = replace(facing("A18", market=(NOBODY,) * 3), piles=((), (), ()))
    assert NothingHappened("enhancement") in act(state, "end").events


def test_the_automaton_begins_a_hard_game_tv_37() -> None:
    marker_never = "A13 A14 A15 A16 A17 A18"
    deck = "G28 G21 G25 G31  G35 G37 G40 G41  G43 G48 G49 G52"  # one crown, at the bottom on the left
    state = begin(1, difficulty="hard", deal={"deck": deck, "automaton": marker_never})
    assert (state.holder, state.starter, state.phase) == (AUTOMATON, AUTOMATON, "automaton")
    assert choices(state) == {"draw"}
    assert GAME.actions(state, 1) == ()
    step = act(state, "draw")
    assert step.events[0] == CardDrawn("A13")
    assert step.reveals
    state = step.state
    assert (state.turn, active(state), state.phase) == (1, 0, "card")
    state = turn(state, anywhere(state, 1, 1))
    assert state.players[0].garden[0].card == "G28"
    assert state.holder == 0
    state = turn(state, anywhere(state, 2, 1))
    state = turn(state, anywhere(state, 2, 1))
    assert (state.round, state.starter, active(state), state.turn) == (2, 0, 0, 0)


@pytest.mark.parametrize(
    ("difficulty", "coins", "tools", "holder"), [("easy", 3, 5, 0), ("normal", 2, 4, 0), ("hard", 1, 3, AUTOMATON)]
)
def test_the_difficulty_sets_what_the_player_begins_with(
    difficulty: str, coins: int, tools: int, holder: int
) -> None:
    state = begin(1, difficulty=difficulty)
    assert (state.players[0].coins, state.players[0].tools, state.holder) == (coins, tools, holder)
    assert state.difficulty == difficulty


def test_both_sides_take_three_turns_in_each_of_four_rounds() -> None:
    state = begin(1, seed="alone")
    turns = 0
    while GAME.decisions(state):
        column = next(each for each in (1, 2, 3) if len(state.ledges[each - 1]) < 2)
        state = turn(state, anywhere(state, column, 1))
        turns += 1
    assert turns == 12
    assert state.automaton is not None
    assert (len(state.automaton.used), len(state.automaton.deck)) == (12, 6)
    assert len(state.players[0].garden) == 12
    assert state.phase == "over"


def test_the_automaton_acts_even_when_it_comes_last() -> None:
    state = facing("A02", market=(NOBODY,) * 3)
    state = replace(state, round=4, turn=4)
    step = act(state, "end")
    assert step.events[-1] == GameOver()
    assert CardDrawn("A02") in step.events
    assert step.state.phase == "over"


def test_the_automaton_starts_a_round_whose_marker_it_holds() -> None:
    state = replace(facing("A18 A13", market=(NOBODY,) * 3, holder=AUTOMATON), starter=1, turn=5)
    step = act(state, "end")
    assert (step.state.round, step.state.starter, step.state.turn) == (2, AUTOMATON, 1)
    assert [event for event in step.events if isinstance(event, TurnBegan)] == [
        TurnBegan(AUTOMATON, 2, 1),
        TurnBegan(0, 2, 2),
    ]


def test_the_item_rule_looks_at_what_is_printed_on_market_cards_r_26() -> None:
    state = facing("A02", market=("G44 G62 G21 G25", NOBODY, NOBODY))
    assert Discarded(1, ("G21",), (3,), "item") in act(state, "end").events


def test_the_automaton_needs_no_items_and_gains_no_coins_r_25() -> None:
    state = facing("A07", market=(NOBODY,) * 3, spaces=((0, None), *((None, None),) * 3))
    step = act(state, "end")
    assert Completed(AUTOMATON, "O04", 2, 2, "none", 0, False) in step.events
    assert step.state.players == state.players


def test_the_human_cannot_draw_for_the_automaton() -> None:
    state = facing("A07", market=(NOBODY,) * 3)
    assert refused(state, "draw") == ("automaton_acts_by_itself", "9.2.1")


def test_a_verdict_is_passed_on_the_garden_alone() -> None:
    poor = player("G42 G19 G11\nG01 G29 G63 G48\nG47 G50 G30 G69 G07")
    rich = player(
        "G17+E17 G62 G13+E15\nG27 G54 G18+E12 G35\nG47 G55 G58 G71 G41",
        irrigation="I2",
        objectives=(("O04", 1), ("O05", 1), ("O06", 1)),
    )
    for whose, points, verdict, rank in ((poor, 42, "stroll", 2), (rich, 76, "talk", 1)):
        (score,) = GAME.scores(table(whose))
        assert (score.total, score.verdict, score.rank) == (points, verdict, rank)


@pytest.mark.parametrize(
    ("points", "verdict", "win"),
    [
        (0, "stroll", False),
        (49, "stroll", False),
        (50, "corner", False),
        (59, "corner", False),
        (60, "worthy", True),
        (69, "worthy", True),
        (70, "talk", True),
        (80, "wonder", True),
        (120, "wonder", True),
    ],
)
def test_sixty_points_win(points: int, verdict: str, win: bool) -> None:
    assert (BOX.verdict(points).id, BOX.verdict(points).win) == (verdict, win)


def test_the_automaton_meets_every_card_of_its_deck() -> None:
    for card in BOX.automaton_cards:
        state = facing(card, market=("G44 G01 G62 G20", "G49 G07 G63 G22", "G55 G13 G64 G26"))
        step = act(state, "end")
        assert step.state.automaton is not None
        assert step.state.automaton.used == (card,)
        assert [len(column) for column in step.state.market] == [4, 4, 4]


def test_the_view_shows_used_cards_and_hides_the_order_of_the_rest() -> None:
    state = after(facing("A07", market=(NOBODY,) * 3), "end")
    view = GAME.view(state, 0)
    assert view.automaton is not None
    assert (view.automaton.deck, view.automaton.used) == (17, ("A07",))
    other = GAME.imagine(view, 0, Rng("other"))
    assert isinstance(other.automaton, Automaton)
    assert state.automaton is not None
    assert sorted(other.automaton.deck) == sorted(state.automaton.deck)
    assert other.automaton.deck != state.automaton.deck
