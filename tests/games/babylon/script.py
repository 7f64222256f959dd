"""Reads and plays the notation of the test vectors (section 16): lines that build a garden, or look at a quarry.

``play(lines)`` asserts what stands behind every ``=>`` and returns the scene at the end. A garden writes itself in
the same notation, so a failure shows where things stood.
"""

import re
from importlib.resources import files

import msgspec

from app.engine.contract import Broken
from app.games import load
from app.games.babylon import decorating, mining, placing, scoring
from app.games.babylon.components import Box, Face, Symbol
from app.games.babylon.decorating import KINDS
from app.games.babylon.garden import Cell, Decoration, Garden, Terrace
from app.games.babylon.rules import Rules
from app.games.babylon.supply import Supply, full
from app.games.babylon.supports import Purse, form_of

PLENTY = 99
SYMBOLS: dict[str, Symbol] = {"T": "stairs", "F": "fountain", "B": "bridge", "S": "statue", ".": "none"}
CELL = re.compile(r"\((-?\d+),(-?\d+)\)")
TILE = re.compile(r"tile (\S+) L(\d+) @\((\d+),(\d+)\) face\[(.) (.)/(.) (.)\] sup\[(.)(.)/(.)(.)\] (\w+)")


def rules() -> Rules:
    """Babylon with the house edition."""
    game = load("babylon")
    assert isinstance(game, Rules)
    return game


def box() -> Box:
    """The house edition."""
    return rules().box


def stock() -> Supply:
    """A full supply."""
    return full(box().supply)


def purse_of(
    singles: int = PLENTY, doubles: int = 0, *, supply_doubles: int | None = None, belvederes: int | None = None
) -> Purse:
    """A purse with plenty in it, and all that the box holds behind it, unless told otherwise."""
    return Purse(
        singles=singles,
        doubles=doubles,
        supply_doubles=stock().double_pillar if supply_doubles is None else supply_doubles,
        belvederes=stock().belvedere if belvederes is None else belvederes,
    )


class Vector(msgspec.Struct, frozen=True):
    """A block of lines under its name, and the file it stands in."""

    name: str
    file: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return self.name.split()[0]


def read_vectors() -> list[Vector]:
    """Every vector of the folder."""
    found = []
    folder = files(__package__) / "vectors"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        for block in file.read_text(encoding="utf-8").strip().split("\n\n"):
            name, *lines = block.splitlines()
            found.append(Vector(name, file.name, tuple(lines)))
    return sorted(found, key=lambda vector: vector.name)


class Scene:
    """One garden (or quarry) while its lines are played."""

    def __init__(self, garden: Garden | None = None, effect: str = "none") -> None:
        self.garden = garden or Garden()
        self.effect = effect
        self.quarry: list[int] = []
        self.width = 0

    def play(self, raw: str) -> None:
        """Plays one line and checks what it expects."""
        line = raw.split("#", 1)[0].strip()
        if not line:
            return
        line, _, expected = (part.strip() for part in line.partition("=>"))
        before = self.garden
        tried = line.startswith("try ")
        answer = self.answer(line.removeprefix("try "))
        if tried:
            self.garden = before
        here = f"\n{self.garden}\n{raw}\n-> {answer}"
        if expected.startswith("illegal"):
            assert answer == expected, here
        elif expected:
            claims = expected.split(", ") if line == "score" else expected.split()
            facts = answer.split(", ") if line == "score" else answer.split()
            assert set(claims) <= set(facts), here
        else:
            assert not answer.startswith("illegal"), here

    def answer(self, line: str) -> str:
        """What the rules say to a line, in the words that stand behind ``=>``."""
        word = line.split(maxsplit=1)[0]
        if word == "turn":
            self.garden, self.effect = self.garden.settled(), "none"
            return "ok"
        if word == "effect":
            self.effect = line.split()[1]
            return "ok"
        if word == "quarry":
            rows = line.split()[1].split("/")
            self.quarry, self.width = [int(height) for row in rows for height in row], len(rows[0])
            return "ok"
        if word == "mine":
            return self.mine(line)
        if word == "score":
            return self.score()
        return self.tile(line) if word == "tile" else self.decorate(line)

    def mine(self, line: str) -> str:
        """The gain of a tile; the quarry stays as it is."""
        x, y = cells_of(line)[0]
        words = dict(word.split("=") for word in line.split() if "=" in word)
        gain = mining.gain(
            self.quarry,
            self.width,
            x,
            y,
            own_flower=words["match"] == "yes",
            effect=words.get("effect", "none"),
            values=box().mining,
        )
        return f"gain {gain.total}"

    def score(self) -> str:
        """All parts, the total and the visible holes."""
        parts = scoring.points(self.garden, box().scoring)
        detailed = scoring.parts(self.garden, box().scoring)
        assert parts == tuple((part.name, part.points) for part in detailed), f"\n{self.garden}"
        words = [f"{name} {points}" for name, points in parts]
        words += [f"total {scoring.total(self.garden, box().scoring)}", f"holes {self.garden.holes}"]
        return ", ".join(words)

    def tile(self, line: str) -> str:
        """Lays a tile if it may lie so, and says which pillars are left."""
        match = TILE.match(line)
        assert match, f"not a tile: {line}"
        name, level, x, y, *faces, a, b, c, d, flower = match.groups()
        nw, ne, sw, se = (SYMBOLS[letter] for letter in faces)
        face: Face = (nw, ne, se, sw)
        supports = a + b + d + c
        has = {word: int(count) for word, count in re.findall(r"(\w+)=(\d+)", line)}
        purse = purse_of(**has)
        at = {"x": int(x), "y": int(y), "level": int(level)}
        broken = placing.fault(self.garden, **at, supports=supports, purse=purse)
        self.check_list(at, supports, purse, broken)
        if broken:
            return refused(broken)
        terrace = Terrace(id=name, flower=flower, **at, face=face, supports=supports, turn=self.garden.turn)
        self.garden = self.garden.with_terrace(terrace)
        payment = purse.payment(form_of(supports))
        return f"ok singles={purse.singles - payment.spent} doubles={purse.doubles - payment.token_doubles}"

    def check_list(self, at: dict[str, int], supports: str, purse: Purse, broken: Broken | None) -> None:
        """The list of legal supports and the answer to one of them agree."""
        listed = supports in placing.legal_supports(self.garden, at["x"], at["y"], at["level"], purse)
        assert listed == (broken is None), f"\n{self.garden}\n{at} {supports} {broken}"

    def decorate(self, line: str) -> str:
        """Sets a decoration if it may stand so."""
        kind = next(kind for kind in KINDS if line.startswith(kind))
        spaces, _, altering = line.partition(" as ")
        cells, altered = cells_of(spaces), cells_of(altering)
        broken = decorating.fault(
            self.garden, kind=kind, cells=cells, altered=altered, effect=self.effect, supply=stock()
        )
        offered = {
            (offer.kind, offer.cells, offer.altered_cells)
            for offer in decorating.offers(self.garden, self.effect, stock())
        }
        assert ((kind, cells, altered) in offered) == (broken is None), f"\n{self.garden}\n{line} {broken}"
        if broken:
            return refused(broken)
        self.garden = self.garden.with_decoration(
            Decoration(kind, cells, self.garden.height(cells[0]), len(self.garden.terraces), altered)
        )
        return "ok"


def refused(broken: Broken) -> str:
    """A refusal in the words of the vectors."""
    return f"illegal {broken.complaint.upper()}"


def cells_of(text: str) -> tuple[Cell, ...]:
    """All columns named in a text, in their order."""
    return tuple((int(x), int(y)) for x, y in CELL.findall(text))


def play(text: str) -> Scene:
    """The scene after these lines, every expectation checked."""
    scene = Scene()
    for line in text.splitlines():
        scene.play(line)
    return scene


def garden(text: str) -> Garden:
    """The garden that these lines build."""
    return play(text).garden
