"""Playing on from a moment: nothing is stored, nothing hidden is told, everything can be taken back."""

import msgspec
import pytest

from app.engine import codec, log, notation
from app.engine.bots import RandomBot
from app.engine.playout import playout
from app.engine.rng import Rng
from app.games import games, load
from app.services import analysis
from app.services.errors import BadAction
from app.services.held import Held
from tests.games.test_pages import held

GAMES = sorted(games())


def table(slug: str, *, entries: int | None, seats: int = 2) -> Held:
    """A table after so many entries, or at its end."""
    game = load(slug)
    options = game.options_for(seats)
    positions = list(playout(game, seats=seats, seed="analysis", options=options, bots=(RandomBot(),)))
    position = positions[-1] if entries is None else positions[entries]
    return held(slug, position, seats=seats, seed="analysis", options=options)


def first_action(made: Held, tried: analysis.Trial) -> str:
    assert tried.acting is not None
    return notation.write(made.game.actions(tried.position.state, tried.acting)[0])


@pytest.mark.parametrize("slug", GAMES)
def test_while_the_game_goes_on_it_begins_with_what_the_seat_knows_and_no_more(slug: str) -> None:
    """Whatever is hidden may be otherwise: the analysis is the same, to the last card that it draws."""
    made = table(slug, entries=12)
    assert made.position is not None
    for seat in (0, 1, None):
        view = made.game.view(made.position.state, seat)
        other = table(slug, entries=12)
        changed = made.game.imagine(view, seat, Rng("quite another deal"))
        assert codec.encode(changed) != codec.encode(made.position.state)
        other.position = log.opened(made.game, changed)
        other.position = msgspec.structs.replace(other.position, version=12)
        one, another = analysis.begin(made, seat, 12), analysis.begin(other, seat, 12)
        assert codec.encode(one.state) == codec.encode(another.state)
        assert codec.encode(made.game.view(one.state, seat)) == codec.encode(view)


@pytest.mark.parametrize("slug", GAMES)
def test_a_line_is_played_on_to_the_end_and_the_table_stays_as_it_was(slug: str) -> None:
    made = table(slug, entries=20)
    before = codec.digest(made.position.state) if made.position else ""
    tried = analysis.trial(made, 0, at=5)
    for _ in range(1000):
        if tried.acting is None or len(tried.line) >= 60:
            break
        tried = analysis.after(made, 0, tried, first_action(made, tried))
        assert tried.viewer == (tried.acting if tried.acting is not None else 0)
    assert len(tried.line) >= 20
    assert made.version == 20
    assert made.position is not None
    assert codec.digest(made.position.state) == before
    again = analysis.trial(made, 0, at=5, line=tried.line)
    assert codec.digest(again.position.state) == codec.digest(tried.position.state)


def test_everything_can_be_taken_back_even_what_revealed_something() -> None:
    made = table("hanging_gardens", entries=6)
    tried = analysis.trial(made, 0, at=6)
    start = codec.digest(tried.position.state)
    for _ in range(4):
        tried = analysis.after(made, 0, tried, first_action(made, tried))
    for count in (3, 2):
        tried = analysis.taken_back(made, 0, tried)
        assert len(tried.line) == count
    while tried.line:
        tried = analysis.taken_back(made, 0, tried, whole_turn=True)
    assert codec.digest(tried.position.state) == start
    assert analysis.taken_back(made, 0, tried) == tried


def test_bots_answer_once_the_game_is_over_and_never_before() -> None:
    over, running = table("hanging_gardens", entries=None), table("hanging_gardens", entries=8)
    with pytest.raises(BadAction):
        analysis.trial(running, 0, at=4, others="greedy")
    with pytest.raises(BadAction):
        analysis.trial(over, 0, at=4, others="nobody")
    tried = analysis.answered(over, 0, analysis.trial(over, 0, at=0, others="greedy", me=0))
    while tried.acting is not None:
        assert tried.acting == tried.me == tried.viewer
        tried = analysis.after(over, 0, tried, first_action(over, tried))
    assert {item.seat for item in tried.position.played} == {0, 1}
    back = analysis.taken_back(over, 0, tried)
    assert back.position.played[-1:] == () or len(back.line) < len(tried.line)
    assert back.acting == 0


def test_when_the_game_is_over_it_goes_on_with_the_cards_that_would_have_come() -> None:
    over = table("hanging_gardens", entries=None)
    assert codec.digest(analysis.begin(over, 1, 7).state) == codec.digest(over.at(7).state)


@pytest.mark.parametrize("line", [("nonsense",), ("take:9:9:9:9",), ("end",), ("take:1:1:1:0",) * 900])
def test_a_line_that_cannot_be_is_refused(line: tuple[str, ...]) -> None:
    made = table("hanging_gardens", entries=6)
    with pytest.raises((BadAction, log.Refused)):
        analysis.trial(made, 0, at=0, line=line)
