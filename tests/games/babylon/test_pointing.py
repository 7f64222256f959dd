"""What pointing at the board tells before a click, and what lies on the table for all to count."""

import re

from app.games.babylon import board, mining, tokens
from app.games.babylon.decorating import statue_lines
from app.games.babylon.garden import CORNERS
from app.games.babylon.panels import Hand, Supplies, Tokens
from app.games.babylon.pictures import Picture
from app.games.babylon.pieces import Pieces
from app.games.babylon.speech import ActionBar
from tests.games.babylon.looks import drawn, look, played, sampled
from tests.games.babylon.script import rules
from tests.games.looks import Position

GAME = rules()


def pieces(position: Position) -> Pieces:
    """The pieces as the one whose turn it is sees them."""
    zone = board.zones(GAME, look(position, position.state.seat))["pieces"]
    assert isinstance(zone, Pieces)
    return zone


def test_a_tile_of_the_quarry_shows_the_sides_that_earn() -> None:
    mines = [position for position in sampled(step=3) if position.state.phase == "mine" and not position.over]
    assert len(mines) > 10
    for position in mines:
        shown = {piece.id: dict(piece.faces).get("bab-sides") for piece in pieces(position).pieces}
        for number, tile in enumerate(position.state.tops):
            if tile:
                sides = mining.earning_sides(position.state.heights, 4, number % 4, number // 4)
                assert shown[f"tile-{tile}"] == " ".join(["sides", *[f"from-{side}" for side in sides]])


def test_nobody_sees_wedges_but_the_one_who_mines() -> None:
    for position in sampled(step=11):
        for seat in (*range(len(position.state.players)), None):
            if seat != position.state.seat or position.state.phase != "mine" or position.over:
                assert "bab-sides" not in drawn("en", board.zones(GAME, look(position, seat)))["pieces"]


def test_rows_and_lines_of_statues_are_drawn_while_i_build() -> None:
    found = 0
    for position in sampled(step=2):
        if position.state.phase not in ("build", "lay", "decorate"):
            continue
        rows, columns = statue_lines(position.state.players[position.state.seat].garden)
        path = pieces(position).lines
        assert sorted(int(y) for y in re.findall(r"M0 (\d+)H", path)) == [40 * row + 20 for row in sorted(rows)]
        assert sorted(int(x) for x in re.findall(r"M(\d+) 0V", path)) == [40 * one + 20 for one in sorted(columns)]
        found += bool(path)
    assert found > 10


def test_a_tile_under_way_stands_in_the_picture_with_every_corner_that_may_stay_open() -> None:
    found = 0
    for position in played(3):
        if not position.state.laying:
            continue
        zones = board.zones(GAME, look(position, position.state.seat))
        picture, hand = zones["garden"], zones["hand"]
        assert isinstance(picture, Picture)
        assert isinstance(hand, Hand)
        ghosts = [part for storey in picture.scene.storeys for part in storey.parts if "ghost" in part.look]
        assert sum(part.sprite == f"top-{position.state.laying.tile}" for part in ghosts) == 1
        corners = {spot.pick.split(":")[-1] for spot in pieces(position).spots} & set(CORNERS)
        over = {part.look.split()[2] for part in ghosts if "over" in part.look}
        assert corners <= over
        assert {turning.turned for turning in hand.turnings} <= {0, 1, 2, 3}
        found += 1
    assert found > 10


def test_tokens_past_and_to_come_can_be_counted() -> None:
    for position in sampled(step=5):
        zone = board.zones(GAME, look(position, None))["tokens"]
        assert isinstance(zone, Tokens)
        assert zone.shown == position.state.shown
        assert zone.down == len(position.state.tokens)
        assert dict(zone.unseen) == {kind: n for kind, n in tokens.unseen(GAME.box, position.state.shown) if n}


def test_the_supply_is_what_the_rules_count() -> None:
    for position in sampled(step=5):
        zone = board.zones(GAME, look(position, None))["supply"]
        assert isinstance(zone, Supplies)
        assert zone.supply == position.state.supply


def test_the_steps_of_a_turn_say_where_it_stands() -> None:
    seen = set()
    for position in sampled(step=1):
        if position.over:
            continue
        bar = board.zones(GAME, look(position, position.state.seat))["action"]
        assert isinstance(bar, ActionBar)
        seen.add((bar.lead, bar.step))
    assert seen <= {
        ("remove", "remove"), ("mine", "mine"), ("build", "build"), ("build-adorn", "build"), ("lay", "build"),
        ("decorate", "decorate"), ("end", "end"), ("end-poor", "end"),
    }  # fmt: skip
    assert len(seen) >= 7
