"""What every entry did to the points: all gains together are the score, and what was taken back never happened."""

from typing import Any

import pytest

from app.engine import log, notation
from app.engine.bots import RandomBot
from app.engine.playout import playout
from app.games import games, load
from app.services import history
from app.services.held import Held
from tests.games.test_pages import held

GAMES = sorted(games())


def table(slug: str, *, seats: int = 2) -> tuple[Held, list[log.Position[Any]]]:
    """A whole game, as a server holds it."""
    game = load(slug)
    options = game.options_for(seats)
    positions = list(playout(game, seats=seats, seed="history", options=options, bots=(RandomBot(),)))
    return held(slug, positions[-1], seats=seats, seed="history", options=options), positions


@pytest.mark.parametrize("slug", GAMES)
def test_all_gains_together_are_the_final_score(slug: str) -> None:
    made, positions = table(slug)
    first, last = history.scores_by_action(made)[0], made.game.scores(positions[-1].state)
    for seat in range(2):
        all_parts: dict[str, int] = dict(first[seat].parts)
        total = first[seat].total
        for gains in history.gains_by_entry(made).values():
            for gain in gains:
                if gain.seat == seat:
                    total += gain.points
                    assert gain.points == sum(points for _, points in gain.parts)
                    for part, points in gain.parts:
                        all_parts[part] += points
        assert total == last[seat].total
        assert all_parts == dict(last[seat].parts)


def test_what_was_taken_back_never_happened_and_the_rest_is_carried_on() -> None:
    made, positions = table("hanging_gardens")
    game = made.game
    position = next(each for each in positions if each.version > 6 and not each.played[-1].reveals)
    made.position = position
    assert position.version in range(len(history.scores_by_action(made)))
    undone = log.append(game, position, log.undo(position, position.played[-1].seat))
    made.position = undone
    assert len(history.scores_by_action(made)) == len(undone.played) + 1
    seat = min(undone.waiting)
    action = notation.write(game.actions(undone.state, seat)[0])
    made.position = log.append(game, undone, log.Entry(seat, action))
    scores = history.scores_by_action(made)
    assert scores[-1] == game.scores(made.position.state)
    assert set(history.gains_by_entry(made)) <= {item.seq for item in made.position.played}


def test_points_that_rest_on_something_hidden_are_told_at_the_end_only(monkeypatch: pytest.MonkeyPatch) -> None:
    made, positions = table("hanging_gardens")
    monkeypatch.setattr(type(made.game), "open_scores", False)
    assert history.gains_by_entry(made)
    game = made.game
    running = held("hanging_gardens", positions[10], seats=2, seed="history", options=game.options_for(2))
    assert history.gains_by_entry(running) == {}
