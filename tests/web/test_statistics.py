"""How a game went: points by source over time, drawn and as tables that say the same; only once it is over."""

import re

import pytest

from app.services import statistics
from app.services.errors import NotOver
from app.web.charts import chart
from app.web.statistics import charts
from tests.conftest import Site
from tests.services.test_analysis import table
from tests.web.playing import held_of, move, opened, play_out


@pytest.mark.parametrize("slug", ["hanging_gardens", "amyitis"])
def test_every_line_ends_with_the_final_score(slug: str) -> None:
    over = table(slug, entries=None, seats=3)
    assert over.position is not None
    scores = over.game.scores(over.position.state)
    drawn = {each.part: each for each in charts(over)}
    for score in scores:
        assert drawn[""].curves[score.seat].last == score.total
        assert drawn[""].rows[-1].points[score.seat] == score.total
        for part, points in score.parts:
            assert points == (drawn[part].curves[score.seat].last if part in drawn else 0)
    gone = statistics.turns(over)
    assert [turn.at for turn in gone] == sorted({turn.at for turn in gone})
    assert gone[-1].at == over.version
    assert sum(one.turns for one in statistics.habits(over)) == len(gone) - 1


def test_a_game_that_goes_on_has_none_yet() -> None:
    with pytest.raises(NotOver):
        charts(table("hanging_gardens", entries=9))


def test_a_chart_holds_its_lines_its_grid_and_points_below_nothing() -> None:
    made = chart("", [(0, 3, 12), (0, -2, 12)], [(0, None), (4, 0), (9, 1)], width=300, height=120)
    heights = [float(corner.split(",")[1]) for curve in made.curves for corner in curve.corners.split()]
    assert all(0 <= y <= 120 for y in heights)
    assert next(line.points for line in made.grid) <= -2
    assert [line.points for line in made.grid][-1] >= 12
    assert abs(made.curves[0].end[1] - made.curves[1].end[1]) >= 15
    assert [row.points for row in made.rows] == [(0, 0), (3, -2), (12, 12)]
    level = chart("x", [(0, 0, 0)], [(0, None), (1, 0), (2, 0)], width=300, height=120)
    assert level.flat
    assert len(level.rows) == 2


@pytest.mark.parametrize(
    ("language", "words"), [("en", ("How the game went", "As a table")), ("ja", ("ゲームの経過", "表で見る"))]
)
async def test_the_page_draws_and_tells_the_same(site: Site, language: str, words: tuple[str, str]) -> None:
    alice, bob = await site.guest("Alice", language), await site.guest("Bob")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob], 4)
    refused = await alice.get(f"/tables/{key}/statistics")
    assert refused.status_code == 409
    assert "/statistics" not in (await alice.get(f"/tables/{key}")).text
    await play_out(site, key)
    assert f'href="/tables/{key}/statistics"' in (await alice.get(f"/tables/{key}")).text
    page = (await alice.get(f"/tables/{key}/statistics")).text
    assert all(word in page for word in words)
    held = await held_of(site, key)
    assert held.position is not None
    drawn = charts(held)
    assert page.count('<svg class="chart"') == len(drawn)
    assert page.count("<table") == len(drawn) + 1
    totals = re.findall(r"<td>(−?\d+)</td>", page.split("</table>")[0])[-2:]
    assert [int(total.replace("−", "-")) for total in totals] == [
        score.total for score in held.game.scores(held.position.state)
    ]
    assert not re.search(r"\sstyle=", page)
