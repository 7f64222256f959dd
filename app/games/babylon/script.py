"""A garden as the lines that build it, in the notation of the test vectors (4.6)."""

from app.games.babylon.components import Face
from app.games.babylon.garden import Decoration, Garden, Terrace

LETTERS = {"stairs": "T", "fountain": "F", "bridge": "B", "statue": "S", "none": "."}


def write(garden: Garden) -> str:
    """The garden line by line, in the order it was built; played again, the lines build the same garden."""
    lines: list[str] = []
    turn = 0
    effect = ""
    waiting = list(garden.decorations)
    for number, terrace in enumerate(garden.terraces, start=1):
        if terrace.turn != turn:
            lines += ["turn"] * (terrace.turn - turn)
            turn, effect = terrace.turn, ""
        lines.append(tile_line(terrace))
        while waiting and waiting[0].after == number:
            decoration = waiting.pop(0)
            needed = _effect_behind(garden, decoration)
            if needed and needed != effect:
                lines.append(f"effect {needed}")
                effect = needed
            lines.append(decoration_line(decoration))
    lines += ["turn"] * (garden.turn - turn)
    return "\n".join(lines)


def tile_line(terrace: Terrace) -> str:
    """``tile g10 L2 @(6,6) face[B ./T S] sup[ss/-d] purple``."""
    a, b, c, d = tuple(terrace.supports)
    return (
        f"tile {terrace.id} L{terrace.level} @({terrace.x},{terrace.y}) {face_words(terrace.face)} "
        f"sup[{a}{b}/{d}{c}] {terrace.flower}"
    )


def face_words(face: Face) -> str:
    """``face[NW NE/SW SE]``, each symbol as its letter."""
    a, b, c, d = (LETTERS[symbol] for symbol in face)
    return f"face[{a} {b}/{d} {c}]"


def decoration_line(decoration: Decoration) -> str:
    """``stairs foot(3,0) top(4,0)``, ``fountain (1,0)-(2,0) as (2,0)``."""
    cells = [f"({x},{y})" for x, y in decoration.cells]
    words = f"foot{cells[0]} top{cells[1]}" if decoration.kind == "stairs" else "-".join(cells)
    altered = "".join(f" ({x},{y})" for x, y in decoration.altered)
    return f"{decoration.kind} {words}" + (f" as{altered}" if altered else "")


def _effect_behind(garden: Garden, decoration: Decoration) -> str:
    """The effect without which this decoration could not stand (12.2)."""
    for cell in decoration.altered:
        level = decoration.levels[decoration.cells.index(cell)]
        for terrace in garden.terraces:
            if terrace.level == level and cell in terrace.cells:
                printed = terrace.face[terrace.cells.index(cell)]
                return "add_symbol" if printed == "none" else "change_symbol"
    return ""
