"""The board: what may be clicked is what may be done, and every zone draws for everybody in both languages."""

import re
from itertools import product
from statistics import mean

import msgspec
from markupsafe import Markup

from app.engine import notation
from app.engine.contract import Broken
from app.games.hanging_gardens import board
from app.games.hanging_gardens.centre import Garden
from app.games.hanging_gardens.ending import Opponent
from app.games.hanging_gardens.glance import patterns
from app.games.hanging_gardens.hints import Hint
from app.games.hanging_gardens.pieces import Pieces
from app.games.hanging_gardens.state import CardDrawn, End, Pass
from app.i18n import LANGUAGES
from app.web.drawing import STATIC, draw, environment
from tests.games.hanging_gardens.drawn import GAME
from tests.games.hanging_gardens.looks import drawn, look, played, sampled, viewers
from tests.games.looks import Page, fits

ZONES = {
    "round", "market", "objectives", "enhancements", "garden", "automaton", "latest", "pieces", "result",
    "choices", "action", "hint",
}  # fmt: skip

# What may be clicked


def test_every_action_can_be_clicked_on_the_board_and_nothing_else_can() -> None:
    seen = set()
    for _, position in sampled(step=2):
        for seat in position.waiting:
            zones = drawn("en", board.zones(GAME, look(position, seat)))
            legal = {notation.write(action): action for action in GAME.actions(position.state, seat)}
            picks = {pick for name in ("pieces", "objectives") for pick in Page(zones[name]).picks}
            on_the_board = {
                notation.write(action)
                for action in legal.values()
                if patterns(action) and set(patterns(action)) <= picks
            }
            in_the_bar = set(Page(zones["action"]).actions) - {"undo", "undo-turn"}
            assert on_the_board | in_the_bar == set(legal)
            assert all(any(fits(pick, text) for text in legal) for pick in picks)
            seen |= {type(action) for action in legal.values()}
    assert len(seen) >= 5


def test_a_piece_and_a_place_clicked_one_after_the_other_are_at_most_one_action() -> None:
    for _, position in sampled():
        for seat in position.waiting:
            legal = [notation.write(action) for action in GAME.actions(position.state, seat)]
            zone = board.zones(GAME, look(position, seat))["pieces"]
            assert isinstance(zone, Pieces)
            pieces = [one.pick for one in zone.pieces if one.pick and not one.holds]
            places = [one.pick for one in zone.places if one.pick] + [one.pick for one in zone.pieces if one.holds]
            for piece, place in product(pieces, places):
                assert sum(fits(piece, text) and fits(place, text) for text in legal) == 1


def test_every_action_is_also_a_plain_button_once() -> None:
    for _, position in sampled():
        for seat in position.waiting:
            html = drawn("ja", board.zones(GAME, look(position, seat)))["choices"]
            legal = [notation.write(action) for action in GAME.actions(position.state, seat)]
            assert sorted(Page(html).actions) == sorted(legal)


def test_who_has_no_turn_here_can_click_nothing() -> None:
    for _, position in sampled(step=17):
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


def test_an_enhancement_or_an_objective_can_be_let_be_in_the_bar() -> None:
    found = {
        type(action)
        for position in played(2)
        for seat in position.waiting
        for action in GAME.actions(position.state, seat)
        if notation.write(action) in Page(drawn("en", board.zones(GAME, look(position, seat)))["action"]).actions
    }
    assert {Pass, End} <= found


def test_the_automaton_s_first_card_is_turned_by_a_button() -> None:
    position = played(1, difficulty="hard")[0]
    assert Page(drawn("en", board.zones(GAME, look(position, 0)))["action"]).actions == ["draw"]


def test_undo_says_why_it_cannot_where_it_is_pressed() -> None:
    seen = msgspec.structs.replace(look(played(2)[20], 0), undo=Broken("undo_revealed"))
    html = drawn("en", board.zones(GAME, seen))["action"]
    assert 'class="cannot" data-ask="undo"' in html
    assert "something hidden came to light" in html
    assert Page(html).actions == [] or "undo" not in Page(html).actions


def test_all_of_a_turn_can_be_taken_back_when_it_is_more_than_one_move() -> None:
    one = msgspec.structs.replace(look(played(2)[20], 0), undo=None)
    both = msgspec.structs.replace(one, undo_more=True)
    offered = [set(Page(drawn("en", board.zones(GAME, each))["action"]).actions) for each in (one, both)]
    assert ["undo" in each for each in offered] == [True, True]
    assert ["undo-turn" in each for each in offered] == [False, True]


def test_a_click_on_a_card_that_has_one_place_only_chooses_it() -> None:
    first, later = played(2)[0], played(2)[6]
    seat = next(iter(first.waiting))
    assert "data-pick-holds" in drawn("en", board.zones(GAME, look(first, seat)))["pieces"]
    assert "data-pick-holds" not in drawn("en", board.zones(GAME, look(later, next(iter(later.waiting)))))["pieces"]


# Hints, and the game alone


def test_every_step_has_its_hint_and_only_mine() -> None:
    about = set()
    for seats, position in sampled(step=1):
        for seat in viewers(position):
            found = board.zones(GAME, look(position, seat))["hint"]
            assert isinstance(found, Hint)
            assert bool(found.about) == (seat is not None and not position.over)
            assert not found.win or seats == 1
            about.add(found.about)
    assert about == {"", "card", "enhance", "objective", "alone", "wait"}


def test_alone_one_is_told_what_the_automaton_did() -> None:
    told = [
        drawn("en", board.zones(GAME, look(position, 0)))["action"]
        for position in played(1)
        if any(isinstance(event, CardDrawn) for event in (position.played[-1].events if position.played else ()))
    ]
    assert told
    assert all("The automaton turns over card" in html for html in told if "verdict" not in html and "Take a" in html)


def test_a_game_alone_is_won_or_lost_in_words_and_no_rung_is_ticked_that_was_not_reached() -> None:
    over = played(1)[-1]
    for total, words, ticked in ((57, "Lost, with 57 points", 1), (70, "Won, with 70 points", 3)):
        score = GAME.scores(over.state)[0]
        ended = msgspec.structs.replace(score, total=total, rank=1 if total >= 60 else 2, verdict="corner")
        zones = drawn("en", board.zones(GAME, msgspec.structs.replace(look(over, 0), scores=(ended,))))
        assert words in zones["result"]
        assert words in zones["action"]
        assert zones["result"].count('<li class="reached') == ticked
        assert ("A win takes 60 points." in zones["result"]) == (total < 60)


# What is seen by whom


def test_a_spectator_sees_the_table_from_the_first_seat() -> None:
    for _, position in sampled(step=7):
        if 0 in position.waiting:
            continue
        mine, theirs = board.zones(GAME, look(position, 0)), board.zones(GAME, look(position, None))
        assert {name for name in mine if mine[name] != theirs[name]} <= {"garden", "action", "result", "hint"}


def test_all_see_the_same_of_what_is_nobody_s_own() -> None:
    position = played(4)[30]
    views = [board.zones(GAME, look(position, seat)) for seat in viewers(position)]
    assert len({view["latest"] for view in views}) == 1
    assert len({view["automaton"] for view in views}) == 1
    everything = [
        {piece.id for piece in view["pieces"].pieces} for view in views if isinstance(view["pieces"], Pieces)
    ]
    assert all(pieces == everything[0] for pieces in everything)


def test_models_are_equal_and_hashable_when_nothing_changed() -> None:
    position = played(3)[25]
    one, other = board.zones(GAME, look(position, 1)), board.zones(GAME, look(position, 1))
    assert one == other
    assert {name: hash(model) for name, model in one.items()} == {name: hash(model) for name, model in other.items()}


# The pieces


def test_every_card_and_tile_that_lies_open_is_one_piece() -> None:
    for _, position in sampled(step=7):
        view = GAME.view(position.state, None)
        cards = {card for column in view.market for card in column}
        cards |= {spot.card for player in view.players for spot in player.garden}
        tiles = {pile.top for pile in view.piles if pile.top}
        tiles |= {spot.tile for player in view.players for spot in player.garden if spot.tile}
        zone = board.zones(GAME, look(position, None))["pieces"]
        assert isinstance(zone, Pieces)
        ids = [piece.id for piece in zone.pieces]
        assert len(ids) == len(set(ids))
        assert {name for name in ids if name.startswith("card-")} == {f"card-{card}" for card in cards}
        assert {name for name in ids if name.startswith("tile-")} == {f"tile-{tile}" for tile in tiles}


def test_pieces_keep_their_order_so_that_they_glide_and_are_not_moved_about() -> None:
    before: list[str] = []
    for position in played(3):
        zone = board.zones(GAME, look(position, 0))["pieces"]
        assert isinstance(zone, Pieces)
        now = [piece.id for piece in zone.pieces]
        stayed = [name for name in before if name in set(now)]
        assert stayed == [name for name in now if name in set(before)]
        before = now


# Drawing


def test_every_zone_draws_for_everybody_in_both_languages() -> None:
    for seats, position in sampled(step=11):
        for seat in viewers(position):
            models = board.zones(GAME, look(position, seat))
            assert set(models) == ZONES | {f"player-{number}" for number in range(seats)}
            for language in LANGUAGES:
                ids: list[str] = []
                for name, html in drawn(language, models).items():
                    page = Page(html)
                    assert not page.open, name
                    assert page.ids[0] == f"zone-{name}"
                    assert not page.attributes & {"style", "onclick"}
                    ids += page.ids
                assert len(ids) == len(set(ids)), seats


def test_every_drawing_that_is_used_is_in_the_page() -> None:
    there = set()
    for file in ("ui/ui.svg", "ui/seats.svg", "games/hanging_gardens/sprites.svg"):
        there |= set(re.findall(r'\bid="([^"]+)"', (STATIC / file).read_text()))
    models = board.zones(GAME, look(played(3)[0], None))
    zones = {name: Markup(html) for name, html in drawn("en", models).items()}
    page = Page(draw("en", "games/hanging_gardens/table.html", box=board.box(GAME), zones=zones))
    there |= set(page.ids)
    used = page.used | {name for name in page.targets if not name.startswith("player-")}
    for _, position in sampled(step=7):
        for html in drawn("en", board.zones(GAME, look(position, None))).values():
            used |= set(re.findall(r'<use [^>]*href="#([^"]+)"', html))
    used |= set(re.findall(r'href="#([^"]+)"', (STATIC / "games/hanging_gardens/sprites.svg").read_text()))
    assert used <= there


def test_what_a_move_changes_is_small() -> None:
    sent = []
    for seats in (2, 3):
        for seat in (0, None):
            before: dict[str, msgspec.Struct] = {}
            for position in played(seats, greedy=True):
                models = board.zones(GAME, look(position, seat))
                changed = {name: model for name, model in models.items() if before.get(name) != model}
                if before:
                    sent.append(sum(len(html.encode()) for html in drawn("en", changed).values()))
                before = models
    assert mean(sent) < 12 * 1024


def test_the_score_sheet_is_empty_until_the_end_and_then_names_the_winner() -> None:
    positions = played(3)
    assert "<table" not in drawn("en", board.zones(GAME, look(positions[-2], 0)))["result"]
    scores = GAME.scores(positions[-1].state)
    winner = next(score for score in scores if score.rank == 1)
    for seat in range(3):
        sheet = drawn("en", board.zones(GAME, look(positions[-1], seat)))["result"]
        assert ("You win" in sheet) == (seat == winner.seat)
        assert all(f">{score.total}<" in sheet for score in scores)


def test_the_score_sheet_tells_of_tools_and_coins_only_in_a_tie() -> None:
    seen = look(played(2)[-1], 0)
    assert "Tools and coins" not in drawn("en", board.zones(GAME, seen))["result"]
    equal = msgspec.structs.replace(seen.scores[1], total=seen.scores[0].total, tie_break=(99,), rank=1)
    tied = msgspec.structs.replace(
        seen, scores=(msgspec.structs.replace(seen.scores[0], tie_break=(1,), rank=2), equal)
    )
    sheet = drawn("en", board.zones(GAME, tied))["result"]
    assert "Tools and coins" in sheet
    assert "wins the tie" in sheet


def test_a_game_alone_ends_with_a_verdict() -> None:
    position = played(1)[-1]
    verdict = GAME.scores(position.state)[0].verdict
    words = environment("en").get_template("games/hanging_gardens/_words.html").module
    sentence = str(words.verdict(verdict))  # type: ignore[attr-defined]  # a macro
    zones = drawn("en", board.zones(GAME, look(position, 0)))
    assert sentence in zones["result"]
    assert sentence in zones["action"]


def test_the_automaton_s_last_card_says_what_it_did_whatever_happened_since() -> None:
    told = 0
    for position in played(1):
        used = GAME.view(position.state, 0).automaton
        assert used is not None
        zone = board.zones(GAME, look(position, 0))["automaton"]
        assert isinstance(zone, Opponent)
        assert (zone.last is not None) == bool(used.used)
        if zone.last is not None:
            told += 1
            assert zone.last.column in (1, 2, 3)
            assert zone.last.bonus in ("done", "nothing")
            done = drawn("en", {"automaton": zone})["automaton"]
            words = environment("en").get_template("games/hanging_gardens/_words.html").module
            assert f"Gardener: {words.COLUMNS[zone.last.column]}" in done  # type: ignore[attr-defined]  # a dictionary
    assert told > 4


def test_an_irrigation_card_is_told_in_words() -> None:
    position = played(3)[-1]
    zones = board.zones(GAME, look(position, 0))
    pages = drawn("en", zones)
    for seat, name in enumerate(("garden", "player-1", "player-2")):
        marks = GAME.box.irrigation[position.state.players[seat].irrigation].marks
        first, second, third = (", ".join(map(str, row)) for row in marks)
        said = f"Marked places from the left: on level 1: {first}; on level 2: {second}; on level 3: {third}"
        label = (
            f'<p class="visually-hidden">{said}</p>' if seat == 0 else f'role="img" aria-label="Irrigation: {said}"'
        )
        assert pages[name].count(said) == pages[name].count(label) == 1
    garden = zones["garden"]
    assert isinstance(garden, Garden)
    for way in garden.laid:
        assert f"{way.met} of 6 marked places are irrigated: {garden.ladder[way.met]} point" in pages["garden"]
