"""The colours of the seats: told apart by those who see few colours, and letters on them can be read."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

TOKENS = (Path(__file__).parent.parent / "static/css/tokens.css").read_text(encoding="utf-8")
Colour = tuple[float, float, float]
SIGHTS: dict[str, tuple[Colour, Colour, Colour]] = {  # Machado, Oliveira and Fernandes 2009, wholly without a cone
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no long": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no middle": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no short": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
LETTER = {"light": "#ffffff", "dark": "#14181f"}


def light(colour: str) -> Colour:
    """How much red, green and blue light it is."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def seen(colour: str, sight: str) -> Colour:
    """As an eye sees it, in OKLab."""
    lit = light(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, lit, strict=True)))) for row in SIGHTS[sight]
    )
    cones = (
        0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue,
        0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue,
        0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue,
    )
    long, middle, short = (cone ** (1 / 3) for cone in cones)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def contrast(one: str, other: str) -> float:
    """As the guidelines for accessible pages measure it."""
    bright = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (light(one), light(other)))
    return (bright[1] + 0.05) / (bright[0] + 0.05)


def paints(palette: str) -> dict[str, list[str]]:
    """The five colours by day and by night."""
    block = TOKENS.split(palette)[1]
    found = re.findall(r"--paint-[1-5]: light-dark\((#\w{6}), (#\w{6})\)", block)[:5]
    return {"light": [day for day, _ in found], "dark": [night for _, night in found]}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", list(SIGHTS))
def test_any_eye_tells_the_seats_apart_in_the_safe_palette(theme: str, sight: str) -> None:
    colours = paints(":root[data-palette=safe]")[theme]
    assert len(set(colours)) == 5
    for one, other in combinations(colours, 2):
        assert math.dist(seen(one, sight), seen(other, sight)) > 0.12, (one, other)


def test_the_usual_colours_would_not_do() -> None:
    nearest = min(
        math.dist(seen(one, sight), seen(other, sight))
        for sight in SIGHTS
        for one, other in combinations(paints(":root {")["light"], 2)
    )
    assert nearest < 0.05


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("palette", [":root {", ":root[data-palette=safe]"])
def test_letters_on_the_seats_can_be_read(palette: str, theme: str) -> None:
    for colour in paints(palette)[theme]:
        assert contrast(colour, LETTER[theme]) >= 3, colour


def test_whoever_has_a_colour_swaps_it_with_one_other_seat() -> None:
    for mine, other in combinations(range(1, 6), 2):
        rule = next(line for line in TOKENS.splitlines() if f'data-colour="{mine}"]:has([data-me="{other}"])' in line)
        assert f'data-colour="{other}"]:has([data-me="{mine}"])' in rule
        assert f"--seat-{mine}: var(--paint-{other})" in rule
        assert f"--seat-{other}: var(--paint-{mine})" in rule
