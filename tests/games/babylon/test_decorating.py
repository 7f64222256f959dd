"""Decorations (10, 12.2): the list of offers against the rules asked one by one, and what follows from an offer."""

from itertools import product

import pytest

from app.games.babylon import decorating, scoring
from app.games.babylon.decorating import ALTERED, KINDS, cells_altered, statue_lines, statues_in_line
from app.games.babylon.garden import COLUMNS, Cell, Garden, Kind
from tests.games.babylon.gardens import states
from tests.games.babylon.script import box, garden, play, stock

Asked = tuple[Kind, tuple[Cell, ...], str]


def asked(here: Garden, effect: str) -> set[Asked]:
    """Every decoration that breaks no rule, each asked on its own."""
    found: set[Asked] = set()
    for kind in KINDS:
        pairs: list[tuple[Cell, ...]] = (
            [(cell,) for cell in COLUMNS]
            if kind == "statue"
            else [
                ((x, y), (x + dx, y + dy))
                for (x, y), dx, dy in product(COLUMNS, range(-2, 3), range(-2, 3))
                if kind == "stairs" or (dx, dy) > (0, 0)
            ]
        )
        for cells, word in product(pairs, ALTERED[: 2 * len(pairs[0])]):
            broken = decorating.fault(
                here, kind=kind, cells=cells, altered=cells_altered(cells, word), effect=effect, supply=stock()
            )
            if broken is None:
                found.add((kind, cells, word))
    return found


@pytest.mark.parametrize("effect", ["none", "change_symbol", "add_symbol"])
@pytest.mark.parametrize("seed", ["d", "e"])
def test_the_offers_are_exactly_the_decorations_that_break_no_rule(seed: str, effect: str) -> None:
    some = 0
    for state in list(states(seed)):
        here = state.players[state.seat].garden
        if state.phase not in ("build", "decorate") or not here.fresh:
            continue
        offers = decorating.offers(here, effect, stock())
        listed = {(offer.kind, offer.cells, offer.altered) for offer in offers}
        assert len(listed) == len(offers)
        if some % 12 == 0:
            assert listed == {one for one in asked(here, effect) if in_order(one)}, f"\n{here}"
        some += 1
    assert some > 20


def in_order(one: Asked) -> bool:
    """Whether a pair is named from west to east or from north to south, stairs from the foot (4.7)."""
    kind, cells, _ = one
    return kind == "stairs" or cells == tuple(sorted(cells))


def test_statue_lines_are_the_rows_and_lines_of_statues_that_carry_nothing() -> None:
    here = garden(
        """
        tile A L1 @(1,1) face[S ./. .] sup[ss/ss] white
        statue (1,1)
        turn
        tile B L1 @(4,1) face[. S/. .] sup[ss/ss] pink
        statue (5,1)
        turn
        """
    )
    assert statue_lines(here) == (frozenset({1}), frozenset({1, 5}))
    assert [statue.cells[0] for statue in statues_in_line(here, (5, 7))] == [(5, 1)]
    assert [statue.cells[0] for statue in statues_in_line(here, (7, 1))] == [(1, 1), (5, 1)]
    assert statues_in_line(here, (7, 7)) == ()
    covered = play(f"{here}\ntile C L2 @(0,0) face[. ./. .] sup[-d/dp] purple").garden
    assert statue_lines(covered) == (frozenset({1}), frozenset({5}))
    assert covered.is_pillar(covered.decorations[0])


def test_an_offer_tells_what_it_would_score() -> None:
    here = garden(
        """
        tile A L1 @(0,0) face[S F/T B] sup[ss/ss] white
        tile B L2 @(2,0) face[. ./S F] sup[dd/dd] pink
        tile C L2 @(0,2) face[T ./. F] sup[dd/dd] yellow
        """
    )
    values = box().scoring
    offers = {
        (offer.kind, *offer.cells): scoring.worth(here, offer.decoration(here), values)
        for offer in decorating.offers(here, "none", stock())
    }
    assert offers == {("stairs", (0, 1), (0, 2)): 3, ("statue", (0, 0)): 1, ("statue", (2, 1)): 2}


def test_what_a_decoration_would_score_counts_the_set_it_completes() -> None:
    here = garden(
        """
        tile A L1 @(0,0) face[S F/T B] sup[ss/ss] white
        statue (0,0)
        tile B L1 @(2,0) face[F T/B S] sup[ss/ss] pink
        fountain (1,0)-(2,0)
        tile C L2 @(4,0) face[T S/B F] sup[dd/d-] yellow
        stairs foot(3,0) top(4,0)
        turn
        tile D L1 @(0,3) face[S B/F T] sup[ss/ss] purple
        """
    )
    worth = {
        offer.kind: scoring.worth(here, offer.decoration(here), box().scoring)
        for offer in decorating.offers(here, "none", stock())
    }
    assert worth == {"bridge": 3 + 4, "statue": 1}
