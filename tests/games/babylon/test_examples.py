"""The examples of the rules page are gardens that can be built as they are told."""

from app.games.babylon import decorating, placing
from app.games.babylon.examples import GARDENS, PLACES, drawn
from app.games.babylon.garden import Garden
from tests.games.babylon.script import purse_of, rules, stock


def test_every_example_can_be_built_by_the_rules() -> None:
    game = rules()
    for name, (tiles, decorations) in GARDENS.items():
        garden = Garden()
        waiting = list(decorations)
        for number, tile in enumerate(tiles, start=1):
            x, y, level, turned, supports = PLACES[tile]
            assert placing.fault(garden, x=x, y=y, level=level, supports=supports, purse=purse_of()) is None, name
            site = placing.site_at(garden, x, y, level)
            assert site is not None
            form = next(form for form in site.forms if form.supports == supports)
            garden = placing.laid(garden, game.box.tile_by_id[tile], site, turned=turned, form=form)
            while waiting and (waiting[0].after == number or name != "scored"):
                decoration = waiting[0]
                if name != "scored" and number < len(tiles):
                    break
                waiting.pop(0)
                offered = [offer.cells for offer in decorating.offers(garden, "none", stock())]
                assert decoration.cells in offered, (name, decoration)
                garden = garden.with_decoration(decoration)
            garden = garden.settled()
        assert not waiting


def test_the_scored_garden_has_one_of_everything() -> None:
    points = drawn(rules()).points["scored"]
    assert all(points.values())
    assert sum(points.values()) == 26
