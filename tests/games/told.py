"""How the commands tell a complaint of a game: one line of words, without the markup and drawings of the pages."""

from app.commands.recorded import sentence
from app.engine.contract import Broken


def is_told_plainly(slug: str, broken: Broken) -> bool:
    """Whether the line is nothing but a sentence."""
    line: str = sentence(slug)(broken)
    words = line.split(" ")
    return len(words) > 2 and all(word and word.isprintable() for word in words) and not set("<>&") & set(line)
