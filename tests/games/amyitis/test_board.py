"""The board: what may be clicked is what may be done, and every zone draws for everybody in both languages."""

import re
from statistics import mean
from typing import Any

import msgspec
from markupsafe import Markup

from app.engine import notation
from app.games.amyitis import board, stages
from app.games.amyitis.glance import patterns
from app.games.amyitis.mats import Mat
from app.games.amyitis.mesopotamia import Cities
from app.games.amyitis.pieces import Pieces
from app.games.amyitis.terraces import Square
from app.games.amyitis.tray import Tray
from app.i18n import LANGUAGES
from app.web.drawing import STATIC, draw
from tests.games.amyitis.looks import drawn, look, played, sampled, viewers
from tests.games.amyitis.positions import BOX, GAME
from tests.games.looks import Position, fits, read

ZONES = {
    "round", "garden", "cities", "market", "temples", "fields", "pieces", "tray", "half", "court", "latest", "hint",
    "result", "choices", "action",
} | {f"square-{number}" for number in range(16)}  # fmt: skip
ON_THE_BOARD = ("pieces", "tray", "court", "player-0")


def pieces_of(position: Position, seat: int | None) -> Pieces:
    zone = board.zones(GAME, look(position, seat))["pieces"]
    assert isinstance(zone, Pieces)
    return zone


def at(stage: str, seats: int | None = None, *, choosing: int = 1) -> Position:
    """A position of some game in which this is to be decided, by so many seats at least."""
    for number, position in sampled(step=1):
        if position.state.realm.stage == stage and seats in {None, number} and len(position.waiting) >= choosing:
            return position
    raise AssertionError(stage)


# What may be clicked


def test_every_action_can_be_clicked_on_the_board_and_nothing_else_can() -> None:
    seen = set()
    for _, position in sampled():
        for seat in position.waiting:
            zones = drawn("en", board.zones(GAME, look(position, seat)))
            legal = {notation.write(action): action for action in GAME.actions(position.state, seat)}
            picks = {pick for name in ON_THE_BOARD for pick in read(zones[name]).picks}
            on_the_board = {text for text, action in legal.items() if set(patterns(action)) <= picks}
            assert on_the_board == set(legal)
            assert all(any(fits(pick, text) for text in legal) for pick in picks)
            assert not {pick for name in set(zones) - set(ON_THE_BOARD) for pick in read(zones[name]).picks}
            seen |= {type(action) for action in legal.values()}
    assert len(seen) == len(GAME.action_types)


def test_what_is_given_and_what_is_taken_are_one_action() -> None:
    for _, position in sampled(step=1):
        for seat in position.waiting:
            legal = [notation.write(action) for action in GAME.actions(position.state, seat)]
            firsts = {pick for action in GAME.actions(position.state, seat) for pick in patterns(action)[:1]}
            seconds = {pick for action in GAME.actions(position.state, seat) for pick in patterns(action)[1:]}
            for first in firsts:
                for second in seconds:
                    both = sum(fits(first, text) and fits(second, text) for text in legal)
                    assert both <= 1


def test_every_action_is_also_a_plain_button_once() -> None:
    for _, position in sampled():
        for seat in position.waiting:
            html = drawn("ja", board.zones(GAME, look(position, seat)))["choices"]
            legal = [notation.write(action) for action in GAME.actions(position.state, seat)]
            assert sorted(read(html).actions) == sorted(legal)


def test_who_has_no_turn_here_can_click_nothing() -> None:
    for _, position in sampled():
        for seat in viewers(position):
            for live in (True, False):
                if live and seat in position.waiting:
                    continue
                for html in drawn("en", board.zones(GAME, look(position, seat, live=live))).values():
                    page = read(html)
                    assert not page.picks
                    assert set(page.actions) <= {"undo", "undo-turn"}
                    assert " legal" not in html


def test_nobody_can_take_back_anything_at_an_earlier_moment_or_as_a_spectator() -> None:
    position = played(3)[20]
    for seen in (look(position, None), look(position, 0, live=False)):
        assert not read(drawn("en", board.zones(GAME, seen))["action"]).actions


def test_passing_and_keeping_what_one_has_are_buttons_in_the_bar() -> None:
    for stage, action in ((stages.ACT, "pass"), (stages.TAMMUZ_SWAP, "decline")):
        position = at(stage)
        zones = drawn("en", board.zones(GAME, look(position, min(position.waiting))))
        assert action in read(zones["action"]).actions


# What is seen by whom


def test_a_spectator_sees_the_table_from_the_first_seat_but_no_price_of_his_own() -> None:
    for _, position in sampled():
        if 0 in position.waiting:
            continue
        mine, theirs = board.zones(GAME, look(position, 0)), board.zones(GAME, look(position, None))
        different = {name for name in mine if mine[name] != theirs[name]}
        assert different <= {"cities", "action", "result", "hint", "tray", "player-0", "court", "latest"}
        assert isinstance(theirs["cities"], Cities)
        assert not theirs["cities"].mine


def test_a_sealed_discard_is_seen_by_its_owner_only() -> None:
    sealed = [
        position
        for _, position in sampled(step=1)
        if position.state.realm.stage == stages.DISCARD and any(map(any, position.state.sealed))
    ]
    assert sealed
    for position in sealed:
        for seat in viewers(position):
            for seen, goods in enumerate(position.state.sealed):
                if seen == seat or not any(goods):
                    continue
                zones = drawn("en", board.zones(GAME, look(position, seat)))
                assert "chosen:" not in zones["tray"] or (seat is not None and any(position.state.sealed[seat]))
                order = seen if seat is None else (seen - seat) % position.state.realm.seats
                assert " sealed" not in zones[f"player-{order}"]


def test_while_several_discard_everybody_reads_who_has_still_to_choose() -> None:
    position = at(stages.DISCARD, choosing=2)
    for seat in viewers(position):
        models = board.zones(GAME, look(position, seat))
        tray = models["tray"]
        assert isinstance(tray, Tray)
        assert {one.colour - 1 for one in tray.seats if one.left} == set(position.waiting)
        choosing = {name for name, one in models.items() if isinstance(one, Mat) and one.choosing}
        assert len(choosing) == len(position.waiting)
        html = drawn("en", models)["action"]
        assert all(f"turn-{one + 1}" in html for one in position.waiting)
        if seat not in position.waiting:
            assert "still choose" in html
            assert not read(drawn("en", models)["tray"]).picks


def test_a_city_says_what_the_way_costs_me_and_why_i_cannot_go() -> None:
    for _, position in sampled():
        realm = position.state.realm
        for seat in range(realm.seats):
            zone = board.zones(GAME, look(position, seat))["cities"]
            assert isinstance(zone, Cities)
            if realm.stage != stages.ACT or position.over:
                continue
            legal = {action.city for action in GAME.actions(position.state, seat) if hasattr(action, "city")}
            for plate in zone.plates:
                assert plate.camels == max(1, plate.steps - zone.free)
                if seat in position.waiting:
                    assert plate.legal == (plate.city.id in legal) == (plate.obstacle is None)


def test_a_square_says_what_it_needs_and_who_has_most_water() -> None:
    for _, position in sampled():
        realm = position.state.realm
        models = board.zones(GAME, look(position, None))
        for number, name in enumerate(BOX.grid.squares):
            square = models[f"square-{number}"]
            assert isinstance(square, Square)
            counts = dict(square.cubes)
            assert square.name == name
            assert square.required == BOX.grid.required[number]
            assert (square.tile is None) == (not realm.tiles[number])
            most = max(counts.values(), default=0)
            alone = [colour for colour, count in counts.items() if count == most]
            assert square.leader == (alone[0] if len(alone) == 1 else 0)


def test_models_are_equal_and_hashable_when_nothing_changed() -> None:
    position = played(3)[25]
    one, other = board.zones(GAME, look(position, 1)), board.zones(GAME, look(position, 1))
    assert one == other
    assert {name: hash(model) for name, model in one.items()} == {name: hash(model) for name, model in other.items()}


# The pieces


def test_every_tile_and_every_cube_is_one_piece() -> None:
    for _, position in sampled():
        realm = position.state.realm
        ids = [piece.id for piece in pieces_of(position, None).pieces]
        assert len(ids) == len(set(ids))
        tiles = {tile for tile in realm.tiles if tile} | {tile for player in realm.players for tile in player.tiles}
        assert {name for name in ids if name.startswith("t-")} == {f"t-{tile}" for tile in tiles}
        for kind, lying in (("c", realm.channels), ("f", realm.fields), ("w", realm.temples), ("p", (realm.passed,))):
            assert sum(name.startswith(f"{kind}-") for name in ids) == sum(map(len, lying))


def test_a_cube_pushed_on_in_a_temple_stays_the_same_piece() -> None:
    before: dict[str, str] = {}
    pushed = 0
    for position in played(3, greedy=True):
        now = {piece.id: piece.place for piece in pieces_of(position, 0).pieces if piece.id.startswith("w-")}
        for name, place in now.items():
            if name in before and before[name] != place:
                assert int(place[-1]) > int(before[name][-1])
                pushed += 1
        before = now
    assert pushed > 10


def test_pieces_keep_their_order_so_that_they_glide_and_are_not_moved_about() -> None:
    before: list[str] = []
    for position in played(3):
        now = [piece.id for piece in pieces_of(position, 0).pieces]
        stayed = [name for name in before if name in set(now)]
        assert stayed == [name for name in now if name in set(before)]
        before = now


# Drawing


def test_every_zone_draws_for_everybody_in_both_languages() -> None:
    for seats, position in sampled():
        for seat in viewers(position):
            models = board.zones(GAME, look(position, seat))
            assert set(models) == ZONES | {f"player-{number}" for number in range(seats)}
            for language in LANGUAGES:
                ids: list[str] = []
                for name, html in drawn(language, models).items():
                    page = read(html)
                    assert not page.open, name
                    assert page.ids[0] == f"zone-{name}"
                    assert not page.attributes & {"style", "onclick"}
                    ids += page.ids
                assert len(ids) == len(set(ids)), seats


def test_every_decision_has_its_sentence_its_heading_and_its_hint() -> None:
    told: dict[str, set[str]] = {}
    for _, position in sampled(step=1):
        stage = position.state.realm.stage
        if position.over or len(told.get(stage, ())) > 3:
            continue
        for seat in (min(position.waiting), None):
            zones = drawn("en", board.zones(GAME, look(position, seat)))
            told.setdefault(stage, set()).add(zones["action"])
            assert '<p class="lead"' in zones["action"], stage
            if seat is not None:
                assert "<h3" in zones["choices"], stage
                assert "/rules/amyitis#r" in zones["hint"], stage
    assert set(told) == {getattr(stages, name) for name in dir(stages) if name.isupper()} - {"over", "next", "store"}


def test_every_drawing_that_is_used_is_in_the_page() -> None:
    there = set()
    for file in ("ui/ui.svg", "ui/seats.svg"):
        there |= set(re.findall(r'\bid="([^"]+)"', (STATIC / file).read_text()))
    for language in LANGUAGES:
        zones = {name: Markup(html) for name, html in drawn(language, all_zones(played(4)[0])).items()}
        page = read(draw(language, "games/amyitis/table.html", box=board.box(GAME), zones=zones))
        there |= set(page.ids)
        used = page.used | {name for name in page.targets if not name.startswith("mat-")}
        for _, position in sampled():
            for html in drawn(language, all_zones(position)).values():
                used |= set(re.findall(r'<use [^>]*href="#([^"]+)"', html))
        assert used <= there


def all_zones(position: Position) -> dict[str, msgspec.Struct]:
    """The zones of whoever must choose, or of a spectator."""
    return board.zones(GAME, look(position, min(position.waiting, default=None)))


def test_the_garden_that_is_drawn_is_the_one_in_the_box() -> None:
    css = (STATIC / "games/amyitis/board.css").read_text()
    sprites = (STATIC / "games/amyitis/sprites.svg").read_text()
    for square in BOX.grid.squares:
        assert f".q-{square.lower()} {{" in css
    for channel in BOX.grid.channels:
        assert f'id="am-bank-{channel}"' in sprites
        assert f'id="am-flow-{channel}"' in sprites
    assert BOX.grid.floors == (4, 3, 2, 1, 3, 3, 2, 1, 2, 2, 2, 1, 1, 1, 1, 1)
    for number, city in enumerate(BOX.caravan.cities):
        assert f".at-{number} {{" in css
        assert f'id="am-seal-{city.id}"' in sprites


def test_what_a_move_changes_is_small() -> None:
    sent = []
    for seats in (2, 3):
        for seat in (0, None):
            before: dict[str, Any] = {}
            for position in played(seats, greedy=True):
                models = board.zones(GAME, look(position, seat))
                changed = {name: model for name, model in models.items() if before.get(name) != model}
                if before:
                    sent.append(sum(len(html.encode()) for html in drawn("en", changed).values()))
                before = dict(models)
    assert mean(sent) < 12 * 1024


def test_the_score_sheet_is_empty_until_the_end_and_then_names_the_winner() -> None:
    positions = played(3)
    assert "<table" not in drawn("en", board.zones(GAME, look(positions[-2], 0)))["result"]
    scores = GAME.scores(positions[-1].state)
    winners = {score.seat for score in scores if score.rank == 1}
    for seat in range(3):
        sheet = drawn("en", board.zones(GAME, look(positions[-1], seat)))["result"]
        assert ("You win" in sheet) == (winners == {seat})
        assert all(f">{score.total}<" in sheet for score in scores)


def test_equal_points_are_a_shared_win() -> None:
    seen = look(played(2)[-1], 0)
    shared = tuple(msgspec.structs.replace(score, total=40, rank=1) for score in seen.scores)
    zones = drawn("en", board.zones(GAME, msgspec.structs.replace(seen, scores=shared)))
    assert "A shared win" in zones["result"]
    assert "win together with 40 points" in zones["action"]
