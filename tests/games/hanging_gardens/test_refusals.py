"""Whatever somebody sends: it is legal, or it is refused with a rule."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.bots import RandomBot
from app.engine.playout import playout
from app.games.hanging_gardens.state import Buy, Choice, Complete, Draw, End, Pass, State, Take
from tests.games.hanging_gardens.drawn import BOX, GAME


def states() -> Sequence[State]:
    """The positions of a solo game and of a game of three."""
    return [
        position.state
        for seats, options in ((1, {"difficulty": "hard"}), (3, {}))
        for position in playout(GAME, seats=seats, seed="refused", bots=(RandomBot(),), options=options)
    ]


STATES = states()
NUMBERS = st.integers(-3, 7)
ACTIONS: st.SearchStrategy[Choice] = st.one_of(
    st.builds(Take, st.integers(0, 4), st.integers(0, 5), st.integers(0, 4), NUMBERS),
    st.builds(Buy, st.integers(1, 5), st.integers(0, 4), NUMBERS),
    st.builds(Complete, st.sampled_from([*BOX.objectives, "O99", "-"]), st.integers(-1, 5)),
    st.sampled_from([Pass(), End(), Draw()]),
)


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(state=st.sampled_from(STATES), action=ACTIONS, seat=st.integers(0, 2))
def test_every_refusal_is_precise(state: State, action: Choice, seat: int) -> None:
    broken = GAME.why_not(state, seat, action)
    assert (broken is None) == (action in GAME.actions(state, seat))
    if broken is not None:
        assert broken.complaint != "not_legal"
        assert broken.rule
