"""Where a tile may lie (9): the sites of a garden, and the rules that forbid the others."""

from collections.abc import Iterable

import msgspec

from app.engine.contract import Broken
from app.games.babylon.components import Tile
from app.games.babylon.garden import COLUMNS, CORNERS, FOOTPRINTS, LAST, Garden, Terrace
from app.games.babylon.supports import NO_CORNER, OPEN_CHOICES, Form, Purse, form_of, forms_of


class Site(msgspec.Struct, frozen=True):
    """A place at a level where a tile could lie.

    ``corners`` says for each corner, clockwise, what can carry the tile there: ``s`` a single pillar, ``d`` a
    double, ``p`` a statue, which then must (9.4.9), ``-`` nothing.
    """

    x: int
    y: int
    level: int
    corners: str

    @property
    def forms(self) -> tuple[Form, ...]:
        """Every way to support the tile here, pillars and belvederes being no object."""
        return forms_of(self.corners)


def find_sites(garden: Garden) -> tuple[Site, ...]:
    """Every site of a garden, by rows from the north-west, the lower level first (9.4.1 to 9.4.9)."""
    columns = garden.columns
    height, occupant, gap = columns.height, columns.occupant, columns.gap
    taken = {(terrace.x, terrace.y) for terrace in garden.terraces}
    floors = {0, *(terrace.level for terrace in garden.terraces)}
    single = [_on_single(*facts) for facts in zip(occupant, gap, strict=True)]
    double = ["d" if one == "s" else "-" for one in single]
    closed = {number for number, one in enumerate(occupant) if one == "foot" or gap[number]}
    found = []
    for at, footprint in FOOTPRINTS.items():
        if at in taken or (closed and not closed.isdisjoint(footprint)):
            continue
        a, b, c, d = footprint
        ha, hb, hc, hd = height[a], height[b], height[c], height[d]
        # Three supports reach down two levels at most, so nothing is possible above the highest column plus two.
        under = max(ha, hb, hc, hd)
        for floor in (under, under + 1):
            if floor not in floors:
                continue
            below = floor - 1
            corners = (
                (single[a] if ha == floor else double[a] if ha == below else "-")
                + (single[b] if hb == floor else double[b] if hb == below else "-")
                + (single[c] if hc == floor else double[c] if hc == below else "-")
                + (single[d] if hd == floor else double[d] if hd == below else "-")
            )
            if corners.count("-") < 2:
                found.append(Site(at[0], at[1], floor + 1, corners))
    return tuple(found)


def _on_single(occupant: str, gap: int) -> str:
    if gap:
        return "-"
    return "s" if not occupant else "p" if occupant == "statue" else "-"


def affordable(sites: Iterable[Site], purse: Purse) -> tuple[Site, ...]:
    """The sites where at least one form is within the purse (9.4.10, 9.4.11)."""
    known: dict[str, bool] = {}
    found = []
    for site in sites:
        corners = site.corners
        if corners not in known:
            known[corners] = any(purse.affords(form) for form in forms_of(corners))
        if known[corners]:
            found.append(site)
    return tuple(found)


def affordable_forms(site: Site, purse: Purse) -> tuple[Form, ...]:
    """The forms of a site that are within the purse."""
    return tuple(form for form in site.forms if purse.affords(form))


def site_at(garden: Garden, x: int, y: int, level: int) -> Site | None:
    """The site there, if it is one."""
    return next((site for site in garden.sites if (site.x, site.y, site.level) == (x, y, level)), None)


def ground_fault(garden: Garden, x: int, y: int, level: int) -> Broken | None:
    """What forbids any tile here at this level, whatever supports it (9.4.1 to 9.4.6)."""
    if not (0 <= x <= LAST and 0 <= y <= LAST):
        return Broken("out_of_board", "9.4.1", (("x", x), ("y", y)))
    below = {0, *(terrace.level for terrace in garden.terraces)}
    if level - 1 not in below:
        return Broken("level_gap", "9.4.2", (("level", level), ("missing", level - 1)))
    same = next((terrace for terrace in garden.terraces if (terrace.x, terrace.y) == (x, y)), None)
    if same:
        return Broken("full_overlap", "9.4.3", (("tile", same.id), ("level", same.level)))
    columns = garden.columns
    for number in FOOTPRINTS[x, y]:
        column = COLUMNS[number]
        if columns.occupant[number] == "foot":
            return Broken("stair_foot", "9.4.4", (("x", column[0]), ("y", column[1])))
        if columns.gap[number]:
            return Broken("bridge_gap", "9.4.5", (("x", column[0]), ("y", column[1])))
    for number in FOOTPRINTS[x, y]:
        column = COLUMNS[number]
        if columns.height[number] >= level:
            facts = (("x", column[0]), ("y", column[1]), ("level", columns.height[number]))
            return Broken("not_on_top", "9.4.6", facts)
    return None


def supports_fault(garden: Garden, x: int, y: int, level: int, supports: str) -> Broken | None:
    """What forbids these supports, clockwise, where the ground itself is free (9.4.7 to 9.4.9)."""
    count = 4 - supports.count("-")
    if count < 3:
        return Broken("support_count", "9.4.7", (("supports", count),))
    for number, support in zip(FOOTPRINTS[x, y], supports, strict=True):
        column = COLUMNS[number]
        facts: tuple[tuple[str, str | int], ...] = (("x", column[0]), ("y", column[1]))
        occupant = garden.columns.occupant[number]
        height = garden.columns.height[number]
        if occupant == "statue" and height == level - 1:
            if support != "p":
                return Broken("statue_must_support", "9.4.9", facts)
            continue
        if support == "-":
            continue
        if occupant or support == "p":
            return Broken("support_blocked", "9.4.8", (*facts, ("occupant", occupant or "nothing")))
        reach = 1 if support == "s" else 2
        if height + reach != level:
            return Broken("pillar_length", "9.4.8", (*facts, ("height", height), ("level", level)))
    return None


def fault(garden: Garden, *, x: int, y: int, level: int, supports: str, purse: Purse) -> Broken | None:
    """Which rule this tile would break, ``None`` when it may lie so (9.4)."""
    return (
        ground_fault(garden, x, y, level)
        or supports_fault(garden, x, y, level, supports)
        or purse.fault(form_of(supports))
    )


def site_fault(garden: Garden, *, x: int, y: int, level: int, purse: Purse) -> Broken | None:
    """Why no tile can lie here at this level; ``None`` when one can in at least one form."""
    broken = ground_fault(garden, x, y, level)
    if broken:
        return broken
    site = site_at(garden, x, y, level)
    if site is None:
        return _unsupported(garden, x, y, level)
    if affordable_forms(site, purse):
        return None
    # Without a belvedere a form on three supports is no cheaper way: it is none.
    whole = [form for form in site.forms if form.open == NO_CORNER or purse.belvederes]
    cheapest = min(whole or site.forms, key=lambda form: purse.payment(form).spent)
    return purse.fault(cheapest)


def _unsupported(garden: Garden, x: int, y: int, level: int) -> Broken:
    """Fewer than three corners can be supported: by what the pillars would have to stand on, or by the height."""
    heights = garden.columns.height
    within = [number for number in FOOTPRINTS[x, y] if level - heights[number] in (1, 2)]
    if len(within) < 3:
        return Broken("pillar_length", "9.4.8", (("level", level), ("within_reach", len(within))))
    for number in within:
        column, occupant = COLUMNS[number], garden.columns.occupant[number]
        carries = occupant == "statue" and heights[number] == level - 1
        if occupant and not carries:
            return Broken("support_blocked", "9.4.8", (("x", column[0]), ("y", column[1]), ("occupant", occupant)))
    return Broken("support_count", "9.4.7")


def form_fault(garden: Garden, site: Site, open_corner: str, purse: Purse) -> Broken | None:
    """Why the tile cannot lie on this site of the garden with that corner open, or with none (``none``)."""
    if open_corner not in OPEN_CHOICES:
        return Broken("no_such_corner", "9.5", (("corner", open_corner),))
    form = next((form for form in site.forms if form.open == open_corner), None)
    if form is not None:
        return purse.fault(form)
    cells = dict(zip(CORNERS, FOOTPRINTS[site.x, site.y], strict=True))
    if open_corner != NO_CORNER and site.corners[CORNERS.index(open_corner)] == "p":
        column = COLUMNS[cells[open_corner]]
        return Broken("statue_must_support", "9.4.9", (("x", column[0]), ("y", column[1])))
    if open_corner == NO_CORNER:
        return _bare_corner(garden, site)
    return Broken("support_count", "9.4.7", (("supports", 3 - site.corners.count("-")),))


def _bare_corner(garden: Garden, site: Site) -> Broken | None:
    """Why the one corner of a site that nothing can carry cannot have a pillar (9.4.8)."""
    corner = site.corners.index("-")
    height = garden.columns.height[FOOTPRINTS[site.x, site.y][corner]]
    pillar = "d" if site.level - height == 2 else "s"
    supports = site.corners[:corner] + pillar + site.corners[corner + 1 :]
    return supports_fault(garden, site.x, site.y, site.level, supports)


def laid(garden: Garden, tile: Tile, site: Site, *, turned: int, form: Form) -> Garden:
    """The garden with the tile on that site, ``turned`` quarter turns clockwise (9.3)."""
    return garden.with_terrace(
        Terrace(
            id=tile.id,
            flower=tile.flower,
            x=site.x,
            y=site.y,
            level=site.level,
            face=tile.face(turned),
            supports=form.supports,
            turn=garden.turn,
        )
    )


def legal_supports(garden: Garden, x: int, y: int, level: int, purse: Purse) -> tuple[str, ...]:
    """The supports, clockwise, on which a tile may lie here; empty when it cannot."""
    site = site_at(garden, x, y, level)
    return () if site is None else tuple(form.supports for form in affordable_forms(site, purse))
