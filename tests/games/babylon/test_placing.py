"""Where tiles may lie (9): the list of sites against the rules asked one by one, and what the rules say to a no."""

from itertools import product

import pytest

from app.games.babylon import placing
from app.games.babylon.garden import Garden
from app.games.babylon.placing import form_fault, site_at, site_fault
from app.games.babylon.script import face_words
from app.games.babylon.supports import Purse, form_of, forms_of
from tests.games.babylon.gardens import states
from tests.games.babylon.script import garden, play, purse_of

SUPPORTS = ["".join(letters) for letters in product("sdp-", repeat=4)]


def gardens() -> list[Garden]:
    """Some gardens of random games, old and young."""
    found = []
    for seed in ("a", "b"):
        found += [state.players[0].garden for state in states(seed) if state.phase == "build"][2::12]
    return found


@pytest.mark.parametrize("number", range(len(gardens())))
def test_the_sites_are_exactly_the_placements_that_break_no_rule(number: int) -> None:
    here = gardens()[number]
    purses = (purse_of(), purse_of(5, 1), purse_of(7, supply_doubles=1), purse_of(12, belvederes=0))
    purse = purses[number % len(purses)]
    listed = {
        (site.x, site.y, site.level, form.supports)
        for site in here.sites
        for form in placing.affordable_forms(site, purse)
    }
    asked = {
        (x, y, level, supports)
        for x in range(-1, 8)
        for y in range(-1, 8)
        for level in range(here.highest + 3)
        for supports in SUPPORTS
        if placing.fault(here, x=x, y=y, level=level, supports=supports, purse=purse) is None
    }
    assert listed == asked, f"\n{here}"
    for x, y, level in product(range(7), range(7), range(here.highest + 3)):
        broken = site_fault(here, x=x, y=y, level=level, purse=purse)
        assert (broken is None) == any(place[:3] == (x, y, level) for place in listed), f"\n{here}\n{x} {y} {level}"


def test_a_bare_board_takes_a_first_tile_anywhere_at_level_1() -> None:
    sites = Garden().sites
    assert len(sites) == 49
    assert {(site.level, site.corners) for site in sites} == {(1, "ssss")}
    assert [form.open for form in sites[0].forms] == ["none", "nw", "ne", "se", "sw"]


def test_two_levels_are_offered_where_both_are_possible() -> None:
    here = garden("tile A L1 @(0,0) face[. ./. .] sup[ss/ss] white")
    assert [(site.level, site.corners) for site in here.sites if (site.x, site.y) == (4, 4)] == [
        (1, "ssss"),
        (2, "dddd"),
    ]
    assert [(site.level, site.corners) for site in here.sites if (site.x, site.y) == (1, 0)] == [(2, "sdds")]
    assert not [site for site in here.sites if (site.x, site.y) == (0, 0)]


@pytest.mark.parametrize(
    ("corners", "supports"),
    [
        ("ssss", ["ssss", "-sss", "s-ss", "ss-s", "sss-"]),
        ("sdps", ["sdps", "-dps", "s-ps", "sdp-"]),
        ("pppp", ["pppp"]),
        ("s-ds", ["s-ds"]),
        ("s--s", []),
    ],
)
def test_forms_leave_one_corner_open_at_most_and_never_over_a_statue(corners: str, supports: list[str]) -> None:
    assert [form.supports for form in forms_of(corners)] == supports


def test_a_form_knows_its_price() -> None:
    form = form_of("sdp-")
    assert (form.singles, form.doubles, form.open) == (1, 1, "sw")
    payment = purse_of(9).payment(form)
    assert (payment.spent, payment.exchanged, payment.token_doubles) == (3, 1, 0)
    payment = purse_of(9, 1).payment(form)
    assert (payment.spent, payment.exchanged, payment.token_doubles) == (1, 0, 1)


def test_a_refused_form_says_which_rule_it_breaks() -> None:
    here = play(
        """
        tile A L1 @(1,1) face[S ./. .] sup[ss/ss] white
        statue (1,1)
        """
    ).garden
    site = site_at(here, 0, 0, 2)
    assert site is not None
    assert site.corners == "ddpd"

    def said(corner: str, purse: Purse) -> str:
        broken = form_fault(here, site, corner, purse)
        return "" if broken is None else f"{broken.complaint} {broken.rule}"

    assert said("none", purse_of(6)) == ""
    assert said("nw", purse_of(4)) == ""
    assert said("none", purse_of(5)) == "not_enough_pillars 9.4.10"
    assert said("none", purse_of(6, supply_doubles=2)) == "supply_empty 9.4.10"
    assert said("nw", purse_of(6, belvederes=0)) == "supply_empty 9.4.11"
    assert said("se", purse_of()) == "statue_must_support 9.4.9"
    assert said("north", purse_of()) == "no_such_corner 9.5"


@pytest.mark.parametrize(
    ("lines", "place", "corners", "none", "another"),
    [
        ("tile A L1 @(0,0) face[. ./. .] sup[ss/s-] white", (1, 1, 2), "-ddd", "support_blocked", "se"),
        (
            """
            tile A L1 @(1,1) face[. ./. .] sup[ss/ss] white
            tile B L2 @(2,1) face[. ./. .] sup[sd/sd] pink
            tile C L2 @(1,3) face[. ./. .] sup[dd/dd] purple
            """,
            (1, 2, 3),
            "dsss",
            "",
            "",
        ),
        (
            """
            tile A L1 @(1,1) face[. ./. .] sup[ss/ss] white
            tile B L2 @(2,1) face[. ./. .] sup[sd/sd] pink
            tile C L2 @(2,3) face[. ./. .] sup[dd/dd] purple
            """,
            (1, 2, 3),
            "dss-",
            "pillar_length",
            "nw",
        ),
    ],
)
def test_where_only_three_corners_can_be_carried_the_fourth_says_why(
    lines: str, place: tuple[int, int, int], corners: str, none: str, another: str
) -> None:
    here = garden(lines)
    site = site_at(here, *place)
    assert site is not None, f"\n{here}"
    assert site.corners == corners
    broken = form_fault(here, site, "none", purse_of())
    assert (broken.complaint if broken else "") == none
    if broken:
        assert broken.rule == "9.4.8"
        too_few = form_fault(here, site, another, purse_of())
        assert too_few is not None
        assert (too_few.complaint, too_few.facts) == ("support_count", (("supports", 2),))


def test_without_a_belvedere_a_tile_is_said_to_cost_four_supports() -> None:
    for singles, said in ((2, ("not_enough_pillars", 4)), (3, ("not_enough_pillars", 4)), (4, None)):
        broken = site_fault(Garden(), x=0, y=0, level=1, purse=purse_of(singles, belvederes=0))
        assert (broken and (broken.complaint, dict(broken.facts)["need"])) == said
    broken = site_fault(Garden(), x=0, y=0, level=1, purse=purse_of(2))
    assert broken is not None
    assert dict(broken.facts)["need"] == 3


ALONE = "tile A L1 @(2,2) face[T ./. B] sup[ss/ss] white\n"
STAIRS = ALONE + "tile B L2 @(0,2) face[. T/. .] sup[dd/dd] pink\nstairs foot(2,2) top(1,2)"
BRIDGE = ALONE + "tile B L1 @(5,3) face[B ./. .] sup[ss/ss] pink\nbridge (3,3)-(5,3)"
STEPPED = ALONE + "tile B L2 @(4,2) face[. ./. .] sup[dd/-d] pink"


@pytest.mark.parametrize(
    ("lines", "place", "said"),
    [
        (ALONE, (7, 0, 1), "out_of_board 9.4.1"),
        (ALONE, (5, 5, 3), "level_gap 9.4.2"),
        (ALONE, (5, 5, 0), "level_gap 9.4.2"),
        (ALONE, (2, 2, 2), "full_overlap 9.4.3"),
        (STAIRS, (2, 1, 2), "stair_foot 9.4.4"),
        (BRIDGE, (3, 2, 2), "bridge_gap 9.4.5"),
        (ALONE, (3, 3, 1), "not_on_top 9.4.6"),
        (STEPPED, (3, 2, 4), "level_gap 9.4.2"),
        (STEPPED, (0, 0, 3), "pillar_length 9.4.8"),
        (STEPPED, (4, 3, 3), "pillar_length 9.4.8"),
        (STEPPED + "\ntile C L1 @(2,4) face[. ./. .] sup[ss/ss] white", (3, 3, 3), "support_blocked 9.4.8"),
    ],
)
def test_a_refused_place_says_which_rule_it_breaks(lines: str, place: tuple[int, int, int], said: str) -> None:
    here = garden(lines)
    x, y, level = place
    broken = site_fault(here, x=x, y=y, level=level, purse=purse_of())
    assert broken is not None, f"\n{here}"
    assert f"{broken.complaint} {broken.rule}" == said, f"\n{here}"


def test_gardens_of_random_play_write_themselves_and_build_themselves_again() -> None:
    for here in gardens():
        assert garden(str(here)) == here


def test_a_face_is_written_as_it_lies() -> None:
    assert face_words(("statue", "fountain", "bridge", "stairs")) == "face[S F/T B]"
