"""Begins a game: ``make game slug=my_game`` copies ``tests/skeleton`` into the folders that belong to a game.

The skeleton is a whole small game called ``new_game``. Its Python files end in ``.in``, so that it is neither
imported nor checked where it lies; ``tests/test_new_game.py`` makes a game of it and checks that.
"""

import keyword
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SKELETON = ROOT / "tests" / "skeleton"
NAMES = {"new_game": "{slug}", "new-game": "{address}", "New Game": "{title}"}
SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST = 30
SITE = "site"
RULES = "_rules"


class BadSlug(ValueError):
    """A word that no game can go by, and why."""


def named(text: str, slug: str) -> str:
    """The text with this game's names in the place of the skeleton's."""
    ours = {"slug": slug, "address": slug.replace("_", "-"), "title": slug.replace("_", " ").title()}
    return re.sub("|".join(NAMES), lambda found: NAMES[found[0]].format(**ours), text)


def check(slug: str) -> None:
    """Raises :class:`BadSlug`."""
    if not SLUG.fullmatch(slug) or len(slug) > LONGEST:
        raise BadSlug(f"{slug!r}: a slug is up to {LONGEST} small letters and digits, in words with _ between them")
    if keyword.iskeyword(slug) or slug == SITE or slug.endswith(RULES):
        raise BadSlug(f"{slug!r}: this word has a meaning already")
    for path in files(slug):
        taken = next((each for each in (path, *path.parents) if each.name == slug and each.exists()), path)
        if taken.exists():
            raise BadSlug(f"{slug!r}: {taken.relative_to(ROOT)} is there already")


def files(slug: str) -> dict[Path, Path]:
    """The files of the skeleton by what they become."""
    return {
        ROOT / named(source.relative_to(SKELETON).as_posix(), slug).removesuffix(".in"): source
        for source in sorted(SKELETON.rglob("*"))
        if source.is_file()
    }


def begin(slug: str) -> None:
    """Makes the folders of a game. Raises :class:`BadSlug` before anything is written."""
    check(slug)
    for path, source in files(slug).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(named(source.read_text(encoding="utf-8"), slug), encoding="utf-8")


def main(words: list[str]) -> int:
    """What the command says, and its exit code."""
    if len(words) != 1:
        print("error: make game slug=my_game", file=sys.stderr)
        return 1
    try:
        begin(words[0])
    except BadSlug as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    print(f"{words[0]}: app/games/{words[0]}/RULES.md is where it begins; docs/new-game.md goes on")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
