"""The board: what may be clicked is what may be done, and every zone draws for everybody in both languages."""

import re
from statistics import mean
from time import process_time

import msgspec
import pytest
from markupsafe import Markup

from app.engine import notation
from app.games.babylon import board
from app.games.babylon.glance import patterns
from app.games.babylon.pictures import Marks, Picture
from app.games.babylon.pieces import Pieces
from app.games.babylon.state import End, Lay, Place
from app.i18n import LANGUAGES
from app.web.drawing import STATIC, draw, draw_zones
from tests.games.babylon.looks import drawn, look, played, sampled, viewers
from tests.games.babylon.script import rules
from tests.games.looks import Page, fits

GAME = rules()
ZONES = {
    "round", "tokens", "quarry", "supply", "latest", "garden", "hand", "players", "purses", "other1", "other2",
    "other3", "pieces", "marks", "result", "choices", "hint", "action",
}  # fmt: skip

# What may be clicked


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_every_action_can_be_clicked_on_the_board_and_nothing_else_can(bot: str) -> None:
    seen = set()
    for position in sampled(step=3, bot=bot):
        for seat in position.waiting:
            zones = drawn("en", board.zones(GAME, look(position, seat)))
            legal = {notation.write(action): action for action in GAME.actions(position.state, seat)}
            picks = {pick for html in zones.values() for pick in Page(html).picks}
            on_the_board = {text for text in legal if any(fits(pick, text) for pick in picks)}
            in_the_bar = set(Page(zones["action"]).actions) - {"undo", "undo-turn"}
            assert on_the_board | in_the_bar == set(legal)
            assert in_the_bar == {text for text, action in legal.items() if isinstance(action, End)}
            assert all(any(fits(pick, text) for text in legal) for pick in picks)
            seen |= {type(action) for action in legal.values()}
    assert len(seen) >= 7


def test_the_spots_of_an_action_clicked_one_after_the_other_leave_that_action_alone() -> None:
    for position in sampled(step=5):
        for seat in position.waiting:
            legal = [notation.write(action) for action in GAME.actions(position.state, seat)]
            zones = drawn("en", board.zones(GAME, look(position, seat)))
            picks = {pick for html in zones.values() for pick in Page(html).picks}
            for action in GAME.actions(position.state, seat):
                if isinstance(action, End):
                    continue
                spots = [pattern for pattern in patterns(action) if pattern in picks]
                left = [text for text in legal if all(fits(spot, text) for spot in spots)]
                assert left == [notation.write(action)]


def test_the_picture_offers_nothing_that_the_plan_does_not() -> None:
    for position in sampled(step=3):
        for seat in position.waiting:
            for side in "0123":
                zones = board.zones(GAME, look(position, seat, asked=(("side", side),)))
                pieces, marks = zones["pieces"], zones["marks"]
                assert isinstance(pieces, Pieces)
                assert isinstance(marks, Marks)
                assert {mark.pick for mark in marks.marks} <= {spot.pick for spot in pieces.spots}


def test_no_two_spots_of_the_plan_lie_in_the_same_place() -> None:
    for bot in ("greedy", "random"):
        for position in sampled(step=3, bot=bot):
            for seat in position.waiting:
                pieces = board.zones(GAME, look(position, seat))["pieces"]
                assert isinstance(pieces, Pieces)
                places = [spot.place for spot in pieces.spots if spot.place.startswith("offer")]
                assert len(places) == len(set(places))


def test_every_action_is_also_a_plain_button_once() -> None:
    for position in sampled(step=3):
        for seat in position.waiting:
            html = drawn("ja", board.zones(GAME, look(position, seat)))["choices"]
            legal = [notation.write(action) for action in GAME.actions(position.state, seat)]
            assert sorted(Page(html).actions) == sorted(legal)


def test_every_spot_is_called_by_a_heading_or_a_button() -> None:
    for position in sampled(step=7):
        for seat in position.waiting:
            zones = drawn("en", board.zones(GAME, look(position, seat)))
            names = re.findall(r'data-names="([^"]+)"', zones["choices"])
            buttons = Page(zones["choices"]).actions
            for pick in {pick for html in zones.values() for pick in Page(html).picks}:
                assert pick in names or any(fits(pick, action) for action in buttons)


def test_who_has_no_turn_here_can_click_nothing() -> None:
    for position in sampled(step=31):
        for seat in viewers(position):
            for live in (True, False):
                if live and seat in position.waiting:
                    continue
                for html in drawn("en", board.zones(GAME, look(position, seat, live=live))).values():
                    page = Page(html)
                    assert not page.picks
                    assert set(page.actions) <= {"undo", "undo-turn"}
                    assert " legal" not in html


def test_nobody_can_take_back_anything_at_an_earlier_moment_or_as_a_spectator() -> None:
    position = played(3)[20]
    for seen in (look(position, None), look(position, 0, live=False)):
        assert not Page(drawn("en", board.zones(GAME, seen))["action"]).actions


def test_the_tile_just_mined_is_chosen_by_itself_and_may_be_changed_for_the_kept_one() -> None:
    position = next(
        each
        for each in played(2)
        if each.state.phase == "build" and len({a.tile for a in _actions(each, Place)}) == 2
    )
    html = drawn("en", board.zones(GAME, look(position, position.state.seat)))["pieces"]
    chosen = re.findall(r'data-pick="place:(\w+[^:]*):\*:\*:\*" data-pick-holds( data-pick-default)?', html)
    assert chosen == [
        (position.state.mined, " data-pick-default"),
        (position.state.players[position.state.seat].stored, ""),
    ]


def test_the_bar_asks_for_the_level_of_a_tile_whose_place_is_chosen() -> None:
    for position in played(2):
        for seat in position.waiting:
            places = any(isinstance(action, Place) for action in GAME.actions(position.state, seat))
            html = drawn("en", board.zones(GAME, look(position, seat)))["action"]
            assert ('class="if-level">On which <b>level</b>' in html) == places


def test_the_buttons_that_end_a_turn_say_what_becomes_of_the_tile() -> None:
    for position in played(2):
        for seat in position.waiting:
            ends = [each for each in GAME.actions(position.state, seat) if isinstance(each, End)]
            html = drawn("en", board.zones(GAME, look(position, seat)))["action"]
            assert ("End turn, keep it" in html) == ("End turn without it" in html) == (len(ends) == 2)


def test_a_tile_is_set_as_it_lies_by_one_button() -> None:
    for position in played(3):
        if position.state.phase == "lay":
            seen = look(position, position.state.seat)
            page = Page(drawn("en", board.zones(GAME, seen))["action"])
            (pick,) = page.picks
            first = seen.actions[0]
            assert isinstance(first, Lay)
            assert pick == f"lay:*:{first.open}"


def test_the_spot_in_the_middle_of_a_tile_under_way_lies_above_its_corners() -> None:
    found = [board.zones(GAME, look(each, each.state.seat))["pieces"] for each in played(2) if each.state.laying]
    assert found
    for pieces in found:
        assert isinstance(pieces, Pieces)
        assert "whole" not in " ".join(spot.place for spot in pieces.spots[:-1])


def _actions(position: object, kind: type[Place]) -> list[Place]:
    state = position.state  # type: ignore[attr-defined]  # a position
    return [action for action in GAME.actions(state, state.seat) if isinstance(action, kind)]


# What is seen by whom


def test_a_spectator_sees_the_table_from_the_first_seat() -> None:
    for position in sampled(step=7):
        if 0 in position.waiting:
            continue
        mine, theirs = board.zones(GAME, look(position, 0)), board.zones(GAME, look(position, None))
        assert {name for name in mine if mine[name] != theirs[name]} <= {
            "garden", "action", "result", "hand", "hint",
        }  # fmt: skip


def test_all_see_the_same_of_what_is_nobody_s_own() -> None:
    position = played(4)[40]
    views = [board.zones(GAME, look(position, seat)) for seat in viewers(position)]
    for name in ("latest", "tokens", "quarry", "supply"):
        assert len({view[name] for view in views}) == 1


def test_models_are_equal_and_hashable_when_nothing_changed() -> None:
    position = played(3)[25]
    for seat in viewers(position):
        one, two = board.zones(GAME, look(position, seat)), board.zones(GAME, look(position, seat))
        assert one == two
        assert {name: hash(model) for name, model in one.items()} == {
            name: hash(model) for name, model in two.items()
        }


def test_every_uncovered_and_held_tile_lies_on_the_table_once() -> None:
    for position in sampled(step=7):
        view = GAME.view(position.state, None)
        there = {stack.tile for stack in view.quarry if stack.tile} | {view.mined} - {""}
        there |= {player.stored for player in view.players if player.stored}
        there |= {terrace.id for terrace in view.players[0].garden.terraces}
        there |= {view.laying.tile} if view.laying else set()
        zone = board.zones(GAME, look(position, None))["pieces"]
        assert isinstance(zone, Pieces)
        ids = [piece.id for piece in zone.pieces]
        assert len(ids) == len(set(ids))
        assert {name for name in ids if name.startswith("tile-")} == {f"tile-{tile}" for tile in there}


def test_pieces_keep_their_order_so_that_they_glide_and_are_not_moved_about() -> None:
    before: list[str] = []
    moved = 0
    for position in played(3):
        zone = board.zones(GAME, look(position, 0))["pieces"]
        assert isinstance(zone, Pieces)
        now = [piece.id for piece in zone.pieces]
        stayed = [name for name in before if name in set(now)]
        kept = [name for name in now if name in set(before)]
        different = {one for one, other in zip(stayed, kept, strict=True) if one != other}
        if different:
            # One tile went from the quarry into a hand, or from a hand into the garden.
            last = position.played[-1].action
            moved += 1
            tile = getattr(last, "tile", "") or position.state.mined
            without = [[name for name in names if name != f"tile-{tile}"] for names in (stayed, kept)]
            assert without[0] == without[1]
        before = now
    assert moved


def test_a_garden_is_drawn_as_it_was_built_so_that_later_tiles_cover_earlier_ones() -> None:
    garden = played(2)[-1].state.players[0].garden
    zone = board.zones(GAME, look(played(2)[-1], 0))["pieces"]
    assert isinstance(zone, Pieces)
    order = [piece.id for piece in zone.pieces if "in-plan" in piece.place]
    assert [name for name in order if name.startswith("tile-")] == [terrace.piece for terrace in garden.terraces]
    assert len(order) == len(garden.terraces) + len(garden.decorations)


def test_what_earns_points_is_marked_with_the_part_it_earns() -> None:
    position = played(2)[-1]
    for seat in range(2):
        scores = dict(GAME.scores(position.state)[seat].parts)
        zones = board.zones(GAME, look(position, seat))
        pieces, picture = zones["pieces"], zones["garden"]
        assert isinstance(pieces, Pieces)
        assert isinstance(picture, Picture)
        plan = {letter for piece in pieces.pieces for letter in piece.earns}
        space = {letter for storey in picture.scene.storeys for part in storey.parts for letter in part.earns}
        wanted = {letter for name, letter in zip(scores, "sfbtdwvh", strict=True) if scores[name]}
        assert plan == space == wanted


# Drawing


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_every_zone_draws_for_everybody_in_both_languages(bot: str) -> None:
    for position in sampled(step=29, bot=bot):
        for seat in viewers(position):
            for asked in ((), (("side", "3"), ("garden", "1"))):
                models = board.zones(GAME, look(position, seat, asked=asked))
                assert set(models) == ZONES
                for language in LANGUAGES:
                    ids: list[str] = []
                    for name, html in drawn(language, models).items():
                        page = Page(html)
                        assert not page.open, name
                        assert page.ids[0] == f"zone-{name}"
                        assert not page.attributes & {"style", "onclick"}
                        ids += page.ids
                    assert len(ids) == len(set(ids))


def test_every_drawing_that_is_used_is_in_the_page() -> None:
    there = set()
    for file in ("ui/ui.svg", "ui/seats.svg", "games/hanging_gardens/sprites.svg"):
        there |= set(re.findall(r'\bid="([^"]+)"', (STATIC / file).read_text()))
    models = board.zones(GAME, look(played(3)[0], None))
    zones = {name: Markup(html) for name, html in drawn("en", models).items()}
    page = Page(draw("en", "games/babylon/table.html", box=board.box(GAME), zones=zones))
    there |= set(page.ids)
    used = set(page.used)
    for position in sampled(step=7):
        for html in drawn("en", board.zones(GAME, look(position, position.state.seat))).values():
            used |= Page(html).used
    assert used <= there


def test_what_a_move_changes_is_small() -> None:
    for seats in (2, 3):
        sent = []
        for seat in (0, None):
            before: dict[str, msgspec.Struct] = {}
            for position in played(seats):
                models = board.zones(GAME, look(position, seat))
                changed = {name: model for name, model in models.items() if before.get(name) != model}
                if before:
                    sent.append(sum(len(html.encode()) for html in drawn("en", changed).values()))
                before = models
        assert mean(sent) < 12 * 1024


def test_a_move_is_drawn_quickly() -> None:
    """Well within what a shared machine may take in a bad moment: a tenth of it is usual."""
    thought, drew = [], []
    for position in played(3):
        for seat in viewers(position):
            began = process_time()
            models = board.zones(GAME, look(position, seat))
            between = process_time()
            draw_zones("en", "babylon", models)
            thought.append(between - began)
            drew.append(process_time() - between)
    assert mean(thought) < 0.006
    assert mean(drew) < 0.015


def test_the_score_sheet_is_empty_until_the_end_and_then_names_the_winner() -> None:
    positions = played(3)
    assert "<table" not in drawn("en", board.zones(GAME, look(positions[-2], 0)))["result"]
    scores = GAME.scores(positions[-1].state)
    winner = next(score for score in scores if score.rank == 1)
    for seat in range(3):
        sheet = drawn("en", board.zones(GAME, look(positions[-1], seat)))["result"]
        assert ("You win" in sheet) == (seat == winner.seat)
        assert all(f">{score.total}<" in sheet for score in scores)


def test_the_score_sheet_tells_of_holes_only_in_a_tie() -> None:
    seen = look(played(2)[-1], 0)
    assert seen.scores[0].total != seen.scores[1].total
    assert "Visible holes" not in drawn("en", board.zones(GAME, seen))["result"]
    equal = msgspec.structs.replace(seen.scores[1], total=seen.scores[0].total, tie_break=(-9,), rank=1)
    tied = msgspec.structs.replace(
        seen, scores=(msgspec.structs.replace(seen.scores[0], tie_break=(-12,), rank=2), equal)
    )
    sheet = drawn("en", board.zones(GAME, tied))["result"]
    assert "Visible holes" in sheet
    assert "wins the tie" in sheet
    shared = msgspec.structs.replace(
        seen, scores=tuple(msgspec.structs.replace(each, rank=1) for each in tied.scores)
    )
    assert "A shared win" in drawn("en", board.zones(GAME, shared))["result"]
