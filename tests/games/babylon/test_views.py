"""The garden from all sides, and other people's gardens: what a page may be asked to show."""

from app.games.babylon import board
from app.games.babylon.pictures import Picture
from tests.games.babylon.looks import drawn, look, played, sampled
from tests.games.babylon.script import rules
from tests.games.looks import Page

GAME = rules()


def test_a_turn_of_the_garden_changes_only_its_picture() -> None:
    for position in sampled(step=9):
        seat = position.state.seat
        first = board.zones(GAME, look(position, seat))
        for side in ("1", "2", "3"):
            zones = board.zones(GAME, look(position, seat, asked=(("side", side),)))
            changed = {name for name in zones if zones[name] != first[name]}
            # The links to other gardens keep the side.
            assert changed <= {"garden", "marks", "round", "players", "result", "other1", "other2", "other3"}


def test_four_turns_lead_back() -> None:
    position = played(3)[40]
    asked: tuple[tuple[str, str], ...] = ()
    seen = []
    for _ in range(5):
        picture = board.zones(GAME, look(position, 0, asked=asked))["garden"]
        assert isinstance(picture, Picture)
        seen.append(picture.scene.side)
        asked = _asked(picture.right)
    assert seen == [0, 1, 2, 3, 0]


def _asked(href: str) -> tuple[tuple[str, str], ...]:
    words = (pair.split("=") for pair in href.removeprefix("?").split("&") if pair)
    return tuple((name, value) for name, value in words)


def test_one_picture_of_a_garden_serves_all_who_look_at_it_from_that_side() -> None:
    for position in played(3)[10::17]:
        if position.state.phase == "lay":
            continue
        owner = board.zones(GAME, look(position, 1))["garden"]
        asked = (("garden", "1"),)
        others = [board.zones(GAME, look(position, seat, asked=asked))["garden"] for seat in (0, 2, None)]
        assert isinstance(owner, Picture)
        assert all(isinstance(other, Picture) and other.scene == owner.scene for other in others)


def test_every_link_to_another_view_keeps_the_rest_of_the_address() -> None:
    position = played(4)[60]
    zones = drawn("en", board.zones(GAME, look(position, 0, asked=(("at", "60"), ("side", "2"), ("garden", "3")))))
    links = [link for html in zones.values() for link in Page(html).links]
    assert "?at=60&side=3&garden=3" in links
    assert "?at=60&side=2" in links
    assert "?at=60&side=2&garden=1" in links
    assert all(link.startswith("?at=60") for link in links)


def test_a_bot_s_garden_is_not_called_the_viewer_s_own() -> None:
    position = played(4)[60]
    zones = drawn("en", board.zones(GAME, look(position, 0, asked=(("garden", "3"),))))
    assert "<h2>The garden of Bot D</h2>" in zones["garden"]
    assert "<h2>Your garden</h2>" in drawn("en", board.zones(GAME, look(position, 3)))["garden"]


def test_whose_garden_is_large_may_be_nobody_s_who_sits_here() -> None:
    position = played(2)[30]
    picture = board.zones(GAME, look(position, 0, asked=(("garden", "3"),)))["garden"]
    assert isinstance(picture, Picture)
    assert picture.seat == 0
