"""What a tile could bring on every site of a garden: a quick judgement, corner by corner, for bots.

What a tile covers, its flower and its level are counted as they are; the decorations it makes possible are added up
as if none took another's partner, which is nearly always true. Symbols that a token would alter are not foreseen.
"""

from collections.abc import Iterable, Iterator
from operator import itemgetter

import msgspec

from app.games.babylon.components import Face, Scoring, Tile
from app.games.babylon.decorating import Symbols, statue_lines
from app.games.babylon.garden import COLUMNS, CORNERS, FOOTPRINTS, Garden, is_on_board, number_of
from app.games.babylon.placing import Site
from app.games.babylon.scoring import SET, SET_KINDS
from app.games.babylon.supports import NO_CORNER, Form, Purse, forms_of
from app.games.babylon.weights import Weights

PAIRS = ("stairs", "fountain", "bridge")
TOP = 3
"""Levels from here on are weighed alike."""

HALF_FADES, FLOOR_FADES, PILLAR_FADES, SET_FADES = 1.2, 1.3, 0.25, 0.5
"""How fast what is no point yet loses its worth towards the end: above 1 early, below 1 late."""

Corner = dict[str, float]
"""What each symbol would be worth in one corner of a tile."""

Way = tuple[float, int, Form]
"""A value, quarter turns clockwise, and a form."""

OUTWARD = (((-1, 0), (0, -1)), ((1, 0), (0, -1)), ((1, 0), (0, 1)), ((-1, 0), (0, 1)))
"""The two directions in which each corner of a tile, clockwise, has neighbours that are not its own spaces."""


def _outward(number: int, steps: int) -> tuple[tuple[int, ...], ...]:
    x, y = COLUMNS[number]
    ends = [[(x + steps * dx, y + steps * dy) for dx, dy in ways] for ways in OUTWARD]
    return tuple(tuple(number_of(end) for end in corner if is_on_board(end)) for corner in ends)


BESIDE = tuple(_outward(number, 1) for number in range(len(COLUMNS)))
BEYOND = tuple(_outward(number, 2) for number in range(len(COLUMNS)))


class Prospect(msgspec.Struct, frozen=True):
    """One way to lay a tile and what it seems to be worth."""

    value: float
    tile: str
    site: Site
    turned: int
    form: Form


class Outlook:
    """A garden seen by somebody about to build; ``fade`` is the part of the game that is left after this turn."""

    def __init__(self, garden: Garden, *, values: Scoring, weights: Weights, fade: float) -> None:
        self.garden = garden
        self.columns = garden.columns
        self.values = values
        self.weights = weights
        self.fade = fade
        self.half = (0.0, *(worth * fade**HALF_FADES for worth in weights.half))
        self.floor = (0.0, *(worth * fade**FLOOR_FADES for worth in weights.floor))
        self.hole = weights.hole * fade**FLOOR_FADES
        self.pillar: float = weights.pillar * fade**PILLAR_FADES
        self.ways = (0.0, weights.ways, 1.0, 1.0, 1.0)
        self.rows, self.lines = statue_lines(garden)
        symbols = Symbols(garden, "none")
        self.symbols = [symbols.printed(number) if symbols.is_free(number) else "" for number in range(len(COLUMNS))]
        self.seen = [self.columns.top.count(number) for number in range(len(garden.terraces))]
        self.flowers: dict[str, int] = {}
        for count, terrace in zip(self.seen, garden.terraces, strict=True):
            if count:
                self.flowers[terrace.flower] = self.flowers.get(terrace.flower, 0) + 1
        kinds = dict.fromkeys(SET_KINDS, 0)
        for decoration in garden.decorations:
            if garden.shows_decoration(decoration) and not garden.is_pillar(decoration):
                kinds[decoration.kind] += 1
        self.towards = {kind: self._towards_a_set(kinds, kind, values.decoration_set) for kind in SET_KINDS}
        self.corners: dict[tuple[int, int, int], Corner] = {}
        self.known: dict[Site, tuple[float, list[Corner], float]] = {}

    @property
    def potential(self) -> float:
        """What the free spaces of the garden promise, in points that are not scored yet."""
        height = self.columns.height
        worth = 0.0
        for number, symbol in enumerate(self.symbols):
            if symbol:
                level = min(height[number], TOP)
                worth += self.floor[level] + (self.half[level] if symbol in PAIRS else 0.0)
        return worth

    def worth_keeping(self, tile: Tile | None) -> float:
        """What a tile in the slot promises."""
        if tile is None:
            return 0.0
        symbols = sum(symbol != "none" for symbol in tile.symbols)
        return (self.weights.kept + self.weights.symbol * symbols) * self.fade

    def idle(self, purse: Purse, kept: int) -> float:
        """What is kept of the pillars when nothing more is built; ``kept`` is how many may be."""
        return self.pillar * min(kept, purse.singles)

    def best(self, tiles: Iterable[Tile], purse: Purse, kept: int) -> dict[str, Prospect]:
        """The best way to lay each tile, where there is one; ``kept`` is how many single pillars may be kept."""
        surveyed = self._surveyed(purse, kept)
        # The best bound first: once a site cannot beat what was found, no later one can.
        surveyed.sort(key=itemgetter(0), reverse=True)
        found = {}
        for tile in tiles:
            faces = [tile.face(turned) for turned in range(4)]
            top: tuple[Site, Way] | None = None
            for bound, site, ground, corners, forms in surveyed:
                if top and bound <= top[1][0]:
                    break
                value, turned, form = max(_ways(corners, faces, forms), key=itemgetter(0))
                if top is None or value + ground > top[1][0]:
                    top = site, (value + ground, turned, form)
            if top:
                site, (value, turned, form) = top
                found[tile.id] = Prospect(value + self.bloom(tile.flower, 1), tile.id, site, turned, form)
        return found

    def each(self, tile: Tile, purse: Purse, kept: int) -> Iterator[Prospect]:
        """The best way to lay a tile on each site, as found."""
        faces = [tile.face(turned) for turned in range(4)]
        bloom = self.bloom(tile.flower, 1)
        for _, site, ground, corners, forms in self._surveyed(purse, kept):
            value, turned, form = max(_ways(corners, faces, forms), key=itemgetter(0))
            yield Prospect(value + ground + bloom, tile.id, site, turned, form)

    def on(self, site: Site, tile: Tile, purse: Purse, kept: int) -> Iterator[Prospect]:
        """Every way to lay a tile on one site."""
        ground, corners, _ = self._facts(site)
        bloom = self.bloom(tile.flower, 1)
        faces = [tile.face(turned) for turned in range(4)]
        for value, turned, form in _ways(corners, faces, self._priced(site.corners, purse, kept)):
            yield Prospect(value + ground + bloom, tile.id, site, turned, form)

    def bloom(self, flower: str, step: int) -> float:
        """What one more visible tile of this flower is worth, or (step -1) what one less would cost."""
        counts = self.flowers
        if step < 0:
            counts = {**counts, flower: counts[flower] - 1}
        return self._towards_a_set(counts, flower, self.values.flower_set)

    def _towards_a_set(self, counts: dict[str, int], one: str, points: int) -> float:
        """What one more does for a set: all of it when nothing else is missing, else a part."""
        have = counts.get(one, 0)
        others = [count for name, count in counts.items() if name != one]
        missing = sum(count <= have for count in others) + SET - 1 - len(others)
        if not missing:
            return points
        return points * float(self.weights.lacking**missing * self.fade**SET_FADES)

    def _priced(self, corners: str, purse: Purse, kept: int) -> list[tuple[float, int, Form]]:
        """The forms within the purse: what they leave in pillars and bring in belvederes, and their open corner."""
        priced = []
        for form in forms_of(corners):
            if purse.affords(form):
                left = self.pillar * min(kept, purse.singles - purse.payment(form).spent)
                if form.open == NO_CORNER:
                    priced.append((left, -1, form))
                else:
                    priced.append((left + self.values.belvedere, CORNERS.index(form.open), form))
        return priced

    def _surveyed(
        self, purse: Purse, kept: int
    ) -> list[tuple[float, Site, float, list[Corner], list[tuple[float, int, Form]]]]:
        """The sites within the purse: no tile is worth more there than the bound; ground, corners and forms."""
        known: dict[str, list[tuple[float, int, Form]]] = {}
        surveyed = []
        for site in self.garden.sites:
            forms = known.get(site.corners)
            if forms is None:
                forms = known[site.corners] = self._priced(site.corners, purse, kept)
            if forms:
                ground, corners, most = self._facts(site)
                surveyed.append((ground + most + max(forms)[0], site, ground, corners, forms))
        return surveyed

    def _facts(self, site: Site) -> tuple[float, list[Corner], float]:
        """What covering the ground of a site is worth, what symbols are in its corners, and the most of those."""
        facts = self.known.get(site)
        if facts is None:
            corners = [
                self._corner(number, corner, site.level) for corner, number in enumerate(FOOTPRINTS[site.x, site.y])
            ]
            most = sum([max(corner.values()) for corner in corners])
            facts = self.known[site] = (self._ground(site), corners, most)
        return facts

    def _corner(self, number: int, corner: int, level: int) -> Corner:
        key = number, corner, level
        known = self.corners.get(key)
        if known is None:
            known = self.corners[key] = self._symbols_there(number, corner, level)
        return known

    def _symbols_there(self, number: int, corner: int, level: int) -> Corner:
        """What each symbol would be worth in this column as that corner of a tile at this level."""
        values, columns, symbols, towards = self.values, self.columns, self.symbols, self.towards
        height = columns.height
        floor, half = self.floor[min(level, TOP)], self.half[min(level, TOP)]
        statue, stairs, fountain, bridge = floor, 0.0, 0.0, 0.0
        x, y = COLUMNS[number]
        if not self.rows or y in self.rows or x in self.lines:
            statue = max(floor, values.statue_per_level * level + towards["statue"] + self.weights.statue * floor)
        lower = level_ground = beyond = 0
        for other in BESIDE[number][corner]:
            there = height[other]
            if there < level:
                lower += 1
            elif there == level:
                level_ground += 1
                if symbols[other] == "fountain":
                    fountain = values.fountain_per_level * level + towards["fountain"] - half - floor
            if symbols[other] == "stairs" and there in (level - 1, level + 1):
                points = values.stairs_per_level * (level + there) + towards["stairs"]
                stairs = max(stairs, points - self.half[min(there, TOP)] - self.floor[min(there, TOP)])
        for other in BEYOND[number][corner]:
            middle = (number + other) // 2
            if height[middle] < level:
                if height[other] < level:
                    beyond += 1
                elif symbols[other] == "bridge" and height[other] == level and self._is_clear(middle, level):
                    bridge = values.bridge_per_level * level + towards["bridge"] - half - floor
        return {
            "none": floor,
            "statue": statue,
            "stairs": max(stairs, floor + half * self.ways[lower + level_ground]),
            "fountain": max(fountain, floor + half * self.ways[lower]),
            "bridge": max(bridge, floor + half * self.ways[beyond]),
        }

    def _is_clear(self, middle: int, level: int) -> bool:
        """Whether a bridge at this level could cross the column, the tiles in it aside (10.4)."""
        return self.columns.gap[middle] < level and self.columns.occupant[middle] != "foot"

    def _ground(self, site: Site) -> float:
        """What covering these columns costs, and what the level alone brings."""
        columns, values = self.columns, self.values
        worth = 0.0
        covered: dict[int, int] = {}
        for number in FOOTPRINTS[site.x, site.y]:
            top = columns.top[number]
            if top < 0:
                worth -= self.hole
                continue
            covered[top] = covered.get(top, 0) + 1
            occupant, level = columns.occupant[number], columns.height[number]
            if not occupant:
                worth -= self.floor[min(level, TOP)]
                if self.symbols[number] in PAIRS:
                    worth -= self.half[min(level, TOP)]
            elif occupant == "belvedere":
                worth -= values.belvedere
            elif occupant == "statue":
                worth -= values.statue_per_level * level
            elif occupant == "fountain":
                worth -= values.fountain_per_level * level / 2
        for top, count in covered.items():
            if count == self.seen[top]:
                worth -= self.bloom(self.garden.terraces[top].flower, -1)
        highest = self.garden.highest
        if site.level > highest:
            worth += values.height_per_level * (site.level - highest) + self.weights.rise * self.fade
        return worth


def _ways(corners: list[Corner], faces: list[Face], forms: list[tuple[float, int, Form]]) -> list[Way]:
    """Every turning with every form, and what it is worth, ground and flower aside."""
    first, second, third, fourth = corners
    found = []
    for turned, (a, b, c, d) in enumerate(faces):
        each = first[a], second[b], third[c], fourth[d]
        together = sum(each)
        found += [
            (together + price - each[corner] if corner >= 0 else together + price, turned, form)
            for price, corner, form in forms
        ]
    return found
